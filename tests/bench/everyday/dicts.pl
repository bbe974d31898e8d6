% A dict updated in a loop.
bench :- repeated(20_000, _{a: 0, b: 0, c: 0}).

repeated(0, _) :- !.
repeated(N, D) :- X is D.a+1, repeated_(N, D.put(a, X)).

repeated_(N, D) :- N1 is N-1, repeated(N1, D).
