:- module(hb_clause_slips,
          [ slip_kind/1,                % ?Kind
            slip/5,                     % +Kind, +Head, +Body, +Names, -Words
            asked_too_early/2,          % +Body, +Bound
            calls_again/3,              % +Head, +Body, -PI
            unified_expression/3,       % +Goal, -Other, -Expression
            computable/4,               % +Expression, +Head, +Body, +Other
            is_computed/2,              % @Var, +Body
            value_word/4,               % +Other, +Expression, +Names, -Word
            collected_variables/3,      % +Term, +Body, -Vars
            without/3,                  % +Vars0, +Others, -Vars
            names_of/3                  % +Vars, +Names, -Words
          ]).
:- use_module('../functor').
:- use_module('../sandbox/policy', [class/3]).
:- use_module(list_slips).
:- use_module(subterms).
:- use_module(unbound_after).
:- use_module(library(lists), [member/2, memberchk/2]).

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
slipped(inside, Head, Body, Names, Word) :-
    unbound_after(Head, Body, Goal, Var),
    names_of([Var], Names, [text(Name)]),
    format(string(Word), "~w ~w", [Goal,Name]).

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

%   written(+Term, +Names, -Text): Term with the names of its variables.

written(Term, Names, Text) :-
    copy_term_nat(Term-Names, Copy-Copies),
    bind_names(Copies),
    format(string(Text0), '~W', [Copy, [quoted(true), numbervars(true), max_depth(8), spacing(next_argument)]]),
    string_length(Text0, Length),
    (   Length > 60
    ->  sub_string(Text0, 0, 60, _, Begin),
        string_concat(Begin, "…", Text)
    ;   Text = Text0
    ).

bind_names([]).
bind_names([Name='$VAR'(Name)|Names]) :-
    !,
    bind_names(Names).
bind_names([_|Names]) :-
    bind_names(Names).

                /*******************************
                *    asked before it is bound  *
                *******************************/

%!  asked_too_early(+Body, +Bound) is semidet.
%
%   Body has a negation or comparison of terms with a variable that is not in the list Bound, that no earlier goal has
%   and a later one binds.

asked_too_early(Body, Bound) :-
    early_in(Body, Bound, true, _),
    !.

%   early_in(+Goal, +Bound, +Later, -Early) is nondet: Early is such a goal in Goal.  Later holds the goals after Goal.

early_in(Goal, _, _, _) :-
    var(Goal),
    !,
    fail.
early_in((A,B), Bound0, Later, Early) :-
    !,
    (   early_in(A, Bound0, (B,Later), Early)
    ;   after(A, Bound0, Bound),
        early_in(B, Bound, Later, Early)
    ).
early_in((A->B), Bound, Later, Early) :-
    !,
    early_in((A,B), Bound, Later, Early).
early_in((A*->B), Bound, Later, Early) :-
    !,
    early_in((A,B), Bound, Later, Early).
early_in((A;B), Bound, Later, Early) :-
    !,
    (   early_in(A, Bound, Later, Early)
    ;   early_in(B, Bound, Later, Early)
    ).
early_in(Goal, Bound, _, Early) :-
    asks_inside(Goal, Inner),
    early_in(Inner, Bound, true, Early).
early_in(Goal, Bound, Later, Goal) :-
    asks(Goal, Asked),
    term_variables(Asked, Vars),
    '$member'(Var, Vars),
    \+ ( '$member'(Known, Bound), Known == Var ),
    binds(Later, Var),
    !.

after(Goal, Bound0, Bound) :-
    (   nonvar(Goal),
        asks(Goal, _)
    ->  Bound = Bound0
    ;   term_variables(Goal+Bound0, Bound)
    ).

asks_inside(findall(_,Goal,_), Goal).
asks_inside(findall(_,Goal,_,_), Goal).
asks_inside(aggregate_all(_,Goal,_), Goal).
asks_inside(aggregate_all(_,_,Goal,_), Goal).
asks_inside(bagof(_,Goal0,_), Goal) :- inner(Goal0, true, _, Goal).
asks_inside(setof(_,Goal0,_), Goal) :- inner(Goal0, true, _, Goal).
asks_inside(forall(A,B), (A,B)).

asks(\+Goal, Goal).
asks(not(Goal), Goal).
asks(A\=B, A+B).
asks(A\==B, A+B).
asks(A==B, A+B).

%   binds(+Goal, @Var): a goal of Goal that is no test has Var.

binds(Goal, Var) :-
    var(Goal),
    !,
    Goal == Var.
binds((A,B), Var)   :- !, ( binds(A, Var) -> true ; binds(B, Var) ).
binds((A->B), Var)  :- !, ( binds(A, Var) -> true ; binds(B, Var) ).
binds((A*->B), Var) :- !, ( binds(A, Var) -> true ; binds(B, Var) ).
binds((A;B), Var)   :- !, ( binds(A, Var) -> true ; binds(B, Var) ).
binds(Goal, _) :-
    asks(Goal, _),
    !,
    fail.
binds(Goal, Var) :-
    callable(Goal),
    term_functor(Goal, Name, _),
    \+ memberchk(Name, [<,>,=<,>=,=:=,=\=,write,print,writeln,format,nl,dif,assertz,asserta,assert]),
    occurs(Var, Goal).

                /*******************************
                *          expressions         *
                *******************************/

%!  unified_expression(+Goal, -Other, -Expression) is nondet.
%
%   Goal unifies Other, a variable or a number, with Expression.

unified_expression(Goal, Other, Expression) :-
    nonvar(Goal),
    Goal = (A=B),
    (   Other = A, Expression = B
    ;   Other = B, Expression = A
    ),
    ( var(Other) ; number(Other) ),
    compound(Expression).

%!  computable(+Expression, +Head, +Body, +Other) is semidet.
%
%   Expression was probably meant to be computed: an operation on a variable and a number, on variables that are numbers
%   elsewhere in the clause, or one for a variable that is a number in another clause.  A difference is more often a
%   pair, unless a number is subtracted.

computable(Expression, Head, Body, Other) :-
    operation(Expression),
    \+ ground(Expression),
    compound_name_arguments(Expression, Operator, [_,B]),
    (   memberchk(Operator, [mod,rem,//])
    ->  true
    ;   Operator == (-),
        \+ integer(B)
    ->  fail
    ;   sub_term_of(Number, Expression),
        number(Number)
    ->  true
    ;   term_variables(Expression, Vars),
        '$member'(Var, Vars),
        \+ is_number_elsewhere(Var, Body)
    ->  result_is_number(Other, Head)
    ;   true
    ).

operation(Expression) :-
    compound(Expression),
    compound_name_arguments(Expression, Operator, [A,B]),
    memberchk(Operator, [+,*,/,-,//,mod,rem]),
    operand(A),
    operand(B).

operand(Var)    :- var(Var), !.
operand(Number) :- number(Number), !.
operand(Expression) :-
    operation(Expression).

%   pair(+Expression): only `-`, `/` and `//` of variables, which more often stand for pairs and indicators.

pair(Expression) :-
    var(Expression),
    !.
pair(A-B) :-
    pair(A),
    pair(B).
pair(A/B) :-
    pair(A),
    pair(B).
pair(A//B) :-
    pair(A),
    pair(B).

%!  is_computed(@Var, +Body) is semidet.
%
%   A goal of Body computes with the variable Var.

is_computed(Var, Body) :-
    var(Var),
    sub_term_of(Goal, Body),
    compound(Goal),
    compound_name_arguments(Goal, Name, [_,_]),
    memberchk(Name, [is,=:=,=\=,<,>,=<,>=,#=,#\=,#<,#>,#=<,#>=]),
    occurs(Var, Goal),
    !.

is_number_elsewhere(Var, Body) :-
    is_computed(Var, Body),
    !.
is_number_elsewhere(Var, Body) :-
    sub_term_of(Goal, Body),
    nonvar(Goal),
    Goal = (A=B),
    ( A == Var, number(B) ; B == Var, number(A) ),
    !.

%   result_is_number(@Var, +Head): Var is an argument of Head, and another clause has a number there.

result_is_number(Var, Head) :-
    var(Var),
    compound(Head),
    arg(I, Head, Arg),
    Arg == Var,
    term_functor(Head, Name, Arity),
    term_functor(Other, Name, Arity),
    predicate_property(knowledge_base:Other, number_of_clauses(Count)),
    Count < 100,
    clause(knowledge_base:Other, _),
    arg(I, Other, Number),
    number(Number),
    !.

%!  value_word(@Other, +Expression, +Names, -Word) is semidet.

value_word(Other, Expression, Names, Word) :-
    (   var(Other)
    ->  names_of([Other], Names, [Word])
    ;   written(Expression, Names, Text),
        Word = text(Text)
    ).

joined(Expression) :-
    compound(Expression),
    Expression = A+B,
    ( string(A) ; string(B) ; joined(A) ; joined(B) ),
    !.

not_a_number(Text) :-
    string(Text),
    string_length(Text, Length),
    Length =\= 1.
not_a_number(Text) :-
    atom(Text),
    Text \== [],
    \+ current_arithmetic_function(Text).

                /*******************************
                *    collecting and repeating  *
                *******************************/

%!  collected_variables(+Term, +Body, -Vars) is det.
%
%   The variables of the clause Term that bagof/3 or setof/3 has alone.

collected_variables(Term, Body, Vars) :-
    findall(Name, collected(Term, Body, Name, _), Names),
    (   Names == []
    ->  Vars = []
    ;   bagof_variables(Term, Body, Vars)
    ).

bagof_variables(Term, Body, Vars) :-
    term_variables(Body, All),
    only_collected(All, Term, Body, Vars).

only_collected([], _, _, []).
only_collected([Var|All], Term, Body, Vars) :-
    (   collected(Term, Body, _, Other),
        Other == Var
    ->  Vars = [Var|Vars1]
    ;   Vars = Vars1
    ),
    only_collected(All, Term, Body, Vars1).

%   collected(+Head, +Body, -Name, -Var) is nondet: the goal Name of Body collects, and Var, free in it, occurs nowhere else.

collected(Head, Body, Name, Var) :-
    sub_term_of(Goal, Body),
    compound(Goal),
    compound_name_arguments(Goal, Name, [Template,Inner0,_]),
    memberchk(Name, [bagof,setof]),
    inner(Inner0, Template, Bound, Inner),
    asked_in(Inner, Asked),
    term_variables(Asked, Vars),
    '$member'(Var, Vars),
    \+ occurs(Var, Bound),
    occurrences(Goal, Var, There),
    occurrences(Body, Var, All),
    There =:= All,
    \+ ( head_of(Head, H), occurs(Var, H) ).

head_of((Head:-_), Head) :- !.
head_of((Head-->_), Head) :- !.
head_of((Head=>_), Head) :- !.
head_of(Head, Head).

inner(Goal, Bound, Bound, Goal) :-
    var(Goal),
    !.
inner(Var^Goal0, Bound0, Bound, Goal) :-
    !,
    inner(Goal0, Var+Bound0, Bound, Goal).
inner(Goal, Bound, Bound, Goal).

%   asked_in(+Goal, -Asked): Goal without the goals whose variables are their own.

asked_in(Goal, Goal) :-
    var(Goal),
    !.
asked_in((A,B), (C,D))  :- !, asked_in(A, C), asked_in(B, D).
asked_in((A;B), (C,D))  :- !, asked_in(A, C), asked_in(B, D).
asked_in((A->B), (C,D)) :- !, asked_in(A, C), asked_in(B, D).
asked_in(Goal, true) :-
    compound(Goal),
    compound_name_arity(Goal, Name, _),
    memberchk(Name, [\+,not,findall,forall,aggregate_all,aggregate,bagof,setof]),
    !.
asked_in(Goal, Goal).

%!  calls_again(+Head, +Body, -PI) is nondet.
%
%   Whenever Body succeeds, it has called the predicate PI, perhaps that of Head, with the rest of a list or with a number
%   that it has counted up or down; or that of Head with one of its arguments, which is nowhere else in the clause.

calls_again(Head, Body, Name/Arity) :-
    compound(Head),
    conjunct(Body, Goal),
    compound(Goal),
    term_functor(Goal, Name, Arity),
    arg(_, Goal, Passed),
    var(Passed),
    arg(_, Head, Given),
    (   nonvar(Given),
        Given = [_|Rest],
        Rest == Passed
    ;   var(Given),
        conjunct(Body, Step),
        nonvar(Step),
        Step = (Next is Expression),
        Next == Passed,
        compound(Expression),
        compound_name_arguments(Expression, Op, [From,By]),
        memberchk(Op, [+,-]),
        From == Given,
        integer(By)
    ).

calls_again(Head, Body, Name/Arity) :-
    compound(Head),
    term_functor(Head, Name, Arity),
    conjunct(Body, Goal),
    compound(Goal),
    term_functor(Goal, Name, Arity),
    arg(I, Head, Given),
    var(Given),
    arg(I, Goal, Passed),
    Passed == Given,
    occurrences(Head-Body, Given, 2).

conjunct(Goal, Goal) :-
    var(Goal),
    !.
conjunct((A,B), Goal) :-
    !,
    ( conjunct(A, Goal) ; conjunct(B, Goal) ).
conjunct(Goal, Goal).

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

                /*******************************
                *             terms            *
                *******************************/

%!  without(+Vars0, +Others, -Vars) is det.

without([], _, []).
without([Var|Vars0], Others, Vars) :-
    (   '$member'(Other, Others),
        Other == Var
    ->  Vars = Vars1
    ;   Vars = [Var|Vars1]
    ),
    without(Vars0, Others, Vars1).

%!  names_of(+Vars, +Names, -Words) is det.
%
%   The names of Vars that do not begin with an underscore, as terms text(Name).

names_of(Vars, Names, Words) :-
    findall(text(Name),
            ( member(Name=Var, Names),
              \+ sub_atom(Name, 0, _, _, '_'),
              member(Single, Vars),
              Single == Var ),
            Words).
