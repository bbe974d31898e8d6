% Roads that lead in circles: without the table, path/2 would walk for ever.
% With it, each answer is found once.
%
% ?- path(lisbon, City).
% ?- road(From, To).
% ?- cheapest(lisbon, rome, Cost).
% ?- fib(300, F).

:- table path/2, cheapest(_, _, min), fib/2.

road(lisbon, madrid).
road(madrid, paris).
road(paris, rome).
road(rome, madrid).
road(paris, lisbon).

path(X, Y) :- road(X, Y).
path(X, Z) :- path(X, Y), road(Y, Z).

cost(lisbon, madrid, 6).
cost(madrid, paris, 13).
cost(paris, rome, 14).
cost(madrid, rome, 20).

cheapest(X, Y, C) :- cost(X, Y, C).
cheapest(X, Z, C) :-
    cheapest(X, Y, C1),
    cost(Y, Z, C2),
    C is C1 + C2.

fib(0, 0).
fib(1, 1).
fib(N, F) :-
    N > 1,
    N1 is N - 1,
    N2 is N - 2,
    fib(N1, F1),
    fib(N2, F2),
    F is F1 + F2.
