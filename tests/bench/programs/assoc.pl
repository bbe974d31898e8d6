bench :-
    numlist(1, 12000, Ns),
    foldl([N,A0,A]>>( K is N*7919 mod 12007, put_assoc(K, A0, N, A) ), Ns, t, Assoc),
    forall(member(N, Ns), ( K is N*7919 mod 12007, get_assoc(K, Assoc, _) )).
