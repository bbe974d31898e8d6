:- module(hb_host_room, []).
:- use_module('../capability').
:- use_module('../sandbox/written', [as_written/2]).
:- use_module(host).
:- use_module(linked).
:- use_module(joins).
:- use_module(sets).

/** <module> The capability host

Predicates answered by the program that has the book open, and tables of its data.
*/

:- multifile
    hb_capability:boot_option/1,
    hb_capability:class/4,
    hb_capability:called/3,
    hb_capability:written/3,
    hb_capability:source/3,
    hb_capability:given/3,
    hb_capability:error_message/2.

hb_capability:boot_option(host(PIs)) :-
    set_host_predicates(PIs).

hb_capability:class(host, Name, Arity, offered(hb_host)) :-
    host_predicate(Name, Arity).

hb_capability:called(hb_host, Goal, asked(Goal)).

hb_capability:written(hb_host, asked(Goal), Goal).
hb_capability:written(hb_joins, join(Safe, _), Goals) :-
    as_written(Safe, Goals).
hb_capability:written(hb_joins, aggregate(What, Safe, Result), aggregate_all(What, Goals, Result)) :-
    as_written(Safe, Goals).
hb_capability:written(hb_linked, linked(From, _), from(From)).

hb_capability:source(hb_host, asked(_), 'taken from the host').

hb_capability:given(Name, Arity, "the program that has the book open answers it") :-
    host_predicate(Name, Arity).

hb_capability:error_message(host_error(PI, Why), Message) :-
    format(string(Message), "~q could not be answered: ~w", [PI, Why]).
