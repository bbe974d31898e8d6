% Breadth-first search with its queue and what it has seen in clauses.
:- dynamic queue/1, seen/1.

bench :- retractall(queue(_)), retractall(seen(_)), assertz(queue(1)), assertz(seen(1)), run.

run :- retract(queue(N)), !, forall(next(N, M), visit(M)), run.
run.

visit(M) :- ( seen(M) -> true ; assertz(seen(M)), assertz(queue(M)) ).

next(N, M) :- N < 5000, ( M is 2*N ; M is 2*N+1 ; M is N+7 ).
