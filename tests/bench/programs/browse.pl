% Patterns matched against nested lists, with gaps of any length.
match([], []).
match([star|P], L) :- match(P, L).
match([star|P], [_|L]) :- match([star|P], L).
match([X|P], [X|L]) :- atom(X), X \== star, match(P, L).
match([[H|T]|P], [S|L]) :- match([H|T], S), match(P, L).
data([[a,b,c,[a,b,[c,d,a],b,b],a,c,d,a,b,b,a,[c,[d,d],a]], [a,a,a,b,[b,b,a,a],c,a,[b],a,d,b,c,a,a,b], [d,a,[a,b],b,c,a,b,[c,d],d,a,b,c,a,d,b]]).
pattern([star,a,star,b,star,[star,a,star],star]).
pattern([star,b,star,b,star,a,star,b,star]).
pattern([star,[star,d,star],star,a,star]).
bench :- between(1, 1000, _), data(Ls), member(L, Ls), pattern(P), match(P, L), fail.
bench.
