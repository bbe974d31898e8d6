% A fact is added unless it is there.
:- dynamic seen/1.

bench :- retractall(seen(_)), forall(between(1, 50_000, I), visit(I)).

visit(I) :- J is I*7919 mod 1000, ( seen(J) -> true ; assertz(seen(J)) ).
