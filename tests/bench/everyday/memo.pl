% A memo table in clauses.
:- dynamic known/2.

bench :- retractall(known(_, _)), forall(between(1, 30_000, N), steps(N, _)).

steps(1, 0) :- !.
steps(N, S) :- known(N, S), !.
steps(N, S) :- ( N mod 2 =:= 0 -> M is N//2 ; M is 3*N+1 ), steps(M, S0), S is S0+1, assertz(known(N, S)).
