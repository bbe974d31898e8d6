:- module(hb_context_arguments,
          [ about_predicates/2,         % +Goal0, -Goal
            takes_predicate/3,          % ?Name, ?Arity, ?I
            called_by_format/2          % +Goal0, -Goal
          ]).
:- use_module('../functor').
:- use_module(library(lists), [nth1/4]).

/** <module> Arguments that name predicates

In text of a module, a clause that is asserted, or a predicate that is asked about, is the
module's own: the argument gets the module before the built-in predicate is called.
*/

%!  about_predicates(+Goal0, -Goal) is det.
%
%   Add the context where Goal0 takes a clause, a predicate or a goal.

about_predicates(Goal0, Goal) :-
    (   hb_store:context(_),
        name_arity(Goal0, Name, Arity),
        takes_predicate(Name, Arity, I)
    ->  Goal0 =.. [Name|Args0],
        nth1(I, Args0, Arg, Others),
        hb_store:qualified(Arg, Qualified),
        nth1(I, Args, Qualified, Others),
        Goal =.. [Name|Args]
    ;   Goal = Goal0
    ).

%!  takes_predicate(?Name, ?Arity, ?I) is nondet.
%
%   The argument I of Name/Arity is a clause, a predicate or a goal.

takes_predicate(assert, 1, 1).
takes_predicate(asserta, 1, 1).
takes_predicate(assertz, 1, 1).
takes_predicate(retract, 1, 1).
takes_predicate(retractall, 1, 1).
takes_predicate(abolish, 1, 1).
takes_predicate(abolish, 2, 1).
takes_predicate(assert, 2, 1).
takes_predicate(asserta, 2, 1).
takes_predicate(assertz, 2, 1).
takes_predicate(clause, 2, 1).
takes_predicate(clause, 3, 1).
takes_predicate(nth_clause, 3, 1).
takes_predicate(listing, 1, 1).
takes_predicate(dynamic, 1, 1).
takes_predicate(discontiguous, 1, 1).
takes_predicate(current_predicate, 1, 1).
takes_predicate(current_predicate, 2, 2).
takes_predicate(predicate_property, 2, 1).
takes_predicate(apply, 2, 1).
takes_predicate(strip_module, 3, 1).
takes_predicate(context_module, 1, 1).   % as a closure

%!  called_by_format(+Goal0, -Goal) is det.
%
%   If the format of Goal0, a call of format/1,2,3, takes a goal, add the context to the arguments that may be one.

called_by_format(Goal0, Goal) :-
    (   hb_store:context(_),
        Goal0 =.. [format|Args0],
        '$append'(Before, [Format,Args1], Args0),
        atomic(Format),
        sub_atom(Format, _, _, _, '~@'),
        is_list(Args1)
    ->  format_arguments(Args1, Args2),
        '$append'(Before, [Format,Args2], Args),
        Goal =.. [format|Args]
    ;   Goal = Goal0
    ).

format_arguments([], []).
format_arguments([Arg0|Args0], [Arg|Args]) :-
    (   name_arity(Arg0, Name, Arity),
        hb_store:private_here(Name, Arity, _)
    ->  hb_store:qualified(Arg0, Arg)
    ;   Arg = Arg0
    ),
    format_arguments(Args0, Args).
