:- use_module(library(plunit)).
:- use_module(library(lists)).
:- use_module('../../prolog/hornbook').
:- use_module(replies).

%   Facts that replace those with the same key, and answers that tell atoms from strings.

ask(Request, Reply) :-
    format(string(Text), '~q', [Request]),
    reply_to(Text, Reply).

fresh :-
    (   catch(hb_limits:output_stream(_), _, fail)
    ->  true
    ;   ask(boot([unknown(error)]), _)
    ),
    ask(reset, _).

book(Text) :-
    fresh,
    string_length(Text, Length),
    format(string(Request), '~q~n~w', [add(inline, [Length], [1-100], 100), Text]),
    reply_to(Request, _).

upserted(Indicator, Key, Rows, Reply) :-
    Indicator = Name/Arity,
    ask(upsert(Name, Arity, Key, Rows, 5, 1001, -1), Reply).

counts(Reply, Added/Replaced/Unchanged) :-
    [Answer] = Reply.answers,
    [["Added",_,Added], ["Replaced",_,Replaced], ["Unchanged",_,Unchanged]] = Answer.bindings.

facts(Goal, Facts) :-
    ask(query(1, Goal, 10, 5, 2001, -1), Reply),
    findall(Text, ( member(Answer, Reply.answers), [[_,Text,_]] = Answer.bindings ), Facts).

json(Request, Json) :-
    ask(Request, Reply),
    [Answer] = Reply.answers,
    [[_,_,Json]] = Answer.bindings.

:- begin_tests(upsert).

test(counts, Counts-Facts == 1/1/1 - ["f(tea,1)","f(milk,3)","f(jam,4)"]) :-
    book("f(tea, 1). f(milk, 2)."),
    upserted(f/2, [1], "[r(tea,1),r(milk,3),r(jam,4)]", Reply),
    counts(Reply, Counts),
    facts("f(A, B), X = f(A, B), projection([X])", Facts).

test(only_what_changes_is_reported, Removed-Added == [2]-["f(milk, 3)."]) :-
    book("f(tea, 1). f(milk, 2)."),
    upserted(f/2, [1], "[r(tea,1),r(milk,3)]", Reply),
    Removed = Reply.removed,
    findall(Text, member([_,Text|_], Reply.changes.added), Added).

test(the_text_of_strings, Texts == ["f(\"it's ~w %\", 1).", "f(\"a \\\"b\\\\\", -2).", "f(\"\u00e9\", x)."]) :-
    fresh,
    upserted(f/2, [1], "[r(\"it's ~w %\",1),r(\"a \\\"b\\\\\", -2),r(\"\u00e9\",x)]", Reply),
    findall(Text, member([_,Text|_], Reply.changes.added), Texts).

test(nothing_changes, Counts == 0/0/2) :-
    book("f(tea, 1). f(milk, 2)."),
    upserted(f/2, [1], "[r(tea,1),r(milk,2)]", Reply),
    \+ get_dict(added, Reply, [_|_]),
    counts(Reply, Counts).

test(an_unknown_predicate_is_made, Counts == 1/0/0) :-
    fresh,
    upserted(g/1, [1], "[r(\"a\")]", Reply),
    counts(Reply, Counts).

test(keys_are_compared_as_terms, Counts == 4/0/0) :-
    book("f(1, x). f(_, y). f(tea, z)."),
    upserted(f/2, [1], "[r(1.0,a),r(\"1\",b),r('1',c),r(\"tea\",d)]", Reply),
    counts(Reply, Counts).

test(a_key_of_two_arguments, Facts == ["1","3"]) :-
    book("f(a, 1, x). f(b, 2, x)."),
    upserted(f/3, [1,3], "[r(b,3,x)]", _),
    facts("f(_, X, _)", Facts).

test(one_fact_is_left_of_several, Counts-Facts == 0/1/0 - ["2"]) :-
    book("f(a, 1). f(a, 2). f(a, 3)."),
    upserted(f/2, [1], "[r(a,2)]", Reply),
    counts(Reply, Counts),
    facts("f(a, X)", Facts).

test(rules_stay, Facts == ["1","2"]) :-
    book("f(a, X) :- X = 1. f(a, 0)."),
    upserted(f/2, [1], "[r(a,2)]", _),
    facts("f(a, X)", Facts).

test(a_predicate_of_the_system_is_refused, Kind == "permission_error") :-
    fresh,
    upserted(atom_length/2, [1], "[r(a,b)]", Reply),
    Kind = Reply.error.kind.

test(a_variable_is_refused, Kind == "domain_error") :-
    fresh,
    upserted(f/2, [1], "[r(a,_)]", Reply),
    Kind = Reply.error.kind.

test(a_variable_in_a_dict_is_refused, Kind == "domain_error") :-
    fresh,
    upserted(f/2, [1], "[r(a,_{b:[_]})]", Reply),
    Kind = Reply.error.kind.

test(a_dict_is_a_value, Counts-Again-Changed == 1/0/0 - 0/0/1 - 0/1/0) :-
    fresh,
    upserted(f/2, [1], "[r(k,[_{a:1,b:_{c:x}}])]", First),
    counts(First, Counts),
    upserted(f/2, [1], "[r(k,[_{b:_{c:x},a:1}])]", Second),
    counts(Second, Again),
    upserted(f/2, [1], "[r(k,[_{a:2}])]", Third),
    counts(Third, Changed).

test(the_text_of_a_dict, Texts == ["f(k, _{a:1, b:\"x\"})."]) :-
    fresh,
    upserted(f/2, [1], "[r(k,_{a:1,b:\"x\"})]", Reply),
    findall(Text, member([_,Text|_], Reply.changes.added), Texts).

test(a_dict_is_a_key, Counts-Facts == 0/1/0 - ["1","3","4","5"]) :-
    book("f(point{a:1}, 1). f(_{a:1}, 2). f(_, 3). f(_{a:2}, 4)."),
    upserted(f/2, [1], "[r(_{a:1},5)]", Reply),
    counts(Reply, Counts),
    facts("f(_, X)", Facts).

test(of_rows_with_a_key_the_last_one_counts, Counts-Facts == 3/0/0 - ["2","3","5"]) :-
    fresh,
    upserted(f/2, [1], "[r(a,1),r(b,2),r('a',3),r(_{x:1},4),r(_{x:1},5)]", Reply),
    counts(Reply, Counts),
    facts("f(_, X)", Facts).

test(rows_of_several_places_are_told_apart, Counts == 3/0/0) :-
    fresh,
    upserted(f/2, [1,2], "[r(a,1),r(a,2),r(1r1,1),r(1,1)]", Reply),
    counts(Reply, Counts).

test(many, Counts == 500/500/500) :-
    fresh,
    numlist(1, 1500, Numbers),
    findall(r(N,0), ( member(N, Numbers), N =< 1000 ), Before),
    format(string(Rows0), '~q', [Before]),
    upserted(f/2, [1], Rows0, _),
    findall(r(N,V), ( member(N, Numbers), ( N =< 500 -> V = 0 ; V = 1 ) ), After),
    format(string(Rows), '~q', [After]),
    ask(upsert(f, 2, [1], Rows, 5, 5001, -1), Reply),
    counts(Reply, Counts).

:- end_tests(upsert).

:- begin_tests(exact).

exact(Text, Json) :-
    fresh,
    json(exact(query(1, Text, 10, 5, 1001, -1)), Json).

test(an_atom, true(Json = _{atom:"tea"})) :-
    exact("X = tea", Json).

test(a_string, Json == "tea") :-
    exact("X = \"tea\"", Json).

test(a_constant, Json == true) :-
    exact("X = true", Json).

test(a_float, true(Json = _{float:"1.0"})) :-
    exact("X = 1.0", Json).

test(an_integer, Json == 1) :-
    exact("X = 1", Json).

test(within_terms, true(Json = _{functor:"f", args:[[_{atom:"a"},"b"], _{float:"2.5"}]})) :-
    exact("X = f([a,\"b\"], 2.5)", Json).

test(a_quoted_atom, true(Json = _{atom:"O'Hara"})) :-
    exact("X = 'O\\'Hara'", Json).

test(later_answers_too, true(Jsons = [_{atom:"a"},_{atom:"b"},_{atom:"c"}])) :-
    fresh,
    ask(exact(query(1, "member(X, [a,b,c])", 1, 5, 1001, -1)), One),
    ask(next(1, 2, 5, 1001, -1), Two),
    findall(Json, ( member(Reply, [One,Two]), member(Answer, Reply.answers), [[_,_,Json]] = Answer.bindings ), Jsons).

test(only_that_query, Json == "tea") :-
    exact("X = tea", _),
    json(query(2, "X = tea", 10, 5, 1001, -1), Json).

test(a_dict_with_a_mark, true(Json = _{dict:_{atom:1}})) :-
    exact("X = _{atom:1}", Json).

test(a_mark_of_other_queries_only, true(Json = _{atom:1})) :-
    fresh,
    json(query(1, "X = _{atom:1}", 10, 5, 1001, -1), Json).

:- end_tests(exact).
