:- module(hb_unbound_after,
          [ unbound_after/4             % +Head, +Body, -Inside, -Var
          ]).
:- use_module('../conjuncts').
:- use_module('../functor').
:- use_module(subterms).
:- use_module(library(lists), [memberchk/2]).

/** <module> Variables that stay inside a goal

findall/3, forall/2 and aggregate_all/3 leave the variables of their goals as they were.
*/

%!  unbound_after(+Head, +Body, -Inside, -Var) is nondet.
%
%   Var stands first in the goal inside Inside, such as `findall/3`, of Body, and the next goal that has it asks for its value.

unbound_after(Head, Body, Inside, Var) :-
    conjuncts(Body, Goals),
    '$append'(Before, [Goal|After], Goals),
    kept_inside(Goal, Inside, Inner, Outer),
    term_variables(Inner, Vars),
    term_variables(Head-Before-Outer, Known),
    '$member'(Var, Vars),
    \+ ( '$member'(Other, Known), Other == Var ),
    next_with(After, Var, Next),
    asks_value(Next, Var).

%   kept_inside(+Goal, -Inside, -Inner, -Outer): the variables of Inner stay as they are, those of Outer do not.

kept_inside(Goal, Inside, Inner, Outer) :-
    compound(Goal),
    kept(Goal, Inside, Inner, Outer).

kept(findall(Template, Inner, List), findall/3, Template-Inner, List).
kept(aggregate_all(Spec, Inner, Result), aggregate_all/3, Spec-Inner, Result).
kept(forall(Condition, Action), forall/2, Condition-Action, true).

next_with([Goal|Goals], Var, Next) :-
    (   occurs(Var, Goal)
    ->  Next = Goal
    ;   next_with(Goals, Var, Next)
    ).

asks_value(Goal, Var) :-
    compound(Goal),
    term_functor(Goal, Name, _),
    (   Goal = (_ is Expression)
    ->  occurs(Var, Expression)
    ;   memberchk(Name, [<,>,=<,>=,=:=,=\=,==,\==,write,print,writeln,format])
    ).
