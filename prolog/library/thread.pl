:- module(hb_thread,
          [ concurrent/3,               % +N, :Goals, +Options
            concurrent_and/2,           % :Generator, :Test
            concurrent_and/3,           % :Generator, :Test, +Options
            concurrent_forall/2,        % :Generate, :Action
            concurrent_forall/3,        % :Generate, :Action, +Options
            concurrent_maplist/2,       % :Goal, +List
            concurrent_maplist/3,       % :Goal, ?List1, ?List2
            concurrent_maplist/4,       % :Goal, ?List1, ?List2, ?List3
            concurrent_maplist/5,       % :Goal, ?List1, ?List2, ?List3, ?List4
            first_solution/3            % -X, :Goals, +Options
          ]).
:- use_module(library(apply), [maplist/2, maplist/3, maplist/4, maplist/5]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(option), [option/3]).

/** <module> Goals at once, one after the other

SWI-Prolog's library(thread) for an engine without threads.  Each goal is run once and to its end
before the next begins, which is one of the orders that threads may take.
*/

:- meta_predicate
    concurrent(+, :, +),
    concurrent_and(0, 0),
    concurrent_and(0, 0, +),
    concurrent_forall(0, 0),
    concurrent_forall(0, 0, +),
    concurrent_maplist(1, +),
    concurrent_maplist(2, ?, ?),
    concurrent_maplist(3, ?, ?, ?),
    concurrent_maplist(4, ?, ?, ?, ?),
    first_solution(-, :, +).

%!  concurrent(+N, :Goals, +Options) is semidet.
%
%   Run each of Goals once.  Fails, or throws, with the first that does.
%
%   @error type_error(positive_integer, N)

concurrent(N, Module:Goals, _) :-
    must_be(positive_integer, N),
    must_be(list, Goals),
    maplist(run_once(Module), Goals).

run_once(Module, Goal) :-
    once(hb_checked:checked(Module:Goal)).

%!  concurrent_and(:Generator, :Test) is nondet.
%!  concurrent_and(:Generator, :Test, +Options) is nondet.
%
%   As (Generator, Test).

concurrent_and(Generator, Test) :-
    call(Generator),
    call(Test).

concurrent_and(Generator, Test, _) :-
    concurrent_and(Generator, Test).

%!  concurrent_forall(:Generate, :Action) is semidet.
%!  concurrent_forall(:Generate, :Action, +Options) is semidet.
%
%   As forall/2.

concurrent_forall(Generate, Action) :-
    forall(Generate, Action).

concurrent_forall(Generate, Action, _) :-
    forall(Generate, Action).

%!  concurrent_maplist(:Goal, +List) is semidet.
%!  concurrent_maplist(:Goal, ?List1, ?List2) is semidet.
%!  concurrent_maplist(:Goal, ?List1, ?List2, ?List3) is semidet.
%!  concurrent_maplist(:Goal, ?List1, ?List2, ?List3, ?List4) is semidet.
%
%   As maplist/2 and its kin, with one solution for each element.

concurrent_maplist(Goal, List) :-
    maplist(once_with(Goal), List).

concurrent_maplist(Goal, List1, List2) :-
    maplist(once_with(Goal), List1, List2).

concurrent_maplist(Goal, List1, List2, List3) :-
    maplist(once_with(Goal), List1, List2, List3).

concurrent_maplist(Goal, List1, List2, List3, List4) :-
    maplist(once_with(Goal), List1, List2, List3, List4).

once_with(Goal, A) :-
    once(call(Goal, A)).

once_with(Goal, A, B) :-
    once(call(Goal, A, B)).

once_with(Goal, A, B, C) :-
    once(call(Goal, A, B, C)).

once_with(Goal, A, B, C, D) :-
    once(call(Goal, A, B, C, D)).

%!  first_solution(-X, :Goals, +Options) is semidet.
%
%   X is bound as in the first solution of the first of Goals that has one.  A goal that fails before it ends the
%   search if Options have on_fail(stop), and one that throws if they have on_error(stop); without these options
%   its turn counts as slower than that of the goal that succeeds.  If none succeeds, the first error is thrown.

first_solution(X, Module:Goals, Options) :-
    must_be(list, Goals),
    option(on_fail(OnFail), Options, continue),
    option(on_error(OnError), Options, later),
    first_solution(Goals, Module, X, OnFail, OnError, none).

first_solution([], _, _, _, OnError, Error) :-
    (   Error = thrown(Ball),
        OnError == later
    ->  throw(Ball)
    ;   fail
    ).
first_solution([Goal|Goals], Module, X, OnFail, OnError, Error0) :-
    copy_term(X-Goal, Copy-Try),
    catch(( run_once(Module, Try) -> Result = true ; Result = false ), Ball, Result = thrown(Ball)),
    (   Result == true
    ->  X = Copy
    ;   Result == false
    ->  OnFail \== stop,
        first_solution(Goals, Module, X, OnFail, OnError, Error0)
    ;   stops(OnError, Ball)
    ->  throw(Ball)
    ;   ( Error0 == none -> Error = Result ; Error = Error0 ),
        first_solution(Goals, Module, X, OnFail, OnError, Error)
    ).

%   stops(+OnError, +Ball): Ball ends the search, as a limit always does.

stops(stop, _) :-
    !.
stops(_, Ball) :-
    hb_limits:stop(Ball).
