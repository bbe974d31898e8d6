:- module(hb_assumed,
          [ read_assumed/3,             % +Texts, -Assumed, -Words
            takes_away/1,               % +Assumed
            check_away/2,               % +Assumed, -Counts
            assume/1,                   % +Assumed
            assumed_since/2,            % +Assumed0, -Assumed
            drop_assumed/1,             % -Predicates
            assumed_over/0
          ]).
:- use_module('../grammar_rule', [grammar_rule/2]).
:- use_module('../functor').
:- use_module('../capability').
:- use_module('../read/reader').
:- use_module('../read/lambdas').
:- use_module('../read/tabling').
:- use_module('../read/clauses', [is_value/1, refuse_value/1]).
:- use_module('../sandbox/sandbox').
:- use_module('../sandbox/policy').
:- use_module('../sandbox/libraries', [preloaded_library/1, named_library/1]).
:- use_module('../store/store').
:- use_module('../store/heads').
:- use_module('../store/facts', [fact_with_id/2]).
:- use_module('../store/step').

/** <module> Clauses that hold for one query

A query may bring clauses of its own.  At the beginning of each of its steps they are
added as if running code added them, and at the end of the step all its changes are
undone: between steps, when other queries run, nothing of them is there.  The same
holds for what the query itself adds and retracts, which its next step restores.

Predicates declared along with them are dropped at the end of the step (passing/0 of hb_store), and
with them that they are tabled.

`-p(x)` supposes that the facts p(x) of the book are gone, and `-(Head :- Body)` the same of rules.  They are
erased at the beginning of each step, before any clause is added, and what they match of the book is matched
anew, because it may have changed.  At the end of the step the host loads the predicates again, which
restores the order and the ids.  So whoever calls assume/1 must tell the host what drop_assumed/1 says, also
after an error.
*/

:- dynamic
    taken/1,                            % Id: taken away in this step
    assumed_table/3.                    % Name, Arity, Spec: tabled in this step, for table_predicate/3

%!  read_assumed(+Texts, -Assumed, -Words) is det.
%
%   Assumed are the clauses of Texts, strings, for assume/1.  Words are the variables whose constraints lambdas
%   in them lose (lambda_words/4).
%
%   @error hornbook(assumed(Index, Ball)) if the text with the number Index, from 1, cannot be assumed.

read_assumed(Texts, assumed(Away, Clauses, []), Words) :-
    read_texts(Texts, 1, Read, []),
    findall(Word,
            ( '$member'(read(_, Term, Names), Read),
              clause_words(Term, Names, Found),
              '$member'(Word, Found) ),
            Words),
    (   minus_is_theirs(Read)
    ->  Away = []
    ;   findall(away(Index, Pattern), ( '$member'(read(Index, Term, _), Read), supposes_gone(Term, Pattern) ), Away)
    ),
    findall(written(Index, Term),
            ( '$member'(read(Index, Term, _), Read),
              \+ ( Away = [_|_], supposes_gone(Term, _) ) ),
            Clauses).

%   supposes_gone(@Term, -Pattern) is semidet: `-(H :- A, B)` is a term with two arguments, and means the rule.

supposes_gone(Term, Pattern) :-
    compound(Term),
    compound_name_arguments(Term, -, [First|Rest]),
    (   Rest == []
    ->  callable(First),
        Pattern = First
    ;   nonvar(First),
        First = (Head :- Body0),
        joined(Rest, Body0, Body),
        Pattern = (Head :- Body)
    ).

joined([], Body, Body).
joined([Goal|Goals], Goal0, (Goal0,Body)) :-
    joined(Goals, Goal, Body).

%   minus_is_theirs(+Read): -/1 is a predicate of the user's, so a fact of it is a clause like others.

minus_is_theirs(_) :-
    own(-, 1),
    !.
minus_is_theirs(Read) :-
    '$member'(read(_, Term, _), Read),
    nonvar(Term),
    (   Term = (Head :- _),
        nonvar(Head)
    ->  Head = -_
    ;   Term = (:- Directive),
        nonvar(Directive),
        declares(Directive, Spec),
        '$member'(Spec, [(-)/1, [(-)/1]]),
        ground(Spec)
    ),
    !.

read_texts([], _, Clauses, Clauses).
read_texts([Text|Texts], Index, Clauses0, Clauses) :-
    naming(Index, hb_assumed:text_clauses(Text, Index, Clauses0, Clauses1)),
    Index1 is Index+1,
    read_texts(Texts, Index1, Clauses1, Clauses).

text_clauses(Text, Index, Clauses0, Clauses) :-
    setup_call_cleanup(
        ( new_scope(user, Scope),
          open_source(inline, Text, Scope, Source)
        ),
        source_clauses(Source, Index, Clauses0, Clauses),
        ( close_source(Source),
          free_scope(Scope)
        )).

source_clauses(Source, Index, Clauses0, Clauses) :-
    read_item(Source, Item),
    (   Item = clause(_, _, Term, Names)
    ->  Clauses0 = [read(Index, Term, Names)|Clauses1],
        source_clauses(Source, Index, Clauses1, Clauses)
    ;   Item = error(_, _, Problem)
    ->  throw(Problem)
    ;   Clauses = Clauses0
    ).

:- meta_predicate naming(+, 0).

naming(Index, Goal) :-
    catch(Goal, Ball, true),
    (   var(Ball)
    ->  true
    ;   throw(error(hornbook(assumed(Index, Ball)), _))
    ).

%!  assume(+Assumed) is det.
%
%   Assumed holds until drop_assumed/1.  Call begin_step/2 first.

assume(assumed(Away, Clauses, Removed)) :-
    let_pass,
    forall('$member'(gone(Id, PI), Removed), remove_again(Id, PI)),
    forall('$member'(away(Index, Pattern), Away), naming(Index, hb_assumed:take_away(Pattern))),
    forall('$member'(Clause, Clauses), assume_clause(Clause)),
    tables_changed.

%!  takes_away(+Assumed) is semidet.
%
%   Assumed erases clauses of the book, which only the engine that changes it may do.

takes_away(assumed(Away, _, Removed)) :-
    (   Away \== []
    ->  true
    ;   Removed \== []
    ).

%!  check_away(+Assumed, -Counts) is det.
%
%   Counts is [Texts, Clauses]: so many patterns match so many clauses, none of which is erased yet.
%
%   @error existence_error if a pattern matches nothing, which is nearly always a slip.

check_away(assumed(Away, _, _), [Texts,Count]) :-
    findall(Ref,
            ( '$member'(away(Index, Pattern), Away),
              naming(Index, hb_assumed:matching(Pattern, Refs)),
              '$member'(Ref, Refs) ),
            Refs0),
    sort(Refs0, Unique),
    length(Away, Texts),
    length(Unique, Count).

matching(Pattern, Refs) :-
    findall(Ref, matching_clause(Pattern, _, Ref), Refs),
    (   Refs == []
    ->  nothing_matches(Pattern)
    ;   true
    ).

matching_clause(Pattern, Head, Ref) :-
    hb_database:clause_pattern(Pattern, Module, Head, Body),
    check_given(Head),
    hb_database:stored_in(Module, Head, Body, Ref),
    term_functor(Head, Name, Arity),
    changeable(Name, Arity).

nothing_matches(Pattern) :-
    copy_term(Pattern, Copy),
    numbervars(Copy, 0, _, [singletons(true)]),
    format(string(Message), "There is no clause ~W to be gone. A rule is named as `-(Head :- Body)`.",
           [Copy, [quoted(true), numbervars(true), spacing(next_argument), max_depth(10)]]),
    throw(error(hornbook(message(existence_error, Message)), _)).

%   take_away(+Pattern): erase what Pattern matches now, perhaps nothing.

take_away(Pattern) :-
    findall(Name/Arity-Ref,
            ( matching_clause(Pattern, Head, Ref),
              term_functor(Head, Name, Arity) ),
            Found),
    forall('$member'(PI-Ref, Found), take_away_one(PI, Ref)).

take_away_one(PI, Ref) :-
    id_of(Ref, Id),
    assertz(taken(Id)),
    forget_assumed(Ref, PI).

remove_again(Id, Name/Arity) :-
    (   ( with_id(Id, Ref) ; fact_with_id(Id, Ref) )
    ->  forget_assumed(Ref, Name/Arity)
    ;   true                                % the book has lost it meanwhile
    ).

assume_clause(written(Index, Term)) :-
    naming(Index, hb_assumed:assume_term(Term)).
assume_clause(declared(Name, Arity)) :-
    declare(Name, Arity).
assume_clause(tabled(Name, Arity, Spec)) :-
    assume_table(Name, Arity, Spec).
assume_clause(clause(Place, Module, Head, Body, Written)) :-
    in_module(Module, store_step(Head, Body, Written, Place)).

assume_term(Term) :-
    is_value(Term),
    !,
    refuse_value(Term).
assume_term((:- Directive)) :-
    !,
    assume_directive(Directive).
assume_term((?- _)) :-
    !,
    throw(error(hornbook(message(permission_error, "A query is not a clause: ask it in `query`.")), _)).
assume_term((Head0 => Body0)) :-
    !,
    single_sided(Head0, Body0, Head1, Neck, Body),
    run_head(user, Head1, Head),
    check_head(Head, _, _),
    check_by_hand(Head),
    as_if_private(Head, safe_body(Body, Safe)),
    store_step(Head, hb_clause_notes:single_sided(Neck, Safe), Body, last).
assume_term((Head --> Body)) :-
    !,
    grammar_rule((Head --> Body), (Head1 :- Body1)),
    assume_rule(Head1, Body1).
assume_term((Head :- Body)) :-
    !,
    assume_rule(Head, Body).
assume_term(Fact) :-
    offered_fact(Fact),
    hb_capability:assume(Fact),
    !.
assume_term(Fact) :-
    assume_rule(Fact, true).

offered_fact(Fact) :-
    callable(Fact),
    term_functor(Fact, Name, Arity),
    class(Name, Arity, offered(_)),
    \+ own(Name, Arity).

assume_rule(Head0, Body) :-
    run_head(user, Head0, Head),
    check_head(Head, _, _),
    check_by_hand(Head),
    (   Body == true
    ->  Safe = true
    ;   as_if_private(Head, safe_body(Body, Safe))
    ),
    store_step(Head, Safe, Body, last).

assume_directive(Directive) :-
    callable(Directive),
    declares(Directive, Spec),
    !,
    hb_predicates:safe_dynamic(Spec).
assume_directive(table(Spec)) :-
    !,
    table_specs(Spec, Specs),
    findall(table(Name, Arity, Own, Follows),
            ( '$member'(One, Specs),
              table_one(One, Name, Arity, Own),
              (   follows_changes(One)
              ->  Follows = true
              ;   Follows = false
              ) ),
            Tables),
    forall('$member'(table(Name, Arity, Own, Follows), Tables),
           assume_table(Name, Arity, table(Own, Follows))).
assume_directive(Directive) :-
    callable(Directive),
    there_already(Directive),
    !.
assume_directive(Directive) :-
    callable(Directive),
    hb_declarations:loads_file(Directive, Spec),
    !,
    term_functor(Directive, Name, Arity),
    (   nonvar(Spec),
        Spec = library(Library),
        nonvar(Library),
        named_library(Library)
    ->  format(string(Said), "library(~w) is loaded by name, for the whole book: add the directive as a clause, and ask then.", [Library])
    ;   Said = "Only libraries that are always there can be assumed: import the file, and ask then."
    ),
    throw(error(hornbook(directive(Name/Arity, Said)), _)).
assume_directive(Directive) :-
    callable(Directive),
    term_functor(Directive, Name, Arity),
    throw(error(hornbook(directive(Name/Arity, "Only dynamic/1, discontiguous/1 and table/1 can be assumed: import the text, and ask then.")), _)).
assume_directive(Directive) :-
    throw(error(type_error(callable, Directive), _)).

%   assume_table(+Name, +Arity, +Table): only a predicate that goes with the step can be tabled for it.

assume_table(Name, Arity, _) :-
    own(Name, Arity),
    \+ new(Name, Arity),
    !,
    format(string(Said),
           "~q is a predicate of the book: add the directive there, or assume the whole predicate under another name.",
           [Name/Arity]),
    throw(error(hornbook(directive((table)/1, Said)), _)).
assume_table(Name, Arity, Table) :-
    Table = table(Spec, Follows),
    table_predicate(Name, Arity, Spec),
    assertz(assumed_table(Name, Arity, Table)),
    (   Follows == true
    ->  follow_changes(assumed)
    ;   true
    ).

declares(dynamic(Spec), Spec).
declares(dynamic(Spec, _), Spec).

there_already(discontiguous(_)).
there_already(use_module(library(Library))) :-
    preloaded_library(Library).
there_already(use_module(library(Library), _)) :-
    preloaded_library(Library).
there_already(ensure_loaded(library(Library))) :-
    preloaded_library(Library).
there_already(style_check(_)).

%!  assumed_since(+Assumed0, -Assumed) is det.
%
%   Assumed is what the step has changed, for assume/1 in the next step, when Assumed0 was for this one.

assumed_since(assumed(Away, _, _), assumed(Away, Clauses, Gone)) :-
    declared(PIs),
    findall(declared(Name, Arity), '$member'(Name/Arity, PIs), Declared),
    findall(tabled(Name, Arity, Table), assumed_table(Name, Arity, Table), Tabled),
    step_clauses(First, Last),
    reverse_onto(First, Last, Clauses0),
    '$append'(Tabled, Clauses0, Clauses1),
    '$append'(Declared, Clauses1, Clauses),
    step_removed(Removed),
    findall(gone(Id, PI), ( '$member'(gone(Id, PI), Removed), \+ taken(Id) ), Gone).

%   Clauses at the front are added there one by one, the last one first.

reverse_onto([], Clauses, Clauses).
reverse_onto([Clause|Clauses], Onto, All) :-
    reverse_onto(Clauses, [Clause|Onto], All).

%!  drop_assumed(-Predicates) is det.
%
%   Undo all changes of the step.  Predicates are those with clauses to be added again.

drop_assumed(Predicates) :-
    undo_run(_, Predicates),
    assumed_over,
    let_stay,
    tables_changed,
    step_over.

%!  assumed_over is det.
%
%   Forget what is known of what this step assumes, once its changes are undone.

assumed_over :-
    retractall(taken(_)),
    retractall(assumed_table(_,_,_)),
    stop_following(assumed),
    forall(hb_capability:drop_assumed, true).
