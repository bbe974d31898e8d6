app([], L, L).
app([H|T], L, [H|R]) :- app(T, L, R).
nrev([], []).
nrev([H|T], R) :- nrev(T, RT), app(RT, [H], R).
bench :- numlist(1, 400, L), between(1, 40, _), nrev(L, _), fail.
bench.
