% Left recursion over a graph of 30,000 edges.
:- table path/2.

path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y).

edge(X, Y) :- integer(X), !, Y is X mod 30_000 + 1.
edge(X, Y) :- between(1, 30_000, X), Y is X mod 30_000 + 1.

bench :- abolish_all_tables, aggregate_all(count, path(1, _), 30_000).
