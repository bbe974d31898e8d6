% A stack in clauses.
:- dynamic top/1.

bench :- retractall(top(_)), repeated(50_000).

repeated(0) :- !.
repeated(N) :- asserta(top(N)), asserta(top(f(N))), retract(top(_)), !, N1 is N-1, repeated(N1).
