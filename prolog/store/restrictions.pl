:- module(hb_restrictions,
          [ while_closed/2,             % +Why, :Goal
            is_closed/0,
            is_beside/0,
            must_be_open/0,
            leave_if_beside/0,
            must_be_first/0
          ]).
:- use_module(store, [passes/0]).

/** <module> What running code may not do for a while

The condition of a directive and the goal of a constraint change no clauses.  An engine beside the first neither changes
anything nor uses what only the first one has.
*/

:- dynamic
    closed/1.                           % Why: condition, constraint or beside

%!  while_closed(+Why, :Goal) is semidet.
%!  is_closed is semidet.
%!  is_beside is semidet.
%
%   As once(Goal), within which is_closed/0 holds; is_beside/0 if Why is `beside`.

:- meta_predicate while_closed(+, 0).

while_closed(Why, Goal) :-
    setup_call_cleanup(assertz(closed(Why)), once(Goal), retractall(closed(Why))).

is_closed :-
    closed(_),
    !.

is_beside :-
    closed(beside),
    !.

%!  must_be_open is det.
%
%   Clauses are about to change.
%
%   @error permission_error if they may not.

must_be_open :-
    (   closed(Why)
    ->  closed_to_changes(Why)
    ;   true
    ).

closed_to_changes(condition) :-
    throw(error(permission_error(modify, static_procedure, (:- if)/1),
                context(_, 'The condition of a directive changes no clauses'))).
closed_to_changes(constraint) :-
    throw(error(permission_error(modify, static_procedure, (:- constraint)/2),
                context(_, 'The goal of a constraint may not change clauses'))).
closed_to_changes(beside) :-
    (   passes                          % what a query assumes goes when its step ends
    ->  true
    ;   must_be_first
    ).

%!  leave_if_beside is det.
%
%   What was asked is done here, but what is to come is for the first engine only.

leave_if_beside :-
    (   is_beside
    ->  set_flag(hb_leaves, 1)
    ;   true
    ).

%!  must_be_first is det.
%
%   What follows is for the first engine only: a change, a question to the host, or the values that
%   queries leave to later ones.

must_be_first :-
    (   is_beside
    ->  set_flag(hb_leaves, 1),
        throw('$hb_stop'(beside))
    ;   true
    ).
