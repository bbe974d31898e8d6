:- module(hb_dml_host,
          [ ask/2,                      % +Pairs, -Reply
            tell/1,                     % +Pairs
            tell/2,                     % +Pairs, -Reply
            start_branch/0,
            branch/1,                   % -After
            number_requests/0,
            take_told/1,                % -Events
            json_term/2,                % +Term, -Json
            go_in/2                     % +Term, -Value
          ]).
:- use_module(dml_text).

/** <module> What crosses between a DML program and its host

A request is yielded from the engine that the program runs in, and the reply
fetched, so that it means the same under every control construct.
*/

:- dynamic told/1.                      % an event that could not be yielded

%!  ask(+Pairs, -Reply) is det.
%
%   Reply is a term that the host has written.

ask(Pairs, Reply) :-
    Pairs = [kind=Kind|_],
    flag(hb_dml_request, Id, Id+1),
    catch(yield_request([id=Id|Pairs]), error(permission_error(execute, vmi, _), _),
          throw(error(permission_error(wait_for, host, Kind),
                      context(_, "a goal that SWI-Prolog calls from C, such as a cleanup that a cut starts, cannot ask a model, \c
                      a tool or the user")))),
    engine_fetch(Reply),
    b_setval(hb_dml_after, Id).

yield_request(Pairs) :-
    statistics(inferences, Used),
    b_getval(hb_dml_after, After),
    engine_yield(request(Used, json([after=After|Pairs]))).

%!  start_branch is det.
%
%   From here on the host is told, with every request, which request was the last before it that is not
%   undone: so it knows where the program went back.

start_branch :-
    b_setval(hb_dml_after, 0).

%!  branch(-After) is det.

branch(After) :-
    b_getval(hb_dml_after, After).

%!  number_requests is det.
%
%   Requests are numbered from 1.

number_requests :-
    set_flag(hb_dml_request, 1).

%!  tell(+Pairs) is det.
%
%   An event, of which no reply is wanted.

tell(Pairs) :-
    tell(Pairs, _).

%!  tell(+Pairs, -Reply) is det.
%
%   As ask/2, but a cleanup goal cannot yield: what it tells goes with the next request, and Reply is then
%   `late`.

tell(Pairs, Reply) :-
    catch(yield_request(Pairs), error(permission_error(execute, vmi, _), _), Late = true),
    (   Late == true
    ->  assertz(told(json(Pairs))),
        Reply = late
    ;   engine_fetch(Reply)
    ).

%!  take_told(-Events) is det.
%
%   The events that have not been yielded.

take_told(Events) :-
    findall(Event, retract(told(Event)), Events).

                /*******************************
                *            values            *
                *******************************/

%!  json_term(+Term, -Json) is det.
%
%   Json is for hb_reply:json_string/2: lists and dicts as they are, atoms and strings as
%   strings but for true, false and null, other compounds as their text.

json_term(Var, null) :-
    var(Var),
    !.
json_term(Integer, Json) :-
    integer(Integer),
    !,
    (   abs(Integer) < 9007199254740992
    ->  Json = Integer
    ;   format(string(Json), "~d", [Integer])
    ).
json_term(Float, Json) :-
    float(Float),
    !,
    float_class(Float, Class),
    (   ( Class == nan ; Class == infinite )
    ->  format(string(Json), "~w", [Float])
    ;   Json = Float
    ).
json_term([], []) :-
    !.
json_term(Text, Text) :-
    ( atom(Text) ; string(Text) ),
    !.
json_term(Dict, json(Pairs)) :-
    is_dict(Dict),
    !,
    dict_pairs(Dict, _, Pairs0),
    findall(Key-Json, ( '$member'(Key-Value, Pairs0), json_term(Value, Json) ), Pairs).
json_term(List, Json) :-
    is_list(List),
    !,
    json_terms(List, Json).
json_term(Term, Text) :-
    format(string(Text), "~W", [Term, [quoted(true), numbervars(true), cycles(true), max_depth(1000)]]).

json_terms([], []).
json_terms([Term|Terms], [Json|Jsons]) :-
    json_term(Term, Json),
    json_terms(Terms, Jsons).

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
