:- module(hb_other_way,
          [ other_way/2                 % +Query, -Reason
          ]).
:- use_module(differences, [kind_difference/5]).
:- use_module(difference_text).
:- use_module(near_clauses, [kind_of_clause/3, other_argument/5]).
:- use_module(slip_contexts, [written_once/3]).
:- use_module(stops, [below/3]).
:- use_module(tries).

/** <module> Tests that went the other way because of the kind of a value

A query has an answer, but a clause before the one that gave it stopped, or `\==` held, only because an atom was compared
with a string, capital with small letters, or an integer with a float; or a value was looked for in another column than its
own, so that nothing was collected.
*/

%!  other_way(+Query, -Reason) is nondet.
%
%   Reason, Format-Terms, is about a test that went so when hb_failure:holds/2 ran Query.

other_way(_, "~s held before its sides had values, and is false for them: move it behind the goals that give them, or write dif/2."-[A \== B]) :-
    held(A \== B, _, _),
    A == B.
other_way(_, "~s holds: @ compares by the standard order, where text comes after numbers. number_string/2 and atom_number/2 give the number of ~s."-[Goal, Text]) :-
    held(Goal, _, _),
    number_text(Goal, Text).
other_way(Query, "~s holds: one side has ~s."-[Goal, text(Text)]) :-
    held(Goal, _, Ref),
    below(Ref, asked(Query), Context),
    Goal =.. [_,A,B],
    differs(A, B, Context, Text).
other_way(Query, "~s finds nothing: ~s is argument ~s of ~s."-[Goal, Value, text(Argument), Fact]) :-
    asked_inside(_, Collecting, _, Ref),
    collects(Collecting, Goal),
    callable(Goal),
    below(Ref, asked(Query), Context),
    other_argument(Goal, in(none, false, Context), Value, Fact, J),
    number_string(J, Argument).
other_way(Query, Reason) :-
    tried(_, Try, Ref),
    stopped(Try, Goal, _, Why),
    below(Ref, asked(Query), Context),
    passed_over(Why, Goal, Context, Reason).

collects(findall(_, Goal, _), Goal).
collects(aggregate_all(_, Goal, _), Goal).

passed_over(kind(_), Goal, Context, "~s fails: one side has ~s."-[Goal, text(Text)]) :-
    ( Goal = (A=B) ; Goal = (A==B) ),
    differs(A, B, Context, Text).
passed_over(call(_, 0), Goal, Context, Reason) :-
    kind_of_clause(Goal, in(none, false, Context), Reason).

differs(A, B, Context, Text) :-
    kind_difference(A, B, InA, InB, Slip),
    written_once(InA, InB, Context),
    difference_text(Slip, InA, InB, Text).
