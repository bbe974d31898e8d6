:- dynamic fact/3.
bench :- between(1, 100000, N), K is N*7919 mod 100003, fact(K, _, _), fail.
bench :- between(1, 100000, N), V is N*31 mod 1000, once(fact(_, V, _)), fail.
bench.
