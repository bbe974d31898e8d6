% Facts are thrown away and made again.
:- dynamic row/2.

bench :- forall(between(1, 20, Round), fill(Round)).

fill(Round) :- retractall(row(_, _)), forall(between(1, 2000, I), ( V is I*Round, assertz(row(I, V)) )).
