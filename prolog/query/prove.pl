:- module(hb_prove,
          [ prove/5,                    % +Text, +Nth, +Seconds, -Control, -Parts
            solve/3                     % +Safe, +Values, -Answer
          ]).
:- use_module('../sandbox/sandbox').
:- use_module('../functor').
:- use_module('../store/store').
:- use_module('../limits').
:- use_module('../place', [forget_places/0]).
:- use_module('../errors').
:- use_module(query_text).
:- use_module(changes).
:- use_module(undefined).
:- use_module(explaining).
:- use_module(proof).
:- use_module(proof_nodes).
:- use_module(failure).
:- use_module(library(lists), [memberchk/2]).

/** <module> The proof of an answer, as a client asks for it
*/

%!  prove(+Text, +Nth, +Seconds, -Control, -Parts) is det.
%
%   Prove answer number Nth, from 1, of the query Text; or report how many answers there are, if fewer.  Call
%   begin_step/2 first; changes that the query makes are undone.

prove(Text, Nth, Seconds, [nodes=Places, cut=Cut|Control], Parts) :-
    query_goal(Text, Goal, Pairs),
    named_pairs(Pairs, Names, Values),
    safe_body(Goal, Safe),
    start_step(Seconds),
    found(Nth, Answer, hb_prove:explained(Safe, Values, Nth, Answer), Found),
    (   Found = answer(Copy, Proof, Truth)
    ->  proof_json(Names, Copy, Proof, Nodes, Cut),
        (   Truth == undefined
        ->  Control = [undefined=true|Changes]
        ;   Control = Changes
        ),
        Last = Changed
    ;   Found = answers(Count)
    ->  Nodes = [],
        Cut = false,
        Control = [answers=Count|Changes],
        Last = Changed
    ;   Nodes = [],
        Cut = false,
        Found = error(Error0),
        error_of_goal(Safe, Nth, Error0, Error),
        error_json(Error, Json),
        Control = [error=true|Changes],
        Last = [Json|Changed]
    ),
    node_parts(Nodes, Places, Parts, Last),
    changes_taken_back(Changes, Changed).

%   found(+Nth, +Template, +Goal, -Found): run Goal in an engine of its own, up to answer Nth, and drop
%   its output.  Found is Template of that answer, answers(Count) if there are fewer, or error(Ball).

found(Nth, Template, Goal, Found) :-
    setup_call_cleanup(
        engine_create(Template, hb_explaining:asking(explained, Goal), Engine),
        catch(nth_answer(Nth, 0, Engine, Found), Ball, Found = error(Ball)),
        catch(engine_destroy(Engine), _, true)),
    catch(take_output(_), _, true).

nth_answer(Nth, Before, Engine, Found) :-
    next_answered(Engine, Next),
    (   Next = the(Answer)
    ->  Count is Before+1,
        (   Count >= Nth
        ->  Found = Answer
        ;   nth_answer(Nth, Count, Engine, Found)
        )
    ;   Next = throw(Ball)
    ->  Found = error(Ball)
    ;   Found = answers(Before)
    ).

%   error_of_goal(+Safe, +Nth, +Error0, -Error): the interpreter ended with Error0 before answer
%   Nth.  Unless that is a stop, the goal is run once more without the interpreter, because only
%   then the stack is that of the goal itself.

error_of_goal(Safe, Nth, Error0, Error) :-
    (   stop(Error0)
    ->  Error = Error0
    ;   forget_places,
        found(Nth, answer, hb_prove:plain(Safe), Found),
        (   Found = error(Error1)
        ->  Error = Error1
        ;   Error = Error0
        )
    ).

plain(Safe) :-
    watch,
    knowledge_base:Safe.

%!  solve(+Safe, +Values, -Answer) is nondet.
%
%   Answer is answer(Values, Proof, Truth), a copy for proof_json/5; Truth is `true` or `undefined`.
%   Runs in an engine.

solve(Safe, Values, answer(Copy, Proof, Truth)) :-
    solved(Safe, Nodes, Truth),
    copy_term_nat(Values-Nodes, Copy-Proof).

solved(Safe, Nodes, Truth) :-
    watch,
    proof(Safe, Nodes0),
    (   is_undefined
    ->  Truth = undefined
    ;   Truth = true
    ),
    shown(Nodes0, Nodes).

%   explained(+Safe, +Values, +Nth, -Answer): as solve/3; answer number Nth tells why the goals that are negated fail.

explained(Safe, Values, Nth, answer(Copy, Proof, Truth)) :-
    Number = number(0),
    solved(Safe, Nodes0, Truth),
    arg(1, Number, Before),
    Count is Before+1,
    nb_setarg(1, Number, Count),
    (   Count =:= Nth
    ->  most_negations(Most),
        negations_explained(Nodes0, left(Most), Nodes)
    ;   Nodes = Nodes0
    ),
    copy_term_nat(Values-Nodes, Copy-Proof).

%   The negations of a proof that are explained, and the nodes for one.

most_negations(5).
most_reasons(6).

negations_explained([], _, []).
negations_explained([node(Goal,How,Children0)|Nodes0], Left, [node(Goal,How,Children)|Nodes]) :-
    (   How = negation(Safe),
        ground(Safe),
        arg(1, Left, Count),
        Count > 0,
        failed_goal(Safe, Reasons)
    ->  Count1 is Count-1,
        nb_setarg(1, Left, Count1),
        Children = why_not(Reasons)
    ;   negations_explained(Children0, Left, Children)
    ),
    negations_explained(Nodes0, Left, Nodes).

%   failed_goal(+Safe, -Nodes) is semidet: Safe, a goal of the user's predicate, fails though clauses were tried; Nodes are what
%   is below it.

failed_goal(Safe, Nodes) :-
    name_arity(Safe, Name, Arity),
    own(Name, Arity),
    \+ holds(Safe, []),
    most_reasons(Most),
    why_not([], Most, [_|Nodes], _),
    memberchk(node(_, _, _, "tried", _), Nodes).
