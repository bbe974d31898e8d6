% A grammar over codes that makes numbers.
bench :- numlist(1, 10_000, L), atomic_list_concat(L, ' ', A), atom_codes(A, Cs), phrase(numbers(Ns), Cs), length(Ns, 10_000).

numbers([N|Ns]) --> number(N), !, blanks, numbers(Ns).
numbers([]) --> [].

number(N) --> digit(D), digits(Ds), { number_codes(N, [D|Ds]) }.

digits([D|Ds]) --> digit(D), !, digits(Ds).
digits([]) --> [].

digit(D) --> [D], { code_type(D, digit) }.

blanks --> " ", !, blanks.
blanks --> [].
