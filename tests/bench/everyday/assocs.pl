% An assoc and pairs updated in a loop.
bench :- empty_assoc(A0), numlist(1, 10_000, L), foldl(put, L, A0, A), assoc_to_list(A, Ps), pairs_values(Ps, Vs), sum_list(Vs, _).

put(I, A0, A) :- K is I mod 500, ( get_assoc(K, A0, V0) -> V is V0+I ; V = I ), put_assoc(K, A0, V, A).
