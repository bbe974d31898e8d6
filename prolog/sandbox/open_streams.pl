:- module(hb_open_streams,
          [ query_engine/1,             % -Engine
            owner/1,                    % -Owner
            own/3,                      % ?Owner, ?Stream, ?Kind
            alias/3,                    % ?Owner, ?Alias, ?Stream
            note_own/3,                 % +Owner, +Stream, +Kind
            note_alias/3,               % +Owner, +Alias, +Stream
            forget_own/1,               % +Stream
            named_own/3                 % +Name, -Stream, -Kind
          ]).

/** <module> Which streams untrusted code has open

They belong to the query that opens them, with the engines that it makes; nobody else can name them.
*/

                                        % Owner, Stream, Kind, the oldest first:
:- dynamic own/3,                       % `file`; `read`, of a list that is still being read; `text`; or `null`, which is written to
    alias/3.                            % Owner, Alias, Stream: of the program's own, not of SWI-Prolog

%!  query_engine(-Engine) is det.
%
%   The native engine of the query that runs here, or `main` for what is no query.

query_engine(Engine) :-
    (   nb_current(hb_owner, Owner)
    ->  Engine = Owner
    ;   system:engine_self(Engine)
    ->  true
    ;   Engine = main
    ).

%!  owner(-Owner) is det.
%
%   Whose a stream is that is opened now: all goals of a DML program share what they open.

owner(Owner) :-
    (   nb_current(hb_streams_of, Owner0)
    ->  Owner = Owner0
    ;   query_engine(Owner)
    ).

%!  note_own(+Owner, +Stream, +Kind) is det.
%!  note_alias(+Owner, +Alias, +Stream) is det.
%!  forget_own(+Stream) is det.

note_own(Owner, Stream, Kind) :-
    assertz(own(Owner, Stream, Kind)).

note_alias(Owner, Alias, Stream) :-
    assertz(alias(Owner, Alias, Stream)).

forget_own(Stream) :-
    retractall(own(_, Stream, _)),
    retractall(alias(_, _, Stream)).

%!  named_own(+Name, -Stream, -Kind) is semidet.
%
%   Untrusted code calls Stream, one of its own, Name.

named_own(Name, Stream, Kind) :-
    owner(Owner),
    (   atom(Name)
    ->  alias(Owner, Name, Stream0)
    ;   blob(Name, stream),
        Stream0 = Name
    ),
    own(Owner, Stream0, Kind),
    !,
    Stream = Stream0.
