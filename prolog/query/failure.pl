:- module(hb_failure,
          [ refute/4,                   % +Text, +Seconds, -Control, -Parts
            holds/2,                    % +Safe, +Values
            failing/3,                  % +Goal, +Values, -Try
            why_not/3,                  % +Names, -Nodes, -Cut
            why_not/4                   % +Names, +Most, -Nodes, -Cut
          ]).
:- use_module('../sandbox/namesakes', [taken_back/1]).
:- use_module('../sandbox/sandbox').
:- use_module('../functor').
:- use_module('../store/store').
:- use_module('../limits').
:- use_module('../depth', [tree_within/3]).
:- use_module('../errors').
:- use_module(query_text).
:- use_module(changes).
:- use_module(answer).
:- use_module(proof).
:- use_module(proof_nodes).
:- use_module(explaining).
:- use_module(failure_nodes).
:- use_module(tries).
:- use_module(again).
:- use_module(near_rows).
:- use_module(open_conditions).
:- use_module('../host/joins', [conjuncts/2, prefix/1]).
:- use_module('../host/sets', [in_set/1, set_solution/1]).
:- use_module(library(solution_sequences), [limit/2]).
:- use_module(bounded, [looking_only/0]).

/** <module> Why a goal fails

An interpreter for the translated bodies of user clauses, like that of hb_proof.  It
runs a goal once, and for each clause it tries keeps the goal where the clause stops:
the last goal of the body that was reached and had no solution, with its values at
that point.  Calls that are too deep, or too many, simply run and are not looked into.
*/

%   The depth and number of calls to look into, and the clauses tried for one call.

deepest_call(12).
most_calls(400).
most_tries(20).

%   The goals that are looked at for a case, and how deep one is.

most_cases(20).
case_depth(8).

%   The ways to a goal over linked data that are looked at.

most_ways(3).

%!  refute(+Text, +Seconds, -Control, -Parts) is det.
%
%   Explain why the query Text has no answer.  The result is the nodes of hb_proof_nodes:proof_json/5,
%   each with the number of ways that lead to it.  Call begin_step/2 first; changes that the query
%   makes are undone.

refute(Text, Seconds, [nodes=Places, cut=Cut|Control], Parts) :-
    query_goal(Text, Goal, Pairs),
    named_pairs(Pairs, Names, Values),
    safe_body(Goal, Safe),
    start_step(Seconds),
    setup_call_cleanup(
        engine_create(true, hb_explaining:asking(explained, hb_failure:watched(Safe, Values)), Engine),
        next_answered(Engine, Next),
        catch(engine_destroy(Engine), _, true)),
    catch(take_output(_), _, true),
    (   Next = throw(Ball)
    ->  error_json(Ball, Json),
        Nodes = [],
        Cut = false,
        Control = [error=true|Changes],
        Last = [Json|Changed]
    ;   Next = the(_)
    ->  Nodes = [],
        Cut = false,
        Control = [answers=1|Changes],
        Last = Changed
    ;   watched_once(Nodes0-Cut0, why_not(Names, Nodes0, Cut0), Why),
        (   Why = the(Nodes-Cut)
        ->  Control = Changes,
            Last = Changed
        ;   Why = throw(Ball),
            error_json(Ball, Json),
            Nodes = [],
            Cut = false,
            Control = [error=true|Changes],
            Last = [Json|Changed]
        )
    ),
    forget_tries,
    node_parts(Nodes, Places, Parts, Last),
    changes_taken_back(Changes, Changed).

%!  why_not(+Names, -Nodes, -Cut) is det.
%!  why_not(+Names, +Most, -Nodes, -Cut) is det.
%
%   Nodes, for hb_proof_nodes:node_parts/4, explain why holds/2 has failed.  Cut is true if there were Most.

why_not(Names, Nodes, Cut) :-
    most_nodes(Most),
    why_not(Names, Most, Nodes, Cut).

why_not(Names, Most, Nodes, Cut) :-
    look_for_cases,
    Left = left(Most),
    phrase(stops(0, 0, Names, Left), Nodes),
    (   arg(1, Left, 0)
    ->  Cut = true
    ;   Cut = false
    ),
    forget_tries.

%   look_for_cases: for the goals of the system that were kept as failed, see what case made them fail.

look_for_cases :-
    most_cases(Most),
    findall(stopped(Try, Goal, Values, Kind),
            limit(Most, ( stopped(Try, Goal, Values, kind(Kind)),
                          may_have_case(Goal),
                          acyclic_term(Goal),       % others cannot be translated, or not in time
                          tree_within(Goal, 1000, 5000)
                        )),
            Stops),
    forall('$member'(stopped(Try, Goal, Values, Kind), Stops),
           (   case(Goal, Values, Kind, Why)
           ->  other_reason(Try, Goal, kind(Kind), Why)
           ;   true
           )).

may_have_case(forall(_, _)).
may_have_case(Goal) :-
    compound(Goal),
    compound_name_arity(Goal, Name, Arity),
    (   Name == maplist
    ->  Arity > 1
    ;   computes_last(Name, Arity)
    ).

%   case(+Goal, +Values, +Kind, -Why) is semidet.

case(forall(Condition, Action), Values, Kind, case(Kind, "for ~w", Instance, Try)) :-
    !,
    first_of(Condition-Action, (Condition, \+Action), Instance-Failing),
    failing(Failing, Values, Try).
case(Goal, Values, Kind, case(Kind, "element ~w of the list", Nth, Try)) :-
    compound(Goal),
    compound_name_arguments(Goal, maplist, [Closure|Lists]),
    callable(Closure),
    failing_element(Lists, 1, Closure, Nth, Failing),
    failing(Failing, Values, Try),
    !.
case(Goal, _, Kind, result(Kind, Result)) :-
    result_of(Goal, Result).

%!  failing(+Goal, +Values, -Try) is semidet.
%
%   Goal, as it is written, fails; what stops it is kept as that of Try.

failing(Goal, Values, Try) :-
    case_depth(Depth),
    safe_body(Goal, Safe),
    numbered(Try),
    \+ body(Safe, in(Try, Depth, Values, []), 0, _).

                /*******************************
                *        the interpreter       *
                *******************************/

watched(Safe, Values) :-
    watch,
    (   holds(Safe, Values)
    ;   look_for_rows,
        fail
    ).

%   look_for_rows: for the goals over linked data that were kept as failed, find the nearest row.

look_for_rows :-
    most_cases(Most),
    findall(stopped(Try, Goal, From), limit(Most, stopped(Try, Goal, _, row(From))), Stops),
    forall('$member'(stopped(Try, Goal, From), Stops),
           (   hb_store:meant_goal(Goal, Meant),
               near_row(Meant, From, Text)
           ->  other_reason(Try, Goal, row(From), near_row(From, Text))
           ;   true
           )).

%!  holds(+Safe, +Values) is nondet.
%
%   Safe holds, with cuts local to it; Values are those of the query's variables.  On failure,
%   why_not/3 explains it.

holds(Safe, Values) :-
    forget_tries,
    begin_apart,
    body(Safe, in(0, 0, Values, []), 0, _),
    end_apart.

%   body(+Safe, +In, +At0, -At): Safe holds, with cuts local to it.  In is in(Try, Depth, Values,
%   Above): the body is part of that of Try, at Depth; Values are those of the query, Above the
%   tabled goals around it.  At counts the goals from the start of the body.

body(Safe, In, At0, At) :-
    prolog_current_choice(Choice),
    walk(Safe, Choice, In, At0, At).

walk(Var, _, _, _, _) :-
    var(Var),
    !,
    throw(error(instantiation_error, _)).
walk(true, _, _, At, At) :-
    !.
walk((A,B), Choice, In, At0, At) :-
    !,
    walk(A, Choice, In, At0, At1),
    walk(B, Choice, In, At1, At).
walk(!, Choice, _, At0, At) :-
    !,
    At is At0+1,
    prolog_cut_to(Choice).
walk((C->A;B), Choice, In, At0, At) :-
    !,
    At1 is At0+1,
    ( open_condition(C) -> Open = true ; Open = false ),
    (   knowledge_base:C
    ->  ( Open == true -> keep_held(if(C), In) ; true ),
        walk(A, Choice, In, At1, At)
    ;   keep_inside(if(C), In),
        walk(B, Choice, In, At1, At)
    ).
walk((C*->A;B), Choice, In, At0, At) :-
    !,
    At1 is At0+1,
    (   knowledge_base:C
    *-> walk(A, Choice, In, At1, At)
    ;   keep_inside(if(C), In),
        walk(B, Choice, In, At1, At)
    ).
walk((A;B), Choice, In, At0, At) :-
    !,
    (   walk(A, Choice, In, At0, At)
    ;   walk(B, Choice, In, At0, At)
    ).
walk('|'(A,B), Choice, In, At0, At) :-
    !,
    walk((A;B), Choice, In, At0, At).
walk((C->A), Choice, In, At0, At) :-
    !,
    once(body(C, In, At0, At1)),
    walk(A, Choice, In, At1, At).
walk((C*->A), Choice, In, At0, At) :-
    !,
    body(C, In, At0, At1),
    walk(A, Choice, In, At1, At).
walk(\+Goal, _, In, At0, At) :-
    !,
    At is At0+1,
    (   findall(Proof, ( once(proof_of(Goal, Proof0)), shown(Proof0, Proof) ), [Proof])    % Goal is shown as it was asked
    ->  stop(In, At0, \+Goal, holds(Proof)),
        keep_inside_of(Goal, In),
        fail
    ;   keep_inside(\+Goal, In)
    ).
walk(Goal, _, In, At0, At) :-
    name_arity(Goal, Name, Arity),
    own(Name, Arity),
    !,
    At is At0+1,
    own_goal(Goal, Name, Arity, In, At0).
walk(once(Goal), _, In, At0, At) :-
    !,
    once(body(Goal, In, At0, At)).
walk(ignore(Goal), _, _, At0, At) :-
    \+ taken_back(ignore(Goal)),
    !,
    At is At0+1,
    ignore(knowledge_base:Goal).
walk(hb_joins:join(Goals, Place), Choice, In, At0, At) :-
    !,
    Found = found(false),
    conjuncts(Goals, List),
    (   hb_joins:join(Goals, Place),
        nb_setarg(1, Found, true),
        length(List, Count),
        At is At0+Count
    ;   arg(1, Found, false),
        first_without(List, [], Before, Goal),
        length(Before, Count),
        At1 is At0+Count,
        most_ways(Most),
        forall(limit(Most, prefix(Before)), \+ walk(Goal, Choice, In, At1, _)),
        fail
    ).
walk(hb_checked:pass(Later, Module), _, _, At, At) :-
    !,
    hb_checked:pass(Later, Module).
walk(hb_checked:translated(Written, Safe), _, In, At0, At) :-
    !,
    (   Safe = _:_
    ->  At is At0+1,
        leaf(hb_checked:translated(Written, Safe), In, At0)
    ;   body(Safe, In, At0, At)
    ).
walk(hb_checked:Checked, _, In, At0, At) :-
    compound(Checked),
    compound_name_arguments(Checked, checked, [Closure|Args]),
    extended(Closure, Args, Goal),
    safe_goal(Goal, Safe),
    Safe \= hb_checked:checked(_),
    !,
    body(Safe, In, At0, At).
walk(hb_builtins:phrase_list(List), _, _, At, At) :-
    !,
    hb_builtins:phrase_list(List).
walk(knowledge_base:Goal, _, In, At0, At) :-
    !,
    body(Goal, In, At0, At).
walk(Goal, _, In, At0, At) :-
    compound(Goal),
    compound_name_arguments(Goal, call, [Closure|Args]),
    !,
    extended(Closure, Args, Extended),
    body(Extended, In, At0, At).
walk(hb_builtins:safe_retract(Fact), _, In, At0, At) :-
    looking_only,
    callable(Fact),
    Fact \= (_:-_),
    !,
    At is At0+1,
    (   clause(knowledge_base:Fact, true)
    *-> true
    ;   stop(In, At0, retract(Fact), kind(builtin)),
        fail
    ).
walk(hb_builtins:safe_retractall(Fact), _, In, At0, At) :-
    looking_only,
    callable(Fact),
    Fact \= (_:-_),
    Fact \= _:_,
    \+ clause(knowledge_base:Fact, _),
    !,
    At is At0+1,
    keep_held(retractall(Fact), In).
walk(Goal, _, In, At0, At) :-
    At is At0+1,
    leaf(Goal, In, At0).

%   proof_of(+Goal, -Proof) is nondet: rules of sets that are not tabled may not end.

proof_of(Goal, Proof) :-
    (   in_set(Goal)
    ->  set_solution(Goal),
        Proof = [node(Goal, tabled, [])]
    ;   proof(Goal, Proof)
    ).

%   first_without(+Goals, +Before0, -Before, -Goal): Goal is the first of Goals, which are joined, that has no solution after
%   Before.

first_without([Goal|Goals], Before0, Before, Without) :-
    '$append'(Before0, [Goal], Before1),
    (   Goals \== [],
        \+ \+ prefix(Before1)
    ->  first_without(Goals, Before1, Before, Without)
    ;   Before = Before0,
        Without = Goal
    ).

%   keep_inside_of(+Goal, +In): keep what Goal, which holds although it should not, asks inside.

keep_inside_of(Goal, in(_, Depth, Values, Above)) :-
    case_depth(Most),
    (   Depth < Most
    ->  numbered(Try),
        Depth1 is Depth+1,
        \+ \+ body(Goal, in(Try, Depth1, Values, Above), 0, _)
    ;   true
    ).

%   leaf(+Goal, +In, +At): Goal holds, and is not looked into.

leaf(Goal, In, At) :-
    note_chance(Goal),
    most_general(Goal, General),            % no record proves a goal that fails
    step_kind(General, Kind0),
    (   Kind0 == builtin,
        Goal \= _:_,
        \+ predicate_property(knowledge_base:Goal, defined)
    ->  Kind = undefined
    ;   Kind = Kind0
    ),
    leaf(Goal, Kind, In, At).

most_general(Module:Goal, Module:General) :-
    callable(Goal),
    !,
    most_general(Goal, General).
most_general(Goal, General) :-
    compound(Goal),
    !,
    compound_name_arity(Goal, Name, Arity),
    compound_name_arity(General, Name, Arity).
most_general(Goal, Goal).

leaf(Goal, Kind, In, At) :-
    (   Kind == deep
    ->  true
    ;   keep_inside(Goal, In)
    ),
    Found = found(false),
    (   call(knowledge_base:Goal),
        nb_setarg(1, Found, true),
        keep_held(Goal, In)
    ;   arg(1, Found, false),
        stop(In, At, Goal, kind(Kind)),
        fail
    ).

own_goal(Goal, Name, Arity, In, At) :-
    In = in(Try, Depth, Values, Above),
    (   hb_store:tabled(Name, Arity)
    ->  tabled_goal(Goal, knowledge_base:Goal, In, At)
    ;   hb_store:link(_, Name, Arity, From)
    ->  row_goal(Goal, From, In, At)
    ;   in_set(Goal)
    ->  tabled_goal(Goal, hb_sets:set_solution(Goal), In, At)
    ;   worth_a_look(Try, Depth)
    ->  numbered(Call),
        Depth1 is Depth+1,
        Found = found(false, 0),
        (   by_clause(Goal, Call, Found, Depth1, Values, Above),
            nb_setarg(1, Found, true)
        ;   (   arg(1, Found, false)
            ->  arg(2, Found, Tries),
                stop(In, At, Goal, call(Call, Tries))
            ;   forget_call(Call)
            ),
            fail
        )
    ;   leaf(Goal, deep, In, At)
    ).

%   row_goal(+Goal, +From, +In, +At): the answers are rows of the table From.

row_goal(Goal, From, In, At) :-
    keep_inside(Goal, In),
    Found = found(false),
    (   call(knowledge_base:Goal),
        nb_setarg(1, Found, true)
    ;   arg(1, Found, false),
        stop(In, At, Goal, row(From)),
        fail
    ).

%   tabled_goal(+Goal, :Table, +In, +At): the answers come from the table.  If there are none, look into the
%   clauses, which find complete tables too.

tabled_goal(Goal, Table, In, At) :-
    In = in(Try, Depth, Values, Above),
    Found = found(false),
    (   call(Table),
        nb_setarg(1, Found, true)
    ;   arg(1, Found, false),
        (   worth_a_look(Try, Depth),
            \+ ( '$member'(Other, Above), Other =@= Goal )
        ->  numbered(Call),
            Depth1 is Depth+1,
            copy_term(Goal, Copy),
            Tried = found(false, 0),
            ignore(by_clause(Goal, Call, Tried, Depth1, Values, [Copy|Above])),
            arg(2, Tried, Tries),
            stop(In, At, Goal, call(Call, Tries))
        ;   stop(In, At, Goal, kind(tabled))
        ),
        fail
    ).

worth_a_look(Try, Depth) :-
    Try \== none,
    deepest_call(Deepest),
    Depth < Deepest,
    tries(Calls),
    most_calls(Most),
    Calls < Most.

%   by_clause(+Goal, +Call, +Found, +Depth, +Values, +Above): Goal holds by one of its clauses.  A
%   cut in it cuts the others.

by_clause(Goal, Call, Found, Depth, Values, Above) :-
    prolog_current_choice(Choice),
    clause(knowledge_base:Goal, Body, Ref),
    arg(2, Found, Tries0),
    Tries is Tries0+1,
    nb_setarg(2, Found, Tries),
    (   Body == true
    ->  true
    ;   most_tries(Most),
        Tries =< Most
    ->  keep_try(Call, Ref, Try)
    ;   Try = none
    ),
    walk(Body, Choice, in(Try, Depth, Values, Above), 0, _).
