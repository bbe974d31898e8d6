:- module(hb_memory_room, []).
:- use_module('../capability').
:- use_module('../store/step').
:- use_module(facts).
:- use_module(infer).

/** <module> The capability memory

What it brings to the rest: its requests and their words, and the facts that queries and rules may use.
*/

:- multifile
    hb_capability:request/3,
    hb_capability:word/1,
    hb_capability:class/4,
    hb_capability:given/3,
    hb_capability:assume/1,
    hb_capability:drop_assumed/0,
    hb_capability:source/3.

hb_capability:request(memory_set(Now, Forget, Facts), [], []) :-
    set_records(Now, Forget, Facts).
hb_capability:request(memory_infer(Text, Assumed, Time, Bounds, Last, First), Control, Parts) :-
    begin_step(Last, First),
    infer(Text, Assumed, Time, Bounds, Control, Parts).
hb_capability:request(memory_objections(Seconds, Most, Last, First), Control, Parts) :-
    begin_step(Last, First),
    objections(Seconds, Most, Control, Parts).

hb_capability:class(memory, Name, Arity, Class) :-
    memory_class(Name, Arity, Class).

hb_capability:assume(Fact) :-
    assume_fact(Fact).

hb_capability:drop_assumed :-
    drop_facts.

hb_capability:given(Name, Arity, Said) :-
    memory_class(Name, Arity, _),
    changed_by(Name, Tools),
    format(atom(Said), "it is a fact of the memory, which the tool ~w changes", [Tools]).

changed_by(Name, Tool) :-
    (   by_tool(Name, Tool)
    ->  true
    ;   Tool = 'kn_graph or kn_intel'
    ).

by_tool(kn_experience, 'kn_experience or kn_intel').
by_tool(kn_relevance, 'kn_experience or kn_intel').
by_tool(kn_context, 'kn_experience or kn_intel').
by_tool(kn_project, kn_project).
by_tool(kn_active_project, kn_project).
by_tool(kn_goal, kn_project).
by_tool(kn_log, kn_project).
by_tool(kn_idea, kn_idea).

hb_capability:source(hb_memory, Goal, Source) :-
    memory_source(Goal, Source).
