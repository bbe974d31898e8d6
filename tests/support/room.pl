:- module(tally,
          [ tally/1,                    % +Name
            tallied/2                   % +Name, :Goal
          ]).
:- use_module('../capability').

/** <module> A capability for tests/node/capability.test.mjs: counting
*/

:- dynamic count/2.                     % Name, Count

tally(Name) :-
    (   retract(count(Name, Count0))
    ->  true
    ;   Count0 = 0
    ),
    Count is Count0+1,
    assertz(count(Name, Count)).

:- meta_predicate tallied(+, 0).

tallied(Name, Goal) :-
    tally(Name),
    call(Goal).

:- multifile
    hb_capability:request/3,
    hb_capability:word/1,
    hb_capability:class/4.

hb_capability:request(tallies(Names), [tallies=Counts], Parts) :-
    findall(Count, ( '$member'(Name, Names), ( count(Name, Count0) -> Count = Count0 ; Count = 0 ) ), Counts),
    findall(text(Name), '$member'(Name, Names), Parts).

hb_capability:word(tallies).

hb_capability:class(tally, tally, 1, offered(tally)).
hb_capability:class(tally, tallied, 2, offered(tally, tallied(+,0))).
