:- module(hb_dml_clock,
          [ start_clock/2,              % +Seed, +Readings
            seed_random/1,              % +Id
            get_time/1,                 % -Stamp
            statistics/2,               % +Key, -Value
            take_readings/1             % -Readings
          ]).

/** <module> The clock and the random numbers of a DML program

A recorded run must be repeatable: every reading of the clock is reported to the host, which returns
it when it replays the run, and the random numbers start from a seed of the host's.
*/

:- redefine_system_predicate(get_time(_)).
:- redefine_system_predicate(statistics(_,_)).

:- dynamic
    seed/1,
    given/1,                            % a reading to return, as text
    taken/1.                            % a reading to report, as text

%!  start_clock(+Seed, +Readings) is det.
%
%   Readings are the first readings of the clock, as texts of terms.

start_clock(Seed, Readings) :-
    retractall(seed(_)),
    assertz(seed(Seed)),
    retractall(given(_)),
    retractall(taken(_)),
    forall('$member'(Reading, Readings), assertz(given(Reading))).

%!  seed_random(+Id) is det.
%
%   Seed the random numbers of this engine.

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
%   Readings are the readings of the clock since the last call, without those that were given.

take_readings(Readings) :-
    findall(Reading, retract(taken(Reading)), Readings).
