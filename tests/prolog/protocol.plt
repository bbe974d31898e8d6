:- use_module(library(plunit)).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(yall)).
:- use_module(library(debug), [assertion/1]).
:- use_module('../../prolog/hornbook').
:- use_module(replies).

%   The engine's side of the engine protocol, request by request.

ask(Request, Reply) :-
    texts(Request, Term, Texts),
    atomic_list_concat(Texts, Following),
    format(string(Text), '~q~w', [Term, Following]),
    reply_to(Text, Reply).

%   Texts to be added follow the line of the term, which has their lengths.
texts(add(Kind, Texts, Ids, Max), add(Kind, Lengths, Ids, Max), ["\n"|Texts]) :-
    !,
    maplist(string_length, Texts, Lengths).
texts(add(Kind, Texts, later, Ids, Max), add(Kind, Lengths, Ids, Max), ["\n"|Texts]) :-
    !,
    later_lengths(Texts, Lengths).
texts(add_more(Ids, Max, Texts, later), add_more(Ids, Max, Lengths), ["\n"|Texts]) :-
    !,
    later_lengths(Texts, Lengths).
texts(add_more(Ids, Max, Texts), add_more(Ids, Max, Lengths), ["\n"|Texts]) :-
    !,
    maplist(string_length, Texts, Lengths).
texts(reload(PIs, Loads), reload(PIs, Loads1), ["\n"|Texts]) :-
    !,
    maplist([load(Kind,Text,Ids), load(Kind,Length,Ids), Text]>>string_length(Text, Length), Loads, Loads1, Texts).
texts(agree(PIs, Loads), agree(PIs, Loads1), Texts) :-
    !,
    texts(reload(PIs, Loads), reload(PIs, Loads1), Texts).
texts(Request, Request, []).

later_lengths(Texts, Lengths) :-
    maplist(string_length, Texts, Lengths0),
    append(Lengths0, [later], Lengths).

fresh :-
    (   catch(hb_limits:output_stream(_), _, fail)
    ->  true
    ;   ask(boot([unknown(error)]), _)
    ),
    ask(reset, _).

added(Text, Items) :-
    ask(add(inline, [Text], [1-1000], 1000), Reply),
    Items = Reply.items.

asked(Text, Reply) :-
    ask(query(1, Text, 10, 5, 1001, -1), Reply).

apart(Text, Reply) :-
    apart(Text, 10, Reply).

apart(Text, Take, Reply) :-
    ask(apart(all, query(2, Text, Take, 5, 1001, -1)), Reply).

%   The bindings of the answers, as text.
answers(Text, Answers) :-
    asked(Text, Reply),
    findall(Bs, ( member(A, Reply.answers), findall(N=V, member([N,V,_], A.bindings), Bs) ), Answers).

whole_again :-
    set_flag(hb_broken, 0),
    set_flag(hb_whole, 0).

innermost(Json, N0, N, Innermost) :-
    (   get_dict(args, Json, [Arg])
    ->  N1 is N0+1,
        innermost(Arg, N1, N, Innermost)
    ;   N = N0,
        Innermost = Json
    ).

kind(Text, Kind) :-
    asked(Text, Reply),
    Kind = Reply.error.kind.

%   A request that fails behind its changes.

:- multifile hb_capability:request/3.

hb_capability:request(fail_late(When), [], []) :-
    hb_step:begin_step(1001, -1),
    hb_step:store_run(late(1), last),
    (   When == told
    ->  hb_changes:changes_kept(_, _, _)
    ;   When == taken_back
    ->  hb_changes:changes_taken_back(_, _)
    ;   true
    ),
    throw(error(resource_error(memory), _)).

:- begin_tests(adding, [setup(fresh)]).

test(a_predicate_indicator_is_no_clause,
     [setup(fresh), forall(member(Text-Name, ["parent/2."-"parent/2", "greeting//0."-"greeting//0"])), true(Found-Said == "e"-true)]) :-
    added(Text, Reply),
    [[Found,0,_,_,Error]] = Reply,
    format(string(Hint), "to declare a predicate write `:- dynamic ~s.`", [Name]),
    (   sub_string(Error.message, _, _, _, Hint)
    ->  Said = true
    ;   Said = Error.message
    ).
test(a_directive_is_carried_out_whole_or_not_at_all,
     [ setup(fresh), true(Differences == []),
       forall(member(Text, [":- dynamic good/1, atom/1.", ":- table good/1, atom/1.", ":- table good(_, lattice(f(a, b))).",
                            ":- dynamic good/1, a/2000.", ":- table good/1, good(_, lattice(open/3))."])) ]) :-
    added(Text, Reply),
    assertion(Reply = [["e"|_]]),
    ask(agree([], []), Compared),
    Differences = Compared.differences.
test(kinds, [setup(fresh)]) :-
    added("f(1). r(X) :- f(X). g --> [a]. :- dynamic d/1.", Items),
    findall(K, member([K|_], Items), ["f","r","g","d"]).
test(a_run_of_facts_is_told_by_its_ends, [setup(fresh), true(Items == [["f",0,0,5,"f",1],11,17])]) :-
    added("f(1). f(2). f(3).", Items).
test(texts_follow_each_other_as_they_are, [setup(fresh)]) :-
    ask(add(file, ["% \"é\"\n", "", "a('\U0001F600', \"\\n\")."], [1-1000], 1000), Reply),
    assertion(Reply.items == [["f",2,0,13,"a",2]]),
    answers("a(X, Y)", Answers),
    assertion(Answers == [["X"="\U0001F600", "Y"="\"\\n\""]]).
test(an_error_costs_no_neighbour, [setup(fresh)]) :-
    added("a(1). b( . a(2).", [_, ["e",0,5,10,E], _]),
    assertion(E.kind == "syntax_error"),
    answers("a(X)", Answers),
    assertion(Answers == [["X"="1"],["X"="2"]]).
test(ids_go_to_what_was_added_only, [setup(fresh)]) :-
    added("a(1). b( . a(2).", _),
    ask(remove([2-1]), _),
    answers("a(X)", Answers),
    assertion(Answers == [["X"="1"]]).
test(an_abort_leaves_nothing, [setup(fresh), true(Kind == "existence_error")]) :-
    ask(add(inline, ["a(1). a(2)."], [1-1000], 1), _),
    ask(add_abort, _),
    kind("a(_)", Kind).
test(max_items_then_more, [setup(fresh)]) :-
    ask(add(inline, ["a(1). a(2). a(3)."], [1-1000], 2), First),
    assertion(First.more == true),
    ask(add_more([3-1000], 2), Second),
    assertion(Second.more == false),
    answers("a(X)", Answers),
    length(Answers, 3).
test(texts_may_come_later, [setup(fresh)]) :-
    ask(add(file, ["a(1).\na(2)."], later, [1-2], 2), First),
    assertion(First.items == [["f",0,0,5,"a",1],11]),
    assertion(First.more == true),
    ask(add_more([3-2], 2, ["\na(é). a(4)."], later), Second),
    assertion(Second.items == [["f",1,0,6,"a",1],12]),
    assertion(Second.more == true),
    ask(add_more([5-2], 2, ["\na(5 b).\nb(X) :- a(X).\n"]), Third),
    assertion(Third.items = [["e",2,0,8,_],["r",2,8,_,"b",1]]),
    assertion(Third.more == true),
    ask(add_more([6-2], 2), Fourth),
    assertion(Fourth.items == []),
    assertion(Fourth.more == false),
    answers("b(X)", Answers),
    length(Answers, 4).
test(a_text_that_ends_early_waits_for_the_next, [setup(fresh)]) :-
    ask(add(file, ["a(1)."], later, [1-9], 9), First),
    assertion(First.more == true),
    ask(add_more([2-9], 9, ["\na(2)."]), Second),
    assertion(Second.more == false),
    answers("a(X)", [_, _]).
test(an_abort_between_two_texts_leaves_nothing, [setup(fresh), true(Kind == "existence_error")]) :-
    ask(add(file, ["a(1)."], later, [1-9], 9), _),
    ask(add_abort, _),
    kind("a(_)", Kind).
test(abort_takes_all_out, [setup(fresh), true(Answers == [])]) :-
    added("a(0).", _),
    ask(retract("a(_)"), _),
    ask(add(inline, ["a(1). a(2). a(3)."], [1-1000], 2), _),
    ask(add_abort, _),
    answers("a(X)", Answers).
test(operators_hold_for_the_call_and_in_clauses_that_are_added_later, [setup(fresh)]) :-
    added(":- op(700, xfx, ===>). a ===> b.", [["d",0,0,_,"op",3,Restore], ["f"|_]]),
    assertion(Restore == ":- op(0,xfx,===>)."),
    ask(add(inline, ["% c\nc ===> D."], [3-9], 9), Later),
    assertion(Later.items == [["f",0,0,13,"===>",2,"% c\n===>(c, D)."]]),
    ask(add(file, ["e ===> f."], [14-9], 9), File),
    assertion(File.items = [["e"|_]]),
    answers("c ===> X", Answers),
    assertion(Answers = [["X"=_]]),
    ask(remove([1-1]), _),
    assertion(answers("===>(c, X)", [_])),
    added("g ===> h.", [["e"|_]]).
test(hooks_are_refused, [setup(fresh), true(Found == "permission_error")]) :-
    added("term_expansion(a, b).", [["e",_,_,_,E]]),
    Found = E.kind.
test(core_builtins_are_refused, [setup(fresh), true(Found == "permission_error")]) :-
    added("atom_length(a, b).", [["e",_,_,_,E]]),
    Found = E.kind.
test(library_predicates_can_be_redefined, [setup(fresh), true(Answers == [["L"="mine"]])]) :-
    added("p(L) :- append([a], [b], L).", _),
    added("append(_, _, mine).", _),
    answers("p(L)", Answers).
test(empty_parentheses_are_none, [setup(fresh), true(Answers == [["L"="[1,1]"]])]) :-
    added("p() :- q(). q(). q(). r(1). r(). s(L) :- findall(1, p(), L).", Items),
    assertion(Items = [["r"|_], ["f"|_], _, ["f"|_], ["f"|_], ["r"|_]]),
    assertion(answers("r, clause(p(), true)", [])),
    assertion(answers("clause(p(), B)", [["B"="q"]])),
    answers("s(L)", Answers).
test(running_code_adds_heads_with_empty_parentheses, [setup(fresh)]) :-
    answers("assertz(a()), assertz((b() :- a())), b, b(), retract(a()), \\+ b", [[]]).
test(own_predicates_of_a_refused_name_may_come_later, [setup(fresh), true(Answers == [["X"="1"]])]) :-
    ask(add(file, ["p(X) :- shell(X).\nq(X) :- \\+ det(X).\ndet(a).\nshell(1).\nflags --> set_flag.\nset_flag --> [].\n"], [1-1000], 1000), Reply),
    assertion(Reply.items = [["r"|_], ["r"|_], _, _, ["g"|_], ["g"|_]]),
    assertion(answers("q(a)", [])),
    assertion(answers("flags([], [])", [[]])),
    answers("p(X)", Answers).
test(a_refused_name_with_more_arguments_is_another, [setup(fresh)]) :-
    ask(add(file, ["p :- shell(ls).\nshell(a, b, c).\n% shell(d).\nq :- p,\nshell(x).\nr(é) :- det(é). det(1).\ndet(é)."], [1-1000], 1000), Reply),
    assertion(Reply.items = [["e"|_], ["f"|_], ["e"|_], ["r"|_], ["f"|_], _]).
test(directive_refused_by_name, [setup(fresh)]) :-
    added(":- set_output(a).", [["e",_,_,_,E]]),
    assertion(sub_string(E.message, _, _, _, "set_output/1")).
test(initialization_is_told, [setup(fresh), true(sub_string(Goal, _, _, 0, ",X,X)"))]) :-
    added("foo(1, 2, 2). :- initialization(foo(_, X, X)).", [_, ["i",0,_,_,Goal]]).
test(a_goal_waits_to_be_run, [setup(fresh), true(Answers == [["X"="1"], ["X"="3"]])]) :-
    ask(add(inline, [":- assertz(q(1)), writeln(hi). q(3)."], [1-1000], 1000), Reply),
    assertion(Reply.more == true),
    Items = Reply.items,
    assertion(Items = [["n"|_]]),
    ask(run("assertz(q(1)),writeln(hi)", 5, 2000, -1), Ran),
    Changes = Ran.changes,
    assertion(get_dict(added, Changes, [[2000|_]])),
    ask(add_more([2-100], 100), _),
    answers("q(X)", Answers).
test(a_goal_of_a_directive_keeps_what_it_did, [setup(fresh), true(Answers == [["X"="1"]])]) :-
    ask(run("assertz(q(1)),fail", 5, 2000, -1), _),
    answers("q(X)", Answers).
test(conditions_leave_out, [setup(fresh), true(Answers == [["X"="2"]])]) :-
    added(":- if(fail). p(1). :- elif(true). p(2). :- else. p(3). :- endif.", _),
    answers("p(X)", Answers).
test(a_condition_changes_nothing, [setup(fresh), true(Kind == "existence_error")]) :-
    added(":- if(assertz(q(1))). p(1). :- endif.", _),
    kind("q(_)", Kind).
test(endif_alone, [setup(fresh)]) :-
    added(":- endif.", [["e",_,_,_,E]]),
    assertion(sub_string(E.message, _, _, _, "endif/0")).
test(a_module_by_its_name, [setup(fresh), true(Answers == [["X"="1"]])]) :-
    added(":- module(m, [p/1]). p(1).", _),
    answers("m:p(X)", Answers).
test(single_sided_rules, [setup(fresh), true(Answers-Kind == [["N"="2"]]-"existence_error")]) :-
    added("len([],N) => N = 0. len([_|T],N) => len(T,M), N is M+1.", _),
    answers("len([a,b], N)", Answers),
    kind("len(_, _)", Kind).
test(what_follows_a_dollar_succeeds_once, [setup(fresh), true(Answers-Kind == [[]]-"type_error")]) :-
    added("r(0) => true. r(N) => $q, $, M is N-1, r(M). q. t :- $, fail.", _),
    answers("r(3)", Answers),
    kind("t", Kind).
test(lists_of_codes_are_shown_as_they_are, [setup(fresh), true(Answers == [[]])]) :-
    answers("portray_text(true)", Answers).
test(running_code_adds_rules_of_the_kind, [setup(fresh), true(Answers-Kind == [["A"="2", "B"="low"]]-"existence_error")]) :-
    asked("assertz((mx(X,Y,Z), X >= Y => Z = X)), assertz((mx(1,_,Z) => Z = low))", _),
    answers("mx(2,1,A), mx(1,2,B)", Answers),
    kind("mx(0, 2, _)", Kind).
test(guards, [setup(fresh), true(Answers == [["A"="2", "B"="5"]])]) :-
    added("mx(X,Y,Z), X >= Y => Z = X. mx(_,Y,Z) => Z = Y.", _),
    answers("mx(1,2,A), mx(5,2,B)", Answers).
test(globals_outlive_their_query, [setup(fresh), true(Answers == [["X"="1"]])]) :-
    asked("nb_setval(k, 1)", _),
    answers("nb_getval(k, X)", Answers).
test(globals_go_with_the_book, [setup(fresh), true(Kind == "existence_error")]) :-
    asked("nb_setval(k, 1)", _),
    ask(reset, _),
    kind("nb_getval(k, _)", Kind).
test(a_query_apart_leaves_nothing, [setup(fresh), true(Seen == [["A"="1", "B"="5", "C"="a2"]])]) :-
    asked("nb_setval(k, 1), flag(n, _, 5), gensym(a, _)", _),
    apart("nb_setval(k, 2), nb_setval(j, 2), flag(n, _, 6), gensym(a, _), reset_gensym, nb_getval(k, 2), flag(n, 6, 7)", Whole),
    assertion(length(Whole.answers, 1)),
    apart("nb_setval(k, 3), flag(n, _, 8), ( true ; throw(x) )", _),
    apart("setup_call_cleanup(true, member(_, [a,b]), ( nb_setval(k, 4), flag(n, _, 9) ))", 1, Open),
    assertion(Open.more == true),
    ask(close(2), _),
    apart("recordz(r, 1)", Refused),
    assertion(Refused.error.kind == "permission_error"),
    assertion(sub_string(Refused.error.message, _, _, _, "records and erases no terms")),
    kind("nb_getval(j, _)", "existence_error"),
    answers("nb_getval(k, A), flag(n, B, B), gensym(a, C), \\+ recorded(r, _)", Seen).
test(a_query_apart_sees_what_others_left_and_what_it_sets, [setup(fresh)]) :-
    asked("nb_setval(k, 1), flag(n, _, 5)", _),
    apart("nb_getval(k, 1), flag(n, 5, 6), flag(n, 6, 7), nb_setval(k, 2), nb_getval(k, 2), gensym(b, b1), gensym(b, b2)", Reply),
    assertion(length(Reply.answers, 1)).
test(halt_ends_the_query, [setup(fresh)]) :-
    asked("catch(halt, _, true)", Reply),
    assertion(sub_string(Reply.error.message, _, _, _, "halt")).
test(tables_follow_the_clauses, [setup(fresh)]) :-
    added(":- table path/2. path(X,Y) :- path(X,Z), e(Z,Y). path(X,Y) :- e(X,Y). e(a,b).", _),
    answers("path(a, X)", [_]),
    ask(add(inline, ["e(b, a)."], [100-10], 10), _),
    answers("path(a, X)", [_,_]).

:- end_tests(adding).

:- begin_tests(retracting).

%   Text of facts of the predicate Name.
facts(From, To, Name, Text) :-
    findall(Fact, ( between(From, To, N), format(string(Fact), "~w(~d).~n", [Name,N]) ), Facts),
    atomic_list_concat(Facts, Text).

test(first_that_unifies, [setup(fresh), true(Found == 2)]) :-
    added("p(a). q(X, Y) :- p(X), p(Y). q(X, X) :- p(X).", _),
    ask(retract("q(A, B) :- C"), Reply),
    Found = Reply.removed.
test(each_fact_of_many_has_its_id,
     [ setup(fresh), forall(member(First, [1, -30, 1073741814, 2251799813685240])),
       true(Kept-Differences == [0,1,2,3,5,6,7,9,10,18,19,20]-[]) ]) :-
    ask(query(1, "asserta(p(0))", 1, 5, 4000000000000001, -99), _),
    facts(1, 10, p, Begin),
    facts(1, 10, q, Between),
    facts(11, 20, p, End),
    atomic_list_concat([Begin, Between, End], Text),
    ask(reload([q/1], [load(file, Text, [First-30, 0-1000])]), _),
    ask(retract("p(8)"), Retracted),
    assertion(Retracted.removed =:= First+7),
    Fourth is First+3,
    FromQ is First+11,
    FromP is First+20,
    ask(remove([Fourth-1]), _),                      % p(4)
    ask(remove([FromQ-8, FromP-7]), _),              % q(2) to q(9), p(11) to p(17)
    answers("q(X)", Answers),
    assertion(Answers == [["X"="1"], ["X"="10"]]),
    asked("findall(X, p(X), Xs)", Reply),
    [A] = Reply.answers,
    member(["Xs",_,Kept], A.bindings),
    facts(1, 3, p, A1), facts(5, 7, p, A2), facts(9, 10, p, A3), facts(18, 20, p, A4),
    Fifth is First+4, Ninth is First+8, FirstQ is First+10, LastQ is First+19, Last is First+27,
    ask(agree([p/1, q/1], [ load(inline, "p(0).", [-99-1]), load(inline, A1, [First-3]), load(inline, A2, [Fifth-3]),
                            load(inline, A3, [Ninth-2]), load(inline, "q(1).", [FirstQ-1]),
                            load(inline, "q(10).", [LastQ-1]), load(inline, A4, [Last-3]) ]), Compared),
    Differences = Compared.differences.
test(nothing_matches, [setup(fresh), true(Found == null)]) :-
    added("p(a).", _),
    ask(retract("p(b)"), Reply),
    Found = Reply.removed.
test(a_rule_is_not_a_fact, [setup(fresh), true(Found == null)]) :-
    added("p(X) :- q(X).", _),
    ask(retract("p(_)"), Reply),
    Found = Reply.removed.
test(grammar_rule, [setup(fresh), true(Found == 1)]) :-
    added("g --> [a], h.", _),
    ask(retract("g --> [a], h."), Reply),
    Found = Reply.removed.
test(emptied_predicates_fail, [setup(fresh), true(Answers == [])]) :-
    added("p(a).", _),
    ask(retract("p(a)"), _),
    answers("p(_)", Answers).
test(what_is_undeclared_is_unknown_again, [setup(fresh), true(Found == "p/1")]) :-
    added("p(1).", _),
    ask(undeclare([p/1]), _),
    asked("p(X)", Reply),
    Found = Reply.error.predicate.
test(an_undeclared_predicate_can_be_defined_again, [setup(fresh), true(Answers == [["X"="2"]])]) :-
    added("p(1).", _),
    ask(undeclare([p/1]), _),
    ask(reload([], [load(file, "p(2).", [2-1])]), _),
    answers("p(X)", Answers).
test(a_declaration_counts_for_the_clauses_that_are_there,
     [ setup(fresh), true(Before-After == [["X"="[a]"]]-[]) ]) :-
    added("r(X) :- foldl([Y,L,[Y|L]]>>true, [a], [], X).", _),
    answers("r(X)", Before),
    ask(declare([foldl/4]), _),
    answers("r(X)", After).
test(an_open_query_goes_on_through_an_undeclare, [setup(fresh)]) :-
    added("p(1). p(2). q(X) :- p(X).", _),
    ask(query(1, "q(X)", 1, 5, 1001, -1), First),
    assertion(First.more == true),
    ask(remove([1-2]), _),
    ask(undeclare([p/1]), _),
    ask(next(1, 1, 5, 1001, -1), Second),
    [A] = Second.answers,
    A.bindings = [[_,Text,_]],
    assertion(Text == "2").
test(an_open_query_goes_on_through_a_reload, [setup(fresh)]) :-
    added("p(1). p(2).", _),
    ask(query(1, "p(X)", 1, 5, 1001, -1), _),
    ask(reload([p/1], [load(file, "p(1). p(2). p(3).", [1-3])]), _),
    ask(next(1, 5, 5, 1001, -1), Second),
    [A] = Second.answers,
    A.bindings = [[_,Text,_]],
    assertion(Text == "2"),
    answers("p(X)", Answers),
    length(Answers, 3).
test(a_name_that_is_undeclared_means_the_systems_again, [setup(fresh)]) :-
    added("append(_, _, mine). shell(_). ignore(_) :- fail. a(X) :- append([1], [2], X). s :- shell(ls). i :- ignore(fail).", _),
    answers("a(X)", Mine),
    assertion(Mine == [["X"="mine"]]),
    answers("s", [_]),
    answers("i", []),
    ask(undeclare([append/3, shell/1, ignore/1]), _),
    answers("a(X)", Library),
    assertion(Library == [["X"="[1,2]"]]),
    kind("s", Refused),
    assertion(Refused == "unsafe_goal"),
    answers("i", [_]).
test(a_name_that_an_abort_takes_back_means_the_systems_again, [setup(fresh), true(Answers == [["X"="[1,2]"]])]) :-
    added("a(X) :- append([1], [2], X).", _),
    ask(add(inline, ["append(_, _, mine). b(1). b(2)."], [11-1000], 1), First),
    assertion(First.more == true),
    ask(add_abort, Reply),
    assertion(Reply.ok == true),
    answers("a(X)", Answers).
test(a_tabled_predicate_is_not_undeclared, [setup(fresh), true(Found == "permission_error")]) :-
    added(":- table t/1. t(1).", _),
    ask(undeclare([t/1]), Reply),
    Found = Reply.error.kind.
test(reset_leaves_nothing, [setup(fresh), true(Kind == "existence_error")]) :-
    added("p(a).", _),
    ask(reset, _),
    kind("p(_)", Kind).
test(reload_gives_the_order_of_the_texts, [setup(fresh), true(Answers == [["X"="b"],["X"="a"]])]) :-
    added("p(a). p(b).", _),
    ask(reload([p/1], [load(inline, "p(b). p(a).", [2-1, 1-1])]), _),
    answers("p(X)", Answers).
test(parts_of_a_file_share_its_operators, [setup(fresh), true(Kinds == ["f","e","f"])]) :-
    ask(reload([], [load(file(7), ":- op(700, xfx, ===>).\na ===> b.", [1-3,0-1])]), _),
    ask(reload([], [load(part(7), "\nc ===> d.", [4-1,0-1])]), Part),
    ask(reload([], [load(file(8), "e ===> f.", [5-1,0-1])]), Other),
    ask(reload([], [load(part(7), "g.", [6-1,0-1])]), Alone),
    findall(Kind, ( member(Reply, [Part,Other,Alone]), member([Kind|_], Reply.items) ), Kinds).

:- end_tests(retracting).

:- begin_tests(queries).

test(floats_have_no_exponent_that_people_would_not_write,
     true(Answers == [["X"="[10000.0,-2500000.0,1000000000000000.0,1.0e+16,0.1,5.0e-324]"]])) :-
    answers("X = [1.0e4, -2.5e6, 1.0e15, 1.0e16, 0.1, 5.0e-324]", Answers).

test(shared_and_unbound_variables, [setup(fresh), true(B == [["X","_"],["Y","X"],["Z","f(X,_A)"]])]) :-
    asked("X = Y, Z = f(Y, _)", Reply),
    [A] = Reply.answers,
    findall([N,V], member([N,V,_], A.bindings), B).
test(residual_constraints, [setup(fresh), true(Found == ["X in 4..5"])]) :-
    asked("X #> 3, X #< 6", Reply),
    [A] = Reply.answers,
    Found = A.residual.
test(output_is_apart, [setup(fresh), true(Found == "hello\n")]) :-
    asked("writeln(hello)", Reply),
    [A] = Reply.answers,
    Found = A.output.
test(output_after_the_last_answer, [setup(fresh), true(Found == "bye")]) :-
    asked("(X = 1 ; write(bye), fail)", Reply),
    Found = Reply.output.
test(last_answer_is_known, [setup(fresh)]) :-
    ask(query(1, "member(X, [a,b])", 1, 5, 1001, -1), First),
    assertion(First.get(more) == true),
    ask(next(1, 1, 5, 1001, -1), Last),
    [A] = Last.answers,
    assertion(A.bindings == [["X","b","b"]]),
    assertion(\+ get_dict(more, Last, _)).
test(a_caught_error_names_procedures_as_in_a_program_of_user, [setup(fresh), true(Found == "error(existence_error(procedure,nope/1),nope/1)")]) :-
    asked("catch(maplist(nope, [1]), E, true)", Reply),
    [A] = Reply.answers,
    [[_,Found,_]] = A.bindings.
test(queries_interleave, [setup(fresh)]) :-
    ask(query(1, "member(X, [a,b])", 1, 5, 1001, -1), _),
    ask(query(2, "member(X, [c,d])", 1, 5, 1001, -1), _),
    ask(next(1, 1, 5, 1001, -1), R1),
    ask(next(2, 1, 5, 1001, -1), R2),
    [A1] = R1.answers,
    [[_,"b",_]] = A1.bindings,
    [A2] = R2.answers,
    [[_,"d",_]] = A2.bindings.
test(json_of_terms, [setup(fresh)]) :-
    asked("X = f(a, \"s\", 1, 2.5, [x|T], 12345678901234567890, 1r3)", Reply),
    [A] = Reply.answers,
    [[_,_,J]|_] = A.bindings,
    assertion(J.functor == "f"),
    J.args = ["a","s",1,2.5,_,Big,R],
    assertion(Big.integer == "12345678901234567890"),
    assertion(R.rational == "1r3").
test(changes_are_told, [setup(fresh)]) :-
    added("d(1). d(2).", _),
    asked("retract(d(1)), assertz(d(3)), asserta(d(0))", Reply),
    C = Reply.changes,
    assertion(C.removed == [1]),
    assertion(C.added == [[-1,"d(0).","d",1],[1001,"d(3).","d",1]]).
test(an_error_takes_changes_back, [setup(fresh)]) :-
    added("d(1). d(2).", _),
    asked("assertz(d(3)), retract(d(1)), X is foo", Reply),
    assertion(Reply.undone == 2),
    assertion(Reply.changes.reload == ["d/1"]),
    answers("d(X)", Answers),
    assertion(Answers == [["X"="2"]]).
test(no_answer_takes_changes_back, [setup(fresh), true(Found == 3)]) :-
    asked("between(1, 3, X), assertz(d(X)), fail", Reply),
    Found = Reply.undone.
test(a_timeout_takes_changes_back, [setup(fresh)]) :-
    ask(query(1, "assertz(d(1)), repeat, fail", 1, 0.2, 1001, -1), Reply),
    assertion(Reply.error.kind == "timeout"),
    assertion(Reply.undone == 1).
test(an_error_below_a_goal_of_the_query_names_its_clause, [setup(fresh), true(Raised == ["next/2",1,1,null])]) :-
    added("next(X, Y) :- Y is X + one.", _),
    ask(query(1, "maplist(next, [1], X)", 1, 5, 1001, -1), Reply),
    Raised = Reply.error.raised.
test(a_timeout_cannot_be_caught, [setup(fresh), true(Found == "timeout")]) :-
    ask(query(1, "catch((repeat, fail), _, true)", 1, 0.2, 1001, -1), Reply),
    Found = Reply.error.kind.
test(what_was_added_meanwhile_is_not_taken_back, [setup(fresh), true(Answers == [["X"="1"]])]) :-
    ask(query(2, "true ; fail", 1, 5, 1001, -1), _),
    added("d(1).", _),
    ask(next(2, 1, 5, 1001, -1), _),
    added(":- initialization(fail). e(1).", _),
    ask(run("fail", 5, 1001, -1), _),
    answers("d(X), e(_)", Answers).
test(no_answer_takes_what_was_declared_back, [setup(fresh), true(Kind == "existence_error")]) :-
    asked("assertz(d(1)), fail", _),
    kind("d(_)", Kind).
test(a_stop_waits_for_what_is_done_whole, [setup(fresh), throws('$hb_stop'(time))]) :-
    hb_limits:start_step(-1),
    call_cleanup(hb_limits:whole(hb_limits:beat), hb_limits:start_step(5)),
    assertion(fail).
test(an_inference_limit_waits_for_what_is_done_whole, [setup(fresh), true(N-Result == 1000-inference_limit_exceeded)]) :-
    State = state(0),
    Goal = ( between(1, 1000, I), nb_setarg(1, State, I), fail ; true ),
    call_with_inference_limit(( hb_limits:whole(Goal), between(1, 1000, J), J < 0 ; true ), 100, Result),
    arg(1, State, N).
test(what_was_not_ended_is_known, [setup(fresh), cleanup(whole_again)]) :-
    assertion(hb_limits:whole),
    catch(hb_limits:whole(throw(full)), full, true),
    assertion(\+ hb_limits:whole),
    hb_limits:whole(true),
    assertion(\+ hb_limits:whole).
test(what_cannot_be_changed_leaves_the_store_whole,
     [ setup(fresh), true(Answers-Differences == [[]]-[]),
       forall(member(Goal, [ "assertz(a/b)", "catch(assertz(a/b), _, true)", "assertz(parent/2)", "retractall(_/_)", "dynamic((/)/2)",
                             "abolish((//)/2)", "dynamic(p/2000)", "dynamic([good/1, atom/1])" ])) ]) :-
    format(string(Text), "~s, fail", [Goal]),
    asked(Text, _),
    answers("true", Answers),
    ask(agree([], []), Reply),
    Differences = Reply.differences.
test(an_inference_limit_leaves_the_store_whole, [setup(fresh), true(Answers-Differences == [[]]-[])]) :-
    asked("between(1, 300, N),
           call_with_inference_limit(( assertz(z(N)), retract(z(_)), asserta(z(x)), retractall(y(_)), dynamic(v/3), abolish(z/1),
                                       assertz((w(N) :- z(N))) ),
                                     N, _),
           fail", _),
    answers("true", Answers),
    ask(agree([], []), Reply),
    Differences = Reply.differences.
test(changes_that_cannot_be_told_are_taken_back, [setup(fresh)]) :-
    asked("forall(( length(L, 1000000), maplist(=(0'x), L), atom_codes(A, L), between(1, 200, I) ),
                  ( atom_concat(A, I, B), assertz(big(B)) ))", Reply),
    assertion(Reply.error.kind == "resource_error"),
    assertion(sub_string(Reply.error.message, _, _, _, "its changes were undone")),
    assertion(Reply.undone == 200),
    ask(agree([], []), Compared),
    assertion(Compared.differences == []).
test(all_facts_go_however_many_they_are,
     [ setup(fresh), true(Answers-Differences == [["N"="0"]]-[]),
       forall(member(Count-Goal, [ 70-"retractall(many(_))", 900-"retractall(many(_))", 900-"retractall(many(X))",
                                   900-"(retract(many(_)), fail ; true)" ])) ]) :-
    findall(Text, ( between(1, Count, I), format(string(Text), "many(~d). ", [I]) ), Texts),
    atomics_to_string(Texts, Facts),
    added(Facts, _),
    asked(Goal, _),
    answers("aggregate_all(count, many(_), N)", Answers),
    ask(agree([many/1], []), Reply),
    Differences = Reply.differences.
test(engine_and_book_are_compared,
     [setup(fresh), true(Differences == ["entry 1 of the book is p(0), and the engine has p(1)",
                                         "the engine has not entry 3 of the book, p(3)",
                                         "the engine has clause 2, p(2), and the book has not",
                                         "the engine knows d/1, and the book does not",
                                         "the engine does not know e/1"])]) :-
    added("p(1). p(2). :- dynamic d/1.", _),
    ask(agree([p/1, e/1], [load(file, "p(0). p(3).", [1-1, 3-1])]), Reply),
    Differences = Reply.differences.
test(a_bar_is_a_semicolon, [setup(fresh), forall(member(Text, ["b(1) :- fail | true.", "b(X) :- ( X = 1 | X = 2, \\+ ( fail | X == 1 ) )."]))]) :-
    added(Text, _),
    ask(agree([b/1], [load(inline, Text, [1-1])]), Reply),
    assertion(Reply.differences == []).
test(the_order_of_the_book_is_not_that_of_the_ids,
     [setup(fresh), true(InOrder-Other == []-["the clauses of p/1 are in the order [7,3]"])]) :-
    ask(reload([], [load(file(1), "p(1). p(2).", [7-1, 3-1, 0-1])]), _),
    ask(agree([p/1], [load(file, "p(1). p(2).", [7-1, 3-1])]), Reply1),
    InOrder = Reply1.differences,
    ask(agree([p/1], [load(file, "p(2). p(1).", [3-1, 7-1])]), Reply2),
    Other = Reply2.differences.
test(what_a_step_adds_is_told_apart_from_clauses_with_higher_and_lower_ids,
     [setup(fresh), true(Added-Removed == [[498,"p(a)."],[499,"p(b)."],[501,"p(z)."]]-[900,3])]) :-
    ask(reload([], [load(file(1), "p(1). p(2). p(3).", [900-1, 3-1, 700-1, 0-1])]), _),
    Goal = "asserta(p(b)), asserta(p(a)), assertz(p(y)), retract(p(y)), assertz(p(z)), retract(p(1)), retract(p(2))",
    ask(query(1, Goal, 1, 5.0, 500, 499), Reply),
    Removed = Reply.changes.removed,
    findall([Id,Text], ( member([Id,Text|_], Reply.changes.added) ), Added).
test(a_predicate_with_a_name_of_the_systems_is_forgotten, [setup(fresh), true(Differences == [])]) :-
    added("ignore(_). append(_, _, _). print_message(_, _). :- table member/2.", _),
    ask(reset, Reply),
    assertion(Reply.ok == true),
    ask(agree([], []), Compared),
    Differences = Compared.differences.
test(running_code_defines_what_a_library_has, [setup(fresh), true(Before-After == [["L"="[a,b]"]]-[["L"="mine"]])]) :-
    added("q(L) :- append([a], [b], L).", _),
    answers("q(L)", Before),
    asked("assertz(append(_, _, mine))", _),
    answers("q(L)", After).
test(no_change_is_half_done,
     [setup(fresh), cleanup(whole_again), forall(member(Goal, [fail, throw(full)])), true(Died == Again)]) :-
    ignore(catch(hb_limits:uninterrupted(Goal), full, true)),
    asked("true", Reply),
    Died = Reply.died,
    asked("true", Next),
    Again = Next.died.
test(output_has_a_limit, [setup(fresh), true(Found == "resource_error")]) :-
    ask(query(1, "repeat, write(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa), fail", 1, 20, 1001, -1), Reply),
    Found = Reply.error.kind.
test(unknown_procedures_are_named, [setup(fresh), true(Found == "nosuch/1")]) :-
    asked("nosuch(1)", Reply),
    Found = Reply.error.predicate.
test(syntax_errors_have_a_place, [setup(fresh), true(Found == 4)]) :-
    ask(query(1, "foo(", 1, 5, 1001, -1), Reply),
    E = Reply.error,
    Found = E.column.
test(text_after_the_period_is_refused, [setup(fresh), true(Found == "syntax_error")]) :-
    ask(query(1, "true. halt", 1, 5, 1001, -1), Reply),
    Found = Reply.error.kind.
test(cyclic_answers_are_written, [setup(fresh)]) :-
    asked("X = f(X)", Reply),
    [A] = Reply.answers,
    [[_,_,J]] = A.bindings,
    assertion(string(J.cyclic)).
test(a_compound_named_by_the_empty_list_is_written, [setup(fresh), true(Text-Name == "[](1)"-"[]")]) :-
    asked("X =.. [[], 1]", Reply),
    [A] = Reply.answers,
    [[_,Text,J]] = A.bindings,
    Name = J.functor.

cyclic("X = f(X)", ["f(X)"], []).
cyclic("X = f(Y), Y = g(X)", ["f(g(X))", "g(f(Y))"], []).
cyclic("X = f(X, Y, Z, Z)", ["f(X,Y,Z,Z)", "_", "_"], []).
cyclic("X = [a|X], Y = h(X, X, k)", ["[a|X]", "h(_A,_A,k)"], ["_A=[a|_A]"]).
cyclic("L = [b|L], dif(A, z), X = p(A)", ["[b|L]", "_", "p(A)"], ["dif(A,z)"]).

test(what_contains_itself_is_an_equation, [setup(fresh), forall(cyclic(Query, Texts, Goals))]) :-
    asked(Query, Reply),
    [A] = Reply.answers,
    findall(Text, member([_,Text,_], A.bindings), Texts1),
    assertion(Texts1 == Texts),
    assertion(A.residual == Goals).
test(control_characters_are_escaped, [setup(fresh)]) :-
    forall(between(0, 31, Code),
           ( format(string(Query), "query(1, \"atom_codes(X, [97,~d,98])\", 1, 5, 1001, -1)", [Code]),
             serve(Query, Reply),
             split_string(Reply, "\n", "", Lines),
             assertion(length(Lines, 4)),
             assertion(\+ ( member(Line, Lines), sub_atom(Line, _, 1, _, Char), char_code(Char, C), C < 32 ))
           )).
test(values_can_stand_behind_an_equals_sign, [setup(fresh), true(Text == "(a:-b,c)")]) :-
    asked("X = (a :- b, c)", Reply),
    [A] = Reply.answers,
    [[_,Text,_]] = A.bindings.
test(json_is_cut_where_it_is_deep, [setup(fresh)]) :-
    asked("length(L, 51), foldl([_,T0,f(T0)]>>true, L, x, X)", Reply),
    [A] = Reply.answers,
    member(["X",Text,Json], A.bindings),
    assertion(\+ sub_string(Text, _, _, _, "...")),
    innermost(Json, 0, Levels, Cut),
    assertion(Levels == 50),
    assertion(Cut.cut == true).
test(closed_queries_are_unknown, [setup(fresh), true(Found == "no_such_query")]) :-
    ask(query(1, "repeat", 1, 5, 1001, -1), _),
    ask(close(1), Closed),
    assertion(Closed.open == true),
    ask(next(1, 1, 5, 1001, -1), Reply),
    Found = Reply.error.kind.

:- end_tests(queries).

:- begin_tests(untold, [setup(fresh)]).

test(an_engine_whose_changes_are_not_told_is_dead, [setup(fresh)]) :-
    ask(fail_late(untold), Reply),
    assertion(get_dict(died, Reply, _)).
test(one_that_has_told_them_or_taken_them_back_is_not, [setup(fresh), forall(member(When, [told, taken_back]))]) :-
    ask(fail_late(When), Reply),
    assertion(Reply.error.kind == "resource_error").
test(an_error_behind_an_addition_is_no_death, [setup(fresh)]) :-
    added("a(1). :- dynamic b/1.", _),
    ask(retract("lists:a"), Reply),
    assertion(get_dict(error, Reply, _)).

:- end_tests(untold).

:- begin_tests(beside, [setup(fresh)]).

%   A query in an engine beside the one that changes the book.
beside(Text, Reply) :-
    ask(beside(query(1, Text, 10, 5, 1001, -1)), Reply).

leaves(Text) :-
    beside(Text, Reply),
    get_dict(leaves, Reply, true),
    assertion(\+ get_dict(changes, Reply, _)),
    assertion(\+ get_dict(more, Reply, true)),
    ask(agree([p/1], [load(file, "p(1). p(2).", [1-2])]), Agreed),
    assertion(Agreed.differences == []),
    ask(query(2, Text, 0, 5, 1001, -1), Again),
    assertion(Again.ok == true),
    ask(close(2), _).

two_facts :-
    fresh,
    added("p(1). p(2).", _).

test(what_changes_nothing_runs, [setup(two_facts), true(Count == 2)]) :-
    beside("p(X), b_setval(k, X), b_getval(k, X), format(\"~w\", [X])", Reply),
    assertion(\+ get_dict(leaves, Reply, _)),
    length(Reply.answers, Count).
test(what_would_change_clauses_leaves, [setup(two_facts), forall(member(Goal, [
        "assertz(p(3))", "asserta(q)", "retract(p(1))", "retractall(p(_))", "dynamic(q/1)", "abolish(p/1)",
        "catch(assertz(p(3)), _, true)", "\\+ assertz(p(3))", "forall(p(X), assertz(q(X)))", "p(X), X > 1, assertz(q(X))",
        "setup_call_cleanup(true, member(X, [1,2]), assertz(q(X)))", "findall(X, retract(p(X)), L)"]))]) :-
    leaves(Goal).
test(what_other_queries_find_or_have_left_leaves, [setup(two_facts), forall(member(Goal, [
        "nb_setval(k, 1)", "catch(nb_getval(k, X), _, true)", "nb_current(K, V)", "flag(n, X, X + 1)", "gensym(a, X)",
        "reset_gensym"]))]) :-
    leaves(Goal).
test(a_change_without_that_is_one_again, [setup(two_facts)]) :-
    leaves("assertz(p(3))"),
    asked("assertz(p(3))", Reply),
    assertion(Reply.changes.added = [[1001,"p(3).","p",1]]).
test(what_a_query_assumes_runs, [setup(two_facts)]) :-
    Request = query_assuming(1, "p(X), assertz(q(X)), retract(q(X))", ["p(3). r :- p(1)."], 10, 5, 1001, -1),
    ask(beside(Request), Reply),
    assertion(\+ get_dict(leaves, Reply, _)),
    length(Reply.answers, Count),
    assertion(Count == 3),
    ask(agree([p/1], [load(file, "p(1). p(2).", [1-2])]), Agreed),
    assertion(Agreed.differences == []).
test(what_is_to_be_gone_is_left_to_the_first_engine, [setup(two_facts)]) :-
    ask(beside(query_assuming(1, "p(X)", ["-p(1)."], 10, 5, 1001, -1)), Reply),
    assertion(Reply.leaves == true),
    ask(close(1), _),
    ask(beside(query_assuming(1, "p(X)", ["-p(1)."], 0, 5, 1001, -1)), Opened),
    assertion(Opened.leaves == true),
    ask(agree([p/1], [load(file, "p(1). p(2).", [1-2])]), Agreed),
    assertion(Agreed.differences == []).
test(what_is_gone_is_loaded_again_after_each_step, [setup(two_facts), forall(member(Goal, ["p(X)", "p(X), X is foo+1", "fail"]))]) :-
    ask(query_assuming(1, Goal, ["-p(1)."], 10, 5, 1001, -1), Reply),
    assertion(Reply.changes.reload == ["p/1"]),
    ask(reload([p/1], [load(file, "p(1). p(2).", [1-2])]), _),
    ask(agree([p/1], [load(file, "p(1). p(2).", [1-2])]), Agreed),
    assertion(Agreed.differences == []).
test(what_is_refused_at_the_start_erases_nothing, [setup(two_facts)]) :-
    forall(member(Goal-Texts, ["p(X)"-["-p(1).", "-p(9)."], "p("-["-p(1)."], "p(X)"-["-p(1).", "a :- rename_file(f, g)."]]),
           ( ask(query_assuming(1, Goal, Texts, 10, 5, 1001, -1), _),
             ask(agree([p/1], [load(file, "p(1). p(2).", [1-2])]), Agreed),
             assertion(Agreed.differences == []) )).
test(clauses_of_the_book_are_not_taken_out_for_it, [setup(two_facts)]) :-
    ask(beside(query_assuming(1, "retract(p(1))", ["p(3)."], 10, 5, 1001, -1)), Reply),
    assertion(Reply.leaves == true),
    ask(agree([p/1], [load(file, "p(1). p(2).", [1-2])]), Agreed),
    assertion(Agreed.differences == []).

:- end_tests(beside).
