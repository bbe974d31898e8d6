:- module(hb_collected,
          [ collected_variables/3,      % +Term, +Body, -Vars
            collected/4,                % +Head, +Body, -Name, -Var
            inner/4                     % +Goal0, +Bound0, -Bound, -Goal
          ]).
:- use_module(subterms).
:- use_module(library(lists), [memberchk/2]).

/** <module> What bagof/3 and setof/3 collect by
*/

%!  collected_variables(+Term, +Body, -Vars) is det.
%
%   The variables of the clause Term that bagof/3 or setof/3 has alone.

collected_variables(Term, Body, Vars) :-
    findall(Name, collected(Term, Body, Name, _), Names),
    (   Names == []
    ->  Vars = []
    ;   bagof_variables(Term, Body, Vars)
    ).

bagof_variables(Term, Body, Vars) :-
    term_variables(Body, All),
    only_collected(All, Term, Body, Vars).

only_collected([], _, _, []).
only_collected([Var|All], Term, Body, Vars) :-
    (   collected(Term, Body, _, Other),
        Other == Var
    ->  Vars = [Var|Vars1]
    ;   Vars = Vars1
    ),
    only_collected(All, Term, Body, Vars1).

%!  collected(+Head, +Body, -Name, -Var) is nondet.
%
%   The goal Name of Body collects, and Var, free in it, occurs nowhere else.

collected(Head, Body, Name, Var) :-
    sub_term_of(Goal, Body),
    compound(Goal),
    compound_name_arguments(Goal, Name, [Template,Inner0,_]),
    memberchk(Name, [bagof,setof]),
    inner(Inner0, Template, Bound, Inner),
    asked_in(Inner, Asked),
    term_variables(Asked, Vars),
    '$member'(Var, Vars),
    \+ occurs(Var, Bound),
    occurrences(Goal, Var, There),
    occurrences(Body, Var, All),
    There =:= All,
    \+ ( head_of(Head, H), occurs(Var, H) ).

head_of((Head:-_), Head) :- !.
head_of((Head-->_), Head) :- !.
head_of((Head=>_), Head) :- !.
head_of(Head, Head).

%!  inner(+Goal0, +Bound0, -Bound, -Goal) is det.
%
%   Goal0 is Goal after `^`; Bound holds Bound0 and what stands before.

inner(Goal, Bound, Bound, Goal) :-
    var(Goal),
    !.
inner(Var^Goal0, Bound0, Bound, Goal) :-
    !,
    inner(Goal0, Var+Bound0, Bound, Goal).
inner(Goal, Bound, Bound, Goal).

%   asked_in(+Goal, -Asked): Goal without the goals whose variables are their own.

asked_in(Goal, Goal) :-
    var(Goal),
    !.
asked_in((A,B), (C,D))  :- !, asked_in(A, C), asked_in(B, D).
asked_in((A;B), (C,D))  :- !, asked_in(A, C), asked_in(B, D).
asked_in((A->B), (C,D)) :- !, asked_in(A, C), asked_in(B, D).
asked_in(Goal, true) :-
    compound(Goal),
    compound_name_arity(Goal, Name, _),
    memberchk(Name, [\+,not,findall,forall,aggregate_all,aggregate,bagof,setof]),
    !.
asked_in(Goal, Goal).
