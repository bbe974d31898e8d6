% Five facts: each step adds one and takes the oldest away.
:- dynamic slot/2.

bench :- retractall(slot(_, _)), forall(between(1, 5, I), assertz(slot(I, bar))), steps(6, 100_000).

steps(K, Most) :- K > Most, !.
steps(K, Most) :- J is K-5, assertz(slot(K, bar)), retract(slot(J, bar)), !, K1 is K+1, steps(K1, Most).
