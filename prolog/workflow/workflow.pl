:- module(hb_workflow,
          [ run_block/7,                % +Text, +State, +Answers, +Solutions, +Seconds, -Control, -Parts
            eval_condition/5,           % +Text, +State, +Seconds, -Control, -Parts
            execute/6,                  % :Goal, +Given, +Seconds, -Output, -Worn, -Outcome
            run_alone/5,                % :Goal, +Given, +Seconds, -Output, -Outcome
            forget_run/0,
            run_items/4,                % +Items, +Source, +Solutions, -Result
            run_goal/3,                 % +Which, +Goal, -Outcome
            run_parts/5,                % +Outcome, +Output, -End, -Control, -Parts
            throw_at/2,                 % +Line, +Ball
            unasked/2,                  % +Outcome, -Ball
            ball_error/2                % +Ball, -Error
          ]).
:- use_module('../sandbox/policy').
:- use_module('../read/reader').
:- use_module('../limits').
:- use_module('../depth', [check_text/1, written_depth/3]).
:- use_module('../query/explaining', [next_answered/2]).
:- use_module('../store/store').
:- use_module('../store/step').
:- use_module('../sandbox/sandbox').
:- use_module('../query/query_text', [query_goal/3]).
:- use_module('../query/undefined').
:- use_module('../errors').
:- use_module(block).
:- use_module(json).
:- use_module('../sandbox/globals', [forget_globals/0]).
:- use_module('../sandbox/records', [forget_records/0]).

/** <module> The Prolog of workflow nodes

A node's code is a block: clauses, directives and goals in one text.  Each execution
has the knowledge base to itself, runs in a Prolog engine of its own, and leaves
nothing behind: its definitions, operators, flags, global variables and tables are
gone when its reply is given.

A node reads the state of the workflow with state/2, sets values in it with return/2, and asks
somebody with interrupt/2.
*/

:- dynamic
    returned/2,                         % Key, Json: the last value of each key
    asked/1,                            % Json: the question that has no answer yet
    used/1,                             % Number: of an answer that a goal has got
    refused/1.                          % What: refused by the sandbox in this execution

%   A refusal ends a block, even if the block catches it.

:- multifile prolog:prolog_exception_hook/5.

prolog:prolog_exception_hook(Ball, _, _, _, _) :-
    nonvar(Ball),
    Ball = error(Formal, _),
    nonvar(Formal),
    Formal = permission_error(Action, Type, What),
    Action == call,
    Type == sandboxed,
    nb_current(hb_state, _),
    \+ hb_workflow:refused(_),
    assertz(hb_workflow:refused(What)),
    fail.

%!  run_block(+Text, +State, +Answers, +Solutions, +Seconds, -Control, -Parts) is det.
%
%   Run the block Text within Seconds, with the pairs of the dict State in state/2 and
%   Answers, a list of [Question, Answer], for interrupt/2.  Solutions says whether the `first` or `all` solutions of its last goal are wanted.
%   `end` is true, false, asks or error.  The parts are the output, and then for each solution
%   the values from return/2, or the goal that failed, or the question, or the error.  `worn` tells that
%   this engine must not be used again.

run_block(Text, State, Answers, Solutions, Seconds, [end=End, worn=Worn|Control], Parts) :-
    execute(hb_workflow:block(Text, Solutions), State-Answers, Seconds, Output, Worn, Outcome),
    run_parts(Outcome, Output, End, Control, Parts).

%!  run_parts(+Outcome, +Output, -End, -Control, -Parts) is det.
%
%   The reply about the block that ended with Outcome and wrote Output.

run_parts(Outcome, Output, End, [output=HasOutput|Control], Parts) :-
    outcome(Outcome, End, Control, Parts0),
    (   Output == ""
    ->  HasOutput = false,
        Parts = Parts0
    ;   HasOutput = true,
        Parts = [text(Output)|Parts0]
    ).

outcome(the(solutions(Values)), true, [answers=Count], Values) :-
    length(Values, Count).
outcome(the(failed(Line, Goal)), false, [], [object([line=number(Line), goal=text(Goal)])]).
outcome(asks(Question), asks, [], [Question]).
outcome(throw(Ball), error, [], [Error]) :-
    ball_error(Ball, Error).

%!  ball_error(+Ball, -Error) is det.
%
%   Error describes Ball, thrown by a goal of a block, with the line of the goal if known.

ball_error(at(Line, Ball), object(Pairs)) :-
    !,
    error_json(Ball, object(Pairs0)),
    (   '$member'(line=_, Pairs0)
    ->  Pairs = Pairs0
    ;   '$append'(Pairs0, [line=number(Line)], Pairs)
    ).
ball_error(error(syntax_error,Message0,Line,Column,Offset), Error) :-
    string(Message0),
    \+ sub_string(Message0, 0, _, _, "Syntax error"),
    !,
    string_concat("Syntax error: ", Message0, Message),
    error_json(error(syntax_error,Message,Line,Column,Offset), Error).
ball_error(Ball, Error) :-
    error_json(Ball, Error).

%!  eval_condition(+Text, +State, +Seconds, -Control, -Parts) is det.
%
%   Tell whether the goal Text succeeds.  The part is the text of its variable Result, or
%   "true" if there is none or it stays unbound.

eval_condition(Text, State, Seconds, [end=End, worn=Worn], Parts) :-
    execute(hb_workflow:condition(Text), State-[], Seconds, _, Worn, Outcome),
    (   Outcome = the(Result)
    ->  End = true,
        Parts = [text(Result)]
    ;   Outcome == no
    ->  End = false,
        Parts = []
    ;   unasked(Outcome, Ball),
        End = error,
        error_json(Ball, Error),
        Parts = [Error]
    ).

%!  execute(:Goal, +Given, +Seconds, -Output, -Worn, -Outcome) is det.
%
%   As run_alone/5, but removes everything it has left behind, unless Worn is true.

execute(Goal, Given, Seconds, Output, Worn, Outcome) :-
    begin_step(1000000000, -1),
    run_alone(Goal, Given, Seconds, Output, Outcome),
    worn(Worn),
    clean.

%!  unasked(+Outcome, -Ball) is semidet.
%
%   The error Ball of what cannot ask somebody, if it asks or throws.

unasked(throw(Ball), Ball).
unasked(asks(_), error(hornbook(message(permission_error, Message)), _)) :-
    Message = "interrupt/2 asks from the code of a node or a step in a run, and from nowhere else.".

%!  run_alone(:Goal, +Given, +Seconds, -Output, -Outcome) is det.
%
%   Run call(Goal, Result) in an engine of its own.  Given is State-Answers: the pairs of the dict State
%   are those of state/2, and Answers, a list of [Question, Answer], are for interrupt/2.
%   Outcome is the(Result), no, asks(Question) or throw(Ball).  Call begin_step/2 first, and forget_run/0
%   afterwards.

run_alone(Goal, Given, Seconds, Output, Outcome) :-
    start_step(Seconds),
    engine_create(Result, hb_workflow:within(Given, Goal, Result), Engine),
    next_answered(Engine, Outcome0),
    catch(engine_destroy(Engine), _, true),
    catch(take_output(Output), Ball, Output = ""),
    (   nonvar(Ball)
    ->  Outcome = throw(Ball)
    ;   Outcome0 \= throw(_),
        refused(What)
    ->  Outcome = throw(error(permission_error(call, sandboxed, What), _))
    ;   Outcome0 \= throw('$hb_stop'(_)),
        asked(Question)
    ->  Outcome = asks(Question)
    ;   Outcome = Outcome0
    ),
    (   whole
    ->  true
    ;   throw(hb_died("it was stopped while it changed clauses"))
    ).

%   worn(-Worn): a predicate had the name of a system predicate.  SWI-Prolog does not find that
%   again when it compiles a goal, until the engine ends.

worn(Worn) :-
    (   own(Name, Arity),
        class(Name, Arity, Class),
        Class \= library(_),
        Class \= library(_,_)
    ->  Worn = true
    ;   Worn = false
    ).

within(State-Answers, Goal, Result) :-
    watch,
    b_setval(hb_state, State),
    b_setval(hb_answers, Answers),
    call(Goal, Result),
    !.

%   clean: restore the state from before any code has run.

clean :-
    forget_all,
    forget_run,
    forget_globals,
    forget_records,
    step_over.

%!  forget_run is det.
%
%   The results of a block, and what it was refused, have been reported.

forget_run :-
    retractall(returned(_,_)),
    retractall(refused(_)),
    retractall(asked(_)),
    retractall(used(_)),
    set_flag(hb_node_clause, 0).

                /*******************************
                *            blocks            *
                *******************************/

:- public block/3, condition/2.

block(Text, Solutions, Result) :-
    check_text(Text),
    setup_call_cleanup(
        open_source(inline, Text, Source),
        ( read_block(Source, Items),
          run_items(Items, Source, Solutions, Result)
        ),
        close_source(Source)).

%!  run_items(+Items, +Source, +Solutions, -Result) is det.
%
%   Result is solutions(Values), or failed(Line, Goal) for the goal that failed.

run_items(Items, Source, Solutions, Result) :-
    ahead(Items, First, Rest),
    add_items(First, Source),
    run_rest(Rest, Source, Solutions, Result).

run_rest([], _, _, solutions([Json])) :-
    returns(Json).
run_rest([Item|Items], Source, Solutions, Result) :-
    (   Item = goal(Place, Goal)
    ->  place_line(Source, Place, Line),
        last_goal(Items, Solutions, Which),
        catch(run_goal(Which, Goal, Outcome), Ball, throw_at(Line, Ball)),
        (   Outcome == true
        ->  run_rest(Items, Source, Solutions, Result)
        ;   Outcome == false
        ->  goal_shown(Goal, Shown),
            Result = failed(Line, Shown)
        ;   Result = Outcome
        )
    ;   add_items([Item], Source),
        run_rest(Items, Source, Solutions, Result)
    ).

last_goal(Items, Solutions, Which) :-
    (   Solutions == all,
        \+ '$member'(goal(_, _), Items)
    ->  Which = all
    ;   Which = first
    ).

%!  run_goal(+Which, +Goal, -Outcome) is det.
%
%   Outcome is true, false, or solutions(Values) with the values of all solutions of Goal.
%
%   @error undefined(Goals) if a solution is undefined: a node decides nothing by it.

run_goal(first, Goal, Outcome) :-
    safe_body(Goal, Safe),
    (   call(knowledge_base:Safe)
    ->  must_be_defined,
        Outcome = true
    ;   Outcome = false
    ).
run_goal(all, Goal, Outcome) :-
    safe_body(Goal, Safe),
    findall(Key-Json, returned(Key, Json), Before),
    findall(Json,
            ( call(knowledge_base:Safe),
              must_be_defined,
              returns(Json),
              set_returns(Before)
            ),
            Values),
    (   Values == []
    ->  Outcome = false
    ;   Outcome = solutions(Values)
    ).

%!  throw_at(+Line, +Ball) is erroneous.
%
%   Ball comes from the goal at Line.  A stop comes from the engine itself, and has no place in the block.

throw_at(_, '$hb_stop'(What)) :-
    !,
    throw('$hb_stop'(What)).
throw_at(Line, Ball) :-
    throw(at(Line, Ball)).

goal_shown(Goal, Text) :-
    written_depth(Goal, 8, Levels),
    format(string(Text0), "~W", [Goal, [quoted(true), max_depth(Levels), module(hb_syntax), spacing(next_argument)]]),
    (   string_length(Text0, Length),
        Length > 200
    ->  sub_string(Text0, 0, 197, _, Start),
        string_concat(Start, "...", Text)
    ;   Text = Text0
    ).

condition(Text, Result) :-
    check_text(Text),
    query_goal(Text, Goal0, Pairs),
    without_loading(Goal0, Goal),
    safe_body(Goal, Safe),
    call(knowledge_base:Safe),
    !,
    must_be_defined,
    (   '$member'('Result'=Value, Pairs),
        nonvar(Value)
    ->  written_depth(Value, 1000, Levels),
        format(string(Result), "~W", [Value, [numbervars(true), max_depth(Levels)]])
    ;   Result = "true"
    ).

                /*******************************
                *      state, return, ask      *
                *******************************/

:- public state/2, return/2, interrupt/2.

%!  state(?Key, ?Value) is nondet.
%
%   Value is the value of Key in the state that was given to the node.

state(Key0, Value) :-
    b_getval(hb_state, State),
    (   var(Key0)
    ->  get_dict(Key0, State, Value)
    ;   key_text(Key0, Text),
        atom_string(Key, Text),
        get_dict(Key, State, Value0),
        Value = Value0
    ).

%!  return(+Key, +Value) is det.
%
%   Set Key of the state to Value: null, a boolean, a number, a text, or a list or dict of
%   these.  The last value of a key counts, even if the goals after it backtrack.
%
%   @error type_error(json, Culprit)

return(Key0, Value) :-
    key_text(Key0, Key),
    returned_json(Key, Value, Json),
    retractall(returned(Key, _)),
    assertz(returned(Key, Json)).

%   returns(-Json): a list of [Key, Value].

returns(list(Pairs)) :-
    findall(list([text(Key),Json]), returned(Key, Json), Pairs).

set_returns(Pairs) :-
    retractall(returned(_,_)),
    forall('$member'(Key-Json, Pairs), assertz(returned(Key, Json))).

%!  interrupt(+Question, -Answer) is det.
%
%   Answer is what somebody answered to Question, which is JSON as for return/2.  Until there is an
%   answer, the run waits, whatever the block catches; then the block runs again from its beginning.
%   A question that is asked again gets the next answer that was given to it.

interrupt(Question0, Answer) :-
    asked_json(Question0, Question),
    b_getval(hb_answers, Answers),
    (   answer(Answers, 1, Question, Number, Answer0)
    ->  assertz(used(Number)),
        Answer = Answer0
    ;   (   asked(_)
        ->  true
        ;   assertz(asked(Question))
        ),
        throw(error(hornbook(message(permission_error, "The run waits for an answer.")), _))
    ).

answer([[Question0, Answer0]|Answers], Number0, Question, Number, Answer) :-
    (   \+ used(Number0),
        asked_json(Question0, Question1),
        same_json(Question1, Question)
    ->  Number = Number0,
        Answer = Answer0
    ;   Number1 is Number0+1,
        answer(Answers, Number1, Question, Number, Answer)
    ).

%   same_json(+Json1, +Json2): texts are the same as atoms and as strings.

same_json(text(Text1), text(Text2)) :-
    !,
    atom_string(Text1, Same),
    atom_string(Text2, Same).
same_json(list(Jsons1), list(Jsons2)) :-
    !,
    same_jsons(Jsons1, Jsons2).
same_json(object(Pairs1), object(Pairs2)) :-
    !,
    same_jsons(Pairs1, Pairs2).
same_json(Key-Json1, Key-Json2) :-
    !,
    same_json(Json1, Json2).
same_json(Json, Json).

same_jsons([], []).
same_jsons([Json1|Jsons1], [Json2|Jsons2]) :-
    same_json(Json1, Json2),
    same_jsons(Jsons1, Jsons2).
