% freeze, dif and when.
bench :- repeated(20_000).

repeated(0) :- !.
repeated(N) :- freeze(X, X > 0), dif(X, Y), when(nonvar(Y), Y > 0), X = N, Y is N+1, N1 is N-1, repeated(N1).
