:- module(hb_dml_files,
          [ file_predicate/2,           % ?Name, ?Arity
            file_goal/1,                % +Goal
            file_contents/2,            % +Path, -Text
            file_output/2               % +Stream, -Own
          ]).
:- use_module(library(prolog_stream), [open_prolog_stream/4]).
:- use_module(host).
:- use_module('../depth').
:- use_module('../read/reader').

/** <module> Files of a DML program

The files belong to the host, in the folder of the run.  A file is read as a whole when it is
opened, and written when it is closed.  The streams of programs are kept here, and no other stream
can be named.
*/

:- dynamic
    input/2,                            % Stream, Path
    unread/2,                           % Stream, Text: no term has been read from it yet
    output/2,                           % Stream, Path
    alias/2,                            % Alias, Stream
    chunk/2,                            % Stream, Text: what was written
    current/1.                          % Stream, of set_input/1

%!  file_predicate(?Name, ?Arity) is nondet.

file_predicate(Name, Arity) :-
    '$member'(Name/Arity,
              [ open/3, open/4, close/1, close/2, exists_file/1, set_input/1,
                read_string/3, read_string/5, read_term/2, read_term/3, read/1, read/2,
                read_line_to_string/2, read_line_to_codes/2, read_stream_to_codes/2,
                read_file_to_string/3, read_file_to_terms/3,
                get_char/2, peek_char/2, at_end_of_stream/1 ]).

%!  file_goal(+Goal) is semidet.

file_goal(open(Path,Mode,Stream)) :-
    opened(Path, Mode, Stream0),
    Stream = Stream0.
file_goal(open(Path,Mode,Stream,Options)) :-
    (   option(alias(Alias), Options)
    ->  must_be_new(Alias),
        opened(Path, Mode, Stream0),
        assertz(alias(Alias, Stream0)),
        Stream = Alias
    ;   opened(Path, Mode, Stream0),
        Stream = Stream0
    ).
file_goal(close(Stream)) :-
    closed(Stream).
file_goal(close(Stream,_)) :-
    closed(Stream).
file_goal(exists_file(Path0)) :-
    path(Path0, Path),
    asked(exists, access, Path, "", true).
file_goal(set_input(Stream)) :-
    readable(Stream, In),
    retractall(current(_)),
    assertz(current(In)).
file_goal(read_string(Stream,Length,String)) :-
    readable(Stream, In),
    read_string(In, Length, String).
file_goal(read_string(Stream,Separators,Pad,End,String)) :-
    readable(Stream, In),
    read_string(In, Separators, Pad, End, String).
file_goal(read_term(Term,Options)) :-
    read_current(Term, Options).
file_goal(read(Term)) :-
    read_current(Term, []).
file_goal(read_term(Stream,Term,Options)) :-
    readable(Stream, In),
    read_from(In, Term, Options).
file_goal(read(Stream,Term)) :-
    readable(Stream, In),
    read_from(In, Term, []).
file_goal(read_line_to_string(Stream,String)) :-
    readable(Stream, In),
    line(In, String).
file_goal(read_line_to_codes(Stream,Codes)) :-
    readable(Stream, In),
    line(In, Line),
    (   string(Line)
    ->  string_codes(Line, Codes)
    ;   Codes = -1
    ).
file_goal(read_stream_to_codes(Stream,Codes)) :-
    readable(Stream, In),
    read_string(In, _, String),
    string_codes(String, Codes).
file_goal(read_file_to_string(Path0,String,_)) :-
    file_contents(Path0, String).
file_goal(read_file_to_terms(Path,Terms,Options)) :-
    opened(Path, read, In),
    terms(In, Options, Terms0),
    closed(In),
    Terms = Terms0.
file_goal(get_char(Stream,Char)) :-
    readable(Stream, In),
    get_char(In, Char).
file_goal(peek_char(Stream,Char)) :-
    readable(Stream, In),
    peek_char(In, Char).
file_goal(at_end_of_stream(Stream)) :-
    readable(Stream, In),
    peek_char(In, end_of_file).

                /*******************************
                *      opening and closing     *
                *******************************/

opened(Path0, Mode, Stream) :-
    path(Path0, Path),
    must_be_mode(Mode),
    (   Mode == read
    ->  contents(Path, Text),
        open_string(Text, Stream),
        set_stream(Stream, newline(posix)),
        set_stream(Stream, eof_action(eof_code)),
        assertz(input(Stream, Path)),
        assertz(unread(Stream, Text))
    ;   asked(Mode, open, Path, "", _),
        open_prolog_stream(hb_dml_files, write, Stream, []),
        assertz(output(Stream, Path))
    ).

must_be_new(Alias) :-
    (   \+ atom(Alias)
    ->  throw(error(type_error(atom, Alias), _))
    ;   ( alias(Alias, _) ; '$member'(Alias, [user_input,user_output,user_error,current_output]) )
    ->  throw(error(permission_error(open, source_sink, alias(Alias)), _))
    ;   true
    ).

must_be_mode(Mode) :-
    var(Mode),
    !,
    throw(error(instantiation_error, _)).
must_be_mode(Mode) :-
    '$member'(Mode, [read,write,append]),
    !.
must_be_mode(Mode) :-
    throw(error(domain_error(io_mode, Mode), _)).

path(Path, _) :-
    var(Path),
    !,
    throw(error(instantiation_error, _)).
path(Path, String) :-
    ( atom(Path) ; string(Path) ),
    !,
    atom_string(Path, String).
path(Path, _) :-
    throw(error(domain_error(source_sink, Path), _)).

%!  file_contents(+Path, -Text:string) is det.

file_contents(Path0, Text) :-
    path(Path0, Path),
    contents(Path, Text).

contents(Path, Text) :-
    asked(read, open, Path, "", Text).

%   asked(+Operation, +Action, +Path, +Text, -Value): Value is the reply of the host.  Its refusal
%   is thrown as an error.

asked(Operation, Action, Path, Text, Value) :-
    ask(file, object([operation=text(Operation), path=text(Path), text=text(Text)]), Reply),
    given(Reply, Action, Path, Value).

given(done(Value), _, _, Value).
given(late, _, _, true).
given(missing(Message), _, Path, _) :-
    atom_string(Name, Path),
    throw(error(existence_error(source_sink, Name), context(_, Message))).
given(refused(Message), Action, Path, _) :-
    atom_string(Name, Path),
    throw(error(permission_error(Action, source_sink, Name), context(_, Message))).

%   closed(+Stream): the file has existed since it was opened, so the new text is appended.

closed(Stream0) :-
    known(Stream0, Stream),
    retractall(alias(_, Stream)),
    (   retract(input(Stream, _))
    ->  retractall(unread(Stream, _)),
        retractall(current(Stream)),
        close(Stream)
    ;   retract(output(Stream, Path)),
        close(Stream),
        findall(Chunk, retract(chunk(Stream, Chunk)), Chunks),
        atomics_to_string(Chunks, Text),
        (   Text == ""
        ->  true
        ;   tell(file, object([operation=text(append), path=text(Path), text=text(Text)]), Reply),
            given(Reply, write, Path, _)
        )
    ).

:- public stream_write/2, stream_close/1.

stream_write(Stream, Text) :-
    assertz(chunk(Stream, Text)).

stream_close(_).

                /*******************************
                *            streams           *
                *******************************/

known(Stream, _) :-
    var(Stream),
    !,
    throw(error(instantiation_error, _)).
known(Alias, Stream) :-
    alias(Alias, Stream),
    !.
known(Stream, Stream) :-
    (   input(Stream, _)
    ;   output(Stream, _)
    ),
    !.
known(Stream, _) :-
    throw(error(existence_error(stream, Stream), _)).

readable(Stream0, Stream) :-
    known(Stream0, Stream),
    (   input(Stream, _)
    ->  true
    ;   throw(error(permission_error(input, stream, Stream), _))
    ).

%!  file_output(+Stream, -Own) is semidet.
%
%   Own is the stream of a file that a program writes, which the program calls Stream.

file_output(Stream0, Stream) :-
    nonvar(Stream0),
    (   alias(Stream0, Stream)
    ->  true
    ;   Stream = Stream0
    ),
    output(Stream, _),
    !.

                /*******************************
                *            terms             *
                *******************************/

read_current(Term, Options) :-
    (   current(In)
    ->  read_from(In, Term, Options)
    ;   Term = end_of_file
    ).

%   read_from(+In, -Term, +Options): supports only the options for names and variables.  Reads the
%   text with the operators of the program, and runs nothing in it.

read_from(In, Term, Options) :-
    (   retract(unread(In, Text))
    ->  check_text_depth(Text)
    ;   true
    ),
    read_term(In, Term0, [module(user), variable_names(Names0), variables(Variables0)]),
    (   option(variable_names(Names), Options)
    ->  Names = Names0
    ;   true
    ),
    (   option(variables(Variables), Options)
    ->  Variables = Variables0
    ;   true
    ),
    Term = Term0.

%   option(?Option, +Options) is semidet.

option(Option, Options) :-
    is_list(Options),
    '$member'(Option0, Options),
    nonvar(Option0),
    subsumes_term(Option, Option0),
    !,
    Option = Option0.

terms(In, Options, Terms) :-
    read_from(In, Term, Options),
    (   Term == end_of_file
    ->  Terms = []
    ;   Terms = [Term|Terms1],
        terms(In, Options, Terms1)
    ).

%   line(+In, -Line): Line is a string, or end_of_file.

line(In, Line) :-
    read_string(In, "\n", "\r", End, Text),
    (   End == -1,
        Text == ""
    ->  Line = end_of_file
    ;   Line = Text
    ).
