:- module(hb_code,
          [ same_code/2                 % +Body1, +Body2
          ]).

/** <module> Whether two translated bodies are the same code

clause/2 does not give a body back in every detail as it was added.
*/

%!  same_code(+Body1, +Body2) is semidet.
%
%   The bodies are the same but for how conjunctions are nested and what SWI-Prolog compiles in a form of its own.

same_code(Body1, Body2) :-
    (   Body1 =@= Body2
    ->  true
    ;   in_one_way(Body1, Plain1),
        in_one_way(Body2, Plain2),
        Plain1 =@= Plain2
    ).

%   in_one_way(+Body, -Plain): nest conjunctions to the right, write a disjunction with a semicolon, and add a negative
%   number instead of subtracting a positive one, as clause/2 does.

in_one_way(Var, Var) :-
    var(Var),
    !.
in_one_way((AB,C), Plain) :-
    nonvar(AB),
    AB = (A,B),
    !,
    in_one_way((A,B,C), Plain).
in_one_way('|'(A,B), Plain) :-
    !,
    in_one_way((A;B), Plain).
in_one_way(Value is Base-Number, Value is Base+Negative) :-
    integer(Number),
    !,
    Negative is -Number.
in_one_way(Body, Plain) :-
    control(Body),
    !,
    Body =.. [Name|Args],
    all_in_one_way(Args, Plains),
    Plain =.. [Name|Plains].
in_one_way(Body, Body).

control((_,_)).
control((_;_)).
control((_->_)).
control((_*->_)).
control(\+_).

all_in_one_way([], []).
all_in_one_way([Arg|Args], [Plain|Plains]) :-
    in_one_way(Arg, Plain),
    all_in_one_way(Args, Plains).
