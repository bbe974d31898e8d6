:- module(hb_indicators,
          [ indicator/5                 % +Spec, +Module0, -Module, -Name, -Arity
          ]).
:- use_module('../functor').

/** <module> Predicates that a directive names
*/

%!  indicator(+Spec, +Module0, -Module, -Name, -Arity) is nondet.
%
%   Spec, as a directive has it, names a predicate.  Module qualifies Name, or else is Module0.

indicator(Spec, _, _, _, _) :-
    var(Spec),
    !,
    fail.
indicator((A,B), Module0, Module, Name, Arity) :-
    !,
    ( indicator(A, Module0, Module, Name, Arity) ; indicator(B, Module0, Module, Name, Arity) ).
indicator([H|T], Module0, Module, Name, Arity) :-
    !,
    ( indicator(H, Module0, Module, Name, Arity) ; indicator(T, Module0, Module, Name, Arity) ).
indicator(as(Spec, _), Module0, Module, Name, Arity) :-
    !,
    indicator(Spec, Module0, Module, Name, Arity).
indicator(Module1:Spec, _, Module, Name, Arity) :-
    !,
    atom(Module1),
    indicator(Spec, Module1, Module, Name, Arity).
indicator(Spec/Arity, Module0, Module, Name, Arity) :-
    !,
    named(Spec, Module0, Module, Name),
    integer(Arity).
indicator(Spec//Arity0, Module0, Module, Name, Arity) :-
    !,
    named(Spec, Module0, Module, Name),
    integer(Arity0),
    Arity is Arity0+2.
indicator(Moded, Module, Module, Name, Arity) :-
    callable(Moded),
    term_functor(Moded, Name, Arity).

named(Spec, _, Module, Name) :-
    nonvar(Spec),
    Spec = Module:Name,
    !,
    atom(Module),
    atom(Name).
named(Name, Module, Module, Name) :-
    atom(Name).
