:- table path/2, fib/2.
edge(X, Y) :- between(1, 60, X), Y is X mod 60 + 1.
path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y).
fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, FA), fib(B, FB), F is FA+FB.
bench :-
    between(1, 30, _),
    abolish_all_tables, aggregate_all(count, path(1, _), 60), fib(600, _),
    fail.
bench.
