bench :-
    between(1, 25, _),
    findall(X-Y, ( between(1, 100, X), between(1, 40, Y), (X+Y) mod 7 =:= 0 ), L),
    setof(K-Vs, setof(V, member(K-V, L), Vs), _), msort(L, _), sort(0, @>=, L, _),
    aggregate_all(max(S), ( member(A-B, L), S is A*B ), _),
    fail.
bench.
