:- module(hb_dml,
          [ dml_class/3,                % ?Name, ?Arity, -Class
            allow_dml/0,
            ask/2,                      % +Pairs, -Reply
            start_memory/1,             % +Running
            set_parameters/1,           % +Parameters
            declare_parameter/3,        % +Key, +Description, +Default
            declared_key/1,             % ?Key
            exec_call/3,                % +Tool, -Name, -Arguments
            take_told/1,                % -Events
            output_type/3,              % +Argument, -Type, -Variable
            json_term/2                 % +Term, -Json
          ]).
:- use_module(policy).
:- use_module(limits).
:- use_module(dml_files).

/** <module> The predicates of DML

A DML program runs in an engine of its own (dml_run.pl).  Its predicates that
need the host, such as task/2 or exec/2, yield a request from that engine and
fetch the reply, so that they mean the same under every control construct.
The memory of the conversation is a backtrackable global variable.

Untrusted code calls them through hb_sandbox, which sends them here.
*/

:- dynamic
    parameter/2,                        % Key (a string), Value
    declared_parameter/3,               % Key, Description, Default (default(D) or none)
    told/1.                             % an event that could not be yielded

%!  dml_class(?Name, ?Arity, -Class) is nondet.
%
%   Class is that of hb_policy:class/3 where programs may use DML.

dml_class(Name, Arity, dml) :-
    '$member'(Name, [task, prompt]),
    between(1, 16, Arity).
dml_class(Name, Arity, dml) :-
    '$member'(Name/Arity,
              [ exec/2, system/1, user/1, push_context/0, push_context/1, pop_context/0, clear_memory/0,
                answer/1, yield/1, output/1, log/1, param/2, param/3, wait_for_input/2, input/2 ]).
dml_class(Name, Arity, dml) :-
    file_predicate(Name, Arity).
dml_class(with_tools, 2, dml(with_tools(+,0))).
dml_class(without_tools, 2, dml(without_tools(+,0))).

%!  allow_dml is det.
%
%   From now on untrusted code may call the predicates of DML.

allow_dml :-
    forall(dml_class(Name, Arity, Class),
           ( retractall(hb_policy:listed(Name, Arity, _)),
             assertz(hb_policy:listed(Name, Arity, Class)) )).

%!  called(+Goal, -Safe) is det.
%!  written(+Safe, -Goal) is det.
%
%   Safe is the goal in this module for the DML goal Goal, and back.

:- public called/2, written/2.

called(Goal, Safe) :-
    functor(Goal, Name, Arity),
    file_predicate(Name, Arity),
    !,
    Safe = file_goal(Goal).
called(Goal, Safe) :-
    Goal =.. [Name,Text|Outputs],
    agent_predicate(Name),
    !,
    Safe = agent(Name, Text, Outputs).
called(Goal, Goal).

agent_predicate(task).
agent_predicate(prompt).

written(file_goal(Goal), Goal) :-
    !.
written(agent(Name,Text0,Outputs), Goal) :-
    !,
    written_text(Text0, Text),
    Goal =.. [Name,Text|Outputs].
written(Safe, Goal) :-
    compound(Safe),
    Safe =.. [Name,Text0|Args],
    nonvar(Text0),
    Text0 = '$dml'(Text,_,_),
    !,
    Goal =.. [Name,Text|Args].
written(Goal, Goal) :-
    functor(Goal, Name, Arity),
    dml_class(Name, Arity, dml).

written_text(Text0, Text) :-
    (   nonvar(Text0),
        Text0 = '$dml'(Text1,_,_)
    ->  Text = Text1
    ;   Text = Text0
    ).

                /*******************************
                *       asking the host        *
                *******************************/

%!  ask(+Pairs, -Reply) is det.
%
%   Reply is a term that the host has written.

ask(Pairs, Reply) :-
    catch(yield_request(Pairs), error(permission_error(execute, vmi, _), _),
          throw(error(hornbook(message(permission_error, "A cleanup goal cannot wait for the host: \c
              a task, a tool or the user can only be asked before it.")), _))),
    engine_fetch(Reply).

yield_request(Pairs) :-
    statistics(inferences, Used),
    engine_yield(request(Used, json(Pairs))).

%   tell(+Pairs): an event, of which no reply is wanted.  A cleanup goal cannot
%   yield: its events go with the next request.

tell(Pairs) :-
    catch(yield_request(Pairs), error(permission_error(execute, vmi, _), _), Late = true),
    (   Late == true
    ->  assertz(told(json(Pairs)))
    ;   engine_fetch(_)
    ).

%!  take_told(-Events) is det.
%
%   The events that have not been yielded.

take_told(Events) :-
    findall(Event, retract(told(Event)), Events).

                /*******************************
                *             text             *
                *******************************/

%   text(+Text, -String): the text of an argument.  What clause texts hold in
%   braces was found when the program was loaded (dml_program.pl); no other text is
%   ever looked into.

text('$dml'(_, Segments, _), Text) :-
    is_list(Segments),
    !,
    segment_texts(Segments, Texts),
    atomics_to_string(Texts, Text).
text('$dml'(Term, _, _), Text) :-
    !,
    text(Term, Text).
text(Text, Text) :-
    string(Text),
    !.
text(Term, Text) :-
    format(string(Text), "~w", [Term]).

segment_texts([], []).
segment_texts([Segment|Segments], [Text|Texts]) :-
    segment_text(Segment, Text),
    segment_texts(Segments, Texts).

segment_text(text(Text), Text).
segment_text(value(Value), Text) :-
    format(string(Text), "~w", [Value]).
segment_text(parameter(Name), Text) :-
    (   parameter_value(Name, Value)
    ->  format(string(Text), "~w", [Value])
    ;   format(string(Text), "{~w}", [Name])
    ).

                /*******************************
                *          parameters          *
                *******************************/

%!  set_parameters(+Parameters) is det.
%
%   Parameters is a list of Key-Value, Key a string.

set_parameters(Parameters) :-
    retractall(parameter(_, _)),
    forall('$member'(Key-Value, Parameters), assertz(parameter(Key, Value))).

%!  declare_parameter(+Key, +Description, +Default) is det.
%
%   As `:- param(Key, Description, Default)`; Default is default(Value) or none.

declare_parameter(Key0, Description, Default) :-
    text(Key0, Key),
    assertz(declared_parameter(Key, Description, Default)).

%!  declared_key(?Key:string) is nondet.

declared_key(Key) :-
    declared_parameter(Key, _, _).

%   parameter_value(+Key, -Value): the host's, by the key or one that differs in case only; "file:file"
%   means "file"; else the declared default.

parameter_value(Key0, Value) :-
    text(Key0, Key),
    (   key_form(Key, Form),
        given(Form, Value0)
    ->  Value = Value0
    ;   declared_parameter(Declared, _, default(Value0)),
        same_key(Key, Declared)
    ->  Value = Value0
    ).

key_form(Key, Key).
key_form(Key, Name) :-
    sub_string(Key, Before, 1, _, ":"),
    !,
    sub_string(Key, 0, Before, _, Name).

given(Key, Value) :-
    parameter(Key, Value),
    !.
given(Key, Value) :-
    string_lower(Key, Lower),
    parameter(Given, Value),
    string_lower(Given, Lower),
    !.

same_key(Key1, Key2) :-
    key_form(Key1, Form1),
    key_form(Key2, Form2),
    string_lower(Form1, Lower),
    string_lower(Form2, Lower),
    !.

param(Key, Value) :-
    parameter_value(Key, Value0),
    Value = Value0.

param(Key, Description, Value) :-
    param(Key, Value),
    text(Key, KeyText),
    (   declared_parameter(Declared, Description0, _),
        same_key(KeyText, Declared)
    ->  Description = Description0
    ;   true
    ).

                /*******************************
                *            events            *
                *******************************/

answer(Text0) :-
    text(Text0, Text),
    ask([kind=answer, text=Text], _).

yield(Text)  :- event(output, Text).
output(Text) :- event(output, Text).
log(Text)    :- event(log, Text).

event(Kind, Text0) :-
    text(Text0, Text),
    tell([kind=Kind, text=Text]).

wait_for_input(Prompt, Answer) :-
    input(Prompt, Answer).

input(Prompt0, Answer) :-
    text(Prompt0, Prompt),
    ask([kind=input, text=Prompt], done(Answer0)),
    Answer = Answer0.

                /*******************************
                *            memory            *
                *******************************/

%!  start_memory(+Running) is det.
%
%   Begin with an empty memory in this engine.  Running are the names of the tools that it
%   runs for.

start_memory(Running) :-
    b_setval(hb_dml_memory, []),
    b_setval(hb_dml_contexts, []),
    b_setval(hb_dml_scope, []),
    nb_setval(hb_dml_running, Running).

%   The memory is a list of Role-Text, the newest first.

remember(Role, Text) :-
    b_getval(hb_dml_memory, Memory),
    b_setval(hb_dml_memory, [Role-Text|Memory]).

system(Text0) :-
    text(Text0, Text),
    remember(system, Text).

user(Text0) :-
    text(Text0, Text),
    remember(user, Text).

push_context :-
    b_getval(hb_dml_memory, Memory),
    b_getval(hb_dml_contexts, Contexts),
    b_setval(hb_dml_contexts, [Memory|Contexts]).

push_context(How) :-
    must_be_context(How),
    push_context,
    (   How == clear
    ->  clear_memory
    ;   true
    ).

must_be_context(How) :-
    var(How),
    !,
    throw(error(instantiation_error, _)).
must_be_context(clear) :- !.
must_be_context(keep) :- !.
must_be_context(How) :-
    throw(error(domain_error(context, How), _)).

pop_context :-
    b_getval(hb_dml_contexts, Contexts),
    (   Contexts = [Memory|Rest]
    ->  b_setval(hb_dml_contexts, Rest),
        b_setval(hb_dml_memory, Memory)
    ;   true
    ).

clear_memory :-
    b_setval(hb_dml_memory, []).

memory_json(Messages) :-
    b_getval(hb_dml_memory, Newest),
    memory_json(Newest, [], Messages).

memory_json([], Messages, Messages).
memory_json([Role-Text|Older], Messages0, Messages) :-
    memory_json(Older, [json([role=Role, content=Text])|Messages0], Messages).

                /*******************************
                *        tasks and tools       *
                *******************************/

:- meta_predicate
    with_tools(+, 0),
    without_tools(+, 0).

with_tools(Names, Goal) :-
    in_scope(with, Names, Goal).

without_tools(Names, Goal) :-
    in_scope(without, Names, Goal).

in_scope(Kind, Names0, Goal) :-
    tool_names(Names0, Names),
    b_getval(hb_dml_scope, Scope),
    b_setval(hb_dml_scope, [json([kind=Kind, tools=Names])|Scope]),
    call(Goal),
    b_setval(hb_dml_scope, Scope).

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
        Text0 = '$dml'(_, _, Named)
    ->  true
    ;   Named = []
    ),
    outputs(Arguments, Named, 1, Outputs, Variables),
    (   Kind == task
    ->  memory_json(Memory)
    ;   Memory = []
    ),
    b_getval(hb_dml_scope, Scope),
    nb_getval(hb_dml_running, Running),
    ask([ kind=Kind, text=Text, outputs=Outputs, memory=Memory, scope=Scope, running=Running ],
        done(Values, Said)),
    (   Kind == task
    ->  string_concat("Subtask: ", Text, Subtask),
        remember(user, Subtask),
        remember(assistant, Said)
    ;   true
    ),
    Variables = Values.

%   outputs(+Arguments, +Named, +I, -Outputs, -Variables): Named is what the clause says of the arguments: a
%   list of output(Name, Type), perhaps shorter.

outputs([], _, _, [], []).
outputs([Argument|Arguments], Named, I, [json([name=Name, type=Type])|Outputs], [Variable|Variables]) :-
    (   Named = [output(Name0, Type)|Named1]
    ->  (   Type == any
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
    I1 is I+1,
    outputs(Arguments, Named1, I1, Outputs, Variables).

unnamed(I, Name) :-
    format(string(Name), "Result~d", [I]).

%!  output_type(+Argument, -Type, -Variable) is det.
%
%   Argument is an output of task/N: a variable, or one in a type such as integer(N) or
%   list(integer(N)).

output_type(Argument, Type, Variable) :-
    nonvar(Argument),
    typed_output(Argument, Type, Variable),
    !.
output_type(Argument, any, Argument).

typed_output(list(Inner), Type, Variable) :-
    !,
    output_type(Inner, Element, Variable),
    format(string(Type), "list(~w)", [Element]).
typed_output(Argument, Type, Variable) :-
    compound(Argument),
    Argument =.. [Type,Variable],
    '$member'(Type, [string,integer,number,float,boolean,object,dict,any]).

exec(Tool, Result) :-
    exec_call(Tool, Name, Arguments),
    ask([kind=exec, tool=Name, arguments=Arguments], done(Result0)),
    Result = Result0.

%!  exec_call(+Tool, -Name, -Arguments) is det.
%
%   Name and Arguments are those of the tool call Tool, the first argument of exec/2.

exec_call(Tool, _, _) :-
    var(Tool),
    !,
    throw(error(instantiation_error, _)).
exec_call(Tool, Tool, []) :-
    ( atom(Tool) ; string(Tool) ),
    !.
exec_call(Tool, Name, Arguments) :-
    compound(Tool),
    \+ is_dict(Tool),
    \+ is_list(Tool),
    !,
    compound_name_arguments(Tool, Name, Args),
    exec_arguments(Args, Arguments).
exec_call(Tool, _, _) :-
    throw(error(type_error(tool_call, Tool), _)).

exec_arguments([], []).
exec_arguments([Arg|Args], [json(Pairs)|Arguments]) :-
    (   nonvar(Arg),
        Arg = (Name:Value),
        atomic(Name)
    ->  Pairs = [name=NameText, value=Json],
        text(Name, NameText)
    ;   Pairs = [value=Json],
        Value = Arg
    ),
    json_term(Value, Json),
    exec_arguments(Args, Arguments).

%!  json_term(+Term, -Json) is det.
%
%   Json is for hb_reply:json_string/2: lists and dicts as they are, atoms and strings as
%   strings but for true, false and null, other compounds as their text.

json_term(Var, null) :-
    var(Var),
    !.
json_term(Integer, Json) :-
    integer(Integer),
    !,
    (   abs(Integer) < 9007199254740992
    ->  Json = Integer
    ;   format(string(Json), "~d", [Integer])
    ).
json_term(Float, Json) :-
    float(Float),
    !,
    float_class(Float, Class),
    (   ( Class == nan ; Class == infinite )
    ->  format(string(Json), "~w", [Float])
    ;   Json = Float
    ).
json_term([], []) :-
    !.
json_term(Text, Text) :-
    ( atom(Text) ; string(Text) ),
    !.
json_term(Dict, json(Pairs)) :-
    is_dict(Dict),
    !,
    dict_pairs(Dict, _, Pairs0),
    findall(Key-Json, ( '$member'(Key-Value, Pairs0), json_term(Value, Json) ), Pairs).
json_term(List, Json) :-
    is_list(List),
    !,
    json_terms(List, Json).
json_term(Term, Text) :-
    format(string(Text), "~W", [Term, [quoted(true), numbervars(true), cycles(true), max_depth(1000)]]).

json_terms([], []).
json_terms([Term|Terms], [Json|Jsons]) :-
    json_term(Term, Json),
    json_terms(Terms, Jsons).
