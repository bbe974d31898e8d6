:- module(hb_uncomputed,
          [ uncomputed/4                % +Query, +Names, +Answer, -Reason
          ]).
:- use_module('../functor').
:- use_module('../read/subterms', [sub_term_of/2]).
:- use_module('../sandbox/written', [as_written/2]).
:- use_module('../store/store').
:- use_module(again, [computes_last/2]).
:- use_module(stops, [conjunct/2]).
:- use_module(text_differences, [text/1]).
:- use_module(library(lists), [nth1/3, append/3]).

/** <module> Answers that are expressions nobody has computed

An answer such as `T = 1+2` is a slip where a clause made it of its variables, `T = A+B`, and not where programs handle
expressions: take them apart in a head, evaluate a variable, or are asked about one.
*/

%   The most clauses of a predicate that are looked at.

most_clauses(200).

%!  uncomputed(+Query, +Names, +Answer, -Reason) is semidet.
%
%   Reason, Format-Terms, is about an expression that Query has in its Answer, those of the variables Names.

uncomputed(Query, Names, Answer, Reason) :-
    nth1(I, Answer, Value),
    compound(Value),
    ground(Value),
    nth1(I, Names, name(Name, _)),
    \+ takes_expressions,
    part(Value, Term),
    meant(Term, Name, Query, Reason),
    !.

%   part(+Value, -Term): Value, an element or an argument of it; not what is in an expression.

part(Term, Term).
part(Value, Term) :-
    compound(Value),
    \+ numeric(Value),
    arg(_, Value, Arg),
    part(Arg, Term).

meant(Term, Name, Query, "~s has the term ~s~s, which nothing computes: write `is`."-[text(Name), Term, text(Where)]) :-
    numeric(Term),
    made(Term, Query, Made, Where),
    computing(Made).
meant(Term, Name, Query, "~s has the term ~s~s: `+` joins no text, atomic_list_concat/2 and string_concat/3 do."-[text(Name), Term, text(Where)]) :-
    joins(Term),
    made(Term, Query, _, Where).
meant(Term, Name, Query, "~s has the term ~s~s: that calls nothing, ask ~s as a goal."-[text(Name), Term, text(Where), PI]) :-
    compound(Term),
    compound_name_arity(Term, Function, Count),
    Arity is Count+1,
    calls(Function, Arity, Term),
    made(Term, Query, _, Where),
    PI = Function/Arity.

%   made(+Term, +Query, -Made, -Where) is nondet: Made, which has variables, became Term.  A clause has it outside arithmetic, or
%   Query has it as a side of `=`.

made(Term, _, Made, Where) :-
    compound_name_arity(Term, Op, Args),
    compound_name_arity(Made, Op, Args),
    some_clause(Name, Arity, Head-Body),
    outside_arithmetic(Head-Body, Made),
    \+ ground(Made),
    subsumes_term(Made, Term),
    hb_store:seen_indicator(Name/Arity, Seen),
    format(string(Where), " (in ~q)", [Seen]).
made(Term, Query, Made, "") :-
    conjunct(Query, Goal),
    Goal = (Var=Made),
    var(Var),
    compound(Made),
    subsumes_term(Made, Term),
    !.

some_clause(Name, Arity, Head-Body) :-
    own(Name, Arity),
    term_functor(Head, Name, Arity),
    predicate_property(knowledge_base:Head, number_of_clauses(Count)),
    most_clauses(Most),
    Count =< Most,
    clause(knowledge_base:Head, Safe),
    as_written(Safe, Body).

outside_arithmetic(Term, Sub) :-
    compound(Term),
    \+ arithmetic_goal(Term),
    (   Sub = Term
    ;   arg(_, Term, Arg),
        outside_arithmetic(Arg, Sub)
    ).

arithmetic_goal(Goal) :-
    compound_name_arguments(Goal, Op, [_,_]),
    '$member'(Op, [is,=:=,=\=,<,>,=<,>=,#=,#\=,#<,#>,#=<,#>=]).

%   computing(@Made): an operation for which numbers are computed.  Numbers with `-` or `/` between them are more often pairs
%   and fractions, but not if one is as large as a year.

computing(Made) :-
    sub_term_of(Sub, Made),
    compound(Sub),
    compound_name_arguments(Sub, Op, Args),
    (   \+ '$member'(Op, [-,/])
    ;   Op == (-),
        '$member'(Large, Args),
        integer(Large),
        Large >= 100
    ),
    !.

%   numeric(@Term): an expression of numbers.

numeric(Term) :-
    compound(Term),
    compound_name_arguments(Term, Op, Args),
    length(Args, Arity),
    '$member'(Op/Arity, [(+)/2,(-)/2,(*)/2,(/)/2,(//)/2,(mod)/2,(rem)/2,(**)/2,(^)/2,(-)/1,sqrt/1,abs/1,round/1,max/2,min/2]),
    \+ ( '$member'(Arg, Args), \+ number(Arg), \+ numeric(Arg) ).

%   joins(@Term): `+` between texts, of which one cannot be a name.

joins(A+B) :-
    text_or_joins(A),
    text_or_joins(B),
    sub_term_of(Text, A+B),
    ( string(Text) -> true ; atom(Text), \+ csym(Text) ),
    !.

csym(Atom) :-
    atom_codes(Atom, Codes),
    Codes \== [],
    \+ ( '$member'(Code, Codes), \+ code_type(Code, csym) ).

text_or_joins(Term) :-
    ( text(Term) ; number(Term) ; compound(Term), Term = A+B, text_or_joins(A), text_or_joins(B) ),
    !.

%   calls(+Name, +Arity, +Term): a predicate of this name, with one argument more than Term, computes from its arguments.

calls(Name, Arity, Term) :-
    '$member'(Name, [length,sum_list,sumlist,max_list,min_list,reverse,msort,last,atom_length,string_length,upcase_atom,string_upper]),
    computes_last(Name, Arity),
    arg(1, Term, Arg),
    ( is_list(Arg) ; string(Arg) ; atom(Arg) ),
    !.
calls(Name, Arity, _) :-
    own(Name, Arity),
    term_functor(Head, Name, Arity),
    clause(knowledge_base:Head, Body),
    as_written(Body, Written),
    conjunct(Written, Goal),
    Goal = (Result is _),
    arg(Arity, Head, Last),
    Last == Result,
    !.

%   takes_expressions: a head takes an expression apart, in an argument that is not the last one, or a goal evaluates a
%   variable.

takes_expressions :-
    some_clause(_, Arity, Head-Body),
    (   arg(I, Head, Arg),
        ( I < Arity ; Arity == 1 ),
        sub_term_of(Sub, Arg),
        compound(Sub),
        compound_name_arguments(Sub, Op, [_,_]),
        '$member'(Op, [+,*,//,mod,**,^])
    ;   sub_term_of(Goal, Body),
        nonvar(Goal),
        Goal = (_ is Var),
        var(Var)
    ),
    !.
