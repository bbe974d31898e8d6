:- module(hb_streams,
          [ open_text/3,                % +Text, +Options, -Stream
            open_document/3,            % +Path, +Options, -Stream
            check_options/1,            % +Options
            must_be_new_alias/1,        % +Alias
            stream_named/2,             % +Stream, -Named
            is_user_input/1,            % +Stream
            is_own_stream/1,            % +Stream
            check_nesting/1,            % +Stream
            begin_unread_stream/1,      % +Stream
            current_stream/1,           % -Stream
            close_streams/0,
            close_streams/1,            % +Owner
            safe_open_string/2, safe_close/1, safe_close/2,
            safe_current_input/1, safe_set_input/1, safe_seeing/1, safe_seen/0,
            safe_is_stream/1, safe_stream_property/2, safe_set_stream_position/2,
            safe_line_count/2, safe_line_position/2, safe_character_count/2, safe_byte_count/2
          ]).
:- use_module('../depth').
:- use_module('../limits', [limit_of/2]).
:- use_module('../capability').
:- use_module(documents).
:- use_module(coroutines, [query_engine/1]).

/** <module> Streams that untrusted code reads

Streams on documents and on texts.  They belong to the query that opens them, with the engines that it makes; nobody
else can name them, and they are closed when it ends.  The only other stream is user_input (hb_input).
*/

:- dynamic
    own/3,                              % Owner, Stream, Kind (document or text), the oldest first
    alias/3,                            % Owner, Alias, Stream: of the program's own, not of SWI-Prolog
    nesting/2,                          % Stream, Levels: how deep the text nests
    unchecked/2.                        % Stream, Text: how deep it nests is not known yet

%   most_open(+Kind, -Count): a query that leaves more texts open loses the oldest.

most_open(document, 1000).
most_open(text, 64).

                /*******************************
                *      opening and closing     *
                *******************************/

safe_open_string(Text, Stream) :-
    text_to_string(Text, String),
    open_text(String, [], Opened),
    Stream = Opened.

%!  open_text(+Text:string, +Options, -Stream) is det.
%!  open_document(+Path, +Options, -Stream) is det.
%
%   Open a text, or a document (hb_documents), for untrusted code.  Options are those of open/4.
%
%   @error permission_error(open, source_sink, alias(Alias)) if a stream has this name
%   @error resource_error(max_files) for more than 1,000 documents at the same time

open_text(Text, Options, Stream) :-
    opening(text, Options, Owner, Aliases, Native),
    open_string(Text, Opened),
    set_stream(Opened, newline(posix)),
    forall(( '$member'(Option, Native), text_option(Option) ), set_stream(Opened, Option)),
    string_length(Text, Length),
    limit_of(nesting, Most),
    (   Length =< Most
    ->  true
    ;   assertz(unchecked(Opened, Text))
    ),
    opened(Owner, Opened, text, Aliases, Stream).

text_option(eof_action(_)).

open_document(Path, Options, Stream) :-
    opening(document, Options, Owner, Aliases, Native),
    document_file(Path, File, Nesting),
    open(File, read, Opened, Native),
    set_stream(Opened, file_name(Path)),
    assertz(nesting(Opened, Nesting)),
    opened(Owner, Opened, document, Aliases, Stream).

opening(Kind, Options, Owner, Aliases, Native) :-
    check_options(Options),
    owner(Owner),
    findall(Alias, ( '$member'(Option, Options), Option = alias(Alias) ), Aliases),
    forall('$member'(Alias, Aliases), must_be_new_alias(Alias)),
    findall(Own, ( '$member'(Option, Options), native(Option, Own) ), Native0),
    encoded(Native0, Native),
    make_room(Owner, Kind).

opened(Owner, Opened, Kind, Aliases, Stream) :-
    assertz(own(Owner, Opened, Kind)),
    forall('$member'(Alias, Aliases), assertz(alias(Owner, Alias, Opened))),
    (   Aliases = [Alias|_]
    ->  Stream = Alias
    ;   Stream = Opened
    ).

%!  check_options(+Options) is det.
%
%   Options can be those of open/4: as there, it does not matter what it does not know.

check_options(Options) :-
    (   is_list(Options)
    ->  true
    ;   ground(Options)
    ->  throw(error(type_error(list, Options), _))
    ;   throw(error(instantiation_error, _))
    ),
    forall('$member'(Option, Options), must_be_option(Option)).

must_be_option(Option) :-
    (   var(Option)
    ->  throw(error(instantiation_error, _))
    ;   compound(Option)
    ->  true
    ;   throw(error(type_error(option, Option), _))
    ).

%   native(+Option, -Own): a text is characters, whatever its encoding was on a disk.

native(type(Type), type(Type)).
native(bom(Bool), bom(Bool)).
native(eof_action(Action), eof_action(Action)).
native(newline(Mode), newline(Mode)).
native(encoding(Encoding), type(binary)) :-
    Encoding == octet.

encoded(Options, Coded) :-
    (   '$member'(Option, Options),
        Option == type(binary)
    ->  Coded = Options
    ;   Coded = [encoding(utf8)|Options]
    ).

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
    '$member'(Alias, [user_input,user_output,user_error,user]),
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
    ;   Kind == text
    ->  own(Owner, Oldest, Kind),
        !,
        close_own(Oldest)
    ;   throw(error(resource_error(max_files), context(open/4, 'close/1 closes one')))
    ).

close_own(Stream) :-
    retractall(own(_, Stream, _)),
    retractall(alias(_, _, Stream)),
    retractall(nesting(Stream, _)),
    retractall(unchecked(Stream, _)),
    catch(close(Stream), _, true).

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

%   owner(-Owner): all goals of a DML program share what they open.

owner(Owner) :-
    (   nb_current(hb_streams_of, Owner0)
    ->  Owner = Owner0
    ;   query_engine(Owner)
    ).

safe_close(Stream0) :-
    stream_named(Stream0, Stream),
    (   is_user_input(Stream)
    ->  true
    ;   close_own(Stream)
    ).

safe_close(Stream, Options) :-
    check_options(Options),
    safe_close(Stream).

                /*******************************
                *             names            *
                *******************************/

%!  is_user_input(+Stream) is semidet.

is_user_input(Stream) :-
    Stream == user_input.

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
    ;   '$member'(Stream, [user_output,user_error])
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
    ;   owner(Owner),
        (   atom(Stream)
        ->  alias(Owner, Stream, Named)
        ;   blob(Stream, stream),
            own(Owner, Stream, _),
            Named = Stream
        )
    ),
    !.

safe_is_stream(Stream) :-
    nonvar(Stream),
    (   is_own_stream(Stream)
    ->  true
    ;   '$member'(Stream, [user_output,user_error])
    ->  true
    ;   blob(Stream, stream),
        is_stream(Stream),
        \+ own(_, Stream, _)
    ).

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
        own_stream(Current, _)
    ->  Stream = Current
    ;   Stream = user_input
    ).

safe_current_input(Stream) :-
    current_stream(Current),
    (   var(Stream)
    ->  Stream = Current
    ;   stream_named(Stream, Named),
        Named == Current
    ).

safe_set_input(Stream) :-
    stream_named(Stream, Named),
    current_streams(Streams0),
    (   Streams0 = [_|Streams]
    ->  true
    ;   Streams = []
    ),
    nb_setval(hb_current_input, [Named|Streams]).

safe_seeing(Stream) :-
    current_stream(Current),
    (   is_user_input(Current)
    ->  Stream = user
    ;   Stream = Current
    ).

safe_seen :-
    current_stream(Current),
    safe_close(Current),
    current_streams(Streams0),
    (   Streams0 = [_|Streams]
    ->  nb_setval(hb_current_input, Streams)
    ;   true
    ).

%!  begin_unread_stream(+Stream) is det.
%
%   Stream, which see/1 has opened, is read from until seen/0; then what was read before.

begin_unread_stream(Stream) :-
    current_streams(Streams),
    nb_setval(hb_current_input, [Stream|Streams]).

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
    ->  check_text_depth(Text),
        retractall(unchecked(Stream, _))
    ;   true
    ).

safe_stream_property(Stream, Property) :-
    (   nonvar(Stream)
    ->  stream_named(Stream, Named),
        Named \== user_input
    ;   owner(Owner),
        findall(Own, own(Owner, Own, _), Streams),
        '$member'(Named, Streams),
        Stream = Named
    ),
    must_be_property(Property),
    property(Named, Property).

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
                          position(_), reposition(_), type(_) ]),
    stream_property(Stream, Property).

safe_set_stream_position(Stream0, Position) :-
    stream_named(Stream0, Stream),
    (   is_user_input(Stream)
    ->  throw(error(permission_error(reposition, stream, Stream), _))
    ;   var(Position)
    ->  throw(error(instantiation_error, _))
    ;   Position = '$stream_position'(Char, Line, Column, Byte),
        forall('$member'(Count, [Char,Line,Column,Byte]), is_count(Count))
    ->  set_stream_position(Stream, Position)
    ;   throw(error(domain_error(stream_position, Position), _))
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
