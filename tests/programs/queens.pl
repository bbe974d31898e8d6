% N queens on a board of N x N, none attacking another. A solution is the list
% of the rows of the queens, column by column.

:- use_module(library(clpfd)).

queens(N, Rows) :-
    length(Rows, N),
    Rows ins 1..N,
    safe(Rows),
    labeling([ff], Rows).

safe([]).
safe([Row|Rows]) :-
    no_attack(Row, Rows, 1),
    safe(Rows).

no_attack(_, [], _).
no_attack(Row, [Other|Rows], Distance) :-
    Row #\= Other,
    abs(Row - Other) #\= Distance,
    Further is Distance + 1,
    no_attack(Row, Rows, Further).
