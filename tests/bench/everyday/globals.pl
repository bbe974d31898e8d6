% Global variables.
bench :- nb_setval(counter, 0), repeated(200_000).

repeated(0) :- !.
repeated(N) :- nb_getval(counter, X), Y is X+1, nb_setval(counter, Y), N1 is N-1, repeated(N1).
