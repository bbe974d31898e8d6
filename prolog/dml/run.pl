:- module(hb_dml_run,
          [ start_main/6,               % +Id, +Arguments, +Gas, +Seconds, -Control, -Parts
            start_tool/8,               % +Id, +Name, +Inputs, +Running, +Gas, +Seconds, -Control, -Parts
            start_branch/7,             % +Id, +Group, +I, +Gas, +Seconds, -Control, -Parts
            leave_branches/1,           % +Group
            go_on/5                     % +Id, +Answer, +Seconds, -Control, -Parts
          ]).
:- use_module('../sandbox/policy').
:- use_module('../limits').
:- use_module('../depth', [written_depth/3]).
:- use_module('../sandbox/sandbox').
:- use_module('../sandbox/outages').
:- use_module('../errors').
:- use_module('../query/undefined').
:- use_module(dml).
:- use_module(control, [start_gas/1]).
:- use_module(host).
:- use_module(values).
:- use_module(program).
:- use_module(clock).
:- use_module(concurrent).
:- use_module(place, [take_written/1]).

/** <module> Running a DML program

agent_main, and each call of a tool by a model, runs in a Prolog engine of its own.  A step runs one
of them to its next request to the host, or to its end.
*/

:- dynamic run/2.                       % Id, Engine

%!  start_main(+Id, +Arguments, +Gas, +Seconds, -Control, -Parts) is det.
%
%   Run the goals of the directives, then agent_main with Arguments.  Gas is the number of
%   inferences it may take, or `none`.

start_main(Id, Arguments, Gas, Seconds, Control, Parts) :-
    Goal =.. [agent_main|Arguments],
    start(Id, hb_dml_run:main(Goal), [], Gas),
    step(Id, Seconds, Control, Parts).

%!  start_tool(+Id, +Name, +Inputs, +Running, +Gas, +Seconds, -Control, -Parts) is det.
%
%   Run the program's tool Name, with one more argument than Inputs unless it has none.  Running are
%   the names of the tools that may not be called from it.

start_tool(Id, Name, Inputs, Running, Gas, Seconds, Control, Parts) :-
    (   hb_dml_program:tool(Name, 0, _, _)
    ->  Head = Name,
        Output = true
    ;   '$append'(Inputs, [Output], Args),
        Head =.. [Name|Args]
    ),
    start(Id, hb_dml_run:tool(Head, Output), Running, Gas),
    step(Id, Seconds, Control, Parts).

%!  start_branch(+Id, +Group, +I, +Gas, +Seconds, -Control, -Parts) is det.
%
%   Run the goal I of Group, whose goals run at the same time.

start_branch(Id, Group, I, Gas, Seconds, Control, Parts) :-
    group_running(Group, Running),
    start(Id, hb_dml_concurrent:run_branch(Group, I, Id), Running, Gas),
    step(Id, Seconds, Control, Parts).

%!  leave_branches(+Group) is det.
%
%   End all goals of Group.  Their cleanup has one second, however long the steps of the program may take.

leave_branches(Group) :-
    continue_step(1),
    leave_group(Group, Ids),
    forall('$member'(Id, Ids), end_run(Id)).

start(Id, Goal, Running, Gas) :-
    engine_create(Value, hb_dml_run:run(Id, Goal, Running, Gas, Value), Engine),
    assertz(run(Id, Engine)).

:- public run/5, main/2, tool/3.

run(Id, Goal, Running, Gas, ended(Value, After)) :-
    watch,
    nb_setval(hb_streams_of, main),     % all goals of a program share them
    seed_random(Id),
    start_conversation(Running),
    start_gas(Gas),
    (   Gas == none
    ->  call(Goal, Value)
    ;   call_with_inference_limit(call(Goal, Value), Gas, Result),
        (   Result == inference_limit_exceeded
        ->  throw('$hb_stop'(gas))
        ;   true
        )
    ),
    !,
    branch(After).

%   main(+Goal, -Json): Json is true, or else the text of the last outage, because of which Goal may
%   have failed.

main(Goal, Json) :-
    forall(directive_goal(Safe), run_directive(Safe)),
    (   call(knowledge_base:Goal)
    ->  must_be_defined,
        Json = @(true)
    ;   last_outage(Formal),
        error_json(error(Formal, _), object(Pairs)),
        '$member'(message=Json, Pairs)
    ->  true
    ).

run_directive(Safe) :-
    (   call(knowledge_base:Safe)
    ->  true
    ;   as_written(Safe, Goal),
        written_depth(Goal, 10, Levels),
        format(string(Text), "Warning: the directive ~W failed.", [Goal, [quoted(true), max_depth(Levels)]]),
        hb_dml:log(Text)
    ).

tool(Head, Output, Json) :-
    watch_all,                          % the model would take the failure for an answer
    call(knowledge_base:tool(Head)),
    !,
    must_be_defined,
    (   var(Output)
    ->  Json = @(true)
    ;   value_json(Output, Json)
    ).

%!  go_on(+Id, +Answer, +Seconds, -Control, -Parts) is det.
%
%   Answer is the reply to the last request of the run: `failed`, or a term done(...).

go_on(Id, Answer, Seconds, Control, Parts) :-
    run(Id, Engine),
    !,
    engine_post(Engine, Answer),
    step(Id, Seconds, Control, Parts).

%   step(+Id, +Seconds, -Control, -Parts): `told` are the events, in order, before `request` or
%   `end`.  Parts are their contents, the output, the clock readings, and then the request, the
%   result of a tool, or the error and its term.

step(Id, Seconds, [told=Events, output=HasOutput, written_at=At, used=Used|Control], Parts) :-
    run(Id, Engine),
    start_step(Seconds),
    next_reified(Engine, Next),
    catch(take_output(Output), Ball, Output=""),
    take_written(At),
    drain_events(Told),
    take_readings(Readings),
    (   nonvar(Ball)
    ->  end_run(Id),
        end_reply(throw(Ball), Used, Control, Last)
    ;   Next = the(request(Used, Asked))
    ->  event(Asked, Request, Part),
        Control = [request=Request],
        Last = [Part]
    ;   end_run(Id),
        end_reply(Next, Used, Control, Last)
    ),
    events(Told, Events, Parts, Parts1),
    (   Output == ""
    ->  HasOutput = false,
        Parts1 = Parts2
    ;   HasOutput = true,
        Parts1 = [text(Output)|Parts2]
    ),
    texts_json(Readings, Clock),
    Parts2 = [Clock|Last].

%   event(+Asked, -Control, -Part): Control is [Kind, Id, After], with Id and After perhaps null,
%   and the place of the goal if it is known.

event(asked(Kind, Id, After, null, Json), [Kind,Id,After], Json) :-
    !.
event(asked(Kind, Id, After, At, Json), [Kind,Id,After,At], Json).

events([], [], Parts, Parts).
events([Asked|Told], [Event|Events], [Part|Parts], Rest) :-
    event(Asked, Event, Part),
    events(Told, Events, Parts, Rest).

end_reply(the(ended(Json, After)), null, [end=true, after=After], [Json]).
end_reply(no, null, [end=false], []).
end_reply(throw(Ball0), null, [end=error, stopped=Stopped], [object(Pairs), text(Term)]) :-
    copy_term_nat(Ball0, Ball),             % a delayed goal must not wake here
    error_json(Ball, object(Pairs0)),
    (   '$member'(raised=list([_, number(Id)|_]), Pairs0),
        clause_offset(Id, Offset)
    ->  Pairs = [offset=number(Offset)|Pairs0]
    ;   Pairs = Pairs0
    ),
    (   Ball = '$hb_stop'(Limit),
        stops(Limit)
    ->  Stopped = Limit
    ;   Stopped = null
    ),
    (   Ball = error(Formal, _),
        Formal \= hornbook(_)
    ->  without_modules(Formal, Plain),
        written_depth(Plain, 10, Levels),
        format(string(Term), "~W", [Plain, [quoted(true), max_depth(Levels)]])
    ;   Term = ""
    ).

%   stops(@Limit): a program that throws such a term itself ends only its own run.

stops(Limit) :-
    atom(Limit),
    '$member'(Limit, [gas, time, inferences, output_chars, answer]).

%   without_modules(+Formal, -Plain): name predicates as the program does.

without_modules(Formal, Plain) :-
    compound(Formal),
    !,
    Formal =.. [Name|Args0],
    findall(Arg, ( '$member'(Arg0, Args0), without_module(Arg0, Arg) ), Args),
    Plain =.. [Name|Args].
without_modules(Formal, Formal).

without_module(Arg, PI) :-
    nonvar(Arg),
    Arg = (_:PI),
    nonvar(PI),
    PI = (_/_),
    !.
without_module(Arg, Arg).

end_run(Id) :-
    (   retract(run(Id, Engine))
    ->  catch(engine_destroy(Engine), _, true)
    ;   true
    ).
