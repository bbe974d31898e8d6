:- use_module(library(plunit)).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(debug), [assertion/1]).
:- use_module('../../prolog/hornbook').
:- use_module(replies).

%   What the engine says of the constraints of the book.

ask(Request, Reply) :-
    format(string(Text), '~q', [Request]),
    reply_to(Text, Reply).

added(Text, Reply) :-
    string_length(Text, Length),
    format(string(Request), '~q~n~w', [add(inline, [Length], [1-1000], 1000), Text]),
    reply_to(Request, Reply).

fresh :-
    (   catch(hb_limits:output_stream(_), _, fail)
    ->  true
    ;   ask(boot([unknown(error), capabilities([memory])]), _)
    ),
    ask(reset, _).

fathers :-
    fresh,
    added("father(tom, ann). father(tom, bob). child(C) :- father(_, C).\n\c
           :- constraint((father(A, C), father(B, C), A \\== B), \"~w has two fathers\"-[C]).", _).

violations(Ids, Parts) :-
    ask(constraints(Ids, 10, 5, 1001, -1), Reply),
    Parts = Reply.parts.

:- begin_tests(constraints, [setup(fathers)]).

test(nothing_violates_it, Parts == [[[], false, null, null]]) :-
    fathers,
    violations([4], Parts).

test(an_answer_with_the_same_message_counts_once, Parts == [[["ann has two fathers"], false, null, null]]) :-
    fathers,
    added_more("father(bob, ann)."),
    violations([4], Parts).

test(more_than_asked_for_is_said, [Messages,More] == [["1", "2"], true]) :-
    fresh,
    added(":- constraint(between(1, 9, X), \"~w\"-[X]).", _),
    ask(constraints([1], 2, 5, 1001, -1), Reply),
    Reply.parts = [[Messages, More, _, _]].

test(a_predicate_that_does_not_exist_has_no_clauses_and_is_told, [Kind,Second] == ["existence_error", ["no"]]) :-
    fresh,
    added(":- constraint(unknown(_), \"no\"). :- constraint(true, \"no\").", _),
    violations([1,2], [[[], false, null, Error], [Second, false, null, null]]),
    Kind = Error.kind.

test(it_changes_no_clauses, Kind == "permission_error") :-
    fresh,
    added(":- dynamic p/1. :- constraint(assertz(p(1)), \"no\").", _),
    violations([2], [[[], false, Error, null]]),
    Kind = Error.kind,
    assertion(\+ knowledge_base:p(_)).

test(time_is_limited, Kind == "timeout") :-
    fresh,
    added(":- constraint((repeat, fail), \"no\").", _),
    ask(constraints([1], 10, 0.2, 1001, -1), Reply),
    Reply.parts = [[[], false, Error, null]],
    Kind = Error.kind.

test(a_violation_has_bindings_and_a_proof, [Bindings,Goals] == [[["A","tom"],["C","ann"],["B","bob"]],
                                                              ["father(tom,ann)","father(bob,ann)","tom\\==bob"]]) :-
    fathers,
    added_more("father(bob, ann)."),
    ask(violation(4, "ann has two fathers", 5, 1001, -1), Reply),
    Reply.parts = [Bindings|Nodes],
    findall(Goal, member([Goal,_], Nodes), Goals).

test(it_reaches_what_its_goals_call, [All,Given] == [false,false]) :-
    fresh,
    added("a(X) :- b(X), foldl(c, [X], 0, _). c(_, X, X) :- d. b(1). e :- a(1). :- constraint(a(_), \"no\").", _),
    ask(reaches([5]), Reply),
    Reply.parts = [[All, Given, Names]],
    assertion(forall(member(N, ["a","b","c","d"]), memberchk(N, Names))),
    assertion(\+ memberchk("e", Names)).

test(it_reaches_all_if_it_calls_what_is_not_known, All == true) :-
    fresh,
    added("a(G) :- call(G). :- constraint(a(b), \"no\").", _),
    ask(reaches([2]), Reply),
    Reply.parts = [[All, _, _]].

test(it_reaches_all_by_any_way_to_call, Ways == []) :-
    findall(Way,
            ( member(Way, [ "maplist(call, [A])", "maplist(once, [A])", "maplist(findall(x), [A], _)", "maplist(maplist, [A], _)",
                            "bagof(x, A, _)", "setof(x, Y^A, Y)", "aggregate_all(count, A, _)", "format(string(_), \"~@\", A)",
                            "format(A, [])", "phrase(A, [])", "apply(A, [])", "freeze(_, A)", "foldl(A, [1], 0, _)", "not(A)",
                            "clause(A, _)", "current_predicate(A)", "forall(A, true)", "maplist(=.., [A], [_])" ]),
              fresh,
              format(string(Text), "g(1). :- constraint((g(A), ~w), \"no\").", [Way]),
              added(Text, _),
              ask(reaches([2]), Reply),
              Reply.parts \= [[true|_]] ),
            Ways0),
    subtract(Ways0, ["maplist(=.., [A], [_])"], Ways).

test(a_dict_is_no_name, All == false) :-
    fresh,
    added("g(1). t(X) :- g(X), Y = _{a: X}, is_dict(Y). :- constraint(t(_), \"no\").", _),
    ask(reaches([3]), Reply),
    Reply.parts = [[All, _, _]].

test(long_messages_are_told_apart, Count == 2) :-
    fresh,
    added("s(S) :- length(L, 3000), maplist(=(0'x), L), string_codes(S, L).\n\c
           :- constraint((s(S), member(X, [1,2])), \"~w~w\"-[S,X]).", _),
    violations([2], [[Messages|_]]),
    length(Messages, Count).

test(it_reaches_the_memory, Given == true) :-
    fresh,
    added(":- constraint(kn_node(_, _, _, _), \"no\").", _),
    ask(reaches([1]), Reply),
    Reply.parts = [[_, Given, _]].

test(a_removed_constraint_is_forgotten) :-
    fathers,
    ask(remove([4-1]), _),
    assertion(\+ hb_constraints:constraint(_, _, _, _, _, _)).

test(its_message_is_text, Kind == "permission_error") :-
    fresh,
    added(":- constraint(true, f(x)).", Reply),
    Reply.items = [[_, _, _, _, Error]],
    Kind = Error.kind.

test(its_goal_is_sandboxed, Kind == "unsafe_goal") :-
    fresh,
    added(":- constraint(shell(ls), \"no\").", Reply),
    Reply.items = [[_, _, _, _, Error]],
    Kind = Error.kind.

added_more(Text) :-
    string_length(Text, Length),
    format(string(Request), '~q~n~w', [add(inline, [Length], [2001-1000], 1000), Text]),
    reply_to(Request, _).

:- end_tests(constraints).
