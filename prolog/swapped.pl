:- module(hb_swapped,
          [ swapped/3                   % @Culprit, -Call, -Other
          ]).
:- use_module('functor').
:- use_module(library(lists), [append/2, append/3]).

/** <module> Arguments of a library predicate in another order
*/

%!  swapped(@Culprit, -Call, -Other) is semidet.
%
%   No rule with => matches the goal Culprit of a library, with which its exported predicate does the work of Call.
%   Other is Call with two arguments exchanged, for which there is a rule: neighbours first, as they are confused most.

swapped(Culprit, Call, Other) :-
    nonvar(Culprit),
    Culprit = Module:Goal,
    atom(Module),
    Module \== knowledge_base,
    callable(Goal),
    module_property(Module, exports(Exports)),
    copy_term_nat(Goal, Copy),
    '$member'(Name/Arity, Exports),
    term_functor(Call, Name, Arity),
    does(Way, Module, Call, Copy),
    \+ ( arg(_, Call, Argument), nonvar(Argument), Argument = _:_ ),     % a goal, translated
    exchanged(Call, Other),
    does(Way, Module, Other, Work),
    ruled(Module, Work),
    !.

%   does(?Way, +Module, ?Call, ?Work): Call is Work, or its clause calls Work and nothing else.

does(itself, _, Call, Call).
does(helper, Module, Call, Work) :-
    clause(Module:Call, Work),
    callable(Work),
    Work \== true.

%   ruled(+Module, +Goal): a rule with => takes Goal as it is, without binding it.

ruled(Module, Goal) :-
    term_functor(Goal, Name, Arity),
    term_functor(Head, Name, Arity),
    clause(Module:Head, _),
    subsumes_term(Head, Goal),
    !.

exchanged(Call, Other) :-
    term_parts(Call, Name, Arguments),
    length(Arguments, Arity),
    between(0, Arity, Distance),
    length(Between, Distance),
    append(Before, [A|Rest], Arguments),
    append(Between, [B|After], Rest),
    A \== B,
    append([Before, [B|Between], [A|After]], Exchanged),
    compound_name_arguments(Other, Name, Exchanged).
