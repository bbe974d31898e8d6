:- module(hb_checked,
          [ translated/2,               % +Original, :Safe
            pass/2,                     % +Later, +Module
            with_context/2,             % +Module, :Safe
            asked_context/1,            % ?Module
            checked_in/3,               % +Goal, +Module, +Here
            namesake/1,                 % +Goal
            checked/1, checked/2, checked/3, checked/4, checked/5,
            checked/6, checked/7, checked/8, checked/9
          ]).
:- use_module(policy).
:- use_module(sandbox).
:- use_module('../functor').

/** <module> Goals that are checked when they are called

hb_sandbox replaces goals and closures that it cannot translate before the code
runs by calls of this module.
*/

%!  checked(:Goal) is nondet.
%!  checked(:Closure, ?A1, ...) is nondet.
%
%   Call Goal, or Closure with more arguments, as call/N does, after the check that
%   was not possible earlier.

%   In loops most goals take a clause that hb_policy:direct_from_now/3 has put before these: no goal before theirs costs time.

:- dynamic
    checked/1, checked/2, checked/3, checked/4, checked/5, checked/6, checked/7, checked/8.

checked(Goal) =>
    (   name_arity(Goal, Name, Arity)
    ->  (   class(Name, Arity, Class),
            Class \== plain
        ->  checked_class(Class, Name, Arity, Goal)
        ;   hb_store:private(_, _, Arity, Name)
        ->  throw(error(existence_error(procedure, Name/Arity), _))
        ;   is_direct(Name, Arity)
        ->  direct_from_now(0, Name, Arity),
            call(knowledge_base:Goal)
        ;   hb_store:passed_arguments(Name, Arity, Goal, Passed),
            (   hb_store:is_transparent(Name, Arity)
            ->  hb_store:here(Module),
                with_context(Module, Passed)
            ;   call(knowledge_base:Passed)
            )
        )
    ;   var(Goal)
    ->  throw(error(instantiation_error, _))
    ;   throw(error(type_error(callable, Goal), _))
    ).

checked_class(library(Module), Name, Arity, Goal) :-
    \+ hb_store:own(Name, Arity),
    !,
    call(Module:Goal).
checked_class(_, _, _, Goal) :-
    safe_goal(Goal, Safe),
    (   Safe = hb_checked:checked(Unknown),
        Unknown == Goal                     % still not known
    ->  still_unknown(Goal)
    ;   call(knowledge_base:Safe)
    ).

%!  checked_in(+Goal, +Module, +Here) is nondet.
%
%   As @(Goal,Module) in text of the module Here.

checked_in(Goal, Module, Here) :-
    (   hb_store:in_module(Here, hb_sandbox:in_context(Goal, Module, Safe))
    ->  call(knowledge_base:Safe)
    ;   ( var(Goal) ; var(Module) ; Goal = Named:Plain, ( var(Named) ; var(Plain) ) )
    ->  throw(error(instantiation_error, _))
    ;   atom(Module)
    ->  throw(error(type_error(callable, Goal), _))
    ;   throw(error(type_error(module, Module), _))
    ).

%!  namesake(+Goal) is nondet.
%
%   Goal was translated to call a predicate of the user's that is gone, and whose name means the system's again
%   (hb_namesakes).  It was not judged as a call of that.
%
%   @error permission_error if it may also have been translated to call the system's: its goals cannot be judged twice

namesake(Goal) :-
    name_arity(Goal, Name, Arity),
    (   class(Name, Arity, meta(_))
    ->  format(string(Message), "For a while ~q was a predicate of the query's own. Ask again.", [Name/Arity]),
        throw(error(hornbook(message(permission_error, Message)), _))
    ;   class(Name, Arity, plain)
    ->  call(system:Goal)
    ;   checked(Goal)
    ).

%   still_unknown(+Goal): Goal calls a predicate that is bound but not defined, or an unbound one.

still_unknown(Module:Goal) :-
    atom(Module),
    name_arity(Goal, Name, Arity),
    !,
    (   hb_store:module_of(Module, user)
    ->  call(knowledge_base:Goal)
    ;   ( hb_store:own(Name, Arity) ; class(Name, Arity, _) )
    ->  call(knowledge_base:Goal)
    ;   '$get_predicate_attribute'(knowledge_base:Goal, defined, 1)
    ->  call(knowledge_base:Goal)           % declared, without clauses
    ;   PI = Module:Name/Arity,
        throw(error(existence_error(procedure, PI), PI))
    ).
still_unknown(_) :-
    throw(error(instantiation_error, _)).

checked(C, A1) =>
    (   now_closure(C, 1, Safe)
    ->  call(Safe, A1)
    ;   extended(C, [A1], Goal),
        checked(Goal)
    ).
checked(C, A1, A2) =>
    (   now_closure(C, 2, Safe)
    ->  call(Safe, A1, A2)
    ;   extended(C, [A1,A2], Goal),
        checked(Goal)
    ).
checked(C, A1, A2, A3) =>
    (   now_closure(C, 3, Safe)
    ->  call(Safe, A1, A2, A3)
    ;   extended(C, [A1,A2,A3], Goal),
        checked(Goal)
    ).
checked(C, A1, A2, A3, A4) =>
    (   now_closure(C, 4, Safe)
    ->  call(Safe, A1, A2, A3, A4)
    ;   extended(C, [A1,A2,A3,A4], Goal),
        checked(Goal)
    ).
checked(C, A1, A2, A3, A4, A5) =>
    (   now_closure(C, 5, Safe)
    ->  call(Safe, A1, A2, A3, A4, A5)
    ;   extended(C, [A1,A2,A3,A4,A5], Goal),
        checked(Goal)
    ).
checked(C, A1, A2, A3, A4, A5, A6) =>
    (   now_closure(C, 6, Safe)
    ->  call(Safe, A1, A2, A3, A4, A5, A6)
    ;   extended(C, [A1,A2,A3,A4,A5,A6], Goal),
        checked(Goal)
    ).
checked(C, A1, A2, A3, A4, A5, A6, A7) =>
    (   now_closure(C, 7, Safe)
    ->  call(Safe, A1, A2, A3, A4, A5, A6, A7)
    ;   extended(C, [A1,A2,A3,A4,A5,A6,A7], Goal),
        checked(Goal)
    ).
checked(C, A1, A2, A3, A4, A5, A6, A7, A8) :-
    extended(C, [A1,A2,A3,A4,A5,A6,A7,A8], Goal),
    checked(Goal).

now_closure(Closure, N, Safe) :-
    is_lambda(Closure),
    !,
    (   known_lambda(N, Known, Safe0),
        Known =@= Closure
    ->  Known = Closure,
        Safe = Safe0
    ;   known_closure(Closure, N, Safe),
        lambda_from_now(N, Closure, Safe)
    ).
now_closure(Closure, N, Safe) :-
    callable(Closure),
    (   name_arity(Closure, Name, Arity0),
        Arity is Arity0+N,
        \+ ( class(Name, Arity, Class), Class \== plain ),
        is_direct(Name, Arity)
    ->  direct_from_now(N, Name, Arity0)
    ;   true
    ),
    known_closure(Closure, N, Safe).

is_lambda(Closure) :-
    nonvar(Closure),
    (   Closure = _>>_
    ->  true
    ;   Closure = Module:Inner,
        atom(Module),
        nonvar(Inner),
        Inner = _>>_
    ).

%   is_direct(+Name, +Arity): a call of Name/Arity, which is of no class or plain, calls the user's flat predicate or that of
%   the system, and no argument gets a context.

is_direct(Name, Arity) :-
    (   hb_store:own(Name, Arity)
    ->  \+ hb_store:engine_name(Name),
        \+ hb_store:has_meta(Name)
    ;   class(Name, Arity, plain)
    ).

%!  translated(+Original, :Safe) is nondet.
%
%   Call Safe, the translation of Original.

translated(_, Safe) :-
    call(knowledge_base:Safe).

%!  pass(+Later, +Module) is det.
%
%   See hb_meta_arguments:passed_arguments/5.

pass(Later, Module) :-
    hb_store:pass_later(Later, Module).

%!  with_context(+Module, :Safe) is nondet.
%!  asked_context(?Module) is semidet.
%
%   Call Safe, of a predicate whose context is that of its caller; and the context of the innermost such call, which
%   stays on the stack until the predicate exits.

with_context(_, Safe) :-
    call(knowledge_base:Safe),
    true.

asked_context(Module) :-
    prolog_current_frame(Frame),
    (   prolog_frame_attribute(Frame, parent_goal, hb_checked:with_context(Context, _))
    ->  Module = Context
    ;   Module = user
    ).
