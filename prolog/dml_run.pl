:- module(hb_dml_run,
          [ start_main/5,               % +Id, +Arguments, +Gas, +Seconds, -Reply
            start_tool/7,               % +Id, +Name, +Inputs, +Running, +Gas, +Seconds, -Reply
            go_on/4                     % +Id, +Reply, +Seconds, -Reply
          ]).
:- use_module(policy).
:- use_module(limits).
:- use_module(sandbox).
:- use_module(errors).
:- use_module(dml).
:- use_module(dml_host).
:- use_module(dml_program).
:- use_module(dml_clock).

/** <module> Running a DML program

agent_main, and each call of a tool by a model, runs in a Prolog engine of its own.  A step runs one of
them up to its next request to the host or its end.
*/

:- dynamic run/2.                       % Id, Engine

%!  start_main(+Id, +Arguments, +Gas, +Seconds, -Reply) is det.
%
%   Run the goals of the directives, then agent_main with Arguments.  Gas is the number of inferences it may
%   take, or `none`.

start_main(Id, Arguments, Gas, Seconds, Reply) :-
    Goal =.. [agent_main|Arguments],
    start(Id, hb_dml_run:main(Goal), [], Gas),
    step(Id, Seconds, Reply).

%!  start_tool(+Id, +Name, +Inputs, +Running, +Gas, +Seconds, -Reply) is det.
%
%   Run the program's tool Name, with one more argument than Inputs unless it has none.  Running are the
%   names of the tools that must not be called from it.

start_tool(Id, Name, Inputs, Running, Gas, Seconds, Reply) :-
    (   hb_dml_program:tool(Name, 0, _, _)
    ->  Head = Name,
        Output = true
    ;   '$append'(Inputs, [Output], Args),
        Head =.. [Name|Args]
    ),
    start(Id, hb_dml_run:tool(Head, Output), Running, Gas),
    step(Id, Seconds, Reply).

start(Id, Goal, Running, Gas) :-
    engine_create(Value, hb_dml_run:run(Id, Goal, Running, Gas, Value), Engine),
    assertz(run(Id, Engine)).

:- public run/5, main/2, tool/3.

run(Id, Goal, Running, Gas, ended(Value, After)) :-
    watch,
    seed_random(Id),
    start_conversation(Running),
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

main(Goal, true) :-
    forall(directive_goal(Safe), run_directive(Safe)),
    call(knowledge_base:Goal),
    !.

run_directive(Safe) :-
    (   call(knowledge_base:Safe)
    ->  true
    ;   as_written(Safe, Goal),
        format(string(Text), "Warning: the directive ~W failed.", [Goal, [quoted(true), max_depth(10)]]),
        hb_dml:log(Text)
    ).

tool(Head, Output, Json) :-
    call(knowledge_base:tool(Head)),
    !,
    (   var(Output)
    ->  Json = true
    ;   json_term(Output, Json)
    ).

%!  go_on(+Id, +Answer, +Seconds, -Reply) is det.
%
%   Answer is the reply to the last request of the run: `failed` or a term done(...).

go_on(Id, Answer, Seconds, Reply) :-
    run(Id, Engine),
    !,
    engine_post(Engine, Answer),
    step(Id, Seconds, Reply).

%   step(+Id, +Seconds, -Reply): Reply is a list of Name=Value; `told` are events, in order, that come before
%   `request` or `end`, `clock` what the clock has said.

step(Id, Seconds, [told=Told, output=Output, clock=Readings|Reply]) :-
    run(Id, Engine),
    start_step(Seconds),
    engine_next_reified(Engine, Next),
    catch(take_output(Output), Ball, Output=""),
    take_told(Told),
    take_readings(Readings),
    (   nonvar(Ball)
    ->  end_run(Id),
        end_reply(throw(Ball), Reply)
    ;   Next = the(request(Used, Request))
    ->  Reply = [used=Used, request=Request]
    ;   end_run(Id),
        end_reply(Next, Reply)
    ).

end_reply(the(ended(Value, After)), [end=true, value=Value, after=After]).
end_reply(no, [end=false]).
end_reply(throw(Ball), [end=error, error=json([stopped=Stopped,term=Term|Pairs])]) :-
    error_json(Ball, json(Pairs)),
    (   Ball = '$hb_stop'(Stopped)
    ->  true
    ;   Stopped = null
    ),
    (   Ball = error(Formal, _),
        Formal \= hornbook(_)
    ->  without_modules(Formal, Plain),
        format(string(Term), "~W", [Plain, [quoted(true), max_depth(10), numbervars(true)]])
    ;   Term = ""
    ).

%   without_modules(+Formal, -Plain): predicates are named as the program knows them.

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
