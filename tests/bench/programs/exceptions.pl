deep(0) :- !, throw(found).
deep(N) :- M is N-1, deep(M), true.
bench :- between(1, 30000, _), catch(deep(50), found, true), catch(atom_length(_, _), error(_, _), true), fail.
bench.
