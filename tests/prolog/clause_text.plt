:- use_module(library(plunit)).
:- use_module(library(lists), [numlist/3]).
:- use_module('../../prolog/hornbook').

%   The text of clauses that running code has added: a new engine reads each back as
%   the same clause, or it is refused before it is added.

text(Clause, Text) :-
    (   Clause = (Head:-Body)
    ->  true
    ;   Head = Clause,
        Body = true
    ),
    hb_clause_text:check_writable((Head:-Body)),
    hb_clause_text:clause_text(user, Head, Body, Text).

%   kept(+Clause): as store_run/2 has it, through the text, added as a book is loaded.

kept((Head:-Body)) :-
    !,
    kept(Head, Body).
kept(Head) :-
    kept(Head, true).

kept(Head, Body) :-
    hb_clause_text:check_writable((Head:-Body)),
    hb_clause_text:clause_text(user, Head, Body, Text),
    hb_adding:reload([], [load(file, Text, [9000-1,0-1])], _, _),
    hb_store:with_id(9000, Ref),
    clause(knowledge_base:Head1, Safe, Ref),
    hb_written:as_written(Safe, Body1),
    hb_store:forget_id(9000),
    (Head1:-Body1) =@= (Head:-Body).

refused(Term, Type) :-
    catch(hb_clause_text:check_writable(Term), error(representation_error(Type), _), true).

:- begin_tests(clause_text).

test(facts_are_written_as_people_write_them, true(Text == "f(a, 1, \"s\", [1, 2], A, _, A, x=y).")) :-
    text(f(a, 1, "s", [1,2], X, _, X, x=y), Text).
test(rules_are_written_as_by_portray_clause, true(Text == "r(A) :-\n    s(A, B),\n    \\+ t(B).")) :-
    text((r(X) :- s(X, Y), \+ t(Y)), Text).
test(floats_are_written_without_an_exponent_up_to_15_zeros,
     true(Texts == ["f(100000.0, -0.0, 1.0e+22).", "r(A) :-\n    A>250000.0."])) :-
    text(f(1.0e5, -0.0, 1.0e22), Fact),
    text((r(X) :- X > 2.5e5), Rule),
    Texts = [Fact,Rule].
test(variables_are_told_from_terms_that_look_like_them, true(Text == "f('$VAR'(0), _V1, _V1).")) :-
    text(f('$VAR'(0), X, X), Text).
test(bidirectional_characters_are_escaped, true(Text == "f('\\x202e\\', \"a\\x2066\\\").")) :-
    text(f('\x202e\', "a\x2066\"), Text).

test(rules_with_an_arrow_keep_it, true(Texts == ["p(1)=>true.", "p(A), A>5=>q(A)."])) :-
    hb_clause_text:clause_text(user, p(1), hb_store:single_sided(=>, true), Plain),
    hb_clause_text:clause_text(user, p(X), hb_store:single_sided(?=>, (X > 5, !, q(X))), Guarded),
    Texts = [Plain,Guarded].

test(nul, true) :-
    kept(t("\000\\"", 'a\000\b')).
test(the_end_of_a_file, true) :-
    kept(end_of_file).
test(end_of_file_with_a_body, true) :-
    kept((end_of_file :- a)).
test(a_script_line, true) :-
    kept(#(!)).
test(hash_and_dollar, true) :-
    kept(t(#(1), '$'(1), #, '$', -(#), [#|'$'])).
test(hash, true) :-
    kept(#(a)).
test(prefix_operators_before_infix_ones, true) :-
    kept(t(-(#(1)), -(-(1)), - 1, -(1), \ (-), -(-), 1 - -1, -(a)^2, (-1)^2, - (1)^2, 2 ** -1)).
test(the_functor_of_empty_lists, true) :-
    compound_name_arguments(Reserved, [], [1]),
    kept(t('[]'(1), Reserved, '[]', [], '[]'())).
test(braces_and_lists, true) :-
    compound_name_arguments(None, {}, []),
    compound_name_arguments(Two, {}, [1,2]),
    compound_name_arguments(One, '[|]', [1]),
    kept(t({a}, {a,b}, None, Two, One, [a|b], {}, '{}'(x), [(a,b),(c:-d)])).
test(operators_as_atoms, true) :-
    kept(t(:-, -, [-], [:-|dynamic], (:-)-(-), dynamic, f(+, *), (a:-b), (:- a), '|', '|'(a,b), ',', '\\+', /, *)).
test(comments, true) :-
    kept(t('/*', '*/', '%', 'a/*b', / - *, (/) / (*), '/* */', '% x')).
test(comment_of_operators, true) :-
    kept(t(((/) / (*)) / (*))).
test(operators_as_heads_of_rules, true) :-
    kept(((dynamic) :- a, b)).
test(prefix_operator_as_a_fact, true) :-
    kept(table).
test(grammar_rules_as_facts, true) :-
    kept(grammar((a-->b), (a=>b), (:-a), (?-a))).
test(special_floats, true) :-
    Inf is inf, NaN is nan, Minus is -inf,
    kept(t(Inf, NaN, Minus, -0.0, 1.0e100, 1.0e-100, 5.0e-324)).
test(rationals_and_large_integers, true) :-
    kept(t(1r3, -1r3, 123456789012345678901234567890, -1)).
test(strings_codes_and_atoms, true) :-
    kept(t("a", 'a', `a`, "", '', [], "\n\t\\\"'", '\n\t\\"\'', " ", "\x85\\x2028\\xfeff\")).
test(dicts, true) :-
    kept(t(_{a:1, 2:b}, p{x:_{y:(a:-b)}, z: - }, 'P q'{'K l':"s"}, _{})).
test(a_dict_with_the_tag_of_variables, true) :-
    kept(t('$VAR'{a:'$VAR'(1)})).
test(compounds_without_arguments, true) :-
    kept(t(f(), 'F'(), +())).
test(characters_of_every_kind, true) :-
    numlist(1, 0x2fff, Codes),
    forall('$member'(C, Codes), ( char_code(Char, C), kept(t(Char)) )).
test(characters_at_the_ends_of_unicode, true) :-
    atom_codes(A, [0xfffe,0xffff,0xfdd0,0xe000,0x10ffff,0x1f600,0xe0001]),
    atom_string(A, S),
    kept(t(A, S)).
test(characters_whose_escape_begins_like_a_surrogate, true) :-
    atom_codes(A, [0x202e,0xd8000,0xdabff,0xdffff,0xe0000]),
    kept(t(A)).
test(bodies, true) :-
    kept((r(X) :- \+ a(X), ( b -> c ; d ), ( e *-> f ; g ), findall(Y, h(Y), _), call(X, '$VAR'(1)), {z} )).
test(variable_bodies, true) :-
    kept((r(X) :- X)).

test(streams_are_refused, true(Type == stream)) :-
    current_output(Stream),
    refused(t([a,Stream]), Type).
test(functors_of_streams_are_refused, true(Type == stream)) :-
    current_output(Stream),
    compound_name_arguments(Term, Stream, [a]),
    refused((t :- Term), Type).
test(the_functor_of_dicts_is_refused, true(Type == reserved_symbol)) :-
    compound_name_arity(_{a:1}, Name, _),
    refused(t(Name), Type).
test(dicts_with_compound_tags_are_refused, true(Type == dict_tag)) :-
    dict_pairs(Dict, f(x), [a-1]),
    refused(t(Dict), Type).

:- end_tests(clause_text).
