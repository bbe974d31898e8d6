% Exceptions through several catch/3, some of them thrown again.
bench :- repeated(20_000).

repeated(0) :- !.
repeated(N) :-
    catch(catch(catch(fails(N), no(_), true), other, true), E, handled(E)),
    N1 is N-1,
    repeated(N1).

fails(N) :- ( N mod 2 =:= 0 -> throw(yes(N)) ; throw(other) ).

handled(yes(_)).
