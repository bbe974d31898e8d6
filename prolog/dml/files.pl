:- module(hb_dml_files,
          [ file_predicate/2,           % ?Name, ?Arity
            file_goal/1,                % +Goal
            file_contents/2,            % +Path, -Text
            file_output/2               % +Stream, -Own
          ]).
:- use_module(library(prolog_stream), [open_prolog_stream/4]).
:- use_module(host).
:- use_module('../sandbox/files', [safe_open/4]).
:- use_module('../sandbox/open_options', [check_options/1]).
:- use_module('../sandbox/streams', [must_be_new_alias/1,safe_close/1]).

/** <module> Files of a DML program

The files belong to the host, in the folder of the run.  A file is read as a whole when it is opened (hb_files), and
written when it is closed.  The streams that a program writes are kept here.
*/

:- dynamic
    output/2,                           % Stream, Path
    alias/2,                            % Alias, Stream
    chunk/2.                            % Stream, Text: what was written

%!  file_predicate(?Name, ?Arity) is nondet.

file_predicate(Name, Arity) :-
    '$member'(Name/Arity, [ open/3, open/4, close/1, close/2, exists_file/1, access_file/2 ]).

%!  file_goal(+Goal) is semidet.

file_goal(open(Path,Mode,Stream)) :-
    file_goal(open(Path,Mode,Opened,[])),
    Stream = Opened.
file_goal(open(Path,Mode,Stream,Options)) :-
    (   '$member'(Write, [write,append]),
        Mode == Write
    ->  check_options(Options),
        findall(Alias, '$member'(alias(Alias), Options), Aliases),
        forall('$member'(Alias, Aliases), must_be_new_alias(Alias)),
        open_output(Path, Mode, Opened),
        forall('$member'(Alias, Aliases), assertz(alias(Alias, Opened))),
        (   Aliases = [Stream0|_]
        ->  Stream = Stream0
        ;   Stream = Opened
        )
    ;   Mode == update
    ->  throw(error(permission_error(open, source_sink, Path), context(open/4, 'Open it in the mode write or append')))
    ;   safe_open(Path, Mode, Opened, Options),
        Stream = Opened                 % its place is told: this frame stays
    ).
file_goal(close(Stream)) :-
    (   nonvar(Stream),
        file_output(Stream, Own)
    ->  close_output(Own)
    ;   safe_close(Stream)
    ).
file_goal(close(Stream,Options)) :-
    check_options(Options),
    file_goal(close(Stream)).
file_goal(exists_file(Path0)) :-
    path(Path0, Path),
    asked(exists, access, Path, "", true).
file_goal(access_file(Path,Mode)) :-
    (   var(Mode)
    ->  throw(error(instantiation_error, _))
    ;   Mode == none
    ->  true
    ;   '$member'(Mode, [read,exist])
    ->  file_goal(exists_file(Path))
    ;   '$member'(Mode, [write,append])
    ->  path(Path, _)
    ;   Mode == execute
    ->  fail
    ;   throw(error(domain_error(io_mode, Mode), _))
    ).

open_output(Path0, Mode, Stream) :-
    path(Path0, Path),
    asked(Mode, open, Path, "", _),
    open_prolog_stream(hb_dml_files, write, Stream, []),
    assertz(output(Stream, Path)).

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
    said(Message, Said),
    throw(error(existence_error(source_sink, Name), context(_, Said))).
given(refused(Message), Action, Path, _) :-
    atom_string(Name, Path),
    said(Message, Said),
    throw(error(permission_error(Action, source_sink, Name), context(_, Said))).

%   said(+Message, -Said): the sentence is part of another.

said(Message, Said) :-
    (   string_concat(Said, ".", Message)
    ->  true
    ;   Said = Message
    ).

%   close_output(+Stream): the file has existed since it was opened, so the new text is appended.

close_output(Stream) :-
    retractall(alias(_, Stream)),
    retract(output(Stream, Path)),
    close(Stream),
    findall(Chunk, retract(chunk(Stream, Chunk)), Chunks),
    atomics_to_string(Chunks, Text),
    (   Text == ""
    ->  true
    ;   tell(file, object([operation=text(append), path=text(Path), text=text(Text)]), Reply),
        given(Reply, write, Path, _)
    ).

:- public stream_write/2, stream_close/1.

stream_write(Stream, Text) :-
    assertz(chunk(Stream, Text)).

stream_close(_).

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
