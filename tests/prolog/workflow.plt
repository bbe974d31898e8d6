:- use_module(library(plunit)).
:- use_module(library(lists)).
:- use_module('../../prolog/hornbook').

%   Blocks of nodes, as the engine of a workflow runs them.

booted :-
    (   catch(hb_limits:output_stream(_), _, fail)
    ->  true
    ;   serve("boot([unknown(error),capabilities([workflow])])", _)
    ).

%   given(+Code, +State, -Pairs): what return/2 gives, sorted; or failed, or Kind-Message.

given(Code, Pairs) :-
    given(Code, _{}, Pairs).

given(Code, State, Given) :-
    booted,
    hb_workflow:run_block(Code, State, [], first, 5.0, [end=End|_], Parts),
    last(Parts, Part),
    (   End == true
    ->  Part = list(Lists),
        findall(Key-Json, member(list([text(Key),Json]), Lists), Pairs),
        msort(Pairs, Given)
    ;   End == false
    ->  Given = failed
    ;   Part = object([kind=text(Kind), message=text(Message)|_]),
        Given = Kind-Message
    ).

kind(Code, Kind) :-
    given(Code, Given),
    (   Given = Kind-_, atom(Kind)
    ->  true
    ;   Kind = Given
    ).

:- begin_tests(node_terms).

%   state/2 and return/2 are the workflow's, also where a block declares them.

test(declared, [true(Kind == permission_error)]) :-
    kind(":- dynamic state/2.\nreturn(a, 1).", Kind).

test(rule_and_goal, true(P == ["c"-text(mid)])) :-
    given("c(S, high) :- S >= 90, !.\nc(S, mid) :- S >= 50, !.\nc(_, low).\nstate(s, S), c(S, C), return(c, C).", _{s:70}, P).
test(last_bare_term_runs, true(P == ["found"-number(2)])) :-
    given("p(1).\np(2).\ncheck(X) :- p(X), return(found, X).\ncheck(2).", P).
test(last_bare_term_runs_after_a_goal, true(P == ["a"-number(1), "found"-number(2)])) :-
    given("check(X) :- return(found, X).\nreturn(a, 1).\ncheck(2).", P).
test(fact_of_no_arguments, true(P == ["x"-number(1)])) :-
    given("on.\n( on -> return(x, 1) ; return(x, 0) ).", P).
test(an_atom_with_rules_runs, true(P == ["x"-number(1)])) :-
    given("init :- assertz(v(1)).\ninit.\nv(X), return(x, X).", P).
test(syntax_error_says_so, true(sub_string(M, 0, _, _, "Syntax error: "))) :-
    given("return(x, 1), ).", syntax_error-M).
test(query_prefix, true(P == ["x"-number(7)])) :-
    given("p(7).\n?- p(X), return(x, X).", P).
test(builtin_goals_run, true(P == ["k"-number(2)])) :-
    given("assertz(p(1)).\nmaplist([X]>>return(k, X), [1,2]).", P).
test(own_predicate_of_a_library_name, true(P == ["x"-number(9)])) :-
    given("last(_, X) :- X = 9.\nlast([1], X), return(x, X).", P).
test(grammar, true(P == ["n"-number(3)])) :-
    given("as(0) --> [].\nas(N) --> \"a\", as(M), { N is M+1 }.\natom_codes(aaa, Cs), phrase(as(N), Cs), return(n, N).", P).
test(tabling, true(P == ["s"-list([text(a),text(b),text(c)])])) :-
    given(":- table path/2.\nedge(a,b).\nedge(b,c).\nedge(c,a).\npath(X,Y) :- path(X,Z), edge(Z,Y).\npath(X,Y) :- edge(X,Y).\n\c
           findall(Y, path(a,Y), L), sort(L, S), return(s, S).", P).
test(operator, true(P == ["x"-text(b)])) :-
    given(":- op(700, xfx, ===>).\na ===> b.\na ===> X, return(x, X).", P).
test(header_of_a_module, true(P == ["x"-text(b)])) :-
    given(":- module(m, [p/2, op(700, xfx, ==>>)]).\np(a ==>> X, X).\np(a ==>> b, X), return(x, X).", P).
test(initialization_runs_at_the_end, true(P == ["x"-number(2)])) :-
    given(":- initialization(main).\nmain :- p(X), return(x, X).\np(2).", P).
test(directive_goal_runs, true(P == ["x"-number(1)])) :-
    given(":- return(x, 1).", P).
test(helpers_below_the_goal, true(P == ["y"-number(4)])) :-
    given("double(2, Y), return(y, Y).\ndouble(X, Y) :- Y is 2*X.", P).
test(clauses_count_from_where_they_stand, true(P == ["a"-list([number(1)]), "b"-list([number(1),number(2)])])) :-
    given("p(1).\nfindall(X, p(X), L), return(a, L).\np(2).\nfindall(X, p(X), L), return(b, L).", P).
test(variables_are_of_one_term, true(P == ["p"-number(1), "q"-number(2)])) :-
    given("state(a, X), return(p, X).\nstate(b, X), return(q, X).", _{a:1, b:2}, P).
test(period_missing, true(P == ["x"-number(1)])) :-
    given("return(x, 1)", P).
test(dict_notation_in_a_body, true(P == ["y"-number(7)])) :-
    given("pick(D, V) :- V = D.a.b.\nstate(cfg, C), pick(C, V), return(y, V).", _{cfg:_{a:_{b:7}}}, P).
test(constraints_at_once, true(P == ["x"-number(7)])) :-
    given("X in 0..20, X*X #= 49, return(x, X).", P).
test(libraries_loaded_in_a_goal, true(P == ["x"-number(3)])) :-
    given("use_module(library(clpfd)), X #= 1+2, return(x, X).", P).
test(nothing, true(P == [])) :-
    given("% nothing here\n", P).
test(syntax_error_runs_nothing, true(K-M == syntax_error-[])) :-
    kind("return(x, 1).\nreturn(y, .", K),
    findall(X, hb_workflow:returned(X, _), M).

:- end_tests(node_terms).

:- begin_tests(node_solutions).

test(failure_is_no_value, true(P == failed)) :-
    given("return(a, 1), fail.", P).
test(failure_stops_the_rest, true(P == failed)) :-
    given("return(a, 1).\n1 =:= 2.\nreturn(b, 2).", P).
test(failure_names_line_and_goal, true(Parts == [object([line=number(3), goal=text("1 in 2..3")])])) :-
    booted,
    hb_workflow:run_block("return(a, 1).\n\n1 in 2..3.", _{}, [], first, 5.0, [end=false|_], Parts).
test(returns_survive_backtracking, true(P == ["k"-number(3)])) :-
    given("forall(member(X, [1,2,3]), return(k, X)).", P).
test(first_solution, true(P == ["x"-number(1)])) :-
    given("member(X, [3,1,2]), X < 3, return(x, X).", P).
test(all_solutions, true(Vs == [list([list([text("a"),number(0)]),list([text("x"),number(1)])]), list([list([text("a"),number(0)]),list([text("x"),number(2)])])])) :-
    booted,
    hb_workflow:run_block("return(a, 0).\nmember(X, [1,2]), return(x, X).", _{}, [], all, 5.0, [end=true, worn=false, output=false, answers=2], Vs).
test(state_is_as_it_was, true(P == ["seen"-number(1), "x"-number(99)])) :-
    given("return(x, 99), state(x, X), return(seen, X).", _{x:1}, P).
test(state_is_enumerated, true(P == ["ks"-list([text(a),text(b)])])) :-
    given("findall(K, state(K, _), Ks0), sort(Ks0, Ks), return(ks, Ks).", _{a:1, b:2}, P).
test(text_written, true(Parts == [text("hi\n"), list([])])) :-
    booted,
    hb_workflow:run_block("writeln(hi).", _{}, [], first, 5.0, [end=true, worn=false, output=true|_], Parts).

:- end_tests(node_solutions).

:- begin_tests(node_values).

test(all_of_json, true(P == ["a"-list([number(1),text(two),@(null),list([@(true)])]), "d"-number(2.5), "e"-list([]),
                             "f"-(@(false)), "n"-(@(null)), "o"-object(["k"-object(["z"-number(1)])]), "q"-text("str"),
                             "s"-text(hello), "t"-(@(true))])) :-
    given("return(n,null), return(t,true), return(f,false), return(d,2.5), return(s,hello), return(q,\"str\"), return(e,[]), \c
           return(a,[1,two,null,[true]]), return(o,_{k:_{z:1}}).", P).
test(big_integers, true(P == ["x"-object(["$integer"-text("1267650600228229401496703205376")])])) :-
    given("X is 2**100, return(x, X).", P).
test(object_like_a_big_integer, true(P == ["x"-object(["$object"-list([list([text("$integer"),text(a)])])])])) :-
    given("return(x, _{'$integer':a}).", P).
test(words_as_texts, true(P == ["x"-text("true"), "y"-(@(true))])) :-
    given("state(s, S), return(x, S), return(y, true).", _{s:"true"}, P).
test(keys_are_texts, true(P == ["1"-text(a), "k"-number(1)])) :-
    given("return(1, a), return(\"k\", 1).", P).
test(compound_names_the_key, true(sub_string(M, _, _, _, "for y is the compound term point(1, 2)"))) :-
    given("return(y, point(1,2)).", type_error-M).
test(compound_inside_names_the_key, true(sub_string(M, _, _, _, "for y is the compound term a-1"))) :-
    given("return(y, [_{k:[a-1]}]).", type_error-M).
test(unbound_names_the_key, true(sub_string(M, _, _, _, "for y is an unbound variable"))) :-
    given("return(y, _).", type_error-M).
test(constrained_names_the_key, true(sub_string(M, _, _, _, "constraints and no value"))) :-
    given("X in 1..5, X #> 2, return(x, X).", type_error-M).
test(not_a_number, true(sub_string(M, _, _, _, "for y is 1.0Inf"))) :-
    given("X is inf, return(y, X).", type_error-M).

:- end_tests(node_values).

:- begin_tests(node_sandbox).

forbidden("shell('true'), return(x, ran).").
forbidden("use_module(library(process)), process_create(path(true), [], []), return(x, ran).").
forbidden(":- use_module(library(process)).\nreturn(x, 1).").
forbidden(":- use_module('/etc/x').").
forbidden("consult('/tmp/nope.pl'), return(x, c).").
forbidden(":- consult('/tmp/nope.pl').").
forbidden("['/tmp/nope.pl'].").
forbidden("load_files(x, []).").
forbidden("open('/tmp/a', write, S), close(S).").
forbidden("see('/tmp/a').").
forbidden("tell('/tmp/a').").
forbidden("read_file_to_string('/etc/passwd', S, []), return(x, S).").
forbidden("delete_file('/tmp/a').").
forbidden("getenv('PATH', P), return(x, P).").
forbidden("setenv(a, b).").
forbidden("tcp_socket(S), tcp_close_socket(S), return(x, net).").
forbidden("http_open('http://a', S, []), close(S).").
forbidden("atom_concat(she, ll, G), T =.. [G, 'true'], call(T), return(x, ran).").
forbidden("use_foreign_library('/tmp/x.so'), return(x, 1).").
forbidden("redefine_system_predicate(append(_,_,_)).").
forbidden("hb_workflow:clean.").
forbidden("T =.. [shell,ls], catch(call(T), _, true), return(x, ran).").
forbidden("catch(shell(ls), error(permission_error(_, _, _), _), true), return(x, ran).").
forbidden("T =.. [shell,ls], \\+ catch(call(T), _, fail), return(x, ran).").
forbidden("p :- shell(x).\nreturn(x, 1).").

test(refused, true(Others == [])) :-
    findall(Code-Kind, ( forbidden(Code), kind(Code, Kind), Kind \== unsafe_goal ), Others).
test(state_is_not_redefined, true(K == permission_error)) :-
    kind("state(x, Y) :- Y = 1.\nstate(x, Z), return(y, Z).", K).
test(catch_does_not_hold_a_stop, true(K == timeout)) :-
    booted,
    hb_workflow:run_block("spin :- catch(loop, _, spin).\nloop :- between(1, inf, X), X < 0.\nspin.", _{}, [], first, 0.3, [end=error|_],
                          [object([kind=text(K)|_])]).
test(usable_after_a_stop, true(P == ["x"-number(1)])) :-
    given("return(x, 1).", P).

:- end_tests(node_sandbox).

:- begin_tests(node_leaves_nothing).

%   left(+First, +Second, -Given): what Second gives after First.

left(First, Second, Given) :-
    given(First, _),
    given(Second, Given).

unknown(First, Second) :-
    left(First, Second, existence_error-_).

test(facts) :-        unknown("p(1).\np(X), return(x, X).", "p(X), return(x, X).").
test(rules) :-        unknown("p(1) :- true.\np(X), return(x, X).", "p(X), return(x, X).").
test(asserted) :-     unknown("assertz(p(1)), return(x, 1).", "p(X), return(x, X).").
test(declared) :-     unknown(":- dynamic p/1.\nreturn(x, 1).", "p(X), return(x, X).").
test(grammar) :-      unknown("g --> [a].\nreturn(x, 1).", "g(X, []), return(x, X).").
test(tabled) :-       unknown(":- table p/1.\np(1).\np(X), return(x, X).", "p(X), return(x, X).").
test(after_error) :-  unknown("p(1).\nX is foo+1, return(x, X).", "p(X), return(x, X).").
test(after_failure) :- unknown("p(1).\nfail.", "p(X), return(x, X).").
test(after_syntax_error) :- unknown(":- dynamic p/1.\np(1", "p(X), return(x, X).").
test(clauses_in_the_place_of_a_library, true(P == ["x"-number(2)])) :-
    left("last(_, 9).\nlast([1,2], X), return(x, X).", "last([1,2], X), return(x, X).", P).
test(worn_by_clauses_in_the_place_of_the_system, true(Worn == true)) :-
    booted,
    hb_workflow:run_block("plus(_, _, 9) :- true.\nplus(1, 2, X), return(x, X).", _{}, [], first, 5.0, [end=true, worn=Worn|_], _).
test(table_of_another_program, true(P == ["x"-list([number(2)])])) :-
    left(":- table p/1.\np(1).\nfindall(X, p(X), L), return(x, L).", ":- table p/1.\np(2).\nfindall(X, p(X), L), return(x, L).", P).
test(globals, true(K == existence_error)) :-
    given("nb_setval(k, 2), b_setval(j, 3), return(x, 1).", _),
    kind("nb_getval(k, V), return(x, V).", K).
test(flags, true(P == ["x"-number(0)])) :-
    left("flag(k, _, 5), return(x, 1).", "flag(k, X, X), return(x, X).", P).
test(gensym, true(P == ["x"-text(a1)])) :-
    left("gensym(a, X), return(x, X).", "gensym(a, X), return(x, X).", P).
test(operators, true(K == syntax_error)) :-
    given(":- op(700, xfx, ===>).\nX = (a ===> b), return(x, 1).", _),
    kind("X = (a ===> b), return(x, 1).", K).
test(reading_flags, true(P == ["x"-text("a")])) :-
    left(":- set_prolog_flag(double_quotes, codes).\nreturn(x, \"a\").", "X = \"a\", return(x, X).", P).
test(values_of_a_failed_block, true(P == ["b"-number(1)])) :-
    left("return(a, 1), fail.", "return(b, 1).", P).
test(state_of_another_node, true(P == failed)) :-
    given("state(x, X), return(y, X).", _{x:1}, _),
    given("state(x, X), return(y, X).", _{}, P).

:- end_tests(node_leaves_nothing).

:- begin_tests(node_conditions).

condition(Expr, State, Result) :-
    booted,
    hb_workflow:eval_condition(Expr, State, 5.0, [end=End, worn=false], Parts),
    (   Parts = [text(Text)]
    ->  Result = Text
    ;   Result = End
    ).

test(true, true(R == "true")) :-   condition("state(x, X), X > 3", _{x:5}, R).
test(false, true(R == false)) :-   condition("state(x, X), X > 3", _{x:1}, R).
test(result, true(R == "high")) :- condition("state(x, X), ( X > 10 -> Result = high ; Result = low ).", _{x:50}, R).
test(number, true(R == "8")) :-    condition("state(x, X), Result is X * 2", _{x:4}, R).
test(missing, true(R == false)) :- condition("state(nope, _)", _{}, R).
test(clpfd, true(R == "7")) :-     condition("X #= 3 + 4, Result = X", _{}, R).
test(error, true(R == error)) :-   condition("throw(fail_hard)", _{}, R).

:- end_tests(node_conditions).

%   What the proof of a node tells: whether it holds, and its nodes as Depth-Goal-How, with the line of the clause after it.

explained(Code, State, End-Told) :-
    booted,
    hb_workflow_explain:explain_block(Code, State, 5.0, [end=End,worn=_|Control], Parts),
    (   End == error
    ->  Parts = [object([kind=text(Kind), message=text(Message)|_])],
        Told = Kind-Message
    ;   Control = [nodes=Places, cut=false],
        Parts = [list(Clauses)|Nodes],
        findall(Node,
                (   nth1(Nth, Places, [Depth,Id,_]),
                    nth1(Nth, Nodes, list([quoted(Goal),text(How)])),
                    (   member(list([number(Id),number(Line),_]), Clauses)
                    ->  format(string(Node), "~w ~w ~w:~w", [Depth, Goal, How, Line])
                    ;   format(string(Node), "~w ~w ~w", [Depth, Goal, How])
                    )
                ),
                Told)
    ).

:- begin_tests(node_proofs).

decision("% Money is looked at.\nroute(A, person) :- A > 200, !.\nroute(_, refund).\nstate(amount, A),\nroute(A, R), return(route, R).").

test(why_it_decided_so, true(P == true-["0 state(amount,240) state",
                                        "0 route(240,person) clause:2", "1 240>200 builtin", "1 ! cut",
                                        "0 return(route,person) return"])) :-
    decision(Code),
    explained(Code, _{amount:240}, P).
test(why_it_fails, true(P == false-["0 route(240,refund) fails", "1 route/2 unmatched", "1 route/2 tried:1", "2 240<200 fails(builtin)"])) :-
    explained("route(A, refund) :- A < 200.\nroute(0, none).\nreturn(a, 1).\nstate(amount, A).\nroute(240, refund).", _{amount:240}, P).
test(text_of_a_clause) :-
    booted,
    hb_workflow_explain:explain_block("% first\np(1).\n\n/* second */ q(X) :-\n    p(X).\nq(X).", _{}, 5.0, _, [list(Clauses)|_]),
    Clauses == [list([number(4503599627370496),number(2),quoted("p(1).")]),
                list([number(4503599627370497),number(4),quoted("q(X) :-\n    p(X).")])].
test(an_error_has_its_line, true(End-Kind == error-type_error)) :-
    explained("X = a,\nY is X + 1, return(y, Y).", _{}, End-(Kind-_)).
%   The goal that is explained meets what the goals before it did, once.
test(changes_are_made_once, true(P == false-["0 2>5 fails(builtin)"])) :-
    explained(":- dynamic n/1.\nn(1).\nretract(n(X)), Y is X + 1, assertz(n(Y)).\nn(X), X > 5.", _{}, P).
test(nothing_is_left_behind, true(P == ["x"-number(1)])) :-
    explained(":- dynamic left/1.\nassertz(left(1)), b_setval(v, 1), return(a, 1).", _{}, true-_),
    given("catch(left(_), _, true), ( catch(nb_getval(v, _), _, fail) -> return(x, 2) ; return(x, 1) ).", P).
test(the_sandbox_holds, true(End-Kind == error-unsafe_goal)) :-
    explained("shell(ls).", _{}, End-(Kind-_)).

:- end_tests(node_proofs).

:- begin_tests(node_questions).

%   asking(+Code, +Answers, -End): how a block ends that was given these answers.

asking(Code, Answers, End) :-
    booted,
    hb_workflow:run_block(Code, _{}, Answers, first, 5.0, [end=Word|_], Parts),
    last(Parts, Part),
    (   Word == true
    ->  Part = list(Lists),
        findall(Key-Json, member(list([text(Key),Json]), Lists), End)
    ;   Word == error
    ->  Part = object([kind=_, message=text(Message)|_]),
        End = error(Message)
    ;   End = Word-Part
    ).

test(it_asks, true(End == asks-list([text(send),number(3)]))) :-
    asking("return(a, 1), interrupt([send, 3], X), return(x, X).", [], End).
test(it_gets_the_answer, true(End == ["x"-text(yes)])) :-
    asking("interrupt(\"sure?\", X), return(x, X).", [['sure?', yes]], End).
test(answers_come_in_order, true(End == ["x"-list([number(1),text(b),number(2)])])) :-
    asking("interrupt(a, X), interrupt(b, Y), interrupt(a, Z), return(x, [X,Y,Z]).", [[a,1], [a,2], [b,b]], End).
test(the_next_question, true(End == asks-text(a))) :-
    asking("interrupt(a, X), interrupt(a, Y), return(x, [X,Y]).", [[a,1]], End).
test(dicts_are_compared_as_json, true(End == ["x"-number(1)])) :-
    asking("interrupt(_{text: \"hi\", n: 1}, X), return(x, X).", [[_{n: 1, text: hi}, 1]], End).
test(it_cannot_be_caught, true(End == asks-text(a))) :-
    asking("catch(interrupt(a, _), _, true), return(x, 1).", [], End).
test(the_first_question_counts, true(End == asks-text(a))) :-
    asking("catch(interrupt(a, _), _, true), interrupt(b, _).", [], End).
test(answers_are_matched, true(End == "?- failed")) :-
    asking("interrupt(a, no).", [[a, yes]], Word-_),
    ( Word == false -> End = "?- failed" ; End = Word ).
test(what_is_no_json) :-
    asking("interrupt(f(x), _).", [], error(Message)),
    once(sub_string(Message, 0, _, _, "The question of interrupt/2 is the compound term f(x)")).
test(a_condition_cannot_ask) :-
    booted,
    hb_workflow:eval_condition("interrupt(a, _)", _{}, 5.0, [end=error|_], [object([kind=_, message=text(Message)|_])]),
    once(sub_string(Message, 0, _, _, "interrupt/2 asks from the code of a node")).
test(nothing_is_left, true(End == ["x"-number(1)])) :-
    asking("interrupt(a, _).", [], _),
    asking("return(x, 1).", [], End).

:- end_tests(node_questions).
