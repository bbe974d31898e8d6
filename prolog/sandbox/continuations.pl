:- module(hb_continuations,
          [ reset/3,                    % :Goal, ?Ball, -Continuation
            call_continuation/1         % +Continuation
          ]).

/** <module> Delimited continuations of untrusted code

A continuation of SWI-Prolog is a term of clauses and places in them, which it believes: one that was made up or changed
could have it go on anywhere.  Here it is what a variable holds as an attribute, `call_continuation(Var)`, which is no
attribute that untrusted code can set.  What runs in it was translated as all code is.
*/

:- redefine_system_predicate(reset(_,_,_)).
:- redefine_system_predicate(call_continuation(_)).

:- meta_predicate reset(0, ?, ?).

%!  reset(:Goal, ?Ball, -Continuation) is nondet.
%
%   As SWI-Prolog has it.

reset(Goal, Ball, Continuation) :-
    system:reset(Goal, Ball, Rest),
    (   Rest == 0
    ->  Continuation = 0
    ;   put_attr(Holder, hb_continuations, Rest),
        Continuation = call_continuation(Holder)
    ).

%!  call_continuation(+Continuation) is nondet.
%
%   @error type_error(continuation, Continuation) for what reset/3 has not made

call_continuation(Holder) :-
    (   attvar(Holder),
        get_attr(Holder, hb_continuations, Rest)
    ->  call(system:Rest)
    ;   throw(error(type_error(continuation, call_continuation(Holder)), _))
    ).

%   A continuation is equal to itself alone.

attr_unify_hook(Rest, Other) :-
    attvar(Other),
    get_attr(Other, hb_continuations, Rest1),
    Rest1 == Rest.

attribute_goals(_) -->
    [].
