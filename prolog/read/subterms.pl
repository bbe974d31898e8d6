:- module(hb_subterms,
          [ sub_term_of/2,              % -Sub, +Term
            occurs/2,                   % @Sub, +Term
            occurrences/3,              % +Term, @Sub, -Count
            goal_of/2                   % +Body, -Goal
          ]).

/** <module> Terms within terms
*/

%!  sub_term_of(-Sub, +Term) is nondet.
%
%   Sub is Term, or within it.

sub_term_of(Term, Term).
sub_term_of(Sub, Term) :-
    compound(Term),
    arg(_, Term, Arg),
    sub_term_of(Sub, Arg).

%!  occurs(@Sub, +Term) is semidet.

occurs(Sub, Term) :-
    sub_term_of(Found, Term),
    Found == Sub,
    !.

%!  occurrences(+Term, @Sub, -Count) is det.
%
%   How often Sub, mostly a variable, is in Term.

occurrences(Term, Sub, Count) :-
    findall(x, ( sub_term_of(Found, Term), Found == Sub ), All),
    length(All, Count).

%!  goal_of(+Body, -Goal) is nondet.
%
%   Goal is called in Body: also within control, within goals that collect or negate, and within lambdas.

goal_of(Body, _) :-
    \+ callable(Body),
    !,
    fail.
goal_of(Body, Goal) :-
    holds_goals(Body, Parts),
    !,
    '$member'(Part, Parts),
    goal_of(Part, Goal).
goal_of(Goal, Goal).
goal_of(Goal, Inner) :-
    compound(Goal),
    arg(_, Goal, Lambda),
    compound(Lambda),
    Lambda = (_>>Body),
    goal_of(Body, Inner).

holds_goals((A,B), [A,B]).
holds_goals((A;B), [A,B]).
holds_goals((A->B), [A,B]).
holds_goals((A*->B), [A,B]).
holds_goals(\+A, [A]).
holds_goals(not(A), [A]).
holds_goals(once(A), [A]).
holds_goals(ignore(A), [A]).
holds_goals(call(A), [A]).
holds_goals(catch(A,_,B), [A,B]).
holds_goals(findall(_,A,_), [A]).
holds_goals(forall(A,B), [A,B]).
holds_goals(aggregate_all(_,A,_), [A]).
holds_goals(bagof(_,A,_), [A]).
holds_goals(setof(_,A,_), [A]).
holds_goals(_^A, [A]).
