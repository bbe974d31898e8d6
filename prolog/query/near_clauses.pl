:- module(hb_near_clauses,
          [ clause_reason/4,            % +Goal, +In, -Rank, -Reason
            kind_of_clause/3,           % +Goal, +In, -Reason
            other_column/4              % +Goal, -Value, -Fact, -J
          ]).
:- use_module('../functor').
:- use_module('../store/store').
:- use_module('../read/subterms', [sub_term_of/2, occurs/2]).
:- use_module(again, [replaced/4]).
:- use_module(domains).
:- use_module(slip_contexts).
:- use_module(inner_differences, [head_differences/3, of_kind/2]).
:- use_module(differences, [truth_word/1]).
:- use_module(difference_text).
:- use_module(text_differences, [text/1]).
:- use_module(stops).
:- use_module(nearest, [most_compared/1]).
:- use_module(library(lists), [append/3, select/3]).
:- use_module(library(solution_sequences), [limit/2]).

/** <module> Reasons for which no clause matches a goal

The clause that comes nearest, and how it differs.
*/

%!  clause_reason(+Goal, +In, -Rank, -Reason) is semidet.
%
%   No clause matches Goal, of a predicate of the user's, for Reason, Format-Terms; the clearer it is, the higher its Rank.
%   In is as in hb_stops.

clause_reason(Goal0, In, Rank, Reason) :-
    hb_store:meant_goal(Goal0, Goal),
    (   nearest_head(Goal, In, Head, Slips)
    ->  Rank = 9,
        differences_text(Slips, Differences),
        Reason = "~s has ~s."-[Head, text(Differences)]
    ;   call_inside(Goal, Term, Call)
    ->  Rank = 8,
        Reason = "~s is a term here and is not called: ask ~s first, and pass on the result."-[Term, Call]
    ;   no_clause_for_nil(Goal, PI)
    ->  Rank = 8,
        Reason = "~s has no clause for []: a recursion over a list needs one."-[PI]
    ;   other_order(Goal, In, Fact)
    ->  Rank = 7,
        Reason = "The fact is ~s: the arguments are in another order."-[Fact]
    ;   other_argument(Goal, In, Value, Fact, J)
    ->  Rank = 7,
        number_string(J, Argument),
        Reason = "~s is argument ~s of ~s."-[Value, text(Argument), Fact]
    ;   letter_for_variable(Goal, In, Head, Letter)
    ->  Rank = 6,
        Reason = "~s has the atom ~s: variables begin with a capital letter."-[Head, Letter]
    ;   word_for_variable(Goal, In, Word, Variable)
    ->  Rank = 6,
        (   Variable == Word
        ->  Reason = "~s is an atom: a variable has no quotes."-[Word]
        ;   Reason = "~s is an atom: a variable begins with a capital letter, ~s."-[Word, text(Variable)]
        )
    ;   other_arity(Goal, In, Head)
    ->  Rank = 5,
        Reason = "No clause matches, but one of another arity does: ~s."-[Head]
    ;   only_fact_beside(Goal, In, Fact)
    ->  Rank = 3,
        Reason = "The nearest fact is ~s."-[Fact]
    ;   at_one_place(In, first, Rows)
    ->  (   near_join(Goal, In, Head, Slips)
        ->  Rank = 4,
            differences_text(Slips, Differences),
            Reason = "No clause matches ~s: ~s has ~s."-[Goal, Head, text(Differences)]
        ;   other_column(Goal, Value, Fact, J)
        ->  Rank = 4,
            number_string(J, Argument),
            Reason = "No clause matches ~s: ~s is argument ~s of ~s."-[Goal, Value, text(Argument), Fact]
        ;   Rank = 1,
            Reason = "No clause matches ~s~s."-[Goal, text(Rows)]
        )
    ).

%!  kind_of_clause(+Goal, +In, -Reason) is semidet.
%
%   As clause_reason/4, where Goal has the values of a clause but for their kind, and they are written where it is.

kind_of_clause(Goal0, In, "~s has ~s."-[Head, text(Differences)]) :-
    In = in(_, _, Context),
    hb_store:meant_goal(Goal0, Goal),
    nearest_head(Goal, In, Head, Slips),
    \+ ( '$member'(difference(Given, Kept, Slip), Slips),
         \+ ( of_kind(Slip, Given), written_once(Given, Kept, Context) ) ),
    differences_text(Slips, Differences).

%   near_join(+Goal, +In, -Head, -Slips) is semidet: as nearest_head/4, of a goal to whose arguments a single way led, so
%   that they need not be written anywhere.

near_join(Goal, in(_, Sole, Context), Seen, [difference(Given, Kept, Slip)]) :-
    \+ is_inside(Context),
    term_functor(Goal, Name, Arity),
    few_clauses(Name, Arity, Head, _),
    clause(knowledge_base:Head, _),
    head_differences(Goal, Head, [difference(Given, Kept, Slip)]),
    '$member'(Slip, [spelling,wrapped,unwrapped,list,member,sublist]),
    ( Slip == spelling -> Sole == true, \+ in_a_head(Given, Name/Arity) ; true ),
    !,
    hb_store:seen_goal(Head, Seen).

%!  other_column(+Goal, -Value, -Fact, -J) is semidet.
%
%   Value of Goal is argument J of Fact, and all facts have values of another sort where Goal has it.

other_column(Goal, Value, Seen, J) :-
    compound(Goal),
    term_functor(Goal, Name, Arity),
    few_clauses(Name, Arity, Any, Count),
    findall(Any, clause(knowledge_base:Any, true), Facts),
    length(Facts, Count),                   % no rules
    arg(I, Goal, Value),
    sort_of(Value, Sort),
    \+ ( '$member'(Other, Facts), arg(I, Other, Kept), \+ ( sort_of(Kept, Another), Another \== Sort ) ),
    '$member'(Fact, Facts),
    arg(J, Fact, Found),
    Found == Value,
    !,
    hb_store:seen_goal(Fact, Seen).

%   sort_of(@Value, -Sort): numbers, words, and names such as e12, by their letters.

sort_of(Value, number) :-
    number(Value).
sort_of(Value, Sort) :-
    text(Value),
    string_codes(Value, Codes),
    (   '$append'(Letters, [Digit|Digits], Codes),
        code_type(Digit, digit),
        \+ ( '$member'(Other, Digits), \+ code_type(Other, digit) )
    ->  atom_codes(Name, Letters),
        Sort = named(Name)
    ;   Sort = word
    ).

%   nearest_head(+Goal, +In, -Head, -Slips) is semidet: Goal would match Head, that of a clause, but for Slips.

nearest_head(Goal, in(_, _, Context), Head, Slips) :-
    term_functor(Goal, Name, Arity),
    Arity > 0,
    findall(Count-(Seen-Slips0),
            ( head_like(Goal, Name, Arity, Head0),
              head_differences(Goal, Head0, Slips0),
              meant_so(Slips0, Name/Arity, Context),
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

%   meant_so(+Slips, +PI, +Context): what may be meant as it is counts only where it is written in Context; a term only where
%   no clause of the predicate PI has one of its name, a name only where none has it.

meant_so([], _, _).
meant_so([difference(Given, Kept, Slip)|Slips], PI, Context) :-
    counts(Slip, Given, Context),
    ( Slip == synonym, truth_word(Given) -> beside_truth_words(Kept, PI) ; true ),
    (   ( of_another_name(Slip) ; Slip == spelling ; Slip == synonym )
    ->  \+ in_a_head(Given, PI)
    ;   true
    ),
    meant_so(Slips, PI, Context).

%   beside_truth_words(+Kept, +PI) is semidet: Kept is of an argument that has nothing else: no is a language, too.

beside_truth_words(Kept, Name/Arity) :-
    few_clauses(Name, Arity, Head, _),
    arg(_, Head, Value),
    \+ \+ ( clause(knowledge_base:Head, _), Value == Kept ),
    \+ ( clause(knowledge_base:Head, _), nonvar(Value), \+ truth_word(Value) ),
    !.

in_a_head(Given, Name/Arity) :-
    (   few_clauses(Name, Arity, Head, _)
    ->  same_functor(Given, Like),
        clause(knowledge_base:Head, _),
        sub_term_of(Sub, Head),
        subsumes_term(Like, Sub)
    ;   may_have(Name, Arity, Given)
    ),
    !.

differences_text([difference(Given, Kept, Slip)|Slips], Text) :-
    difference_text(Slip, Given, Kept, Text0),
    (   Slips == []
    ->  Text = Text0
    ;   differences_text(Slips, More),
        format(string(Text), "~s, and ~s", [Text0, More])
    ).

%   letter_for_variable(+Goal, +In, -Head, -Letter) is semidet: a rule that Goal does not match has the atom Letter in its
%   head, and in its body, too: a letter, or a word that neither the query nor any fact has.

letter_for_variable(Goal, in(_, _, Context), Seen, Letter) :-
    compound(Goal),
    term_functor(Goal, Name, Arity),
    few_clauses(Name, Arity, Head, _),
    clause(knowledge_base:Head, Body),
    Body \== true,
    arg(I, Head, Letter),
    atom(Letter),
    arg(I, Goal, Given),
    Given \= Letter,
    (   atom_length(Letter, 1),
        char_type(Letter, lower),
        occurs(Letter, Body)
    ;   asked_in_vain(Body, Letter),
        \+ occurs_in(Letter, Context),
        \+ in_a_fact(Letter)
    ),
    !,
    hb_store:seen_goal(Head, Seen).

%   few_clauses(+Name, +Arity, -Head, -Count): Head is most general, and its Count clauses are few enough to be compared.

few_clauses(Name, Arity, Head, Count) :-
    term_functor(Head, Name, Arity),
    predicate_property(knowledge_base:Head, number_of_clauses(Count)),
    most_compared(Most),
    Count =< Most.

%   asked_in_vain(+Body, +Word): a goal of Body, of the user's, has the atom Word where none of its facts has it.

asked_in_vain(Body, Word) :-
    conjunct(Body, Goal),
    compound(Goal),
    term_functor(Goal, Name, Arity),
    own(Name, Arity),
    arg(I, Goal, Arg),
    Arg == Word,
    few_clauses(Name, Arity, Fact, Count),
    Count > 0,
    arg(I, Fact, Kept),
    \+ ( clause(knowledge_base:Fact, _), ( var(Kept) ; Kept == Word ) ),
    !.

one_letter(Atom) :-
    atom(Atom),
    atom_length(Atom, 1).

%   word_for_variable(+Goal, +In, -Word, -Variable) is semidet: an argument of Goal, from the query, is the atom Word, as
%   variables are named, and no clause has it there.  A letter may well be meant where clauses have variables or terms, or
%   the program has it elsewhere.

word_for_variable(Goal, in(_, _, Context), Word, Variable) :-
    compound(Goal),
    term_functor(Goal, Name, Arity),
    arg(I, Goal, Word),
    atom(Word),
    (   atom_length(Word, 1),
        char_type(Word, alpha)
    ->  IsLetter = true
    ;   '$member'(Word, [who,what,whom,which,where,when,how,someone,something,anyone,anything,var,variable])
    ->  IsLetter = false
    ),
    occurs_in(Word, Context),
    few_clauses(Name, Arity, Head, _),
    arg(I, Head, Kept),
    (   IsLetter == true
    ->  \+ ( clause(knowledge_base:Head, _),
             \+ ( atomic(Kept), \+ one_letter(Kept) ) ),
        \+ in_a_clause(Word)
    ;   \+ ( clause(knowledge_base:Head, _), Kept == Word )
    ),
    !,
    sub_atom(Word, 0, 1, _, First),
    sub_atom(Word, 1, _, 0, Others),
    upcase_atom(First, Capital),
    atom_concat(Capital, Others, Variable).

%   only_fact_beside(+Goal, +In, -Fact) is semidet: Fact is the only clause that Goal would match without one argument,
%   from the query, where another argument decides.

only_fact_beside(Goal, in(_, Sole, Context), Seen) :-
    Sole == true,
    compound(Goal),
    compound_name_arguments(Goal, Name, Args0),
    compound_name_arity(Goal, Name, Arity),
    Arity > 1,
    few_clauses(Name, Arity, Any, _),
    \+ ( clause(knowledge_base:Any, Body), Body \== true ),
    arg(I, Goal, Given),
    atomic(Given),
    asked(Context, Query),
    occurs(Given, Query),
    \+ in_a_clause(Given),                  % it has its place elsewhere, and false may well be right
    replaced(I, Args0, _, Args),
    once(( '$member'(Other, Args), atomic(Other) )),
    compound_name_arguments(Fact, Name, Args),
    findall(Fact, limit(2, clause(knowledge_base:Fact, true)), [Only]),
    !,
    hb_store:seen_goal(Only, Seen).

%   no_clause_for_nil(+Goal, -PI): an argument of Goal is [], where each clause has a list with elements and calls the
%   predicate again.

no_clause_for_nil(Goal, Seen) :-
    compound(Goal),
    term_functor(Goal, Name, Arity),
    arg(I, Goal, Arg),
    Arg == [],
    few_clauses(Name, Arity, Head, Count),
    Count > 0,
    arg(I, Head, Kept),
    term_functor(Again, Name, Arity),
    \+ ( clause(knowledge_base:Head, Body),
         \+ ( nonvar(Kept), Kept = [_|_], sub_term_of(Call, Body), subsumes_term(Again, Call) ) ),
    !,
    hb_store:seen_indicator(Name/Arity, Seen).

%   other_argument(+Goal, +In, -Value, -Fact, -J) is semidet: Value, from the query, is argument J of Fact, and the values of
%   that argument are never those of the argument where Goal has it.

other_argument(Goal, in(_, _, Context), Value, Seen, J) :-
    \+ is_inside(Context),
    term_functor(Goal, Name, Arity),
    Arity > 1,
    Arity < 6,
    few_clauses(Name, Arity, Any, Count),
    findall(Any, clause(knowledge_base:Any, true), Facts),
    length(Facts, Count),                   % no rules
    Count > 1,
    arg(I, Goal, Value),
    atomic(Value),
    occurs_in(Value, Context),
    \+ ( '$member'(Fact, Facts), arg(I, Fact, Kept), \+ Kept \= Value ),
    between(1, Arity, J),
    J =\= I,
    '$member'(Fact, Facts),
    arg(J, Fact, Found),
    Found == Value,
    \+ ( '$member'(One, Facts), arg(I, One, Same), '$member'(Two, Facts), arg(J, Two, Other), Same == Other ),
    !,
    hb_store:seen_goal(Fact, Seen).

%   call_inside(+Goal, -Term, -Call) is semidet: an argument of Goal is Term, which with one argument more is a goal of the
%   user's.  No clause of the predicate of Goal has such a term there.

call_inside(Goal, Seen, SeenCall) :-
    compound(Goal),
    arg(I, Goal, Term),
    compound(Term),
    compound_name_arguments(Term, Inner, Args),
    append(Args, [_], More),
    length(More, InnerArity),
    own(Inner, InnerArity),
    term_functor(Goal, Name, Arity),
    term_functor(Head, Name, Arity),
    arg(I, Head, Kept),
    \+ ( clause(knowledge_base:Head, _), compound(Kept), compound_name_arguments(Kept, Inner, Args) ),
    !,
    compound_name_arguments(Call, Inner, More),
    hb_store:seen_goal(Term, Seen),
    hb_store:seen_goal(Call, SeenCall).

%   other_order(+Goal, +In, -Fact) is semidet: at least two arguments of Goal, which are written in the context and of which
%   one is text, are in Fact, each of them as another argument.  The others are where they are in Goal.

other_order(Goal, in(_, _, Context), Seen) :-
    \+ is_inside(Context),
    compound(Goal),
    compound_name_arguments(Goal, Name, Args),
    length(Args, Arity),
    Arity < 8,
    \+ ( '$member'(Arg, Args), nonvar(Arg), \+ atomic(Arg) ),
    few_clauses(Name, Arity, Fact, _),
    clause(knowledge_base:Fact, true),
    compound_name_arguments(Fact, _, Kept),
    displaced(Args, Kept, Moved, Left),
    Moved = [_,_|_],
    once(( '$member'(Text, Moved), text(Text) )),
    \+ ( '$member'(Arg, Moved), \+ occurs_in(Arg, Context) ),
    each_in(Moved, Left),
    \+ ( Moved = [A,B], one_domain(A, B) ),
    !,
    hb_store:seen_goal(Fact, Seen).

%   displaced(+Args, +Kept, -Moved, -Left): Moved are the Args that are not the same in Kept, Left those of Kept beside
%   which Args has another one or a variable.

displaced([], [], [], []).
displaced([Arg|Args], [There|Kept], Moved, Left) :-
    (   Arg == There
    ->  Moved = Moved1,
        Left = Left1
    ;   var(Arg)
    ->  Moved = Moved1,
        Left = [There|Left1]
    ;   Moved = [Arg|Moved1],
        Left = [There|Left1]
    ),
    displaced(Args, Kept, Moved1, Left1).

each_in([], _).
each_in([Arg|Args], Left0) :-
    select(Same, Left0, Left),
    Same == Arg,
    !,
    each_in(Args, Left).

%   other_arity(+Goal, +In, -Head) is semidet: no clause of the predicate of Goal, which is the query, matches it; a rule of
%   another number of arguments has Head, whose arguments match those of Goal as far as both go.

other_arity(Goal, in(0, true, _), Seen) :-
    compound(Goal),
    compound_name_arguments(Goal, Name, Args),
    length(Args, Arity),
    own(Name, Other),
    Other > 1,
    1 is abs(Other-Arity),
    term_functor(Head, Name, Other),
    compound_name_arguments(Head, _, Kept),
    clause(knowledge_base:Head, Body),
    Body \== true,
    matches(Args, Kept),
    !,
    hb_store:seen_goal(Head, Seen).

matches([Arg|Args], [Kept|Kepts]) :-
    !,
    \+ Arg \= Kept,
    matches(Args, Kepts).
matches(_, _).
