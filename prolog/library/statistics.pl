:- module(hb_statistics,
          [ time/1,                     % :Goal
            call_time/2,                % :Goal, -Time
            call_time/3                 % :Goal, -Time, -Result
          ]).

/** <module> What a goal takes

SWI-Prolog's library(statistics) takes off what its own way to run a goal costs; in this engine that costs less, and a
short goal took less than no inferences.
*/

:- meta_predicate
    time(0),
    call_time(0, -),
    call_time(0, -, -).

%!  time(:Goal) is nondet.
%
%   Run Goal and print what it took: for each answer, from the one before, and when it fails or throws.

time(Goal) :-
    measured(Goal, Time, End),
    Time = time{cpu:Cpu, inferences:Inferences, wall:Wall},
    (   Cpu =:= 0
    ->  Lips = 'Infinite'
    ;   Lips is integer(Inferences/Cpu)
    ),
    print_message(information, time(Inferences, Cpu, Wall, Lips)),
    (   End = threw(Ball)
    ->  throw(Ball)
    ;   End == true
    ).

%!  call_time(:Goal, -Time:dict) is nondet.
%!  call_time(:Goal, -Time:dict, -Result) is nondet.
%
%   Run Goal.  Time has what it took, by the keys `cpu`, `wall` (in seconds) and `inferences`.  Result is `false` when
%   Goal fails, else `true`; without it, the goal fails.

call_time(Goal, Time) :-
    call_time(Goal, Time, true).

call_time(Goal, Time, Result) :-
    measured(Goal, Time, End),
    (   End = threw(Ball)
    ->  throw(Ball)
    ;   Result = End
    ).

%   measured(:Goal, -Time, -End): End is true for an answer, false, or threw(Ball).

measured(Goal, Time, End) :-
    Begin = begin(0, 0, 0),
    begin(Begin),
    (   call_cleanup(catch(Goal, Ball, true), Det = true),
        statistics(inferences, Inferences),
        (   nonvar(Ball)
        ->  !,
            End = threw(Ball),
            taken(Begin, Inferences, 9, Time)
        ;   Det == true
        ->  !,
            End = true,
            taken(Begin, Inferences, 5, Time)
        ;   End = true,
            taken(Begin, Inferences, 4, Time)
        ;   begin(Begin),
            fail
        )
    ;   statistics(inferences, Inferences),
        End = false,
        taken(Begin, Inferences, 6, Time)
    ).

begin(Begin) :-
    get_time(Wall),
    statistics(cputime, Cpu),
    nb_setarg(1, Begin, Wall),
    nb_setarg(2, Begin, Cpu),
    statistics(inferences, Inferences),
    nb_setarg(3, Begin, Inferences).

%   taken(+Begin, +Inferences, +Own, -Time): what was taken since Begin, without the Own inferences that measuring takes,
%   which depends on how the goal ended.

taken(begin(Wall0, Cpu0, Inferences0), Inferences1, Own, time{cpu:Cpu, inferences:Inferences, wall:Wall}) :-
    statistics(cputime, Cpu1),
    get_time(Wall1),
    Inferences is max(0, Inferences1-Inferences0-Own),
    Cpu is Cpu1-Cpu0,
    Wall is Wall1-Wall0.
