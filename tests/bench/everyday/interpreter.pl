% A meta-interpreter over clause/2.
:- dynamic app/3, nrev/2.

bench :- numlist(1, 30, L), forall(between(1, 100, _), solve(nrev(L, _))).

solve(true) :- !.
solve((A, B)) :- !, solve(A), solve(B).
solve(H) :- clause(H, B), solve(B).

app([], L, L).
app([H|T], L, [H|R]) :- app(T, L, R).

nrev([], []).
nrev([H|T], R) :- nrev(T, RT), app(RT, [H], R).
