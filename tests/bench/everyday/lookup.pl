% One of 100,000 facts is looked up, changed, and looked up again.
:- dynamic stock/2.

bench :-
    ( stock(1, _) -> true ; forall(between(1, 100_000, I), assertz(stock(I, 10))) ),
    sold(20_000).

sold(0) :- !.
sold(N) :- I is N*7919 mod 100_000 + 1, retract(stock(I, Q)), !, Q1 is Q-1, assertz(stock(I, Q1)), stock(I, Q1), N1 is N-1, sold(N1).
