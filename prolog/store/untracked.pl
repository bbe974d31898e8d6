:- module(hb_untracked,
          [ recorded_fact/1,            % +Fact
            recorded_soon/2,            % +Name, +Arity
            none_recorded_soon/0,
            recorded_soon/1,            % +Head
            untracked/1,                % +Head
            untracked_fact/1,           % +Fact
            is_untracked/2,             % ?Name, ?Arity
            untrack/2,                  % +Name, +Arity
            track_again/5,              % ?Name, ?Arity, -Gone, -First, -Last
            untracked_count/1           % -Count
          ]).
:- use_module(store).
:- use_module(kept, [check_kept/1]).
:- use_module('../depth').
:- use_module('../limits', [limit_of/2]).
:- use_module('../functor').

/** <module> Predicates whose facts change so often that single changes are not recorded

A loop that keeps its state in clauses changes the same few facts many thousand times, and
only what it leaves counts.  Once a step has made many changes for the clauses of a predicate, its
facts can be added and taken out as in plain SWI-Prolog.  Before anyone asks what the step changed, the
clauses of the predicate are compared with those that it had: what has no id is new, and
ids that are missing belong to clauses that are gone.

A step that changes some of very many facts would wait for that.  Its changes are recorded, but what can be known of a
predicate once is not asked for each of them: recorded_soon/2.

Only the text of no module changes facts in this way, and only facts that a book can keep.  All
other changes of the predicate are recorded, after track_again/5.
*/

:- dynamic
    recorded_soon/1,                    % Head, a most general one
    recorded_fact/1,                    % Fact: of such a predicate, and the book can keep it
    untracked/1,                        % Head, a most general one
    untracked_fact/1,                   % Fact: of such a predicate, and the book can keep it
    clauses_before/3,                   % Name, Arity, Count
    ids_before/3.                       % Name, Arity, Ids: in the order of the clauses

%!  recorded_soon(+Head) is semidet.
%!  recorded_fact(+Fact) is semidet.
%
%   As untracked/1 and untracked_fact/1, for changes that are recorded and need no other check.

%!  recorded_soon(+Name, +Arity) is semidet.
%
%   From now on, until none_recorded_soon/0, changes of the facts of Name/Arity are only recorded.  It may be changed.  Fails
%   if its clauses have a module.

recorded_soon(Name, Arity) :-
    plain_predicate(Name, Arity),
    term_functor(Head, Name, Arity),
    (   recorded_soon(Head)
    ->  true
    ;   fact_clause(recorded_fact(Head), Clause),
        assertz(recorded_soon(Head)),
        assertz(Clause)
    ).

none_recorded_soon :-
    retractall(recorded_soon(_)),
    retractall(recorded_fact(_)).

%!  untracked(+Head) is semidet.
%
%   Facts like Head, which is nonvar, may be taken out, and are not recorded.

%!  untracked_fact(+Fact) is semidet.
%
%   Fact, which is nonvar, may be added, and is not recorded.
%
%   @error resource_error(answer_depth), representation_error(Type) if a book cannot keep Fact

%!  is_untracked(?Name, ?Arity) is nondet.

is_untracked(Name, Arity) :-
    clauses_before(Name, Arity, _).

%!  untrack(+Name, +Arity) is semidet.
%
%   From now on changes of the facts of Name/Arity, which is tracked, are not recorded.  Fails if it is private to a
%   module, has rules, or a clause has no id.

untrack(Name, Arity) :-
    plain_predicate(Name, Arity),
    term_functor(Head, Name, Arity),
    \+ has_rules(Head),
    findall(Id, ( clause(knowledge_base:Head, true, Ref), id_of(Ref, Id) ), Ids),
    length(Ids, Count),
    predicate_property(knowledge_base:Head, number_of_clauses(Count)),
    fact_clause(untracked_fact(Head), Clause),
    assertz(clauses_before(Name, Arity, Count)),
    assertz(ids_before(Name, Arity, Ids)),
    assertz(untracked(Head)),
    assertz(Clause).

%   plain_predicate(+Name, +Arity): its clauses are text of no module.

plain_predicate(Name, Arity) :-
    own(Name, Arity),
    \+ private(_, _, Arity, Name),
    \+ is_test(Name).

%   is_test(+Name): the module of a test is recorded with it.

is_test(test).

has_rules(Head) :-
    predicate_property(knowledge_base:Head, number_of_rules(Rules)),
    Rules > 0.

%   identified(+Head, -Clauses): the clauses of the predicate of Head, in order: has(Id), or new(Ref) for one without id.

identified(Head, Clauses) :-
    findall(Clause, ( clause(knowledge_base:Head, true, Ref), identified_clause(Ref, Clause) ), Clauses).

identified_clause(Ref, Clause) :-
    (   id_of(Ref, Id)
    ->  Clause = has(Id)
    ;   Clause = new(Ref)
    ).

%   fact_clause(+Call, -Clause): Clause is that of untracked_fact/1 or recorded_fact/1 for facts like the argument of
%   Call.  Its body is compiled, so that the usual arguments cost nothing.

fact_clause(Call, ( Call :- Body )) :-
    arg(1, Call, Head),
    term_variables(Head, Arguments),
    simple_arguments(Arguments, Head, Body).

simple_arguments([], _, true).
simple_arguments([A|As], Head, ( Simple -> Body ; hb_untracked:sound(Head) )) :-
    Simple = ( integer(A) -> true ; atom(A) -> true ; hb_untracked:simple(A) ),
    simple_arguments(As, Head, Body).

simple(Term) :-
    (   number(Term)
    ;   string(Term)
    ;   Term == []
    ;   var(Term),
        \+ attvar(Term)
    ;   flat(Term)
    ),
    !.

%   flat(+Term): a compound term of atoms and integers, a queue's element or a state.

flat(Term) :-
    compound(Term),
    compound_name_arguments(Term, Name, Arguments),
    atom(Name),
    Name \== '.',
    atoms_and_integers(Arguments),
    limit_of(answer_depth, Depth),
    Depth > 2.

atoms_and_integers([]).
atoms_and_integers([Argument|Arguments]) :-
    (   integer(Argument)
    ->  true
    ;   atom(Argument)
    ),
    atoms_and_integers(Arguments).

%   sound(+Fact): has compound arguments.

sound(Fact) :-
    acyclic_term(Fact),
    term_attvars(Fact, []),
    check_depth(Fact),
    check_kept(Fact).

%!  track_again(?Name, ?Arity, -Gone, -First, -Last) is nondet.
%
%   From now on changes of Name/Arity are recorded again.  Gone are the ids of the clauses that are no
%   longer there, First the clauses that have been added before all others, Last those after them.

track_again(Name, Arity, Gone, First, Last) :-
    retract(clauses_before(Name, Arity, _)),
    retract(ids_before(Name, Arity, Ids)),
    term_functor(Head, Name, Arity),
    retractall(untracked(Head)),
    retractall(untracked_fact(Head)),
    identified(Head, Clauses),
    divide(Clauses, Ids, Gone, First, Last).

%   divide(+Clauses, +Ids, -Gone, -First, -Last): the ids of Clauses are in Ids, in the same order.

divide(Clauses, Ids, Gone, First, Last) :-
    (   '$member'(has(_), Clauses)
    ->  split(Clauses, First, Rest)
    ;   First = [],
        Rest = Clauses
    ),
    compare_ids(Rest, Ids, Gone, Last).

split([new(Ref)|Clauses], [Ref|First], Rest) :-
    !,
    split(Clauses, First, Rest).
split(Rest, [], Rest).

compare_ids([], Ids, Ids, []).
compare_ids([new(Ref)|Clauses], Ids, Gone, [Ref|Last]) :-
    compare_ids(Clauses, Ids, Gone, Last).
compare_ids([has(Id)|Clauses], [Id0|Ids], Gone, Last) :-
    (   Id =:= Id0
    ->  compare_ids(Clauses, Ids, Gone, Last)
    ;   Gone = [Id0|Gone1],
        compare_ids([has(Id)|Clauses], Ids, Gone1, Last)
    ).

%!  untracked_count(-Count) is det.
%
%   Count is how many clauses have been added and not recorded, less those taken out.

untracked_count(Count) :-
    findall(More,
            ( clauses_before(Name, Arity, Before),
              term_functor(Head, Name, Arity),
              predicate_property(knowledge_base:Head, number_of_clauses(Now)),
              More is Now-Before ),
            Mores),
    sum(Mores, 0, Count).

sum([], Count, Count).
sum([More|Mores], Count0, Count) :-
    Count1 is Count0+More,
    sum(Mores, Count1, Count).
