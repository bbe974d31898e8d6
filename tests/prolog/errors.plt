:- use_module(library(plunit)).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(replies).

%   What programs catch, and what det/1 declares.

ask(Request, Reply) :-
    format(string(Text), '~q', [Request]),
    reply_to(Text, Reply).

fresh :-
    (   catch(hb_limits:output_stream(_), _, fail)
    ->  true
    ;   ask(boot([unknown(error)]), _)
    ),
    ask(reset, _).

%   Clauses with the ids from 1.
add(Text) :-
    string_length(Text, Length),
    format(string(Request), '~q~n~w', [add(file, [Length], [1-1000], 1000), Text]),
    reply_to(Request, _).

%   caught(+Query, -Text): the error that a program catches, as text.
caught(Query, Text) :-
    format(string(Caught), "catch((~w), error(F, C), true), nonvar(F), with_output_to(string(T), print(F-C))", [Query]),
    ask(query(1, Caught, 1, 5.0, 1001, -1), Reply),
    [Answer] = Reply.answers,
    once(member(["T",Quoted,_], Answer.bindings)),
    term_string(Text, Quoted).

solved(Query) :-
    ask(query(1, Query, 1, 5.0, 1001, -1), Reply),
    [_] = Reply.answers.

message(Query, Message) :-
    ask(query(1, Query, 10, 5.0, 1001, -1), Reply),
    Message = Reply.error.message.

:- begin_tests(names_in_errors, [setup(fresh)]).

test(a_rule_without_a_module, [setup(fresh), true(sub_string(Text, 0, _, _, "existence_error(matching_rule,rr(1))-context(rr/1,"))]) :-
    add("rr(0) => true."),
    caught("rr(1)", Text).
test(a_variable_whose_value_was_undone_has_the_programs_name,
     [setup(fresh), true(sub_string(Text, 0, _, _, "existence_error(variable,tag)-"))]) :-
    add("g :- b_setval(tag, 1), fail. g :- nb_getval(tag, _)."),
    caught("g", Text).
test(a_predicate_without_a_module, [setup(fresh), true(Text == "existence_error(procedure,nope/1)-nope/1")]) :-
    caught("nope(1)", Text).

:- end_tests(names_in_errors).

:- begin_tests(det, [setup(fresh)]).

test(a_choice_point, [setup(fresh), true(sub_string(Text, 0, _, _, "determinism_error(d/1,det,nondet,property)-"))]) :-
    add(":- det(d/1). d(1). d(2)."),
    caught("d(_)", Text).
test(a_failure, [setup(fresh), true(Message == "d/1 failed, and its `:- det` directive says that it has exactly one solution.")]) :-
    add("d(1). :- det([d/1, e/0]). e."),
    message("e, d(3)", Message).
test(one_solution, [setup(fresh)]) :-
    add(":- det(d/1). d(1). d(2)."),
    ask(query(1, "d(1)", 10, 5.0, 1001, -1), Reply),
    [_] = Reply.answers.
test(without_the_directive_any_number, [setup(fresh), true(Count == 2)]) :-
    add(":- det(d/1). d(1). d(2)."),
    hb_store:forget_name(1),
    ask(query(1, "d(_)", 10, 5.0, 1001, -1), Reply),
    length(Reply.answers, Count).
test(of_a_module, [setup(fresh), true(sub_string(Text, 0, _, _, "determinism_error(m:d/1,det,nondet,property)-"))]) :-
    add(":- module(m, [go/0]). :- det(d/1). d(1). d(2). go :- d(_)."),
    caught("go", Text).

test(of_an_export, [setup(fresh), true(sub_string(Text, 0, _, _, "determinism_error(m:d/1,det,nondet,property)-"))]) :-
    add(":- module(m, [d/1]). :- det(d/1). d(1). d(2)."),
    caught("d(_)", Text).
test(is_a_property, [setup(fresh)]) :-
    add(":- det(d/1). d(1). e(1)."),
    solved("predicate_property(d(_), det), \\+ predicate_property(e(_), det)").

:- end_tests(det).

:- begin_tests(context, [setup(fresh)]).

test(goals_in_arguments_get_it, [setup(fresh)]) :-
    add(":- meta_predicate mm(:, -). mm(M:_, M)."),
    solved("@(mm(x, M), foo), M == foo").
test(what_is_called_does_not, [setup(fresh)]) :-
    add("here(1)."),
    solved("@(here(1), foo)").
test(a_built_in_predicate_works_in_it, [setup(fresh)]) :-
    solved("@(assertz(fact(1)), foo), foo:fact(1), \\+ catch(fact(1), _, fail)").
test(when_it_is_known_only_later, [setup(fresh)]) :-
    solved("M = foo, G = assertz(fact(2)), @(G, M), foo:fact(2)").
test(unknown, [setup(fresh), forall(member(Query, ["@(_, foo)", "@(true, _)", "@(_:true, foo)"])), true(F == "instantiation_error")]) :-
    caught(Query, Text),
    once(sub_string(Text, Before, _, _, "-")),
    sub_string(Text, 0, Before, _, F).
test(a_closure_of_it, [setup(fresh)]) :-
    add("here(1)."),
    solved("call(@(true), x), maplist(@(here(1)), [m, n]), G = @(here(1)), call(G, m)").
test(what_is_refused_stays_refused_in_a_closure, [setup(fresh), true(sub_string(Text, 0, _, _, "permission_error(call,sandboxed,"))]) :-
    caught("G = @(shell(x)), call(G, foo)", Text).
test(what_is_refused_stays_refused, [setup(fresh), true(sub_string(Text, 0, _, _, "permission_error(call,sandboxed,"))]) :-
    caught("G = shell(x), @(G, foo)", Text).
test(the_module_of_a_term, [setup(fresh)]) :-
    solved("strip_module(a, user, a), strip_module(m:a, m, a), strip_module(X, user, Y), X == Y").

:- end_tests(context).

%   The engine's names of modules are not shown.

:- begin_tests(delayed_goals).

test(a_lazy_list, [setup(fresh)]) :-
    solved("lazy_list([S0,S,S0]>>(S is S0+1), 0, L), copy_term(L, C, Gs), Gs =@= [lazy_list([A,B,A]>>(B is A+1), 0, C)]"),
    solved("lazy_list(next, 0, L), copy_term(L, C, Gs), Gs == [lazy_list(next, 0, C)]").
test(an_attribute, [setup(fresh)]) :-
    solved("put_attr(X, user, 1), copy_term(X, C, Gs), Gs == [put_attr(C, user, 1)]").

:- end_tests(delayed_goals).

:- begin_tests(long_numbers, [setup(fresh)]).

%   digits(+Count, -Text)
digits(Count, Text) :-
    length(Codes, Count),
    maplist(=(0'7), Codes),
    string_codes(Text, Codes).

refused(Text) :-
    catch(( hb_depth:check_text(Text), fail ), error(resource_error(numeral_digits), _), true).

test(in_any_notation, [forall(member(Before-After, [""-"", "f("-")", "0x"-"", "36'"-"z", "- "-".0", "1r"-""]))]) :-
    digits(10_001, Digits),
    atomics_to_string([Before, Digits, After], Text),
    refused(Text).
test(in_groups, [forall(member(Gap, ["_", " ", "_\n", "_ /* 1 */\n", "_%c\n"]))]) :-
    digits(6000, Digits),
    atomics_to_string([Digits, Gap, Digits], Text),
    refused(Text).
test(after_what_is_no_number, [forall(member(Before, ["'\\x41\\', ", "0''', ", "0'\\x41\\, ", "'it''s', ", "/* ' */ "]))]) :-
    digits(10_001, Digits),
    string_concat(Before, Digits, Text),
    refused(Text).
test(in_digits_of_another_script) :-
    length(Codes, 10_001),
    maplist(=(0'٧), Codes),
    string_codes(Text, Codes),
    refused(Text).
test(far_into_a_text) :-
    digits(10_001, Digits),
    format(string(Text), "~t~16000||~s", [Digits]),
    refused(Text).
test(numbers_and_words_that_may_be_read,
     [forall(member(Before-After, [""-",1", "a"-"7", "a"-"7777777", "_"-"77", "1  "-"", "f(1), "-"", "0.5 + "-""]))]) :-
    digits(9_999, Digits),
    atomics_to_string([Before, Digits, After], Text),
    hb_depth:check_text(Text).
test(digits_that_are_no_number,
     [forall(member(Before-After, ["a"-"", "X"-"", "'"-"'", "\""-"\"", "`"-"`", "'\\'"-"'", "% "-"\n", "/* "-"*/ a", "{\"a\":\""-"\"}"]))]) :-
    digits(12_000, Digits),
    atomics_to_string([Before, Digits, After], Text),
    hb_depth:check_text(Text).
test(commas_in_comments_part_no_number) :-
    digits(6_000, Digits),
    atomics_to_string([Digits, "_/*,*/", Digits], Text),
    refused(Text).
test(words_and_numbers_apart, [forall(member(One, ["it is 5 o clock", "48.21, ", "1\n", "1  "]))]) :-
    length(Ones, 12_000),
    maplist(=(One), Ones),
    atomics_to_string(Ones, Text),
    hb_depth:check_text(Text).
test(a_condition_has_one, error(resource_error(numeral_digits))) :-
    digits(20_000, Digits),
    format(string(Text), "X = ~s.", [Digits]),
    hb_workflow:condition(Text, _).
test(a_conversion,
     [ forall(member(Goal, ["atom_number(A, _)", "number_codes(_, C)", "number_chars(_, H)", "number_string(_, A)", "name(_, A)",
                            "atom_to_term(A, _, _)", "term_string(_, A)", "term_string(_, A, [])", "phrase(number(_), C)", "phrase(csv(_), C)", "phrase(integer(_), C)"])),
       true(Said == "resource_error(numeral_digits)") ]) :-
    atomics_to_string(["length(C, 10_001), maplist(=(0'7), C), atom_codes(A, C), atom_chars(A, H), ", Goal], Query),
    caught(Query, Text),
    sub_string(Text, 0, 30, _, Said).
test(a_conversion_of_what_may_be_read) :-
    solved("\\+ \\+ ( length(L, 20_000), maplist(=(0'a), L), atom_codes(A, L), \\+ atom_number(A, _), name(B, L), B == A )"),
    solved("\\+ \\+ ( X is 7**11_000, number_codes(X, C), atom_codes(A, C), atom_number(A, X) )"),
    solved("\\+ \\+ ( X is 7**20_000, number_codes(X, C), atom_number(A, X), atom_codes(A, C), term_to_atom(X, B), B == A )"),
    solved("\\+ \\+ ( length(L, 20_000), maplist(=(0'7), L), string_codes(S, L), term_string(S, T), string_length(T, 20_002) )").

:- end_tests(long_numbers).
