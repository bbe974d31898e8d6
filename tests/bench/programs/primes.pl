sift([], []).
sift([P|Ns], [P|Ps]) :- strike(Ns, P, Rest), sift(Rest, Ps).
strike([], _, []).
strike([N|Ns], P, Rest) :- N mod P =:= 0, !, strike(Ns, P, Rest).
strike([N|Ns], P, [N|Rest]) :- strike(Ns, P, Rest).
bench :- numlist(2, 9000, Ns), sift(Ns, _).
