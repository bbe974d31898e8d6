% forall with side effects, and sums over what they leave.
:- dynamic total/2.

bench :- retractall(total(_, _)), forall(order(C, A), add(C, A)), aggregate_all(sum(T), total(_, T), _).

add(C, A) :- ( retract(total(C, T0)) -> true ; T0 = 0 ), T is T0+A, assertz(total(C, T)).

order(C, A) :- between(1, 50_000, I), C is I mod 100, A is I mod 37.
