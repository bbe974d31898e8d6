:- module(hb_assumed,
          [ read_assumed/3,             % +Texts, -Assumed, -Words
            assume/1,                   % +Assumed
            assumed_since/1,            % -Assumed
            drop_assumed/1              % -Predicates
          ]).
:- use_module('../functor').
:- use_module('../capability').
:- use_module('../read/reader').
:- use_module('../read/lambdas').
:- use_module('../read/tabling', [table_specs/2, table_one/4]).
:- use_module('../read/clauses', [is_value/1, refuse_value/1, single_sided/5]).
:- use_module('../sandbox/sandbox').
:- use_module('../sandbox/policy').
:- use_module('../sandbox/libraries', [preloaded_library/1, named_library/1]).
:- use_module('../store/store').
:- use_module('../store/facts', [fact_with_id/2]).
:- use_module('../store/step').

/** <module> Clauses that hold for one query

A query may bring clauses of its own.  At the beginning of each of its steps they are
added as if running code added them, and at the end of the step all its changes are
undone: between steps, when other queries run, nothing of them is there.  The same
holds for what the query itself adds and retracts, which its next step restores.

Predicates declared along with them are dropped at the end of the step (passing/0 of hb_store), and with
them that they are tabled.  `-p(x).` supposes that the fact p(x) is gone: such facts go before clauses come.
*/

:- dynamic
    assumed_table/3.                    % Name, Arity, Spec: tabled in this step, as table_predicate/3 takes it

%!  read_assumed(+Texts, -Assumed, -Words) is det.
%
%   Assumed are the clauses of Texts, strings, for assume/1.  Words are the variables whose constraints lambdas
%   in them lose (lambda_words/4).
%
%   @error hornbook(assumed(Index, Ball)) if the text with the number Index, from 1, cannot be assumed.

read_assumed(Texts, assumed(Clauses, []), Words) :-
    read_texts(Texts, 1, Read, []),
    findall(Word,
            ( '$member'(read(_, Term, Names), Read),
              clause_words(Term, Names, Found),
              '$member'(Word, Found) ),
            Words),
    findall(written(Index, Term), '$member'(read(Index, Term, _), Read), Clauses).

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

assume(assumed(Clauses, Removed)) :-
    let_pass,
    forall('$member'(gone(Id, PI), Removed), remove_again(Id, PI)),
    forall(( '$member'(written(Index, Term), Clauses), takes_away(Term, Pattern) ),
           naming(Index, hb_assumed:take_away(Pattern))),
    forall(( '$member'(Clause, Clauses), \+ ( Clause = written(_, Term), takes_away(Term, _) ) ),
           assume_clause(Clause)),
    tables_changed.

%   takes_away(@Term, -Pattern) is semidet: Term says that the clauses like Pattern are gone.

takes_away(Term, Pattern) :-
    nonvar(Term),
    Term = -Pattern,
    callable(Pattern),
    \+ own(-, 1).

take_away(Pattern) :-
    findall(gone, hb_builtins:safe_retract(Pattern), Gone),
    (   Gone == []
    ->  format(string(Message), "Nothing matches ~p, which is to be gone. Give a fact, or -(Head :- Body) for a rule.", [Pattern]),
        throw(error(hornbook(message(existence_error, Message)), _))
    ;   true
    ).

remove_again(Id, Name/Arity) :-
    (   ( with_id(Id, Ref) ; fact_with_id(Id, Ref) )
    ->  term_functor(Head, Name, Arity),
        forget(Head, Ref)
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
    as_if_private(Head, safe_body(Body, Safe)),
    store_step(Head, hb_store:single_sided(Neck, Safe), Body, last).
assume_term((Head --> Body)) :-
    !,
    dcg_translate_rule((Head --> Body), (Head1 :- Body1)),
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
    (   Body == true
    ->  Safe = true
    ;   as_if_private(Head, safe_body(Body, Safe))
    ),
    store_step(Head, Safe, Body, last).

assume_directive(Directive) :-
    callable(Directive),
    declares(Directive, Spec),
    !,
    hb_builtins:safe_dynamic(Spec).
assume_directive(table(Spec)) :-
    !,
    table_specs(Spec, Specs),
    findall(table(Name, Arity, Own), ( '$member'(One, Specs), table_one(One, Name, Arity, Own) ), Tables),
    forall('$member'(table(Name, Arity, Own), Tables), assume_table(Name, Arity, Own)).
assume_directive(Directive) :-
    callable(Directive),
    there_already(Directive),
    !.
assume_directive(Directive) :-
    callable(Directive),
    hb_directives:loads_file(Directive, Spec),
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

%   assume_table(+Name, +Arity, +Spec): only what goes with the step can be untabled.

assume_table(Name, Arity, _) :-
    own(Name, Arity),
    \+ new(Name, Arity),
    !,
    format(string(Said), "~q has clauses in the book: add the directive there, or assume all of the predicate under another name.",
           [Name/Arity]),
    throw(error(hornbook(directive((table)/1, Said)), _)).
assume_table(Name, Arity, Spec) :-
    table_predicate(Name, Arity, Spec),
    assertz(assumed_table(Name, Arity, Spec)).

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

%!  assumed_since(-Assumed) is det.
%
%   Assumed is what the step has changed, for assume/1 in the next step.

assumed_since(assumed(Clauses, Gone)) :-
    declared(PIs),
    findall(declared(Name, Arity), '$member'(Name/Arity, PIs), Declared0),
    findall(tabled(Name, Arity, Spec), assumed_table(Name, Arity, Spec), Tabled),
    '$append'(Declared0, Tabled, Declared),
    step_clauses(First, Last),
    reverse_onto(First, Last, InOrder),
    '$append'(Declared, InOrder, Clauses),
    step_removed(Gone).

%   Clauses at the front are added there one by one, the last one first.

reverse_onto([], Clauses, Clauses).
reverse_onto([Clause|Clauses], Onto, All) :-
    reverse_onto(Clauses, [Clause|Onto], All).

%!  drop_assumed(-Predicates) is det.
%
%   Undo all changes of the step.  Predicates are those with clauses to be added again.

drop_assumed(Predicates) :-
    undo_run(_, Predicates),
    retractall(assumed_table(_,_,_)),
    forall(hb_capability:drop_assumed, true),
    let_stay,
    tables_changed,
    step_over.
