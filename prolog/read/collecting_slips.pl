:- module(hb_collecting_slips,
          [ counted_by_row/3,           % +Head, +Body, -Goal
            collects_bound/4            % +Head, +Body, -Collecting, -Var
          ]).
:- use_module('../functor').
:- use_module('../sandbox/policy', [class/3]).
:- use_module(subterms).

/** <module> Rows that are asked for before they are collected

A goal before findall/3 or aggregate_all/3 asks for a row of the predicate whose rows these collect.
*/

%!  counted_by_row(+Head, +Body, -Goal) is semidet.
%
%   Goal, `p(X,_)`, gives the values X of Head for which p/2 is then collected in Body, each as often as it has rows.  What
%   else it has in common with the goal that collects is in Head, too: otherwise the rows that are collected differ.

counted_by_row(Head, Body, Goal) :-
    compound(Head),
    row_before(Body, Goal, Rest, Like),
    arg(_, Goal, Alone),
    var(Alone),
    occurrences(Head-Body, Alone, 1),
    collecting(Rest, _, _, _, Inner),
    nonvar(Inner),
    Inner = Like,
    \+ occurs(!, Rest),                     % which takes the first row
    arg(I, Goal, Key),
    var(Key),
    arg(I, Like, Same),
    Same == Key,
    arg(_, Head, Asked),
    Asked == Key,
    \+ ( arg(J, Goal, Other), var(Other), arg(J, Like, Again), Again == Other, \+ occurs(Other, Head) ),
    !.

%!  collects_bound(+Head, +Body, -Collecting, -Var) is nondet.
%
%   Collecting, such as `findall/3`, of Body collects Var, to which a goal before has given a value from the same argument of
%   the same predicate.  A list that is only counted may have the same element again and again.

collects_bound(_, Body, Collecting, Var) :-
    row_before(Body, Goal, Rest, Like),
    collecting(Rest, Collecting, Var, Result, Inner),
    var(Var),
    goal_of(Inner, Asked),
    Asked = Like,
    arg(I, Goal, Same),
    Same == Var,
    arg(I, Like, Again),
    Again == Var,
    \+ ( sub_term_of(Count, Rest), nonvar(Count), Count = length(List, _), List == Result ).

%   row_before(+Body, -Goal, -Rest, -Like) is nondet: Rest comes after Goal, of a predicate of the user's, in the conjunction
%   Body; Like is a goal of the same predicate.

row_before(Body, Goal, Rest, Like) :-
    conjuncts(Body, Goal, Rest),
    compound(Goal),
    term_functor(Goal, Name, Arity),
    \+ class(Name, Arity, _),
    term_functor(Like, Name, Arity).

conjuncts(Body, Goal, Rest) :-
    nonvar(Body),
    Body = (A,B),
    (   Goal = A,
        Rest = B
    ;   conjuncts(B, Goal, Rest)
    ).

%   collecting(+Rest, -Collecting, -What, -Result, -Inner) is nondet: a goal of Rest collects What of the solutions of Inner.

collecting(Rest, Collecting, What, Result, Inner) :-
    sub_term_of(Goal, Rest),
    nonvar(Goal),
    (   Goal = findall(What, Inner, Result),
        Collecting = findall/3
    ;   Goal = aggregate_all(Spec, Inner, Result),
        Collecting = aggregate_all/3,
        (   compound(Spec),
            compound_name_arguments(Spec, _, [What])
        ->  true
        ;   What = Spec
        )
    ).
