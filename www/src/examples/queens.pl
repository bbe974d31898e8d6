% N queens, none of which attacks another: Qs has, for each column, the row of
% its queen. The answers are shown as boards.
%
% ?- queens(8, Qs).
% ?- queens(6, Qs).
% ?- findall(Qs, queens(6, Qs), All), length(All, Count).

:- use_module(library(clpfd)).

queens(N, Qs) :-
    length(Qs, N),
    Qs ins 1..N,
    safe(Qs),
    labeling([ff], Qs).

safe([]).
safe([Q|Qs]) :-
    no_attack(Q, Qs, 1),
    safe(Qs).

no_attack(_, [], _).
no_attack(Q, [Q1|Qs], Distance) :-
    Q #\= Q1,
    abs(Q - Q1) #\= Distance,
    Next is Distance + 1,
    no_attack(Q, Qs, Next).
