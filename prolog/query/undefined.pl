:- module(hb_undefined,
          [ is_undefined/0,
            must_be_defined/0,
            delay_list/1,               % -Delays
            same_delays/1,              % @Delays
            seen_goals/2                % +Goals, -Seen
          ]).
:- use_module('../store/store').

/** <module> Goals that are neither true nor false

Tabling follows the well-founded semantics: a goal that depends on its own negation succeeds, but is
undefined.  SWI-Prolog keeps what such a success rests on in the delay list of the engine, which
backtracking resets.  While it is empty, all that has succeeded is true.
*/

%!  is_undefined is semidet.
%
%   What has succeeded in this engine so far rests on an undefined goal.

is_undefined :-
    '$tbl_delay_list'(Delays),
    Delays \== [].

%!  must_be_defined is det.
%
%   Called before an effect, and before a decision.
%
%   @error undefined(Goals) if it would rest on Goals, a conjunction of undefined ones.

must_be_defined :-
    '$tbl_delay_list'(Delays),
    (   Delays == []
    ->  true
    ;   delay_goals(Delays, Goals),
        throw(error(undefined(Goals), _))
    ).

%!  delay_list(-Delays) is det.
%!  same_delays(@Delays) is semidet.
%
%   Delays is the delay list; or it has not changed since it was Delays.

delay_list(Delays) :-
    '$tbl_delay_list'(Delays).

same_delays(Delays) :-
    '$tbl_delay_list'(Now),
    same_term(Delays, Now).

%   delay_goals(+Delays, -Goals): Goals is the conjunction of the undefined goals in Delays, a delay list, as the user names them.

delay_goals(Delays, Goals) :-
    (   '$tabling':delay_goals(Delays, knowledge_base, Goals0)
    ->  seen_goals(Goals0, Goals)
    ;   Goals = undefined
    ).

%!  seen_goals(+Goals, -Seen) is det.
%
%   Seen are Goals, a condition of SWI-Prolog's tables, as the user names them.

seen_goals((A0,B0), (A,B)) :-
    !,
    seen_goals(A0, A),
    seen_goals(B0, B).
seen_goals((A0;B0), (A;B)) :-
    !,
    seen_goals(A0, A),
    seen_goals(B0, B).
seen_goals(tnot(Goal0), tnot(Goal)) :-
    !,
    seen_goals(Goal0, Goal).
seen_goals(Module:Goal0, Goal) :-
    ( Module == knowledge_base ; Module == system ),
    !,
    seen_goals(Goal0, Goal).
seen_goals(Goal0, Goal) :-
    hb_store:seen_goal(Goal0, Goal).
