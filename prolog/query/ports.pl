:- module(hb_ports,
          [ trace/4,                    % +Text, +Seconds, -Control, -Parts
            by_clause/3,                % +Goal, +In, -Id
            body/2                      % +Safe, +In
          ]).
:- use_module('../sandbox/namesakes', [taken_back/1]).
:- use_module('../sandbox/sandbox').
:- use_module('../functor').
:- use_module('../store/store').
:- use_module('../store/step').
:- use_module('../limits').
:- use_module('../errors').
:- use_module(query_text).
:- use_module(changes).
:- use_module(answer).
:- use_module(proof_nodes).

/** <module> A run, port by port

An interpreter for the translated bodies of user clauses, like that of hb_proof.  It
runs a query to its last answer and keeps each port that a goal passes: call, unify (a
clause was taken), exit, redo, fail and exception.  Goals it does not look into, such
as built-in predicates and tables, have ports but nothing below them.
*/

:- dynamic passed/5.                    % Port, Depth, Id, Text, Around

%   most_around(-Count): the most surrounding goals that are reported with a port.

most_around(8).

%!  trace(+Text, +Seconds, -Control, -Parts) is det.
%
%   The ports of the query Text in the order of the run, in the form of hb_proof_nodes:node_parts/4.  Each
%   part has a third element: the goals around it, the innermost first, at most most_around/1, with
%   their values at this port.  How is the port, or `answer`, or `error`, whose goal is the
%   message.  Id is the clause; for `call` and `fail`, the one whose body contains the goal.  After
%   most_nodes/1 ports the run stops.  Call begin_step/2 first; changes that the query makes are
%   undone.

trace(Text, Seconds, [nodes=Places, cut=Cut|Control], Parts) :-
    query_goal(Text, Goal, Pairs),
    named_pairs(Pairs, Names, Values),
    safe_body(Goal, Safe),
    start_step(Seconds),
    retractall(passed(_,_,_,_,_)),
    setup_call_cleanup(
        engine_create(Whole, hb_ports:run(Goal, Safe, Names, Values, Whole), Engine),
        next_reified(Engine, Next),
        catch(engine_destroy(Engine), _, true)),
    catch(take_output(_), _, true),
    (   Next = throw(Ball)
    ->  error_json(Ball, Json),
        Cut = false,
        Control = [error=true|Changes],
        Last = [Json|Changed]
    ;   (   Next = the(false)
        ->  Cut = true
        ;   Cut = false
        ),
        Control = Changes,
        Last = Changed
    ),
    findall(Passed, ( Passed = passed(_,_,_,_,_), retract(Passed) ), All),
    port_parts(All, Places, Parts, Last),
    changes_taken_back(Changes, Changed).

port_parts([], [], Parts, Parts).
port_parts([passed(Port,Depth,Id,Goal,Around)|More], [[Depth,Id,1]|Places], [list([quoted(Goal),text(Port),Texts])|Parts], Last) :-
    texts(Around, Jsons),
    Texts = list(Jsons),
    port_parts(More, Places, Parts, Last).

texts([], []).
texts([Text|Texts], [quoted(Text)|Jsons]) :-
    texts(Texts, Jsons).

%   run(+Goal, +Safe, +Names, +Values, -Whole): Whole is false if the run was stopped early.  An
%   error of the user's ends the run and is reported by its ports; a limit is thrown.

run(Goal, Safe, Names, Values, Whole) :-
    watch,
    In = in(0, null, Names, Values, []),
    catch(all_answers(Goal, Safe, In), Ball, true),
    (   var(Ball)
    ->  Whole = true
    ;   Ball == hb_ports_full
    ->  Whole = false
    ;   Ball = unwind(_)
    ->  throw(Ball)
    ;   Whole = true,
        error_json(Ball, object(Pairs)),
        memberchk(message=text(Message), Pairs),
        catch(keep(error, 0, null, Message, []), hb_ports_full, true)
    ).

all_answers(Goal, Safe, In) :-
    body(Safe, In),
    port(answer, Goal, null, In),
    fail.
all_answers(_, _, _).

%   port(+Port, +Goal, +Id, +In): keep the port.  Throws hb_ports_full if there are too many.

port(Port, Goal, Id, in(Depth,_,Names,Values,Above)) :-
    most_around(Most),
    first(Most, Above, Around),
    copy_term_nat(Values-[Goal|Around], Values1-Goals),
    name_variables(Names, Values1, Values1+Goals),
    goal_texts(Goals, [Text|Texts]),
    keep(Port, Depth, Id, Text, Texts).

first(Count, [X|Xs], [X|Ys]) :-
    Count > 0,
    !,
    Count1 is Count-1,
    first(Count1, Xs, Ys).
first(_, _, []).

goal_texts([], []).
goal_texts([Goal|Goals], [Text|Texts]) :-
    goal_text(Goal, Text),
    goal_texts(Goals, Texts).

keep(Port, Depth, Id, Text, Around) :-
    most_nodes(Most),
    (   predicate_property(passed(_,_,_,_,_), number_of_clauses(Most))
    ->  throw(hb_ports_full)
    ;   assertz(passed(Port, Depth, Id, Text, Around))
    ).

                /*******************************
                *        the interpreter       *
                *******************************/

%!  body(+Safe, +In) is nondet.
%
%   Safe holds, with cuts local to it.  In is in(Depth, Id, Names, Values, Above): Safe is at Depth,
%   in the clause Id; Values are those of the query, Above the goals around Safe, the innermost
%   first.

body(Safe, In) :-
    prolog_current_choice(Choice),
    body(Safe, Choice, In).

body(Var, _, _) :-
    var(Var),
    !,
    throw(error(instantiation_error, _)).
body(true, _, _) :-
    !.
body((A,B), Choice, In) :-
    !,
    body(A, Choice, In),
    body(B, Choice, In).
body(!, Choice, _) :-
    !,
    prolog_cut_to(Choice).
body((C->A;B), Choice, In) :-
    !,
    (   body(C, In)
    ->  body(A, Choice, In)
    ;   body(B, Choice, In)
    ).
body((C*->A;B), Choice, In) :-
    !,
    (   body(C, In)
    *-> body(A, Choice, In)
    ;   body(B, Choice, In)
    ).
body((A;B), Choice, In) :-
    !,
    (   body(A, Choice, In)
    ;   body(B, Choice, In)
    ).
body('|'(A,B), Choice, In) :-
    !,
    body((A;B), Choice, In).
body((C->A), Choice, In) :-
    !,
    body((C->A;fail), Choice, In).
body((C*->A), Choice, In) :-
    !,
    body((C*->A;fail), Choice, In).
body(\+Goal, _, In) :-
    !,
    \+ body(Goal, In).

%   The user's predicates come before those of the system with the same name.

body(Goal, _, In) :-
    name_arity(Goal, Name, Arity),
    own(Name, Arity),
    \+ hb_store:tabled(Name, Arity),
    !,
    through(Goal, hb_ports:by_clause(Goal, In, Id), Id, In).
body(once(Goal), _, In) :-
    !,
    once(body(Goal, In)).
body(ignore(Goal), _, In) :-
    \+ taken_back(ignore(Goal)),
    !,
    ignore(body(Goal, In)).
body(hb_joins:join(Goals, _), Choice, In) :-
    !,
    body(Goals, Choice, In).
body(hb_checked:translated(_, (hb_checked:pass(Later, Module),Goal)), _, In) :-
    !,
    hb_checked:pass(Later, Module),
    body(Goal, In).
body(hb_checked:translated(Written, Safe), _, In) :-
    !,
    deeper(In, null, Written, Below),
    through(Written, hb_ports:body(Safe, Below), null, In).
body(hb_checked:Checked, _, In) :-
    compound(Checked),
    compound_name_arguments(Checked, checked, [Closure|Args]),
    !,
    extended(Closure, Args, Goal),
    safe_goal(Goal, Safe),
    (   Safe = hb_checked:checked(_)
    ->  step(hb_checked:checked(Goal), In)
    ;   body(Safe, In)
    ).
body(hb_builtins:phrase_list(List), _, _) :-
    !,
    hb_builtins:phrase_list(List).
body(knowledge_base:Goal, _, In) :-
    !,
    body(Goal, In).
body(Goal, _, In) :-
    compound(Goal),
    compound_name_arguments(Goal, call, [Closure|Args]),
    !,
    extended(Closure, Args, Extended),
    body(Extended, In).
body(Goal, _, In) :-
    step(Goal, In).

step(Goal, In) :-
    as_written(Goal, Written),
    through(Written, knowledge_base:Goal, null, In).

deeper(in(Depth,_,Names,Values,Above), Id, Goal, in(Depth1,Id,Names,Values,[Goal|Above])) :-
    Depth1 is Depth+1.

%!  by_clause(+Goal, +In, -Id) is nondet.
%
%   Goal holds by the clause Id.  A cut in it also cuts the other clauses.

by_clause(Goal, In, Id) :-
    prolog_current_choice(Choice),
    clause(knowledge_base:Goal, Body, Ref),
    kept_id(Ref, Id),
    port(unify, Goal, Id, In),
    deeper(In, Id, Goal, Below),
    body(Body, Choice, Below).

%   through(+Written, :Run, ?Id, +In): Run, with the ports of the goal Written.  Run binds Id.

through(Written, Run, Id, In) :-
    arg(2, In, Caller),
    port(call, Written, Caller, In),
    catch(ports(Written, Run, Id, Caller, In), Ball, raised(Ball, Written, Caller, In)).

ports(Written, Run, Id, Caller, In) :-
    (   call_cleanup(Run, IsLast = true),
        place(Id, Caller, At),
        (   IsLast == true
        ->  port(exit, Written, At, In),
            !
        ;   port(exit, Written, At, In)
        ;   port(redo, Written, At, In),
            fail
        )
    ;   port(fail, Written, Caller, In),
        fail
    ).

%   A goal that is not looked into has the place of its call.

place(Id, _, Id) :-
    integer(Id),
    !.
place(_, Caller, Caller).

raised(Ball, Written, Caller, In) :-
    (   Ball \== hb_ports_full,
        Ball \= unwind(_)
    ->  port(exception, Written, Caller, In)
    ;   true
    ),
    throw(Ball).
