:- use_module(library(plunit)).
:- use_module(library(json)).
:- use_module(library(lists)).
:- use_module('../../prolog/hornbook').

%   Programs, request by request, as the host runs them.

ask(Text, Reply) :-
    serve(Text, Json),
    atom_json_dict(Json, Reply, [value_string_as_atom(false)]).

ask_term(Request, Reply) :-
    format(string(Text), '~q', [Request]),
    ask(Text, Reply).

fresh :-
    (   catch(hb_limits:output_stream(_), _, fail)
    ->  true
    ;   ask("boot([unknown(error),dml(true)])", _)
    ),
    ask("reset", _),
    retractall(hb_dml_program:directive_goal(_)),
    retractall(hb_dml_program:main(_,_)),
    retractall(hb_dml_program:tool(_,_,_,_)),
    retractall(hb_dml_text:declared_parameter(_,_,_)),
    retractall(hb_dml_names:goal_argument(_,_,_,_)),
    retractall(hb_dml_run:run(_,_)).

loaded(Code, Reply) :-
    loaded(Code, [], Reply).

loaded(Code, Parameters, Reply) :-
    ask_term(dml_load(Code, Parameters, 1, []), Reply).

%   The texts of the events up to the end of agent_main, which every request is answered `done` to.
texts(Code, Texts) :-
    texts(Code, [], Texts).

texts(Code, Parameters, Texts) :-
    loaded(Code, Parameters, Loaded),
    Loaded.errors == [],
    ask("dml_main(1,[],none,5.0)", Step),
    texts_from(Step, Texts).

texts_from(Step, [Text|Texts]) :-
    get_dict(request, Step, Request),
    !,
    Text = Request.text,
    ask("dml_next(1,done(\"got {X}\"),5.0)", Next),
    texts_from(Next, Texts).
texts_from(Step, [end(End)]) :-
    End = Step.end.

:- begin_tests(interpolation).

test(once_from_the_clause_then_parameters, [setup(fresh), true(T == ["1 p {nope} {\"a\":1}", end(true)])]) :-
    texts("agent_main :- X = 1, yield(\"{X} {topic} {nope} {\\\"a\\\":1}\").", ["Topic"-"p"], T).
test(text_from_outside_is_not_looked_into, [setup(fresh), true(T == ["q", "got {X}", end(true)])]) :-
    texts("agent_main :- X = 1, input(\"q\", A), yield(\"{A}\"), atomic(X).", T).
test(at_any_depth, [setup(fresh), true(T == ["1", "2", "a", end(true)])]) :-
    texts("agent_main :- forall(member(X,[1,2]), yield(\"{X}\")), maplist([Y]>>log(\"{Y}\"), [a]).", T).
test(facts_keep_their_text, [setup(fresh), true(T == ["{X}", end(true)])]) :-
    texts("t(\"{X}\"). agent_main :- t(T), yield(T).", T).
test(clause_shows_what_was_written, [setup(fresh), true(T == ["yield({X})", end(true)])]) :-
    texts("p(X) :- yield(\"{X}\"). agent_main :- clause(p(_), B), yield(B).", T).

:- end_tests(interpolation).

:- begin_tests(memory).

memory(Code, Memory) :-
    loaded(Code, _),
    ask("dml_main(1,[],none,5.0)", Step),
    remembered(Step, Memory).

remembered(Step, Memory) :-
    Messages = Step.request.memory,
    findall(C, ( member(M, Messages), get_dict(content, M, C) ), Memory).

test(follows_backtracking, [setup(fresh), true(M == ["b"])]) :-
    memory("agent_main :- ( user(\"a\"), fail ; user(\"b\") ), task(\"t\").", M).
test(is_dropped_with_findall_and_exceptions, [setup(fresh), true(M == [])]) :-
    memory("agent_main :- findall(x, user(\"a\"), _), catch((user(\"b\"), throw(x)), x, true), task(\"t\").", M).
test(contexts_are_a_stack, [setup(fresh), true(M == ["a", "d"])]) :-
    memory("agent_main :- user(\"a\"), push_context(clear), user(\"b\"), push_context, user(\"c\"),
                pop_context, pop_context, pop_context, user(\"d\"), task(\"t\").", M).
test(a_finished_task_is_remembered, [setup(fresh), true(M == ["Subtask: one", "said"])]) :-
    loaded("agent_main :- task(\"one\"), task(\"two\").", _),
    ask("dml_main(1,[],none,5.0)", _),
    ask("dml_next(1,done([],\"said\"),5.0)", Step),
    remembered(Step, M).

:- end_tests(memory).

:- begin_tests(programs).

test(outputs_have_names_and_types, [setup(fresh), true(O == ["N"-"integer", "L"-"list(string)", "Result3"-"any"])]) :-
    loaded("agent_main :- task(\"t\", integer(N), list(string(L)), _), write(N-L).", _),
    ask("dml_main(1,[],none,5.0)", Step),
    Outputs = Step.request.outputs,
    findall(N-T, ( member(D, Outputs), get_dict(name, D, N), get_dict(type, D, T) ), O).
test(a_bound_output_must_agree, [setup(fresh), true(End == false)]) :-
    loaded("agent_main :- task(\"t\", \"x\").", _),
    ask("dml_main(1,[],none,5.0)", _),
    ask("dml_next(1,done([\"y\"],\"\"),5.0)", Step),
    End = Step.end.
test(objects_are_dicts, [setup(fresh), true(T == ["3", end(true)])]) :-
    loaded("agent_main(O) :- X = O.a, yield(X).", _),
    ask("dml_main(1,['$object'(['a'- 3])],none,5.0)", Step),
    texts_from(Step, T).
test(the_predicates_of_dml_cannot_be_defined, [setup(fresh), true(Kind == "permission_error")]) :-
    loaded("answer(x).", Reply),
    [E] = Reply.errors,
    Kind = E.kind.
test(a_tool_can_be_called_by_its_name, [setup(fresh), true(T == ["v", end(true)])]) :-
    texts("tool(a(X,Y), \"A\") :- Y = X. agent_main :- a(\"v\", R), yield(R).", T).
test(a_tool_may_have_the_name_of_what_it_calls, [setup(fresh), true(Value == "4")]) :-
    loaded("twice(X, Y) :- number_string(N, X), Y is 2*N. tool(twice(X, Y)) :- twice(X, Z), term_string(Z, Y).", _),
    ask("dml_tool(2,twice,[\"2\"],[],none,5.0)", Step),
    Value = Step.value.
test(directives_run_before_agent_main, [setup(fresh), true(T == ["1", end(true)])]) :-
    texts(":- assertz(k(1)). agent_main :- k(X), yield(X).", T).
test(an_event_of_a_cleanup_comes_with_the_next, [setup(fresh), true(Told == ["late"])]) :-
    loaded("agent_main :- once(setup_call_cleanup(true, member(_, [1,2]), log(\"late\"))), yield(\"x\").", _),
    ask("dml_main(1,[],none,5.0)", Step),
    Events = Step.told,
    findall(X, ( member(E, Events), get_dict(text, E, X) ), Told).
test(gas_cannot_be_caught, [setup(fresh), true(Stopped == "gas")]) :-
    loaded("agent_main :- repeat, catch((repeat, fail), _, fail).", _),
    ask("dml_main(1,[],1000,5.0)", Step),
    Stopped = Step.error.stopped.

:- end_tests(programs).
