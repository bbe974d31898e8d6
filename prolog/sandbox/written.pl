:- module(hb_written,
          [ as_written/2,               % +Safe, -Body
            written_closure/3,          % +Safe, +N, -Written
            as_called/2                 % +Safe, -Called
          ]).
:- use_module('../functor').
:- use_module('../capability').
:- use_module(policy).
:- use_module(global_names, [written_global/2]).
:- use_module(outages, [watcher/1]).

/** <module> Translated bodies as they were written

What people see of their clauses (clause/2, listing, residual goals, the text for the
book) is what they wrote, not what hb_sandbox made of it.
*/

%!  as_written(+Safe, -Body) is det.
%
%   The inverse of hb_sandbox:safe_body/2, up to qualification with the user's own
%   module.  A term that is no translation is returned unchanged.

as_written(Safe, Written) :-
    (   compound(Safe)
    ->  (   written(Safe, Written0)
        ->  Written = Written0
        ;   hb_store:without_passed(Safe, 0, Plain),
            (   hb_store:seen_as(Plain, Written0)
            ->  Written = Written0
            ;   Written = Plain
            )
        )
    ;   atom(Safe),
        hb_store:seen_as(Safe, Written0)
    ->  Written = Written0
    ;   Written = Safe
    ).

written((A,B), Written) :-
    watcher(A),
    !,
    as_written(B, Written).
written((A,B), Written) :-
    watcher(B),
    !,
    as_written(A, Written).
written((hb_joins:join(A, before),B), Written) :-
    !,
    as_written(A, WA),
    as_written(B, WB),
    conjoined(WA, WB, Written).
written((A,B), Written) :-
    catches(A),
    !,
    written_call(A, WA),
    (   behind_catch(B, Rest)
    ->  as_written(Rest, WB),
        Written = (WA,WB)
    ;   Written = WA
    ).
written((A,B), (WA,WB)) :-
    !,
    as_written(A, WA),
    as_written(B, WB).
written((A;B), (WA;WB)) :-
    !,
    as_written(A, WA),
    as_written(B, WB).
written((A->B), (WA->WB)) :-
    !,
    as_written(A, WA),
    as_written(B, WB).
written((A*->B), (WA*->WB)) :-
    !,
    as_written(A, WA),
    as_written(B, WB).
written('|'(A,B), '|'(WA,WB)) :-
    !,
    as_written(A, WA),
    as_written(B, WB).
written(\+A, \+WA) :-
    !,
    as_written(A, WA).
written(hb_checked:Goal, Written) :-
    !,
    (   nonvar(Goal),
        Goal = translated(Written, _)
    ->  true
    ;   compound(Goal),
        compound_name_arguments(Goal, checked, [Closure0|Args]),
        without_context(Closure0, Closure),
        (   Args == []
        ->  Written = Closure
        ;   compound_name_arguments(Written, call, [Closure|Args])
        )
    ).
written(hb_output:shallow_format(Goal), Written) :-
    !,
    Written = Goal.
written(hb_builtins:Goal, Written) :-
    unsafe_name(Goal, Written0),
    !,
    Written = Written0.
written(Safe, Written) :-
    written_global(Safe, Goal),
    term_functor(Goal, Name, Arity),
    \+ hb_store:own(Name, Arity),
    !,
    Written = Goal.
written(Module:Goal, Written) :-
    atom(Module),
    callable(Goal),
    hb_capability:written(Module, Goal, Written0),
    !,
    Written = Written0.
written(Module:Goal, Written) :-
    !,
    atom(Module),
    (   Module == yall,
        compound(Goal),
        compound_name_arguments(Goal, Name, [A,B|Actual])
    ->  length(Actual, N),
        compound_name_arguments(Lambda, Name, [A,B]),
        written_closure(yall:Lambda, N, WLambda),
        compound_name_arguments(WLambda, _, [WA,WB]),
        compound_name_arguments(Written, Name, [WA,WB|Actual])
    ;   Module \== knowledge_base,
        written_call(Goal, Written0)
    ->  Written = Written0
    ;   as_written(Goal, Written)
    ).
written(Safe, Written) :-
    compound_name_arity(Safe, Name, Arity),
    \+ hb_store:own(Name, Arity),           % the arguments of user predicates were not translated
    written_call(Safe, Written).

%   catches(@Safe): a call of catch/3, behind which the translation has true/0.

catches(Safe) :-
    compound(Safe),
    compound_name_arity(Safe, Name, Arity),
    class(Name, Arity, catch),
    \+ hb_store:own(Name, Arity).

%   behind_catch(+Behind, -Rest) is semidet: Rest was written behind the call; the database drops the parentheses around it
%   and its true/0.

behind_catch(Behind, Rest) :-
    nonvar(Behind),
    Behind = (True,Rest),
    True == true,
    \+ watcher(Rest).

%   conjoined(+Goals, +Rest, -Conjunction): Rest stands behind Goals, the joined ones, in one conjunction.

conjoined((A,B), Rest, (A,Conjunction)) :-
    !,
    conjoined(B, Rest, Conjunction).
conjoined(Goal, Rest, (Goal,Rest)).

%!  as_called(+Safe, -Called) is det.
%
%   A translated body as the database would show it, with call/1 around a goal that is a variable.

as_called(true, true) :-
    !.
as_called((A,B), Called) :-
    watcher(A),
    !,
    as_called(B, Called).
as_called((A,B), Called) :-
    watcher(B),
    !,
    as_called(A, Called).
as_called((hb_joins:join(A, before),B), Called) :-
    !,
    as_called(A, CalledA),
    as_called(B, CalledB),
    conjoined(CalledA, CalledB, Called).
as_called(hb_joins:join(A, alone), Called) :-
    !,
    as_called(A, Called).
as_called((A,B), Called) :-
    catches(A),
    !,
    written_call(A, CalledA),
    (   behind_catch(B, Rest)
    ->  as_called(Rest, CalledB),
        Called = (CalledA,CalledB)
    ;   Called = CalledA
    ).
as_called((A,B), (CalledA,CalledB)) :-
    !,
    as_called(A, CalledA),
    as_called(B, CalledB).
as_called((A;B), (CalledA;CalledB)) :-
    !,
    as_called(A, CalledA),
    as_called(B, CalledB).
as_called((A->B), (CalledA->CalledB)) :-
    !,
    as_called(A, CalledA),
    as_called(B, CalledB).
as_called((A*->B), (CalledA*->CalledB)) :-
    !,
    as_called(A, CalledA),
    as_called(B, CalledB).
as_called(\+A, \+CalledA) :-
    !,
    as_called(A, CalledA).
as_called(Safe, Called) :-
    term_functor(Safe, Name, Arity),
    (   hb_store:own(Name, Arity)                % whose arguments were not translated
    ->  hb_store:without_passed(Safe, 0, Plain),
        (   hb_store:private(_, _, Arity, Name)
        ->  hb_store:seen_as(Plain, Called)
        ;   Called = Plain
        )
    ;   as_written(Safe, Written),
        (   var(Written)
        ->  Called = call(Written)
        ;   Called = Written
        )
    ).

%   written_call(+Safe, -Written): Safe calls a predicate of the system or a library.

written_call(Safe, Written) :-
    compound(Safe),
    compound_name_arity(Safe, Name, Arity),
    class(Name, Arity, Class),
    goal_arguments(Class, Spec),
    compound_name_arity(Written, Name, Arity),
    written_arguments(1, Arity, Spec, Safe, Written).

%   unsafe_name(+Goal, -Written): Goal calls a checked version.

unsafe_name(Goal, Written) :-
    (   atom(Goal)
    ->  atom_concat(safe_, Written, Goal)
    ;   compound(Goal),
        compound_name_arguments(Goal, SafeName, Args),
        atom_concat(safe_, Name, SafeName),
        compound_name_arguments(Written, Name, Args)
    ).

%   goal_arguments(+Class, -Spec): Spec is a meta-predicate declaration.

goal_arguments(catch, catch(0,?,recovery)).
goal_arguments(meta(Spec), Spec).
goal_arguments(library(_,Spec), Spec).
goal_arguments(offered(_,Spec), Spec).

written_arguments(I, Arity, _, _, _) :-
    I > Arity,
    !.
written_arguments(I, Arity, Spec, Safe, Written) :-
    arg(I, Spec, Kind),
    arg(I, Safe, Arg),
    arg(I, Written, WrittenArg),
    written_argument(Kind, Arg, WrittenArg),
    I1 is I+1,
    written_arguments(I1, Arity, Spec, Safe, Written).

written_argument(Kind, Arg, Written) :-
    goal_kind(Kind),
    nonvar(Arg),
    (   Arg = knowledge_base:Arg1
    ->  true
    ;   Arg1 = Arg
    ),
    written_kind(Kind, Arg1, Written0),
    !,
    Written = Written0.
written_argument(recovery, Recovery, Written) :-
    !,
    (   nonvar(Recovery),
        Recovery = (hb_limits:not_a_stop(_),Safe)
    ->  as_written(Safe, Written)
    ;   as_written(Recovery, Written)
    ).
written_argument(_, Arg, Arg).

written_kind(N, Safe, Written) :-
    integer(N),
    !,
    (   N == 0
    ->  as_written(Safe, Written)
    ;   written_closure(Safe, N, Written)
    ).
written_kind(^, Safe, Written) :-
    written_bagof(Safe, Written).
written_kind(tabled, Safe, Written) :-
    as_written(Safe, Written).
written_kind(//, Safe, Written) :-
    (   Safe = hb_builtins:safe_call_dcg(Body)
    ->  Written = Body
    ;   written_closure(Safe, 2, Written)
    ).
written_kind(:, Arg, Arg).

%   The translation introduced a variable if it occurs in the second argument of a
%   translated/2, but not in the first, or in a watcher.

written_bagof(Var^Safe, Written) :-
    !,
    (   brought(Var, Safe)
    ->  written_bagof(Safe, Written)
    ;   Written = Var^Written0,
        written_bagof(Safe, Written0)
    ).
written_bagof(Safe, Written) :-
    as_written(Safe, Written).

brought(Var, _^Safe) :-
    !,
    brought(Var, Safe).
brought(Var, hb_checked:Goal) :-
    !,
    nonvar(Goal),
    Goal = translated(Original, Safe),
    term_variables(Original, Originals),
    term_variables(Safe, All),
    \+ ( '$member'(V, Originals), V == Var ),
    '$member'(V, All),
    V == Var,
    !.
brought(Var, Safe) :-
    watcher(Safe),
    !,
    Safe = _:Watcher,
    compound(Watcher),
    arg(1, Watcher, Mark),
    Mark == Var.
brought(Var, Safe) :-
    compound(Safe),
    arg(_, Safe, Arg),
    nonvar(Arg),
    brought(Var, Arg),
    !.

%   without_context(+Goal, -Plain): remove the context, as in its own text.

without_context(Goal, Plain) :-
    (   nonvar(Goal),
        Goal = Module:Plain0,
        hb_store:context(Context),
        Module == Context
    ->  Plain = Plain0
    ;   Plain = Goal
    ).

%!  written_closure(+Safe, +N, -Written) is det.
%
%   As as_written/2, for a closure that is called with N more arguments.

written_closure(Var, _, Var) :-
    var(Var),
    !.
written_closure(hb_checked:checked(Closure), _, Written) :-
    !,
    without_context(Closure, Written).
written_closure(hb_builtins:Closure, _, Written) :-
    unsafe_name(Closure, Written0),
    !,
    Written = Written0.
written_closure(hb_outages:decide(Closure), N, Written) :-
    !,
    written_closure(Closure, N, Written).
written_closure(yall:Lambda, N, Written) :-
    nonvar(Lambda),
    written_lambda(Lambda, N, Written0),
    !,
    Written = Written0.
written_closure(Module:Closure, N, Written) :-
    atom(Module),
    !,
    (   compound(Closure),
        compound_name_arity(Closure, Name, Arity0),
        Arity is Arity0+N,
        \+ ( Module == knowledge_base, hb_store:own(Name, Arity) ),
        class(Name, Arity, Class),
        goal_arguments(Class, Spec)
    ->  compound_name_arity(Written, Name, Arity0),
        written_arguments(1, Arity0, Spec, Closure, Written)
    ;   Module == knowledge_base
    ->  written_users(Closure, N, Written)
    ;   Written = Closure
    ).
written_closure(Closure, N, Written) :-
    written_users(Closure, N, Written).

%   written_users(+Closure, +N, -Written): Closure calls a user predicate.

written_users(Closure, N, Written) :-
    hb_store:without_passed(Closure, N, Plain),
    (   hb_store:seen_as(Plain, Written0)
    ->  Written = Written0
    ;   Written = Plain
    ).

written_lambda(Free/Closure, N, Free/Written) :-
    written_closure(Closure, N, Written).
written_lambda(Parameters>>(knowledge_base:Safe), N, Parameters>>Written) :-
    (   Parameters = _/List
    ->  true
    ;   List = Parameters
    ),
    length(List, Given),
    (   Given < N
    ->  Extra is N-Given,
        written_closure(Safe, Extra, Written)
    ;   as_written(Safe, Written)
    ).
