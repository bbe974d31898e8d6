% Left recursion over a graph.
:- table path/2.

path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y).

edge(X, Y) :- between(1, 300, X), Y is X mod 300 + 1.

bench :- abolish_all_tables, aggregate_all(count, path(1, _), 300).
