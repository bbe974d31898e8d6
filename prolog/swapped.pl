:- module(hb_swapped,
          [ library_call/2,             % @Culprit, -Call
            moved/3                     % @Culprit, -Call, -Other
          ]).
:- use_module('functor').
:- use_module(library(lists), [append/3]).

/** <module> Arguments that no rule of a library predicate takes
*/

%!  library_call(@Culprit, -Call) is semidet.
%
%   No rule with => matches the goal Culprit of a library, with which its exported predicate does the work of Call.

library_call(Culprit, Call) :-
    library_call(Culprit, _, _, Call),
    !.

%   library_call(@Culprit, -Module, -Way, -Call) is nondet: Call is of Module, and does its work in the way Way.

library_call(Culprit, Module, Way, Call) :-
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
    \+ ( arg(_, Call, Argument), nonvar(Argument), Argument = _:_ ).     % a goal, translated

%!  moved(@Culprit, -Call, -Other) is semidet.
%
%   Call is as for library_call/2.  Other is Call with one argument at another place, for which there is a rule: at the next
%   place first, as these are confused most.  An unbound argument is more often one that should have a value, so it
%   moves only to where a predicate gives its result.

moved(Culprit, Call, Other) :-
    library_call(Culprit, Module, Way, Call),
    move(Call, Other),
    \+ unlikely(Call, Other),
    does(Way, Module, Other, Work),
    ruled(Module, Work),
    !.

unlikely(Call, Other) :-
    arg(I, Call, Here),
    arg(I, Other, There),
    Here \== There,
    var(There),
    \+ gives_last(Call).

gives_last(sum_list(_, _)).
gives_last(max_list(_, _)).
gives_last(min_list(_, _)).
gives_last(ord_union(_, _)).
gives_last(size_nb_set(_, _)).
gives_last(nb_set_to_list(_, _)).
gives_last(rb_size(_, _)).
gives_last(rb_keys(_, _)).
gives_last(rb_visit(_, _)).

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

%   move(+Call, -Other) is nondet.

move(Call, Other) :-
    term_parts(Call, Name, Arguments),
    length(Arguments, Arity),
    between(1, Arity, Distance),
    length(Between, Distance),
    append(Before, Rest, Arguments),
    (   append([A|Between], After, Rest),
        append(Between, [A|After], Moved)
    ;   append(Between, [A|After], Rest),
        append([A|Between], After, Moved)
    ),
    append(Before, Moved, Others),
    Others \== Arguments,
    compound_name_arguments(Other, Name, Others).
