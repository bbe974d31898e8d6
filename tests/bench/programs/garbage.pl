loop(0, _) :- !.
loop(N, Kept) :- length(L, 60), L = [N|_], M is N-1, ( N mod 100 =:= 0 -> loop(M, [L|Kept]) ; loop(M, Kept) ).
bench :- loop(80000, []).
