:- module(hb_query_text,
          [ query_goal/3,               % +Text, -Goal, -Pairs
            shown_variables/3           % +Pairs, -Names, -Values
          ]).
:- use_module('../read/reader').
:- use_module('../store/store').

/** <module> The text of a query

Its goal, and the variables shown in its answers.
*/

%!  query_goal(+Text, -Goal, -Pairs) is det.
%
%   Goal is the goal of the query Text, Pairs its variables as Name=Variable.

query_goal(Text, Goal, Pairs) :-
    read_query(Text, Term, Pairs0),
    (   nonvar(Term),
        Term = (?- Goal0)
    ->  true
    ;   nonvar(Term),
        Term = (:- _)
    ->  throw(error(hornbook(message(syntax_error,
                                     "A query is a goal; a directive is added with the clauses.")), _))
    ;   nonvar(Term),
        ( Term = (_ :- _) ; Term = (_ --> _) )
    ->  throw(error(hornbook(message(syntax_error,
                                     "This is a rule, not a goal: add it as a clause.")), _))
    ;   Goal0 = Term
    ),
    (   var(Goal0)
    ->  throw(error(instantiation_error, _))
    ;   projected(Goal0, Pairs0, Goal, Pairs)
    ).

%   projected(+Goal0, +Pairs0, -Goal, -Pairs): a goal projection(Spec) among the goals of the query
%   selects and orders the variables shown in answers, as in SWISH.  +X sorts the answers by X, -X
%   in descending order.

projected(Goal0, Pairs0, Goal, Pairs) :-
    \+ own(projection, 1),
    without_projection(Goal0, Spec, Goal1),
    !,
    (   is_list(Spec),
        projected_variables(Spec, Pairs0, Pairs, Order)
    ->  true
    ;   throw(error(hornbook(message(type_error,
                                     "projection/1 takes a list of variables of the query, as projection([X, -Y]): \c
                                      +X sorts the answers by X, -Y downwards by Y.")), _))
    ),
    (   Order == []
    ->  Goal = Goal1
    ;   Goal = order_by(Order, Goal1)
    ).
projected(Goal, Pairs, Goal, Pairs).

without_projection(Goal, _, _) :-
    var(Goal),
    !,
    fail.
without_projection(projection(Spec), Spec, true).
without_projection((A,B), Spec, Goal) :-
    (   without_projection(A, Spec, A1)
    ->  Goal = (A1,B)
    ;   without_projection(B, Spec, B1),
        Goal = (A,B1)
    ).

projected_variables([], _, [], []).
projected_variables([One|More], Pairs0, [Name=Variable|Pairs], Order) :-
    sorted_by(One, Variable, Order, Order1),
    var(Variable),
    '$member'(Name=Value, Pairs0),
    Value == Variable,
    !,
    projected_variables(More, Pairs0, Pairs, Order1).

sorted_by(Variable, Variable, Order, Order) :-
    var(Variable),
    !.
sorted_by(+Variable, Variable, [asc(Variable)|Order], Order).
sorted_by(-Variable, Variable, [desc(Variable)|Order], Order).

%!  shown_variables(+Pairs, -Names, -Values) is det.
%
%   The variables shown in answers: all but those whose names begin with an underscore.

shown_variables([], [], []).
shown_variables([Name=Value|Pairs], Names, Values) :-
    (   sub_atom(Name, 0, _, _, '_')
    ->  shown_variables(Pairs, Names, Values)
    ;   Names = [Name|Names1],
        Values = [Value|Values1],
        shown_variables(Pairs, Names1, Values1)
    ).
