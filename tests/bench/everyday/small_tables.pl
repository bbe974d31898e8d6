% Small tables.
:- table fib/2.

fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y.

bench :- forall(between(1, 20, _), ( abolish_all_tables, fib(1000, _) )).
