right(X, Y, [X,Y|_]).
right(X, Y, [_|T]) :- right(X, Y, T).
next(X, Y, L) :- right(X, Y, L).
next(X, Y, L) :- right(Y, X, L).
in(X, [X|_]).
in(X, [_|T]) :- in(X, T).
zebra(Owner) :-
    Hs = [h(_,norwegian,_,_,_),_,h(_,_,_,milk,_),_,_],
    in(h(red,english,_,_,_), Hs),
    in(h(green,_,_,coffee,_), Hs),
    in(h(_,spanish,dog,_,_), Hs),
    in(h(_,ukrainian,_,tea,_), Hs),
    right(h(ivory,_,_,_,_), h(green,_,_,_,_), Hs),
    in(h(_,_,snails,_,old_gold), Hs),
    in(h(yellow,_,_,_,kools), Hs),
    next(h(_,_,_,_,chesterfield), h(_,_,fox,_,_), Hs),
    next(h(_,_,_,_,kools), h(_,_,horse,_,_), Hs),
    in(h(_,_,_,juice,lucky), Hs),
    in(h(_,japanese,_,_,parliament), Hs),
    next(h(_,norwegian,_,_,_), h(blue,_,_,_,_), Hs),
    in(h(_,Owner,zebra,_,_), Hs).
bench :- between(1, 60, _), zebra(_), fail.
bench.
