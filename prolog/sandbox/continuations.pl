:- module(hb_continuations,
          [ reset/3,                    % :Goal, ?Ball, -Continuation
            shift/1,                    % +Ball
            shift_for_copy/1,           % +Ball
            call_continuation/1         % +Continuation
          ]).

/** <module> Delimited continuations of untrusted code

A continuation in SWI-Prolog is a term of clauses and positions in them, which the system trusts: a
forged or modified one could continue anywhere.  Here it is `call_continuation(Var)`, with the real
one in an attribute of Var that untrusted code cannot set.  The code in it was translated like all
other.

Tabling suspends goals in the same way, with balls that hold addresses of its tables.  So the balls of
untrusted code are wrapped, and its reset/3 takes no others: what tabling shifts never reaches a
program, and tabling never takes the ball of a program for its own.
*/

:- use_module(resets).
:- use_module('../functor').

:- redefine_system_predicate(reset(_,_,_)).
:- redefine_system_predicate(shift(_)).
:- redefine_system_predicate(shift_for_copy(_)).
:- redefine_system_predicate(call_continuation(_)).

:- meta_predicate reset(0, ?, ?).

%!  reset(:Goal, ?Ball, -Continuation) is nondet.
%
%   As in SWI-Prolog.

reset(Goal, Ball, Continuation) :-
    system:reset(Goal, '$hb_ball'(Ball), Rest),
    (   Rest == 0
    ->  Continuation = 0
    ;   put_attr(Holder, hb_continuations, Rest),
        Continuation = call_continuation(Holder)
    ).

%!  shift(+Ball).
%!  shift_for_copy(+Ball).
%
%   As in SWI-Prolog, except that the evaluation of a tabled predicate between the shift and its reset/3
%   is an error.
%
%   @error existence_error(reset, Ball)

shift(Ball) :-
    must_have_reset(Ball),
    system:shift('$hb_ball'(Ball)).

shift_for_copy(Ball) :-
    must_have_reset(Ball),
    system:shift_for_copy('$hb_ball'(Ball)).

must_have_reset(Ball) :-
    prolog_current_frame(Frame),
    (   has_reset(Frame, Ball)
    ->  true
    ;   throw(error(existence_error(reset, Ball), _))
    ).

%   has_reset(+Frame, +Ball): the innermost reset/3 that takes the ball is one of untrusted code.  That
%   of tabling takes any.

has_reset(Frame, Ball) :-
    enclosing_reset(Frame, Taken, Outer),
    nonvar(Taken),
    Taken = '$hb_ball'(Pattern),
    (   unifiable(Pattern, Ball, _)     % wakes no goals
    ->  true
    ;   integer(Outer),
        has_reset(Outer, Ball)
    ).

%   What the system raises if findall/3 and its kin, or C that has called Prolog, stand between a shift
%   and its reset/3.  Binds nothing in the ball (hb_errors).

:- multifile prolog:prolog_exception_hook/5.

prolog:prolog_exception_hook(Ball, Raised, Frame, _, _) :-
    nonvar(Ball),
    Ball = error(Formal, _),
    nonvar(Formal),
    Formal = existence_error(Kind, Shifted),
    Kind == reset,
    nonvar(Shifted),
    prolog_frame_attribute(Frame, predicate_indicator, system:Name/1),     % not throw/1
    hb_continuations:shifts(Name),
    hb_continuations:without_reset(Shifted, Frame, Seen),
    Raised = error(Seen, _).

shifts(shift).
shifts(shift_for_copy).

%   without_reset(+Shifted, +Frame, -Formal) is semidet: Formal says what it means that Shifted has no
%   reset/3.

without_reset('$hb_ball'(Ball), _, existence_error(reset, Ball)).
without_reset(call_info(_,_), Frame, hornbook(incomplete_table(PI))) :-
    evaluated(Frame, PI).
without_reset(call_info(_,_,_), Frame, hornbook(incomplete_table(PI))) :-
    evaluated(Frame, PI).
without_reset(Shifted, _, hornbook(message(permission_error, "A table of this query has lost its evaluation: ask again."))) :-
    functor(Shifted, call_info, _).         % which tells addresses

%   evaluated(+Frame, -PI) is semidet: PI is the tabled predicate whose evaluation Frame is part of.

evaluated(Frame, PI) :-
    prolog_frame_attribute(Frame, predicate_indicator, Called),
    (   evaluation(Called, I)
    ->  prolog_frame_attribute(Frame, argument(I), Tabled),
        strip_module(Tabled, _, Head),
        term_functor(Head, Name, Arity),
        hb_store:seen_indicator(Name/Arity, PI)
    ;   prolog_frame_attribute(Frame, parent, Parent),
        evaluated(Parent, PI)
    ).

%   evaluation(?PI, -I): the argument I of this predicate is the call of a tabled one that it evaluates.

evaluation('$tabling':create_table/5, 4).
evaluation('$tabling':create_abstract_table/6, 5).
evaluation('$tabling':start_moded_tabling_2/7, 2).

%!  call_continuation(+Continuation) is nondet.
%
%   @error type_error(continuation, Continuation) if it was not made by reset/3.

call_continuation(Holder) :-
    (   attvar(Holder),
        get_attr(Holder, hb_continuations, Rest)
    ->  call(system:Rest)
    ;   throw(error(type_error(continuation, call_continuation(Holder)), _))
    ).

%   A continuation is equal only to itself.

attr_unify_hook(Rest, Other) :-
    attvar(Other),
    get_attr(Other, hb_continuations, Rest1),
    Rest1 == Rest.

attribute_goals(_) -->
    [].
