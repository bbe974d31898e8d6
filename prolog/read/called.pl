:- module(hb_called,
          [ called/5,                   % +Goal, +Module0, -Module, -Name, -Arity
            asks_whether/3,             % +Body, +Name, +Arity
            calls_again/3               % +Head, +Body, -PI
          ]).
:- use_module('../functor').
:- use_module('../sandbox/policy', [class/3]).
:- use_module(around, [known_module/1]).
:- use_module(subterms, [goal_of/2, occurrences/3]).
:- use_module(library(lists), [append/3, memberchk/2]).

/** <module> Which predicates a goal calls, as far as can be read
*/

%!  called(+Goal, +Module0, -Module, -Name, -Arity) is nondet.
%
%   Goal calls a predicate that belongs neither to the system nor to a library.  Module qualifies the
%   goal, or else is Module0.

called(Goal, _, _, _, _) :-
    var(Goal),
    !,
    fail.
called(Module1:Goal, _, Module, Name, Arity) :-
    !,
    known_module(Module1),
    called(Goal, Module1, Module, Name, Arity).
called(Goal, Module0, Module, Name, Arity) :-
    name_arity(Goal, Name0, Arity0),
    (   class(Name0, Arity0, Class)
    ->  called_in(Class, Goal, Module0, Module, Name, Arity)
    ;   Module = Module0,
        Name = Name0,
        Arity = Arity0
    ).

called_in(control, Goal, Module0, Module, Name, Arity) :-
    arg(_, Goal, Arg),
    called(Arg, Module0, Module, Name, Arity).
called_in(catch, Goal, Module0, Module, Name, Arity) :-
    ( arg(1, Goal, Arg) ; arg(3, Goal, Arg) ),
    called(Arg, Module0, Module, Name, Arity).
called_in(meta(Spec), Goal, Module0, Module, Name, Arity) :-
    called_argument(Spec, Goal, Module0, Module, Name, Arity).
called_in(library(_, Spec), Goal, Module0, Module, Name, Arity) :-
    Goal \= _>>_,
    called_argument(Spec, Goal, Module0, Module, Name, Arity).

called_argument(Spec, Goal, Module0, Module, Name, Arity) :-
    arg(I, Spec, Kind),
    arg(I, Goal, Arg),
    nonvar(Arg),
    (   Kind == 0
    ->  called(Arg, Module0, Module, Name, Arity)
    ;   Kind == (^)
    ->  inner(Arg, Inner),
        called(Inner, Module0, Module, Name, Arity)
    ;   integer(Kind),
        callable(Arg),
        \+ lambda(Arg),
        term_parts(Arg, ArgName, Given),
        length(Extra, Kind),
        append(Given, Extra, All),
        Full =.. [ArgName|All],
        called(Full, Module0, Module, Name, Arity)
    ).

inner(Goal, Goal) :-
    var(Goal),
    !.
inner(_^Goal0, Goal) :-
    !,
    inner(Goal0, Goal).
inner(Goal, Goal).

lambda(_>>_).
lambda(_/_).
lambda(_:_).

%!  asks_whether(+Body, +Name, +Arity) is semidet.
%
%   Body asks whether there is a predicate Name/Arity, so that it need not be there.

asks_whether(Body, Name, Arity) :-
    goal_of(Body, Goal),
    nonvar(Goal),
    asks_for(Goal, Name0, Arity0),
    Name0 == Name,
    Arity0 == Arity,
    !.

asks_for(current_predicate(PI), Name, Arity) :-
    nonvar(PI),
    PI = Name/Arity.
asks_for(current_predicate(_, Head), Name, Arity) :-
    callable(Head),
    name_arity(Head, Name, Arity).
asks_for(predicate_property(Head, _), Name, Arity) :-
    callable(Head),
    name_arity(Head, Name, Arity).

%!  calls_again(+Head, +Body, -PI) is nondet.
%
%   Whenever Body succeeds, it has called the predicate PI, perhaps that of Head, with the rest of a list or with a number
%   that it has counted up or down; or that of Head with one of its arguments, which is nowhere else in the clause.

calls_again(Head, Body, Name/Arity) :-
    compound(Head),
    conjunct(Body, Goal),
    compound(Goal),
    term_functor(Goal, Name, Arity),
    arg(_, Goal, Passed),
    var(Passed),
    arg(_, Head, Given),
    (   nonvar(Given),
        Given = [_|Rest],
        Rest == Passed
    ;   var(Given),
        conjunct(Body, Step),
        nonvar(Step),
        Step = (Next is Expression),
        Next == Passed,
        compound(Expression),
        compound_name_arguments(Expression, Op, [From,By]),
        memberchk(Op, [+,-]),
        From == Given,
        integer(By)
    ).

calls_again(Head, Body, Name/Arity) :-
    compound(Head),
    term_functor(Head, Name, Arity),
    conjunct(Body, Goal),
    compound(Goal),
    term_functor(Goal, Name, Arity),
    arg(I, Head, Given),
    var(Given),
    arg(I, Goal, Passed),
    Passed == Given,
    occurrences(Head-Body, Given, 2).

conjunct(Goal, Goal) :-
    var(Goal),
    !.
conjunct((A,B), Goal) :-
    !,
    ( conjunct(A, Goal) ; conjunct(B, Goal) ).
conjunct(Goal, Goal).
