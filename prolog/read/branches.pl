:- module(hb_branches,
          [ branch/4,                   % +Goal, +Around, -Branch, -Outside
            stands_again/3,             % +Var, +Body, +Branch
            called_variable/3           % +Goal, +Bound, -Var
          ]).
:- use_module(subterms, [occurrences/3]).
:- use_module(library(lists), [append/3, member/2]).

/** <module> Where the variables of a body are bound: in its branches, and before they are called
*/

%!  branch(+Goal, +Around, -Branch, -Outside) is nondet.
%
%   Branch is a branch of a disjunction in Goal; Outside is what surrounds the disjunction, added to
%   Around.

branch(Goal, _, _, _) :-
    var(Goal),
    !,
    fail.
branch((A,B), Around, Branch, Outside) :-
    !,
    (   branch(A, f(Around,B), Branch, Outside)
    ;   branch(B, f(Around,A), Branch, Outside)
    ).
branch((A->B), Around, Branch, Outside) :-
    !,
    (   branch(A, f(Around,B), Branch, Outside)
    ;   branch(B, f(Around,A), Branch, Outside)
    ).
branch((A;B), Around, Branch, Outside) :-
    !,
    (   Branch = A, Outside = Around
    ;   Branch = B, Outside = Around
    ;   branch(A, Around, Branch, Outside)
    ;   branch(B, Around, Branch, Outside)
    ).

%!  called_variable(+Goal, +Bound, -Var) is semidet.
%
%   Var is called, and occurs neither in Bound nor in an earlier goal.

called_variable(Goal, Bound, Var) :-
    first_variable(Goal, Bound, _, Found),
    nonvar(Found),
    Found = found(Var).

first_variable(Goal, Bound, Bound, Found) :-
    var(Goal),
    !,
    (   member(Known, Bound),
        Known == Goal
    ->  true
    ;   Found = found(Goal)
    ).
first_variable((A,B), Bound0, Bound, Found) :-
    !,
    first_variable(A, Bound0, Bound1, Found),
    (   nonvar(Found)
    ->  Bound = Bound1
    ;   first_variable(B, Bound1, Bound, Found)
    ).
first_variable((A->B), Bound0, Bound, Found) :-
    !,
    first_variable((A,B), Bound0, Bound, Found).
first_variable((A;B), Bound0, Bound, Found) :-
    !,
    first_variable(A, Bound0, BoundA, Found),
    (   nonvar(Found)
    ->  Bound = BoundA
    ;   first_variable(B, Bound0, BoundB, Found),
        append(BoundA, BoundB, Bound)
    ).
first_variable(Goal, Bound0, Bound, _) :-
    term_variables(Goal, Vars),
    append(Vars, Bound0, Bound).

%!  stands_again(+Var, +Body, +Branch) is semidet.
%
%   Var also occurs in Body outside Branch.  Otherwise it is already reported among the variables that
%   occur once.

stands_again(Var, Body, Branch) :-
    occurrences(Body, Var, InBody),
    occurrences(Branch, Var, InBranch),
    InBody > InBranch.
