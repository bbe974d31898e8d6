% Exceptions as control flow.
bench :- repeated(50_000).

repeated(0) :- !.
repeated(N) :- catch(thrown(x), x, true), N1 is N-1, repeated(N1).

thrown(X) :- throw(X).
