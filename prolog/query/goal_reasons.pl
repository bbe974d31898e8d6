:- module(hb_goal_reasons,
          [ goal_reason/4,              % +Goal, +In, -Rank, -Reason
            compared_values/2,          % +Goal, -Values
            negation_reason/5,          % +Negation, +Goal, +In, -Rank, -Reason
            joined_lists/2,             % @List, @Joined
            split_up/2                  % +Query, -Reason
          ]).
:- use_module('../read/early', [asked_too_early/2]).
:- use_module('../read/subterms', [sub_term_of/2, occurrences/3]).
:- use_module('../sandbox/written', [as_written/2]).
:- use_module('../sandbox/policy', [class/3]).
:- use_module('../store/store').
:- use_module(tries, [tried/3, furthest/3]).
:- use_module(again).
:- use_module(differences, [value/2]).
:- use_module(inner_differences, [inner_difference/5, of_kind/2]).
:- use_module(slip_contexts).
:- use_module(text_differences, [text/1, text_number/2]).
:- use_module(difference_text).
:- use_module(near_clauses).
:- use_module(sorted_lists).
:- use_module(stops).
:- use_module(library(assoc), [assoc_to_keys/2]).
:- use_module(library(solution_sequences), [limit/2]).

/** <module> Reasons for which goals of the system and its libraries fail
*/

%!  goal_reason(+Goal, +In, -Rank, -Reason) is semidet.
%
%   Goal, of the system or a library, fails for Reason, Format-Terms; the clearer it is, the higher its Rank.  In is as in
%   hb_stops.

goal_reason(not(Goal), In, Rank, Reason) :-
    negation_reason(not(Goal), Goal, In, Rank, Reason).
goal_reason(A \= B, _, 7, "~s fails while a side is unbound: move it after the goals that bind them, or use dif/2."-[A \= B]) :-
    term_variables(A-B, [_|_]).
goal_reason(retract(Clause), In, Rank, Reason) :-
    nonvar(Clause),
    ( Clause = (Head:-_) -> true ; Head = Clause ),
    nonvar(Head),
    clause_reason(Head, In, Rank, Reason).
goal_reason(A = B, _, 8, "~s fails: `=` calls nothing. Ask ~s as a goal of its own."-[A = B, Call]) :-
    compared_call(A, B, Call).
goal_reason(A == B, _, 8, "~s fails: `==` calls nothing. Ask ~s as a goal of its own."-[A == B, Call]) :-
    compared_call(A, B, Call).
goal_reason(A = B, In, Rank, Reason) :-
    unify_reason(A = B, A, B, In, Rank, Reason).
goal_reason(A == B, _, 8, Reason) :-
    ( A = Other, B = Expression ; A = Expression, B = Other ),
    compound(Expression),
    value(Expression, Value),
    (   var(Other)
    ->  Reason = "~s is false: == computes nothing. Write ~s."-[A == B, Other is Expression]
    ;   number(Other)
    ->  Reason = "~s fails: == computes nothing, ~s is ~s. Write =:=."-[A == B, Expression, Value]
    ),
    !.
goal_reason(A == B, _, 8, "~s fails: `==` calls nothing. Ask ~s as a goal of its own."-[A == B, Call]) :-
    called_value(A, B, Call),
    !.
goal_reason(A == B, In, Rank, Reason) :-
    compared_reason(A == B, A, B, In, Rank, Reason).
goal_reason(A =:= B, in(_, true, _), 4, "~s is false: floats are seldom equal, compare abs(A-B) < 1.0e-9."-[VA =:= VB]) :-
    value(A, VA),
    value(B, VB),
    ( float(VA) ; float(VB) ),
    abs(VA-VB) < 1.0e-6.
goal_reason(Goal, _, 8, "~s fails: ~s is text and stands for its code, ~s. number_string/2 gives the number."-[Goal, Text, Code]) :-
    compound(Goal),
    compound_name_arguments(Goal, Op, [A,B]),
    '$member'(Op, [is,<,>,=<,>=,=:=,=\=]),
    sub_term_of(Text, A+B),
    string(Text),
    string_length(Text, 1),
    !,
    string_code(1, Text, Code).
goal_reason(Goal, In, 4, "~s is false~s~s."-[Values, text(Where), text(Rows)]) :-
    at_one_place(In, nearest, Rows),
    compared_values(Goal, Values),
    in_clause_text(In, Where).
goal_reason(Goal, _, 6, "~s is false: numbers in text are compared letter by letter; number_string/2 and atom_number/2 give their values."-[Goal]) :-
    compound(Goal),
    compound_name_arguments(Goal, Op, [A,B]),
    '$member'(Op, [@<,@>,@=<,@>=]),
    text(A),
    text(B),
    numbers_first(A, NA),
    numbers_first(B, NB),
    compare(TextOrder, A, B),
    compare(Order, NA, NB),
    Order \== (=),
    TextOrder \== Order.
goal_reason(V is E, In, Rank, Reason) :-
    value_reason(V, E, In, Rank, Reason).
goal_reason(A == B, _, 5, "~s is false: ~s is unbound, for no goal before it has given a value, and == gives none (= does)."-[A == B, Var]) :-
    \+ A \= B,
    term_variables(A-B, [Var|_]).
goal_reason(Goal, _, 7, "~s fails: ~s is text, of which it takes the code; number_string/2 gives the number."-[Goal, Text]) :-
    compound(Goal),
    compound_name_arguments(Goal, Name, [List,_]),
    '$member'(Name, [sum_list,sumlist,max_list,min_list]),
    is_list(List),
    '$member'(Text, List),
    string(Text),
    !.
goal_reason(Goal, _, Rank, Reason) :-
    part_of_text(Goal, Text, Part),
    part_reason(Text, Part, Goal, Rank, Reason).
goal_reason(atomic_list_concat(Parts, Separator, Text), _, 6, "~s fails: the part ~s of the text is a number."-[atomic_list_concat(Parts, Separator, Text), Number]) :-
    is_list(Parts),
    atomic(Text),
    atom_length(Separator, Length),
    Length > 0,
    '$member'(Part, Parts),
    text(Part),
    text_number(Part, Number),
    atomic_list_concat(Parts, Separator, Joined),
    atom_string(Joined, String),
    atom_string(Text, String),
    !.
goal_reason(append(List, Other, Joined), _, 7, "~s fails: argument 2 is no list, write ~s."-[append(List, Other, Joined), [Other]]) :-
    is_list(List),
    is_list(Joined),
    nonvar(Other),
    Other \= [_|_],
    Other \== [],
    !.
goal_reason(Goal, _, 8, Reason) :-
    misled_by_order(failed, Goal, Reason).
goal_reason(Goal, in(_, true, _), 5, "~s fails: the result is ~s."-[Goal, Result]) :-
    result_of(Goal, Result).
goal_reason(Goal, _, 6, "~s fails for element ~s: ~s has no answer."-[PI, Nth, Failing]) :-
    compound(Goal),
    compound_name_arguments(Goal, maplist, [Closure|Lists]),
    callable(Closure),
    failing_element(Lists, 1, Closure, Nth, Failing),
    compound_name_arity(Goal, Name, Arity),
    PI = Name/Arity,
    !.
goal_reason(foldl(Closure, List, State, _), _, 6, "foldl/4 fails for element ~s: ~s has no answer."-[Nth, Failing]) :-
    callable(Closure),
    is_list(List),
    failing_step(List, Closure, State, Nth, Failing),
    !.
goal_reason(Goal, _, 7, "~s fails: argument ~s is no list."-[Goal, text(Argument)]) :-
    compound(Goal),
    compound_name_arity(Goal, Name, Arity),
    list_argument(Name, Arity, I),
    arg(I, Goal, List),
    nonvar(List),
    List \= [_|_],
    List \== [],
    !,
    number_string(I, Argument).
goal_reason(Goal, _, 8, "~s calls ~s of library(~s): the book has no clause of ~s."-[Goal, Rule, text(Library), PI]) :-
    grammar_of_library(Goal, Rule, Library, PI).
goal_reason(string_code(0, Text, Code), _, 6, "~s fails: string_code/3 counts from 1."-[string_code(0, Text, Code)]).
goal_reason(nth1(I, List, _), _, 6, "~s fails: nth1/3 counts from 1, nth0/3 from 0."-[nth1(I, List, _)]) :-
    integer(I),
    I < 1.
goal_reason(Goal, _, 6, "~s fails: the list has ~s elements."-[Goal, Length]) :-
    ( Goal = nth1(I, List, _), From = 1 ; Goal = nth0(I, List, _), From = 0 ),
    integer(I),
    is_list(List),
    length(List, Length),
    I-From >= Length.
goal_reason(between(Low, High, X), _, 6, "~s fails: ~s is greater than ~s."-[between(Low, High, X), Low, High]) :-
    integer(Low),
    integer(High),
    Low > High.
goal_reason(forall(Condition, Action), _, 5, "forall/2 fails: not so for ~s."-[Example]) :-
    counterexample(forall(Condition, Action), Example).
goal_reason(member(Value, List), In, Rank, Reason) :-
    member_reason(member(Value, List), Value, List, In, Rank, Reason).
goal_reason(memberchk(Value, List), In, Rank, Reason) :-
    member_reason(memberchk(Value, List), Value, List, In, Rank, Reason).
goal_reason(Goal, _, 6, "~s fails: ~s never gives an empty list where nothing is found, findall/3 does."-[Goal, text(Name)]) :-
    compound(Goal),
    compound_name_arguments(Goal, Name, [_,_,List]),
    List == [],                             % as it was given: an unbound result is none
    '$member'(Name, [bagof,setof]).
goal_reason(Goal, In, 5, "~s fails: ~s is text, number_string/2 and atom_number/2 give the number~s."-[Goal, Text, text(Where)]) :-
    compound(Goal),
    compound_name_arguments(Goal, Name, [Text]),
    '$member'(Name, [number,integer,float,rational]),
    text(Text),
    text_number(Text, _),
    at_one_place(In, first, Where).
goal_reason(Goal, In, 5, "~s fails: ~s is unbound~s."-[Goal, Var, text(Where)]) :-
    compound(Goal),
    compound_name_arguments(Goal, Name, [Term]),
    '$member'(Name, [ground,nonvar,atom,number,integer,float,atomic,string,compound,callable,is_list]),
    term_variables(Term, [Var|_]),
    ( var(Term) -> true ; Name == ground ),
    inner(In),
    in_clause_text(In, Where).
goal_reason('.'(Dict, get(Key), _), _, 6, "The dict has no key ~s: it has ~s."-[Key, text(Keys)]) :-
    is_dict(Dict),
    atomic(Key),
    \+ get_dict(Key, Dict, _),
    dict_pairs(Dict, _, Pairs),
    findall(Known, '$member'(Known-_, Pairs), Known),
    atomic_list_concat(Known, ', ', Keys).
goal_reason(get_assoc(Key, Assoc, _), _, 7, "The keys have ~s."-[text(Text)]) :-
    nonvar(Key),
    catch(assoc_to_keys(Assoc, Keys), _, fail),
    limit(500, '$member'(Kept, Keys)),
    inner_difference(Key, Kept, InKey, InKept, Slip),
    of_kind(Slip, InKey),
    !,
    difference_text(Slip, InKey, InKept, Text).
goal_reason(A = B, _, 6, "~s fails: the truth values of CLP(FD) are 0 and 1."-[A = B]) :-
    ( A = Number, B = Truth ; A = Truth, B = Number ),
    ( Number == 0 ; Number == 1 ),
    ( Truth == true ; Truth == false ),
    !.
goal_reason(bagof(T, G, L), _, Rank, Reason) :-
    collected_reason(bagof/3, T, G, L, Rank, Reason).
goal_reason(setof(T, G, L), _, Rank, Reason) :-
    collected_reason(setof/3, T, G, L, Rank, Reason).

goal_reason(aggregate_all(Spec, Goal, Result), _, 6, "~s fails where ~s has no answer."-[aggregate_all(Spec, Goal, Result), Goal]) :-
    var(Result),
    nonvar(Spec),
    ( Spec = max(_) ; Spec = min(_) ; Spec = max(_, _) ; Spec = min(_, _) ).

goal_reason(aggregate(_, Goal, _), _, 6, "aggregate/3 fails where ~s has no answer: aggregate_all/3 counts 0."-[Goal]).

%!  compared_values(+Goal, -Values) is semidet.
%
%   Values is the comparison Goal with the values of its sides.

compared_values(Goal, Values) :-
    compound(Goal),
    compound_name_arguments(Goal, Op, [A,B]),
    '$member'(Op, [<,>,=<,>=,=:=,=\=]),
    value(A, VA),
    value(B, VB),
    compound_name_arguments(Values, Op, [VA,VB]).

%   numbers_first(+Text, -Numbers): Text begins with the digits of Numbers, as a date or a version does, perhaps after a `v`.

numbers_first(Text, [Number|Numbers]) :-
    atom_string(Text, String),
    split_string(String, ":-/., ", "", [First0|Parts]),
    ( string_concat(v, First, First0) -> true ; First = First0 ),
    text_number(First, Number),
    numbers(Parts, Numbers).

numbers([Part|Parts], [Number|Numbers]) :-
    text_number(Part, Number),
    !,
    numbers(Parts, Numbers).
numbers(_, []).

part_of_text(sub_atom(Text, B, L, A, Part), Text, Part)   :- \+ two_known([B,L,A]).
part_of_text(sub_string(Text, B, L, A, Part), Text, Part) :- \+ two_known([B,L,A]).

%   part_reason(+Text, +Part, +Goal, -Rank, -Reason) is semidet: Part is not where Goal looks for it in Text.

part_reason(Text, Part, Goal, Rank, Reason) :-
    atomic(Text),
    atomic(Part),
    (   sub_string(Text, _, _, _, Part)
    ->  Rank = 4,
        Reason = "~s fails: ~s is elsewhere in it."-[Goal, Part]
    ;   string_lower(Text, Lower),
        string_lower(Part, LowerPart),
        sub_string(Lower, Before, Length, _, LowerPart)
    ->  sub_atom(Text, Before, Length, _, Other),
        Rank = 6,
        Reason = "~s fails: the text has ~s, not ~s (letter case)."-[Goal, Other, Part]
    ;   Rank = 4,
        Reason = "~s fails: ~s is not in the text."-[Goal, Part]
    ).

%   grammar_of_library(+Goal, -Rule, -Library, -PI): Goal was meant for a predicate PI of the user's, but reaches Rule, a
%   grammar rule of Library, with something that is no list.

grammar_of_library(Goal, Name//Extra, Library, Name/Arity) :-
    compound(Goal),
    compound_name_arity(Goal, Name, Arity),
    ( class(Name, Arity, library(Module)) ; class(Name, Arity, library(Module, _)) ),
    grammar_library(Module, Library),
    Extra is Arity-2,
    compound_name_arguments(Goal, _, Args),
    '$append'(_, [List,_], Args),
    nonvar(List),
    List \= [_|_],
    List \== [].

grammar_library(dcg_basics, "dcg/basics").
grammar_library(dcg_high_order, "dcg/high_order").

%   compared_call(@A, @B, -Call): a goal of the user's is compared with `true` or `false`.

compared_call(A, B, Call) :-
    ( A = Value, B = Call0 ; A = Call0, B = Value ),
    ( Value == true ; Value == false ),
    compound(Call0),
    compound_name_arity(Call0, Name, Arity),
    own(Name, Arity),
    !,
    hb_store:seen_goal(Call0, Call).

%   called_value(@A, @B, -Call): a call of the user's, perhaps without its result, is compared with a number or a string.

called_value(A, B, Call) :-
    ( A = Value, B = Function ; A = Function, B = Value ),
    ( number(Value) ; string(Value) ),
    compound(Function),
    compound_name_arguments(Function, Name, Args),
    ( All = Args ; append_last(Args, _, All) ),
    length(All, Arity),
    own(Name, Arity),
    !,
    compound_name_arguments(Call0, Name, All),
    hb_store:seen_goal(Call0, Call).

%!  joined_lists(@List, @Joined) is semidet.
%
%   Joined is made of lists, by `+`, `|` or brackets, of which List has the elements.

joined_lists(List, Joined) :-
    is_list(List),
    List = [_,_|_],
    ground(Joined),
    ( Joined = A+B ; Joined = [A|B], \+ is_list(B) ; Joined = [A,B] ; Joined = [A|B] ),
    in_list(A, As),
    in_list(B, Bs),
    ( is_list(A) ; Joined = _+_ ),
    '$append'(As, Bs, List),
    !.

in_list(Term, List) :-
    (   is_list(Term)
    ->  List = Term
    ;   List = [Term]
    ).

%   list_argument(?Name, ?Arity, ?I): argument I is a list.

list_argument(sum_list, 2, 1).
list_argument(max_list, 2, 1).
list_argument(min_list, 2, 1).
list_argument(last, 2, 1).
list_argument(reverse, 2, 1).
list_argument(nth0, 3, 2).
list_argument(nth1, 3, 2).
list_argument(append, 3, 1).
list_argument(delete, 3, 1).
list_argument(select, 3, 2).
list_argument(subtract, 3, 1).
list_argument(subtract, 3, 2).
list_argument(maplist, 2, 2).
list_argument(maplist, 3, 2).
list_argument(maplist, 3, 3).
list_argument(include, 3, 2).
list_argument(exclude, 3, 2).
list_argument(foldl, 4, 2).
list_argument(foldl, 5, 2).

%!  negation_reason(+Negation, +Goal, +In, -Rank, -Reason) is semidet.
%
%   Negation, of Goal, fails.

negation_reason(Negation, Goal, In, Rank, Reason) :-
    (   \+ ground(Goal),
        asked_early(In)
    ->  Rank = 7,
        Reason = "~s fails if ~s has any answer, since a variable is unbound: move it after the goal that binds it."-[Negation, Goal]
    ;   ground(Goal)
    ->  at_one_place(In, first, Rows),
        Rank = 4,
        in_clause_text(In, Where),
        Reason = "~s fails: ~s holds~s~s."-[Negation, Goal, text(Where), text(Rows)]
    ;   In = in(_, Sole, Context),
        Sole \== false,
        copy_term_nat(Goal, Copy),
        first_of(Copy, Copy, Instance)
    ->  (   Sole == true,
            stands_outside(Negation, In)
        ->  ( is_inside(Context) -> Rank = 7 ; Rank = 5 ),
            Reason = "~s fails: a variable is unbound, and ~s holds."-[Negation, Instance]
        ;   Sole == true
        ->  ( inner(In) -> Rank = 4 ; Rank = 3 ),
            Reason = "~s fails: ~s holds."-[Negation, Instance]
        ;   at_one_place(In, first, Rows),
            Rank = 4,
            in_clause_text(In, Where),
            Reason = "~s holds within \\+~s~s."-[Instance, text(Where), text(Rows)]
        )
    ).

%   stands_outside(+Negation, +In): the clause has a variable of Negation outside it, too, which was to be bound.

stands_outside(Negation, in(Try, _, _)) :-
    tried(_, Try, Ref),
    clause(knowledge_base:Head, Body, Ref),
    findall(Asked-Head, as_negated(Body, Negation, Asked), [_|_]),
    \+ ( as_negated(Body, Negation, Asked),
         \+ unbound_outside(Asked, Head-Body, Negation) ).

as_negated(Body, Negation, Asked) :-
    conjunct(Body, Asked),
    ( Asked = (\+_) ; Asked = not(_) ),
    as_written(Asked, Written),
    subsumes_term(Written, Negation).

unbound_outside(Asked, Clause, Negation) :-
    as_written(Asked, Written),
    term_variables(Asked, Vars),
    '$member'(Var, Vars),
    occurrences(Clause, Var, All),
    occurrences(Asked, Var, Inside),
    All > Inside,
    Written = Negation,
    var(Var),
    !.

asked_early(in(Try, _, _)) :-
    tried(_, Try, Ref),
    clause(knowledge_base:_, Body, Ref),
    asked_too_early(Body, []).

unify_reason(Goal, A, B, _, 8, "~s fails: `=` computes nothing, ~s is ~s. Write `is` or =:=."-[Goal, Expression, Value]) :-
    ( A = Expression, Other = B ; B = Expression, Other = A ),
    compound(Expression),
    value(Expression, Value),
    (   number(Other)
    ->  true
    ;   compound(Other),                    % a date such as 2024-1-3 may be meant
        value(Other, Same),
        Same =:= Value
    ),
    !.
unify_reason(Goal, A, B, _, 8, "~s fails: `+` does not join text, use string_concat/3 or atom_concat/3."-[Goal]) :-
    ( A = Expression ; B = Expression ),
    nonvar(Expression),
    Expression = C+D,
    ( string(C) ; string(D) ),
    !.
unify_reason(Goal, A, B, _, 8, "~s fails: `=` calls nothing. Ask ~s first."-[Goal, Call]) :-
    ( A = Function, B = Value ; A = Value, B = Function ),
    compound(Function),
    atomic(Value),
    compound_name_arguments(Function, Name, Args),
    append_last(Args, _, All),
    length(All, Arity),
    computes_last(Name, Arity),
    !,
    compound_name_arguments(Call, Name, All).
unify_reason(Goal, A, B, _, 8, Reason) :-
    called_value(A, B, Call),
    !,
    Reason = "~s fails: `=` calls nothing. Ask ~s as a goal of its own."-[Goal, Call].
unify_reason(Goal, A, B, _, 8, "~s fails: append/3 joins lists."-[Goal]) :-
    ( A = List, Joined = B ; A = Joined, B = List ),
    joined_lists(List, Joined),
    !.
unify_reason(Goal, A, B, In, Rank, Reason) :-
    compared_reason(Goal, A, B, In, Rank, Reason).

compared_reason(Goal, A, B, in(_, _, Context), Rank, "~s fails: one side has ~s."-[Goal, text(Text)]) :-
    inner_difference(A, B, InA, InB, Slip),
    \+ of_another_name(Slip),
    ( '$member'(Slip, [member,list]) -> InA == A, InB == B ; true ),
    (   by_chance(Slip)
    ->  ( written_so(Slip, InA, Context) ; written_so(Slip, InB, Context) )
    ;   true
    ),
    !,
    (   of_kind(Slip, InA),
        written_once(InA, InB, Context)
    ->  Rank = 7
    ;   Rank = 6
    ),
    difference_text(Slip, InA, InB, Text).

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

member_reason(Goal, Value, List, in(_, _, Context), 7, Reason) :-
    nonvar(List),
    (   is_list(List)
    ->  nonvar(Value),
        limit(500, '$member'(Kept, List)),
        inner_difference(Value, Kept, InValue, InKept, Slip),
        (   Slip == member
        ->  true
        ;   counts(Slip, InValue, Context)
        ),
        (   of_another_name(Slip)
        ->  same_functor(InValue, Like),
            \+ ( sub_term_of(Sub, List), subsumes_term(Like, Sub) )
        ;   true
        ),
        !,
        difference_text(Slip, InValue, InKept, Text),
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

%!  split_up(+Query, -Reason) is nondet.
%
%   A goal of Query is bagof/3 or setof/3 and gave several lists, since it has a free variable; a later goal failed for each.

split_up(Query, Reason) :-
    furthest(0, _, Ways),
    Ways > 1,
    conjunct(Query, Goal),
    compound(Goal),
    compound_name_arguments(Goal, Name, [Template,Inner,_]),
    '$member'(Name, [bagof,setof]),
    collected_reason(Name/3, Template, Inner, [], _, Reason).

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
