:- module(hb_early,
          [ asked_too_early/2,          % +Body, +Bound
            early_in/4                  % +Goal, +Bound, +Later, -Early
          ]).
:- use_module('../functor').
:- use_module(collected, [inner/4]).
:- use_module(subterms, [occurs/2]).
:- use_module(library(lists), [memberchk/2]).

/** <module> Negations and comparisons that come before what they ask about is bound
*/

%!  asked_too_early(+Body, +Bound) is semidet.
%
%   Body has a negation or comparison of terms with a variable that is not in the list Bound, that no earlier goal has
%   and a later one binds.

asked_too_early(Body, Bound) :-
    early_in(Body, Bound, true, _),
    !.

%!  early_in(+Goal, +Bound, +Later, -Early) is nondet.
%
%   Early is such a goal in Goal.  Later holds the goals after Goal.

early_in(Goal, _, _, _) :-
    var(Goal),
    !,
    fail.
early_in((A,B), Bound0, Later, Early) :-
    !,
    (   early_in(A, Bound0, (B,Later), Early)
    ;   after(A, Bound0, Bound),
        early_in(B, Bound, Later, Early)
    ).
early_in((A->B), Bound, Later, Early) :-
    !,
    early_in((A,B), Bound, Later, Early).
early_in((A*->B), Bound, Later, Early) :-
    !,
    early_in((A,B), Bound, Later, Early).
early_in((A;B), Bound, Later, Early) :-
    !,
    (   early_in(A, Bound, Later, Early)
    ;   early_in(B, Bound, Later, Early)
    ).
early_in(Goal, Bound, _, Early) :-
    asks_inside(Goal, Inner),
    early_in(Inner, Bound, true, Early).
early_in(Goal, Bound, Later, Goal) :-
    asks(Goal, Asked),
    term_variables(Asked, Vars),
    '$member'(Var, Vars),
    \+ ( '$member'(Known, Bound), Known == Var ),
    binds(Later, Var),
    !.

after(Goal, Bound0, Bound) :-
    (   nonvar(Goal),
        asks(Goal, _)
    ->  Bound = Bound0
    ;   term_variables(Goal+Bound0, Bound)
    ).

asks_inside(findall(_,Goal,_), Goal).
asks_inside(findall(_,Goal,_,_), Goal).
asks_inside(aggregate_all(_,Goal,_), Goal).
asks_inside(aggregate_all(_,_,Goal,_), Goal).
asks_inside(bagof(_,Goal0,_), Goal) :- inner(Goal0, true, _, Goal).
asks_inside(setof(_,Goal0,_), Goal) :- inner(Goal0, true, _, Goal).
asks_inside(forall(A,B), (A,B)).

asks(\+Goal, Goal).
asks(not(Goal), Goal).
asks(A\=B, A+B).
asks(A\==B, A+B).
asks(A==B, A+B).

%   binds(+Goal, @Var): a goal of Goal that is no test has Var.

binds(Goal, Var) :-
    var(Goal),
    !,
    Goal == Var.
binds((A,B), Var)   :- !, ( binds(A, Var) -> true ; binds(B, Var) ).
binds((A->B), Var)  :- !, ( binds(A, Var) -> true ; binds(B, Var) ).
binds((A*->B), Var) :- !, ( binds(A, Var) -> true ; binds(B, Var) ).
binds((A;B), Var)   :- !, ( binds(A, Var) -> true ; binds(B, Var) ).
binds(Goal, _) :-
    asks(Goal, _),
    !,
    fail.
binds(Goal, Var) :-
    callable(Goal),
    term_functor(Goal, Name, _),
    \+ memberchk(Name, [<,>,=<,>=,=:=,=\=,write,print,writeln,format,nl,dif,assertz,asserta,assert]),
    occurs(Var, Goal).
