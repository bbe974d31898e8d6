:- module(hb_left_open,
          [ left_open/3                 % +Names, +Answer, -Reason
          ]).
:- use_module('../read/subterms', [occurs/2]).
:- use_module(tries).
:- use_module(library(lists), [nth1/3]).

/** <module> Answers of rules that bind nothing

A negation and forall/2 only exclude.  findall/3 and aggregate_all/3 leave the variables of their goal as they are.
*/

%!  left_open(+Names, +Answer, -Reason) is semidet.
%
%   A variable of the query, which holds, has no value in its Answer, and a negation or forall/2 in a clause was asked with it,
%   or a goal that collects.  Reason is Format-Terms.

left_open(Names, Answer, Reason) :-
    in_rule(Goal, Values),
    binds_nothing(Goal, Inside, Outside, Why),
    nth1(I, Answer, Value),
    var(Value),
    nth1(I, Values, Var),
    var(Var),
    occurs(Var, Inside),
    \+ occurs(Var, Outside),
    nth1(I, Names, name(Name, _)),
    !,
    Reason = "~s is unbound: ~s, so a goal before it has to give ~s."-[text(Name), text(Why), text(Name)].

in_rule(Goal, Values) :-
    asked_inside(_, Goal, Values, Ref),
    blob(Ref, clause).

%   binds_nothing(+Goal, -Inside, -Outside, -Why): Goal leaves the variables of Inside as they are, unless they are in Outside.

binds_nothing(forall(Condition, Action), Condition-Action, true, "forall/2 binds nothing").
binds_nothing(\+Goal, Goal, true, "\\+ binds nothing").
binds_nothing(not(Goal), Goal, true, "not/1 binds nothing").
binds_nothing(findall(Template, Goal, List), Goal, Template-List, "findall/3 collects for all its values at once").
binds_nothing(aggregate_all(Spec, Goal, Result), Goal, Spec-Result, "aggregate_all/3 has one result for all its values").
