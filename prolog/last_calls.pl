:- module(hb_last_calls,
          [ declared_end/3,             % +Place, +Ended, -Ends
            seen_predicate/2            % +PI, -Seen
          ]).
:- use_module(functor).
:- use_module(sandbox/policy, [class/3]).
:- use_module(sandbox/written, [as_written/2]).
:- use_module(store/determinism, [det/3]).

/** <module> Predicates that end in a call of another

SWI-Prolog forgets a predicate when it calls its last goal.  An error about how that goal ends then names only what was
called, or even only what a library has called, as lists:member_/3 for member/2.
*/

%!  declared_end(+Place, +Ended, -Ends) is semidet.
%
%   Ended, which is not what det/1 declares, was called last by a predicate that it does declare.  Ends is Declared-Called if
%   that can only be Declared, by its last goal Called, and else `unknown`.  Place is the predicate in which the error was
%   raised, or `none`.

declared_end(Place, Ended, Ends) :-
    \+ ( det(Name, Arity, _), seen_predicate(Name/Arity, Ended) ),
    findall(Declared-Called,
            ( det(Name, Arity, _),
              end(Name/Arity, Ended, [], Through, Called0),
              '$member'(Place, Through),
              hb_store:seen_indicator(Called0, Called),
              hb_store:seen_indicator(Name/Arity, Declared) ),
            Found),
    sort(Found, Sorted),
    (   Sorted = [Only]
    ->  Ends = Only
    ;   Ends = unknown
    ).

%!  seen_predicate(+PI, -Seen) is det.
%
%   The user's predicate PI as errors name it: with its module if that exports it.

seen_predicate(PI, Seen) :-
    hb_store:seen_indicator(PI, Seen0),
    (   Seen0 = Name/Arity,
        hb_store:export(Module, Name, Arity, _)
    ->  Seen = Module:Name/Arity
    ;   Seen = Seen0
    ).

%   end(+PI, +Ended, +Seen, -Through, -Called) is nondet: by last calls of Through, predicates of the user's, PI comes to Called,
%   which is Ended or has called it.

end(Name/Arity, Ended, Seen, Through, Called) :-
    \+ '$member'(Name/Arity, Seen),
    term_functor(Head, Name, Arity),
    clause(knowledge_base:Head, Body),
    last_goal(Body, Safe),
    term_functor(Safe, Name1, Arity1),
    (   hb_store:own(Name1, Arity1)
    ->  (   seen_predicate(Name1/Arity1, Ended),
            Called = Name1/Arity1,
            Through = [Called,Name/Arity|Seen]
        ;   end(Name1/Arity1, Ended, [Name/Arity|Seen], Through, Called)
        )
    ;   as_written(Safe, Goal),
        callable(Goal),
        term_functor(Goal, Called0, Arity0),
        Called = Called0/Arity0,
        ends_as(Called, Ended),
        Through = [Name/Arity|Seen]
    ).

ends_as(Name/Arity, Module:Ended) :-
    class(Name, Arity, Class),
    (   ( Class = library(Library) ; Class = library(Library, _) )
    ->  Library == Module
    ;   Ended == Name/Arity
    ).

last_goal(Body, Goal) :-
    callable(Body),
    (   ( Body = (_,B) ; Body = (_->B) ; Body = (_*->B) )
    ->  last_goal(B, Goal)
    ;   Body = (A;B)
    ->  ( last_goal(A, Goal) ; last_goal(B, Goal) )
    ;   Goal = Body
    ).
