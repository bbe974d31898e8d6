queens(N, Qs) :- numlist(1, N, Ns), place(Ns, [], Qs).
place([], Qs, Qs).
place(Unplaced, Safe, Qs) :- pick(Q, Unplaced, Rest), \+ attack(Q, 1, Safe), place(Rest, [Q|Safe], Qs).
pick(X, [X|T], T).
pick(X, [H|T], [H|R]) :- pick(X, T, R).
attack(X, N, [Y|_]) :- X is Y+N.
attack(X, N, [Y|_]) :- X is Y-N.
attack(X, N, [_|T]) :- N1 is N+1, attack(X, N1, T).
bench :- queens(10, _), fail.
bench.
