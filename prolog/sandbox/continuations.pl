:- module(hb_continuations,
          [ reset/3,                    % :Goal, ?Ball, -Continuation
            call_continuation/1         % +Continuation
          ]).

/** <module> Delimited continuations of untrusted code

A continuation in SWI-Prolog is a term of clauses and positions in them, which the system trusts: a
forged or modified one could continue anywhere.  Here it is `call_continuation(Var)`, with the real
one in an attribute of Var that untrusted code cannot set.  The code in it was translated like all
other.
*/

:- redefine_system_predicate(reset(_,_,_)).
:- redefine_system_predicate(call_continuation(_)).

:- meta_predicate reset(0, ?, ?).

%!  reset(:Goal, ?Ball, -Continuation) is nondet.
%
%   As in SWI-Prolog.

reset(Goal, Ball, Continuation) :-
    system:reset(Goal, Ball, Rest),
    (   Rest == 0
    ->  Continuation = 0
    ;   put_attr(Holder, hb_continuations, Rest),
        Continuation = call_continuation(Holder)
    ).

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
