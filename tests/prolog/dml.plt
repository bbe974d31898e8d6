:- use_module(library(plunit)).
:- use_module(library(lists)).
:- use_module(replies).

%   Programs, request by request, as the host runs them.

ask(Text, Reply) :-
    reply_to(Text, Reply).

ask_term(Request, Reply) :-
    format(string(Text), '~q', [Request]),
    ask(Text, Reply).

fresh :-
    (   catch(hb_limits:output_stream(_), _, fail)
    ->  true
    ;   ask("boot([unknown(error),capabilities([dml])])", _)
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
    ask_term(dml_load(Code, Parameters, program, 1, []), Reply).

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

%   Where the goals stand that ask or tell, in code points of the text; none where that is not known.
places(Code, Places) :-
    loaded(Code, Loaded),
    Loaded.errors == [],
    ask("dml_main(1,[],none,5.0)", Step),
    places_from(Step, Places).

places_from(Step, [At|Places]) :-
    get_dict(request, Step, Request),
    !,
    (   get_dict(at, Request, At)
    ->  true
    ;   At = none
    ),
    ask("dml_next(1,done(\"v\"),5.0)", Next),
    places_from(Next, Places).
places_from(_, []).

test(requests_have_the_places_of_their_goals, [setup(fresh), true(Places == [175,14,36,61,none,131])]) :-
    places("agent_main :-\n\
            log(a),\n\
            forall(true, (log(\"b\"))),\n\
            maplist([T]>>exec(t(T), _), [1]),\n\
            maplist(yield, [c]),\n\
            phrase(said, []).\n\
            said --> {input(\"d\", _)}, said(1).\n\
            said(_) --> [].\n\
            :- log(first).", Places).

test(goals_at_the_same_time_have_their_places, [setup(fresh), true(Places == [17,50])]) :-
    places("agent_main :-\n\
            \\+ concurrent_maplist(p, [1,2]),\n\
            \\+ first_solution(_, [p(1),p(2)], []).\n\
            p(_).", Places).
test(goals_of_the_book_have_their_places, [setup(fresh), true(Places == [17,39,none,none])]) :-
    places("agent_main :-\n\
            \\+ book:p(_),\n\
            \\+ \\+ (\\+ (book:(p, q))),\n\
            G = (book:p(1)), \\+ G,\n\
            \\+ maplist(book:p, [1]).", Places).

%   Where the goals stand that wrote what a step has written, and what that is.
written(Code, Written) :-
    loaded(Code, Loaded),
    Loaded.errors == [],
    ask("dml_main(1,[],none,5.0)", Step),
    written_from(Step, Written).

written_from(Step, [Step.written_at-Step.output|Written]) :-
    get_dict(request, Step, _),
    !,
    ask("dml_next(1,done(\"v\"),5.0)", Next),
    written_from(Next, Written).
written_from(Step, [Step.written_at-Step.output]).

test(output_has_the_place_of_what_wrote_first, [setup(fresh), true(Written == [14-"a\n", null-"", 67-"1", 168-"bc"])]) :-
    written("agent_main :-\n\
            write(a), nl,\n\
            log(x), log(y),\n\
            forall(member(X, [1]), format(\"~w\", [X])),\n\
            log(z),\n\
            with_output_to(string(_), write(no)), p(write(b)).\n\
            p(G) :- G = write(X), print(X), write(c).", Written).
test(a_goal_with_a_place_is_shown_as_it_was_written, [setup(fresh), true(T == [Text, end(true)])]) :-
    Text = "nl,format(user_output,a,[]),book:p(A),concurrent_maplist(q,[A])",
    texts("p :- nl, format(user_output, a, []), book:p(X), concurrent_maplist(q, [X]).
           q(_).
           agent_main :- clause(p, B), numbervars(B, 0, _), format(string(T), \"~W\", [B,[numbervars(true)]]), yield(T).", T).

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

test(outputs_have_names_and_types, [setup(fresh), true(O = ["N"-"integer", "L"- _{list:"string"}, "Result3"-"any"])]) :-
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

test(cleaning_up_ends_soon_after_the_gas,
     [ setup(fresh), true(Stopped-Told == "gas"-[]),
       forall(member(Goal, [ "setup_call_cleanup(true, (repeat, fail), endless)",
                             "call_cleanup((repeat, fail), endless)",
                             "call_with_inference_limit(setup_call_cleanup(true, (repeat, fail), endless), 100, _), endless",
                             "catch(nested(1000), _, true)",
                             "setup_call_cleanup(true, (repeat, fail), catch(endless, _, endless))" ])) ]) :-
    format(string(Text), "endless :- between(1, 1000000, X), X < 0.
                          endless :- log(\"too far\").
                          nested(0) :- repeat, fail.
                          nested(N) :- M is N-1, setup_call_cleanup(true, nested(M), endless).
                          agent_main :- ~s.", [Goal]),
    loaded(Text, _),
    ask("dml_main(1,[],100000,20.0)", Step),
    Stopped = Step.error.stopped,
    Told = Step.told.
test(cleaning_up_is_done_when_the_gas_is_spent, [setup(fresh), true(Told-Stopped == ["done"]-"gas")]) :-
    loaded("agent_main :- setup_call_cleanup(true, (repeat, fail), log(\"done\")).", _),
    ask("dml_main(1,[],1000,5.0)", Step),
    Stopped = Step.error.stopped,
    findall(X, ( member(E, Step.told), get_dict(text, E, X) ), Told).

test(a_refusal_is_an_error_that_can_be_caught, [setup(fresh), true(T == ["shell/1", "setenv/2", end(true)])]) :-
    texts("agent_main :- catch(shell(ls), error(permission_error(call,_,P),_), yield(P)),
               G = setenv(a, b), catch(G, error(permission_error(_,_,Q),_), yield(Q)).", T).
test(what_ends_a_program_is_not_caught_as_an_error, [setup(fresh), true(Stopped == "gas")]) :-
    loaded("agent_main :- catch((repeat, fail), error(permission_error(_,_,_),_), true).", _),
    ask("dml_main(1,[],1000,5.0)", Step),
    Stopped = Step.error.stopped.

:- end_tests(programs).

:- begin_tests(static).

%   Where a program names nothing that changes clauses, they are compiled, and mean what they meant.

is_static(Head) :-
    \+ predicate_property(knowledge_base:Head, dynamic).

test(what_changes_clauses_is_left_dynamic, [setup(fresh), true(T == ["1", end(true)])]) :-
    texts("p(0). agent_main :- retract(p(0)), assertz(p(1)), p(X), yield(X).", T),
    \+ is_static(p(_)),
    \+ is_static(agent_main).
test(a_declared_predicate_without_clauses_fails, [setup(fresh), true(T == [end(false)])]) :-
    texts(":- dynamic p/1. agent_main :- p(_).", T).
test(clauses_anywhere_in_any_order, [setup(fresh), true(T == ["[1,2]", "[b,a]", "[1,2,3]", "[own]", end(true)])]) :-
    texts(":- discontiguous p/1.
           p(1). agent_main :- findall(X, p(X), L), yield(L), rev([a,b], [], R), yield(R), phrase(ds(D), `123`), yield(D),
               findall(X, nth0(X), N), yield(N).
           rev([], L, L). rev([H|T], A, L) :- rev(T, [H|A], L).
           p(2).
           ds([H|T]) --> [C], { H is C-0'0 }, ds(T). ds([]) --> [].
           nth0(own).", T),
    is_static(p(_)),
    is_static(rev(_,_,_)),
    is_static(ds(_,_,_)).
test(own_before_imported, [setup(fresh), true(T == ["[x]", end(true)])]) :-
    texts(":- use_module(library(lists)). agent_main :- last([1,2], X), yield([X]). last(_, x).", T).
test(tabled, [setup(fresh), true(T == ["832040", "[a,b,c]", end(true)])]) :-
    texts(":- table fib/2, path/2.
           fib(0, 0). fib(1, 1). fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y.
           edge(a, b). edge(b, c). edge(c, a).
           path(X, Y) :- path(X, Z), edge(Z, Y). path(X, Y) :- edge(X, Y).
           agent_main :- fib(30, F), yield(F), findall(X, path(a, X), L), sort(L, S), yield(S).", T),
    is_static(edge(_,_)).
test(clauses_can_be_looked_at, [setup(fresh), true(T == ["p(1),yield({X})", "p(1)", end(true)])]) :-
    texts("p(1). q(X) :- p(1), yield(\"{X}\"). agent_main :- clause(q(_), B), yield(B), clause(p(X), true), yield(p(X)).", T).
test(listing_shows_them, [setup(fresh), true(Output == ":- dynamic p/1.\n\np(1).\np(2).\n\n")]) :-
    loaded("p(1). p(2). agent_main :- listing(p/1).", _),
    ask("dml_main(1,[],none,5.0)", Step),
    Output = Step.output.
test(cuts_and_backtracking, [setup(fresh), true(T == ["[1,2,3-1,3-2,3-3,4]", end(true)])]) :-
    texts("p(1). p(2). p(3-X) :- q(X). p(4). p(_) :- !, fail. p(5).
           q(1). q(2). q(3) :- !. q(4).
           agent_main :- findall(X, p(X), L), yield(L).", T).
test(a_tool_with_a_body, [setup(fresh), true(Value == "4")]) :-
    loaded("twice(X, Y) :- number_string(N, X), Y is 2*N. tool(two(X, Y)) :- twice(X, Z), term_string(Z, Y).", _),
    is_static(tool(_)),
    ask("dml_tool(2,two,[\"2\"],[],none,5.0)", Step),
    Value = Step.value.
test(a_made_up_change_is_the_standard_error,
     [setup(fresh), true(T == ["permission_error(modify,static_procedure,p/1)", "permission_error(modify,static_procedure,p/1)",
                               "permission_error(modify,static_procedure,p/1)", "[1]", "new", end(true)])]) :-
    texts("p(1).
           try(Goal) :- catch(Goal, error(E, _), (print_it(E))).
           print_it(E) :- term_to_atom(E, A), yield(A).
           agent_main :-
               atom_concat(asser, tz, Add), G =.. [Add, p(2)], try(G),
               atom_concat(retrac, t, Out), H =.. [Out, p(1)], try(H),
               atom_concat(retrac, tall, All), I =.. [All, p(_)], try(I),
               findall(X, p(X), L), yield(L),
               J =.. [Add, q(new)], call(J), K =.. [q, Y], call(K), yield(Y).", T),
    hb_limits:whole.

:- end_tests(static).

:- begin_tests(concurrent).

goals_started(Code, Request) :-
    loaded(Code, Loaded),
    Loaded.errors == [],
    ask("dml_main(1,[],none,5.0)", Step),
    Request = Step.request.

branch(Id, Group, I, Step) :-
    ask_term(dml_branch(Id, Group, I, none, 5.0), Step).

test(each_goal_is_a_branch_and_what_it_binds_comes_back, [setup(fresh), true(T == "[1-a,2-b]")]) :-
    goals_started("agent_main :- concurrent_maplist([X,Y]>>(input(\"q\", A), atom_string(B, A), Y = X-B), [1,2], Ys), log(\"{Ys}\").", R),
    Group = R.group,
    R.count == 2, R.mode == "all",
    branch(2, Group, 1, S1), S1.request.text == "q",
    branch(3, Group, 2, S2), S2.request.text == "q",
    ask("dml_next(3,done(\"b\"),5.0)", E2), E2.end == true,
    ask("dml_next(2,done(\"a\"),5.0)", E1), E1.value == "true",
    ask_term(dml_leave(Group), L), L.ok == true,
    ask("dml_next(1,done([\"all\",0]),5.0)", Next),
    T = Next.request.text.
test(an_error_of_a_branch_is_raised_by_the_goal, [setup(fresh), true(T == "no")]) :-
    goals_started("agent_main :- catch(concurrent_maplist([X]>>throw(X), [no,nono]), E, log(\"{E}\")).", R),
    Group = R.group,
    branch(2, Group, 1, S1), S1.value == "error",
    ask_term(dml_leave(Group), _),
    ask("dml_next(1,done([\"error\",1]),5.0)", Next),
    T = Next.request.text.
test(engines_of_goals_that_are_left_are_gone, [setup(fresh), true(Ids == [1])]) :-
    goals_started("agent_main :- first_solution(X, [input(\"a\", X), input(\"b\", X)], []), log(X).", R),
    Group = R.group,
    R.mode == "first_stop_stop",
    branch(2, Group, 1, _),
    branch(3, Group, 2, _),
    ask_term(dml_leave(Group), _),
    findall(Id, hb_dml_run:run(Id, _), Ids).

:- end_tests(concurrent).
