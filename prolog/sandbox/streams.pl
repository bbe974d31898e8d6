:- module(hb_streams,
          [ open_text/4,                % +Name, +Text, +Options, -Stream
            open_document/3,            % +Path, +Options, -Stream
            keep_reading/1,             % +Stream
            is_short/1,                 % +Stream
            must_be_new_alias/1,        % +Alias
            stream_named/2,             % +Stream, -Named
            is_user_input/1,            % +Stream
            is_own_stream/1,            % +Stream
            current_streams/1,          % -Streams
            current_stream/1,           % -Stream
            check_nesting/1,            % +Stream
            close_streams/0,
            close_streams/1,            % +Owner
            is_users/1,                 % +Stream
            seen_file/2,                % +Name, -Stream
            note_seen/2,                % +Name, +Stream
            safe_open_string/2, safe_open_null_stream/1, safe_set_stream/2, safe_close/1, safe_close/2,
            safe_is_stream/1, safe_stream_property/2, safe_set_stream_position/2, safe_seek/4,
            safe_line_count/2, safe_line_position/2, safe_character_count/2, safe_byte_count/2
          ]).
:- use_module('../depth').
:- use_module('../limits', [limit_of/2]).
:- use_module('../capability').
:- use_module(documents).
:- use_module(open_options).
:- use_module(open_streams).
:- use_module(library(apply), [foldl/4]).

/** <module> Streams that untrusted code reads

Streams on documents and on texts.  They belong to the query that opens them, with the engines that it makes; nobody
else can name them, and they are closed when it ends.  The only other stream is user_input (hb_input).
*/

:- dynamic
    seen_file/3,                        % Owner, Name, Stream: opened by see/1
    contents/3,                         % Stream, File, Bytes: what it keeps alive
    nesting/2,                          % Stream, Levels: how deep the text nests
    unchecked/2.                        % Stream, Text: how deep it nests is not known yet

%   most_open(+Kind, -Count): a query that leaves more texts or lists open loses the oldest.

most_open(file, 1000).
most_open(read, 16).
most_open(text, 1000).
most_open(null, 100).

%   most_bytes(-Count): the most that the files of all open streams may have.

most_bytes(0x20000000).

                /*******************************
                *      opening and closing     *
                *******************************/

safe_open_string(Text, Stream) :-
    text_to_string(Text, String),
    owner(Owner),
    make_room(Owner, text),
    open_string(String, Opened),
    set_stream(Opened, newline(posix)),
    check_later(String, Opened),
    note_own(Owner, Opened, text),
    Stream = Opened.

safe_open_null_stream(Stream) :-
    owner(Owner),
    make_room(Owner, null),
    open_null_stream(Opened),
    note_own(Owner, Opened, null),
    Stream = Opened.

%   check_later(+Text, +Stream): how deep Text nests matters only if terms are read.

check_later(Text, Opened) :-
    string_length(Text, Length),
    limit_of(nesting, Most),
    (   Length =< Most
    ->  true
    ;   assertz(unchecked(Opened, Text))
    ).

%!  open_text(+Name, +Text:string, +Options, -Stream) is det.
%!  open_document(+Path, +Options, -Stream) is det.
%
%   Open the text of the file Name, or a document (hb_documents), for untrusted code.  Options are those of open/4.
%
%   @error permission_error(open, source_sink, alias(Alias)) if a stream has this name
%   @error resource_error(max_files) for more than 1,000 files, or 512 MiB, at the same time

open_text(Name, Text, Options, Stream) :-
    opening(Options, Owner, Aliases, Native),
    text_file(Text, hb_streams:open_file(File, Name, Native, Opened), File),
    check_later(Text, Opened),
    opened(Owner, Opened, Aliases, Stream).

open_document(Path, Options, Stream) :-
    opening(Options, Owner, Aliases, Native),
    document_file(Path, File, Nesting),
    open_file(File, Path, Native, Opened),
    assertz(nesting(Opened, Nesting)),
    opened(Owner, Opened, Aliases, Stream).

opening(Options, Owner, Aliases, Native) :-
    check_options(Options),
    owner(Owner),
    findall(Alias, ( '$member'(Option, Options), Option = alias(Alias) ), Aliases),
    forall('$member'(Alias, Aliases), must_be_new_alias(Alias)),
    native_options(Options, Native),
    make_room(Owner, file).

open_file(File, Name, Native, Opened) :-
    size_file(File, Bytes),
    (   contents(_, File, _)
    ->  true
    ;   findall(Other-Size, contents(_, Other, Size), Sizes0),
        sort(Sizes0, Sizes),
        foldl(add_size, Sizes, Bytes, Total),
        most_bytes(Most),
        Total > Most
    ->  too_many_open
    ;   true
    ),
    open(File, read, Opened, Native),
    set_stream(Opened, file_name(Name)),
    assertz(contents(Opened, File, Bytes)).

add_size(_-Size, Sum0, Sum) :-
    Sum is Sum0+Size.

opened(Owner, Opened, Aliases, Stream) :-
    note_own(Owner, Opened, file),
    forall('$member'(Alias, Aliases), note_alias(Owner, Alias, Opened)),
    (   Aliases = [Alias|_]
    ->  Stream = Alias
    ;   Stream = Opened
    ).

%!  keep_reading(+Stream) is det.
%
%   A list may still read from Stream, which no program closes.

keep_reading(Stream) :-
    (   own(Owner, Stream, file)
    ->  forget_own(Stream),
        make_room(Owner, read),
        note_own(Owner, Stream, read)
    ;   true
    ).

%!  is_short(+Stream) is semidet.
%
%   The file of Stream has at most 20,000 bytes.

is_short(Stream) :-
    contents(Stream, _, Bytes),
    Bytes =< 20000.

%!  must_be_new_alias(+Alias) is det.
%
%   @error permission_error(open, source_sink, alias(Alias)) if a stream has this name

must_be_new_alias(Alias) :-
    (   var(Alias)
    ->  throw(error(instantiation_error, _))
    ;   \+ atom(Alias)
    ->  throw(error(type_error(atom, Alias), _))
    ;   is_taken(Alias)
    ->  throw(error(permission_error(open, source_sink, alias(Alias)), _))
    ;   true
    ).

is_taken(Alias) :-
    '$member'(Alias, [user_input,user_output,user_error,user,current_input,current_output]),
    !.
is_taken(Alias) :-
    owner(Owner),
    alias(Owner, Alias, _),
    !.
is_taken(Alias) :-
    hb_capability:output_stream(Alias, _).

make_room(Owner, Kind) :-
    aggregate_all(count, own(Owner, _, Kind), Count),
    most_open(Kind, Most),
    (   Count < Most
    ->  true
    ;   Kind == file
    ->  too_many_open
    ;   own(Owner, Oldest, Kind)
    ->  close_own(Oldest)
    ).

too_many_open :-
    throw(error(resource_error(max_files), context(open/4, 'close/1 closes one'))).

close_own(Stream) :-
    forget_own(Stream),
    retractall(seen_file(_, _, Stream)),
    retractall(contents(Stream, _, _)),
    retractall(nesting(Stream, _)),
    retractall(unchecked(Stream, _)),
    catch(close(Stream), _, true).

%!  note_seen(+Name, +Stream) is det.
%!  seen_file(+Name, -Stream) is semidet.
%
%   see/1 has opened Stream for the file Name, and it is still open.

note_seen(Name, Stream) :-
    owner(Owner),
    assertz(seen_file(Owner, Name, Stream)).

seen_file(Name, Stream) :-
    owner(Owner),
    seen_file(Owner, Name, Stream),
    !.

%!  close_streams is det.
%!  close_streams(+Owner) is det.
%
%   Close the streams of goals that have ended: those of no query, or of the query whose engine is Owner.

close_streams :-
    close_streams(main).

close_streams(Owner) :-
    (   own(Owner, _, _)
    ->  forall(own(Owner, Stream, _), close_own(Stream))
    ;   true
    ).

safe_close(Stream) :-
    (   is_users(Stream)
    ->  true
    ;   stream_named(Stream, Named),
        close_own(Named)
    ).

safe_close(Stream, Options) :-
    check_options(Options),
    safe_close(Stream).

%   Of the properties of a stream, programs give one of their own another name.  The others are those of a system with
%   files, terminals and encodings of its own: they change nothing here.

safe_set_stream(Stream, Property) :-
    (   ( var(Stream) ; var(Property) )
    ->  throw(error(instantiation_error, _))
    ;   named_own(Stream, Named, _)
    ->  set_own(Property, Named)
    ;   ( is_users(Stream) ; own_output(Stream) )
    ->  (   is_set_without_effect(Property)
        ->  true
        ;   throw(error(permission_error(modify, stream, Stream), context(set_stream/2, _)))
        )
    ;   ( atom(Stream) ; blob(Stream, stream) )
    ->  throw(error(existence_error(stream, Stream), _))
    ;   throw(error(domain_error(stream_or_alias, Stream), _))
    ).

set_own(alias(Alias), Stream) :-
    !,
    must_be_new_alias(Alias),
    owner(Owner),
    note_alias(Owner, Alias, Stream).
set_own(Property, Stream) :-
    (   is_set_without_effect(Property),
        Property \= encoding(_)
    ->  true
    ;   throw(error(permission_error(modify, stream, Stream), context(set_stream/2, _)))
    ).

is_set_without_effect(Property) :-
    '$member'(Property, [ buffer(_), buffer_size(_), timeout(_), tty(_), close_on_abort(_), close_on_exec(_), encoding(_),
                          record_position(_), representation_errors(_) ]),
    !.

own_output(Stream) :-
    blob(Stream, stream),
    current_output(Stream).

                /*******************************
                *             names            *
                *******************************/

%!  is_user_input(+Stream) is semidet.

is_user_input(Stream) :-
    Stream == user_input.

%!  is_users(+Stream) is semidet.
%
%   Stream is one of whoever uses the client.

is_users(Stream) :-
    users(Stream, _, _),
    !.

%   users(+Stream, -Mode, -Direction)

users(Stream, Mode, Direction) :-
    nonvar(Stream),
    '$member'(users(Stream, Mode, Direction),
              [users(user_input, read, input), users(user_output, append, output), users(user_error, append, output)]).

%!  stream_named(+Stream, -Named) is det.
%
%   Named is the input stream that untrusted code calls Stream: user_input, or one of its own.
%
%   @error existence_error(stream, Stream)

stream_named(Stream, Named) :-
    (   var(Stream)
    ->  throw(error(instantiation_error, _))
    ;   own_stream(Stream, Named0)
    ->  Named = Named0
    ;   ( is_users(Stream) ; hb_capability:output_stream(Stream, _) )
    ->  throw(error(permission_error(input, stream, Stream), _))
    ;   ( atom(Stream) ; blob(Stream, stream) )
    ->  throw(error(existence_error(stream, Stream), _))
    ;   throw(error(domain_error(stream_or_alias, Stream), _))
    ).

%!  is_own_stream(+Stream) is semidet.
%
%   Untrusted code calls one of its own streams, or user_input, Stream.

is_own_stream(Stream) :-
    nonvar(Stream),
    own_stream(Stream, _).

own_stream(Stream, Named) :-
    (   is_user_input(Stream)
    ->  Named = Stream
    ;   Stream == current_input
    ->  current_stream(Named)
    ;   named_own(Stream, Named, _)
    ),
    !.

%!  current_streams(-Streams) is det.
%
%   The streams of see/1 and set_input/1, the last first.

current_streams(Streams) :-
    (   nb_current(hb_current_input, Streams0)
    ->  Streams = Streams0
    ;   Streams = []
    ).

%!  current_stream(-Stream) is det.
%
%   What is read without naming a stream: a stream that was closed is none.

current_stream(Stream) :-
    current_streams(Streams),
    (   Streams = [Current|_],
        is_own_stream(Current)
    ->  Stream = Current
    ;   Stream = user_input
    ).

safe_is_stream(Stream) :-
    nonvar(Stream),
    (   ( is_own_stream(Stream) ; is_users(Stream) )
    ->  true
    ;   blob(Stream, stream),
        is_stream(Stream),
        \+ own(_, Stream, _)
    ).

                /*******************************
                *           contents           *
                *******************************/

%!  check_nesting(+Stream) is det.
%
%   Terms will be read from Stream.
%
%   @error resource_error(nesting) if its brackets nest too deeply

check_nesting(Stream) :-
    (   nesting(Stream, Levels)
    ->  check_levels(Levels)
    ;   unchecked(Stream, Text)
    ->  check_text(Text),
        retractall(unchecked(Stream, _))
    ;   true
    ).

safe_stream_property(Stream, Property) :-
    must_be_property(Property),
    (   var(Stream)
    ->  owner(Owner),
        findall(Own, own(Owner, Own, _), Streams),
        (   '$member'(Stream, [user_input,user_output,user_error])
        ;   '$member'(Stream, Streams)
        )
    ;   true
    ),
    (   is_users(Stream)
    ->  users_property(Stream, Property)
    ;   stream_named(Stream, Named),
        property(Named, Property)
    ).

users_property(Stream, alias(Stream)).
users_property(Stream, mode(Mode)) :-
    users(Stream, Mode, _).
users_property(Stream, Direction) :-
    users(Stream, _, Direction).

must_be_property(Property) :-
    (   ( var(Property) ; callable(Property) )
    ->  true
    ;   throw(error(domain_error(stream_property, Property), _))
    ).

property(Stream, alias(Alias)) :-
    owner(Owner),
    alias(Owner, Alias, Stream).
property(Stream, Property) :-
    '$member'(Property, [ buffer(_), end_of_stream(_), encoding(_), eof_action(_), file_name(_), input, mode(_), newline(_),
                          output, position(_), reposition(_), type(_) ]),
    stream_property(Stream, Property).

safe_set_stream_position(Stream0, Position) :-
    stream_named(Stream0, Stream),
    (   is_user_input(Stream)
    ->  throw(error(permission_error(reposition, stream, Stream), _))
    ;   var(Position)
    ->  throw(error(instantiation_error, _))
    ;   Position = '$stream_position'(Char, Line, Column, Byte),
        forall('$member'(Count, [Char,Line,Column,Byte]), is_count(Count))
    ->  catch(set_stream_position(Stream, Position), error(existence_error(stream, _), _),
              throw(error(domain_error(stream_position, Position), _))),
        to_character(Stream)
    ;   throw(error(domain_error(stream_position, Position), _))
    ).

safe_seek(Stream0, Offset, Method, Location) :-
    stream_named(Stream0, Stream),
    (   is_user_input(Stream)
    ->  throw(error(permission_error(reposition, stream, Stream), _))
    ;   seek(Stream, Offset, Method, _),
        to_character(Stream),
        seek(Stream, 0, current, Location)
    ).

%   to_character(+Stream): a place inside a character of a text becomes the start of that character.

to_character(Stream) :-
    (   stream_property(Stream, encoding(utf8)),
        setup_call_cleanup(set_prolog_flag(stream_type_check, false),
                           peek_byte(Stream, Byte),
                           set_prolog_flag(stream_type_check, loose)),
        Byte >= 0x80,
        Byte < 0xC0
    ->  seek(Stream, -1, current, _),
        to_character(Stream)
    ;   true
    ).

is_count(Count) :-
    integer(Count),
    Count >= 0,
    Count =< 0x7fffffff.

%   Of user input nobody counts.

safe_line_count(Stream, Count)      :- counted(line_count, Stream, Count).
safe_line_position(Stream, Count)   :- counted(line_position, Stream, Count).
safe_character_count(Stream, Count) :- counted(character_count, Stream, Count).
safe_byte_count(Stream, Count)      :- counted(byte_count, Stream, Count).

counted(Name, Stream0, Count) :-
    stream_named(Stream0, Stream),
    (   is_user_input(Stream)
    ->  throw(error(permission_error(property, stream, Stream), _))
    ;   call(Name, Stream, Count)
    ).
