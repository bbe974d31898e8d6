:- module(hb_depth_limit,
          [ call_with_depth_limit/3     % :Goal, +Limit, -Result
          ]).
:- use_module('../store/store').
:- use_module(policy).
:- use_module(namesakes, [taken_back/1]).
:- use_module(sandbox).
:- use_module('../functor').

/** <module> Goals with a limit on their depth

Below the limit of SWI-Prolog's own call_with_depth_limit/3 every call fails, including those of the
sandbox, which would then take code for harmless, and those of the book.  So this module interprets
the clauses of user predicates and counts their depth.  Everything else that they call counts as one
level, and runs without a limit.
*/

:- meta_predicate
    call_with_depth_limit(0, +, -).

%!  call_with_depth_limit(:Goal, +Limit, -Result) is nondet.
%
%   Result is the deepest level that Goal has reached, Goal itself being at 1.  It is
%   `depth_limit_exceeded` if Goal fails and has reached a goal below Limit.

call_with_depth_limit(Goal, Limit, Result) :-
    must_be_limit(Limit),
    Reached = reached(1, false),
    (   call_cleanup(at_depth(Goal, 1, Limit, Reached), Last = true),
        arg(1, Reached, Result0),
        ( Last == true -> ! ; true ),
        Result = Result0
    ;   arg(2, Reached, true),
        Result = depth_limit_exceeded
    ).

must_be_limit(Limit) :-
    (   integer(Limit)
    ->  true
    ;   var(Limit)
    ->  throw(error(instantiation_error, _))
    ;   throw(error(type_error(integer, Limit), _))
    ).

%   within(+Depth, +Limit, !Reached): a goal at Depth may be called.

within(Depth, Limit, Reached) :-
    (   Depth > Limit
    ->  nb_setarg(2, Reached, true),
        fail
    ;   arg(1, Reached, Deepest),
        Depth > Deepest
    ->  nb_setarg(1, Reached, Depth)
    ;   true
    ).

%   at_depth(+Safe, +Depth, +Limit, !Reached): Safe is translated, and its goals are at Depth.  A
%   cut in it is local.

at_depth(Safe, Depth, Limit, Reached) :-
    prolog_current_choice(Choice),
    walk(Safe, Choice, Depth, Limit, Reached).

walk(Var, _, _, _, _) :-
    var(Var),
    !,
    throw(error(instantiation_error, _)).
walk(true, _, _, _, _) :-
    !.
walk((A,B), Choice, Depth, Limit, Reached) :-
    !,
    walk(A, Choice, Depth, Limit, Reached),
    walk(B, Choice, Depth, Limit, Reached).
walk(!, Choice, _, _, _) :-
    !,
    prolog_cut_to(Choice).
walk((C->A;B), Choice, Depth, Limit, Reached) :-
    !,
    (   at_depth(C, Depth, Limit, Reached)
    ->  walk(A, Choice, Depth, Limit, Reached)
    ;   walk(B, Choice, Depth, Limit, Reached)
    ).
walk((C*->A;B), Choice, Depth, Limit, Reached) :-
    !,
    (   at_depth(C, Depth, Limit, Reached)
    *-> walk(A, Choice, Depth, Limit, Reached)
    ;   walk(B, Choice, Depth, Limit, Reached)
    ).
walk((A;B), Choice, Depth, Limit, Reached) :-
    !,
    (   walk(A, Choice, Depth, Limit, Reached)
    ;   walk(B, Choice, Depth, Limit, Reached)
    ).
walk('|'(A,B), Choice, Depth, Limit, Reached) :-
    !,
    walk((A;B), Choice, Depth, Limit, Reached).
walk((C->A), Choice, Depth, Limit, Reached) :-
    !,
    (   at_depth(C, Depth, Limit, Reached)
    ->  walk(A, Choice, Depth, Limit, Reached)
    ).
walk((C*->A), Choice, Depth, Limit, Reached) :-
    !,
    at_depth(C, Depth, Limit, Reached),
    walk(A, Choice, Depth, Limit, Reached).
walk(\+Goal, _, Depth, Limit, Reached) :-
    !,
    \+ at_depth(Goal, Depth, Limit, Reached).
walk(knowledge_base:Goal, _, Depth, Limit, Reached) :-
    !,
    at_depth(Goal, Depth, Limit, Reached).
walk(hb_joins:join(Goals, _), Choice, Depth, Limit, Reached) :-
    !,
    walk(Goals, Choice, Depth, Limit, Reached).
walk(hb_checked:translated(_, Safe), _, Depth, Limit, Reached) :-
    !,
    at_depth(Safe, Depth, Limit, Reached).
walk(hb_checked:Checked, _, Depth, Limit, Reached) :-
    compound(Checked),
    compound_name_arguments(Checked, checked, [Closure|Args]),
    extended(Closure, Args, Goal),
    safe_goal(Goal, Safe),
    Safe \= hb_checked:checked(_),
    !,
    at_depth(Safe, Depth, Limit, Reached).
walk(Goal, _, Depth, Limit, Reached) :-
    name_arity(Goal, Name, Arity),
    own(Name, Arity),
    !,
    within(Depth, Limit, Reached),
    Below is Depth+1,
    (   interpreted(Goal, Name, Arity)
    ->  by_clause(Goal, Below, Limit, Reached)
    ;   call(knowledge_base:Goal)
    ).
walk(Goal, _, Depth, Limit, Reached) :-
    within(Depth, Limit, Reached),
    (   goals_within(Goal, Depth, Limit, Reached, Counted)
    ->  call(knowledge_base:Counted)
    ;   call(knowledge_base:Goal)
    ).

%   interpreted(+Goal, +Name, +Arity): Goal is interpreted here.  The system runs tabled predicates
%   and rules with `=>`.

interpreted(Goal, Name, Arity) :-
    \+ predicate_property(knowledge_base:Goal, tabled),
    \+ predicate_property(knowledge_base:Goal, ssu),
    own(Name, Arity).

by_clause(Goal, Depth, Limit, Reached) :-
    prolog_current_choice(Choice),
    clause(knowledge_base:Goal, Body),
    walk(Body, Choice, Depth, Limit, Reached).

%   goals_within(+Goal, +Depth, +Limit, !Reached, -Counted): Goal calls a system predicate that
%   takes goals, which are one level deeper.

goals_within(Goal, Depth, Limit, Reached, Counted) :-
    compound(Goal),
    compound_name_arity(Goal, Name, Arity),
    class(Name, Arity, meta(Spec)),
    \+ taken_back(Goal),                     % else they were perhaps not translated
    arg(_, Spec, 0),
    !,
    Below is Depth+1,
    compound_name_arity(Counted, Name, Arity),
    counted_arguments(Arity, Spec, Goal, within(Below, Limit, Reached), Counted).

counted_arguments(0, _, _, _, _) :-
    !.
counted_arguments(I, Spec, Goal, Within, Counted) :-
    arg(I, Goal, Arg),
    arg(I, Counted, CountedArg),
    (   arg(I, Spec, 0)
    ->  Within = within(Depth, Limit, Reached),
        CountedArg = hb_depth_limit:at_depth(Arg, Depth, Limit, Reached)
    ;   CountedArg = Arg
    ),
    I1 is I-1,
    counted_arguments(I1, Spec, Goal, Within, Counted).
