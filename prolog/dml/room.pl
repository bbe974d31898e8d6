:- module(hb_dml_room, []).
:- use_module('../capability').
:- use_module(dml).
:- use_module(host).
:- use_module(text).
:- use_module(place).
:- use_module(files).
:- use_module(clock).
:- use_module(program).
:- use_module(run).
:- use_module(check).
:- use_module(book).
:- use_module('../sandbox/policy', [class/3]).
:- use_module('../sandbox/outages', [set_outages/1]).

/** <module> The capability DML

What it adds to the rest: its requests, their words, and what programs may call.
*/

:- multifile
    hb_capability:request/3,
    hb_capability:word/1,
    hb_capability:class/4,
    hb_capability:qualified/3,
    hb_capability:called/3,
    hb_capability:written/3,
    hb_capability:asks/2,
    hb_capability:error_message/2,
    hb_capability:output_stream/2,
    hb_capability:file_text/2.

hb_capability:request(dml_load(Text, Parameters, Outages, Seed, Readings), Control, Parts) :-
    start_clock(Seed, Readings),
    set_outages(Outages),
    number_requests,
    go_in(Parameters, Values),
    set_parameters(Values),
    load_program(Text, Control, Parts).
hb_capability:request(dml_check(Text), Control, Parts) :-
    check_program(Text, Control, Parts).
hb_capability:request(dml_main(Id, Arguments, Gas, Seconds), Control, Parts) :-
    go_in(Arguments, Values),
    start_main(Id, Values, Gas, Seconds, Control, Parts).
hb_capability:request(dml_tool(Id, Name, Inputs, Running, Gas, Seconds), Control, Parts) :-
    go_in(Inputs, Values),
    start_tool(Id, Name, Values, Running, Gas, Seconds, Control, Parts).
hb_capability:request(dml_branch(Id, Group, I, Gas, Seconds), Control, Parts) :-
    start_branch(Id, Group, I, Gas, Seconds, Control, Parts).
hb_capability:request(dml_leave(Group), [], []) :-
    leave_branches(Group).
hb_capability:request(dml_next(Id, Answer, Seconds), Control, Parts) :-
    go_in(Answer, Value),
    go_on(Id, Value, Seconds, Control, Parts).

hb_capability:word(errors).
hb_capability:word(tools).
hb_capability:word(uses).
hb_capability:word(tool).
hb_capability:word(unbound).
hb_capability:word(unknown).
hb_capability:word(told).
hb_capability:word(request).
hb_capability:word(used).
hb_capability:word(end).
hb_capability:word(after).
hb_capability:word(value).
hb_capability:word(stopped).
hb_capability:word(gas).
hb_capability:word(time).
hb_capability:word(output_chars).
hb_capability:word(written_at).
hb_capability:word(log).
hb_capability:word(answer).
hb_capability:word(input).
hb_capability:word(file).
hb_capability:word(exec).
hb_capability:word(task).
hb_capability:word(prompt).
hb_capability:word(concurrent).
hb_capability:word(book).

hb_capability:class(dml, Name, Arity, Class) :-
    dml_class(Name, Arity, Class).

hb_capability:qualified(book, Goal, hb_dml_book:book(Goal, null)) :-
    class(task, 2, offered(hb_dml)).
hb_capability:qualified(Tied, Goal, Safe) :-
    placed_safe(Tied, Goal, Safe).

hb_capability:called(hb_dml, Goal, Safe) :-
    dml_called(Goal, Safe).
hb_capability:called(hb_dml_files, Goal, file_goal(Goal)).

hb_capability:asks(hb_dml, Safe) :-
    dml_asks(Safe).
hb_capability:asks(hb_dml_place, Placed) :-
    functor(Placed, at_once, _).

hb_capability:written(hb_dml, Safe, Goal) :-
    dml_written(Safe, Goal).
hb_capability:written(hb_dml_book, book(Goal, _), book:Goal).
hb_capability:written(hb_dml_place, Placed, Goal) :-
    placed_written(Placed, Goal).
hb_capability:written(hb_dml_files, file_goal(Goal), Goal).

hb_capability:error_message(model_error(Kind, Why), Message) :-
    ( string(Why) ; atom(Why) ),
    !,
    (   Kind == unreachable
    ->  format(string(Message), "The model cannot be reached: ~w.", [Why])
    ;   format(string(Message), "~w", [Why])
    ).
hb_capability:error_message(tool_error(_, _, Why), Message) :-
    ( string(Why) ; atom(Why) ),
    !,
    format(string(Message), "~w", [Why]).
hb_capability:error_message(input_error(Why), Message) :-
    ( string(Why) ; atom(Why) ),
    !,
    format(string(Message), "~w", [Why]).
hb_capability:error_message(cost_error(Why), Message) :-
    ( string(Why) ; atom(Why) ),
    !,
    format(string(Message), "~w", [Why]).

hb_capability:error_message(book_error(Kind, Why), Message) :-
    atom(Kind),
    ( string(Why) ; atom(Why) ),
    !,
    format(string(Message), "The book: ~w", [Why]).

hb_capability:output_stream(Stream, Own) :-
    file_output(Stream, Own).

hb_capability:file_text(Path, Text) :-
    class(task, 2, offered(hb_dml)),
    file_contents(Path, Text).
