:- module(hb_reasons,
          [ nearest_reason/3,           % +Query, +Names, -Text
            inner_reason/3,             % +Query, +Names, -Text
            unbound_reason/3,           % +Names, +Answer, -Text
            other_way_reason/2,         % +Query, -Text
            open_reason/5,              % +Query, +Names, +Vars, +Answer, -Text
            cut_reason/2                % +Query, -Text
          ]).
:- use_module('../functor').
:- use_module('../depth', [written_depth/3]).
:- use_module('../shown_text', [cut_text/3]).
:- use_module('../store/store').
:- use_module('../read/subterms', [sub_term_of/2, occurs/2]).
:- use_module(tries, [tried/3, furthest/3, stopped/4, asked_inside/4, distance/2]).
:- use_module(answer, [name_variables/3, short_text/3]).
:- use_module(proof_nodes, [goal_text/2]).
:- use_module(again).
:- use_module(stops).
:- use_module(commits).
:- use_module(inside).
:- use_module(inner_differences, [inner_difference/5]).
:- use_module(text_differences, [text/1]).
:- use_module(goal_reasons).
:- use_module(near_clauses).
:- use_module(other_way).
:- use_module(passed_cuts).
:- use_module(swapped_texts).
:- use_module(left_open).
:- use_module(uncomputed).
:- use_module(library(lists), [nth1/3, list_to_set/2]).

/** <module> Reasons for which goals fail, as one sentence

Of what hb_failure has kept, the clearest reason.  Reasons that could be there by chance count only
where a single way led to the goal.
*/

%   The most characters of a goal that is quoted.

longest_goal(80).

%   More ways than this are a search, of which a single goal says little.

most_rows(30).

%!  nearest_reason(+Query, +Names, -Text:string) is semidet.
%
%   Text is the clearest reason why the goal Query failed when hb_failure:holds/2 ran it.  Names are
%   those of its variables.

nearest_reason(Query, Names, Text) :-
    findall(Rank-Text0,
            (   ranked(0, true, asked(Query), Names, Rank, Text0)
            ;   committed_query(Query, Commit),
                Rank = 6,
                string_concat(Commit, " the query has an answer.", Text0)
            ;   split_up(Query, Reason),
                Rank = 4,
                reason_text(Reason, [], [], Text0)
            ;   phrase_reason(Query, Rank, Reason),
                reason_text(Reason, [], [], Text0)
            ),
            Found0),
    sort(1, @>=, Found0, Found),
    (   Found = [Rank1-Text1|_],
        Rank1 > 6
    ->  Text = Text1
    ;   catch(slip_inside(asked(Query), Names, Text1), _, fail)
    ->  Text = Text1
    ;   Found = [Rank1-Text1|_],
        Rank1 > 3
    ->  Text = Text1
    ;   other_result(Names, Found, Text)
    ->  true
    ;   Found = [_-Text|_]
    ).

%!  inner_reason(+Query, +Names, -Text:string) is semidet.
%
%   Query has an answer, for which hb_failure:holds/2 came to a goal with another one inside that has none; Text is the slip
%   in that one.  What may well be meant counts only if it is written in the body of the goal.

inner_reason(Query, Names, Text) :-
    slip_inside(none(Query), Names, Text).

%!  other_way_reason(+Query, -Text:string) is semidet.
%
%   Query has an answer, and a test on the way to it went the other way because of the kind of a value.

other_way_reason(Query, Text) :-
    other_way(Query, Reason),
    !,
    reason_text(Reason, [], [], Text).

%!  open_reason(+Query, +Names, +Vars, +Answer, -Text:string) is semidet.
%
%   The Answer of Query, for its variables Vars, leaves open what was asked for: a variable that a negation or forall/2 has
%   left unbound, or an expression that nothing has computed.

open_reason(Query, Names, Vars, Answer, Text) :-
    (   left_open(Names, Answer, Reason)
    ->  true
    ;   uncomputed(Query, Names, Vars, Answer, Reason)
    ),
    reason_text(Reason, [], [], Text).

%!  unbound_reason(+Names, +Answer, -Text:string) is semidet.
%
%   A variable of the query has no value in its Answer, and aggregate_all/3 has looked for a maximum or minimum with it
%   inside.

unbound_reason(Names, Answer, Text) :-
    asked_inside(_, aggregate_all(Spec,Goal,_), Values, _),
    nonvar(Spec),
    ( Spec = max(Of), More = max(Of, Witness) ; Spec = min(Of), More = min(Of, Witness) ),
    nth1(I, Values, Witness),
    var(Witness),
    occurs(Witness, Goal),
    \+ occurs(Witness, Of),
    nth1(I, Answer, Value),
    var(Value),
    !,
    compound_name_arity(Spec, Which, _),
    reason_text("~s has no value: aggregate_all/3 with ~s(…) gives only the number, with ~s also ~s."-[Witness, text(Which), More, Witness], Names, Values, Text).

%   slip_inside(+Asked, +Names, -Text): a goal inside another one had no solution, by the slip that Text tells.

slip_inside(Asked, Names, Text) :-
    failed_inside(Try, Ref),
    (   Ref == query
    ->  arg(1, Asked, Query),
        Context = asked(Query)
    ;   Ref == none
    ->  Context = Asked
    ;   below(Ref, Asked, Context)
    ),
    findall(Rank-Text0, ( ranked(Try, true, inside(Context), Names, Rank, Text0), Rank > 6 ), Found0),
    sort(1, @>=, Found0, [_-Text|_]),
    !.

%   other_result(+Names, +Found, -Text) is semidet: the goal of the query that stopped it, of a rule of the user's, holds with
%   another argument, or with its arguments in another order.  What is known of a text that is not the last argument is
%   rather Found, the reasons of goals inside.

other_result(Names, Found, Text) :-
    furthest(0, _, 1),
    stopped(0, Goal, Values, call(_, _)),
    (   holds_swapped(Goal, Swapped)
    ->  Reason = "~s holds: the arguments are in another order."-[Swapped]
    ;   opened(Goal, General, Given, Results),
        \+ ( Found = [Rank-_|_], Rank =\= 3, text(Given), \+ last_argument(Goal, Given), \+ calls_itself(Goal) ),
        other_result_reason(Results, General, Given, Reason)
    ),
    reason_text(Reason, Names, Values, Text).

last_argument(Goal, Arg) :-
    compound_name_arity(Goal, _, Arity),
    arg(Arity, Goal, Last),
    Last == Arg.

other_result_reason([Result], General, Given, "~s gives ~s, not ~s~s"-[General, Result, Given, text(Advice)]) :-
    (   joined_lists(Given, Result)
    ->  Advice = ": append/3 joins lists."
    ;   inner_difference(Given, Result, _, _, value)
    ->  Advice = ": only `is` computes."
    ;   Advice = "."
    ).
other_result_reason([A,B], General, _, "~s gives only ~s and ~s."-[General, A, B]).

%   phrase_reason(+Query, -Rank, -Reason) is semidet: phrase/2 of the query failed, where phrase/3 leaves a rest of the list, or where
%   the grammar has only another list.

phrase_reason(Query, Rank, Reason) :-
    furthest(0, _, 1),
    stopped(0, Goal, _, call(_, _)),
    called_by_phrase(Goal, Query),
    compound_name_arguments(Goal, _, All),
    append_last(Args, End, All),
    append_last(_, List, Args),
    End == [],
    opened(Goal, _, Given, [Result]),
    (   Given == []
    ->  Result = [_|_],
        Result \== List,
        text_of_codes(Result, Rest),
        Rank = 7,
        Reason = "phrase/2 fails: ~s is left over (phrase/3 gives the rest)."-[Rest]
    ;   Given == List,
        text_of_codes(Result, Other),
        Rank = 5,
        Reason = "phrase/2 fails: the grammar takes ~s."-[Other]
    ).

text_of_codes(List, Text) :-
    (   ground(List),
        List = [Code|_],
        integer(Code),
        catch(string_codes(Text0, List), _, fail)
    ->  Text = Text0
    ;   Text = List
    ).

called_by_phrase(Goal, Query) :-
    compound(Goal),
    compound_name_arity(Goal, Name, Arity),
    BodyArity is Arity-2,
    sub_term_of(Phrase, Query),
    nonvar(Phrase),
    Phrase = phrase(Body, _),
    callable(Body),
    term_functor(Body, Name, BodyArity),
    !.

%   ranked(+Try, +Sole, +Context, +Names, -Rank, -Text) is nondet: Text is a reason for which the body Try
%   failed.  Sole is true if a single way led there.  Context is as in hb_stops.

ranked(Try, Sole0, Context, Names, Rank, Text) :-
    findall(stop(Goal, Values, Why), stopped(Try, Goal, Values, Why), Stops0),
    nearest_first(Stops0, Stops),
    ways(Sole0, Try, Sole),
    '$member'(stop(Goal0, Values, Why), Stops),
    unconstrained(Goal0, Goal),
    (   reason(Why, Goal, in(Try, Sole, Context), Rank, Reason),
        reason_text(Reason, Names, Values, Text)
    ;   Sole == true,
        Why = call(Call, Tries),
        gap(Call, Tries, Goal, Rank, Reason),
        reason_text(Reason, Names, Values, Text)
    ;   Why = call(Call, Tries),
        tried(Call, Below, Ref),
        below(Ref, Context, ContextBelow),
        (   Tries == 1
        ->  SoleBelow = Sole
        ;   SoleBelow = false
        ),
        ranked(Below, SoleBelow, ContextBelow, Names, Rank, Text)
    ).

%   ways(+Sole0, +Try, -Sole): Sole is as in hb_stops for the goals where Try stopped, Sole0 for its begin.

ways(true, Try, Sole) :-
    furthest(Try, _, Ways),
    most_rows(Most),
    Ways =< Most,
    !,
    (   Ways == 1
    ->  Sole = true
    ;   Sole = rows(Ways)
    ).
ways(rows(Count), _, rows(Count)) :-
    !.
ways(_, _, false).

%   nearest_first(+Stops0, -Stops): by the distance of the numbers that they compare, if all do.

nearest_first(Stops0, Stops) :-
    (   Stops0 = [_,_|_],
        distances(Stops0, Keyed0)
    ->  sort(1, @=<, Keyed0, Keyed),
        findall(Stop, '$member'(_-Stop, Keyed), Stops)
    ;   Stops = Stops0
    ).

distances([], []).
distances([stop(Goal, Values, Why)|Stops], [Distance-stop(Goal, Values, Why)|Keyed]) :-
    distance(Goal, Distance),
    distances(Stops, Keyed).

unconstrained(where(Goal, _), Goal) :-
    !.
unconstrained(Goal, Goal).

%   reason_text(+Reason, +Names, +Values, -Text): Reason is Format-Terms.

reason_text(Format-Terms, Names, Values, Text) :-
    copy_term_nat(Terms-Values, Copies-CopiedValues),
    name_variables(Names, CopiedValues, CopiedValues+Copies),
    quoted_terms(Copies, Texts),
    format(string(Text), Format, Texts).

quoted_terms([], []).
quoted_terms([Term|Terms], [Text|Texts]) :-
    (   var(Term)
    ->  short_text(Term, 1, Text)
    ;   Term = text(Text)
    ->  true
    ;   goal_text(Term, Text0),
        longest_goal(Longest),
        cut_text(Text0, Longest, Text)
    ),
    quoted_terms(Terms, Texts).

%   reason(+Why, +Goal, +In, -Rank, -Reason) is nondet: Goal, which was stopped for Why, fails for Reason.  In is
%   as in hb_stops.

reason(call(_, 0), Goal, In, Rank, Reason) :-
    clause_reason(Goal, In, Rank, Reason).
reason(call(Call, _), Goal, _, 6, "~s ~s holds."-[text(Commit), Instance]) :-
    committed(Call, Goal, Commit, Instance).
reason(call(Call, _), Goal, _, 6, "~s is unbound, and ~s ends at the cut and fail of its clause: bind it first."-[Var, Goal]) :-
    cut_and_fail(Call),
    term_variables(Goal, [Var|_]).
reason(holds(_), \+Goal, In, Rank, Reason) :-
    negation_reason(\+Goal, Goal, In, Rank, Reason).
reason(kind(Kind), Goal, In, Rank, Reason) :-
    Kind \== deep,
    Kind \== undefined,
    (   goal_reason(Goal, In, Rank0, Reason0)
    ->  Rank = Rank0,
        Reason = Reason0
    ;   at_one_place(In, first, Rows),
        callable(Goal),
        \+ fails_on_purpose(Goal)
    ->  Rank = 2,
        in_clause_text(In, Where),
        Reason = "~s fails~s~s."-[Goal, text(Where), text(Rows)]
    ).

%   gap(+Call, +Tries, +Goal, -Rank, -Reason) is semidet: each of the Tries clauses for Call, of Goal, stopped at a comparison.

gap(Call, Tries, Goal, 5, "~s~s false~s."-[text(Values), text(Are), text(Where)]) :-
    Tries > 1,
    false_tests(Call, Tries, Tests0, []),
    list_to_set(Tests0, Tests),
    length(Tests, Count),
    Count < 4,
    atomics_joined(Tests, Values),
    ( Tests = [_] -> Are = " is" ; Are = " are" ),
    term_functor(Goal, Name, Arity),
    hb_store:seen_indicator(Name/Arity, Seen),
    format(string(Where), " (in ~q)", [Seen]).

%   false_tests(+Call, +Tries, -Tests, ?Tail): the comparisons at which the clauses tried for Call stopped, as text.  One of
%   them may have called a goal of which that is so.

false_tests(Call, Tries, Tests, Tail) :-
    findall(Try, tried(Call, Try, _), All),
    length(All, Tries),
    phrase(stopped_at(All, Below), Values),
    (   Below == none
    ->  '$append'(Values, Tail, Tests)
    ;   Below = call(Inner, InnerTries),
        false_tests(Inner, InnerTries, Tests, Tail)
    ).

stopped_at([], Below) -->
    { ( var(Below) -> Below = none ; true ) }.
stopped_at([Try|Tries], Below) -->
    { findall(Goal-Why, stopped(Try, Goal, _, Why), [Goal-Why]) },
    (   { compared_values(Goal, Values) }
    ->  { written_depth(Values, 20, Levels),
          format(string(Text), "~W", [Values, [quoted(true), numbervars(true), max_depth(Levels)]])
        },
        [Text]
    ;   { var(Below), Why = call(_, _), Below = Why }
    ),
    stopped_at(Tries, Below).

atomics_joined(Texts, Text) :-
    '$append'(Before, [Last], Texts),
    (   Before == []
    ->  Text = Last
    ;   atomic_list_concat(Before, ', ', Begin),
        format(string(Text), "~w and ~w", [Begin,Last])
    ).

%   cut_and_fail(+Call) is semidet: the last clause tried for Call stopped at the `fail` behind its cut.

cut_and_fail(Call) :-
    findall(Try-Ref, tried(Call, Try, Ref), Tried),
    append_last(_, Last-LastRef, Tried),
    stopped(Last, Goal, _, _),
    '$member'(Goal, [fail,false]),
    clause(knowledge_base:_, Body, LastRef),
    cut_before_end(Body).

cut_before_end((A,B)) :-
    (   A == !
    ->  '$member'(B, [fail,false])
    ;   nonvar(B),
        cut_before_end(B)
    ).

fails_on_purpose(fail).
fails_on_purpose(false).
fails_on_purpose(_:_).
fails_on_purpose(_ \== _).
fails_on_purpose(aggregate_all(_,_,_)).

%!  cut_reason(+Query, -Text:string) is semidet.
%
%   Query is a ground goal that holds because its result was given before a cut.

cut_reason(Query, Text) :-
    past_cut(Query, General, Result),
    reason_text("~s gives only ~s: with the argument given, a clause with a cut did not match and a later one did. Unify results after the cut."-[General, Result], [], [], Text).
