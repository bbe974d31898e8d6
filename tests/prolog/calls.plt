:- use_module(library(plunit)).
:- use_module(library(prolog_codewalk)).
:- use_module('../../prolog/hornbook').

/** <module> What the engine's own code calls is defined
*/

:- begin_tests(calls).

test(defined, Undefined == []) :-
    findall(Callee-Caller, undefined_call(Callee, Caller), Undefined).

:- end_tests(calls).

:- dynamic found/2.

undefined_call(Callee, Caller) :-
    prolog_walk_code([ undefined(trace),
                       module_class([user]),
                       source(false),
                       on_trace(user:note)
                     ]),
    retract(found(Callee, Caller)).

note(Callee, Caller, _Location) :-
    (   Caller = Module:_,
        sub_atom(Module, 0, _, _, hb_)
    ->  assertz(found(Callee, Caller))
    ;   true
    ).
