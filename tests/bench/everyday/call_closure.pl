% A closure in a variable, called with one more argument.
bench :- repeated(200_000).

repeated(0) :- !.
repeated(N) :- G = add(1), call(G, N, _), N1 is N-1, repeated(N1).

add(A, B, C) :- C is A+B.
