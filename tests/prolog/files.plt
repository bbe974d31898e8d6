:- use_module(library(plunit)).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(debug), [assertion/1]).
:- use_module('../../prolog/hornbook').
:- use_module(replies).

/** <module> Files that running code reads
*/

booted :-
    (   catch(hb_limits:output_stream(_), _, fail)
    ->  true
    ;   reply_to("boot([unknown(error)])", _{ok:true, version:_, libraries:_, refused:_, builtins:_})
    ).

%   told(+Documents): the engine knows these documents.

told(Documents) :-
    findall(first(kept, Path, 2, Length), ( member(Path-Text, Documents), string_length(Text, Length) ), Parts),
    findall(Text, member(_-Text, Documents), Texts),
    atomics_to_string(Texts, All),
    told(Parts, All).

told(Parts, Text) :-
    format(string(Request), "documents('/r',[],~q)\n~s", [Parts,Text]),
    reply_to(Request, _{ok:true}).

%   forgotten(+Names)

forgotten(Names) :-
    format(string(Request), "documents(none,~q,[])\n", [Names]),
    reply_to(Request, _{ok:true}).

%   asked(+Query, -Reply): the first step of Query.

asked(Query, Reply) :-
    reply_to("close(1)", _),
    format(string(Request), "query(1,~q,1,5.0,100,-100)", [Query]),
    reply_to(Request, Reply).

%   answer(+Query, -Text): the value of X in the first answer of Query.

answer(Query, Text) :-
    asked(Query, Reply),
    value(Reply, Text).

value(Reply, Text) :-
    [Answer|_] = Reply.answers,
    memberchk(["X",Text|_], Answer.bindings).

%   host_says(+Answer, -Reply): the step goes on with Answer, the text of a term.

host_says(Answer, Reply) :-
    format(string(Request), "told(1,said(~q),1,5.0,100,-100)", [Answer]),
    reply_to(Request, Reply).

failure(Query, Error) :-
    asked(Query, Reply),
    Error = Reply.error.

long_text(Long) :-
    length(Codes, 40000),
    maplist(=(0'x), Codes),
    string_codes(Long, Codes).

:- begin_tests(documents, [ setup(( booted, told(['a.txt'-"one\ntwo\n", 't.csv'-"x,y\n1,a b\n2,c\n", 'f.pl'-"p(1).\n% no\np(Y) :- q(Y).\n",
                                        'd.json'-"{\"a\": [1, null]}", 'empty.txt'-"", 'ab.txt'-"a. b. ", 'bad.txt'-"a b. c."]),
                                     long_text(Long), told(['long.txt'-Long]) )),
                            cleanup(forgotten(['a.txt','t.csv','f.pl','d.json','empty.txt','ab.txt','bad.txt','long.txt'])) ]).

test(open, Text == "\"one\"") :-
    answer("open('a.txt', read, S), read_line_to_string(S, X), close(S)", Text).
test(open_alias, Text == "[\"one\",\"two\"]") :-
    answer("open('a.txt', read, S, [alias(in)]), S == in, read_line_to_string(in, A), read_line_to_string(in, B), close(in), X = [A,B]",
           Text).
test(working_directory, Text == "./") :-
    answer("working_directory(X, X)", Text).
test(working_directory_stays, Kind-Message == "permission_error"-true) :-
    failure("working_directory(_, '/tmp')", Error),
    Kind = Error.kind,
    ( sub_string(Error.message, _, _, _, "stay relative") -> Message = true ; Message = Error.message ).
test(working_directory_unbound, Kind == "instantiation_error") :-
    failure("working_directory(_, _)", Error),
    Kind = Error.kind.
test(alias_twice, Kind == "permission_error") :-
    failure("open('a.txt', read, _, [alias(i2)]), open('a.txt', read, _, [alias(i2)])", Error),
    Kind = Error.kind,
    answer("open('a.txt', read, S, [alias(i2)]), X = 1", "1").
test(of_one_query, Kind == "existence_error") :-
    reply_to("close(2)", _),
    reply_to("query(2,\"open('a.txt', read, _, [alias(mine)]), repeat\",1,5.0,100,-100)", Open),
    true == Open.more,
    failure("get_char(mine, _)", Error),
    Kind = Error.kind,
    reply_to("close(2)", _),
    \+ hb_streams:own(_, _, _).
test(engines_share_them, Text == "o") :-
    answer("open('a.txt', read, S), engine_create(C, get_char(S, C), E), engine_next(E, X)", Text).
test(in_setup, Text == "\"one\\ntwo\\n\"") :-
    answer("setup_call_cleanup(open(\"a.txt\", read, S), read_string(S, _, X), close(S))", Text).
test(see, Text == "[o,n,\"e\"]") :-
    answer("see('a.txt'), get_char(A), get_char(B), current_input(S), read_line_to_string(S, C), seen, X = [A,B,C]", Text).
test(seen, Text == "user") :-
    answer("see('a.txt'), seen, seeing(X)", Text).
test(string, Text == "\"one\\ntwo\\n\"") :-
    answer("read_file_to_string('a.txt', X, [])", Text).
test(codes, Text == "8") :-
    answer("read_file_to_codes('a.txt', Cs, []), length(Cs, X)", Text).
test(terms, Text == "[p(1),(p(A):-q(A))]") :-
    answer("read_file_to_terms('f.pl', X, [])", Text0),
    split_string(Text0, " ", "", Parts),
    atomics_to_string(Parts, Text1),
    term_string(Term, Text1),
    numbervars(Term, 0, _),
    format(string(Text), "~W", [Term, [quoted(true), numbervars(true), portray(true)]]).
test(phrase, Text == "\"one\"-\"two\"") :-
    answer("phrase_from_file((string_without(`\n`, A), \"\n\", string_without(`\n`, B), blanks), 'a.txt'), string_codes(As, A), string_codes(Bs, B), X = As-Bs",
           Text).
test(phrase_from_stream, Text == "[t,w,o]") :-
    answer("open('a.txt', read, S), read_line_to_string(S, _), phrase_from_stream((string(Cs), blanks), S), atom_codes(A, Cs), atom_chars(A, X)",
           Text).
test(grammar_bodies, [forall(member(Body, ["\"one\", rest", "rest, !", "{true}, rest", "\\+ \"two\", rest", "rest, []", "\"one\\ntwo\\n\"", "string(_)"])), Text == "yes"]) :-
    format(string(Query), "rest = rest, B = (~s), phrase_from_file(B, 'a.txt'), phrase_from_file((~s), 'a.txt'), X = yes", [Body,Body]),
    reply_to("close(3)", _),
    format(string(Request), "query_assuming(3,~q,[\"rest([], []).\",\"rest([_|T], R) :- rest(T, R).\"],1,5.0,100,-100)", [Query]),
    reply_to(Request, Reply),
    value(Reply, Text),
    reply_to("close(3)", _).
test(grammar_rest, Text == "12") :-
    answer("phrase_from_file((\"o\", remainder(R)), 'a.txt'), length([_,_,_,_,_|R], X)", Text).
test(grammar_place, Text == "file('a.txt',2,0,4)") :-
    answer("phrase_from_file((string(_), \"\\n\", lazy_list_location(X), remainder(_)), 'a.txt')", Text).
test(syntax_error, Message == "Syntax error in a.txt:1:2: oops.") :-
    failure("phrase_from_file((\"on\", syntax_error(oops)), 'a.txt')", Error),
    Message = Error.message.
test(a_grammar_that_is_the_first_to_be_translated, Text == "[98,99]") :-
    answer("phrase_from_file({phrase(`a`, `abc`, X)}, 'empty.txt')", Text),
    answer("phrase(`a`, `abc`, X)", Text).
test(a_clause_that_is_given_to_the_translation, Text == "[98,99]") :-
    asked("dcg_translate_rule((a --> b), (a([], []) :- _))", _),
    answer("phrase(`a`, `abc`, X)", Text).
test(long_lists_in_a_loop, Text == "yes") :-
    answer("forall(between(1, 1100, _), phrase_from_file(([_],remainder(_)), 'long.txt')), X = yes", Text).
test(a_file_that_is_seen_again, Text == "[a,b]") :-
    answer("see('ab.txt'), read(A), see('ab.txt'), read(B), seen, X = [A,B]", Text).
test(unknown_encoding, Kind == "domain_error") :-
    failure("open('a.txt', read, _, [encoding(foo)])", Error),
    Kind = Error.kind.
test(streams_of_the_user, Text == "append") :-
    answer("stream_property(S, alias(user_output)), stream_property(S, mode(X)), close(S), \\+ current_input(S)", Text).
test(a_name_with_nul, Kind == "permission_error") :-
    failure("open('a\\0\\b', read, _)", Error),
    Kind = Error.kind.
test(errors_skipped, Answers == []) :-
    asked("open('bad.txt', read, S), read_term(S, _, [syntax_errors(quiet)])", Reply),
    Answers = Reply.answers.
test(lazy_list, Text == "o-n") :-
    answer("open('a.txt', read, S), stream_to_lazy_list(S, [A,B|_]), char_code(C, A), char_code(D, B), X = C-D", Text).
test(nested_see, Text == "[o,p,n,user]") :-
    answer("see('a.txt'), get_char(A), see('f.pl'), get_char(B), seen, get_char(C), seen, seeing(D), X = [A,B,C,D]", Text).
test(bytes, Text == "[111,binary]") :-
    answer("open('a.txt', read, S, [type(binary)]), get_byte(S, B), stream_property(S, type(T)), X = [B,T]", Text).
test(past_the_end, Kind == "permission_error") :-
    failure("open('a.txt', read, S, [eof_action(error)]), read_string(S, _, _), get_char(S, _), get_char(S, _)", Error),
    Kind = Error.kind.
test(positions, Text == "o-o") :-
    answer("open('a.txt', read, S), stream_property(S, position(P)), get_char(S, A), set_stream_position(S, P), get_char(S, B), X = A-B", Text).
test(position_data, Text == "1-1") :-
    answer("open('a.txt', read, S), get_char(S, _), stream_property(S, position(P)), stream_position_data(char_count, P, C), stream_position_data(byte_count, P, B), X = C-B", Text).
test(seek, Text == "o-n-o") :-
    answer("open('a.txt', read, S), get_char(S, A), seek(S, 1, bof, _), get_char(S, B), seek(S, 0, bof, _), get_char(S, C), X = A-B-C", Text).
test(seek_inside_a_character, [ setup(told(['u.txt'-"aé€b"])), cleanup(forgotten(['u.txt'])), Text == "[1,3,3,6,-1]-[é,€,€,b]" ]) :-
    answer("open('u.txt', read, S, [eof_action(error)]), findall(L-C, (member(O, [2,4,5,6]), seek(S, O, bof, L), get_char(S, C)), LCs), pairs_keys_values(LCs, Ls, Cs), seek(S, 0, eof, _), peek_code(S, E), append(Ls, [E], Es), X = Es-Cs",
           Text).
test(a_position_inside_a_character, [ setup(told(['u.txt'-"aéb"])), cleanup(forgotten(['u.txt'])), Text == "é" ]) :-
    answer("open('u.txt', read, S), set_stream_position(S, '$stream_position'(2,1,2,2)), get_char(S, X)", Text).
test(bytes_are_sought_one_by_one, [ setup(told(['u.txt'-"aéb"])), cleanup(forgotten(['u.txt'])), Text == "2-169" ]) :-
    answer("open('u.txt', read, S, [type(binary)]), seek(S, 2, bof, L), get_byte(S, B), X = L-B", Text).
test(seek_in_a_string, Text == "[é,€]") :-
    answer("findall(C, (member(T-O, [\"aéb\"-1,\"a€b\"-2]), open_string(T, S), seek(S, O, bof, _), get_char(S, C)), X)", Text).
test(seek_of_user_input, Kind == "permission_error") :-
    failure("seek(user_input, 0, bof, _)", Error),
    Kind = Error.kind.
test(copied_to_output) :-
    asked("open('a.txt', read, S), copy_stream_data(S, user_output)", Reply),
    [Answer] = Reply.answers,
    sub_string(Answer.output, 0, 1, _, "o").
test(copied_in_part) :-
    asked("open('a.txt', read, S), copy_stream_data(S, user_output, 2)", Reply),
    [Answer] = Reply.answers,
    assertion(Answer.output == "on").
test(what_is_no_length, [forall(member(Length-Formal, ["-1"-"type_error(nonneg, -1)","x"-"type_error(nonneg, x)","_"-"instantiation_error"])),
                         Text == "copy_stream_data/3"]) :-
    format(string(Query), "open('a.txt', read, S), catch(copy_stream_data(S, user_output, ~s), error(~s, context(X, _)), true)", [Length,Formal]),
    answer(Query, Text).
test(names_that_streams_have, [forall(member(Alias, [user_input,user_output,user_error,user,current_input,current_output])),
                               Kind == "permission_error"]) :-
    format(string(Query), "open('a.txt', read, _, [alias(~w)])", [Alias]),
    failure(Query, Error),
    Kind = Error.kind.
test(current_input_by_its_alias, Text == "o-n") :-
    answer("see('a.txt'), get_char(current_input, A), peek_char(current_input, B), seen, X = A-B", Text).
test(forged_positions, Kind == "domain_error") :-
    failure("open('a.txt', read, S), set_stream_position(S, '$stream_position'(-1,0,0,0))", Error),
    Kind = Error.kind.
test(file_name, Text == "'a.txt'") :-
    answer("open('a.txt', read, S), stream_property(S, file_name(X))", Text).
test(as_in_swi_prolog, [forall(member(Goal-Kind, [ "open('a.txt', read, taken)"-"type_error", "open('a.txt', read, _, [42])"-"type_error",
                                                   "open('a.txt', read, _, x)"-"type_error", "open('a.txt', read, _, [_])"-"instantiation_error",
                                                   "open(12, read, _)"-"type_error", "exists_file(f(x))"-"type_error",
                                                   "open('a.txt', read, S), get_char(S, zz)"-"type_error",
                                                   "open('a.txt', read, S), get_byte(S, _)"-"permission_error",
                                                   "open('a.txt', read, S), read_term(S, _, [42])"-"type_error",
                                                   "current_input(foo)"-"existence_error", "set_input(user_error)"-"permission_error" ])),
                          Got == Kind]) :-
    failure(Goal, Error),
    Got = Error.kind.
test(what_open_does_not_know, Text == "o") :-
    answer("open('a.txt', read, S, [foo(1), lock(none), encoding(iso_latin_1)]), get_char(S, X)", Text).
test(names_of_codes, Text == "o") :-
    answer("open(`a.txt`, read, S), get_char(S, X)", Text).
test(phrase_basics, Text == "\"one\"") :-
    answer("phrase_from_file((string_without(`\\n`, Cs), remainder(_)), 'a.txt'), string_codes(X, Cs)", Text).
test(csv, Text == "[row(x,y),row(1,'a b'),row(2,c)]") :-
    answer("csv_read_file('t.csv', X)", Text0),
    split_string(Text0, "", " ", [Text]).
test(csv_options, Text == "[r(x,y),r('1','a b'),r('2',c)]") :-
    answer("csv_read_file('t.csv', X, [functor(r), convert(false)])", Text).
test(csv_rows, Text == "row(2,c)-3") :-
    answer("csv_read_file_row('t.csv', R, [line(L)]), L > 2, X = R-L", Text).
test(json, Text == "json([a=[1,@(null)]])") :-
    answer("open('d.json', read, S), json_read(S, X), close(S)", Text).
test(counts, Text == "[2,1,6]") :-
    answer("open('a.txt', read, S), read_line_to_string(S, _), get_char(S,_), get_char(S, _), line_count(S, A), line_position(S, B0), B is B0-1, character_count(S, C), close(S), X = [A,B,C]",
           Text).
test(peek, Text == "\"on\"-\"one\"") :-
    answer("open('a.txt', read, S), peek_string(S, 2, A0), sub_string(A0,0,2,_,A), read_line_to_string(S, B), close(S), X = A-B", Text).
test(exists, Text == "yes") :-
    answer("exists_file('a.txt'), access_file('a.txt', read), \\+ access_file('a.txt', write), X = yes", Text).
test(write, Kind-Message == "permission_error"-true) :-
    failure("open('a.txt', write, _)", Error),
    Kind = Error.kind,
    (   sub_string(Error.message, _, _, _, "can only be read")
    ->  Message = true
    ;   Message = Error.message
    ).
test(mode, Kind == "domain_error") :-
    failure("open('a.txt', lesen, _)", Error),
    Kind = Error.kind.
test(deep, Kind == "resource_error") :-
    length(Codes, 5000),
    maplist(=(0'(), Codes),
    string_codes(Deep, Codes),
    told([first(kept, 'deep.txt', 5000, 5000)], Deep),
    failure("open('deep.txt', read, S), read(S, _)", Error),
    Kind = Error.kind,
    forgotten(['deep.txt']).

:- end_tests(documents).

:- begin_tests(asking, [setup(booted)]).

test(read, [File,Action,Text] == ["b.txt","read","\"hello\""]) :-
    asked("open('b.txt', read, S), read_string(S, _, X0), read_file_to_string('b.txt', X, []), X0 == X", Asked),
    Question = Asked.asks,
    File = Question.file,
    Action = Question.action,
    told([first(lent, '/q/b.txt', 0, 3),rest('/q/b.txt', 2)], "hello"),
    host_says("at('/q/b.txt')", Reply),
    value(Reply, Text).
test(a_text_is_lent_for_a_step, Again == "b.txt") :-
    asked("open('b.txt', read, _)", Asked),
    Again = Asked.asks.file,
    host_says("missing", _).
test(missing, Kind == "existence_error") :-
    asked("open('b.txt', read, _)", _),
    host_says("missing", Reply),
    Kind = Reply.error.kind.
test(caught, Text == "'b.txt'") :-
    asked("catch(open('b.txt', read, _), error(existence_error(source_sink, X), _), true)", _),
    host_says("missing", Reply),
    value(Reply, Text).
test(refused, Message == true) :-
    asked("open('b.txt', read, _)", _),
    host_says("refused(\"This client may only read.\")", Reply),
    (   sub_string(Reply.error.message, _, _, _, "may only read")
    ->  Message = true
    ;   Message = Reply.error.message
    ).
test(exists, Action-Answers == "exists"-[]) :-
    asked("exists_file('b.txt')", Asked),
    Action = Asked.asks.action,
    host_says("false", Reply),
    Answers = Reply.answers.
test(list, Text == "['b.txt',c]") :-
    asked("directory_files('.', X)", _),
    host_says("names(['b.txt',c])", Reply),
    value(Reply, Text).
test(consult, Answers == 1) :-
    asked("consult(b)", _),
    host_says("true", Reply),
    length(Reply.answers, Answers).
test(in_a_load, Output == "hi") :-
    reply_to("run(\"open('b.txt', read, S), read_string(S, _, T), write(T)\",5.0,100,-100)", Asked),
    assertion(get_dict(asks, Asked, _)),
    told([first(lent, '/q/b.txt', 0, 2)], "hi"),
    reply_to("told(-1,said(\"at('/q/b.txt')\"),1,5.0,100,-100)", Reply),
    [Answer] = Reply.answers,
    Output = Answer.output.
test(no_input_in_a_load, Output == "end_of_file") :-
    reply_to("run(\"read(X), write(X)\",5.0,100,-100)", Reply),
    [Answer] = Reply.answers,
    Output = Answer.output.
test(from_c, Kind-Says == "permission_error"-true) :-         % nothing can be asked there
    failure("with_output_to(string(_), open('b.txt', read, _))", Error),
    Kind = Error.kind,
    (   sub_string(Error.message, _, _, _, "import it before")
    ->  Says = true
    ;   Says = Error.message
    ).
test(mark, [setup(told(['m.txt'-"\uFEFFx.\n"])), cleanup(forgotten(['m.txt'])), Text == "[x]"]) :-
    answer("read_file_to_terms('m.txt', X, [])", Text).
test(path_in_the_first_root, [setup(told(['/r/s/b.txt'-"deep"])), cleanup(forgotten(['/r/s/b.txt'])), Text == "\"deep\""]) :-
    answer("with_output_to(string(_), read_file_to_string('./s/b.txt', X, []))", Text).
test(path_elsewhere, [setup(told(['/q/s/b.txt'-"deep"])), cleanup(forgotten(['/q/s/b.txt'])), Kind == "permission_error"]) :-
    failure("with_output_to(string(_), read_file_to_string('s/b.txt', _, []))", Error),
    Kind = Error.kind.
test(whether_a_file_exists_is_not_guessed, Kind == "permission_error") :-
    failure("with_output_to(string(_), exists_file('b.txt'))", Error),
    Kind = Error.kind.
test(no_directory, Kind == "existence_error") :-
    asked("directory_files(nowhere, _)", _),
    host_says("missing", Reply),
    Kind = Reply.error.kind.

:- end_tests(asking).
