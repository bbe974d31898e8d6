% Text is built and taken apart.
bench :- repeated(5000).

repeated(0) :- !.
repeated(N) :-
    format(atom(A), "user~d@example.org", [N]),
    atomic_list_concat([Name, _], @, A),
    sub_atom(Name, 4, _, 0, Digits),
    atom_number(Digits, N),
    split_string("a,b,c", ",", " ", Parts),
    atomics_to_string(Parts, _),
    string_concat("x", A, S),
    string_length(S, _),
    upcase_atom(A, _),
    N1 is N-1,
    repeated(N1).
