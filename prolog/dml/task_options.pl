:- module(hb_task_options,
          [ with_task_options/2,        % +Options, :Goal
            with_model/2,               % +Names, :Goal
            with_temperature/2,         % +Temperature, :Goal
            no_task_options/0,
            usual_task_options/1,       % +Options
            start_task_options/0,
            task_options_json/1,        % -Pairs
            during/3                    % +Variable, +Value, :Goal
          ]).
:- use_module(values).
:- use_module(text).
:- use_module(option_ranges).
:- use_module(library(error), [must_be/2]).

/** <module> Which model does a task, and how

Options of tasks are set for a goal (with_task_options/2) or for a program (the directive
task_options/1):

  - model(Names)
    The host's name of a model, or a list of names: the first that can be reached is asked.
  - temperature(T), top_p(P), max_output_tokens(N)
    Settings of the model.
  - retries(N)
    How often a turn is tried again.
  - call_timeout(Seconds)
    For one call of the model.
  - on(Reasons, Action)
    What is done about a turn that failed (`failed`, `late`) or was cut (`length`,
    `content_filter`): `retry`, `fallback` to the next model, or `outage`.
*/

:- dynamic usual/1.                     % Options of the program, as a list of Key-Value

:- meta_predicate
    with_task_options(+, 0),
    with_model(+, 0),
    with_temperature(+, 0),
    during(+, +, 0).

%!  with_task_options(+Options, :Goal) is nondet.
%
%   Tasks of Goal have these options, and those that are set around it.

with_task_options(Options0, Goal) :-
    checked(Options0, Options),
    b_getval(hb_dml_task_options, Before),
    merged(Options, Before, Merged),
    during(hb_dml_task_options, Merged, Goal).

%!  with_model(+Names, :Goal) is nondet.
%
%   Tasks of Goal ask the named model, or the first of a list of models that can be reached.

with_model(Names, Goal) :-
    with_task_options([model(Names)], Goal).

%!  with_temperature(+Temperature, :Goal) is nondet.
%
%   Tasks of Goal use this temperature of the model, which mostly ranges from 0 to 1 or 2.

with_temperature(Temperature, Goal) :-
    with_task_options([temperature(Temperature)], Goal).

%!  during(+Variable, +Value, :Goal) is nondet.
%
%   The global Variable has Value while Goal runs.

during(Variable, Value, Goal) :-
    b_getval(Variable, Before),
    b_setval(Variable, Value),
    call(Goal),
    b_setval(Variable, Before).

%!  no_task_options is det.
%!  usual_task_options(+Options) is det.
%
%   The program sets no options, or these.

no_task_options :-
    retractall(usual(_)).

usual_task_options(Options0) :-
    checked(Options0, Options),
    (   retract(usual(Before))
    ->  true
    ;   Before = []
    ),
    merged(Options, Before, Merged),
    assertz(usual(Merged)).

%!  start_task_options is det.
%
%   The options of a conversation are those of the program at first.

start_task_options :-
    (   usual(Options)
    ->  true
    ;   Options = []
    ),
    b_setval(hb_dml_task_options, Options).

%!  task_options_json(-Pairs) is det.
%
%   What the host has to know of the current options.

task_options_json(Pairs) :-
    b_getval(hb_dml_task_options, Options),
    findall(Name=Json, ( '$member'(Name-Json, Options), atom(Name) ), Pairs0),
    findall(Reason=text(Action), '$member'(on(Reason)-Action, Options), On),
    (   On == []
    ->  Pairs = Pairs0
    ;   Pairs = [on=object(On)|Pairs0]
    ).

merged(Options, Before, Merged) :-
    findall(Key-Value, ( '$member'(Key-Value, Before), \+ '$member'(Key-_, Options) ), Kept),
    '$append'(Options, Kept, Merged).

%   checked(+Options, -Pairs): the last of two options of the same name counts.

checked(Options, Pairs) :-
    must_be(list, Options),
    checked(Options, [], Pairs).

checked([], Pairs, Pairs).
checked([Option|Options], Pairs0, Pairs) :-
    must_be(nonvar, Option),
    (   option(Option, New)
    ->  merged(New, Pairs0, Pairs1),
        checked(Options, Pairs1, Pairs)
    ;   throw(error(domain_error(task_option, Option), _))
    ).

option(model(Names0), [models-Json]) :-
    names(Names0, Names),
    texts_json(Names, Json).
option(temperature(T), [temperature-number(Float)]) :-
    in_range(temperature, T),
    Float is float(T).
option(top_p(P), [topP-number(Float)]) :-
    in_range(top_p, P),
    Float is float(P).
option(max_output_tokens(N), [maxOutputTokens-number(N)]) :-
    in_range(max_output_tokens, N).
option(retries(N), [retries-number(N)]) :-
    in_range(retries, N).
option(call_timeout(Seconds), [callMs-number(Ms)]) :-
    in_range(call_timeout, Seconds),
    Ms is max(1, round(Seconds*1000)).
option(on(Reasons0, Action), Pairs) :-
    must_be(oneof([retry,fallback,outage]), Action),
    (   is_list(Reasons0)
    ->  Reasons = Reasons0
    ;   Reasons = [Reasons0]
    ),
    must_be(list(oneof([failed,late,length,content_filter])), Reasons),
    findall(on(Reason)-Action, '$member'(Reason, Reasons), Pairs).

names(Names0, Names) :-
    (   is_list(Names0)
    ->  findall(Name, ( '$member'(Name0, Names0), name(Name0, Name) ), Names)
    ;   name(Names0, Name),
        Names = [Name]
    ),
    (   Names == []
    ->  throw(error(domain_error(model_names, Names0), _))
    ;   true
    ).

name(Name0, Name) :-
    must_be(nonvar, Name0),
    text(Name0, Name).

%   in_range(+Option, +Value): Value may be given for Option.  Infinity and what is no number may not.

in_range(Option, Value) :-
    range(Option, Type, Least, Most),
    must_be(Type, Value),
    (   Value >= Least,
        Value =< Most
    ->  true
    ;   throw(error(domain_error(between(Least, Most), Value), _))
    ).
