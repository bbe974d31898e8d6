% Who works when: constraints say what must hold, and the search comes last.
% Each task has a length, some must wait for others, and one machine is shared.
%
% ?- schedule(Plan, End).
% ?- X #> 3, X #< 7.
% ?- X * X + Y * Y #= 625, 0 #< X, X #< Y, label([X, Y]).

:- use_module(library(clpfd)).

% task(Name, Hours, Needs the machine)
task(design,  3, no).
task(parts,   2, yes).
task(frame,   4, yes).
task(wiring,  3, no).
task(casting, 2, yes).
task(testing, 2, no).

before(design, parts).
before(design, frame).
before(parts, wiring).
before(frame, wiring).
before(casting, testing).
before(wiring, testing).

schedule(Plan, End) :-
    findall(Name, task(Name, _, _), Names),
    maplist([Name, Name-Start]>>(Start in 0..40), Names, Tasks),
    End in 0..40,
    forall_before(Tasks),
    maplist({End}/[Name-Start]>>( task(Name, Hours, _), Start + Hours #=< End ), Tasks),
    findall(Name, task(Name, _, yes), Machine),
    one_at_a_time(Machine, Tasks),
    pairs_values(Tasks, Starts),
    labeling([min(End)], [End|Starts]),
    maplist(planned, Tasks, Plan).

% Lists of what begins and ends are shown as a timeline.
planned(Name-Start, task(Name, Start, Stop)) :-
    task(Name, Hours, _),
    Stop is Start + Hours.

forall_before(Tasks) :-
    findall(A-B, before(A, B), Orders),
    maplist({Tasks}/[A-B]>>in_order(A, B, Tasks), Orders).

in_order(A, B, Tasks) :-
    memberchk(A-StartA, Tasks),
    memberchk(B-StartB, Tasks),
    task(A, Hours, _),
    StartA + Hours #=< StartB.

one_at_a_time([], _).
one_at_a_time([A|As], Tasks) :-
    maplist({A, Tasks}/[B]>>apart(A, B, Tasks), As),
    one_at_a_time(As, Tasks).

apart(A, B, Tasks) :-
    memberchk(A-StartA, Tasks),
    memberchk(B-StartB, Tasks),
    task(A, HoursA, _),
    task(B, HoursB, _),
    ( StartA + HoursA #=< StartB ) #\/ ( StartB + HoursB #=< StartA ).
