:- module(hb_last_calls,
          [ end_in/2                    % +Module, -Text
          ]).
:- use_module(functor).
:- use_module(sandbox/policy, [class/3]).
:- use_module(sandbox/written, [as_written/2]).
:- use_module(store/determinism, [det/3]).

/** <module> Predicates that end in a call of a library

SWI-Prolog forgets a predicate when it calls its last goal.  An error about how that goal ends then names only what the
library has called, as lists:member_/3 for member/2.
*/

%!  end_in(+Module, -Text:string) is semidet.
%
%   Text names the predicates that det/1 declares of which a clause ends in a goal of a library predicate of Module, perhaps
%   through other predicates of the user's, each with that goal.

end_in(Module, Text) :-
    findall(Said,
            ( det(Name, Arity, _),
              end(Name/Arity, Module, [], Called),
              hb_store:seen_indicator(Name/Arity, Declared),
              format(atom(Said), "~q (by ~q)", [Declared, Called]) ),
            Found),
    sort(Found, Ends),
    Ends \== [],
    atomic_list_concat(Ends, ' or ', Joined),
    atom_string(Joined, Text).

end(Name/Arity, Module, Seen, Called) :-
    \+ '$member'(Name/Arity, Seen),
    term_functor(Head, Name, Arity),
    clause(knowledge_base:Head, Body),
    as_written(Body, Written),
    last_goal(Written, Goal),
    term_functor(Goal, Name1, Arity1),
    (   hb_store:own(Name1, Arity1)
    ->  end(Name1/Arity1, Module, [Name/Arity|Seen], Called)
    ;   class(Name1, Arity1, Class),
        ( Class = library(Module) ; Class = library(Module, _) )
    ->  Called = Name1/Arity1
    ).

last_goal(Body, Goal) :-
    callable(Body),
    (   ( Body = (_,B) ; Body = (_->B) ; Body = (_*->B) )
    ->  last_goal(B, Goal)
    ;   Body = (A;B)
    ->  ( last_goal(A, Goal) ; last_goal(B, Goal) )
    ;   Goal = Body
    ).
