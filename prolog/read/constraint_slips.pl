:- module(hb_constraint_slips,
          [ undone_constraint/3,        % +Body, -Within, -Constraint
            chooses_variable/2          % +Body, -Option
          ]).
:- use_module('../conjuncts').
:- use_module(subterms).
:- use_module(library(lists), [memberchk/2]).

/** <module> Constraints where they are lost, or decide too early

A negation and forall/2 undo the constraints of their goals.  A constraint on a variable that has no value yet holds as a
condition whenever it may hold, and so the other branch is never tried.
*/

%!  undone_constraint(+Body, -Within, -Constraint) is nondet.
%
%   Constraint stands within `\+`, `forall` or `->` of the conjunction Body, and has a variable that a constraint before has
%   left without a value.

undone_constraint(Body, Within, Constraint) :-
    conjuncts(Body, Goals),
    '$append'(Before, [Goal|_], Goals),
    within(Goal, Within, Inner),
    goal_conjunct(Inner, Constraint),
    constraint(Constraint),
    term_variables(Constraint, Vars),
    '$member'(Var, Vars),
    constrained(Before, Var),
    !.

goal_conjunct(Goal, Conjunct) :-
    nonvar(Goal),
    (   Goal = (A,B)
    ->  ( goal_conjunct(A, Conjunct) ; goal_conjunct(B, Conjunct) )
    ;   Conjunct = Goal
    ).

within(Goal, _, _) :-
    var(Goal),
    !,
    fail.
within(\+Goal, \+, Goal).
within(not(Goal), not, Goal).
within(forall(_, Goal), forall, Goal).
within((If;_), ->, Condition) :-
    nonvar(If),
    If = (Condition->_).

constraint(Goal) :-
    compound(Goal),
    compound_name_arity(Goal, Name, 2),
    memberchk(Name, [#=,#\=,#<,#>,#=<,#>=,in,ins]).

%   constrained(+Before, @Var): the last goal of Before that has Var is about its domain.

constrained(Before, Var) :-
    '$append'(_, [Goal|After], Before),
    occurs(Var, Goal),
    \+ occurs(Var, After),
    !,
    domain(Goal).

domain(Goal) :-
    compound(Goal),
    compound_name_arity(Goal, Name, 2),
    memberchk(Name, [in,ins,#\=,#<,#>,#=<,#>=]).

%!  chooses_variable(+Body, -Option) is semidet.
%
%   Body labels variables with nothing but the Option `max`, which chooses the variable that comes next.  Programs use `min`
%   for that, too, and mean it.

chooses_variable(Body, Option) :-
    goal_of(Body, Goal),
    nonvar(Goal),
    Goal = labeling(Options, _),
    nonvar(Options),
    Options == [max],
    !,
    Option = max.
