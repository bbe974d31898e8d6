% Goals that are built by =.. and called.
bench :- repeated(100_000).

repeated(0) :- !.
repeated(N) :- ( N mod 2 =:= 0 -> Name = even ; Name = odd ), G =.. [Name, N], G, N1 is N-1, repeated(N1).

even(N) :- N mod 2 =:= 0.
odd(N) :- N mod 2 =:= 1.
