% Reachability in a graph with cycles. The rule is left-recursive: it terminates
% only because of tabling.

:- table reach/2.
:- table distance(_, _, min).

reach(X, Y) :- reach(X, Z), edge(Z, Y).
reach(X, Y) :- edge(X, Y).

distance(X, Y, N) :- distance(X, Z, N0), edge(Z, Y), N is N0 + 1.
distance(X, Y, 1) :- edge(X, Y).

edge(a, b).   edge(b, c).   edge(c, a).       % a cycle
edge(c, d).   edge(d, e).
edge(x, y).   edge(y, x).                     % another one, apart
