:- module(hb_dml_place,
          [ placed_goal/3,              % +Goal, +At, -Placed
            placed_safe/3,              % +Tied, +Goal, -Safe
            placed_written/2,           % +Placed, -Goal
            start_place/0,
            goals_place/1,              % -At
            take_written/1              % -At
          ]).
:- use_module('../sandbox/sandbox').
:- use_module('../functor').
:- use_module('../store/store').
:- use_module('../limits').
:- use_module(text).

/** <module> Places of goals in a DML program that have no text to be tied to

Concurrent goals, goals of the book, and goals that write are qualified with a module that is tied
to their place when the program is loaded (names.pl).
*/

%!  placed_goal(+Goal, +At, -Placed) is semidet.
%
%   Placed is Goal with its place, At, if goals like it report their place.

placed_goal(Module:Goal, At, Tied:Goal) :-
    Module == book,
    !,
    tie_text(book, none, [], At, Tied).
placed_goal(Goal, At, Tied:Goal) :-
    name_arity(Goal, Name, Arity),
    \+ own(Name, Arity),
    (   runs_at_once(Name, Arity)
    ->  Kind = at_once
    ;   writes(Name, Arity, Goal)
    ->  Kind = writes
    ),
    tie_text(Kind, none, [], At, Tied).

runs_at_once(concurrent_maplist, Arity) :-
    between(2, 5, Arity).
runs_at_once(first_solution, 3).

%   writes(+Name, +Arity, +Goal): Goal writes to the current output.

writes(Name, Arity, _) :-
    writing(Name, Arity),
    !.
writes(Name, Arity, Goal) :-
    Arity1 is Arity-1,
    writing(Name, Arity1),
    arg(1, Goal, Stream),
    ( Stream == user_output ; Stream == user_error ; Stream == current_output ),
    !.

writing(write, 1).
writing(writeln, 1).
writing(writeq, 1).
writing(print, 1).
writing(write_canonical, 1).
writing(write_term, 2).
writing(portray_clause, 1).
writing(format, 1).
writing(format, 2).
writing(put_char, 1).
writing(nl, 0).
writing(tab, 1).
writing(listing, 0).
writing(listing, 1).

%!  placed_safe(+Tied, +Goal, -Safe) is semidet.
%
%   Tied:Goal, as made by placed_goal/3, is called as Safe.

placed_safe(Tied, Goal, Safe) :-
    nonvar(Tied),
    tied_text(Tied, Kind, _, _, At),
    (   Kind == book
    ->  Safe = hb_dml_book:book(Goal, At)
    ;   Safe = hb_dml_place:Placed,
        Placed =.. [Kind,At,Safe0],
        safe_goal(Goal, Safe0)
    ).

%!  placed_written(+Placed, -Goal) is semidet.
%
%   Goal is what hb_dml_place:Placed was made from.

placed_written(Placed, Goal) :-
    Placed =.. [_,_,Safe],
    as_written(Safe, Goal).

                /*******************************
                *           at run time        *
                *******************************/

:- public at_once/2, writes/2.

at_once(At, Safe) :-
    b_getval(hb_dml_at, Before),
    b_setval(hb_dml_at, At),
    call(knowledge_base:Safe),
    b_setval(hb_dml_at, Before).

%!  start_place is det.
%
%   No goal of this engine has a place yet.

start_place :-
    b_setval(hb_dml_at, null).

%!  goals_place(-At) is det.
%
%   At is the place of the concurrent goals that are about to start, or null.

goals_place(At) :-
    b_getval(hb_dml_at, At).

%   Output is taken at the end of a step.  Its place is that of the first goal that wrote.

writes(At, Safe) :-
    (   get_flag(hb_dml_written, 0),
        current_output(Stream),
        output_stream(Stream)
    ->  Flag is At+1,
        set_flag(hb_dml_written, Flag)
    ;   true
    ),
    call(knowledge_base:Safe).

%!  take_written(-At) is det.
%
%   At is the place of the first goal that has written since the last call, or null.

take_written(At) :-
    get_flag(hb_dml_written, Flag),
    set_flag(hb_dml_written, 0),
    (   Flag == 0
    ->  At = null
    ;   At is Flag-1
    ).
