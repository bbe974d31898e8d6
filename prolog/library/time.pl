:- module(hb_time,
          [ call_with_time_limit/2,     % +Seconds, :Goal
            call_with_time_limit/3,     % +Seconds, :Goal, +Context
            sleep/1                     % +Seconds
          ]).
:- use_module('../limits').
:- use_module(library(error), [must_be/2]).

/** <module> Goals with a time limit

SWI-Prolog's library(time) for an engine without signals: the heartbeat of hb_limits looks at the clock.
It does not beat within built-in predicates.
*/

:- meta_predicate
    call_with_time_limit(+, 0),
    call_with_time_limit(+, 0, +).

%!  call_with_time_limit(+Seconds, :Goal) is semidet.
%!  call_with_time_limit(+Seconds, :Goal, +Context) is semidet.
%
%   As once(Goal), which may take Seconds.
%
%   @throws time_limit_exceeded, or time_limit_exceeded(Context)

call_with_time_limit(Seconds, Goal) :-
    within(Seconds, Goal, time_limit_exceeded).

call_with_time_limit(Seconds, Goal, Context) :-
    within(Seconds, Goal, time_limit_exceeded(Context)).

within(Seconds, Goal, Ball) :-
    must_be(number, Seconds),
    (   Seconds > 0
    ->  setup_call_cleanup(begin_limit(Seconds, Ball, Limit), once(Goal), end_limit(Limit))
    ;   pass_limit(Seconds, Ball)
    ).

%!  sleep(+Seconds) is det.
%
%   Succeed after Seconds, which count as time that the query takes.

sleep(Seconds) :-
    must_be(number, Seconds),
    get_time(Now),
    Until is Now+Seconds,
    repeat,
    get_time(Time),
    Time >= Until,
    !.
