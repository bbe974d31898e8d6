:- module(hb_sandbox,
          [ safe_body/2,                % +Body, -Safe
            as_written/2,               % +Safe, -Body
            check_format/1,             % +Format
            translated/2,               % +Original, :Safe
            phrase_list/1,              % +List
            checked/1, checked/2, checked/3, checked/4, checked/5,
            checked/6, checked/7, checked/8, checked/9
          ]).
:- use_module(policy).

/** <module> The sandbox

Untrusted code is translated as it is added, and only translated code runs.
The translation of a body leaves calls of the user's own predicates and of
harmless ones as they are, refuses what hb_policy:class/3 refuses, and
treats the arguments that are goals in the same way, at any depth.  A goal
that is not known before the code runs becomes checked(Goal), which
translates it when it is called.

So every clause is safe by itself: it reaches only listed predicates and
predicates of the user, whose clauses were translated too, now or later.
There is nothing to check again when a predicate changes, and an undefined
predicate ends nothing.

Two things must hold for this.  Untrusted code runs in the module
knowledge_base, which sees the module system and no other and loads nothing
by itself; and nothing gives untrusted code a reference to a translated
goal, which it could change in place (hb_builtins:frozen/2 and clause/2
return copies).
*/

%!  safe_body(+Body, -Safe) is det.
%
%   Safe is the translation of Body, a clause body or a query.
%
%   @error hornbook(unsafe(What)) if it may call something refused, What a
%   predicate indicator or a module-qualified one.
%   @error type_error(callable, Body)

safe_body(Var, hb_sandbox:checked(Var)) :-
    var(Var),
    !.
safe_body((A,B), (SA,SB)) :-
    !,
    safe_body(A, SA),
    safe_body(B, SB).
safe_body((A;B), (SA;SB)) :-
    !,
    safe_body(A, SA),
    safe_body(B, SB).
safe_body((A->B), (SA->SB)) :-
    !,
    safe_body(A, SA),
    safe_body(B, SB).
safe_body((A*->B), (SA*->SB)) :-
    !,
    safe_body(A, SA),
    safe_body(B, SB).
safe_body('|'(A,B), (SA;SB)) :-
    !,
    safe_body(A, SA),
    safe_body(B, SB).
safe_body(\+A, \+SA) :-
    !,
    safe_body(A, SA).
safe_body(Module:Goal, Safe) :-
    !,
    safe_qualified(Module, Goal, Safe).
safe_body(Goal, Safe) :-
    callable(Goal),
    !,
    functor(Goal, Name, Arity),
    (   class(Name, Arity, Class),
        \+ own_over(Class, Name, Arity)
    ->  safe_goal(Class, Goal, Safe)
    ;   Safe = Goal
    ).
safe_body(Goal, _) :-
    throw(error(type_error(callable, Goal), _)).

%   own_over(+Class, +Name, +Arity): the user has clauses for a predicate
%   of this name, and theirs is meant.

own_over(Class, Name, Arity) :-
    own_class(Class),
    hb_store:own(Name, Arity).

own_class(plain).
own_class(refused).
own_class(library(_)).
own_class(library(_,_)).

safe_goal(plain, Goal, Goal).
safe_goal(meta(Spec), Goal, Safe) :-
    safe_arguments(Spec, Goal, system, Safe).
safe_goal(library(Module), Goal, Module:Goal).
safe_goal(library(Module,Spec), Goal, Safe) :-
    (   safe_special(Module, Goal, Safe)
    ->  true
    ;   safe_arguments(Spec, Goal, Module, Safe0),
        Safe = Module:Safe0
    ).
safe_goal(replaced(Name), Goal, hb_builtins:Safe) :-
    Goal =.. [_|Args],
    Safe =.. [Name|Args].
safe_goal(catch, Goal, Safe) :-
    Goal =.. [Name,G,Ball,Recovery],
    safe_body(G, SG),
    safe_body(Recovery, SR),
    Safe =.. [Name,SG,Ball,(hb_limits:not_a_stop(Ball),SR)].
safe_goal(phrase, Goal, Safe) :-
    Goal =.. [Name,Body|Lists],
    safe_phrase(Body, Name, Lists, Safe).
safe_goal(format(Position), Goal, Safe) :-
    arg(Position, Goal, Format),
    (   Position == 1,
        atomic(Format),
        \+ may_call_goals(Format)
    ->  Safe = Goal
    ;   Goal =.. [_|Args],
        Safe0 =.. [safe_format|Args],
        Safe = hb_builtins:Safe0
    ).
safe_goal(dml, Goal, hb_dml:Safe) :-
    hb_dml:called(Goal, Safe).
safe_goal(dml(Spec), Goal, hb_dml:Safe) :-
    safe_arguments(Spec, Goal, hb_dml, Safe).
safe_goal(refused, Goal, _) :-
    functor(Goal, Name, Arity),
    throw(error(hornbook(unsafe(Name/Arity)), _)).

%   safe_arguments(+Spec, +Goal, +Module, -Safe): translate the arguments
%   that are goals.  Those of a library are qualified, for an explicit
%   Module: sets the context of the call.

safe_arguments(Spec, Goal, Module, Safe) :-
    functor(Goal, Name, Arity),
    functor(Safe, Name, Arity),
    safe_arguments(1, Arity, Spec, Goal, Module, Safe).

safe_arguments(I, Arity, _, _, _, _) :-
    I > Arity,
    !.
safe_arguments(I, Arity, Spec, Goal, Module, Safe) :-
    arg(I, Spec, Kind),
    arg(I, Goal, Arg),
    (   safe_meta_argument(Kind, Arg, Safe0)
    ->  qualified_argument(Module, Safe0, Safe1)
    ;   Safe1 = Arg
    ),
    arg(I, Safe, Safe1),
    I1 is I+1,
    safe_arguments(I1, Arity, Spec, Goal, Module, Safe).

safe_meta_argument(N, Arg, Safe) :-
    integer(N),
    !,
    (   N == 0
    ->  safe_body(Arg, Safe)
    ;   safe_closure(Arg, N, Safe)
    ).
safe_meta_argument(^, Arg, Safe) :-
    safe_bagof(Arg, Safe).
safe_meta_argument(//, Arg, Safe) :-
    safe_closure(Arg, 2, Safe).
safe_meta_argument(:, Arg, Arg).

qualified_argument(system, Arg, Arg) :-
    !.
qualified_argument(_, Arg, knowledge_base:Arg).

safe_bagof(Arg, Safe) :-
    nonvar(Arg),
    Arg = Var^Goal,
    !,
    Safe = Var^Safe0,
    safe_bagof(Goal, Safe0).
safe_bagof(Arg, Safe) :-
    safe_body(Arg, Safe).

%   safe_closure(+Closure, +N, -Safe): Closure is called with N more
%   arguments.

safe_closure(Closure, N, Safe) :-
    callable(Closure),
    known_closure(Closure, N, Safe),
    !.
safe_closure(Closure, _, hb_sandbox:checked(Closure)).

known_closure(Module:Closure, N, Safe) :-
    !,
    home(Module),
    known_closure(Closure, N, Safe).
known_closure(Free/Lambda, N, yall:(Free/Safe)) :-
    !,
    nonvar(Lambda),
    Lambda = Parameters>>Body,
    known_lambda(Parameters, Body, N, Safe).
known_closure(Parameters>>Body, N, yall:Safe) :-
    !,
    known_lambda(Parameters, Body, N, Safe).
known_closure(Closure, N, Safe) :-
    functor(Closure, Name, Arity0),
    Arity is Arity0+N,
    (   class(Name, Arity, Class),
        \+ own_over(Class, Name, Arity)
    ->  closure_class(Class, Closure, N, Safe)
    ;   Safe = knowledge_base:Closure
    ).

closure_class(plain, Closure, _, system:Closure).
closure_class(library(Module), Closure, _, Module:Closure).
closure_class(replaced(Name), Closure, _, hb_builtins:Safe) :-
    Closure =.. [_|Args],
    Safe =.. [Name|Args].
closure_class(refused, Closure, N, _) :-
    functor(Closure, Name, Arity0),
    Arity is Arity0+N,
    throw(error(hornbook(unsafe(Name/Arity)), _)).

known_lambda(Parameters, Body, N, Parameters>>(knowledge_base:Safe)) :-
    is_list(Parameters),
    length(Parameters, Given),
    Extra is max(0, N-Given),
    (   Extra == 0
    ->  safe_body(Body, Safe)
    ;   nonvar(Body),
        safe_closure(Body, Extra, Safe)
    ).

%   yall:(>>) and (/) called as goals: all the parameters are given.

safe_special(yall, Goal, Safe) :-
    Goal =.. [Name,A,B|Actual],
    length(Actual, N),
    Closure =.. [Name,A,B],
    (   known_closure(Closure, N, yall:Safe0)
    ->  Safe0 =.. Parts,
        append_list(Parts, Actual, SafeParts),
        Safe1 =.. SafeParts,
        Safe = yall:Safe1
    ;   Name == >>,
        var(A)
    ->  throw(error(instantiation_error, _))
    ;   throw(error(type_error(lambda_expression, Closure), _))
    ).

append_list([], L, L).
append_list([H|T], L, [H|R]) :-
    append_list(T, L, R).

%   safe_qualified(+Module, +Goal, -Safe): only the user's own module and
%   what the libraries export can be named.

safe_qualified(Module, Goal, hb_sandbox:checked(Module:Goal)) :-
    (   var(Module)
    ;   var(Goal)
    ),
    !.
safe_qualified(Module, Goal, Safe) :-
    home(Module),
    !,
    safe_body(Goal, Safe).
safe_qualified(hb_sandbox, Goal, hb_sandbox:Goal) :-
    functor(Goal, checked, _),          % a translated goal that came back as a term
    !.
safe_qualified(Module, Goal, Safe) :-
    atom(Module),
    callable(Goal),
    functor(Goal, Name, Arity),
    class(Name, Arity, Class),
    class_module(Class, Module),
    !,
    safe_goal(Class, Goal, Safe).
safe_qualified(Module, Goal, _) :-
    callable(Goal),
    !,
    functor(Goal, Name, Arity),
    throw(error(hornbook(unsafe(Module:Name/Arity)), _)).
safe_qualified(_, Goal, _) :-
    throw(error(type_error(callable, Goal), _)).

%   Text is written for one module; user is what people call it elsewhere.

home(Module) :-
    Module == knowledge_base,
    !.
home(Module) :-
    Module == user.

class_module(library(Module), Module).
class_module(library(Module,_), Module).
class_module(plain, system).
class_module(meta(_), system).
class_module(catch, system).
class_module(replaced(_), system).
class_module(control, system).
class_module(format(_), system).
class_module(phrase, system).

%   safe_phrase(+Body, +Name, +Lists, -Safe): the body of a phrase/2,3 or
%   call_dcg/3 goal is translated to a goal now, if it is known.

safe_phrase(Body, Name, Lists, Safe) :-
    (   var(Body)
    ;   Body = _:_
    ),
    !,
    atom_concat(safe_, Name, SafeName),
    Safe0 =.. [SafeName,Body|Lists],
    Safe = hb_builtins:Safe0.
safe_phrase(Body, Name, Lists, Safe) :-
    dcg_translate_rule(('$hb' --> Body), ('$hb'(S0,S) :- Goal)),
    safe_body(Goal, SafeGoal),
    (   Lists = [S00]
    ->  S1 = []
    ;   Lists = [S00,S1]
    ),
    Original =.. [Name,Body|Lists],
    (   Name == phrase
    ->  Check = hb_sandbox:phrase_list(S00)
    ;   Check = true
    ),
    Safe = hb_sandbox:translated(Original, (Check, S0 = S00, S = S1, SafeGoal)).

%   may_call_goals(+Format): the format may have ~@ or ~W, whose arguments
%   can hold goals.

may_call_goals(Format) :-
    (   sub_atom(Format, _, _, _, @)
    ;   sub_atom(Format, _, _, _, 'W')
    ),
    !.

%!  check_format(+Format) is det.
%
%   Refuse a format with a directive that calls goals.

check_format(Format) :-
    text_to_string(Format, Text),
    (   may_call_goals(Text),
        directive(Text, Code),
        memberchk(Code-What, [0'@-'~@', 0'W-'~W'])
    ->  throw(error(hornbook(unsafe(format(What))), _))
    ;   true
    ).

directive(Text, Code) :-
    sub_string(Text, At, _, _, "~"),
    At1 is At+1,
    sub_string(Text, At1, _, 0, Rest),
    string_codes(Rest, Codes),
    directive_argument(Codes, [Code|_]).

directive_argument([0'`,_|T], T) :- !.
directive_argument([0'*|T], T) :- !.
directive_argument([0':|T0], T) :-
    !,
    directive_argument(T0, T).
directive_argument([D|T0], T) :-
    code_type(D, digit),
    !,
    directive_argument(T0, T).
directive_argument(T, T).

%!  as_written(+Safe, -Body) is det.
%
%   The inverse of safe_body/2: Body is a term that was, or could have
%   been, translated to Safe.

as_written(Var, Var) :-
    var(Var),
    !.
as_written(true, true) :-
    !.
as_written(hb_sandbox:Goal, Written) :-
    !,
    (   Goal = translated(Written, _)
    ->  true
    ;   Goal =.. [checked,Closure|Args],
        (   Args == []
        ->  Written = Closure
        ;   Written =.. [call,Closure|Args]
        )
    ).
as_written(hb_builtins:Goal, Written) :-
    !,
    Goal =.. [SafeName|Args],
    atom_concat(safe_, Name, SafeName),
    Written =.. [Name|Args].
as_written(hb_dml:Goal, Written) :-
    !,
    hb_dml:written(Goal, Written0),
    (   Written0 == Goal
    ->  as_written(Goal, Written)
    ;   Written = Written0
    ).
as_written((hb_limits:not_a_stop(_),Recovery), Written) :-
    !,
    as_written(Recovery, Written).
as_written(Module:Goal, Written) :-
    !,
    (   atom(Module)
    ->  as_written(Goal, Written)
    ;   Written = Module:Goal
    ).
as_written(Safe, Written) :-
    compound(Safe),
    functor(Safe, Name, Arity),
    class(Name, Arity, Class),
    goal_arguments(Class, Spec),
    !,
    functor(Written, Name, Arity),
    written_arguments(1, Arity, Spec, Safe, Written).
as_written(Goal, Goal).

%   goal_arguments(+Class, -Spec): Spec is a meta-predicate declaration, or
%   all.

goal_arguments(control, all).
goal_arguments(catch, catch(0,?,0)).
goal_arguments(meta(Spec), Spec).
goal_arguments(library(_,Spec), Spec).
goal_arguments(dml(Spec), Spec).

written_arguments(I, Arity, _, _, _) :-
    I > Arity,
    !.
written_arguments(I, Arity, Spec, Safe, Written) :-
    arg(I, Safe, Arg),
    (   goal_argument(Spec, I)
    ->  written_argument(Arg, Arg1)
    ;   Arg1 = Arg
    ),
    arg(I, Written, Arg1),
    I1 is I+1,
    written_arguments(I1, Arity, Spec, Safe, Written).

goal_argument(all, _) :-
    !.
goal_argument(Spec, I) :-
    arg(I, Spec, Kind),
    (   integer(Kind)
    ->  true
    ;   memberchk(Kind, [^,//,:])
    ).

written_argument(Var, Var) :-
    var(Var),
    !.
written_argument(Var^Safe, Var^Written) :-
    !,
    written_argument(Safe, Written).
written_argument(Parameters>>Safe, Parameters>>Written) :-
    !,
    written_argument(Safe, Written).
written_argument(Free/Safe, Free/Written) :-
    !,
    written_argument(Safe, Written).
written_argument(Module:Safe, Written) :-
    Module == yall,
    !,
    written_argument(Safe, Written).
written_argument(Safe, Written) :-
    as_written(Safe, Written).

%!  checked(:Goal) is nondet.
%!  checked(:Closure, ?A1, ...) is nondet.
%
%   Call Goal, or Closure with more arguments, as call/N does, after the
%   check that was not possible before.

checked(Goal) :-
    var(Goal),
    !,
    throw(error(instantiation_error, _)).
checked(Goal) :-
    compound(Goal),
    !,
    compound_name_arity(Goal, Name, Arity),
    checked_call(Name, Arity, Goal).
checked(Goal) :-
    atom(Goal),
    !,
    checked_call(Goal, 0, Goal).
checked(Goal) :-
    throw(error(type_error(callable, Goal), _)).

checked_call(Name, Arity, Goal) :-
    (   class(Name, Arity, Class),
        Class \== plain
    ->  safe_body(Goal, Safe),
        call(knowledge_base:Safe)
    ;   call(knowledge_base:Goal)
    ).

checked(Closure, A1) :-
    more(Closure, [A1], Goal),
    checked(Goal).
checked(Closure, A1, A2) :-
    more(Closure, [A1,A2], Goal),
    checked(Goal).
checked(Closure, A1, A2, A3) :-
    more(Closure, [A1,A2,A3], Goal),
    checked(Goal).
checked(Closure, A1, A2, A3, A4) :-
    more(Closure, [A1,A2,A3,A4], Goal),
    checked(Goal).
checked(Closure, A1, A2, A3, A4, A5) :-
    more(Closure, [A1,A2,A3,A4,A5], Goal),
    checked(Goal).
checked(Closure, A1, A2, A3, A4, A5, A6) :-
    more(Closure, [A1,A2,A3,A4,A5,A6], Goal),
    checked(Goal).
checked(Closure, A1, A2, A3, A4, A5, A6, A7) :-
    more(Closure, [A1,A2,A3,A4,A5,A6,A7], Goal),
    checked(Goal).
checked(Closure, A1, A2, A3, A4, A5, A6, A7, A8) :-
    more(Closure, [A1,A2,A3,A4,A5,A6,A7,A8], Goal),
    checked(Goal).

more(Closure, _, _) :-
    var(Closure),
    !,
    throw(error(instantiation_error, _)).
more(Module:Closure, Args, Module:Goal) :-
    !,
    more(Closure, Args, Goal).
more(Closure, Args, Goal) :-
    callable(Closure),
    !,
    Closure =.. Parts0,
    append_list(Parts0, Args, Parts),
    Goal =.. Parts.
more(Closure, _, _) :-
    throw(error(type_error(callable, Closure), _)).

%!  translated(+Original, :Safe) is nondet.
%
%   Call Safe, the translation of Original.

translated(_, Safe) :-
    call(knowledge_base:Safe).

%!  phrase_list(+List) is det.
%
%   The check of phrase/2,3.

phrase_list(List) :-
    '$skip_list'(_, List, Tail),
    (   var(Tail)
    ->  true
    ;   Tail == []
    ->  true
    ;   throw(error(type_error(list, List), _))
    ).
