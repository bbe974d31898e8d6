% Atoms that nobody keeps.
bench :- repeated(50_000).

repeated(0) :- !.
repeated(N) :- atom_concat(item_, N, A), atom_length(A, _), N1 is N-1, repeated(N1).
