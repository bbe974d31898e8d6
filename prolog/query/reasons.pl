:- module(hb_reasons,
          [ nearest_reason/3,           % +Query, +Names, -Text
            inner_reason/3,             % +Query, +Names, -Text
            unbound_reason/3,           % +Names, +Answer, -Text
            cut_reason/2                % +Query, -Text
          ]).
:- use_module('../functor').
:- use_module('../store/store').
:- use_module('../read/subterms', [sub_term_of/2, occurs/2]).
:- use_module(tries, [tried/3, furthest/3, stopped/4, asked_inside/4]).
:- use_module(answer, [name_variables/3, short_text/3]).
:- use_module(proof_nodes, [goal_text/2]).
:- use_module(again).
:- use_module(stops).
:- use_module(commits).
:- use_module(inside).
:- use_module(differences, [inner_difference/5]).
:- use_module(goal_reasons).
:- use_module(near_clauses).
:- use_module(library(lists), [nth1/3]).

/** <module> Reasons for which goals fail, as one sentence

Of what hb_failure has kept, the clearest reason.  Reasons that could be there by chance count only
where a single way led to the goal.
*/

%   The most characters of a goal that is quoted.

longest_goal(80).

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
    ;   other_result(Names, Text)
    ->  true
    ;   Found = [_-Text|_]
    ).

%!  inner_reason(+Query, +Names, -Text:string) is semidet.
%
%   Query has an answer, for which hb_failure:holds/2 came to a goal with another one inside that has none; Text is the slip
%   in that one.  What may well be meant counts only if it is written in the body of the goal.

inner_reason(Query, Names, Text) :-
    slip_inside(none(Query), Names, Text).

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

%   below(+Ref, +Context0, -Context): Context has what is written in the clause Ref, too.

below(Ref, Context, in_body(Context, Head-Body)) :-
    clause(knowledge_base:Head, Body, Ref),
    !.
below(_, Context, Context).

%   other_result(+Names, -Text) is semidet: the goal of the query that stopped it, of a rule of the user's, holds with
%   another argument, or with its arguments in another order.

other_result(Names, Text) :-
    furthest(0, _, 1),
    stopped(0, Goal, Values, call(_, _)),
    (   holds_swapped(Goal, Swapped)
    ->  Reason = "~s holds: the arguments are in another order."-[Swapped]
    ;   opened(Goal, General, Given, Results),
        other_result_reason(Results, General, Given, Reason)
    ),
    reason_text(Reason, Names, Values, Text).

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
    findall(stop(Goal, Values, Why), stopped(Try, Goal, Values, Why), Stops),
    (   Sole0 == true,
        Stops = [_],
        furthest(Try, _, 1)
    ->  Sole = true
    ;   Sole = false
    ),
    '$member'(stop(Goal0, Values, Why), Stops),
    unconstrained(Goal0, Goal),
    (   reason(Why, Goal, in(Try, Sole, Context), Rank, Reason),
        reason_text(Reason, Names, Values, Text)
    ;   Why = call(Call, Tries),
        tried(Call, Below, Ref),
        below(Ref, Context, ContextBelow),
        (   Sole == true,
            Tries == 1
        ->  SoleBelow = true
        ;   SoleBelow = false
        ),
        ranked(Below, SoleBelow, ContextBelow, Names, Rank, Text)
    ).

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
        string_length(Text0, Length),
        (   Length > Longest
        ->  sub_string(Text0, 0, Longest, _, Begin),
            string_concat(Begin, "…", Text)
        ;   Text = Text0
        )
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
    ;   inner(In),
        callable(Goal),
        \+ fails_on_purpose(Goal)
    ->  Rank = 2,
        in_clause_text(In, Where),
        Reason = "~s fails~s."-[Goal, text(Where)]
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
%   Query is a ground goal that holds because a clause with a cut was passed over.

cut_reason(Query, Text) :-
    passed_over(Query, General, Results),
    reason_text("~s has only the answers ~s: with the argument given, a clause with a cut did not match and a later one did. Unify results after the cut."-[General, Results], [], [], Text).
