:- module(hb_sandbox,
          [ safe_body/2,                % +Body, -Safe
            safe_goal/2,                % +Goal, -Safe
            known_closure/3,            % +Closure, +N, -Safe
            in_context/3,               % +Goal, +Module, -Safe
            safe_argument/2,            % +Goal, -Safe
            safe_closure/3,             % +Closure, +N, -Safe
            has_function/1,             % +Term
            expand_functions/2,         % +Body0, -Body
            dict_method/4,              % +Head0, +Body0, -Head, -Body
            expand_head/4               % +Head0, +Body0, -Head, -Body
          ]).
:- use_module('../capability').
:- use_module('../functor').
:- use_module('../read/declarations', [set_without_effect/2, fixed_flag/2]).
:- use_module(policy).
:- use_module(context_arguments).
:- use_module(formats).
:- use_module(functions).
:- use_module(global_names, [own_global/2]).
:- use_module(grammars).
:- use_module(outages).
:- reexport(written).

/** <module> The sandbox

One thing, and long: the translation is one recursion over the forms that a body has, which is read as a whole.

Untrusted code is translated when it is added, and only translated code runs.
Translating a body leaves calls of user predicates and of harmless ones as they are,
refuses what hb_policy:class/3 refuses, and treats arguments that are goals in the
same way, at any depth.  A goal that is not known before the code runs becomes
hb_checked:checked(Goal), which translates it when it is called.

Every clause is therefore safe by itself: it reaches only listed predicates and user
predicates, whose clauses are translated too.  Nothing needs to be checked again when
a predicate changes, and undefined predicates do no harm.

This depends on three things.  Untrusted code runs in the module knowledge_base, which
sees only the module system and loads nothing by itself.  A user predicate that has
once replaced one of the system (hb_store:own/2) stays defined until no translated
code is left.  And untrusted code never gets a reference to a translated goal, which
it could change in place (hb_builtins:frozen/2 and clause/2 return copies): a
translated goal shares only data with the term it was made from.

Goals, goals in arguments, closures and qualified goals are translated by each other, so they are in one file.
*/

%!  safe_body(+Body, -Safe) is det.
%
%   Safe is the translation of Body, a clause body or a query.
%
%   @error permission_error(call, sandboxed, What) if Body may call something
%   refused.  What is a predicate indicator, perhaps qualified with a module.  It is
%   the error of SWI-Prolog's own library(sandbox).
%   @error type_error(callable, Body)

safe_body(Body, Safe) :-
    must_be_acyclic(Body),
    expand_functions(Body, Plain),
    safe_goal(Plain, Safe0),
    watched_cut(Safe0, Safe).

%   must_be_acyclic(+Term): translating a cyclic term would not terminate, or, for
%   conjunctions and the like, exhaust the stack.

must_be_acyclic(Term) :-
    (   acyclic_term(Term)
    ->  true
    ;   throw(error(type_error(acyclic_term, Term), _))
    ).

%   goals_are_acyclic(+Goal, +N): as must_be_acyclic/1, for Goal, which is called with N more arguments.  An argument that
%   is no goal may be cyclic, as it is not translated.

goals_are_acyclic(Goal, N) :-
    (   acyclic_term(Goal)
    ->  true
    ;   name_arity(Goal, Name, Arity0),
        Arity is Arity0+N,
        \+ ( class(Name, Arity, Class), Class \== plain, Class \= library(_) )
    ->  true
    ;   throw(error(type_error(acyclic_term, Goal), _))
    ).

%!  safe_goal(+Goal, -Safe) is det.
%
%   As safe_body/2, for a goal that is called now and contains no functional notation.

safe_goal(Var, hb_checked:checked(Goal)) :-
    var(Var),
    !,
    hb_store:qualified(Var, Goal).
safe_goal((A,B), Safe) :-
    !,
    safe_goal(A, SA),
    safe_goal(B, SB),
    (   hb_store:linked,
        hb_joins:joined(SA, SB, Joined)
    ->  Safe = Joined
    ;   Safe = (SA,SB)
    ).
safe_goal((A;B), (SA;SB)) :-
    !,
    safe_alternative(A, SA),
    safe_goal(B, SB).
safe_goal((A->B), (SA->SB)) :-
    !,
    safe_goal(A, SA),
    safe_goal(B, SB).
safe_goal((A*->B), (SA*->SB)) :-
    !,
    safe_goal(A, SA),
    safe_goal(B, SB).
safe_goal('|'(A,B), '|'(SA,SB)) :-
    !,
    safe_goal(A, SA),
    safe_goal(B, SB).
safe_goal(\+A, \+SA) :-
    !,
    safe_argument(A, SA0),
    condition(SA0, SA).
safe_goal(Module:Goal, Safe) :-
    !,
    safe_qualified(Module, Goal, Safe).
safe_goal(@(Goal,Module), hb_checked:translated(@(Goal,Module), Safe)) :-
    !,
    (   in_context(Goal, Module, Safe0)
    ->  Safe = Safe0
    ;   hb_store:here(Here),
        Safe = hb_checked:checked_in(Goal, Module, Here)
    ).
safe_goal(Goal, hb_checked:translated(Goal, Goal)) :-
    misread(Goal),
    !.
safe_goal(Goal0, Safe) :-
    name_arity(Goal0, Name, Arity),
    !,
    (   Arity == 0
    ->  Goal = Name                     % p() is called as p
    ;   Goal = Goal0
    ),
    (   hb_store:private_here(Name, Arity, Engine)
    ->  users_goal(Engine, Arity, Goal, Safe)
    ;   class(Name, Arity, Class),
        \+ users(Name, Arity)
    ->  class_goal(Class, Goal, Safe)
    ;   hb_store:engine_name(Name)
    ->  Safe = hb_checked:checked(Goal)
    ;   unknown_here(Name, Arity, Module)
    ->  Safe = hb_checked:checked(Module:Goal)
    ;   users_goal(Name, Arity, Goal, Safe)
    ).
safe_goal(Goal, _) :-
    throw(error(type_error(callable, Goal), _)).

%!  in_context(+Goal, +Module, -Safe) is semidet.
%
%   Safe is the translation of @(Goal,Module): what Goal names is that of this context, and the goals in its arguments are
%   those of Module.  Fails if Goal or Module is not known.

in_context(Goal, Module, Safe) :-
    atom(Module),
    nonvar(Goal),
    (   Goal = Named:Plain
    ->  atom(Named),
        hb_store:module_of(Named, Home)
    ;   Plain = Goal,
        hb_store:here(Home)
    ),
    name_arity(Plain, Name, Arity),
    (   inner(Plain, Home, Inner),
        Inner \= _:_
    ->  in_context_each(Inner, Module, Each),
        safe_goal(Each, Safe)
    ;   class(Name, Arity, _),
        \+ users(Name, Arity)
    ->  safe_goal(Module:Plain, Safe)
    ;   ( hb_store:users_module(Home) ; hb_store:free_module(Home) )
    ->  hb_store:called_name(Home, Name, Arity, Engine),
        hb_store:module_of(Module, Context),
        hb_store:in_module(Context, hb_sandbox:users_goal(Engine, Arity, Plain, Safe))
    ;   safe_goal(Goal, Safe)
    ).

%   in_context_each(+Control, +Module, -Each): the goals of a control structure get the context, each by itself.

in_context_each(Control, Module, Each) :-
    (   Control == !
    ->  Each = !
    ;   Control =.. [Name|Goals],
        in_contexts(Goals, Module, InContext),
        Each =.. [Name|InContext]
    ).

in_contexts([], _, []).
in_contexts([Goal|Goals], Module, [@(Goal,Module)|Each]) :-
    in_contexts(Goals, Module, Each).

%   safe_alternative(+Goal, -Safe): Goal is on the left of `;`, so it may be an if-then.

safe_alternative(Goal, Safe) :-
    (   nonvar(Goal),
        if_then(Goal, Safe)
    ->  true
    ;   safe_goal(Goal, Safe)
    ).

if_then((A->B), (SA->SB)) :-
    safe_goal(A, SA0),
    condition(SA0, SA),
    safe_goal(B, SB).
if_then((A*->B), (SA*->SB)) :-
    safe_goal(A, SA0),
    soft_condition(SA0, SA),
    safe_goal(B, SB).

%   misread(@Goal): comparisons that are compiled to an instruction of their own.  For a constant
%   such as -4 in it, clause/2 of a 32-bit SWI-Prolog returns 33554428.

misread(A == B) :-
    small_negative(A, B).
misread(A \== B) :-
    small_negative(A, B).
misread(A = B) :-
    small_negative(A, B).

small_negative(A, B) :-
    (   var(A)
    ->  integer(B),
        B < 0,
        B >= -0x1000000
    ;   var(B),
        integer(A),
        A < 0,
        A >= -0x1000000
    ).

%   unknown_here(+Name, +Arity, -Module): text of Module calls a predicate that does not exist yet,
%   and may become private to Module.  When it does, the call is translated again
%   (hb_store:declare/2).

unknown_here(Name, Arity, Module) :-
    hb_store:context(Module),
    \+ hb_store:own(Name, Arity),
    \+ hb_store:export(Module, Name, Arity, _).

%   users_goal(+Engine, +Arity, +Goal, -Safe): Goal calls the user predicate Engine/Arity.

users_goal(Engine, Arity, Goal, Safe) :-
    hb_store:passed_arguments(Engine, Arity, Goal, Passed, Later),
    renamed(Passed, Engine, Safe0),
    (   hb_store:is_transparent(Engine, Arity),
        \+ hb_store:in_transparent
    ->  hb_store:here(Context),
        Safe1 = hb_checked:with_context(Context, Safe0)
    ;   Safe1 = Safe0
    ),
    (   Later == []
    ->  (   Safe1 == Safe0
        ->  Safe = Safe0
        ;   Safe = hb_checked:translated(Goal, Safe1)
        )
    ;   hb_store:here(Module),
        Safe = hb_checked:translated(Goal, (hb_checked:pass(Later, Module),Safe1))
    ).

%   users(+Name, +Arity): a call of Name/Arity calls the user's predicate.

users(Name, Arity) :-
    hb_store:own(Name, Arity),
    \+ lent(Name, Arity).

class_goal(plain, Goal, Goal).
class_goal(meta(Spec), Goal, Safe) :-
    safe_call(Spec, Goal, system, Safe0),
    watched_call(Safe0, Safe).
class_goal(library(Module), Goal, Module:Goal).
class_goal(library(Module,Spec), Goal, Safe) :-
    (   Module == yall
    ->  safe_lambda(Goal, Safe)
    ;   safe_call_in(Module, Spec, Goal, Safe0),
        (   ( hb_store:linked ; hb_sets:some_set ),
            hb_joins:aggregated(Safe0, Aggregated)
        ->  Safe = Aggregated
        ;   watched_call(Safe0, Safe)
        )
    ).
class_goal(replaced(safe_throw), throw(Ball), Safe) :-
    nonvar(Ball),
    \+ hb_limits:reserved(Ball),
    !,
    Safe = throw(Ball).                 % a term of its own, whose ball nobody can change
class_goal(replaced(safe_set_prolog_flag), set_prolog_flag(Flag,Value), _) :-
    nonvar(Flag),
    \+ set_without_effect(Flag, Value),
    \+ fixed_flag(Flag, _),
    !,
    throw(error(permission_error(call, sandboxed, set_prolog_flag/2), _)).
class_goal(replaced(safe_context_module), Goal, hb_checked:translated(Goal, hb_checked:asked_context(Asked))) :-
    hb_store:in_transparent,
    !,
    arg(1, Goal, Asked).
class_goal(replaced(safe_context_module), Goal, hb_checked:translated(Goal, Asked = Module)) :-
    hb_store:context(Module),
    !,
    arg(1, Goal, Asked).
class_goal(replaced(_), Goal, Safe) :-
    own_global(Goal, Safe),
    !.
class_goal(replaced(SafeName), Goal0, hb_builtins:Safe) :-
    about_predicates(Goal0, Goal),
    renamed(Goal, SafeName, Safe).
class_goal(catch, Goal, Safe) :-
    Goal =.. [Name,G,Ball,Recovery],
    safe_caught(G, Ball, SG),
    safe_argument(Recovery, SR),
    (   cannot_be_a_stop(Ball)
    ->  Caught =.. [Name,SG,Ball,SR]
    ;   Caught =.. [Name,SG,Ball,(hb_limits:not_a_stop(Ball),SR)]
    ),
    Safe = (Caught,true).                   % no last call: it would check within catch/3 what det/1 declares
class_goal(phrase, Goal, Safe) :-
    Goal =.. [Name,Body|Lists],
    safe_phrase(Body, Name, Lists, Goal, Safe).
class_goal(format(SafeName), Goal, Safe) :-
    (   harmless_format(Goal)
    ->  Safe = hb_output:shallow_format(Goal)
    ;   called_by_format(Goal, Goal1),
        renamed(Goal1, SafeName, Safe0),
        Safe = hb_builtins:Safe0
    ).
class_goal(wide, Goal, Safe) :-
    compound_name_arguments(Goal, call, [Closure|Args]),
    (   callable(Closure),
        Closure \= _:_
    ->  extended(Closure, Args, Extended),
        safe_argument(Extended, Safe0),
        Safe = hb_checked:translated(Goal, Safe0)
    ;   hb_store:qualified(Closure, Qualified),
        Safe = hb_checked:translated(Goal, hb_builtins:safe_apply(Qualified, Args))
    ).
class_goal(offered(Module), Goal, Module:Safe) :-
    called(Module, Goal, Safe).
class_goal(offered(Module,Spec), Goal, Safe) :-
    safe_call_in(Module, Spec, Goal, Safe).
class_goal(override(Module), Goal, Module:Safe) :-
    called(Module, Goal, Safe).
class_goal(refused, Goal, Safe) :-
    name_arity(Goal, Name, Arity),
    may_be_users(Name, Arity),
    arg(1, Goal, Arg),
    \+ ( nonvar(Arg), indicators(Arg) ),
    !,
    Safe = hb_checked:translated(Goal, throw(error(existence_error(procedure, Name/Arity), Name/Arity))).
class_goal(refused, Goal, _) :-
    name_arity(Goal, Name, Arity),
    throw(error(permission_error(call, sandboxed, Name/Arity), _)).

%   may_be_users(?Name, ?Arity): a declaration that a program may have a predicate of, such as `public(ann).`, and may define
%   later than it calls it.

may_be_users(public, 1).
may_be_users(volatile, 1).
may_be_users(det, 1).
may_be_users(non_terminal, 1).
may_be_users(thread_local, 1).
may_be_users(noprofile, 1).

%   indicators(@Term): what a declaration is about.

indicators(_/_).
indicators(_//_).
indicators((_,_)).
indicators([_|_]).
indicators(_:_).

%   called(+Module, +Goal, -Safe): a capability has Goal called as Module:Safe.

called(Module, Goal, Safe) :-
    (   hb_capability:called(Module, Goal, Safe0)
    ->  Safe = Safe0
    ;   Safe = Goal
    ).

%   safe_call_in(+Module, +Spec, +Goal, -Safe): as safe_call/4, for Goal in Module.

safe_call_in(Module, Spec, Goal, Safe) :-
    safe_call(Spec, Goal, Module, Safe0),
    (   Safe0 = hb_checked:checked(_)
    ->  Safe = Safe0
    ;   Safe = Module:Safe0
    ).

%   safe_call(+Spec, +Goal, +Module, -Safe): translate the arguments that are goals.
%   Those passed to a library are qualified, because an explicit module sets the context
%   of the call.  If Spec requires a goal to be known, and it is not, all of Goal waits.

safe_call(Spec, Goal, Module, Safe) :-
    compound_name_arity(Goal, Name, Arity),
    (   arg(I, Spec, Kind),
        needs_goal(Kind),
        arg(I, Goal, Arg),
        must_be_acyclic(Arg),
        unknown_goal(Arg)
    ->  hb_store:qualified(Goal, Qualified),
        Safe = hb_checked:checked(Qualified)
    ;   compound_name_arity(Safe, Name, Arity),
        safe_arguments(1, Arity, Spec, Goal, Module, Safe)
    ).

needs_goal(^).
needs_goal(tabled).

unknown_goal(Var) :-
    var(Var),
    !.
unknown_goal(_^Goal) :-
    unknown_goal(Goal).

safe_arguments(I, Arity, _, _, _, _) :-
    I > Arity,
    !.
safe_arguments(I, Arity, Spec, Goal, Module, Safe) :-
    arg(I, Spec, Kind),
    arg(I, Goal, Arg),
    arg(I, Safe, SafeArg),
    (   safe_meta_argument(Kind, Arg, SafeArg0)
    ->  (   Module == system
        ->  SafeArg = SafeArg0
        ;   SafeArg = knowledge_base:SafeArg0
        )
    ;   SafeArg = Arg
    ),
    I1 is I+1,
    safe_arguments(I1, Arity, Spec, Goal, Module, Safe).

safe_meta_argument(N, Arg, Safe) :-
    integer(N),
    !,
    (   N == 0
    ->  safe_argument(Arg, Safe)
    ;   safe_closure(Arg, N, Safe)
    ).
safe_meta_argument(^, Arg, Safe) :-
    safe_bagof(Arg, Safe).
safe_meta_argument(tabled, Arg, Safe) :-
    safe_goal(Arg, Safe).               % what is no goal is no tabled one, either
safe_meta_argument(//, Arg, Safe) :-
    grammar_body(Arg, Kind),
    safe_grammar_body(Kind, Arg, Safe).
safe_meta_argument(:, Arg, Qualified) :-
    hb_store:qualified(Arg, Qualified).

safe_grammar_body(literal, Body, Body).
safe_grammar_body(control, Body, hb_builtins:safe_call_dcg(Qualified)) :-
    hb_store:qualified(Body, Qualified).
safe_grammar_body(closure, Body, Safe) :-
    safe_closure(Body, 2, Safe).

%   safe_phrase(+Body, +Name, +Lists, +Goal, -Safe): translate Body to a goal now, if it is known.  Goal is a call of
%   phrase/2,3 or call_dcg/3.

safe_phrase(Body, Name, Lists, Goal, Safe) :-
    phrase_calls(Body, Lists, Calls),
    !,
    safe_argument(Calls, SafeCalls),
    (   Name == phrase
    ->  Lists = [S0|Rest],
        ( Rest = [S] -> true ; S = [] ),
        Check = (hb_builtins:phrase_list(S0), hb_builtins:phrase_list(S))
    ;   Check = true
    ),
    Safe = hb_checked:translated(Goal, (Check,SafeCalls)).
safe_phrase(Body, Name, Lists, _, hb_builtins:Safe) :-
    atom_concat(safe_, Name, SafeName),
    hb_store:qualified(Body, Qualified),
    Safe =.. [SafeName,Qualified|Lists].

%!  safe_argument(+Goal, -Safe) is det.
%
%   As safe_goal/2, but an argument that is not a goal raises an error only when it is called.

safe_argument(Goal, Safe) :-
    catch(safe_goal(Goal, Safe), error(type_error(callable,_), _), Safe = hb_checked:checked(Goal)).

%   safe_caught(+Goal, +Catcher, -Safe): if Catcher names the error of a refusal, raise
%   it when Goal is called, so that it is caught.

safe_caught(Goal, Catcher, Safe) :-
    nonvar(Catcher),
    Catcher = error(Formal, _),
    nonvar(Formal),
    Formal = permission_error(_, _, _),
    !,
    catch(safe_argument(Goal, Safe),
          error(permission_error(Action,Type,Culprit), _),
          Safe = hb_checked:translated(Goal, throw(error(permission_error(Action,Type,Culprit), _)))).
safe_caught(Goal, _, Safe) :-
    safe_argument(Goal, Safe).

%   cannot_be_a_stop(+Ball): Ball unifies with no stop, so its recovery needs no check, with which
%   it would be compiled on every call.

cannot_be_a_stop(Ball) :-
    nonvar(Ball),
    \+ hb_limits:stop(Ball).

%   Variables introduced by the translation are local to the goal.

safe_bagof(Arg, Safe) :-
    nonvar(Arg),
    Arg = Var^Goal,
    !,
    Safe = Var^Safe0,
    safe_bagof(Goal, Safe0).
safe_bagof(Arg, Safe) :-
    nonvar(Arg),
    Arg = Module:Inner,
    nonvar(Inner),
    Inner = Var^Goal,
    !,
    Safe = Var^Safe0,
    safe_bagof(Module:Goal, Safe0).
safe_bagof(Goal, Safe) :-
    safe_argument(Goal, Safe0),
    term_variables(Goal, Vars),
    term_variables(Safe0, SafeVars),
    local_variables(SafeVars, Vars, Safe0, Safe).

local_variables([], _, Safe, Safe).
local_variables([V|Vs], Known, Safe0, Safe) :-
    (   '$member'(K, Known),
        K == V
    ->  local_variables(Vs, Known, Safe0, Safe)
    ;   Safe = V^Safe1,
        local_variables(Vs, Known, Safe0, Safe1)
    ).

%!  safe_closure(+Closure, +N, -Safe) is det.
%
%   Closure is called with N more arguments.

safe_closure(Closure, N, Safe) :-
    (   callable(Closure),
        known_closure(Closure, N, Safe0)
    ->  Safe = Safe0
    ;   hb_store:qualified(Closure, Qualified),
        Safe = hb_checked:checked(Qualified)
    ).

known_closure(Module:Closure, N, Safe) :-
    !,
    goals_are_acyclic(Closure, N),
    hb_store:users_module(Module),
    callable(Closure),
    hb_store:module_of(Module, Context),
    hb_store:in_module(Context, hb_sandbox:known_closure(Closure, N, Safe)),
    (   hb_store:here(Context)
    ->  true
    ;   written_closure(Safe, N, Written),  % else the text would lose its module
        Written == Module:Closure
    ).
known_closure(Free/Lambda, N, yall:(Free/Safe)) :-
    !,
    must_be_acyclic(Lambda),
    safe_closure(Lambda, N, Safe).
known_closure(Parameters>>Body, N, yall:(Own>>Safe)) :-
    !,
    must_be_acyclic(Body),
    own_parameters(Parameters, Own, Given),
    (   Given < N
    ->  Extra is N-Given,
        safe_closure(Body, Extra, Safe0)
    ;   safe_argument(Body, Safe0)
    ),
    Safe = knowledge_base:Safe0.
known_closure(Closure, N, Safe) :-
    name_arity(Closure, Name, Arity0),
    Arity is Arity0+N,
    (   hb_store:private_here(Name, Arity, Engine)
    ->  Safe = knowledge_base:Safe0,
        users_closure(Engine, Arity, Arity0, Closure, Safe0)
    ;   class(Name, Arity, Class),
        \+ users(Name, Arity)
    ->  closure_class(Class, Closure, Name/Arity, Safe)
    ;   hb_store:engine_name(Name)
    ->  fail
    ;   unknown_here(Name, Arity, _)
    ->  fail
    ;   Safe = knowledge_base:Safe0,
        users_closure(Name, Arity, Arity0, Closure, Safe0)
    ).

%   users_closure(+Engine, +Arity, +Given, +Closure, -Safe): fails if an argument that is a goal comes
%   only with the call.

users_closure(Engine, Arity, Given, Closure, Safe) :-
    \+ hb_store:takes_more_goals(Engine, Arity, Given),
    \+ hb_store:is_transparent(Engine, Arity),
    hb_store:passed_arguments(Engine, Arity, Closure, Passed, []),
    renamed(Passed, Engine, Safe).

closure_class(plain, Closure, _, system:Closure).
closure_class(library(Module), Closure, _, Module:Closure).
closure_class(library(Module,Spec), Closure, _, Module:Safe) :-
    partial_call(Spec, Closure, Module, Safe).
closure_class(meta(Spec), Closure, _, system:Safe) :-
    partial_call(Spec, Closure, knowledge_base, Safe).
closure_class(replaced(SafeName), Closure, Name/Arity, hb_builtins:Safe) :-
    \+ ( takes_predicate(Name, Arity, _), hb_store:context(_) ),   % needs all its arguments to be inspected
    renamed(Closure, SafeName, Safe).
closure_class(refused, _, PI, _) :-
    PI = Name/Arity,
    \+ may_be_users(Name, Arity),           % else it is checked when it is called
    throw(error(permission_error(call, sandboxed, PI), _)).

%   partial_call(+Spec, +Closure, +Module, -Safe): Closure contains all arguments that are goals.

partial_call(Spec, Closure, Module, Safe) :-
    compound(Closure),
    compound_name_arity(Closure, Name, Arity),
    forall(( arg(I, Spec, Kind), goal_kind(Kind) ), I =< Arity),
    forall(( arg(I, Spec, Kind), needs_goal(Kind), arg(I, Closure, Arg) ), \+ unknown_goal(Arg)),
    compound_name_arity(Safe, Name, Arity),
    safe_arguments(1, Arity, Spec, Closure, Module, Safe).

%   own_parameters(+Parameters, -Own, -Given): Given is their number.  Own is a fresh
%   list, because the body is translated for exactly this number.

own_parameters(Parameters, Own, Given) :-
    nonvar(Parameters),
    (   Parameters = Free/List
    ->  Own = Free/Copy
    ;   List = Parameters,
        Own = Copy
    ),
    is_list(List),
    '$append'(List, [], Copy),
    length(List, Given).

%   safe_lambda(+Goal, -Safe): >> and / called as goals.

safe_lambda(Goal, Safe) :-
    compound_name_arguments(Goal, Name, [A,B|Actual]),
    length(Actual, N),
    compound_name_arguments(Closure, Name, [A,B]),
    (   known_closure(Closure, N, yall:Safe0)
    ->  compound_name_arguments(Safe0, _, [SA,SB]),
        compound_name_arguments(Safe1, Name, [SA,SB|Actual]),
        Safe = yall:Safe1
    ;   Safe = hb_checked:translated(Goal, throw(error(type_error(lambda_expression,Closure), _)))
    ).

%   safe_qualified(+Module, +Goal, -Safe): only the user's modules, those of capabilities, the
%   exports of libraries, and modules that do not exist yet can be named.  Calls of the latter are
%   translated again when the module comes.

safe_qualified(Module, Goal, hb_checked:checked(Module:Goal)) :-
    (   var(Module)
    ;   var(Goal)
    ),
    !.
safe_qualified(Module, Goal, Safe) :-
    hb_store:users_module(Module),
    !,
    users_qualified(Module, Goal, Safe).
safe_qualified(Module, Goal, Safe) :-
    hb_capability:qualified(Module, Goal, Safe0),
    !,
    must_be_acyclic(Goal),
    Safe = Safe0.
safe_qualified(Module, Goal, Safe) :-
    hb_store:free_module(Module),
    !,
    users_qualified(Module, Goal, Safe).
safe_qualified(Module, Goal, Safe) :-
    name_arity(Goal, Name, Arity),
    !,
    (   class(Name, Arity, Class),
        class_module(Class, Module)
    ->  class_goal(Class, Goal, Safe0),
        Safe = hb_checked:translated(Module:Goal, Safe0)
    ;   throw(error(permission_error(call, sandboxed, Module:Name/Arity), _))
    ).
safe_qualified(_, Goal, _) :-
    throw(error(type_error(callable, Goal), _)).

%   users_qualified(+Module, +Goal, -Safe): if the translation does not show that Goal was qualified,
%   it keeps what was written.

users_qualified(Module, Goal, Safe) :-
    goals_are_acyclic(Goal, 0),
    hb_store:module_of(Module, Context),
    (   hb_store:here(Context)
    ->  safe_goal(Goal, Safe)
    ;   inner(Goal, Module, Inner)
    ->  safe_goal(Inner, Safe)
    ;   hb_store:in_module(Context, hb_sandbox:safe_goal(Goal, Safe0)),
        (   ( Safe0 = hb_checked:checked(_) ; as_written(Safe0, Written), Written == Module:Goal )
        ->  Safe = Safe0
        ;   Safe = hb_checked:translated(Module:Goal, Safe0)
        )
    ).

%   inner(+Goal, +Module, -Inner): Inner is Goal with the module at the goals in it.

inner((A,B), M, (M:A,M:B)).
inner((A;B), M, (M:A;M:B)).
inner((A->B), M, (M:A->M:B)).
inner((A*->B), M, (M:A*->M:B)).
inner('|'(A,B), M, '|'(M:A,M:B)).
inner(\+A, M, \+M:A).
inner(Module:Goal, _, Module:Goal).
inner(!, _, !).

class_module(library(Module), Module).
class_module(library(Module,_), Module).
class_module(plain, system).
class_module(meta(_), system).
class_module(catch, system).
class_module(replaced(_), system).
class_module(format(_), system).
class_module(phrase, system).
