:- module(hb_conjuncts,
          [ conjuncts/2                 % +Body, -Goals
          ]).

/** <module> The goals of a conjunction */

%!  conjuncts(+Body, -Goals) is det.
%
%   Goals are those of the conjunction Body, from left to right.  A variable is a goal.

conjuncts(Body, Goals) :-
    conjuncts(Body, Goals, []).

conjuncts(Goal, Goals, Tail) :-
    (   nonvar(Goal),
        Goal = (A,B)
    ->  conjuncts(A, Goals, Goals1),
        conjuncts(B, Goals1, Tail)
    ;   Goals = [Goal|Tail]
    ).
