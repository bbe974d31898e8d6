% Terms from text, and back.
bench :- repeated(3000).

repeated(0) :- !.
repeated(N) :-
    term_to_atom(f(N, X, X, "text", [1,2]), A),
    term_to_atom(T, A),
    T = f(N, _, _, _, _),
    term_string(_, "point{x: 1, y: 2}"),
    number_codes(_, "12345"),
    N1 is N-1,
    repeated(N1).
