:- module(hb_meta_arguments,
          [ add_meta/3,                 % +Engine, +Spec, +Id
            has_meta/1,                 % +Engine
            add_transparent/3,          % +Engine, +Arity, +Id
            is_transparent/2,           % +Engine, +Arity
            in_transparent/0,
            forget_meta/1,              % +Id
            in_clause/2,                % +Head, :Goal
            passed_arguments/4,         % +Engine, +Arity, +Goal, -Passed
            passed_arguments/5,         % +Engine, +Arity, +Goal, -Passed, -Later
            pass_later/2,               % +Later, +Module
            takes_more_goals/3,         % +Engine, +Arity, +Given
            without_passed/3            % +Passed, +Extra, -Goal
          ]).
:- use_module('../sandbox/policy').
:- use_module('../functor').
:- use_module(context).

/** <module> Arguments that meta_predicate declarations of the book mark as goals

As in SWI-Prolog, a call passes such arguments with the context of the caller.
*/

:- dynamic
    meta/3,                             % Engine, Spec, Id
    transparent/3.                      % Engine, Arity, Id

%!  add_meta(+Engine, +Spec, +Id) is det.
%
%   The entry Id declares that Engine takes goals where Spec says so.

add_meta(Engine, Spec, Id) :-
    meta(Engine, Spec0, Id),
    Spec0 =@= Spec,                     % known before it was read
    !.
add_meta(Engine, Spec, Id) :-
    assertz(meta(Engine, Spec, Id)),
    forget_direct,
    hb_store:meanings_changed.

%!  add_transparent(+Engine, +Arity, +Id) is det.
%!  is_transparent(+Engine, +Arity) is semidet.
%
%   The entry Id declares that the context of Engine/Arity is that of its caller.

add_transparent(Engine, Arity, Id) :-
    transparent(Engine, Arity, Id),
    !.
add_transparent(Engine, Arity, Id) :-
    assertz(transparent(Engine, Arity, Id)),
    forget_direct,
    hb_store:meanings_changed.

is_transparent(Engine, Arity) :-
    transparent(Engine, Arity, _),
    !.

%!  in_transparent is semidet.
%
%   The body of a clause of such a predicate is being translated.

in_transparent :-
    nb_current(hb_transparent, true).

%!  has_meta(+Engine) is semidet.
%
%   A declaration marks arguments of a predicate named Engine, or its context.

has_meta(Engine) :-
    (   meta(Engine, _, _)
    ;   transparent(Engine, _, _)
    ),
    !.

%!  forget_meta(?Id) is semidet.
%
%   Forget what the entry Id declares, or all entries.  Fails if it declares nothing.

forget_meta(Id) :-
    (   retract(meta(_, _, Id))
    ;   retract(transparent(_, _, Id))
    ),
    !,
    retractall(meta(_, _, Id)),
    retractall(transparent(_, _, Id)).

%!  in_clause(+Head, :Goal) is semidet.
%
%   As once(Goal), which translates the body of a clause of Head.  An argument of Head that its
%   meta_predicate declaration marks as a goal has its context already: no other is added when the
%   body passes it on.

:- meta_predicate in_clause(+, 0).

in_clause(Head, Goal) :-
    hb_store:term_name(Head, Name, Given),
    transparent(Name, Given, _),
    !,
    b_setval(hb_transparent, true),
    in_clause_of(Head, Goal),
    b_setval(hb_transparent, false).
in_clause(Head, Goal) :-
    in_clause_of(Head, Goal).

in_clause_of(Head, Goal) :-
    (   compound(Head),
        compound_name_arguments(Head, Engine, Args),
        meta(Engine, _, _),
        length(Args, Arity),
        term_functor(Spec, Engine, Arity),
        meta(Spec, _)
    ->  Spec =.. [_|Kinds],
        given_goals(Args, Kinds, Given),
        b_setval(hb_given, Given),
        once(Goal),
        b_setval(hb_given, [])
    ;   once(Goal)
    ).

given_goals([], _, []).
given_goals([Arg|Args], [Kind|Kinds], Given) :-
    (   var(Arg),
        goal_kind(Kind)
    ->  Given = [Arg|Given1]
    ;   Given = Given1
    ),
    given_goals(Args, Kinds, Given1).

is_given(Var) :-
    nb_current(hb_given, Given),
    '$member'(One, Given),
    One == Var,
    !.

%!  passed_arguments(+Engine, +Arity, +Goal, -Passed, -Later) is det.
%
%   Passed is Goal, a call of a user predicate, with the context added to the arguments that its
%   meta_predicate declaration marks as goals, as in SWI-Prolog.  Goal may lack its last arguments.
%   Later is a list of Arg-PassedArg: PassedArg is in Passed, and with_context/3 tells it as soon as
%   Arg is known.

passed_arguments(Engine, Arity, Goal, Passed, Later) :-
    (   compound(Goal),
        meta(Engine, _, _),
        term_functor(Spec, Engine, Arity),
        meta(Spec, _)
    ->  Goal =.. [Name|Args],
        Spec =.. [_|Kinds],
        here(Module),
        passed(Args, Kinds, Module, PassedArgs, Later),
        Passed =.. [Name|PassedArgs]
    ;   Passed = Goal,
        Later = []
    ).

%!  passed_arguments(+Engine, +Arity, +Goal, -Passed) is det.
%
%   As passed_arguments/5, for a Goal that is called now.

passed_arguments(Engine, Arity, Goal, Passed) :-
    passed_arguments(Engine, Arity, Goal, Passed, Later),
    (   Later == []
    ->  true
    ;   here(Module),
        pass_later(Later, Module)
    ).

%!  pass_later(+Later, +Module) is det.
%
%   The arguments in Later are known now.

pass_later([], _).
pass_later([Arg-Passed|Later], Module) :-
    with_context(Arg, Module, Passed),
    pass_later(Later, Module).

%   with_context(@Arg, +Module, -Passed): Passed is Arg qualified with the innermost module that it names,
%   or with Module if it names none.

with_context(Arg, Module, Passed) :-
    (   nonvar(Arg),
        Arg = Named:Inner,
        ( var(Named) ; atom(Named) )
    ->  (   atom(Named),
            nonvar(Inner),
            Inner = Other:_,
            atom(Other)
        ->  with_context(Inner, Module, Passed)
        ;   Passed = Arg
        )
    ;   Passed = Module:Arg
    ).

%!  takes_more_goals(+Engine, +Arity, +Given) is semidet.
%
%   The meta_predicate declaration of Engine/Arity marks an argument after the first Given as a goal.

takes_more_goals(Engine, Arity, Given) :-
    meta(Engine, _, _),
    term_functor(Spec, Engine, Arity),
    meta(Spec, _),
    arg(I, Spec, Kind),
    I > Given,
    goal_kind(Kind),
    !.

meta(Spec, Id) :-
    meta(Engine, Spec0, Id),
    term_functor(Spec, Engine, Arity),
    term_functor(Spec0, _, Arity),
    !,
    Spec0 =.. [_|Kinds],
    Spec =.. [Engine|Kinds].

passed([], _, _, [], []).
passed([Arg|Args], [Kind|Kinds], Module, [Passed|PassedArgs], Later) :-
    (   \+ goal_kind(Kind)
    ->  Passed = Arg,
        Later = Later1
    ;   known_later(Arg)
    ->  Later = [Arg-Passed|Later1]
    ;   var(Arg)                        % given with its context
    ->  Passed = Arg,
        Later = Later1
    ;   with_context(Arg, Module, Passed),
        Later = Later1
    ),
    passed(Args, Kinds, Module, PassedArgs, Later1).

%   known_later(@Arg): which module Arg names may be known only when it is passed.

known_later(Arg) :-
    (   var(Arg)
    ->  \+ is_given(Arg)
    ;   Arg = _:Inner,
        var(Inner)
    ).

%!  without_passed(+Passed, +Extra, -Goal) is det.
%
%   Goal is Passed, which is called with Extra more arguments, in the form of text of the context: the
%   inverse of passed_arguments/4.

without_passed(Passed, Extra, Goal) :-
    (   compound(Passed),
        compound_name_arity(Passed, Engine, Given),
        Arity is Given+Extra,
        meta(Engine, _, _),
        term_functor(Spec, Engine, Arity),
        meta(Spec, _)
    ->  Passed =.. [_|PassedArgs],
        Spec =.. [_|Kinds],
        here(Module),
        not_passed(PassedArgs, Kinds, Module, Args),
        Goal =.. [Engine|Args]
    ;   Goal = Passed
    ).

not_passed([], _, _, []).
not_passed([Arg0|Args0], [Kind|Kinds], Module, [Arg|Args]) :-
    (   goal_kind(Kind),
        nonvar(Arg0),
        Arg0 = Named:Arg1,
        Named == Module
    ->  Arg = Arg1
    ;   Arg = Arg0
    ),
    not_passed(Args0, Kinds, Module, Args).
