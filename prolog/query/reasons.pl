:- module(hb_reasons,
          [ nearest_reason/3,           % +Query, +Names, -Text
            cut_reason/2                % +Query, -Text
          ]).
:- use_module('../functor').
:- use_module('../sandbox/sandbox').
:- use_module('../store/store').
:- use_module(failure, [tried/3, furthest/3, stopped/4]).
:- use_module(answer, [name_variables/3]).
:- use_module(proof, [goal_text/2]).
:- use_module(again, [passed_over/3, replaced/4]).
:- use_module(differences).
:- use_module(stops).
:- use_module(commits).
:- use_module(goal_reasons).
:- use_module(nearest, [most_compared/1]).
:- use_module(library(solution_sequences), [limit/2]).

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
            (   ranked(0, true, Query, Names, Rank, Text0)
            ;   committed_query(Query, Commit),
                Rank = 6,
                string_concat(Commit, " the query has an answer.", Text0)
            ),
            Found0),
    sort(1, @>=, Found0, [_-Text|_]).

%   ranked(+Try, +Sole, +Query, +Names, -Rank, -Text) is nondet: Text is a reason for which the body Try
%   failed.  Sole is true if a single way led there.

ranked(Try, Sole0, Query, Names, Rank, Text) :-
    findall(stop(Goal, Values, Why), stopped(Try, Goal, Values, Why), Stops),
    (   Sole0 == true,
        Stops = [_],
        furthest(Try, _, 1)
    ->  Sole = true
    ;   Sole = false
    ),
    '$member'(stop(Goal0, Values, Why), Stops),
    unconstrained(Goal0, Goal),
    (   reason(Why, Goal, in(Try, Sole, Query), Rank, Reason),
        reason_text(Reason, Names, Values, Text)
    ;   Why = call(Call, Tries),
        tried(Call, Below, _),
        (   Sole == true,
            Tries == 1
        ->  SoleBelow = true
        ;   SoleBelow = false
        ),
        ranked(Below, SoleBelow, Query, Names, Rank, Text)
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
    (   Term = text(Text)
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
%   in(Try, Sole, Query).

reason(call(_, 0), Goal0, In, Rank, Reason) :-
    hb_store:meant_goal(Goal0, Goal),
    (   nearest_head(Goal, In, Head, Slips)
    ->  Rank = 9,
        differences_text(Slips, Differences),
        Reason = "~s has ~s."-[Head, text(Differences)]
    ;   no_clause_for_nil(Goal, PI)
    ->  Rank = 8,
        Reason = "~s has no clause for []: a recursion over a list needs one."-[PI]
    ;   other_argument(Goal, In, Value, Fact, J)
    ->  Rank = 7,
        number_string(J, Argument),
        Reason = "~s is argument ~s of ~s."-[Value, text(Argument), Fact]
    ;   letter_for_variable(Goal, Head, Letter)
    ->  Rank = 6,
        Reason = "~s has the atom ~s: variables begin with a capital letter."-[Head, Letter]
    ;   word_for_variable(Goal, In, Word, Variable)
    ->  Rank = 6,
        Reason = "~s is an atom: a variable begins with a capital letter, ~s."-[Word, text(Variable)]
    ;   only_fact_beside(Goal, In, Fact)
    ->  Rank = 3,
        Reason = "The nearest fact is ~s."-[Fact]
    ;   inner(In)
    ->  Rank = 1,
        Reason = "No clause matches ~s."-[Goal]
    ).
reason(call(Call, _), Goal, _, 6, "~s ~s holds."-[text(Commit), Instance]) :-
    committed(Call, Goal, Commit, Instance).
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

fails_on_purpose(fail).
fails_on_purpose(false).
fails_on_purpose(_:_).

%!  cut_reason(+Query, -Text:string) is semidet.
%
%   Query is a ground goal that holds because a clause with a cut was passed over.

cut_reason(Query, Text) :-
    passed_over(Query, General, Results),
    reason_text("~s has only the answers ~s: with the argument given, a clause with a cut did not match and a later one did. Unify results after the cut."-[General, Results], [], [], Text).

                /*******************************
                *      clauses that differ     *
                *******************************/

%   nearest_head(+Goal, +In, -Head, -Slips) is semidet: Goal would match Head, that of a clause, but for Slips.

nearest_head(Goal, in(_, _, Query), Head, Slips) :-
    term_functor(Goal, Name, Arity),
    Arity > 0,
    findall(Count-(Seen-Slips0),
            ( head_like(Goal, Name, Arity, Head0),
              head_differences(Goal, Head0, Slips0),
              meant_so(Slips0, Query),
              length(Slips0, Count),
              hb_store:seen_goal(Head0, Seen) ),
            Found),
    sort(1, @=<, Found, [_-(Head-Slips)|_]).

head_like(Goal, Name, Arity, Head) :-
    term_functor(Head, Name, Arity),
    predicate_property(knowledge_base:Head, number_of_clauses(Count)),
    most_compared(Most),
    (   Count =< Most
    ->  clause(knowledge_base:Head, _)
    ;   arg(I, Goal, Given),
        nonvar(Given),
        written_otherwise(Given, Other),
        arg(I, Head, Other),
        limit(20, clause(knowledge_base:Head, _))
    ).

%   written_otherwise(+Value, -Other) is nondet: what an index finds without comparing all clauses.

written_otherwise(Value, Other) :-
    number(Value),
    (   integer(Value)
    ->  catch(Other is float(Value), _, fail)
    ;   catch(Other is truncate(Value), _, fail),
        Other =:= Value
    ;   atom_number(Other, Value)
    ;   number_string(Value, Other)
    ).
written_otherwise(Value, Other) :-
    ( atom(Value) ; string(Value) ),
    (   atom(Value)
    ->  atom_string(Value, Other)
    ;   atom_string(Other, Value)
    ;   atom_number(Value, Other)
    ;   downcase_atom(Value, Other),
        Other \== Value
    ;   string_lower(Value, Other),
        Other \== Value
    ).

%   meant_so(+Slips, +Query): what may be meant as it is counts only where it comes from the query's text.

meant_so([], _).
meant_so([difference(Given, _, Slip)|Slips], Query) :-
    (   by_chance(Slip)
    ->  occurs_in(Given, Query)
    ;   true
    ),
    meant_so(Slips, Query).

differences_text([difference(Given, Kept, Slip)|Slips], Text) :-
    difference_text(Slip, Given, Kept, Text0),
    (   Slips == []
    ->  Text = Text0
    ;   differences_text(Slips, More),
        format(string(Text), "~s, and ~s", [Text0, More])
    ).

%   letter_for_variable(+Goal, -Head, -Letter) is semidet: a rule that Goal does not match has the atom Letter in its head,
%   and in its body, too.

letter_for_variable(Goal, Seen, Letter) :-
    compound(Goal),
    term_functor(Goal, Name, Arity),
    term_functor(Head, Name, Arity),
    predicate_property(knowledge_base:Head, number_of_clauses(Count)),
    most_compared(Most),
    Count =< Most,
    clause(knowledge_base:Head, Body),
    Body \== true,
    arg(I, Head, Letter),
    atom(Letter),
    atom_length(Letter, 1),
    char_type(Letter, lower),
    arg(I, Goal, Given),
    Given \= Letter,
    occurs_in(Letter, Body),
    !,
    hb_store:seen_goal(Head, Seen).

%   word_for_variable(+Goal, +In, -Word, -Variable) is semidet: an argument of Goal, from the query, is the atom Word, as
%   variables are named, and no clause has it there.

word_for_variable(Goal, in(_, _, Query), Word, Variable) :-
    compound(Goal),
    term_functor(Goal, Name, Arity),
    arg(I, Goal, Word),
    atom(Word),
    (   atom_length(Word, 1),
        char_type(Word, lower)
    ;   '$member'(Word, [who,what,whom,which,where,when,how,someone,something,anyone,anything,var,variable])
    ),
    occurs_in(Word, Query),
    term_functor(Head, Name, Arity),
    predicate_property(knowledge_base:Head, number_of_clauses(Count)),
    most_compared(Most),
    Count =< Most,
    arg(I, Head, Kept),
    \+ ( clause(knowledge_base:Head, _),
         nonvar(Kept),
         ( Kept == Word ; atom(Kept), atom_length(Kept, 1) ) ),
    !,
    sub_atom(Word, 0, 1, _, First),
    sub_atom(Word, 1, _, 0, Others),
    upcase_atom(First, Capital),
    atom_concat(Capital, Others, Variable).

%   only_fact_beside(+Goal, +In, -Fact) is semidet: Fact is the only clause that Goal would match without one argument,
%   from the query, where another argument decides.

only_fact_beside(Goal, in(_, Sole, Query), Seen) :-
    Sole == true,
    compound(Goal),
    compound_name_arguments(Goal, Name, Args0),
    compound_name_arity(Goal, Name, Arity),
    Arity > 1,
    term_functor(Any, Name, Arity),
    predicate_property(knowledge_base:Any, number_of_clauses(Count)),
    most_compared(Most),
    Count =< Most,
    \+ ( clause(knowledge_base:Any, Body), Body \== true ),
    arg(I, Goal, Given),
    atomic(Given),
    occurs_in(Given, Query),
    replaced(I, Args0, _, Args),
    once(( '$member'(Other, Args), atomic(Other) )),
    compound_name_arguments(Fact, Name, Args),
    findall(Fact, limit(2, clause(knowledge_base:Fact, true)), [Only]),
    !,
    hb_store:seen_goal(Only, Seen).

%   no_clause_for_nil(+Goal, -PI): an argument of Goal is [], where each clause has a list with elements.

no_clause_for_nil(Goal, Seen) :-
    compound(Goal),
    term_functor(Goal, Name, Arity),
    arg(I, Goal, Arg),
    Arg == [],
    term_functor(Head, Name, Arity),
    predicate_property(knowledge_base:Head, number_of_clauses(Count)),
    most_compared(Most),
    Count > 0,
    Count =< Most,
    arg(I, Head, Kept),
    \+ ( clause(knowledge_base:Head, _),
         \+ ( nonvar(Kept), Kept = [_|_] ) ),
    !,
    hb_store:seen_indicator(Name/Arity, Seen).

%   other_argument(+Goal, +In, -Value, -Fact, -J): Value, from the query, is argument J of Fact, and the values of
%   that argument are never those of the argument where Goal has it.

other_argument(Goal, in(_, _, Query), Value, Seen, J) :-
    term_functor(Goal, Name, Arity),
    Arity > 1,
    Arity < 6,
    term_functor(Any, Name, Arity),
    predicate_property(knowledge_base:Any, number_of_clauses(Count)),
    most_compared(Most),
    Count =< Most,
    findall(Any, clause(knowledge_base:Any, true), Facts),
    length(Facts, Count),                   % no rules
    Count > 1,
    arg(I, Goal, Value),
    atomic(Value),
    occurs_in(Value, Query),
    \+ ( '$member'(Fact, Facts), arg(I, Fact, Kept), \+ Kept \= Value ),
    between(1, Arity, J),
    J =\= I,
    '$member'(Fact, Facts),
    arg(J, Fact, Found),
    Found == Value,
    \+ ( '$member'(One, Facts), arg(I, One, Same), '$member'(Two, Facts), arg(J, Two, Other), Same == Other ),
    !,
    hb_store:seen_goal(Fact, Seen).
