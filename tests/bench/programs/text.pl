bench :-
    between(1, 30000, N),
    atom_concat(item_, N, A), atom_length(A, _), atom_codes(A, Cs), atom_codes(_, Cs),
    format(string(S), "~w-~d-~a", [f(N), N, A]), split_string(S, "-", "", Parts),
    atomic_list_concat(Parts, ',', _), sub_string(S, _, 2, 0, _), string_upper(S, _),
    fail.
bench.
