% Higher-order predicates of one's own.
bench :- numlist(1, 100_000, L), my_map(double, L, M), my_fold(plus, M, 0, _), my_filter([X]>>(X mod 3 =:= 0), L, _).

my_map(_, [], []).
my_map(G, [X|Xs], [Y|Ys]) :- call(G, X, Y), my_map(G, Xs, Ys).

my_fold(_, [], S, S).
my_fold(G, [X|Xs], S0, S) :- call(G, X, S0, S1), my_fold(G, Xs, S1, S).

my_filter(_, [], []).
my_filter(G, [X|Xs], Ys) :- ( call(G, X) -> Ys = [X|Ys1] ; Ys = Ys1 ), my_filter(G, Xs, Ys1).

double(X, Y) :- Y is 2*X.
