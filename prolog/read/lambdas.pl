:- module(hb_lambdas,
          [ clause_words/3,             % +Term, +Names, -Words
            lambda_words/4              % +Head, +Body, +Names, -Words
          ]).
:- use_module(library(lists), [member/2, memberchk/2, nth1/3]).

/** <module> Lambdas that lose the constraints of variables

`[X]>>Goal` copies its variables on each call.  Where one of them is a global variable with
constraints, the copy has none, and Goal restricts nothing.  A global variable that is bound when the
lambda is called is fine, so only those count that the clause itself constrains, and that nothing can have
bound before.
*/

%!  clause_words(+Term, +Names, -Words:list(string)) is det.
%
%   As lambda_words/4, for a clause.

clause_words(Term, Names, Words) :-
    (   nonvar(Term),
        Term = (Head :- Body)
    ->  lambda_words(Head, Body, Names, Words)
    ;   Words = []
    ).

%!  lambda_words(+Head, +Body, +Names, -Words:list(string)) is det.
%
%   Words are the names of the variables that a lambda in Body copies, and that Body constrains.

lambda_words(Head, Body, Names, Words) :-
    (   lambda_in(Body, _)
    ->  body_goals(Body, Goals, []),
        term_variables(Head, Bound),
        lost_names(Names, Goals, Bound, Words)
    ;   Words = []
    ).

lost_names([], _, _, []).
lost_names([Name=Var|Names], Goals, Bound, Words) :-
    (   var(Var),
        is_lost(Var, Goals, Bound)
    ->  atom_string(Name, Word),
        Words = [Word|Words1]
    ;   Words = Words1
    ),
    lost_names(Names, Goals, Bound, Words1).

is_lost(Var, Goals, Bound) :-
    nth1(At, Goals, Goal),
    lambda_in(Goal, Parameters>>Body),
    occurs(Var, Body),
    \+ occurs(Var, Parameters),
    is_constrained(Var, At, Goals, Bound),
    !.

%   lambda_in(+Term, -Lambda) is nondet.

lambda_in(Term, _) :-
    var(Term),
    !,
    fail.
lambda_in(Term, Term) :-
    Term = (_>>_).
lambda_in(Term, Lambda) :-
    compound(Term),
    arg(_, Term, Arg),
    lambda_in(Arg, Lambda).

body_goals(Goal, [Goal|Goals], Goals) :-
    var(Goal),
    !.
body_goals(Goal, Goals0, Goals) :-
    control(Goal, A, B),
    !,
    body_goals(A, Goals0, Goals1),
    body_goals(B, Goals1, Goals).
body_goals(Goal, [Goal|Goals], Goals).

control((A,B), A, B).
control((A;B), A, B).
control((A->B), A, B).
control((A*->B), A, B).

%   is_constrained(+Var, +At, +Goals, +Bound) is semidet: another goal constrains Var, and nothing can have bound
%   it before the goal number At.

is_constrained(Var, At, Goals, Bound) :-
    nth1(Other, Goals, Goal),
    Other =\= At,
    constrains(Goal, Var, Kind),
    (   Kind == domain
    ->  true
    ;   \+ ( member(Known, Bound), Known == Var ),
        first_with(Var, Goals, First),
        (   First =:= At
        ->  true
        ;   nth1(First, Goals, Introduces),
            constrains(Introduces, Var, _)
        )
    ),
    \+ ( nth1(Before, Goals, Labels),
         Before < At,
         labels(Labels) ),
    !.

first_with(Var, Goals, First) :-
    nth1(First, Goals, Goal),
    occurs(Var, Goal),
    !.

%   constrains(+Goal, +Var, -Kind) is semidet: Kind is `domain` if the goal can only be meant as a constraint on
%   Var, and `relation` if Var may be bound as well.

constrains(Goal, Var, Kind) :-
    compound(Goal),
    compound_name_arguments(Goal, Name, Args),
    (   memberchk(Name, [in,ins,freeze,tuples_in])
    ->  Args = [Constrained|_],
        Kind = domain
    ;   is_relation(Name),
        Constrained = Args,
        Kind = relation
    ),
    occurs(Var, Constrained).

is_relation(Name) :-
    sub_atom(Name, 0, 1, _, #),
    !.
is_relation(Name) :-
    memberchk(Name, [dif,when,sum,scalar_product,all_different,all_distinct,element,global_cardinality,
                     circuit,cumulative,{}]).

labels(Goal) :-
    nonvar(Goal),
    sub_term_named(Goal, Name),
    memberchk(Name, [label,labeling,indomain]),
    !.

sub_term_named(Term, Name) :-
    compound(Term),
    (   compound_name_arity(Term, Name, _)
    ;   arg(_, Term, Arg),
        nonvar(Arg),
        sub_term_named(Arg, Name)
    ).

occurs(Var, Term) :-
    term_variables(Term, Vars),
    member(Other, Vars),
    Other == Var,
    !.
