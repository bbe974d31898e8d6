:- module(hb_reasons,
          [ nearest_reason/3,           % +Query, +Names, -Text
            cut_reason/2                % +Query, -Text
          ]).
:- use_module('../functor').
:- use_module('../sandbox/sandbox').
:- use_module('../store/store').
:- use_module('../read/slips', [asked_too_early/2, sub_term_of/2]).
:- use_module(failure, [tried/3, furthest/3, stopped/4]).
:- use_module(answer, [name_variables/3]).
:- use_module(proof, [goal_text/2]).
:- use_module(again).
:- use_module(differences).

/** <module> Reasons for which goals fail, as one sentence

Of what hb_failure has kept, the clearest reason.  Reasons that could be there by chance count only
where a single way led to the goal.
*/

%   The most clauses of a predicate that are compared with a goal, and the most characters of a goal that is quoted.

most_compared(500).
longest_goal(80).

%!  nearest_reason(+Query, +Names, -Text:string) is semidet.
%
%   Text is the clearest reason why the goal Query failed when hb_failure:holds/2 ran it.  Names are
%   those of its variables.

nearest_reason(Query, Names, Text) :-
    findall(Rank-Text0, ranked(0, true, Query, Names, Rank, Text0), Found0),
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
    ;   inner(In)
    ->  Rank = 1,
        Reason = "No clause matches ~s."-[Goal]
    ).
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

%   inner(+In): a single way led to the goal, and it is not the whole query.

inner(in(Try, true, Query)) :-
    (   Try \== 0
    ->  true
    ;   nonvar(Query),
        Query = (_,_)
    ).

in_clause_text(in(Try, _, _), Where) :-
    (   tried(_, Try, Ref),
        clause(knowledge_base:Head, _, Ref)
    ->  term_functor(Head, Name, Arity),
        hb_store:seen_indicator(Name/Arity, Seen),
        format(string(Where), " (in ~q)", [Seen])
    ;   Where = ""
    ).

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
        limited(20, clause(knowledge_base:Head, _))
    ).

:- meta_predicate limited(+, 0).

limited(Most, Goal) :-
    State = count(0),
    call(Goal),
    arg(1, State, Count0),
    Count is Count0+1,
    nb_setarg(1, State, Count),
    (   Count >= Most
    ->  !
    ;   true
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
    (   '$member'(Slip, [spelling,order,arity,member,list])
    ->  occurs_in(Given, Query)
    ;   true
    ),
    meant_so(Slips, Query).

occurs_in(Given, Query) :-
    sub_term_of(Sub, Query),
    Sub == Given,
    !.

differences_text([difference(Given, Kept, Slip)|Slips], Text) :-
    difference_text(Slip, Given, Kept, Text0),
    (   Slips == []
    ->  Text = Text0
    ;   differences_text(Slips, More),
        format(string(Text), "~s, and ~s", [Text0, More])
    ).

%   no_clause_for_nil(+Goal, -PI): an argument of Goal is [], where each clause has a list with elements.

no_clause_for_nil(Goal, Seen) :-
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

                /*******************************
                *      goals of the system     *
                *******************************/

%   goal_reason(+Goal, +In, -Rank, -Reason) is semidet.

goal_reason(not(Goal), In, Rank, Reason) :-
    negation_reason(not(Goal), Goal, In, Rank, Reason).
goal_reason(A \= B, _, 7, "~s fails while a side is unbound: move it after the goals that bind them, or use dif/2."-[A \= B]) :-
    term_variables(A-B, [_|_]).
goal_reason(A = B, In, Rank, Reason) :-
    unify_reason(A = B, A, B, In, Rank, Reason).
goal_reason(A == B, In, Rank, Reason) :-
    compared_reason(A == B, A, B, In, Rank, Reason).
goal_reason(V is E, In, Rank, Reason) :-
    value_reason(V, E, In, Rank, Reason).
goal_reason(A =:= B, in(_, true, _), 4, "~s is false: floats are seldom equal, compare abs(A-B) < 1.0e-9."-[VA =:= VB]) :-
    value(A, VA),
    value(B, VB),
    ( float(VA) ; float(VB) ),
    abs(VA-VB) < 1.0e-6.
goal_reason(Goal, In, 4, "~s is false~s."-[Values, text(Where)]) :-
    inner(In),
    compound(Goal),
    compound_name_arguments(Goal, Op, [A,B]),
    '$member'(Op, [<,>,=<,>=,=:=,=\=]),
    value(A, VA),
    value(B, VB),
    compound_name_arguments(Values, Op, [VA,VB]),
    in_clause_text(In, Where).
goal_reason(A == B, in(_, _, _), 5, "~s is false: a side is unbound, and == binds nothing. Write = to bind it."-[A == B]) :-
    ( var(A) ; var(B) ).
goal_reason(Goal, in(_, true, _), 5, "~s fails: the result is ~s."-[Goal, Result]) :-
    result_of(Goal, Result).
goal_reason(forall(Condition, Action), _, 5, "forall/2 fails: not so for ~s."-[Example]) :-
    counterexample(forall(Condition, Action), Example).
goal_reason(member(Value, List), In, Rank, Reason) :-
    member_reason(member(Value, List), Value, List, In, Rank, Reason).
goal_reason(memberchk(Value, List), In, Rank, Reason) :-
    member_reason(memberchk(Value, List), Value, List, In, Rank, Reason).
goal_reason(bagof(T, G, L), _, Rank, Reason) :-
    collected_reason(bagof/3, T, G, L, Rank, Reason).
goal_reason(setof(T, G, L), _, Rank, Reason) :-
    collected_reason(setof/3, T, G, L, Rank, Reason).

%   negation_reason(+Negation, +Goal, +In, -Rank, -Reason) is semidet.

negation_reason(Negation, Goal, In, Rank, Reason) :-
    (   \+ ground(Goal),
        asked_early(In)
    ->  Rank = 7,
        Reason = "~s fails if ~s has any answer, since a variable is unbound: move it after the goal that binds it."-[Negation, Goal]
    ;   inner(In),
        ground(Goal)
    ->  Rank = 3,
        in_clause_text(In, Where),
        Reason = "~s fails: ~s holds~s."-[Negation, Goal, text(Where)]
    ).

asked_early(in(Try, _, _)) :-
    tried(_, Try, Ref),
    clause(knowledge_base:_, Body, Ref),
    asked_too_early(Body, []).

unify_reason(Goal, A, B, _, 8, "~s fails: `=` computes nothing, ~s is ~s. Write `is` or =:=."-[Goal, Expression, Value]) :-
    ( A = Expression, Other = B ; B = Expression, Other = A ),
    compound(Expression),
    ( number(Other) ; compound(Other), ground(Other) ),
    value(Expression, Value),
    ( number(Other) -> true ; value(Other, _) ),
    !.
unify_reason(Goal, A, B, _, 8, "~s fails: `+` does not join text, use string_concat/3 or atom_concat/3."-[Goal]) :-
    ( A = Expression ; B = Expression ),
    nonvar(Expression),
    Expression = C+D,
    ( string(C) ; string(D) ),
    !.
unify_reason(Goal, A, B, In, Rank, Reason) :-
    compared_reason(Goal, A, B, In, Rank, Reason).

compared_reason(Goal, A, B, in(_, _, Query), 6, "~s fails: one side has ~s."-[Goal, text(Text)]) :-
    (   difference(A, B, Slip)
    ->  true
    ;   fail
    ),
    (   '$member'(Slip, [spelling,order,arity,member,list])
    ->  ( occurs_in(A, Query) ; occurs_in(B, Query) )
    ;   true
    ),
    !,
    difference_text(Slip, A, B, Text).

value_reason(V, E, _, 5, "~s fails: ~s is ~s, not ~s~s"-[V is E, E, Value, V, text(Advice)]) :-
    nonvar(V),
    value(E, Value),
    (   \+ number(V)
    ->  Advice = ", which is no number."
    ;   V =:= Value
    ->  Advice = " (=:= compares values)."
    ;   integer(V),
        float(Value),
        sub_term_of(Sub, E),
        compound(Sub),
        Sub = _/_
    ->  Advice = " (// divides integers)."
    ;   Advice = "."
    ).

value(E, Value) :-
    ground(E),
    arithmetic(E),
    catch(Value is E, _, fail).

%   arithmetic(+E): small enough to be computed at once.

arithmetic(E) :-
    number(E),
    !,
    ( float(E) -> true ; abs(E) < 1.0e18 ).
arithmetic(E) :-
    compound(E),
    compound_name_arguments(E, Op, Args),
    '$member'(Op, [+,-,*,/,//,mod,rem,min,max,abs]),
    all_arithmetic(Args).

all_arithmetic([]).
all_arithmetic([E|Es]) :-
    arithmetic(E),
    all_arithmetic(Es).

member_reason(Goal, Value, List, in(_, _, Query), 7, Reason) :-
    nonvar(List),
    (   is_list(List)
    ->  nonvar(Value),
        limited(500, '$member'(Kept, List)),
        difference(Value, Kept, Slip),
        (   '$member'(Slip, [spelling,order,arity,list])
        ->  occurs_in(Value, Query)
        ;   true
        ),
        !,
        difference_text(Slip, Value, Kept, Text),
        Reason = "~s fails: the list has ~s."-[Goal, text(Text)]
    ;   List \= [_|_],
        Reason = "~s fails: the second argument is no list."-[Goal]
    ).

%   collected_reason(+PI, +Template, +Goal, +List, -Rank, -Reason) is semidet.

collected_reason(PI, Template, Goal0, List, 6, Reason) :-
    inner_goal(Goal0, Template, Bound, Goal),
    (   nonvar(List)
    ->  term_variables(Goal, Vars),
        term_variables(Bound, Known),
        '$member'(Var, Vars),
        \+ ( '$member'(One, Known), One == Var ),
        !,
        Reason = "~s gives a list for each value of its free variables: write Var^Goal to leave one out."-[PI]
    ;   Reason = "~s fails where nothing is found: findall/3 gives []."-[PI]
    ).

inner_goal(Goal, Bound, Bound, Goal) :-
    var(Goal),
    !.
inner_goal(Var^Goal0, Bound0, Bound, Goal) :-
    !,
    inner_goal(Goal0, Var+Bound0, Bound, Goal).
inner_goal(_:Goal0, Bound0, Bound, Goal) :-
    !,
    inner_goal(Goal0, Bound0, Bound, Goal).
inner_goal(Goal, Bound, Bound, Goal).
