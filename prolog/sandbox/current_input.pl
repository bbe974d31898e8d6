:- module(hb_current_input,
          [ see_file/2,                 % +Name, +Stream
            see_again/1,                % +Name
            safe_current_input/1, safe_set_input/1, safe_seeing/1, safe_seen/0
          ]).
:- use_module(streams).
:- use_module(open_streams, [own/3]).

/** <module> What is read without naming a stream

Each engine of a query has a current input of its own.
*/

safe_current_input(Stream) :-
    current_stream(Current),
    (   var(Stream)
    ->  Stream = Current
    ;   is_users(Stream)
    ->  Stream == Current
    ;   stream_named(Stream, Named),
        Named == Current
    ).

safe_set_input(Stream) :-
    stream_named(Stream, Named),
    (   own(_, Named, null)
    ->  throw(error(permission_error(input, stream, Stream), _))
    ;   true
    ),
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

%!  see_file(+Name, +Stream) is det.
%!  see_again(+Name) is semidet.
%
%   Stream, which see/1 has opened for the file Name, is read from until seen/0; then what was read before.  A file that
%   was not closed since is read on.

see_file(Name, Stream) :-
    note_seen(Name, Stream),
    current_streams(Streams),
    nb_setval(hb_current_input, [Stream|Streams]).

see_again(Name) :-
    seen_file(Name, Stream),
    safe_set_input(Stream).
