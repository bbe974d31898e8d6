:- module(hb_domains,
          [ one_domain/2,               % @A, @B
            one_column/2,               % @A, @B
            in_a_clause/1               % @Word
          ]).
:- use_module('../functor').
:- use_module('../read/subterms', [occurs/2]).
:- use_module('../store/store').
:- use_module(library(solution_sequences), [limit/2]).

/** <module> Values of one domain

Of a relation between values of one domain, such as `before` or `parent`, the other order is another statement and no slip.
*/

%   The most facts of a predicate that are looked at.

most_facts(500).

%!  one_domain(@A, @B) is semidet.
%
%   A and B are the same argument of facts of one predicate, or two arguments of it that have a value in common.

one_domain(A, B) :-
    columns(A, OfA),
    columns(B, OfB),
    '$member'(PI-I, OfA),
    '$member'(PI-J, OfB),
    (   I == J
    ->  true
    ;   in_common(PI, I, J)
    ),
    !.

%!  one_column(@A, @B) is semidet.
%
%   A and B are the same argument of facts of one predicate.

one_column(A, B) :-
    columns(A, OfA),
    columns(B, OfB),
    '$member'(Column, OfA),
    '$member'(Column, OfB),
    !.

%!  in_a_clause(@Word) is semidet.
%
%   A clause has the atom Word, as far as clauses are looked at.

in_a_clause(Word) :-
    most_facts(Most),
    own(Name, Arity),
    term_functor(Head, Name, Arity),
    limit(Most, clause(knowledge_base:Head, Body)),
    occurs(Word, Head-Body),
    !.

columns(Value, Columns) :-
    findall(Column, ( nonvar(Value), column(Value, Column) ), Columns).

%   column(+Value, -Column) is nondet: by the indexes of SWI-Prolog, and not a fact with a variable there.

column(Value, Name/Arity-I) :-
    few_facts(Name, Arity, Fact),
    between(1, Arity, I),
    \+ \+ ( arg(I, Fact, Value),
            clause(knowledge_base:Fact, true, Ref),
            clause(knowledge_base:Kept, true, Ref),
            arg(I, Kept, Arg),
            Arg == Value ).

few_facts(Name, Arity, Fact) :-
    own(Name, Arity),
    Arity > 0,
    term_functor(Fact, Name, Arity),
    predicate_property(knowledge_base:Fact, number_of_clauses(Count)),
    most_facts(Most),
    Count =< Most.

fact(Name, Arity, Fact) :-
    few_facts(Name, Arity, Fact),
    clause(knowledge_base:Fact, true).

in_common(Name/Arity, I, J) :-
    fact(Name, Arity, One),
    arg(I, One, Value),
    atomic(Value),
    fact(Name, Arity, Other),
    arg(J, Other, Same),
    Same == Value,
    !.
