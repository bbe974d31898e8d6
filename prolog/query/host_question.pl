:- module(hb_host_question,
          [ asks_host/1,                % +What
            ask_host/2                  % +Question, -Answer
          ]).
:- use_module('../store/restrictions', [must_be_first/0]).

/** <module> Questions to the host

A goal that asks the host ends the step of its query, which goes on with the answer.  What the goals of an engine may ask is in
the global variable hb_asks of the engine.
*/

%!  asks_host(+What) is semidet.
%
%   The engine of this goal may ask the host: a query for files and the rest, the goal of a directive for files only, what
%   is explained for linked data, sets and the predicates that the host answers, the node of a workflow for linked data, what
%   it may record of that, and sets, and the goal of a constraint for linked data only.

asks_host(What) :-
    nb_current(hb_asks, May),
    (   May == What
    ->  true
    ;   May == all
    ;   May == again,
        What \== host
    ;   May == explained,
        '$member'(What, [linked,sets,host])
    ;   May == node,
        '$member'(What, [linked,record,sets])
    ).

%!  ask_host(+Question, -Answer:string) is det.
%
%   Called where asks_host/1 holds.  The step ends with Question, a value for hb_reply, and goes on
%   when the host has answered it.  The engine gets no other request before.

ask_host(Question, Answer) :-
    must_be_first,
    catch(engine_yield('$ask'(Question)), error(permission_error(execute, vmi, _), _),
          throw(error(hornbook(message(permission_error,
                                       "A goal in transaction/1, snapshot/1 or a cleanup cannot ask the host: ask before it, and use the answer within.")), _))),
    engine_fetch(Told),
    (   Told = said(Answer0)
    ->  Answer = Answer0
    ;   Told = stop(What),
        throw('$hb_stop'(What))
    ).
