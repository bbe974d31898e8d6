:- module(hb_tables,
          [ call_with_inference_limit/3,        % :Goal, +Limit, -Result
            drop_abandoned/0
          ]).

/** <module> Tables whose evaluation was cut short

SWI-Prolog drops the tables of an evaluation that ends with an exception, from when it has begun.  A limit can strike a few
inferences earlier, when the table is there already and waits for an evaluation that never comes: whoever asks
for it later would wait, too.
*/

:- redefine_system_predicate(call_with_inference_limit(_,_,_)).

:- meta_predicate call_with_inference_limit(0, +, -).

%!  call_with_inference_limit(:Goal, +Limit, -Result) is nondet.
%
%   As in SWI-Prolog.

call_with_inference_limit(Goal, Limit, Result) :-
    system:call_with_inference_limit(Goal, Limit, Result0),
    (   Result0 == inference_limit_exceeded
    ->  drop_abandoned
    ;   true
    ),
    Result = Result0.

%!  drop_abandoned is det.
%
%   Drop the tables that no evaluation around this call will complete.

drop_abandoned :-
    (   '$tbl_scc'(Component),
        prolog_current_frame(Frame),
        \+ evaluates(Frame, Component)
    ->  '$tbl_table_discard_all'(Component),
        (   '$tbl_scc'(Outer),
            Outer \== Component
        ->  drop_abandoned
        ;   true
        )
    ;   true
    ).

%   evaluates(+Frame, +Component): Frame is part of the evaluation of Component.

evaluates(Frame, Component) :-
    prolog_frame_attribute(Frame, predicate_indicator, Called),
    (   evaluation(Called, I),
        prolog_frame_attribute(Frame, argument(I), fresh(Evaluated, _)),
        Evaluated == Component
    ->  true
    ;   prolog_frame_attribute(Frame, parent, Parent),
        evaluates(Parent, Component)
    ).

%   evaluation(?PI, -I): the argument I of this predicate tells the component that it evaluates.

evaluation('$tabling':create_table/5, 2).
evaluation('$tabling':create_abstract_table/6, 2).
evaluation('$tabling':start_moded_tabling_2/7, 6).
