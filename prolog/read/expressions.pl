:- module(hb_expressions,
          [ unified_expression/3,       % +Goal, -Other, -Expression
            computable/4,               % +Expression, +Head, +Body, +Other
            is_computed/2,              % @Var, +Body
            operation/1,                % +Expression
            pair/1,                     % +Expression
            joined/1,                   % +Expression
            not_a_number/1              % +Text
          ]).
:- use_module('../functor').
:- use_module(subterms).
:- use_module(library(lists), [memberchk/2]).

/** <module> Arithmetic in clauses, computed and not
*/

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

%!  operation(+Expression) is semidet.

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

%!  pair(+Expression) is semidet.
%
%   Only `-`, `/` and `//` of variables, which more often stand for pairs and indicators.

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

%!  joined(+Expression) is semidet.
%
%   `+` between texts.

joined(Expression) :-
    compound(Expression),
    Expression = A+B,
    ( string(A) ; string(B) ; joined(A) ; joined(B) ),
    !.

%!  not_a_number(+Text) is semidet.
%
%   A text with which arithmetic cannot compute.

not_a_number(Text) :-
    string(Text),
    string_length(Text, Length),
    Length =\= 1.
not_a_number(Text) :-
    atom(Text),
    Text \== [],
    \+ current_arithmetic_function(Text).
