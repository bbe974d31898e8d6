:- module(hb_workflow_room, []).
:- use_module('../capability').
:- use_module(workflow).
:- use_module(block, [node_predicate/2]).
:- use_module(node_class).
:- use_module(in_book).
:- use_module(explain).
:- use_module('../query/explaining', [explain/3]).

/** <module> The capability workflow

What it adds to the rest: its requests, their words, and what nodes may call.
*/

:- multifile
    hb_capability:request/3,
    hb_capability:word/1,
    hb_capability:class/4,
    hb_capability:source/3.

hb_capability:request(node_run(Text, State, Answers, Solutions, Seconds), Control, Parts) :-
    run_block(Text, State, Answers, Solutions, Seconds, Control, Parts).
hb_capability:request(book_node_run(Text, State, Answers, Seconds, Last, First), Control, Parts) :-
    explain(run_in_book(Text, State, Answers, Seconds, Last, First), Control, Parts).
hb_capability:request(node_condition(Text, State, Seconds), Control, Parts) :-
    eval_condition(Text, State, Seconds, Control, Parts).

hb_capability:request(node_proof(Text, State, Seconds), Control, Parts) :-
    explain_block(Text, State, Seconds, Control, Parts).

hb_capability:word(worn).
hb_capability:word(end).
hb_capability:word(asks).

hb_capability:class(workflow, Name, Arity, Class) :-
    node_class(Name, Arity, Class).
hb_capability:class(workflow_in_book, Name, Arity, offered(hb_workflow)) :-
    node_predicate(Name, Arity).

hb_capability:source(hb_workflow, state(_,_), state).
hb_capability:source(hb_workflow, return(_,_), return).
hb_capability:source(hb_workflow, interrupt(_,_), interrupt).
