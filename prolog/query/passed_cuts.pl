:- module(hb_passed_cuts,
          [ past_cut/4                  % +Goal, -General, -Results, -How
          ]).
:- use_module('../functor').
:- use_module('../store/store').
:- use_module(again, [answers_within/4, first_safe/3, replaced/4]).
:- use_module(bounded, [may_run_again/1]).
:- use_module('../sandbox/written', [as_written/2]).
:- use_module(library(lists), [memberchk/2]).

/** <module> Goals that hold because a result is given before a cut

`max(X, Y, X) :- X >= Y, !.` and `max(_, Y, Y).` make max(3, 1, 1) true.
*/

%!  past_cut(+Goal, -General, -Results, -How) is semidet.
%
%   The ground goal Goal of a predicate with a cut holds, yet with one argument less, General has only
%   the answers Results.  How is `later` if a clause with a cut was passed over because its head did not match, and `same` if the
%   clause that gives the first of Results came to its cut with the argument that was given.

past_cut(Goal, General, Results, How) :-
    callable(Goal),
    ground(Goal),
    term_functor(Goal, Name, Arity),
    own(Name, Arity),
    term_functor(Head, Name, Arity),
    once(( clause(knowledge_base:Head, Body), cuts(Body) )),
    between(1, Arity, N),
    I is Arity+1-N,
    arg(I, Goal, Given),
    compound_name_arguments(Goal, Name, Args0),
    replaced(I, Args0, Result, Args),
    compound_name_arguments(General, Name, Args),
    answers_within(Result, 5, General, Results),
    Results = [_|More],
    length(More, Others),
    Others < 4,
    \+ memberchk(Given, Results),
    !,
    (   answering(General, Ref),
        answering(Goal, Ref)
    ->  How = same
    ;   How = later
    ).

%   answering(+Goal, -Ref) is semidet: Ref is the clause that gives the first answer of Goal.

answering(Goal, Ref) :-
    clause(knowledge_base:Goal, Body, Ref),
    as_written(Body, Written),
    may_run_again(Written),
    first_safe(true, Body, _),
    !.

cuts(Goal) :-
    nonvar(Goal),
    (   Goal == !
    ->  true
    ;   Goal = (A,B)
    ->  ( cuts(A) -> true ; cuts(B) )
    ).
