:- module(hb_dml,
          [ dml_class/3,                % ?Name, ?Arity, -Class
            dml_asks/1,                 % +Safe
            dml_called/2,               % +Goal, -Safe
            dml_written/2,              % +Safe, -Goal
            start_conversation/1,       % +Running
            exec_call/3                 % +Tool, -Name, -Arguments
          ]).
:- use_module('../query/undefined', [must_be_defined/0]).
:- use_module(host).
:- use_module(values).
:- use_module(text).
:- use_module(place).
:- use_module(memory).
:- use_module(control).
:- use_module('../sandbox/outages').
:- use_module(clock).
:- use_module(files).
:- use_module(types).
:- use_module(concurrent).
:- use_module(task_options).

/** <module> The predicates of DML

A DML program runs in an engine of its own (run.pl).  Predicates that need the host,
such as task/2 or exec/2, ask it (host.pl).  Those for the memory of the conversation
are in memory.pl, those for parameters in text.pl.

Untrusted code calls them through hb_sandbox, which sends them here.
*/

%!  dml_class(?Name, ?Arity, -Class) is nondet.
%
%   Class is the class in an engine of DML, as in hb_policy:class/3.

dml_class(Name, Arity, offered(hb_dml)) :-
    '$member'(Name, [task, prompt]),
    between(1, 16, Arity).
dml_class(Name, Arity, offered(hb_dml)) :-
    '$member'(Name/Arity,
              [ exec/2, system/1, user/1, push_context/0, push_context/1, pop_context/0, clear_memory/0,
                answer/1, yield/1, output/1, log/1, param/2, param/3, wait_for_input/2, input/2,
                get_time/1, statistics/2 ]).
dml_class(Name, Arity, override(hb_dml_files)) :-
    file_predicate(Name, Arity).
dml_class(Name, Arity, refused) :-      % of the book's files alone
    '$member'(Name/Arity, [ see/1, seeing/1, seen/0, access_file/2, directory_files/2, consult/1 ]).
dml_class(with_tools, 2, offered(hb_dml, with_tools(+,0))).
dml_class(without_tools, 2, offered(hb_dml, without_tools(+,0))).
dml_class(with_model, 2, offered(hb_dml, with_model(+,0))).
dml_class(with_temperature, 2, offered(hb_dml, with_temperature(+,0))).
dml_class(with_task_options, 2, offered(hb_dml, with_task_options(+,0))).
dml_class(concurrent_maplist, 2, offered(hb_dml, concurrent_maplist(1,?))).
dml_class(concurrent_maplist, 3, offered(hb_dml, concurrent_maplist(2,?,?))).
dml_class(concurrent_maplist, 4, offered(hb_dml, concurrent_maplist(3,?,?,?))).
dml_class(concurrent_maplist, 5, offered(hb_dml, concurrent_maplist(4,?,?,?,?))).
dml_class(first_solution, 3, offered(hb_dml)).
dml_class(setup_call_cleanup, 3, offered(hb_dml, setup_call_cleanup(0,0,0))).
dml_class(call_cleanup, 2, offered(hb_dml, call_cleanup(0,0))).
dml_class(setup_call_catcher_cleanup, 4, offered(hb_dml, setup_call_catcher_cleanup(0,0,?,0))).
dml_class(with_output_to, 2, offered(hb_dml, with_output_to(?,0))).

%!  dml_asks(+Safe) is semidet.
%
%   hb_dml:Safe asks a model, a tool or the user, and may get no answer.

dml_asks(agent(_,_,_)).
dml_asks(exec(_,_)).
dml_asks(input(_,_)).
dml_asks(wait_for_input(_,_)).
dml_asks(first_solution(_,_,_)).

%!  dml_called(+Goal, -Safe) is semidet.
%!  dml_written(+Safe, -Goal) is semidet.
%
%   Translate Goal, of the class offered(hb_dml), to the goal Safe of this module, and back.  Both
%   fail if the two are the same.

dml_called(Goal, agent(Name,Text,Outputs)) :-
    Goal =.. [Name,Text|Outputs],
    agent_predicate(Name).

agent_predicate(task).
agent_predicate(prompt).

dml_written(agent(Name,Text0,Outputs), Goal) :-
    !,
    written_text(Text0, Text),
    Goal =.. [Name,Text|Outputs].
dml_written(Safe, Goal) :-
    compound(Safe),
    Safe =.. [Name,Text0|Args],
    nonvar(Text0),
    tied_text(Text0, Text, _, _, _),
    Goal =.. [Name,Text|Args].

written_text(Text0, Text) :-
    (   nonvar(Text0),
        tied_text(Text0, Text1, _, _, _)
    ->  Text = Text1
    ;   Text = Text0
    ).

                /*******************************
                *            events            *
                *******************************/

answer(Text0) :-
    must_be_defined,
    text(Text0, Text),
    place(Text0, At),
    written_text(Text0, Term),
    (   answer_value(Term, Value)
    ->  Pairs = [value=Value]
    ;   Pairs = []
    ),
    tell(answer, At, object([text=text(Text)|Pairs]), _),
    throw('$hb_stop'(answer)).          % reached if the event could only be reported late

%   answer_value(+Term, -Json): Term is a list or a dict, which the host gets as such.

answer_value(Term, Json) :-
    nonvar(Term),
    ( is_dict(Term) -> true ; is_list(Term) ),
    value_json(Term, Json).

yield(Text)  :- event(output, Text).
output(Text) :- event(output, Text).
log(Text)    :- event(log, Text).

event(Kind, Text0) :-
    text(Text0, Text),
    place(Text0, At),
    tell(Kind, At, text(Text), _).

%   place(+Argument, -At): the place of the goal with this argument, or null.

place(Argument, At) :-
    (   nonvar(Argument),
        tied_text(Argument, _, _, _, At0)
    ->  At = At0
    ;   At = null
    ).

wait_for_input(Prompt, Answer) :-
    input(Prompt, Answer).

input(Prompt0, Answer) :-
    text(Prompt0, Prompt),
    place(Prompt0, At),
    ask(input, At, text(Prompt), Reply),
    result(Reply, Answer0),
    Answer = Answer0.

%   result(+Reply, -Result): fails if the request was refused, or counts an outage.

result(done(Result), Result).
result(outage(Formal), _) :-
    outage(Formal).

                /*******************************
                *        tasks and tools       *
                *******************************/

%!  start_conversation(+Running) is det.
%
%   Start with an empty memory and all tools in this engine.  Running are the names of the tools on
%   whose behalf it runs.

start_conversation(Running) :-
    start_memory,
    start_branch,
    start_place,
    start_outages,
    b_setval(hb_dml_scope, []),
    start_task_options,
    nb_setval(hb_dml_running, Running).

:- meta_predicate
    with_tools(+, 0),
    without_tools(+, 0),
    in_scope(+, +, 0).

with_tools(Names, Goal) :-
    in_scope(with, Names, Goal).

without_tools(Names, Goal) :-
    in_scope(without, Names, Goal).

in_scope(Kind, Names0, Goal) :-
    tool_names(Names0, Texts),
    texts_json(Texts, Names),
    b_getval(hb_dml_scope, Scope),
    during(hb_dml_scope, [object([kind=text(Kind), tools=Names])|Scope], Goal).

tool_names(Names0, Names) :-
    (   is_list(Names0)
    ->  findall(Name, ( '$member'(Name0, Names0), tool_name(Name0, Name) ), Names)
    ;   tool_name(Names0, Name),
        Names = [Name]
    ).

tool_name(Var, _) :-
    var(Var),
    !,
    throw(error(instantiation_error, _)).
tool_name(Name0/_, Name) :-
    !,
    tool_name(Name0, Name).
tool_name(Name0, Name) :-
    text(Name0, Name).

%   agent(+Kind, +Text, ?Outputs): run the agent loop for task/N or prompt/N.

agent(Kind, Text0, Arguments) :-
    text(Text0, Text),
    (   nonvar(Text0),
        tied_text(Text0, _, _, Named, _)
    ->  true
    ;   Named = []
    ),
    place(Text0, At),
    outputs(Arguments, Named, 1, Outputs, Types, Variables),
    (   Kind == task
    ->  memory_json(Memory)
    ;   Memory = list([])
    ),
    b_getval(hb_dml_scope, Scope),
    nb_getval(hb_dml_running, Running),
    texts_json(Running, RunningJson),
    task_options_json(Options),
    ask(Kind,
        At,
        object([ text=text(Text), outputs=list(Outputs), memory=Memory, scope=list(Scope), running=RunningJson|Options ]),
        Reply),
    agreed(Reply, Values0, Said),
    (   Kind == task
    ->  string_concat("Subtask: ", Text, Subtask),
        remember(user, Subtask),
        remember(assistant, Said)
    ;   true
    ),
    typed(Types, Values0, Values),
    Variables = Values.

typed([], [], []).
typed([Type|Types], [Value0|Values0], [Value|Values]) :-
    typed_value(Type, Value0, Value),
    typed(Types, Values0, Values).

%   agreed(+Reply, -Values, -Said): the result of the model.  Throws an error that says why it could
%   not be asked, or counts an outage.

agreed(done(Values, Said), Values, Said).
agreed(outage(Formal), _, _) :-
    outage(Formal).
agreed(refused(Message), _, _) :-
    throw(error(model_error(unreachable, Message), _)).
agreed(too_dear(Message), _, _) :-
    throw(error(cost_error(Message), _)).

%   outputs(+Arguments, +Named, +I, -Outputs, -Types, -Variables): Named is what the clause tells
%   about the arguments, a list of output(Name, Type) that may be shorter.

outputs([], _, _, [], [], []).
outputs([Argument|Arguments], Named, I, [object([name=text(Name), type=Json])|Outputs], [Type|Types], [Variable|Variables]) :-
    (   Named = [output(Name0, Type)|Named1]
    ->  (   Type == any,
            \+ ( nonvar(Argument), Argument = any(_) )
        ->  Variable = Argument
        ;   output_type(Argument, _, Variable)
        ),
        (   var(Name0)
        ->  unnamed(I, Name)
        ;   Name = Name0
        )
    ;   Named1 = [],
        output_type(Argument, Type, Variable),
        unnamed(I, Name)
    ),
    type_json(Type, Json),
    I1 is I+1,
    outputs(Arguments, Named1, I1, Outputs, Types, Variables).

unnamed(I, Name) :-
    format(string(Name), "Result~d", [I]).

exec(Tool0, Result) :-
    (   nonvar(Tool0),
        tied_text(Tool0, Tool, _, _, At)
    ->  true
    ;   Tool = Tool0,
        At = null
    ),
    exec_call(Tool, Name, Arguments),
    ask(exec, At, object([tool=text(Name), arguments=list(Arguments)]), Reply),
    result(Reply, Result0),
    Result = Result0.

%!  exec_call(+Tool, -Name, -Arguments) is det.
%
%   Name and Arguments, JSON values, describe the tool call Tool, the first argument of exec/2.

exec_call(Tool, _, _) :-
    var(Tool),
    !,
    throw(error(instantiation_error, _)).
exec_call(Tool, Name, []) :-
    ( atom(Tool) ; string(Tool) ),
    !,
    text(Tool, Name).
exec_call(Tool, Name, Arguments) :-
    compound(Tool),
    \+ is_dict(Tool),
    \+ is_list(Tool),
    !,
    compound_name_arguments(Tool, Name0, Args),
    text(Name0, Name),
    exec_arguments(Args, Arguments).
exec_call(Tool, _, _) :-
    throw(error(type_error(tool_call, Tool), _)).

exec_arguments([], []).
exec_arguments([Arg|Args], [object(Pairs)|Arguments]) :-
    (   nonvar(Arg),
        Arg = (Name:Value),
        atomic(Name)
    ->  Pairs = [name=text(NameText), value=Json],
        text(Name, NameText)
    ;   Pairs = [value=Json],
        Value = Arg
    ),
    value_json(Value, Json),
    exec_arguments(Args, Arguments).
