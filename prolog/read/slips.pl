:- module(hb_clause_slips,
          [ slip_kind/1,                % ?Kind
            slip/5                      % +Kind, +Head, +Body, +Names, -Words
          ]).
:- use_module('../functor').
:- use_module('../sandbox/policy', [class/3]).
:- use_module('../store/modules', [private/4]).
:- use_module('../store/store', [own/2]).
:- use_module(asserted_slips).
:- use_module(collected, [collected/4]).
:- use_module(collecting_slips).
:- use_module(constraint_slips).
:- use_module(early, [early_in/4]).
:- use_module(expressions).
:- use_module(list_slips).
:- use_module(subterms).
:- use_module(text_slips).
:- use_module(unbound_after).
:- use_module(variable_names).
:- use_module(library(lists), [memberchk/2]).

/** <module> Goals and arguments of a clause that are nearly always slips

Each kind of slip/5 is a doubt of hb_doubts:

  - early
    A negation or a comparison of terms is asked while a variable of it is unbound, and a later goal binds
    that variable.
  - increment
    `X is X+1`: a variable cannot get another value.
  - collects
    bagof/3 or setof/3 with a variable that occurs nowhere else: there is a list for each of its values.
  - joins
    `+` between texts.
  - term
    An argument of the head is an expression of numbers that are computed in the body.
  - argument
    A recursive call passes on the term `N-1` and not its value.
  - order
    A text is compared by the order of numbers.
  - compared
    `==` between a number and an expression, which it does not compute.
  - word
    An atom where a variable is meant: it is compared with a number and stands elsewhere, too, or it is what
    findall/3 collects.
  - output
    A variable of the head gets its value in one branch of a disjunction, and the other branch ignores it.
  - two, nested, tail
    Lists that are not written as they are meant (list_slips.pl).
  - inside
    A goal asks for the value of a variable that only the goal inside findall/3 or forall/2 has had.
  - rows
    `p(X,_)` gives the values for which p/2 is then collected, each as often as it has rows.
  - date
    `2024-03-05` in arithmetic.
  - aggregate
    aggregate_all/3 with a first argument that it does not know, such as `avg(X)`.
  - evaluable
    An expression with a function that is a predicate: `age(A) > age(B)`.
  - goals
    findall/4 with a goal where its list comes: `findall(X, p(X), X > 2, L)`.
  - template
    findall/3 collects a variable that has got its value from a row before.
  - stored
    A fact is added with an expression of what Body computes with.
  - undone
    A constraint on a variable without a value yet, where it is not kept or holds at once: in a negation, in forall/2, in
    the condition of `->`.
  - labeling
    `labeling([max], Vars)`, which is about the order of the variables.
  - escape
    A path with backslashes that are escapes.
*/

slip_kind(early).
slip_kind(increment).
slip_kind(collects).
slip_kind(joins).
slip_kind(term).
slip_kind(argument).
slip_kind(order).
slip_kind(compared).
slip_kind(word).
slip_kind(output).
slip_kind(two).
slip_kind(nested).
slip_kind(tail).
slip_kind(inside).
slip_kind(rows).
slip_kind(date).
slip_kind(aggregate).
slip_kind(evaluable).
slip_kind(goals).
slip_kind(template).
slip_kind(stored).
slip_kind(undone).
slip_kind(labeling).
slip_kind(escape).

%!  slip(+Kind, +Head, +Body, +Names, -Words) is semidet.
%
%   Words, texts that the message quotes, tell the slips of Kind in a clause.  Fails if there are none.

slip(Kind, Head, Body, Names, Words) :-
    findall(text(Word), slipped(Kind, Head, Body, Names, Word), Found),
    sort(Found, Words),
    Words \== [].

slipped(early, Head, Body, Names, Word) :-
    term_variables(Head, Bound),
    early_in(Body, Bound, true, Goal),
    written(Goal, Names, Word).
slipped(increment, _, Body, Names, Word) :-
    sub_term_of(Goal, Body),
    nonvar(Goal),
    Goal = (Var is Expression),
    var(Var),
    compound(Expression),
    compound_name_arguments(Expression, Op, [A,B]),
    memberchk(Op, [+,-,*,/,//]),
    ( A == Var ; B == Var ),
    written(Goal, Names, Word).
slipped(collects, Head, Body, Names, Word) :-
    collected(Head, Body, Name, Var),
    (   names_of([Var], Names, [text(Shown)])
    ->  true
    ;   Shown = '_'
    ),
    format(string(Word), "~w ~w", [Name,Shown]).
slipped(joins, _, Body, Names, Word) :-
    sub_term_of(Goal, Body),
    nonvar(Goal),
    Goal = (A=B),
    ( Expression = A ; Expression = B ),
    joined(Expression),
    written(Expression, Names, Word).
slipped(term, Head, Body, Names, Word) :-
    compound(Head),
    arg(_, Head, Expression),
    compound(Expression),
    operation(Expression),
    \+ pair(Expression),
    \+ data_in_head(Expression, Head),
    sub_term_of(Var, Expression),
    var(Var),
    is_computed(Var, Body),
    \+ once(( sub_term_of(Sub, Body), Sub == Expression )),
    !,
    written(Expression, Names, Word).
slipped(argument, Head, Body, Names, Word) :-
    compound(Head),
    term_functor(Head, Name, Arity),
    term_functor(Call, Name, Arity),
    sub_term_of(Goal, Body),
    nonvar(Goal),
    Goal = Call,
    arg(I, Call, Passed),
    compound(Passed),
    compound_name_arguments(Passed, Op, [Var,By]),
    memberchk(Op, [+,-]),
    integer(By),
    var(Var),
    arg(I, Head, Given),
    Given == Var,
    written(Passed, Names, Word).
slipped(order, Head, Body, _, Word) :-
    compared_text(Body, Op, Text),
    \+ stands_elsewhere(Text, Head, Body),
    format(string(Word), "@~w", [Op]).
slipped(compared, _, Body, Names, Word) :-
    sub_term_of(Goal, Body),
    compound(Goal),
    compound_name_arguments(Goal, Op, [A,B]),
    memberchk(Op, [==,\==]),
    ( number(A), Expression = B ; number(B), Expression = A ),
    compound(Expression),
    operation(Expression),
    written(Goal, Names, Word).
slipped(word, Head, Body, _, Word) :-
    (   compared_text(Body, _, Atom),
        stands_elsewhere(Atom, Head, Body)
    ;   collects_atom(Body, Atom)
    ),
    format(string(Word), "~q", [Atom]).
slipped(output, Head, Body, Names, Word) :-
    term_variables(Head, Vars),
    last_branches(Body, Before, Branch, Other),
    assigned(Branch, Var),
    '$member'(HeadVar, Vars),
    HeadVar == Var,
    \+ occurs(Var, Other),
    \+ occurs(Var, Before),
    \+ ends_early(Other),
    names_of([Var], Names, [text(Word)]).

slipped(Kind, Head, Body, Names, Word) :-
    list_slip(Kind, Head, Body, List),
    written(List, Names, Word).
slipped(rows, Head, Body, Names, Word) :-
    counted_by_row(Head, Body, Goal),
    written(Goal, Names, Word).
slipped(template, Head, Body, Names, Word) :-
    collects_bound(Head, Body, Collecting, Var),
    names_of([Var], Names, [text(Name)]),
    format(string(Word), "~w ~w", [Collecting,Name]).
slipped(stored, _, Body, Names, Word) :-
    stored_expression(Body, Expression),
    written(Expression, Names, Word).
slipped(undone, _, Body, Names, Word) :-
    undone_constraint(Body, Within, Constraint),
    written(Constraint, Names, Shown),
    format(string(Word), "~w ~s", [Within,Shown]).
slipped(escape, Head, Body, _, Word) :-
    escaped_path(Head-Body, Word).
slipped(labeling, _, Body, _, Word) :-
    chooses_variable(Body, Option),
    format(string(Word), "~w", [Option]).
slipped(date, Head, Body, _, Word) :-
    sub_term_of(Goal, Head-Body),
    compound(Goal),
    compound_name_arguments(Goal, Op, [_,_]),
    memberchk(Op, [is,<,>,=<,>=,=:=]),
    sub_term_of(Date, Goal),
    compound(Date),
    Date = Before-Month-Day,
    ( Before = Year ; nonvar(Before), Before = _-Year ),
    integer(Year), Year > 1000, Year < 3000,
    integer(Month), between(1, 12, Month),
    integer(Day), between(1, 31, Day),
    !,
    format(string(Word), "~w", [Year-Month-Day]).
slipped(aggregate, _, Body, _, Word) :-
    sub_term_of(Goal, Body),
    compound(Goal),
    compound_name_arguments(Goal, aggregate_all, [Spec|_]),
    compound(Spec),
    compound_name_arguments(Spec, Name, [_]),
    memberchk(Name, [avg,average,mean,total,length,maximum,minimum]),
    format(string(Word), "~q", [Name]).
slipped(evaluable, _, Body, Names, Word) :-
    sub_term_of(Goal, Body),
    compound(Goal),
    compound_name_arguments(Goal, Op, Sides),
    (   Op == is
    ->  Sides = [_,Expression]
    ;   memberchk(Op, [<,>,=<,>=,=:=,=\=,#<,#>,#=<,#>=,#=,#\=]),
        Sides = [_,_],
        '$member'(Expression, Sides)
    ),
    no_function(Expression, Call, Name/Arity),
    !,                                      % one says it
    written(Call, Names, Shown),
    format(string(Word), "~q/~d ~s", [Name,Arity,Shown]).
slipped(goals, _, Body, Names, Word) :-
    sub_term_of(Goal, Body),
    nonvar(Goal),
    Goal = findall(_,_,List,_),
    callable(List),
    List \= [_|_],
    List \== [],
    written(List, Names, Word).
slipped(inside, Head, Body, Names, Word) :-
    unbound_after(Head, Body, Goal, Var),
    names_of([Var], Names, [text(Name)]),
    format(string(Word), "~w ~w", [Goal,Name]).

%   no_function(+Expression, -Call, -PI) is nondet: Expression computes with Call, which is not a function of arithmetic, but with
%   one argument more a goal for the predicate PI.

no_function(Expression, Call, Name/Arity) :-
    compound(Expression),
    Expression \= [_|_],
    compound_name_arity(Expression, Name0, Arity0),
    Name0 \== '.',                          % a function of a dict
    compound_name_arity(General, Name0, Arity0),
    (   current_arithmetic_function(General)
    ->  arg(_, Expression, Arg),
        no_function(Arg, Call, Name/Arity)
    ;   Name = Name0,
        Arity is Arity0+1,
        ( own(Name, Arity) ; private(_, Name, Arity, _) ; class(Name, Arity, _) ),
        !,
        Call = Expression
    ).

%   compared_text(+Body, -Op, -Text) is nondet: a goal of Body compares Text by Op, the order of numbers.

compared_text(Body, Op, Text) :-
    sub_term_of(Goal, Body),
    compound(Goal),
    compound_name_arguments(Goal, Op, [A,B]),
    memberchk(Op, [<,>,=<,>=]),
    ( Text = A ; Text = B ),
    not_a_number(Text).

stands_elsewhere(Atom, Head, Body) :-
    atom(Atom),
    occurrences(Head-Body, Atom, Count),
    Count > 1.

%   collects_atom(+Body, -Atom) is nondet: a goal of Body collects Atom, which a goal of the user's inside has as an argument.

collects_atom(Body, Atom) :-
    sub_term_of(Goal, Body),
    compound(Goal),
    compound_name_arguments(Goal, Name, [Atom,Inner,_]),
    memberchk(Name, [findall,bagof,setof]),
    atom(Atom),
    goal_of(Inner, Asked),
    compound(Asked),
    term_functor(Asked, AskedName, Arity),
    \+ class(AskedName, Arity, _),
    arg(_, Asked, Arg),
    Arg == Atom.

%   data_in_head(+Expression, +Head): another argument of Head joins variables by the same operator, as in below(R*C, S*C).

data_in_head(Expression, Head) :-
    of_variables(Expression, Operator),
    arg(_, Head, Other),
    Other \== Expression,
    of_variables(Other, Operator),
    !.

of_variables(Term, Operator) :-
    compound(Term),
    compound_name_arguments(Term, Operator, [A,B]),
    var(A),
    var(B).

%   last_branches(+Body, -Before, -Branch, -Other) is nondet: Body is Before and a choice between Branch and Other.

last_branches(Body, true, Branch, Other) :-
    nonvar(Body),
    Body = (A;B),
    nonvar(A),
    A \= (_*->_),
    (   Branch = A, Other = B
    ;   Branch = B, Other = A
    ).

assigned(Goal, Var) :-
    nonvar(Goal),
    (   ( Goal = (A,B) ; Goal = (A->B) )
    ->  ( assigned(A, Var) ; assigned(B, Var) )
    ;   Goal = (Var is _),
        var(Var)
    ).

ends_early(Goal) :-
    var(Goal),
    !.
ends_early((A,B)) :-
    !,
    ( ends_early(A) -> true ; ends_early(B) ).
ends_early((_->B)) :-
    !,
    ends_early(B).
ends_early(Goal) :-
    callable(Goal),
    term_functor(Goal, Name, _),
    memberchk(Name, [fail,false,true,throw,halt,print_message]).
