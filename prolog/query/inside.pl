:- module(hb_inside,
          [ failed_inside/2             % -Try, -Ref
          ]).
:- use_module(again).
:- use_module(bounded).
:- use_module(failure).
:- use_module(tries).
:- use_module(library(solution_sequences), [limit/2]).

/** <module> Goals inside goals that had no solution

A negation that holds, a condition that does not, and findall/3 with an empty list may do so because
of a slip in the goal inside.
*/

%!  failed_inside(-Try, -Ref) is nondet.
%
%   A goal inside another one, to which hb_failure:holds/2 came in the body Ref, has no solution.  What stops it is kept as
%   that of Try.

failed_inside(Try, Ref) :-
    failed_from(0, Try, Ref).

%   By number, for to run a goal may keep more of them.

failed_from(Number, Try, Ref) :-
    asked_inside(Number, Outer, Values, Ref0),
    (   Ref = Ref0,
        inside(Outer, Goal),
        may_run_again(Goal),
        first_safe(Try, hb_failure:failing(Goal, Values, Try), Try)
    ;   Next is Number+1,
        failed_from(Next, Try, Ref)
    ).

%   inside(+Outer, -Goal) is semidet.

inside(if(Goal), Goal).
inside(\+Goal, Goal).
inside(not(Goal), Goal).
inside(findall(_,Goal,_), Goal).
inside(findall(_,Goal,_,_), Goal).
inside(aggregate_all(_,Goal,_), Goal).
inside(aggregate_all(_,_,Goal,_), Goal).
inside(bagof(_,Goal0,_), Goal) :- without_carets(Goal0, Goal).
inside(setof(_,Goal0,_), Goal) :- without_carets(Goal0, Goal).
inside(aggregate(_,Goal0,_), Goal) :- without_carets(Goal0, Goal).
inside(forall(Condition,Action), Goal) :-
    (   first_of(Action, (Condition, \+Action), Failing)
    ->  Goal = Failing
    ;   Goal = Condition
    ).
inside(Goal0, Goal) :-
    compound(Goal0),
    compound_name_arguments(Goal0, Name, [Closure,List|Lists]),
    callable(Closure),
    (   Name == maplist
    ->  failing_element([List|Lists], 1, Closure, _, Goal)
    ;   '$member'(Name, [include,partition]),
        is_list(List),
        limit(10, '$member'(Element, List)),
        failing_element([[Element]], 1, Closure, _, Goal)
    ).

without_carets(Goal, Goal) :-
    var(Goal),
    !.
without_carets(_^Goal0, Goal) :-
    !,
    without_carets(Goal0, Goal).
without_carets(Goal, Goal).
