:- use_module(library(plunit)).
:- use_module(library(lists)).
:- use_module(library(debug), [assertion/1]).
:- use_module(replies).

%   What the engine does for a person who writes and looks: check/1, prove/5, refute/4 and trace/4.

ask(Request, Reply) :-
    format(string(Text), '~q', [Request]),
    reply_to(Text, Reply).

fresh :-
    (   catch(hb_limits:output_stream(_), _, fail)
    ->  true
    ;   ask(boot([unknown(error)]), _)
    ),
    ask(reset, _).

add(Text) :-
    ask(add(file, [Text], [1-1000], 1000), _).

%   The nodes of a proof as Depth-Goal-How.
proof(Query, Nth, Nodes) :-
    ask(prove(Query, Nth, 5.0, 1001, -1), Reply),
    assertion(\+ get_dict(error, Reply, _)),
    findall(D-G-H, member([D,G,H|_], Reply.nodes), Nodes).

problems(Text, Problems) :-
    problems(Text, none, [], Problems).

problems(Text, Home, Modules, Problems) :-
    problems(Text, Home, Modules, text, Problems).

problems(Text, Home, Modules, Tabled, Problems) :-
    ask(check(Text, Home, Modules, Tabled), Reply),
    Problems = Reply.problems.

%   The ports of a run as Depth-Port-Goal.
ports(Query, Ports, Cut) :-
    ask(trace(Query, 5.0, 1001, -1), Reply),
    assertion(\+ get_dict(error, Reply, _)),
    findall(D-P-G, member([D,G,P|_], Reply.nodes), Ports),
    Cut = Reply.cut.

:- begin_tests(ports, [setup(fresh)]).

test(call_unify_exit_redo_and_fail, [setup(fresh)]) :-
    add("p(1). p(2). q(X) :- p(X), X > 1."),
    ask(trace("q(X)", 5.0, 1001, -1), Reply),
    assertion(Reply.nodes == [[0,"q(X)","call",[],null,1], [0,"q(X)","unify",[],3,1],
                              [1,"p(X)","call",["q(X)"],3,1], [1,"p(1)","unify",["q(1)"],1,1], [1,"p(1)","exit",["q(1)"],1,1],
                              [1,"1>1","call",["q(1)"],3,1], [1,"1>1","fail",["q(1)"],3,1],
                              [1,"p(1)","redo",["q(1)"],1,1], [1,"p(2)","unify",["q(2)"],2,1],
                              [1,"p(2)","exit",["q(2)"],2,1],
                              [1,"2>1","call",["q(2)"],3,1], [1,"2>1","exit",["q(2)"],3,1], [0,"q(2)","exit",[],3,1],
                              [0,"q(2)","answer",[],null,1]]),
    assertion(Reply.cut == false).
test(a_cut_ends_the_other_clauses, [setup(fresh)]) :-
    add("q(1). q(2). first(X) :- q(X), !. first(none)."),
    ports("first(X)", Ports, false),
    assertion(Ports == [0-"call"-"first(X)", 0-"unify"-"first(X)", 1-"call"-"q(X)", 1-"unify"-"q(1)",
                        1-"exit"-"q(1)", 0-"exit"-"first(1)", 0-"answer"-"first(1)"]).
test(the_goals_around_a_port_have_the_values_of_that_port, [setup(fresh)]) :-
    add("n(0, z) :- !. n(N, s(X)) :- M is N-1, n(M, X)."),
    ask(trace("n(12, X)", 5.0, 1001, -1), Reply),
    findall(Around, member([11,"n(1,_A)","call",Around|_], Reply.nodes), [First|_]),
    findall(Around, member([11,"n(1,s(z))","exit",Around|_], Reply.nodes), [Last]),
    length(First, Shown),
    assertion(Shown == 8),
    First = [Call|_],
    Last = [Exit|_],
    assertion(Call == "n(2,s(_A))"),
    assertion(Exit == "n(2,s(s(z)))").
test(an_error_ends_the_run, [setup(fresh)]) :-
    add("p(X) :- Y is X + 1, write(Y)."),
    ports("p(a)", Ports, false),
    Ports = [0-"call"-"p(a)", 0-"unify"-"p(a)", 1-"call"-"_A is a+1", 1-"exception"-"_A is a+1",
                        0-"exception"-"p(a)", 0-"error"-Message],
    assertion(sub_string(Message, _, _, _, "evaluable")).
test(what_has_no_end_is_cut, [setup(fresh), true(Cut-Count == true-2000)]) :-
    add("loop :- loop."),
    ports("loop", Ports, Cut),
    length(Ports, Count).
test(changes_are_taken_back, [setup(fresh)]) :-
    add("n(0). next :- retract(n(X)), Y is X + 1, assertz(n(Y))."),
    ask(trace("next", 5.0, 1001, -1), Reply),
    assertion(get_dict(undone, Reply, _)),
    assertion(Reply.changes.reload == ["n/1"]).
test(what_the_sandbox_refuses_is_not_run, [setup(fresh)]) :-
    ports("G = shell(ls), call(G)", Ports, false),
    assertion(last(Ports, 0-"error"-_)).

:- end_tests(ports).

:- begin_tests(proof, [setup(fresh)]).

test(clauses_and_their_ids, [setup(fresh)]) :-
    add("p(a, b). p(b, c). anc(X, Y) :- p(X, Y). anc(X, Z) :- p(X, Y), anc(Y, Z)."),
    ask(prove("anc(a, W)", 2, 5.0, 1001, -1), Reply),
    assertion(Reply.nodes == [[0,"anc(a,c)","clause",4,1], [1,"p(a,b)","clause",1,1],
                              [1,"anc(b,c)","clause",3,1], [2,"p(b,c)","clause",2,1]]).
test(a_cut_cuts_the_other_clauses, [setup(fresh), true(Count == 1)]) :-
    add("q(1). q(2). first(X) :- q(X), !. first(none)."),
    proof("first(X)", 1, [0-"first(1)"-"clause", 1-"q(1)"-"clause", 1-"!"-"cut"]),
    ask(prove("first(X)", 2, 5.0, 1001, -1), Reply),
    Count = Reply.answers.
test(a_negation_is_explained_where_clauses_were_tried, [setup(fresh)]) :-
    add("person(ann). report(bob). excuse(X) :- report(X). fined(X) :- person(X), \\+ excuse(X)."),
    ask(prove("fined(ann)", 1, 5.0, 1001, -1), Reply),
    findall(D-G-H, member([D,G,H|_], Reply.nodes), Nodes),
    assertion(Nodes == [0-"fined(ann)"-"clause", 1-"person(ann)"-"clause", 1-"\\+excuse(ann)"-"negation",
                        2-"excuse/1"-"tried", 3-"report(ann)"-"fails", 4-"report/1"-"unmatched"]).
test(negation_is_told_as_such, [setup(fresh)]) :-
    add("bird(tux). bird(tweety). penguin(tux). flies(X) :- bird(X), \\+ penguin(X)."),
    proof("flies(X)", 1, Nodes),
    assertion(Nodes == [0-"flies(tweety)"-"clause", 1-"bird(tweety)"-"clause", 1-"\\+penguin(tweety)"-"negation"]).
test(a_condition_that_failed_is_a_negation, [setup(fresh)]) :-
    add("sign(X, S) :- ( X > 0 -> S = plus ; S = minus )."),
    proof("sign(-1, S)", 1, Nodes),
    assertion(Nodes == [0-"sign(-1,minus)"-"clause", 1-"\\+ -1>0"-"negation", 1-"minus=minus"-"builtin"]).
test(constraints_are_told_as_such, [setup(fresh)]) :-
    add("big(X) :- X #> 3, X #< 5."),
    proof("big(X)", 1, Nodes),
    assertion(Nodes == [0-"big(4)"-"clause", 1-"4#>3"-"constraint", 1-"4#<5"-"constraint"]).
test(a_grammar_is_looked_into, [setup(fresh)]) :-
    add("run --> []. run --> \"a\", run."),
    proof("phrase(run, `aa`, R)", 3, Nodes),
    assertion(Nodes == [0-"phrase(run,[97,97],[])"-"call", 1-"run([97,97],[])"-"clause",
                         2-"[97,97]=[97,97]"-"builtin", 2-"run([97],[])"-"clause",
                         3-"[97]=[97]"-"builtin", 3-"run([],[])"-"clause", 4-"[]=[]"-"builtin"]).
test(goals_known_at_run_time_are_looked_into, [setup(fresh)]) :-
    add("q(1). twice(G) :- call(G), once(G)."),
    proof("twice(q(X))", 1, Nodes),
    assertion(Nodes == [0-"twice(q(1))"-"clause", 1-"q(1)"-"clause", 1-"q(1)"-"clause"]).
test(answers_of_a_table_are_told_by_clauses, [setup(fresh)]) :-
    add(":- table path/2. edge(a, b). edge(b, a). path(X, Y) :- path(X, Z), edge(Z, Y). path(X, Y) :- edge(X, Y)."),
    proof("path(a, a)", 1, Nodes),
    assertion(Nodes == [0-"path(a,a)"-"clause", 1-"path(a,b)"-"clause", 2-"edge(a,b)"-"clause", 1-"edge(b,a)"-"clause"]).
test(what_rests_on_what_is_undefined_comes_from_its_table, [setup(fresh)]) :-
    add(":- table p/0, q/0. p :- tnot(q). q :- tnot(p)."),
    proof("p", 1, Nodes),
    assertion(Nodes = [0-"p"-_|_]).
test(what_is_refused_stays_refused, [setup(fresh), true(Kind == "unsafe_goal")]) :-
    ask(prove("G = shell(ls), call(G)", 1, 5.0, 1001, -1), Reply),
    Kind = Reply.error.kind.
test(arguments_of_the_users_own_are_no_goals, [setup(fresh), forall(member(Name, [once, ignore, call, findall]))]) :-
    format(string(Clause), "~w(_).", [Name]),
    format(string(Query), "~w(shell(ls))", [Name]),
    add(Clause),
    ask(prove(Query, 1, 5.0, 1001, -1), Reply),
    (   get_dict(error, Reply, Error)
    ->  assertion(Error.kind == "unsafe_goal")
    ;   Reply.nodes = [[0,_,"clause",1,1]]
    ).
test(a_clause_that_the_goal_itself_has_added_has_no_id, [setup(fresh)]) :-
    add(":- dynamic n/1. n(1). two :- assertz((m :- n(2))), asserta(n(2)), m, n(1)."),
    ask(prove("two", 1, 5.0, 1001, -1), Reply),
    findall(G-Id, member([_,G,"clause",Id,_], Reply.nodes), Clauses),
    assertion(Clauses == ["two"-3, "m"-null, "n(2)"-null, "n(1)"-2]).
test(changes_are_taken_back, [setup(fresh)]) :-
    add(":- dynamic n/1. n(1). n(2)."),
    ask(prove("retract(n(1)), assertz(n(3)), n(X)", 2, 5.0, 1001, -1), Reply),
    assertion(Reply.undone == 2),
    assertion(Reply.changes.reload == ["n/1"]).
test(a_proof_ends_with_its_time, [setup(fresh), true(Kind == "timeout")]) :-
    add("loop :- loop2. loop2 :- fail. loop2 :- loop, true."),
    ask(prove("loop", 1, 0.2, 1001, -1), Reply),
    Kind = Reply.error.kind.

:- end_tests(proof).

:- begin_tests(refutation, [setup(fresh)]).

%   The nodes of why a query fails as Depth-Goal-How, or Depth-Goal-How-Count where it is not 1.
refutation(Query, Nodes) :-
    ask(refute(Query, 5.0, 1001, -1), Reply),
    assertion(\+ get_dict(error, Reply, _)),
    findall(Node,
            ( member([D,G,H,_,Count], Reply.nodes),
              ( Count == 1 -> Node = D-G-H ; Node = D-G-H-Count )
            ),
            Nodes).

test(the_goal_at_which_each_clause_stops, [setup(fresh)]) :-
    add("p(tom, bob). p(bob, ann). p(bob, pat). gp(X, Z) :- p(X, Y), p(Y, Z). gp(X, X) :- p(X, self)."),
    refutation("gp(tom, sue)", Nodes),
    assertion(Nodes == [ 0-"gp(tom,sue)"-"fails", 1-"gp/2"-"unmatched", 1-"gp/2"-"tried", 2-"p(bob,sue)"-"fails",
                         3-"p/2"-"unmatched"-3, 4-"p(bob,ann)"-"nearest", 4-"p(bob,pat)"-"nearest" ]).
test(the_furthest_goal_and_how_many_ways_lead_there, [setup(fresh)]) :-
    add("n(1). n(2). n(3). big(X) :- n(X), Y is X*2, Y > 10."),
    refutation("big(X)", Nodes),
    assertion(Nodes == [0-"big(X)"-"fails", 1-"big/1"-"tried", 2-"2>10"-"fails(builtin)"-3,
                        2-"4>10"-"fails(builtin)", 2-"6>10"-"fails(builtin)"]).
test(a_negation_fails_by_what_holds, [setup(fresh)]) :-
    add("bird(tux). penguin(tux). flies(X) :- bird(X), \\+ penguin(X)."),
    refutation("flies(tux)", Nodes),
    assertion(Nodes == [0-"flies(tux)"-"fails", 1-"flies/1"-"tried", 2-"\\+penguin(tux)"-"fails(negation)",
                        3-"penguin(tux)"-"clause"]).
test(a_condition_that_does_not_hold_for_all_is_told_with_an_example, [setup(fresh)]) :-
    add("emp(ann, d). emp(bob, d). sick(bob). ok(D) :- forall(emp(P, D), \\+ sick(P))."),
    refutation("ok(d)", Nodes),
    assertion(Nodes == [0-"ok(d)"-"fails", 1-"ok/1"-"tried", 2-"forall(emp(_A,d),\\+sick(_A))"-"fails(builtin)",
                        3-"for emp(bob,d)"-"reason", 4-"\\+sick(bob)"-"fails(negation)", 5-"sick(bob)"-"clause"]).
test(of_a_list_the_element_that_fails, [setup(fresh)]) :-
    add("emp(ann). emp(bob). all(L) :- maplist(emp, L)."),
    refutation("all([ann, cy])", Nodes),
    assertion(Nodes == [0-"all([ann,cy])"-"fails", 1-"all/1"-"tried", 2-"maplist(emp,[ann,cy])"-"fails(library(apply))",
                        3-"element 2 of the list"-"reason", 4-"emp(cy)"-"fails", 5-"emp/1"-"unmatched"-2]),
    refutation("maplist([X,Y]>>(Y is X+1), [1,2], [2,4])", Lambda),
    assertion(Lambda = [_, 1-"element 2 of the list"-"reason", 2-"4 is 2+1"-"fails(builtin)"]).
test(what_is_computed_is_told_with_its_result, [setup(fresh)]) :-
    add("emp(ann). emp(bob). n(N) :- aggregate_all(count, emp(_), N)."),
    refutation("n(7)", [_, _, _, 3-"the result is 2"-"reason"]),
    refutation("length([a], 3)", [_, 1-"the result is 1"-"reason"]).
test(all_conditions_that_are_not_met, [setup(fresh)]) :-
    add("a(1). b(2). c(3). d(1). ok(X) :- a(X), b(X), d(X), c(X), X > 5, \\+ a(X), c(_)."),
    refutation("ok(1)", Nodes),
    assertion(Nodes == [0-"ok(1)"-"fails", 1-"ok/1"-"tried", 2-"b(1)"-"fails", 3-"b/1"-"unmatched", 4-"b(2)"-"nearest",
                        2-"c(1)"-"also", 2-"1>5"-"also", 2-"\\+a(1)"-"also"]).
test(a_condition_that_depends_on_the_missing_one_is_not_told, [setup(fresh)]) :-
    add("a(1). b(2, x). c(y). ok(X) :- a(X), b(X, Y), c(Y), \\+ c(Y), Y \\== x."),
    refutation("ok(1)", Nodes),
    assertion(\+ memberchk(_-_-"also", Nodes)).
test(a_cut_keeps_clauses_from_being_tried, [setup(fresh)]) :-
    add("max(X, Y, Z) :- X >= Y, !, Z = X. max(_, Y, Y)."),
    refutation("max(3, 2, 2)", Nodes),
    assertion(Nodes == [0-"max(3,2,2)"-"fails", 1-"max/3"-"untried", 1-"max/3"-"tried", 2-"2=3"-"fails(builtin)"]).
test(of_a_conjunction_the_goal_that_fails, [setup(fresh)]) :-
    add("a(1). b(2)."),
    refutation("a(X), b(X)", Nodes),
    assertion(Nodes == [0-"b(1)"-"fails", 1-"b/1"-"unmatched", 2-"b(2)"-"nearest"]).
test(near_names_are_near, [setup(fresh)]) :-
    add("color(\"red\"). color(blue). color(green)."),
    refutation("color(bleu)", [_, _, 2-"color(blue)"-"nearest"]),
    refutation("color(red)", [_, _, 2-"color(\"red\")"-"nearest"]).
test(a_fact_is_near_once_and_a_rule_is_not, [setup(fresh)]) :-
    add("app([], L, L). app([H|T], L, [H|R]) :- app(T, L, R)."),
    refutation("app([], [3], [4])", Nodes),
    assertion(Nodes == [0-"app([],[3],[4])"-"fails", 1-"app/3"-"unmatched"-2, 2-"app([],_A,_A)"-"nearest"]).
test(what_has_no_clauses_and_what_is_undefined, [setup(fresh)]) :-
    add(":- dynamic d/1."),
    refutation("d(1)", [0-"d(1)"-"fails", 1-"d/1"-"unmatched"-0]),
    set_prolog_flag(knowledge_base:unknown, fail),
    call_cleanup(refutation("nope(1)", Nodes), set_prolog_flag(knowledge_base:unknown, error)),
    assertion(Nodes == [0-"nope(1)"-"fails(undefined)", 1-"nope/1"-"undefined"]).
test(of_a_condition_the_branch_that_was_taken, [setup(fresh)]) :-
    add("s(X, S) :- ( X > 0 -> S = plus ; S = minus )."),
    refutation("s(1, minus)", Nodes),
    assertion(Nodes == [0-"s(1,minus)"-"fails", 1-"s/2"-"tried", 2-"minus=plus"-"fails(builtin)"]).
test(constraints_are_told_with_what_they_meet, [setup(fresh)]) :-
    add("c(X) :- X in 0..2, X #> 3."),
    refutation("c(X)", Nodes),
    assertion(Nodes == [0-"c(X)"-"fails", 1-"c/1"-"tried", 2-"X#>3, where X in 0..2"-"fails(constraint)"]).
test(a_table_is_looked_into_once, [setup(fresh)]) :-
    add(":- table path/2. edge(a, b). edge(b, a). path(X, Y) :- path(X, Z), edge(Z, Y). path(X, Y) :- edge(X, Y)."),
    refutation("path(a, c)", Nodes),
    assertion(memberchk(0-"path(a,c)"-"fails", Nodes)),
    assertion(memberchk(2-"edge(a,c)"-"fails", Nodes)).
test(a_deep_failure_is_told_down_to_a_bound, [setup(fresh)]) :-
    add("down(0) :- fail. down(N) :- N > 0, M is N-1, down(M)."),
    refutation("down(1000)", Nodes),
    length(Nodes, Length),
    assertion(Length < 60),
    assertion(last(Nodes, 24-"down(988)"-"fails(deep)")).
test(many_failures_are_kept_within_bounds, [setup(fresh)]) :-
    add("d(X) :- between(1, 9, X). q(A, B, C, D) :- d(A), d(B), r(A, B), d(C), d(D), r(C, D), s(A, B, C, D). r(A, B) :- A < B, t(A). t(A) :- A > 3. s(A, B, C, D) :- A+B+C+D > 90."),
    refutation("q(A, B, C, D)", [0-_-"fails", 1-_-"tried", 2-Goal-"fails"-225|_]),
    assertion(sub_string(Goal, 0, _, _, "s(4,5,4,5)")).
test(a_goal_runs_once_and_its_changes_are_taken_back, [setup(fresh)]) :-
    add(":- dynamic n/1. n(0). step :- retract(n(X)), Y is X+1, assertz(n(Y)), Y > 5."),
    ask(refute("step", 5.0, 1001, -1), Reply),
    assertion(memberchk([2,"1>5","fails(builtin)",null,1], Reply.nodes)),
    assertion(Reply.changes.reload == ["n/1"]).
test(what_holds_is_told_as_such, [setup(fresh), true(Count == 1)]) :-
    add("a."),
    ask(refute("a", 5.0, 1001, -1), Reply),
    Count = Reply.answers.
test(errors_are_errors, [setup(fresh), true(Kind == "type_error")]) :-
    add("a(X) :- X > foo."),
    ask(refute("a(1)", 5.0, 1001, -1), Reply),
    Kind = Reply.error.kind.
test(an_endless_search_ends_with_its_time, [setup(fresh), true(Kind == "timeout")]) :-
    add("loop :- between(1, inf, X), X < 0, done. done."),
    ask(refute("loop", 0.2, 1001, -1), Reply),
    Kind = Reply.error.kind.
test(what_is_refused_stays_refused, [setup(fresh), true(Kind == "unsafe_goal")]) :-
    ask(refute("G = shell(ls), call(G)", 5.0, 1001, -1), Reply),
    Kind = Reply.error.kind.

:- end_tests(refutation).

:- begin_tests(check, [setup(fresh)]).

test(a_new_text_is_not_judged_by_what_the_book_tables, [setup(fresh)]) :-
    Text = "edge(a,b).\npath(X,Z) :- path(X,Y), edge(Y,Z).\npath(X,Y) :- edge(X,Y).",
    string_concat(":- table path/2.\n", Text, Tabled),
    add(Tabled),
    problems(Text, none, [], book, []),
    problems(Text, none, [], text, [[_, _, ["path/2"]]]),
    problems(Tabled, none, [], text, []).
test(what_begins_with_itself_is_named_as_a_directive_names_it, [setup(fresh)]) :-
    forall(member(Text-Name, [":- op(700,xfx,~>). edge(1,2). X ~> Z :- X ~> Y, edge(Y,Z). X ~> Y :- edge(X,Y)."-"(~>)/2",
                              "edge(1,2). 'a b'(X,Z) :- 'a b'(X,Y), edge(Y,Z). 'a b'(X,Y) :- edge(X,Y)."-"'a b'/2",
                              ":- module(m, []). edge(1,2). p(X,Z) :- p(X,Y), edge(Y,Z). p(X,Y) :- edge(X,Y)."-"p/2",
                              ":- dynamic p/2. edge(1,2). p(X,Z) :- p(X,Y), edge(Y,Z). p(X,Y) :- edge(X,Y)."-"p/2"]),
           problems(Text, [[_, _, [Name]]])).
test(what_counts_on_without_end_is_not_to_be_tabled, [setup(fresh), true(Problems == [])]) :-
    problems("fib(N, F) :- fib(N1, F1), F is F1+1, N is N1+1. fib(0, 0).", Problems).
test(a_directive_that_calls_what_is_nowhere_or_only_below_is_wrong, [setup(fresh)]) :-
    problems(":- p(1).\np(1).", [[0, 8, Error]]),
    assertion(Error.kind == "existence_error"),
    problems(":- forall(p(X), write(X)).\np(1).", [[0, 26, _]]),
    problems("p(1).\n:- p(X), q(X).", [[6, 21, ["q/1"]]]),
    problems(":- initialization(q).\np(1).", [[0, 21, ["q/0"]]]).
test(a_directive_whose_calls_are_known_by_then_is_not_wrong, [setup(fresh), true(Problems == [])]) :-
    problems(":- initialization(q).\n:- catch(q, _, true).\n:- dynamic f/1.\n:- assertz(f(1)), f(_).\nq.\n:- q.", Problems).
test(what_is_added_leaves_it_to_its_directives_to_fail, [setup(fresh), true(Problems == [])]) :-
    problems(":- q(1).", none, [], book, Problems).
test(nothing_is_wrong, [setup(fresh), true(Problems == [])]) :-
    problems(":- op(700, xfx, likes). :- use_module(library(clpfd)). :- dynamic f/1.\ntom likes wine. x --> \"a\".", Problems).
test(an_error_has_its_place, [setup(fresh)]) :-
    problems("a(1).\nb( .\nc(2).", [[5, 10, E]]),
    assertion(E.kind == "syntax_error"),
    assertion(E.line == 2).
test(variables_that_stand_once, [setup(fresh), true(Problems == [[5, 32, ["Y","Z"]]])]) :-
    problems("a(1).\nb(X, Y, _W) :- a(Z), a(X).", Problems).
test(variables_that_stand_once_in_a_branch, [setup(fresh), true(Problems == [[11, 49, ["Y"]]])]) :-
    problems("a(1). c(1).\nb(X) :- ( a(Y), X = 1 ; c(Y) ), a(X).", Problems),
    problems("a(1). c(1). b(X) :- ( a(Y), X = Y ; c(Y), X = Y ).", []).
test(variables_that_nothing_binds_before_they_are_called, [setup(fresh), true(Problems == [[0, 17, ["G"]]])]) :-
    problems("b(X) :- G, G = X.", Problems),
    problems("b(G) :- G. c(X) :- b(G), call(G), G, b(X). d(X) :- ( b(X), G = X ; G = X ), G.", []).
test(what_is_called_through_others_is_looked_for, [setup(fresh), true(Called == ["c/1","d/2","e/0","f/1"])]) :-
    problems("a(L) :- maplist(c, L), findall(X, (member(X, L), d(X, 1)), _), \\+ e, catch(f(L), _, true).", Problems),
    findall(PI, member([_,_,[PI]], Problems), Called0),
    sort(Called0, Called).
test(what_is_right_is_not_told, [setup(fresh), true(Problems == [])]) :-
    problems(":- dynamic f/1.\n:- discontiguous a/1.\na(X) :- f(X), b(X, [Y]>>(Y = X)).\nb(_, _).\na(1).\ng --> h, {f(1)}.\nh --> [].", Problems).
test(a_directive_that_is_a_goal, [setup(fresh), true(Problems == [])]) :-
    problems("p(1). :- p(X), X > 0. :- initialization(p(1)). :- format(\"~w\", [a]).", Problems).
test(clauses_apart, [setup(fresh), true(Problems == [[11, 17, ["a/1"]], [17, 23, ["b/1"]]])]) :-
    problems("a(1). b(1). a(2). b(2).", Problems).
test(quotation_marks, [setup(fresh), true(Problems == [[0, 10, ["\u201c\u201d"]]])]) :-
    problems("a(\u201cb\u201d, c).", Problems).
test(what_the_sandbox_refuses, [setup(fresh), true(Kind == "unsafe_goal")]) :-
    problems("a :- shell(ls).", [[_, _, E]]),
    Kind = E.kind.
test(ones_own_predicate_of_a_refused_name_further_down, [setup(fresh), true(Problems == [])]) :-
    problems("a(X) :- shell(X).\n\nshell(ls).\n", Problems).
test(a_predicate_of_ones_own_with_a_refused_name, [setup(fresh), true(Problems == [])]) :-
    problems("shell(ls). a :- shell(ls).", Problems).
test(a_text_names_its_own_module, [setup(fresh), true(Problems == [])]) :-
    problems(":- module(one, [a/1]).\na(X) :- one:b(X), one:c(X), user:a(X).\none:b(1).\nc(1).", Problems).
test(a_module_of_a_file_beside_the_text, [setup(fresh)]) :-
    problems("a(X) :- one:b(X).", []),
    problems("a(X) :- lists:b(X).", [[_, _, E]]),
    assertion(E.kind == "unsafe_goal"),
    problems("a(X) :- one:b(X), forall(one:c(X), X = 1).", none, [one], []).
test(a_predicate_of_another_module_is_told_apart, [setup(fresh), true(Problems == [[29, 44, ["one:b/1"]]])]) :-
    add(":- module(one, []). c(1)."),
    problems(":- module(two, []). one:c(2). b(1).\na(X) :- one:b(X), b(X), one:c(X).", [[_, _, ["one:b/1"]]]),
    problems(":- module(two, []).\none:c(2). a :- one:b(_).", Problems).
test(a_module_may_have_its_own_of_a_library, [setup(fresh), true(Words == [["append/3"]])]) :-
    problems(":- module(one, [append/3]).\nappend(_, _, _).\nmember(_, _).", Found),
    findall(Told, member([_, _, Told], Found), Words),
    problems("member(_, _).", one, [], []),
    problems("member(_, _).", [[_, _, ["member/2"]]]).
test(nothing_is_added, [setup(fresh), true(Kind == "existence_error")]) :-
    problems("a(1).", []),
    ask(query(1, "a(X)", 1, 5.0, 1001, -1), Reply),
    Kind = Reply.error.kind.

:- end_tests(check).
