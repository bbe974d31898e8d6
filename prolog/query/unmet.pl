:- module(hb_unmet,
          [ unmet/4                     % +Try, +Goal, +Ref, -Unmet
          ]).
:- use_module('../functor').
:- use_module('../sandbox/sandbox').
:- use_module('../store/store').
:- use_module(tries, [furthest/3, stopped/4]).
:- use_module(again, [fails_safe/1]).
:- use_module(library(solution_sequences), [limit/2]).

/** <module> The other conditions of a clause that are not met

A clause stops at its first goal without a solution.  A person asks what else is missing.
*/

%   The most goals of a clause that are told.

most_unmet(3).

%!  unmet(+Try, +Goal, +Ref, -Unmet) is det.
%
%   The clause Ref was tried for Goal as Try, and one of its goals stopped it.  Unmet are those after that goal, as they are
%   written, that fail, too, whatever its answer would be.  It is empty where the body is more than a conjunction, or where
%   several ways led to the goal.

unmet(Try, Goal, Ref, Unmet) :-
    (   furthest(Try, At, 1),
        stopped(Try, Stopped, _, _),
        Stopped \= where(_, _),
        hb_store:meant_goal(Goal, Meant),
        clause(knowledge_base:Meant, Body, Ref),
        goals(Body, Goals, []),
        after(At, Goals, At0, After),
        as_written(At0, Stopped)
    ->  most_unmet(Most),
        findall(Written,
                limit(Most, ( '$member'(Safe, After), looked_at(Safe), fails_safe(Safe), as_written(Safe, Written) )),
                Unmet)
    ;   Unmet = []
    ).

%   goals(+Body, -Goals, ?Rest) is semidet: the goals of Body, a conjunction without control structures.

goals(Var, _, _) :-
    var(Var),
    !,
    fail.
goals((A,B), Goals, Rest) :-
    !,
    goals(A, Goals, Goals1),
    goals(B, Goals1, Rest).
goals(Goal, [Goal|Goals], Goals) :-
    term_functor(Goal, Name, _),
    \+ '$member'(Name, [;,->,*->,'|',true,ignore,once,call,:]).

after(0, [At|After], At, After) :-
    !.
after(N, [_|Goals], At, After) :-
    M is N-1,
    after(M, Goals, At, After).

%   looked_at(+Safe) is semidet: whether Safe fails does not depend on what its variables are given later.

looked_at(\+Goal) :-
    !,
    ground(Goal).
looked_at(Goal) :-
    term_functor(Goal, Name, Arity),
    (   own(Name, Arity)
    ->  true
    ;   '$member'(Name/Arity, [(<)/2,(>)/2,(=<)/2,(>=)/2,(=:=)/2,(=\=)/2,(==)/2,(\==)/2,(\=)/2]),
        ground(Goal)
    ).
