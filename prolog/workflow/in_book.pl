:- module(hb_workflow_in_book,
          [ run_in_book/8               % +Text, +State, +Answers, +Seconds, +Last, +First, -Control, -Parts
          ]).
:- use_module(workflow).
:- use_module('../functor').
:- use_module(block).
:- use_module('../depth', [check_text/1]).
:- use_module('../read/reader').
:- use_module('../read/clauses').
:- use_module('../sandbox/policy').
:- use_module('../store/store').
:- use_module('../store/operators', [forget_operators/1]).
:- use_module('../store/step').
:- use_module('../query/changes').
:- use_module('../limits').
:- use_module(library(lists), [append/3]).

/** <module> Workflow nodes that use a book

A node runs in the engine of the book, calls its predicates, and changes its clauses as a query
does.  What the node itself defines is its own, and goes when the reply is given.  So do the
predicates state/2, return/2 and interrupt/2, which the book may also define.
*/

:- dynamic own_predicate/2.             % Name, Arity: defined by the block

%!  run_in_book(+Text, +State, +Answers, +Seconds, +Last, +First, -Control, -Parts) is det.
%
%   Run the block Text within Seconds, with the pairs of the dict State in state/2.  Clauses that it
%   adds to the book take ids as for begin_step/2.  The reply is that of run_block/7, and the
%   changes.  A block that fails, throws or asks changes nothing.

run_in_book(Text, State, Answers, Seconds, Last, First, [end=End|Control], Parts) :-
    begin_step(Last, First),
    setup_call_cleanup(
        lend(workflow_in_book),
        run_alone(hb_workflow_in_book:block(Text), State-Answers, Seconds, Output, Outcome0),
        take_back_lent),
    uninterrupted(hb_workflow_in_book:forget_own),
    (   Outcome0 = the(solutions(_))
    ->  retranslate_added,
        changes_kept(Untold, Changes, Changed),
        (   var(Untold)
        ->  Outcome = Outcome0
        ;   Outcome = throw(Untold)
        )
    ;   Outcome = Outcome0,
        changes_taken_back(Changes, Changed)
    ),
    run_parts(Outcome, Output, End, Control0, Parts0),
    forget_run,
    append(Control0, Changes, Control),
    append(Parts0, Changed, Parts).

:- public block/2.

block(Text, Result) :-
    nb_setval(hb_asks, node),
    check_text(Text),
    setup_call_cleanup(
        open_source(inline, Text, Source),
        ( read_block(Source, Items),
          forall('$member'(Item, Items), claim(Item, Source)),
          forall(tabled_here(PI), claim(PI)),
          run_items(Items, Source, first, Result)
        ),
        close_source(Source)).

%   claim(+Item, +Source), claim(+PI): predicates that the block defines are the node's own.

claim(goal(_, _), _).
claim(clause(Place, Term), Source) :-
    clause_indicator(Term, PI),
    catch(check_own(PI), Ball,
          ( place_line(Source, Place, Line), throw(at(Line, Ball)) )),
    claim(PI).

claim(Name/Arity) :-
    (   own_predicate(Name, Arity)
    ->  true
    ;   assertz(own_predicate(Name, Arity))
    ).

%   tabled_here(-PI): a directive of the block has tabled PI.

tabled_here(Name/Arity) :-
    new(Name, Arity),
    term_functor(Head, Name, Arity),
    predicate_property(knowledge_base:Head, tabled).

%   forget_own: forget what the block has defined, its operators, and the libraries it has loaded.

forget_own :-
    ignore(forget_operators(0)),
    forall(retract(own_predicate(Name, Arity)), undeclare(Name, Arity)),
    (   leave_library(0)
    ->  repeat,
        \+ leave_library(0),
        !,
        repeat,
        \+ hb_chr_rules:forget(0),
        !,
        meanings_changed
    ;   true
    ),
    (   shadowed
    ->  retranslate_shadowed
    ;   true
    ),
    tables_changed.

%   retranslate_added: make rules that the block has added to the book call what they would call there.

retranslate_added :-
    run_changes(Added, _),
    findall(Name/Arity,
            (   '$member'(added(_, Ref), Added),
                clause(knowledge_base:Head, Body, Ref),
                Body \== true,
                term_functor(Head, Name, Arity)
            ),
            PIs0),
    sort(PIs0, PIs),
    forall('$member'(PI, PIs), retranslate(PI)).
