:- use_module(library(plunit)).
:- use_module(library(lists)).
:- use_module(library(debug)).
:- use_module(replies).
:- use_module('../../prolog/hornbook').

%   The memory as facts: what queries see of it, and what they cannot do to it; inference; what refuses a change.

booted :-
    (   catch(hb_limits:output_stream(_), _, fail)
    ->  true
    ;   serve("boot([unknown(error),capabilities([memory]),\
                  changed_by(memory,[kn_node-'what draws',kn_edge-'what draws',kn_tag-'what draws',kn_goal-'what plans'])])", _)
    ).

ask(Request, Reply) :-
    format(string(Text), "~q", [Request]),
    reply_to(Text, Reply).

%   with(+Facts, +Clauses): a new engine, as far as that goes.

with(Facts, Clauses) :-
    booted,
    forall('$member'(Record, [node(_), edge(_,_,_,_), experience(_), project(_), log(_), idea(_)]),
           hb_memory:forget(Record)),
    serve("reset", _),
    get_time(Now),
    tell(Now, [], Facts),
    atom_length(Clauses, Length),
    format(string(Add), "add(inline,[~d],[1-50],50)~n~w", [Length,Clauses]),
    serve(Add, _).

tell(Now, Forget, Facts) :-
    format(string(Text), "~q", [memory_set(Now, Forget, Facts)]),
    serve(Text, "ok {}\n").

run(Query, Answers) :-
    ask(query(1, Query, 100, 60.0, 1001, -1), Reply),
    (   get_dict(error, Reply, Error),
        is_dict(Error)
    ->  get_dict(message, Error, Message),
        Answers = error(Message)
    ;   get_dict(answers, Reply, Told),
        findall(Texts,
                ( member(Answer, Told),
                  get_dict(bindings, Answer, Bindings),
                  findall(Text, member([_,Text,_], Bindings), Texts)
                ),
                Answers)
    ).

node(Id, Type, node(Id, Type, Id, knowledge, 0.0, inf)).
edge(A, Type, B, edge(A, Type, B, 1.0, 0.0, inf, none)).

graph(Pairs, Facts) :-
    findall(Node, ( member(A-B, Pairs), member(Id, [A,B]), node(Id, service, Node) ), Nodes0),
    sort(Nodes0, Nodes),
    findall(Edge, ( member(A-B, Pairs), edge(A, needs, B, Edge) ), Edges),
    append(Nodes, Edges, Facts).

infer(Goal, Assumed, Time, Skip, Take, Said) :-
    format(string(Text), "~q", [memory_infer(Goal, Assumed, Time, bounds(Skip,Take,5.0), 1001, -1)]),
    serve(Text, Said).

has(Text, Part) :-
    (   sub_string(Text, _, _, _, Part)
    ->  true
    ;   format(user_error, "~w is not in ~w~n", [Part, Text]),
        fail
    ).

:- begin_tests(memory_facts).

test(rules_use_the_graph, true(A == [["b"],["c"]])) :-
    graph([a-b,b-c], Facts),
    with(Facts, "r(X,Y) :- kn_edge(X,needs,Y).\nr(X,Z) :- kn_edge(X,needs,Y), r(Y,Z)."),
    run("r(a,X)", A).
test(a_change_is_seen_and_what_is_gone_is_not, true(A-B == [["c"]]-[])) :-
    graph([a-b,b-c], Facts),
    with(Facts, ":- table r/2.\nr(X,Y) :- kn_edge(X,needs,Y).\nr(X,Z) :- r(X,Y), kn_edge(Y,needs,Z)."),
    run("r(a,c), X = c", A),
    get_time(Now),
    tell(Now, [edge(b,needs,c,none)], []),
    run("r(a,c), X = c", B).
test(a_record_of_a_kind_without_facts_is_passed_over, true(A == [["b"]])) :-
    node(a, service, A0),
    node(b, service, B0),
    with([A0], ""),
    get_time(Now),
    tell(Now, [node(a), 'of a later version'(x)], [B0]),
    run("kn_node(X, service, _)", A).
test(what_does_not_hold_now_is_seen_with_its_validity_only, true(A-B-C == [["a"]]-[["a"],["b"],["c"]]-[])) :-
    get_time(Now),
    Past is Now-10,
    Future is Now+1000,
    with([node(a,t,a,knowledge,0.0,inf), node(b,t,b,knowledge,0.0,Past), node(c,t,c,knowledge,Future,inf),
          edge(a,e,b,1.0,0.0,inf,none)], ""),
    run("kn_node(X,_,_)", A),
    run("kn_node(X,_,_,_,_,_)", B),
    run("kn_edge(X,_,_)", C).
test(the_clock_of_the_memory_counts, true(A == [["c"]])) :-
    get_time(Now),
    Future is Now+1000,
    Later is Future+1,
    with([node(c,t,c,knowledge,Future,inf)], ""),
    tell(Later, [], []),
    run("kn_node(X,_,_)", A).
test(relevance_fades, true(R =:= 0.5)) :-
    get_time(Now),
    Rate is log(2)/200,
    Then is Now-200*86400,
    with([experience(x,solution,"s",high,knowledge,Then,inf), learned(x,Then,Rate)], ""),
    run("kn_relevance(x,R0), R is round(R0*1000)/1000.0", [[_,Text]]),
    number_string(R, Text).
test(code_cannot_change_them) :-
    graph([a-b], Facts),
    with(Facts, ""),
    forall(member(Goal, ["assertz(kn_edge(b,needs,a))", "retract(kn_edge(a,needs,b))", "asserta(kn_node(x,y,z))",
                         "retractall(kn_node(_,_,_))", "abolish(kn_node/3)", "dynamic(kn_node/3)",
                         "assertz((kn_tag(a,b) :- true))"]),
           ( run(Goal, error(Message)),
             has(Message, "No permission to modify static procedure"),
             has(Message, "it is a fact of the memory, which what draws changes") )),
    run("assertz(kn_goal(a,b))", error(Message)),
    has(Message, "which what plans changes"),
    run("assertz(kn_idea(a,b,c))", error(Untold)),
    has(Untold, "it is a fact of the memory"),
    run("hb_memory:assertz(node(a,b,c,d,e,f))", error(_)),
    run("hb_memory:node(A,B,C,D,E,F)", error(_)),
    run("kn_edge(X,_,_)", A),
    assertion(A == [["a"]]).
test(clauses_of_their_names_are_refused_and_cannot_be_retracted) :-
    with([], ""),
    serve("add(inline,[14],[1-1],10)\nkn_node(a,b,c)", Said),
    has(Said, "which what draws changes"),
    serve("retract(\"kn_node(a,b,c)\")", Said2),
    has(Said2, "which what draws changes").
test(names_of_the_users_own_are_free, true(A == [["1"]])) :-
    with([], "kn_mine(1).\nkn_node(1)."),
    run("kn_mine(X), kn_node(X)", A).

:- end_tests(memory_facts).

:- begin_tests(memory_inference).

test(an_answer_tells_facts_and_rules) :-
    graph([a-b,b-c], Facts),
    with(Facts, "r(X,Y) :- kn_edge(X,needs,Y).\nr(X,Z) :- kn_edge(X,needs,Y), r(Y,Z)."),
    get_time(Now),
    infer("r(a,X)", [], Now, 1, 5, Said),
    has(Said, "ok {\"answers\":1,\"more\":false}"),
    has(Said, "[[[\"X\",\"c\"]],[[0,2,\"r(a,c)\",\"clause\"],[1,null,\"kn_edge(a,needs,b)\",\"edge/a/b/needs\"],[1,1,\"r(b,c)\",\"clause\"],[2,null,\"kn_edge(b,needs,c)\",\"edge/b/c/needs\"]],false,false]").
test(answers_of_tables_are_told_by_their_rules_also_in_cycles) :-
    graph([a-b,b-c,c-a], Facts),
    with(Facts, ":- table r/2.\nr(X,Y) :- r(X,Z), kn_edge(Z,needs,Y).\nr(X,Y) :- kn_edge(X,needs,Y)."),
    get_time(Now),
    infer("r(a,a)", [], Now, 0, 5, Said),
    has(Said, "[0,2,\"r(a,a)\",\"clause\"],[1,2,\"r(a,c)\",\"clause\"]"),
    has(Said, "[1,null,\"kn_edge(c,needs,a)\",\"edge/c/a/needs\"]"),
    \+ sub_string(Said, _, _, _, "tabled").
test(what_is_assumed_holds_for_one_answer) :-
    graph([a-b], Facts),
    with(Facts, "r(X,Y) :- kn_edge(X,needs,Y).\nr(X,Z) :- kn_edge(X,needs,Y), r(Y,Z)."),
    get_time(Now),
    infer("r(a,z), special(z)", ["kn_node(z,service,z)", "kn_edge(b,needs,z)", "special(X) :- X == z"], Now, 0, 5, Said),
    has(Said, "\"answers\":1"),
    has(Said, "\"kn_edge(b,needs,z)\",\"assumed\""),
    run("r(a,X)", A),
    assertion(A == [["b"]]),
    run("special(z)", error(_)).
test(an_assumed_edge_needs_its_ends) :-
    graph([a-b], Facts),
    with(Facts, ""),
    get_time(Now),
    infer("true", ["kn_edge(b,needs,z)"], Now, 0, 5, Said),
    has(Said, "\"error\":true"),
    has(Said, "There is no node z: assume kn_node(z, Type, Name) before its edge.").
test(what_held_at_another_time) :-
    with([node(a,t,a,knowledge,0.0,100.0)], ""),
    infer("kn_node(X,_,_)", [], 50.0, 0, 5, Said),
    has(Said, "\"answers\":1"),
    run("kn_node(_,_,_)", A),
    assertion(A == []).
test(what_a_goal_changes_is_taken_back) :-
    with([], "p(1)."),
    get_time(Now),
    infer("assertz(p(2)), p(X)", [], Now, 0, 5, Said),
    has(Said, "\"undone\":1"),
    run("p(X)", A),
    assertion(A == [["1"]]).
test(errors_are_told) :-
    with([], ""),
    get_time(Now),
    infer("nonesuch(1)", [], Now, 0, 5, Said),
    has(Said, "\"error\":true"),
    has(Said, "nonesuch/1"),
    infer("true", ["p(("], Now, 0, 5, Said2),
    has(Said2, "refused").

%   A chain of 500, and a cycle of 500.

test(closure_of_five_hundred, true(Counts == [["124750"],["250000"]])) :-
    findall(A-B, ( between(1, 499, I), J is I+1, atom_concat(n, I, A), atom_concat(n, J, B) ), Chain),
    Rules = ":- table r/2.\nr(X,Y) :- kn_edge(X,needs,Y).\nr(X,Y) :- kn_edge(X,needs,Z), r(Z,Y).",
    findall(Count, ( member(Pairs, [Chain,[n500-n1|Chain]]),
                     graph(Pairs, Facts),
                     with(Facts, Rules),
                     run("aggregate_all(count, r(_,_), N)", [Count])
                   ), Counts).

:- end_tests(memory_inference).

:- begin_tests(memory_constraints).

objections(Said) :-
    objections(after([]), Said).

objections(When, Said) :-
    format(string(Request), "memory_objections(~q,5.0,10,1001,-1)", [When]),
    serve(Request, Said).

removed(Record) :-
    get_time(Now),
    tell(Now, [Record], []).

test(rules_refuse_and_warn, true(Said == "ok {}\n[\"a needs itself\"]\n[\"f(x)\"]\n[]\n")) :-
    graph([a-a], Facts),
    with(Facts, "kn_refuse(M) :- kn_edge(X,_,X), format(string(M), \"~w needs itself\", [X]).\nkn_warn(f(x))."),
    objections(Said).
test(without_rules_there_are_none, true(Said == "ok {}\n[]\n[]\n[]\n")) :-
    with([], ""),
    objections(Said).
test(a_second_value_of_a_functional_relation_warns) :-
    graph([a-b,c-b], Facts),
    with(Facts, "kn_functional(needs)."),
    objections(after([edge(a,needs,b)]), "ok {}\n[]\n[]\n[]\n"),
    graph([a-b,a-c,c-b], Facts2),
    with(Facts2, "kn_functional(needs).\nkn_functional(needs)."),
    objections(after([]), "ok {}\n[]\n[]\n[]\n"),
    objections(after([edge(a,needs,c)]), Said),
    Told = "[\"Contradiction: a has two values of needs, b and c, but kn_functional(needs) allows one: kn_edge(a,needs,b), kn_edge(a,needs,c). Remove the edge that does not hold\"]",
    has(Said, Told),
    objections(before, "ok {}\n[]\n[]\n[]\n"),
    removed(edge(a,needs,c,none)),
    objections(before, Said2),
    has(Said2, Told).
test(of_a_functional_predicate_what_is_new_is_told_however_many_contradict) :-
    numlist(1, 12, Ns),
    findall(Fact, ( '$member'(N, Ns), '$member'(V, [1,2]), format(string(Fact), "one(k~d,~d).~n", [N,V]) ), Lines),
    Rule = "kn_functional(one/2).\nkn_functional(one/2).\none(T, X) :- kn_edge(X, needs, T).\n",
    atomic_list_concat([Rule|Lines], Text),
    graph([a-b,c-b,a-c], Facts),
    with(Facts, Text),
    objections(_),
    removed(edge(c,needs,b,none)),
    objections(before, Said),
    has(Said, "[\"Contradiction: one(b,a) and one(b,c), but kn_functional(one/2) allows one value\"]"),
    \+ sub_string(Said, _, _, _, "one(k").
test(a_functional_relation_is_named) :-
    with([], "kn_functional(_)."),
    objections(Said),
    has(Said, "{\"error\":true}").
test(an_error_is_told) :-
    with([], "kn_refuse(_) :- nonesuch."),
    objections(Said),
    has(Said, "{\"error\":true}"),
    has(Said, "nonesuch/0").

:- end_tests(memory_constraints).
