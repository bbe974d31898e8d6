% A state machine, its state and a trace in clauses.
:- dynamic state/1, visits/2.

bench :-
    retractall(state(_)), retractall(visits(_, _)),
    assertz(state(idle)),
    forall(member(S, [idle, busy, done]), assertz(visits(S, 0))),
    run(50_000).

run(0) :- !.
run(N) :- step, N1 is N-1, run(N1).

step :- retract(state(S)), move(S, T), assertz(state(T)), retract(visits(T, V)), V1 is V+1, assertz(visits(T, V1)), !.

move(idle, busy).
move(busy, done).
move(done, idle).
