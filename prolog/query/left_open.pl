:- module(hb_left_open,
          [ left_open/3                 % +Names, +Answer, -Reason
          ]).
:- use_module('../read/subterms', [occurs/2]).
:- use_module(tries).
:- use_module(library(lists), [nth1/3]).

/** <module> Answers of rules that only exclude

A negation and forall/2 bind nothing.
*/

%!  left_open(+Names, +Answer, -Reason) is semidet.
%
%   A variable of the query, which holds, has no value in its Answer, and a negation or forall/2 in a clause was asked with it.
%   Reason is Format-Terms.

left_open(Names, Answer, "~s is unbound: ~s binds nothing, so a goal before it has to give ~s."-[text(Name), text(What), text(Name)]) :-
    in_rule(Goal, Values),
    excludes(Goal, What, Inside),
    nth1(I, Answer, Value),
    var(Value),
    nth1(I, Values, Var),
    var(Var),
    occurs(Var, Inside),
    nth1(I, Names, name(Name, _)),
    !.
in_rule(Goal, Values) :-
    asked_inside(_, Goal, Values, Ref),
    blob(Ref, clause).

excludes(forall(Condition, Action), "forall/2", Condition-Action).
excludes(\+Goal, "\\+", Goal).
excludes(not(Goal), "not/1", Goal).
