:- module(hb_place,
          [ forget_places/0,
            raised/2                    % +Ball, -Place
          ]).

:- use_module('functor').

/** <module> Where an error was raised

The clause of the user's in which it was.  It is found in the frames of the stack when an error leaves user
code uncaught, so that code that runs well pays nothing.

A last call replaces the clause that makes it.  The clause is then found by the last
goals of the clauses that the frame before it has called; if there are several, only
the predicate is reported.
*/

:- dynamic
    raised/5.                           % Name, Arity (of the ball), PI, Ref, Calling

%!  forget_places is det.
%
%   A new step begins.

forget_places :-
    retractall(raised(_,_,_,_,_)).

:- multifile prolog:prolog_exception_hook/5.

%   The catcher is `'C'` if the ball leaves the engine of a query.

prolog:prolog_exception_hook(Ball, _, Frame, 'C', _) :-
    hb_place:note(Ball, Frame),
    fail.

note(Ball, Frame) :-
    ball_key(Ball, Name, Arity),
    \+ raised(Name, Arity, _, _, _),
    place(Frame, place(PI, Ref, Calling)),
    !,
    assertz(raised(Name, Arity, PI, Ref, Calling)).

ball_key(Var, _, _) :-
    var(Var),
    !,
    fail.
ball_key('$hb_stop'(_), _, _) :-
    !,
    fail.
ball_key(error(Formal, _), Name, Arity) :-
    nonvar(Formal),
    !,
    Formal \== resource_error(stack),      % reported as recursion, and there is no room to look
    term_functor(Formal, Name, Arity).
ball_key(Ball, Name, Arity) :-
    term_functor(Ball, Name, Arity).

%!  raised(+Ball, -Place) is semidet.
%
%   Place is place(PI, Ref, Calling): Ball was raised in the clause Ref of PI, Name/Arity.  Ref is
%   `none` if the clause is not known.  Calling is the indicator of the library predicate that the
%   clause called, if that raised Ball, or `none`.

raised(Ball, place(PI, Ref, Calling)) :-
    ball_key(Ball, Name, Arity),
    raised(Name, Arity, PI, Ref, Calling),
    !.

%   place(+Frame, -Place): Place of the goal that runs in Frame.

place(Frame, Place) :-
    frames(Frame, 500, Inner, Outer),
    outermost_call(Inner, Below),
    (   in_closure(Outer, Inner, Place0)
    ->  Place = Place0
    ;   calling_frame(Outer, Inner, Called)
    ->  Outer = user(PI, Ref),
        within(Called, Below, PI, Ref, Place)
    ;   Outer = user(PI, Ref)
    ->  Place = place(PI, Ref, none)
    ;   Outer = query(Body),
        in_query(Body, Below, Place)
    ).

%   calling_frame(+Outer, +Inner, -PI): PI is what the clause Outer was calling.

calling_frame(user(_, Ref), Inner, Called) :-
    last_frame(Inner, Child),
    prolog_frame_attribute(Child, pc, PC),
    called(Ref, PC, Called).

%   in_closure(+Outer, +Inner, -Place): Place is in a closure of the user's that a library has called.

in_closure(Outer, Inner, Place) :-
    Inner = [_-Innermost,_|_],
    (   Outer = user(Name/Arity, Ref)
    ->  calling_frame(Outer, Inner, Called),
        term_functor(Head, Name, Arity),
        clause(knowledge_base:Head, Body, Ref)
    ;   Outer = query(Body)
    ),
    findall(PI,
            ( a_goal(Body, Module:Goal),
              Module \== knowledge_base,
              compound(Goal),
              term_functor(Goal, GoalName, GoalArity),
              Called = Module:GoalName/GoalArity,
              arg(_, Goal, Argument),
              a_closure(Argument, PI)
            ),
            PIs),
    by_last_calls(PIs, Innermost, Place),
    Place = place(_, Ref1, _),
    Ref1 \== none.

%   a_closure(+Argument, -PI): Argument is a closure of the user predicate PI.

a_closure(Argument, Name/Arity) :-
    nonvar(Argument),
    Argument = knowledge_base:_,
    strip_module(Argument, knowledge_base, Closure),
    callable(Closure),
    term_functor(Closure, Name, Given),
    most_added(Most),
    between(1, Most, Added),
    Arity is Given+Added,
    hb_store:own(Name, Arity).

most_added(7).

%   of_tabling(+Name): SWI-Prolog has made the predicate for one that is tabled.

of_tabling(Name) :-
    atom(Name),
    sub_atom(Name, 0, _, _, '$wrap$').

%   frames(+Frame, +Most, -Inner, -Outer): Inner are the frames up to Outer, which is user(PI, Ref)
%   for a frame of the user's, or query(Body) for the query.

frames(Frame, Most, Inner, Outer) :-
    Most > 0,
    prolog_frame_attribute(Frame, predicate_indicator, PI),
    (   PI = knowledge_base:Name/Arity,
        \+ of_tabling(Name),
        prolog_frame_attribute(Frame, clause, Ref)
    ->  Inner = [],
        Outer = user(Name/Arity, Ref)
    ;   runs_goal(PI)
    ->  Inner = [],
        prolog_frame_attribute(Frame, argument(1), Body),
        Outer = query(Body)
    ;   Inner = [Frame-PI|Inner1],
        prolog_frame_attribute(Frame, parent, Parent),
        Most1 is Most-1,
        frames(Parent, Most1, Inner1, Outer)
    ).

%   runs_goal(?PI): the first argument of PI is the goal of a query, a program or a directive.

runs_goal(hb_session:solve/5).
runs_goal(hb_prove:plain/1).
runs_goal(hb_dml_run:main/2).
runs_goal(hb_dml_run:run_directive/1).

last_frame(Inner, Frame) :-
    '$append'(_, [Frame-_], Inner),
    !.

%   outermost_call(+Inner, -PI): PI is what was called, skipping predicates that merely call a goal.

outermost_call(Inner, PI) :-
    findall(PI0, '$member'(_-PI0, Inner), PIs),
    '$append'(PIs1, Calls, PIs),
    all_call(Calls),
    !,
    (   '$append'(_, [PI], PIs1)
    ->  true
    ;   PI = system:call/1
    ).

all_call([]).
all_call([PI|PIs]) :-
    calls_a_goal(PI),
    all_call(PIs).

calls_a_goal(system:Name/_) :-
    calls(Name).
calls_a_goal(hb_checked:_).
calls_a_goal(hb_joins:_).

calls(call).
calls(call_cleanup).
calls(setup_call_cleanup).
calls(setup_call_catcher_cleanup).
calls(catch).

%   called(+Ref, +PC, -PI): PI is what the clause Ref was calling if it resumes at PC.

called(Ref, PC, PI) :-
    called(Ref, 0, PC, PI).

called(Ref, At, PC, PI) :-
    '$fetch_vm'(Ref, At, Next, Instruction),
    (   Next =:= PC
    ->  call_instruction(Instruction, PI)
    ;   Next < PC,
        called(Ref, Next, PC, PI)
    ).

call_instruction(Instruction, PI) :-
    compound(Instruction),
    Instruction =.. [Name|Arguments],
    sub_atom(Name, 0, _, _, i_call),
    '$append'(_, [PI0], Arguments),
    (   PI0 = _:_
    ->  PI = PI0
    ;   PI0 = _/_
    ->  PI = knowledge_base:PI0
    ).

%   within(+Called, +Below, +PI, +Ref, -Place): the clause Ref of PI has called Called, and Below is running.

within(Called, Below, PI, Ref, Place) :-
    (   same(Called, Below)
    ->  calling(Called, Calling),
        Place = place(PI, Ref, Calling)
    ;   Called = knowledge_base:Inner,
        by_last_calls([Inner], Below, Place0)
    ->  Place = Place0
    ;   Place = place(PI, Ref, none)
    ).

in_query(Body, Below, Place) :-
    findall(Goal, a_goal(Body, Goal), Goals),
    \+ ( '$member'(Goal, Goals),
         indicator(Goal, PI),
         same(PI, Below)
       ),
    findall(Name/Arity, ( '$member'(Goal, Goals), indicator(Goal, knowledge_base:Name/Arity) ), PIs),
    by_last_calls(PIs, Below, Place).

%   by_last_calls(+PIs, +Below, -Place): Below was reached from one of PIs by last calls.

by_last_calls(PIs, Below, Place) :-
    findall(Found, ( '$member'(PI, PIs), last_call(PI, Below, [], Found) ), Places0),
    sort(Places0, Places),
    (   Places = [Place]
    ->  true
    ;   Places = [place(PI, _, Calling)|Others],
        \+ ( '$member'(place(Other, _, _), Others), Other \== PI )
    ->  Place = place(PI, none, Calling)
    ;   Places = [_|_],
        PIs = [PI]
    ->  Place = place(PI, none, none)
    ).

most_compared(1000).
most_last_calls(5).

last_call(Name/Arity, Below, Above, Place) :-
    \+ '$member'(Name/Arity, Above),
    length(Above, Depth),
    most_last_calls(Deepest),
    Depth < Deepest,
    hb_store:own(Name, Arity),
    term_functor(Head, Name, Arity),
    most_compared(Most),
    predicate_property(knowledge_base:Head, number_of_clauses(Count)),
    Count =< Most,
    clause(knowledge_base:Head, Body, Ref),
    last_goal(Body, Goal),
    indicator(Goal, PI),
    (   same(PI, Below)
    ->  calling(PI, Calling),
        Place = place(Name/Arity, Ref, Calling)
    ;   PI = knowledge_base:Inner,
        last_call(Inner, Below, [Name/Arity|Above], Place)
    ).

last_goal((_,B), Goal) :-
    !,
    last_goal(B, Goal).
last_goal((A;B), Goal) :-
    !,
    (   last_goal(A, Goal)
    ;   last_goal(B, Goal)
    ).
last_goal((_->B), Goal) :-
    !,
    last_goal(B, Goal).
last_goal((_*->B), Goal) :-
    !,
    last_goal(B, Goal).
last_goal(Goal, Goal) :-
    nonvar(Goal).

a_goal(Var, _) :-
    var(Var),
    !,
    fail.
a_goal((A,B), Goal) :-
    !,
    (   a_goal(A, Goal)
    ;   a_goal(B, Goal)
    ).
a_goal((A;B), Goal) :-
    !,
    (   a_goal(A, Goal)
    ;   a_goal(B, Goal)
    ).
a_goal((A->B), Goal) :-
    !,
    a_goal((A,B), Goal).
a_goal((A*->B), Goal) :-
    !,
    a_goal((A,B), Goal).
a_goal(hb_session:to_its_halt(Body), Goal) :-
    !,
    a_goal(Body, Goal).
a_goal(Goal, Goal).

%   indicator(+Goal, -PI): PI is Module:Name/Arity.

indicator(Module:Goal, Module:Name/Arity) :-
    !,
    callable(Goal),
    term_functor(Goal, Name, Arity).
indicator(Goal, Module:Name/Arity) :-
    callable(Goal),
    term_functor(Goal, Name, Arity),
    (   hb_store:own(Name, Arity)
    ->  Module = knowledge_base
    ;   predicate_property(system:Goal, defined)
    ->  Module = system
    ;   Module = knowledge_base
    ).

%   same(+Called, +PI): PI runs as the call of Called, perhaps by way of last calls in a library.

same(Module:PI, Module:PI) :-
    !.
same(_:PI, system:PI) :-
    !.
same(hb_builtins:PI, Module:PI) :-      % which imports it
    sub_atom(Module, 0, _, _, hb_),
    !.
same(system:call/_, _) :-
    !.
same(Module:_, Module:_) :-
    Module \== knowledge_base,
    Module \== system.
same(hb_checked:_, _).
same(hb_joins:_, _).

calling(Module:PI, Calling) :-
    (   ( Module == knowledge_base ; Module == system ; sub_atom(Module, 0, _, _, hb_) )
    ->  Calling = none
    ;   Calling = PI
    ).
