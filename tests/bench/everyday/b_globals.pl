% Global variables that are undone by backtracking.
bench :- b_setval(path, []), repeated(100_000).

repeated(0) :- !.
repeated(N) :- b_getval(path, P), ( b_setval(path, [N|P]), fail ; true ), b_setval(path, [N]), N1 is N-1, repeated(N1).
