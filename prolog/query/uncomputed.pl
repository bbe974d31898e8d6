:- module(hb_uncomputed,
          [ uncomputed/5                % +Query, +Names, +Vars, +Answer, -Reason
          ]).
:- use_module('../functor').
:- use_module('../read/subterms', [sub_term_of/2, occurrences/3, goal_of/2]).
:- use_module('../sandbox/written', [as_written/2]).
:- use_module('../store/store').
:- use_module(again, [computes_last/2]).
:- use_module(bounded, [most_inferences/1, moderate/1]).
:- use_module(text_differences, [text/1]).
:- use_module(library(lists), [nth1/3]).
:- use_module(library(solution_sequences), [limit/2]).

/** <module> Answers that are expressions nobody has computed

An answer such as `T = 1+2` is a slip where a clause wrote `T = A+B` of what its caller gave, or `T = A+1`.  It is none
where programs search for expressions or handle them: where a clause made it of its own answers, or takes one apart,
evaluates one, or has a symbol in one.
*/

%   The most clauses of a predicate that are looked at.  The first rows of a table show what it has; nothing is told where a
%   predicate has more clauses than that and rules among them.

most_clauses(200).

%!  uncomputed(+Query, +Names, +Vars, +Answer, -Reason) is semidet.
%
%   Reason, Format-Terms, is about an expression that Query has in its Answer, the values of its variables Vars with
%   Names.  Only the predicates that Query reaches can have made it, and all is done within the inferences of a hint.

uncomputed(Query, Names, Vars, Answer, Reason) :-
    most_inferences(Most),
    nth1(I, Answer, Value),
    compound(Value),
    ground(Value),
    moderate(Value),
    nth1(I, Vars, Var),
    occurrences(Query, Var, 1),             % no other goal of the query handles it
    part(Value, Term),
    kind(Term, Kind),
    !,
    call_with_inference_limit(hb_uncomputed:made(Kind, Term, Query, Where), Most, Result),
    Result \== inference_limit_exceeded,
    nth1(I, Names, name(Name, _)),
    ( Term == Value -> Is = "is" ; Is = "has" ),
    told(Kind, Name, Is, Term, Where, Reason).

told(value, Name, Is, Term, Where, "~s ~s the term ~s~s: for its value write `is`."-[text(Name), text(Is), Term, text(Where)]).
told(text, Name, Is, Term, Where, "~s ~s the term ~s~s: `+` joins no text, atomic_list_concat/2 and string_concat/3 do."-[text(Name), text(Is), Term, text(Where)]).
told(call(_, PI), Name, Is, Term, Where, "~s ~s the term ~s~s: that calls nothing, ask ~s as a goal."-[text(Name), text(Is), Term, text(Where), PI]).

%   part(+Value, -Term): Value, an element or an argument of it; not what is in an expression.

part(Term, Term).
part(Value, Term) :-
    compound(Value),
    \+ numeric(Value),
    arg(_, Value, Arg),
    part(Arg, Term).

%   kind(+Term, -Kind): Term is `value`, an expression of numbers; `text`, a sum of texts; or call(Whose, PI), like a goal of
%   PI without its result.

kind(Term, value) :-
    numeric(Term),
    !.
kind(Term, text) :-
    joins(Term),
    !.
kind(Term, call(Whose, Function/Arity)) :-
    compound(Term),
    compound_name_arity(Term, Function, Count),
    Arity is Count+1,
    calls(Function, Arity, Term, Whose).

%   made(+Kind, +Term, +Query, -Where): all that may have made Term, in Query or a clause that it reaches, is a slip.  Where
%   names the predicate, to be read after Term, if there is only one.

made(Kind, Term, Query, Where) :-
    reached(Query, [], Reached),
    \+ ( '$member'(PI, Reached), many_clauses(PI) ),
    compound_name_arity(Term, Op, Arity),
    compound_name_arity(Made, Op, Arity),
    findall(maker(By, Made, Clause),
            ( text_of(By, Query, Reached, Clause),
              outside_arithmetic(Clause, Made),
              subsumes_term(Made, Term) ),
            Makers),
    Makers = [maker(First, _, _)|_],
    \+ ( '$member'(Maker, Makers), \+ slip(Kind, Term, Maker) ),
    ( Kind == value -> \+ handled(Makers) ; true ),
    (   First == query
    ->  Where = ""
    ;   '$member'(maker(Other, _, _), Makers),
        Other \== First
    ->  Where = ""
    ;   hb_store:seen_indicator(First, Seen),
        format(string(Where), " (in ~q)", [Seen])
    ).

text_of(query, Query, _, (:-Query)).
text_of(PI, _, Reached, Head-Body) :-
    '$member'(PI, Reached),
    clause_of(PI, Head, Body).

clause_of(Name/Arity, Head, Body) :-
    term_functor(Head, Name, Arity),
    most_clauses(Most),
    limit(Most, clause(knowledge_base:Head, Safe)),
    as_written(Safe, Body).

many_clauses(Name/Arity) :-
    term_functor(Head, Name, Arity),
    predicate_property(knowledge_base:Head, number_of_clauses(Count)),
    most_clauses(Most),
    Count > Most,
    \+ predicate_property(knowledge_base:Head, number_of_rules(0)).

%   reached(+Term, +Seen0, -Seen): Seen has the predicates whose names are in Term, and those that their clauses reach.

reached(Term, Seen0, Seen) :-
    findall(Name, ( sub_term_of(Sub, Term), callable(Sub), term_functor(Sub, Name, _) ), Names0),
    sort(Names0, Names),
    findall(Name/Arity, ( '$member'(Name, Names), own(Name, Arity), \+ '$member'(Name/Arity, Seen0) ), New),
    '$append'(New, Seen0, Seen1),
    findall(Body,
            ( '$member'(Name/Arity, New),
              clause_of(Name/Arity, _, Body),
              Body \== true ),
            Bodies),
    (   Bodies == []
    ->  Seen = Seen1
    ;   reached(Bodies, Seen1, Seen)
    ).

outside_arithmetic(Term, Sub) :-
    compound(Term),
    \+ arithmetic_goal(Term),
    (   Sub = Term
    ;   arg(_, Term, Arg),
        outside_arithmetic(Arg, Sub)
    ).

arithmetic_goal(Goal) :-
    compound(Goal),
    compound_name_arguments(Goal, Op, [_,_]),
    '$member'(Op, [is,=:=,=\=,<,>,=<,>=,#=,#\=,#<,#>,#=<,#>=]),
    !.

%   slip(+Kind, +Term, +Maker): Maker, maker(By, Made, Clause), made Term of Made where its value was meant.

slip(value, _, maker(query, Made, (:- _=Query))) :-
    ground(Made),
    Query == Made,                          % no other goal
    !,
    computing(Made).
slip(value, Term, maker(By, Made, Clause)) :-
    \+ ground(Made),
    computing(Made),
    (   sub_term_of(Number, Made),
        number(Number)
    ->  true
    ;   sub_term_of(Square, Made),
        nonvar(Square),
        Square = A*B,
        A == B
    ->  true
    ;   Clause = Head-Body,
        (   calls_again(By, Body)
        ->  sub_term_of(Neutral, Term),     % a base case has 0 for a sum
            '$member'(Neutral, [_+0,0+_,_*1,1*_])
        ;   arg(_, Head, Given),
            var(Given),
            sub_term_of(Sub, Made),
            Sub == Given
        )
    ),
    !.
slip(text, _, maker(_, Made, _)) :-
    \+ ground(Made),
    sub_term_of(Text, Made),
    no_name(Text),
    !.
slip(call(library, _), _, maker(_, Made, _)) :-
    \+ ground(Made).
slip(call(users, _), _, maker(_, Made, Clause)) :-
    \+ ground(Made),
    sub_term_of(Goal, Clause),
    nonvar(Goal),
    Goal = (Var=Value),
    var(Var),
    sub_term_of(Sub, Value),
    Sub == Made,
    !.

calls_again(Name/Arity, Body) :-
    goal_of(Body, Goal),
    term_functor(Goal, Name, Arity),
    !.

%   computing(@Made): an operation for which numbers are computed.  Numbers with `-` or `/` between them are more often pairs
%   and fractions, but not if one that is written there is as large as a year.

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

%   handled(+Makers): a clause handles expressions, or evaluates what one of Makers has made.

handled(Makers) :-
    own(Name, Arity),
    (   many_clauses(Name/Arity)            % which may handle them
    ->  true
    ;   clause_of(Name/Arity, Head, Body),
        handles(Head, Body, Arity, Makers)
    ),
    !.

handles(Head, Body, Arity, Makers) :-
    (   arg(I, Head, Arg),
        ( I < Arity ; Arity == 1 ),
        sub_term_of(Sub, Arg),
        operation(Sub)
    ;   outside_arithmetic(Head-Body, Sub),
        operation(Sub),
        arg(_, Sub, Symbol),
        atom(Symbol),
        \+ '$member'(Symbol, [pi,e])
    ;   goal_of(Body, Goal),
        Goal = (_ is Var),
        var(Var)
    ;   '$member'(maker(Maker/Count, _, _), Makers),
        goal_of(Body, Goal),
        term_functor(Goal, Maker, Count),
        arg(_, Goal, Arg),
        (   operation(Arg)
        ;   var(Arg),
            goal_of(Body, Evaluating),
            arithmetic_goal(Evaluating),
            arg(_, Evaluating, Side),
            Side == Arg
        )
    ),
    !.

operation(Term) :-
    compound(Term),
    compound_name_arguments(Term, Op, [_,_]),
    '$member'(Op, [+,*,//,mod,**,^]),
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
    no_name(Text),
    !.

no_name(Text) :-
    (   string(Text)
    ->  true
    ;   atom(Text),
        \+ csym(Text)
    ).

csym(Atom) :-
    atom_codes(Atom, Codes),
    Codes \== [],
    \+ ( '$member'(Code, Codes), \+ code_type(Code, csym) ).

text_or_joins(Term) :-
    ( text(Term) ; number(Term) ; compound(Term), Term = A+B, text_or_joins(A), text_or_joins(B) ),
    !.

%   calls(+Name, +Arity, +Term, -Whose): a predicate of this name, with one argument more than Term, computes from its
%   arguments; it is of the `library` or of the `users`.

calls(Name, Arity, Term, library) :-
    '$member'(Name, [length,sum_list,sumlist,max_list,min_list,reverse,msort,last,atom_length,string_length,upcase_atom,string_upper]),
    computes_last(Name, Arity),
    arg(1, Term, Arg),
    ( is_list(Arg) ; string(Arg) ; atom(Arg) ),
    !.
calls(Name, Arity, _, users) :-
    own(Name, Arity),
    clause_of(Name/Arity, Head, Body),
    goal_of(Body, Goal),
    Goal = (Result is _),
    arg(Arity, Head, Last),
    Last == Result,
    !.
