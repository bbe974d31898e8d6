% Two classics. In SEND + MORE = MONEY each letter is a digit of its own; a
% Sudoku is shown as the grid that it is.
%
% ?- puzzle([S,E,N,D], [M,O,R,E], [M,O,N,E,Y]).
% ?- problem(1, Rows), sudoku(Rows), maplist(labeling([ff]), Rows).

:- use_module(library(clpfd)).

puzzle([S,E,N,D], [M,O,R,E], [M,O,N,E,Y]) :-
    Letters = [S,E,N,D,M,O,R,Y],
    Letters ins 0..9,
    all_different(Letters),
    S * 1000 + E * 100 + N * 10 + D
    + M * 1000 + O * 100 + R * 10 + E
    #= M * 10000 + O * 1000 + N * 100 + E * 10 + Y,
    M #\= 0,
    S #\= 0,
    label(Letters).

sudoku(Rows) :-
    append(Rows, Cells),
    Cells ins 1..9,
    maplist(all_distinct, Rows),
    transpose(Rows, Columns),
    maplist(all_distinct, Columns),
    Rows = [A,B,C,D,E,F,G,H,I],
    blocks(A, B, C),
    blocks(D, E, F),
    blocks(G, H, I).

blocks([], [], []).
blocks([A,B,C|R1], [D,E,F|R2], [G,H,I|R3]) :-
    all_distinct([A,B,C,D,E,F,G,H,I]),
    blocks(R1, R2, R3).

problem(1, [[_,_,_,_,_,_,_,_,_],
            [_,_,_,_,_,3,_,8,5],
            [_,_,1,_,2,_,_,_,_],
            [_,_,_,5,_,7,_,_,_],
            [_,_,4,_,_,_,1,_,_],
            [_,9,_,_,_,_,_,_,_],
            [5,_,_,_,_,_,_,7,3],
            [_,_,2,_,1,_,_,_,_],
            [_,_,_,_,4,_,_,_,9]]).
