:- module(hb_functions,
          [ expand_functions/2,         % +Body0, -Body
            dict_method/4,              % +Head0, +Body0, -Head, -Body
            has_function/1,             % +Term
            expand_head/4               % +Head0, +Body0, -Head, -Body
          ]).
:- use_module(policy).

/** <module> Functional notation on dicts

`X = Dict.key` means `.(Dict, key, V), X = V`: as when SWI-Prolog loads a clause,
functions in the arguments of a goal are called before it.
*/

%!  expand_functions(+Body0, -Body) is det.
%
%   Body is Body0 without functional notation.  Bodies are acyclic.

expand_functions(Body0, Body) :-
    (   has_function(Body0)
    ->  expand(Body0, Body)
    ;   Body = Body0
    ).

%!  dict_method(+Head0, +Body0, -Head, -Body) is semidet.
%
%   Head0 is `Dict.Function := Value`, which defines Function for the dicts that have the name of the module for a tag: Head is
%   Function with Dict and Value as its last arguments.  Functions in Value are called after Body0.

dict_method(Head0, Body0, Head, Body) :-
    nonvar(Head0),
    Head0 = (Called := Value0),
    compound(Called),
    compound_name_arguments(Called, '.', [Dict,Function]),
    callable(Function),
    (   compound(Function)
    ->  compound_name_arguments(Function, Name, Args)
    ;   Name = Function,
        Args = []
    ),
    replace(Value0, Value, Calls, []),
    '$append'(Args, [Dict,Value], All),
    compound_name_arguments(Head, Name, All),
    after(Calls, Body0, Body).

after([], Body, Body).
after([Call|Calls], Body0, Body) :-
    (   Body0 == true
    ->  Body1 = Call
    ;   Body1 = (Body0,Call)
    ),
    after(Calls, Body1, Body).

%!  expand_head(+Head0, +Body0, -Head, -Body) is det.
%
%   Head :- Body is the clause Head0 :- Body0 without functional notation in its head.  Functions
%   there are called after the head has matched.

expand_head(Head0, Body0, Head, Body) :-
    (   has_function(Head0),
        acyclic_term(Head0)
    ->  replace_arguments(Head0, Head, Calls),
        before(Calls, Body0, Body)
    ;   Head = Head0,
        Body = Body0
    ).

replace_arguments(Module:Head0, Module:Head, Calls) :-
    !,
    replace_arguments(Head0, Head, Calls).
replace_arguments(Head0, Head, Calls) :-
    compound_name_arguments(Head0, Name, Args0),
    replace_list(Args0, Args, Calls, []),
    compound_name_arguments(Head, Name, Args).

%!  has_function(+Term) is semidet.
%
%   The acyclic Term contains functional notation.  Recurses on the last argument, because lists may be long.

has_function(Term) :-
    compound(Term),
    compound_name_arity(Term, Name, Arity),
    (   Name == '.',
        Arity == 2
    ->  true
    ;   has_function(1, Arity, Term)
    ).

has_function(I, Arity, Term) :-
    I < Arity,
    !,
    arg(I, Term, Arg),
    (   compound(Arg),
        has_function(Arg)
    ->  true
    ;   I1 is I+1,
        has_function(I1, Arity, Term)
    ).
has_function(Arity, Arity, Term) :-
    arg(Arity, Term, Arg),
    has_function(Arg).

%   expand(+Goal0, -Goal): functions in an argument that is itself a goal are called
%   within that goal.

expand(Goal0, Goal) :-
    (   compound(Goal0),
        goals(Goal0, Spec)
    ->  compound_name_arity(Goal0, Name, Arity),
        compound_name_arity(Goal1, Name, Arity),
        expand_arguments(1, Arity, Spec, Goal0, Goal1, Calls, [])
    ;   replace(Goal0, Goal1, Calls, [])
    ),
    before(Calls, Goal1, Goal).

before([], Goal, Goal).
before([Call|Calls], Goal0, (Call,Goal)) :-
    before(Calls, Goal0, Goal).

goals((_,_), c(0,0)).
goals((_;_), c(0,0)).
goals((_->_), c(0,0)).
goals((_*->_), c(0,0)).
goals('|'(_,_), c(0,0)).
goals(\+_, c(0)).
goals(_:_, c(?,0)).
goals(_^_, c(?,0)).
goals(_>>_, c(?,0)).
goals(_/_, c(?,0)).
goals(Goal, Spec) :-
    compound_name_arity(Goal, Name, Arity),
    class(Name, Arity, Class),
    class_goals(Class, Spec).

class_goals(meta(Spec), Spec).
class_goals(library(_,Spec), Spec).
class_goals(offered(_,Spec), Spec).
class_goals(catch, catch(0,?,0)).

expand_arguments(I, Arity, _, _, _, Calls, Calls) :-
    I > Arity,
    !.
expand_arguments(I, Arity, Spec, Goal0, Goal, Calls0, Calls) :-
    arg(I, Spec, Kind),
    arg(I, Goal0, Arg0),
    arg(I, Goal, Arg),
    (   nonvar(Arg0),
        goal_kind(Kind)
    ->  expand(Arg0, Arg),
        Calls1 = Calls0
    ;   replace(Arg0, Arg, Calls0, Calls1)
    ),
    I1 is I+1,
    expand_arguments(I1, Arity, Spec, Goal0, Goal, Calls1, Calls).

%   replace(+Term0, -Term, -Calls, ?Tail): Calls are the calls of the functions in
%   Term0, innermost first.

replace(Term0, Term, Calls0, Calls) :-
    (   has_function(Term0)
    ->  compound_name_arguments(Term0, Name, Args0),
        replace_list(Args0, Args, Calls0, Calls1),
        (   Name == '.',
            Args = [Dict,Function]
        ->  compound_name_arguments(Call, '.', [Dict,Function,Term]),
            Calls1 = [Call|Calls]
        ;   compound_name_arguments(Term, Name, Args),
            Calls1 = Calls
        )
    ;   Term = Term0,
        Calls0 = Calls
    ).

replace_list([], [], Calls, Calls).
replace_list([T0|Ts0], [T|Ts], Calls0, Calls) :-
    replace(T0, T, Calls0, Calls1),
    replace_list(Ts0, Ts, Calls1, Calls).
