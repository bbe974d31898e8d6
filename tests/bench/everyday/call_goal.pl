% A goal in a variable.
bench :- repeated(200_000).

repeated(0) :- !.
repeated(N) :- G = one(_), call(G), N1 is N-1, repeated(N1).

one(1).
