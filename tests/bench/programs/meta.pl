:- dynamic app/3, nrev/2.
app([], L, L).
app([H|T], L, [H|R]) :- app(T, L, R).
nrev([], []).
nrev([H|T], R) :- nrev(T, RT), app(RT, [H], R).
solve(true) :- !.
solve((A,B)) :- !, solve(A), solve(B).
solve(H) :- clause(H, B), solve(B).
bench :- numlist(1, 120, L), between(1, 20, _), solve(nrev(L, _)), fail.
bench.
