:- module(hb_dml_host,
          [ ask/3,                      % +Kind, +Json, -Reply
            ask/4,                      % +Kind, +At, +Json, -Reply
            tell/2,                     % +Kind, +Json
            tell/3,                     % +Kind, +Json, -Reply
            tell/4,                     % +Kind, +At, +Json, -Reply
            start_branch/0,
            branch/1,                   % -After
            number_requests/0,
            drain_events/1,             % -Events
            go_in/2                     % +Term, -Value
          ]).
:- use_module(text).
:- use_module('../query/undefined').

/** <module> Requests from a DML program to its host

The engine that the program runs in yields a request and fetches the reply, so that it
works the same under every control construct.
*/

:- dynamic told/1.                      % an event that could not be yielded

%!  ask(+Kind, +Json, -Reply) is det.
%!  ask(+Kind, +At, +Json, -Reply) is det.
%
%   Json is the question, for hb_reply; Reply is a term written by the host.  At is the offset of
%   the asking goal in the text of the program, in code points, or `null`.
%
%   @error undefined(Goals) if the request would rest on undefined goals.

ask(Kind, Json, Reply) :-
    ask(Kind, null, Json, Reply).

ask(Kind, At, Json, Reply) :-
    must_be_defined,
    flag(hb_dml_request, Id, Id+1),
    catch(yield_request(Kind, Id, At, Json), error(permission_error(execute, vmi, _), _),
          throw(error(permission_error(wait_for, host, Kind),
                      context(_, "a goal that SWI-Prolog calls from C, such as a cleanup that a cut starts, cannot ask a model, \c
                      a tool or the user")))),
    engine_fetch(Reply),
    b_setval(hb_dml_after, Id).

yield_request(Kind, Id, At, Json) :-
    statistics(inferences, Used),
    b_getval(hb_dml_after, After),
    engine_yield(request(Used, asked(Kind, Id, After, At, Json))).

%!  start_branch is det.
%
%   From here on every request tells the host the last request before it that was not undone by
%   backtracking, so that the host knows where the program went back.

start_branch :-
    b_setval(hb_dml_after, 0).

%!  branch(-After) is det.

branch(After) :-
    b_getval(hb_dml_after, After).

%!  number_requests is det.
%
%   Number requests from 1.

number_requests :-
    set_flag(hb_dml_request, 1).

%!  tell(+Kind, +Json) is det.
%
%   Report an event that wants no reply.

tell(Kind, Json) :-
    tell(Kind, Json, _).

%!  tell(+Kind, +Json, -Reply) is det.
%!  tell(+Kind, +At, +Json, -Reply) is det.
%
%   As ask/3 and ask/4.  A cleanup goal cannot yield: its event goes with the next request, and Reply is `late`.

tell(Kind, Json, Reply) :-
    tell(Kind, null, Json, Reply).

tell(Kind, At, Json, Reply) :-
    catch(yield_request(Kind, null, At, Json), error(permission_error(execute, vmi, _), _), Late = true),
    (   Late == true
    ->  assertz(told(asked(Kind, null, null, At, Json))),
        Reply = late
    ;   engine_fetch(Reply)
    ).

%!  drain_events(-Events) is det.
%
%   Events are those not yielded yet, as terms asked(Kind, Id, After, At, Json) like the requests.

drain_events(Events) :-
    findall(Event, retract(told(Event)), Events).

                /*******************************
                *            values            *
                *******************************/

%!  go_in(+Term, -Value) is det.
%
%   Value is what the host has written as Term: '$object'(Pairs) is a dict, '$parameter'(Key) the
%   value of that parameter.

go_in(Term, Term) :-
    \+ compound(Term),
    !.
go_in('$object'(Pairs0), Dict) :-
    !,
    go_in(Pairs0, Pairs),
    dict_pairs(Dict, dict, Pairs).
go_in('$parameter'(Key), Value) :-
    !,
    param(Key, Value).
go_in(Term0, Term) :-
    compound_name_arguments(Term0, Name, Args0),
    list_go_in(Args0, Args),
    compound_name_arguments(Term, Name, Args).

list_go_in([], []).
list_go_in([Term0|Terms0], [Term|Terms]) :-
    go_in(Term0, Term),
    list_go_in(Terms0, Terms).
