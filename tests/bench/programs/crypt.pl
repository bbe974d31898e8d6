digit(0). digit(1). digit(2). digit(3). digit(4). digit(5). digit(6). digit(7). digit(8). digit(9).
even(0). even(2). even(4). even(6). even(8).
product(A, B, C) :-
    even(A2), digit(A1), A is A1*10+A2,
    digit(B1), even(B2), B is B1*10+B2,
    C is A*B, C > 1000, C < 2000.
bench :- product(_, _, _), between(1, 40, _), fail.
bench :- between(1, 150, _), \+ ( product(A, B, C), A =:= B+1, C =:= 1999 ), fail.
bench.
