% findall in a loop.
bench :- repeated(10_000).

repeated(0) :- !.
repeated(N) :- findall(X-Y, ( member(X, [1,2,3,4]), member(Y, [a,b,c]) ), L), length(L, 12), N1 is N-1, repeated(N1).
