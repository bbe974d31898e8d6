:- use_module(library(plunit)).
:- use_module(library(json)).
:- use_module(library(lists)).
:- use_module(library(debug), [assertion/1]).
:- use_module('../../prolog/reply').
:- use_module('../../prolog/query/answer').
:- use_module('../../prolog/errors').
:- use_module('../../prolog/read/slips', [slip_kind/1]).
:- use_module('../../prolog/store/store').

%   The encoder of replies: what it writes, and what it refuses to write.

written(Control, Parts, Lines) :-
    reply_string(reply(ok, Control, Parts), Text),
    split_string(Text, "\n", "", Lines).

:- begin_tests(control).

test(numbers_and_words, true(Line == "ok {\"more\":true,\"removed\":[1,-2],\"items\":[[\"f\",0]],\"open\":\"error\",\"reload\":null}")) :-
    written([more=true, removed=[1,-2], items=[[f,0]], open=error, reload=null], [], [Line,""]).
test(no_other_word, error(type_error(word_of_reply, shell))) :-
    written([open=shell], [], _).
test(no_other_key, error(type_error(word_of_reply, '"'))) :-
    written(['"'=1], [], _).
test(no_other_kind, error(type_error(word_of_reply, maybe))) :-
    reply_string(reply(maybe, [], []), _).
test(no_text, error(type_error(word_of_reply, "more"))) :-
    written([open="more"], [], _).
test(no_float, error(type_error(word_of_reply, 1.5))) :-
    written([answers=1.5], [], _).
test(no_compound, error(type_error(word_of_reply, text(a)))) :-
    written([added=[[1,text(a)]]], [], _).
test(no_variable, error(type_error(word_of_reply, _))) :-
    written([answers=_], [], _).
test(each_kind_of_slip_is_a_word, [forall(slip_kind(Kind)), true(Line == Expected)]) :-
    written([doubts=[Kind]], [], [Line,""]),
    format(string(Expected), "ok {\"doubts\":[\"~w\"]}", [Kind]).
test(an_item_is_a_word_and_integers, error(type_error(word_of_reply, '0],[1'))) :-
    with_output_to(string(_), ( current_output(Out), write_item(Out, f, [0,'0],[1']) )).
test(an_item_has_a_word_of_ours, error(type_error(word_of_reply, 'f",0')) ) :-
    with_output_to(string(_), ( current_output(Out), write_item(Out, 'f",0', []) )).

:- end_tests(control).

:- begin_tests(json).

json(Json, Text) :-
    json_string(Json, Text).

test(constants, true(Text == "[null,true,false]")) :-
    json(list([@(null), @(true), @(false)]), Text).
test(atoms_that_look_like_constants, true(Text == "[\"null\",\"true\",\"false\",\"[]\"]")) :-
    json(list([text(null), text(true), text(false), text('[]')]), Text).
test(objects, true(Text == "{\"a\":1,\"b\\\"\":\"c\"}")) :-
    json(object([a=number(1), 'b"'-text(c)]), Text).
test(a_bare_atom_is_no_value, error(type_error(json, null))) :-
    json(null, _).
test(a_bare_list_is_no_value, error(type_error(json, [text(a)]))) :-
    json([text(a)], _).
test(a_term_of_the_user_s_is_no_value, error(type_error(json, raw('x')))) :-
    json(list([raw('x')]), _).
test(a_variable_is_no_value, error(type_error(json, _))) :-
    json(list([_]), _).
test(no_other_constant, error(type_error(json, @(maybe)))) :-
    json(@(maybe), _).
test(no_large_number, error(type_error(json, number(9007199254740992)))) :-
    json(number(9007199254740992), _).
test(no_number_that_is_none, error(type_error(json, number(_)))) :-
    X is nan,
    json(number(X), _).
test(every_kind_of_character_comes_back_from_one_line) :-
    forall(( between(0, 255, Code)
           ; member(Code, [0x85,0x2028,0x2029,0x202a,0x202e,0x2066,0x2069,0xd7ff,0xe000,0xfeff,0xfffd,0xffff,0x1f600,0x10ffff])
           ),
           ( string_codes(Text, [0'a,Code,0'",Code,0'\\,0'b]),
             atom_codes(Atom, [0'a,Code,0'",Code,0'\\,0'b]),
             json(list([text(Text), text(Atom)]), Json),
             assertion(\+ sub_string(Json, _, _, _, "\n")),
             atom_json_term(Json, [Text1,Text2], [json_object(term)]),
             assertion(string_same(Text1, Text)),
             assertion(string_same(Text2, Text))
           )).
test(nul_in_a_quoted_text_is_an_escape, true(Text == "\"'a\\\\000\\\\b'\"")) :-
    atom_codes(Atom, [0'a,0,0'b]),
    format(string(Quoted), "~q", [Atom]),
    json(quoted(Quoted), Text).

string_same(A, B) :-
    atom_string(A, Text),
    atom_string(B, Text).

:- end_tests(json).

:- begin_tests(answers).

line(Names0, Values, Line) :-
    query_names(Names0, Names),
    answer_line(Names, answer(Values, [], "", true), Line).

test(names_of_variables_are_no_terms, true(Line == Expected)) :-
    line(['X','Y'], [f('$VAR'('Y'),'$VAR'(1),'$VAR'(_),Y,A,A), Y], Line),
    Expected = "{\"bindings\":[[\"X\",\"f('$VAR'('Y'),'$VAR'(1),'$VAR'(_A),Y,_B,_B)\",\c
                {\"functor\":\"f\",\"args\":[{\"functor\":\"$VAR\",\"args\":[\"Y\"]},{\"functor\":\"$VAR\",\"args\":[1]},\c
                {\"functor\":\"$VAR\",\"args\":[{\"variable\":\"_A\"}]},\c
                {\"variable\":\"Y\"},{\"variable\":\"_B\"},{\"variable\":\"_B\"}]}],\c
                [\"Y\",\"_\",{\"variable\":\"Y\"}]],\"residual\":[],\"output\":\"\"}".
test(an_answer_is_one_line) :-
    Text = "\"}]]\nok {\"removed\":[1]}\n",
    atom_string(Atom, Text),
    dict_pairs(Dict, Atom, [Atom-Text]),
    compound_name_arguments(Compound, Atom, [Text]),
    forall(member(Value, [Text, Atom, '$VAR'(Atom), Dict, Compound, [Atom|Text]]),
           ( line(['X'], [Value], Line),
             assertion(\+ sub_string(Line, _, _, _, "\n")),
             atom_json_dict(Line, _, [])
           )).

:- end_tests(answers).

:- begin_tests(errors).

test(any_ball_is_an_error_of_an_ordinary_kind) :-
    Ugly = '"},\n{"',
    forall(member(Ball,
                  [ _, a, "s", 1, Ugly, '$VAR'(Ugly), error(_, _), error(Ugly, Ugly), error(syntax_error, "m", -1, 0, 0),
                    error(syntax_error, "m", 1, 0, 18446744073709551616), error(syntax_error, "m", _, _, _),
                    error(engine_died, "m", 1, 0, 0), error(Ugly, "m", 1, 0, 0), error(hornbook(_), _),
                    error(hornbook(message(engine_died, "m")), _), error(hornbook(message(bad_reply, "m")), _),
                    error(hornbook(message(type_error, Ugly)), _), error(hornbook(limit(Ugly)), _), error(hornbook(limit(_)), _),
                    error(existence_error(procedure, Ugly), Ugly), error(type_error(Ugly, Ugly), context(Ugly/1, Ugly)),
                    error(permission_error(call, sandboxed, Ugly), _), '$hb_stop'(Ugly), '$hb_stop'(_), hb_died(Ugly)
                  ]),
           ( error_json(Ball, Json),
             json_string(Json, Text),
             assertion(\+ sub_string(Text, _, _, _, "\n")),
             atom_json_dict(Text, Error, []),
             get_dict(kind, Error, Kind0),
             atom_string(Kind, Kind0),
             assertion(memberchk(Kind,
                                 [ syntax_error, existence_error, type_error, permission_error, unsafe_goal, resource_error,
                                   uncaught_exception, instantiation_error, timeout ]))
           )).

:- end_tests(errors).
