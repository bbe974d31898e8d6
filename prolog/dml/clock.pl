:- module(hb_dml_clock,
          [ start_clock/2,              % +Seed, +Readings
            seed_random/1,              % +Id
            get_time/1,                 % -Stamp
            statistics/2,               % +Key, -Value
            take_readings/1             % -Readings
          ]).

/** <module> The clock and the random numbers of a DML program

A recorded run must be able to come again: what the clock says is told to the
host, which says it again when it replays the run, and the random numbers
begin with a seed of the host's.
*/

:- redefine_system_predicate(get_time(_)).
:- redefine_system_predicate(statistics(_,_)).

:- dynamic
    seed/1,
    given/1,                            % a reading to come, as text
    taken/1.                            % a reading to be told, as text

%!  start_clock(+Seed, +Readings) is det.
%
%   Readings are texts of terms, which the clock says first.

start_clock(Seed, Readings) :-
    retractall(seed(_)),
    assertz(seed(Seed)),
    retractall(given(_)),
    retractall(taken(_)),
    forall('$member'(Reading, Readings), assertz(given(Reading))).

%!  seed_random(+Id) is det.
%
%   Begin the random numbers of this engine.

seed_random(Id) :-
    (   seed(Seed)
    ->  Mine is Seed+Id,
        set_random(seed(Mine))
    ;   true
    ).

get_time(Stamp) :-
    reading(system:get_time(Stamp0), Stamp0),
    Stamp = Stamp0.

statistics(Key, Value) :-
    reading(system:statistics(Key, Value0), Value0),
    Value = Value0.

reading(Goal, Value) :-
    (   retract(given(Text))
    ->  term_string(Value, Text, [module(system)])
    ;   call(Goal),
        format(string(Text), "~q", [Value]),
        assertz(taken(Text))
    ).

%!  take_readings(-Readings) is det.
%
%   What the clock has said since the last call, but for what was given.

take_readings(Readings) :-
    findall(Reading, retract(taken(Reading)), Readings).
