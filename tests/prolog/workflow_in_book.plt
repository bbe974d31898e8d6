:- use_module(library(plunit)).
:- use_module(library(json)).
:- use_module(library(lists)).
:- use_module(library(debug), [assertion/1]).
:- use_module(replies).
:- use_module('../../prolog/hornbook').

%   Blocks of nodes that run in the engine of a book: what they use of it, what they do to it, what they leave.

booted :-
    (   catch(hb_limits:output_stream(_), _, fail)
    ->  true
    ;   serve("boot([unknown(error)])", _)
    ).

ask(Request, Reply) :-
    format(string(Text), "~q", [Request]),
    reply_to(Text, Reply).

%   with(+Clauses): an engine with a book of these.

with(Clauses) :-
    booted,
    serve("reset", _),
    atom_length(Clauses, Length),
    format(string(Add), "add(inline,[~d],[1-50],50)~n~w", [Length,Clauses]),
    serve(Add, _).

%   ran(+Code, +State, -Given, -Changes): Given is what return/2 gives, sorted; failed, or Kind-Message.
%   Changes is Added-Removed, texts and ids.

ran(Code, Given) :-
    ran(Code, _{}, Given, _).

ran(Code, State, Given, Changes) :-
    ran(Code, State, [], Given, Changes).

ran(Code, State, Answers, Given, Changes) :-
    hb_workflow_in_book:run_in_book(Code, State, Answers, 5.0, 1001, -1, [end=End, output=false|Control], [Part|Parts]),
    (   End == true
    ->  Part = list(Lists),
        findall(Key-Json, member(list([text(Key),Json]), Lists), Pairs),
        msort(Pairs, Given)
    ;   End == false
    ->  Given = failed
    ;   Part = object([kind=text(Kind), message=text(Message)|_]),
        Given = Kind-Message
    ),
    findall(Text, ( member(line(Line), Parts), atom_json_dict(Line, [_,Text], [value_string_as_atom(false)]) ), Added),
    (   member(removed=Removed, Control)
    ->  true
    ;   Removed = []
    ),
    Changes = Added-Removed.

answers(Query, Answers) :-
    ask(query(1, Query, 100, 60.0, 1001, -1), Reply),
    (   get_dict(error, Reply, Error),
        is_dict(Error)
    ->  get_dict(kind, Error, Answers)
    ;   get_dict(answers, Reply, Told),
        findall(Texts,
                ( member(Answer, Told),
                  get_dict(bindings, Answer, Bindings),
                  findall(Text, member([_,Text,_], Bindings), Texts)
                ),
                Answers)
    ).

:- begin_tests(node_in_book).

test(uses_rules, true(P == ["x"-number(3)])) :-
    with("twice(X, Y) :- Y is X*2.\nbase(1)."),
    ran("base(B), twice(B, T), state(add, A), X is T+A, return(x, X).", _{add:1}, P, _).
test(a_call_of_the_book_is_a_goal, true(P-Cs == []-(["stock(a, 1)."]-[]))) :-
    with("restock(I) :- assertz(stock(I, 1)).\n:- dynamic stock/2."),
    ran("restock(a).\ntrue.", _{}, P, Cs).
test(writes, true(Cs-Left == (["n(2)."]-[1])-[["2"]])) :-
    with("n(1)."),
    ran("retract(n(N)), N1 is N+1, assertz(n(N1)).", _{}, _, Cs),
    answers("n(X)", Left).
test(own_helpers_are_gone, true(P-Cs-Left == ["x"-number(8)]-([]-[])-"existence_error")) :-
    with("n(2)."),
    ran("cube(X, Y) :- Y is X**3.\nn(N), cube(N, C), assertz(cube(0, 0)), return(x, C).", _{}, P, Cs),
    answers("cube(1, X)", Left).
test(own_tables_and_operators_are_gone, true(Left-Kind == "existence_error"-syntax_error)) :-
    with("e(1, 2).\ne(2, 1)."),
    ran(":- table r/2.\n:- op(700, xfx, ===>).\nr(X, Y) :- e(X, Y).\nr(X, Z) :- r(X, Y), e(Y, Z).\nfindall(Y, r(1, Y), L0), sort(L0, L), return(l, L).", P),
    P = ["l"-_],
    answers("r(1, X)", Left),
    ran("X = (a ===> b), return(x, 1).", Kind-_).
test(nothing_when_it_fails, true(P-Cs-Left == failed-([]-[])-[["1"]])) :-
    with("n(1)."),
    ran("assertz(n(2)), assertz(m(1)), fail.", _{}, P, Cs),
    answers("n(X)", Left).
test(nothing_when_it_throws, true(K-Left == type_error-[["1"]])) :-
    with("n(1)."),
    ran("assertz(n(2)), atom_length(f(x), _).", K-_),
    answers("n(X)", Left).
test(nothing_when_it_is_refused, true(K-Left == unsafe_goal-[["1"]])) :-
    with("n(1)."),
    ran("assertz(n(2)), catch(shell(ls), _, true).", K-_),
    answers("n(X)", Left).
test(a_rule_of_the_book_cannot_be_defined, true(K-Left == permission_error-[["1"]])) :-
    with("n(1)."),
    ran("n(X) :- X = 3.\nn(X), return(x, X).", K-_),
    answers("n(X)", Left).
test(nor_one_of_a_library, true(K-P == permission_error-["l"-list([number(1),number(2)])])) :-
    with("both(L) :- append([1], [2], L)."),
    ran("append(_, _, x) :- true.\nboth(L), return(l, L).", K-_),
    ran("both(L), return(l, L).", P).
test(nor_can_one_be_tabled, true(K-Left == permission_error-[["1"]])) :-
    with("n(1)."),
    ran(":- table n/1.\nn(X), return(x, X).", K-_),
    answers("n(X)", Left).
test(the_book_has_a_state_of_its_own,
     true(P-Own-After == ["a"-text(node),"b"-text(mine)]-[["k","mine"]]-[["j","1"]])) :-
    with(":- dynamic state/2.\nstate(k, mine).\nmine(V) :- state(k, V).\nset(K, V) :- retractall(state(_, _)), assertz(state(K, V))."),
    ran("state(k, A), mine(B), return(a, A), return(b, B).", _{k:node}, P, _),
    answers("state(K, V)", Own),
    ran("set(j, 1).\ntrue.", []),
    answers("state(K, V)", After).
test(rules_that_it_adds_are_of_the_book, true(After == [["own"]])) :-
    with(":- dynamic state/2.\nstate(k, own)."),
    ran("assertz((seen(V) :- state(k, V))).", _{k:node}, [], [_]-[]),
    answers("seen(V)", After).
test(rules_that_it_adds_see_no_state, true(After == "existence_error")) :-
    with("a."),
    ran("assertz((seen(V) :- state(k, V))).", _{k:node}, [], _),
    answers("seen(V)", After).
test(globals, true(After == "existence_error")) :-
    with("a."),
    ran("nb_setval(k, 2).", []),
    answers("nb_getval(k, V)", After).
test(libraries_by_name_are_gone, true(After == "existence_error")) :-
    with("a."),
    ran(":- use_module(library(hashtable)).\nht_new(H), ht_size(H, N), return(n, N).", ["n"-number(0)]),
    answers("ht_new(H)", After).

test(tables_in_a_list, [forall(member(Table, ["[own/1]", "user:own/1"]))]) :-
    with("a(1)."),
    format(string(Own), ":- table(~w). own(X) :- a(X). ?- own(X), return(x, X).", [Table]),
    ran(Own, Given),
    assertion(Given == ["x"-number(1)]).
test(no_table_of_the_book_by_another_name, [forall(member(Table, ["[a/1]", "user:a/1", "user:[a/1]"]))]) :-
    with("a(1)."),
    format(string(Text), ":- table(~w). ?- a(X), return(x, X).", [Table]),
    ran(Text, Kind-Message),
    assertion(Kind-Message = permission_error-_),
    assertion(sub_string(Message, _, _, _, "a/1, which is there already")),
    assertion(\+ hb_store:tabled(a, 1)).
test(a_ball_that_may_be_anything_is_no_refusal) :-
    with("a(1)."),
    ran("catch(throw(error(_, x)), error(_, What), true), return(x, What).", Given),
    assertion(Given == ["x"-text(x)]).

test(what_it_changed_before_it_asked_is_taken_back, true(Before-Given-Cs-After == [["1"]]-["x"-text(yes)]-(["n(2)."]-[])-[["1"],["2"]])) :-
    with("n(1)."),
    Code = "assertz(n(2)), interrupt(sure, X), return(x, X).",
    hb_workflow_in_book:run_in_book(Code, _{}, [], 5.0, 1001, -1, [end=asks|_], [text(sure)|_]),
    answers("n(X)", Before),
    ran(Code, _{}, [[sure, yes]], Given, Cs),
    answers("n(X)", After).

:- end_tests(node_in_book).
