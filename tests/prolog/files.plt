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
    format(string(Request), "documents([],~q)", [Documents]),
    reply_to(Request, _{ok:true}).

%   forgotten(+Names)

forgotten(Names) :-
    format(string(Request), "documents(~q,[])", [Names]),
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

:- begin_tests(documents, [ setup(( booted, told(['a.txt'-"one\ntwo\n", 't.csv'-"x,y\n1,a b\n2,c\n", 'f.pl'-"p(1).\n% no\np(Y) :- q(Y).\n",
                                        'd.json'-"{\"a\": [1, null]}"]) )),
                            cleanup(forgotten(['a.txt','t.csv','f.pl','d.json'])) ]).

test(open, Text == "\"one\"") :-
    answer("open('a.txt', read, S), read_line_to_string(S, X), close(S)", Text).
test(open_alias, Text == "[\"one\",\"two\"]") :-
    answer("open('a.txt', read, S, [alias(in)]), S == in, read_line_to_string(in, A), read_line_to_string(in, B), close(in), X = [A,B]",
           Text).
test(alias_twice, Kind == "permission_error") :-
    failure("open('a.txt', read, _, [alias(i2)]), open('a.txt', read, _, [alias(i2)])", Error),
    Kind = Error.kind,
    answer("close(i2), X = 1", "1").
test(in_setup, Text == "\"one\\ntwo\\n\"") :-
    answer("setup_call_cleanup(open(\"a.txt\", read, S), read_string(S, _, X), close(S))", Text).
test(see, Text == "[o,n,\"e\"]") :-
    answer("see('a.txt'), get_char(A), get_char(B), current_input(S), read_line_to_string(S, C), seen, X = [A,B,C]", Text).
test(seen, Text == "user_input") :-
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
    told(['deep.txt'-Deep]),
    failure("open('deep.txt', read, S), read(S, _)", Error),
    Kind = Error.kind,
    forgotten(['deep.txt']).

:- end_tests(documents).

:- begin_tests(asking, [setup(booted)]).

test(read, [File,Action,Text] == ["b.txt","read","\"hello\""]) :-
    asked("open('b.txt', read, S), read_string(S, _, X)", Asked),
    Question = Asked.asks,
    File = Question.file,
    Action = Question.action,
    host_says("text(\"hello\")", Reply),
    value(Reply, Text).
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
    reply_to("told(-1,said(\"text(\\\"hi\\\")\"),1,5.0,100,-100)", Reply),
    [Answer] = Reply.answers,
    Output = Answer.output.
test(no_input_in_a_load, Output == "end_of_file") :-
    reply_to("run(\"read(X), write(X)\",5.0,100,-100)", Reply),
    [Answer] = Reply.answers,
    Output = Answer.output.
test(from_c, Kind-Says == "existence_error"-true) :-          % nothing can be asked there
    failure("with_output_to(string(_), open('b.txt', read, _))", Error),
    Kind = Error.kind,
    (   sub_string(Error.message, _, _, _, "this goal cannot ask for it")
    ->  Says = true
    ;   Says = Error.message
    ).
test(mark, [setup(told(['m.txt'-"\uFEFFx.\n"])), cleanup(forgotten(['m.txt'])), Text == "[x]"]) :-
    answer("read_file_to_terms('m.txt', X, [])", Text).
test(path, [setup(told(['/r/s/b.txt'-"deep"])), cleanup(forgotten(['/r/s/b.txt'])), Text == "\"deep\""]) :-
    answer("with_output_to(string(_), read_file_to_string('s/b.txt', X, []))", Text).

:- end_tests(asking).
