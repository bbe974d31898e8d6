% A recursion of 300,000 calls that does not end in its last call.
bench :- len(300_000, _).

len(0, 0) :- !.
len(N, L) :- N1 is N-1, len(N1, L1), L is L1+1.
