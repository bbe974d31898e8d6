% Polynomials in one variable as lists of coefficients, raised to a power.
plus_([], Q, Q) :- !.
plus_(P, [], P) :- !.
plus_([A|P], [B|Q], [C|R]) :- C is A+B, plus_(P, Q, R).
scaled([], _, []).
scaled([A|P], K, [B|Q]) :- B is A*K, scaled(P, K, Q).
times([], _, []).
times([A|P], Q, R) :- scaled(Q, A, S), times(P, Q, T), plus_(S, [0|T], R).
power(0, _, [1]) :- !.
power(N, P, R) :- N1 is N-1, power(N1, P, Q), times(P, Q, R).
bench :- between(1, 20, _), power(60, [1,1,1,1], _), fail.
bench.
