:- module(hb_other_way,
          [ other_way/2                 % +Query, -Reason
          ]).
:- use_module('../sandbox/sandbox', [safe_body/2]).
:- use_module(again, [fails_safe/1]).
:- use_module(bounded, [may_run_again/1]).
:- use_module(inner_differences, [kind_difference/5]).
:- use_module(difference_text).
:- use_module(domains, [one_column/2]).
:- use_module(near_clauses, [kind_of_clause/3, other_column/4]).
:- use_module('../read/subterms', [sub_term_of/2]).
:- use_module(slip_contexts, [written_once/3]).
:- use_module(sorted_lists, [misled_by_order/3]).
:- use_module(stops, [below/3]).
:- use_module(tries).

/** <module> Tests that went the other way because of the kind of a value

A query has an answer, but a clause before the one that gave it stopped, or `\==` held, only because an atom was compared
with a string, capital with small letters, or an integer with a float; or a value was looked for in another column than its
own, so that nothing was collected.  Others held where they took for granted what was not so: that a list is sorted, that a
maximum is not given, that what a condition compares has values.
*/

%!  other_way(+Query, -Reason) is nondet.
%
%   Reason, Format-Terms, is about a test that went so when hb_failure:holds/2 ran Query.

other_way(Query, "~s held before its sides had values, and is false for them: move it behind the goals that give them, or write dif/2."-[A \== B]) :-
    held(A \== B, _, Ref),
    A == B,
    nonvar(A),
    below(Ref, asked(Query), Context),
    \+ tells_unbound(Context).
other_way(_, "~s holds: @ compares by the standard order, where text comes after numbers. number_string/2 and atom_number/2 give the number of ~s."-[Goal, Text]) :-
    held(Goal, _, _),
    number_text(Goal, Text),
    \+ beside_each_other(Goal).
other_way(Query, "~s holds: one side has ~s."-[Goal, text(Text)]) :-
    held(Goal, _, Ref),
    below(Ref, asked(Query), Context),
    \+ beside_each_other(Goal),
    Goal =.. [_,A,B],
    differs(A, B, Context, Text).
other_way(_, "~s finds no ~s: the list has ~s."-[Goal, A, text(Text)]) :-
    held(Goal, _, _),
    compound_name_arity(Goal, _, 3),
    differing(Goal, A, B),
    kind_difference(A, B, InA, InB, Slip),
    !,
    difference_text(Slip, InA, InB, Text).
other_way(_, "~s finds nothing: ~s is argument ~s of ~s."-[Goal, Value, text(Argument), Fact]) :-
    asked_inside(_, Collecting, _, _),
    collects(Collecting, Goal),
    callable(Goal),
    other_column(Goal, Value, Fact, J),
    arg(J, Goal, Other),
    var(Other),
    number_string(J, Argument).
other_way(_, "~s as a condition holds where it may hold, and then excludes the other branch: label before it, or write B #<==> (~s)."-[Goal, Goal]) :-
    held(if(Goal), _, _).
other_way(_, Reason) :-
    held(Goal, _, _),
    misled_by_order(held, Goal, Reason).
other_way(Query, Reason) :-
    held(retractall(Fact), _, Ref),
    below(Ref, asked(Query), Context),
    kind_of_clause(Fact, in(none, false, Context), Reason).
other_way(_, "~s holds because there is none: without an answer it takes the ~s that it is given. Use a variable, and compare after it."-[Goal, text(Which)]) :-
    asked_inside(_, Goal, _, _),
    Goal = aggregate_all(Spec, Inner, Given),
    nonvar(Given),
    nonvar(Spec),
    ( Spec = max(_), Which = "maximum" ; Spec = min(_), Which = "minimum" ),
    may_run_again(Inner),
    safe_body(Inner, Safe),
    fails_safe(Safe).
other_way(Query, Reason) :-
    tried(_, Try, Ref),
    stopped(Try, Goal, _, Why),
    below(Ref, asked(Query), Context),
    passed_over(Why, Goal, Context, Reason).

%   tells_unbound(+Context): the clause asks for unbound variables, and so means `\==` of them.

tells_unbound(Context) :-
    ( Context = in_body(_, Clause) -> true ; Context = asked(Clause) ),
    sub_term_of(Goal, Clause),
    nonvar(Goal),
    ( Goal = var(_) ; Goal = nonvar(_) ),
    !.

%   beside_each_other(+Goal): facts have both sides in one column, so that their kind tells them apart.

beside_each_other(Goal) :-
    Goal =.. [_,A,B],
    one_column(A, B).

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
