:- use_module(library(plunit)).
:- use_module(library(lists)).
:- use_module(library(debug), [assertion/1]).
:- use_module(replies).

%   What the engine does for a person who writes and looks: check/1 and prove/5.

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
    findall(D-G-H, member([D,G,H,_], Reply.nodes), Nodes).

problems(Text, Problems) :-
    ask(check(Text), Reply),
    Problems = Reply.problems.

:- begin_tests(proof, [setup(fresh)]).

test(clauses_and_their_ids, [setup(fresh)]) :-
    add("p(a, b). p(b, c). anc(X, Y) :- p(X, Y). anc(X, Z) :- p(X, Y), anc(Y, Z)."),
    ask(prove("anc(a, W)", 2, 5.0, 1001, -1), Reply),
    assertion(Reply.nodes == [[0,"anc(a,c)","clause",4], [1,"p(a,b)","clause",1],
                              [1,"anc(b,c)","clause",3], [2,"p(b,c)","clause",2]]).
test(a_cut_cuts_the_other_clauses, [setup(fresh), true(Kind == "existence_error")]) :-
    add("q(1). q(2). first(X) :- q(X), !. first(none)."),
    proof("first(X)", 1, [0-"first(1)"-"clause", 1-"q(1)"-"clause", 1-"!"-"cut"]),
    ask(prove("first(X)", 2, 5.0, 1001, -1), Reply),
    Kind = Reply.error.kind.
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
    ;   Reply.nodes = [[0,_,"clause",1]]
    ).
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

:- begin_tests(check, [setup(fresh)]).

test(nothing_is_wrong, [setup(fresh), true(Problems == [])]) :-
    problems(":- op(700, xfx, likes). :- use_module(library(clpfd)). :- dynamic f/1.\ntom likes wine. x --> \"a\".", Problems).
test(an_error_has_its_place, [setup(fresh)]) :-
    problems("a(1).\nb( .\nc(2).", [[5, 10, E]]),
    assertion(E.kind == "syntax_error"),
    assertion(E.line == 2).
test(variables_that_stand_once, [setup(fresh), true(Problems == [[5, 29, ["Y","Z"]]])]) :-
    problems("a(1).\nb(X, Y, _W) :- Z, c(X).", Problems).
test(what_the_sandbox_refuses, [setup(fresh), true(Kind == "unsafe_goal")]) :-
    problems("a :- shell(ls).", [[_, _, E]]),
    Kind = E.kind.
test(a_predicate_of_ones_own_with_a_refused_name, [setup(fresh), true(Problems == [])]) :-
    problems("shell(ls). a :- shell(ls).", Problems).
test(nothing_is_added, [setup(fresh), true(Kind == "existence_error")]) :-
    problems("a(1).", []),
    ask(query(1, "a(X)", 1, 5.0, 1001, -1), Reply),
    Kind = Reply.error.kind.

:- end_tests(check).
