:- module(hb_outages,
          [ set_outages/1,              % +Mode
            outages/1,                  % ?Mode
            start_outages/0,
            outage/1,                   % +Formal
            last_outage/1,              % -Formal
            condition/2,                % +Safe, -Watched
            soft_condition/2,           % +Safe, -Watched
            watched_call/2,             % +Safe, -Watched
            watched_cut/2,              % +Safe, -Watched
            watcher/1,                  % @Goal
            watch_all/0,
            watch/1,                    % -Mark
            watch_soft/1,               % -Mark
            mark/1,                     % -Mark
            passed/1,                   % +Mark
            kept/1,                     % +Mark
            decide/2,                   % :Closure, ?A1
            decide/3                    % :Closure, ?A1, ?A2
          ]).
:- use_module('../capability').
:- use_module(policy).
:- use_module('../functor').

/** <module> Goals whose question got no answer

A goal that asks a model or a tool has no solution if it gets no answer.  That does not make it
false.  So the program may try its other alternatives, but it must not conclude anything from the
missing solution.  Where a failure would count as a "no", the error of the outage is raised
instead: in a condition of if-then-else, in a negation, before a cut, and where all solutions are
collected.

An engine counts its outages, and code that is translated gets watchers around such goals: watch/1
before, and passed/1 behind.  If there is no solution, backtracking comes to watch/1, which raises
the error if an outage was counted since.  A solution settles the outages before it: an alternative
has answered.
*/

:- dynamic mode/1.

%!  set_outages(+Mode) is det.
%
%   What an outage does from now on: with `unknown` it is counted, with `throw` its error is raised at
%   once, with `fail` the goal is false.  Only with `unknown`, translated code is watched.

set_outages(Mode) :-
    retractall(mode(_)),
    assertz(mode(Mode)).

%!  outages(?Mode) is semidet.
%
%   Without set_outages/1 there are none.

outages(Mode) :-
    mode(Mode).

watching :-
    mode(unknown).

%!  start_outages is det.
%
%   There are no outages yet in this Prolog engine.

start_outages :-
    nb_setval(hb_outages, counted(0, none)).

%!  outage(+Formal) is failure.
%
%   A question got no answer: error(Formal, _) says why.

outage(Formal) :-
    mode(Mode),
    outage(Mode, Formal).

outage(throw, Formal) :-
    throw(error(Formal, _)).
outage(unknown, Formal) :-
    nb_getval(hb_outages, counted(N0, _)),
    N is N0+1,
    nb_setval(hb_outages, counted(N, Formal)),
    fail.

%!  last_outage(-Formal) is semidet.
%
%   An outage is counted that nothing has settled.

last_outage(Formal) :-
    nb_getval(hb_outages, counted(N, Formal)),
    N > 0.

                /*******************************
                *           watchers           *
                *******************************/

%!  watch_all is nondet.
%!  watch(-Mark) is nondet.
%
%   True.  On backtracking, raise the error of an outage that was counted since, or fail.

watch_all :-
    watch(_).

watch(Mark) :-
    mark(Mark0),
    watch_from(Mark0, Mark).

watch_from(Mark, Mark).
watch_from(Mark, _) :-
    raise_since(Mark).

raise_since(Mark) :-
    nb_getval(hb_outages, counted(N, Formal)),
    N > Mark,
    nb_setval(hb_outages, counted(Mark, Formal)),
    throw(error(Formal, _)).

%!  watch_soft(-Mark) is nondet.
%
%   As watch/1, before the condition of a soft cut.  After kept/1 there is nothing to raise.

watch_soft(Mark) :-
    mark(N),
    Mark0 = soft(N, none),
    watch_soft(Mark0, Mark).

watch_soft(Mark, Mark).
watch_soft(soft(N,none), _) :-
    raise_since(N).

%!  mark(-Mark) is det.

mark(Mark) :-
    nb_getval(hb_outages, counted(Mark, _)).

%!  passed(+Mark) is det.
%
%   There is a solution: it settles the outages since Mark.

passed(Mark) :-
    nb_getval(hb_outages, counted(N, Formal)),
    (   N > Mark
    ->  nb_setval(hb_outages, counted(Mark, Formal))
    ;   true
    ).

%!  kept(+Mark) is det.

kept(Mark) :-
    nb_setarg(2, Mark, some).

%!  decide(:Closure, ?A1) is semidet.
%!  decide(:Closure, ?A1, ?A2) is semidet.
%
%   Call Closure where its failure counts as a "no".

:- meta_predicate
    decide(1, ?),
    decide(2, ?, ?).

decide(Closure, A1) :-
    watch(Mark),
    call(Closure, A1),
    passed(Mark),
    !.
decide(Closure, A1, A2) :-
    watch(Mark),
    call(Closure, A1, A2),
    passed(Mark),
    !.

                /*******************************
                *         translation          *
                *******************************/

%!  condition(+Safe, -Watched) is det.
%!  soft_condition(+Safe, -Watched) is det.
%
%   Watched is the translated goal Safe, whose failure counts as a "no".

condition(Safe, Watched) :-
    (   watching,
        may_ask(Safe)
    ->  Watched = (hb_outages:watch(Mark),Safe,hb_outages:passed(Mark))
    ;   Watched = Safe
    ).

soft_condition(Safe, Watched) :-
    (   watching,
        may_ask(Safe)
    ->  Watched = (hb_outages:watch_soft(Mark),Safe,hb_outages:kept(Mark))
    ;   Watched = Safe
    ).

%!  watched_call(+Safe, -Watched) is det.
%
%   Safe calls a predicate of the system or of a library, perhaps one that collects solutions or
%   commits to one.

watched_call(Safe, Watched) :-
    watching,
    in_module(Safe, Call, Watched, Call1),
    compound(Call),
    compound_name_arity(Call, Name, Arity),
    once(collects(Name, Arity, _, _)),
    !,
    compound_name_arguments(Call, Name, Args0),
    watched_arguments(Args0, 1, Name, Arity, Args),
    compound_name_arguments(Call1, Name, Args).
watched_call(Safe, Safe).

in_module(Safe, Call, Watched, Call1) :-
    (   Safe = Module:Call
    ->  Watched = Module:Call1
    ;   Call = Safe,
        Watched = Call1
    ).

watched_arguments([], _, _, _, []).
watched_arguments([Arg0|Args0], I, Name, Arity, [Arg|Args]) :-
    (   collects(Name, Arity, I, How)
    ->  watched_argument(How, Arg0, Arg)
    ;   Arg = Arg0
    ),
    I1 is I+1,
    watched_arguments(Args0, I1, Name, Arity, Args).

watched_argument(How, Var^Goal, Var^Watched) :-
    !,
    watched_argument(How, Goal, Watched).
watched_argument(How, knowledge_base:Goal, knowledge_base:Watched) :-
    !,
    watched_argument(How, Goal, Watched).
watched_argument(How, Goal, Watched) :-
    (   How == closure
    ->  Watched = hb_outages:decide(Goal)
    ;   \+ may_ask(Goal)
    ->  Watched = Goal
    ;   How == all
    ->  Watched = (hb_outages:watch_all,Goal)
    ;   How == once
    ->  Watched = (hb_outages:mark(Mark),Goal,hb_outages:passed(Mark))
    ;   condition(Goal, Watched)
    ).

%   collects(?Name, ?Arity, ?I, -How): `all` solutions of argument I count, or only whether there is
%   one (`condition`); `once`: a solution settles the outages before it; `closure`: it decides.

collects(not, 1, 1, condition).
collects(once, 1, 1, once).
collects(ignore, 1, 1, once).
collects(forall, 2, 1, all).
collects(forall, 2, 2, once).
collects(foreach, 2, 1, all).
collects(findall, 3, 2, all).
collects(findall, 4, 2, all).
collects(findnsols, 4, 3, all).
collects(findnsols, 5, 3, all).
collects(bagof, 3, 2, all).
collects(setof, 3, 2, all).
collects(aggregate_all, 3, 2, all).
collects(aggregate_all, 4, 3, all).
collects(aggregate, 3, 2, all).
collects(aggregate, 4, 3, all).
collects(include, 3, 1, closure).
collects(exclude, 3, 1, closure).
collects(partition, 4, 1, closure).
collects(convlist, 3, 1, closure).

%!  watched_cut(+Safe, -Watched) is det.
%
%   Safe is a translated body.  Until its first cut, its failure leads to the next clause, as the
%   failure of a condition leads to the other branch.

watched_cut(Safe, Watched) :-
    (   watching,
        has_cut(Safe)
    ->  before_cut(Safe, Watched)
    ;   Watched = Safe
    ).

has_cut(Goal) :-
    nonvar(Goal),
    cut_in(Goal).

cut_in(!).
cut_in((A,B))  :- ( has_cut(A) -> true ; has_cut(B) ).
cut_in((A;B))  :- ( has_cut(A) -> true ; has_cut(B) ).
cut_in((_->B)) :- has_cut(B).
cut_in((_*->B)) :- has_cut(B).

before_cut(Body, Watched) :-
    conjuncts(Body, Goals0, []),
    inner_cuts(Goals0, Goals),
    (   '$append'(Before, [!|After], Goals),
        '$member'(Goal, Before),
        may_ask(Goal)
    ->  '$append'([hb_outages:watch(Mark)|Before], [hb_outages:passed(Mark),!|After], Goals1)
    ;   Goals1 = Goals
    ),
    conjunction(Goals1, Watched).

conjuncts(Goal, [Goal|Goals], Goals) :-
    var(Goal),
    !.
conjuncts((A,B), Goals0, Goals) :-
    !,
    conjuncts(A, Goals0, Goals1),
    conjuncts(B, Goals1, Goals).
conjuncts(Goal, [Goal|Goals], Goals).

conjunction([Goal], Goal) :-
    !.
conjunction([Goal|Goals], (Goal,More)) :-
    conjunction(Goals, More).

inner_cuts([], []).
inner_cuts([Goal0|Goals0], [Goal|Goals]) :-
    (   Goal0 \== !,
        has_cut(Goal0)
    ->  inner_cut(Goal0, Goal)
    ;   Goal = Goal0
    ),
    inner_cuts(Goals0, Goals).

inner_cut((A0;B0), (A;B)) :-
    !,
    inner_cut(A0, A),
    inner_cut(B0, B).
inner_cut((If->A0), (If->A)) :-
    !,
    inner_cut(A0, A).
inner_cut((If*->A0), (If*->A)) :-
    !,
    inner_cut(A0, A).
inner_cut(Goal0, Goal) :-
    (   has_cut(Goal0)
    ->  before_cut(Goal0, Goal)
    ;   Goal = Goal0
    ).

%!  watcher(@Goal) is semidet.
%
%   Goal was put in by the translation.

watcher(Goal) :-
    nonvar(Goal),
    Goal = Module:Watcher,
    Module == hb_outages,
    callable(Watcher),
    term_functor(Watcher, Name, _),
    Name \== decide.

%   may_ask(+Safe): the translated goal Safe may ask a model, a tool or the user, without having been
%   watched itself.

may_ask((A,B)) :-
    !,
    ( may_ask(A) -> true ; may_ask(B) ).
may_ask((A;B)) :-
    !,
    ( may_ask(A) -> true ; may_ask(B) ).
may_ask((A->B)) :-
    !,
    ( may_ask(A) -> true ; may_ask(B) ).
may_ask((A*->B)) :-
    !,
    ( may_ask(A) -> true ; may_ask(B) ).
may_ask(\+_) :-
    !,
    fail.
may_ask(hb_outages:_) :-
    !,
    fail.
may_ask(hb_joins:join(_, _)) :-
    !,
    fail.
may_ask(hb_checked:translated(_,Safe)) :-
    !,
    may_ask(Safe).
may_ask(hb_checked:_) :-
    !.
may_ask(hb_builtins:Goal) :-
    !,
    term_functor(Goal, safe_apply, _).
may_ask(Module:Goal) :-
    !,
    module_asks(Module, Goal).
may_ask(Goal) :-
    term_functor(Goal, Name, Arity),
    (   hb_store:own(Name, Arity)
    ->  true
    ;   class(Name, Arity, Class)
    ->  class_asks(Class)
    ;   true
    ).

module_asks(knowledge_base, Goal) :-
    !,
    may_ask(Goal).
module_asks(Module, Goal) :-
    term_functor(Goal, Name, Arity),
    (   class(Name, Arity, Class),
        \+ Class = offered(_)
    ->  class_asks(Class)
    ;   hb_capability:asks(Module, Goal)
    ).

class_asks(meta(_)).
class_asks(catch).
class_asks(phrase).
class_asks(wide).
class_asks(library(_,_)).
class_asks(offered(_,_)).
