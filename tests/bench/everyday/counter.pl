% A counter in a clause.
:- dynamic n/1.

bench :- retractall(n(_)), assertz(n(0)), count(100_000).

count(0) :- !.
count(K) :- retract(n(X)), Y is X+1, assertz(n(Y)), K1 is K-1, count(K1).
