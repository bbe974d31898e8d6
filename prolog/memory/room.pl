:- module(hb_memory_room, []).
:- use_module('../capability').
:- use_module('../store/step').
:- use_module(facts).
:- use_module(infer).

/** <module> The capability memory

What it adds to the rest: its requests and their words, and the facts that queries and rules may use.
*/

:- dynamic
    changed_by/2.                       % Name of a predicate, what changes its facts: part of a sentence

:- multifile
    hb_capability:boot_option/1,
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
hb_capability:request(memory_objections(When, Seconds, Most, Last, First), Control, Parts) :-
    begin_step(Last, First),
    objections(When, Seconds, Most, Control, Parts).

hb_capability:class(memory, Name, Arity, Class) :-
    memory_class(Name, Arity, Class).

hb_capability:assume(Fact) :-
    assume_fact(Fact).

hb_capability:drop_assumed :-
    drop_facts.

hb_capability:boot_option(changed_by(memory, Pairs)) :-
    retractall(changed_by(_, _)),
    forall('$member'(Name-What, Pairs), assertz(changed_by(Name, What))).

hb_capability:given(Name, Arity, Said) :-
    memory_class(Name, Arity, _),
    (   changed_by(Name, What)
    ->  format(atom(Said), "it is a fact of the memory, which ~w changes", [What])
    ;   Said = 'it is a fact of the memory'
    ).

hb_capability:asked(kn_refuse, 1).
hb_capability:asked(kn_warn, 1).
hb_capability:asked(kn_functional, 1).

hb_capability:source(hb_memory, Goal, Source) :-
    memory_source(Goal, Source).
