:- module(hb_domains,
          [ one_domain/2,               % @A, @B
            one_column/2,               % @A, @B
            in_a_clause/1,              % @Word
            in_a_fact/1,                % @Word
            may_have/3                  % +Name, +Arity, @Value
          ]).
:- use_module('../functor').
:- use_module('../read/subterms', [occurs/2]).
:- use_module('../store/store').
:- use_module(library(solution_sequences), [limit/2]).

/** <module> Values of one domain

Of a relation between values of one domain, such as `before` or `parent`, the other order is another statement and no slip.

A slip is told where values have no domain in common, or no clause has a word.  So where there are too many clauses to be
sure, they may have one, and a clause may have it.
*/

%   The most clauses of a predicate that are looked at one by one, and the most arguments of larger ones for which indexes
%   are made.

most_facts(500).
most_indexed(50_000).

%!  one_domain(@A, @B) is semidet.
%
%   A and B are the same argument of facts of one predicate, or two arguments of it that have a value in common.

one_domain(A, B) :-
    nonvar(A),
    nonvar(B),
    \+ indexed,
    !.
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
    nonvar(A),
    nonvar(B),
    \+ indexed,
    !.
one_column(A, B) :-
    columns(A, OfA),
    columns(B, OfB),
    '$member'(Column, OfA),
    '$member'(Column, OfB),
    !.

%!  in_a_clause(@Word) is semidet.
%!  in_a_fact(@Word) is semidet.
%
%   A clause, or a fact, has the atom Word.  Of large tables, what the arguments of the first rows have inside counts for all.

in_a_clause(Word) :-
    in_clauses(Word, _).

in_a_fact(Word) :-
    in_clauses(Word, true).

in_clauses(Word, Body) :-
    counted(Name, Arity, Head, Count),
    most_facts(Most),
    (   Count =< Most
    ->  clause(knowledge_base:Head, Body),
        occurs(Word, Head-Body)
    ;   may_have(Name, Arity, Word)
    ),
    !.

%!  may_have(+Name, +Arity, @Value) is semidet.
%
%   A clause of the large predicate Name/Arity may have Value in its head, or in its body.

may_have(Name, Arity, Value) :-
    term_functor(Head, Name, Arity),
    (   compound(Value)
    ->  true
    ;   \+ predicate_property(knowledge_base:Head, number_of_rules(0))
    ->  true
    ;   \+ indexed
    ->  true
    ;   column_of(Value, Name, Arity, _)
    ->  true
    ;   most_facts(Most),
        limit(Most, clause(knowledge_base:Head, true)),
        occurs(Value, Head)
    ->  true
    ).

columns(Value, Columns) :-
    findall(Column, ( nonvar(Value), column(Value, Column) ), Columns).

%   column(+Value, -Column) is nondet: by the indexes of SWI-Prolog, and not a fact with a variable there.

column(Value, Name/Arity-I) :-
    counted(Name, Arity, _, _),
    column_of(Value, Name, Arity, I).

column_of(Value, Name, Arity, I) :-
    term_functor(Fact, Name, Arity),
    between(1, Arity, I),
    \+ \+ ( arg(I, Fact, Value),
            clause(knowledge_base:Fact, true, Ref),
            clause(knowledge_base:Kept, true, Ref),
            arg(I, Kept, Arg),
            Arg == Value ).

counted(Name, Arity, Head, Count) :-
    own(Name, Arity),
    Arity > 0,
    term_functor(Head, Name, Arity),
    predicate_property(knowledge_base:Head, number_of_clauses(Count)).

%   indexed: the indexes of all large predicates are made soon.

indexed :-
    most_facts(Most),
    aggregate_all(sum(Count*Arity), ( counted(_, Arity, _, Count), Count > Most ), Sum),
    most_indexed(MostIndexed),
    Sum =< MostIndexed.

in_common(Name/Arity, I, J) :-
    counted(Name, Arity, One, Count),
    most_facts(Most),
    (   Count > Most
    ->  true
    ;   clause(knowledge_base:One, true),
        arg(I, One, Value),
        atomic(Value),
        term_functor(Other, Name, Arity),
        clause(knowledge_base:Other, true),
        arg(J, Other, Same),
        Same == Value
    ),
    !.
