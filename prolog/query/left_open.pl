:- module(hb_left_open,
          [ left_open/4                 % +Query, +Names, +Answer, -Reason
          ]).
:- use_module('../read/subterms', [sub_term_of/2, occurs/2]).
:- use_module(domains, [in_a_clause/1]).
:- use_module(text_differences, [text/1]).
:- use_module(tries).
:- use_module(library(lists), [nth1/3]).

/** <module> Answers of rules that only exclude

A negation and forall/2 bind nothing, and hold where there is nothing to exclude.
*/

%!  left_open(+Query, +Names, +Answer, -Reason) is semidet.
%
%   A variable of Query, which holds, has no value in its Answer, and a negation or forall/2 in a clause was asked with it; or
%   forall/2 held of a word of Query that no clause has.  Reason is Format-Terms.

left_open(_, Names, Answer, "~s is unbound: ~s binds nothing, so a goal before it has to give ~s."-[text(Name), text(What), text(Name)]) :-
    in_rule(Goal, Values),
    excludes(Goal, What, Inside),
    nth1(I, Answer, Value),
    var(Value),
    nth1(I, Values, Var),
    var(Var),
    occurs(Var, Inside),
    nth1(I, Names, name(Name, _)),
    !.
left_open(Query, _, _, "~s holds because nothing matches ~s: no clause has ~s."-[text("forall/2"), Condition, Word]) :-
    in_rule(forall(Condition, _), _),
    sub_term_of(Word, Condition),
    text(Word),
    occurs(Word, Query),
    \+ in_a_clause(Word),
    !.

in_rule(Goal, Values) :-
    asked_inside(_, Goal, Values, Ref),
    blob(Ref, clause).

excludes(forall(Condition, Action), "forall/2", Condition-Action).
excludes(\+Goal, "\\+", Goal).
excludes(not(Goal), "not/1", Goal).
