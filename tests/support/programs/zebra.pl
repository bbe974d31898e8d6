/* Who owns the zebra, and who drinks water?

   Five houses in a row, each with a colour, a nation, a pet, a drink and a
   brand of cigarettes, all different.
*/

:- op(200, xfy, of).                    % house(1) of row

right_of(X, Y, [Y,X|_]).
right_of(X, Y, [_|Rest]) :- right_of(X, Y, Rest).

next_to(X, Y, List) :- right_of(X, Y, List) ; right_of(Y, X, List).

houses(Houses) :-
    Houses = [house(_,norwegian,_,_,_), _, house(_,_,_,milk,_), _, _],
    member(house(red,english,_,_,_), Houses),
    member(house(_,spanish,dog,_,_), Houses),
    member(house(green,_,_,coffee,_), Houses),
    member(house(_,ukrainian,_,tea,_), Houses),
    right_of(house(green,_,_,_,_), house(ivory,_,_,_,_), Houses),
    member(house(_,_,snails,_,'Old Gold'), Houses),
    member(house(yellow,_,_,_,'Kools'), Houses),
    next_to(house(_,_,_,_,'Chesterfields'), house(_,_,fox,_,_), Houses),
    next_to(house(_,_,_,_,'Kools'), house(_,_,horse,_,_), Houses),
    member(house(_,_,_,'orange juice','Lucky Strike'), Houses),
    member(house(_,japanese,_,_,'Parliaments'), Houses),
    next_to(house(_,norwegian,_,_,_), house(blue,_,_,_,_), Houses).

zebra_owner(Owner) :- houses(Houses), member(house(_,Owner,zebra,_,_), Houses).
water_drinker(Who) :- houses(Houses), member(house(_,Who,_,water,_), Houses).

numbered(N of row, Colour) :- houses(Houses), nth1(N, Houses, house(Colour,_,_,_,_)).
