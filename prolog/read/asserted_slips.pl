:- module(hb_asserted_slips,
          [ stored_expression/2         % +Body, -Expression
          ]).
:- use_module('../functor').
:- use_module(expressions).
:- use_module(subterms).
:- use_module(library(lists), [memberchk/2]).

/** <module> Facts that are stored with an expression instead of its value
*/

%!  stored_expression(+Body, -Expression) is nondet.
%
%   A goal of Body adds a fact with Expression as an argument, which was meant to be computed: it has a variable with which
%   Body computes, or which is the same argument of a fact that Body takes out or asks for.

stored_expression(Body, Expression) :-
    goal_of(Body, Goal),
    adds(Goal, Fact),
    compound(Fact),
    Fact \= (_:-_),
    arg(I, Fact, Expression),
    operation(Expression),
    \+ ground(Expression),
    \+ pair(Expression),
    compound_name_arity(Expression, Operator, _),
    memberchk(Operator, [+,-,*]),
    once(( sub_term_of(Var, Expression),
           var(Var),
           ( is_computed(Var, Body) ; was_number(Body, Fact, I, Expression, Var) ) )).

adds(Goal, Fact) :-
    compound(Goal),
    compound_name_arguments(Goal, Name, [Fact]),
    memberchk(Name, [assert,assertz,asserta]).

%   was_number(+Body, +Fact, +I, +Expression, @Var): Body asks for Var as argument I of the predicate of Fact, and to it adds a
%   number or a variable.

was_number(Body, Fact, I, Expression, Var) :-
    term_functor(Fact, Name, Arity),
    term_functor(Like, Name, Arity),
    compound_name_arguments(Expression, Operator, _),
    memberchk(Operator, [+,-]),
    goal_of(Body, Goal),
    ( Asked = Goal ; nonvar(Goal), Goal = retract(Asked) ),
    nonvar(Asked),
    Asked = Like,
    arg(I, Like, Same),
    Same == Var,
    !.
