:- module(hb_reif,
          [ if_/3,                      % :If_1, :Then, :Else
            cond_t/3,                   % :If_1, :Then, ?T
            (=)/3,                      % ?X, ?Y, ?T
            dif/3,                      % ?X, ?Y, ?T
            (',')/3,                    % :A_1, :B_1, ?T
            (;)/3,                      % :A_1, :B_1, ?T
            memberd_t/3,                % ?X, ?Xs, ?T
            tmember/2,                  % :P_2, ?Xs
            tmember_t/3,                % :P_2, ?Xs, ?T
            tfilter/3,                  % :P_2, ?Xs, ?Ys
            tpartition/4                % :P_2, ?Xs, ?Ins, ?Outs
          ]).
:- use_module(library(dif)).

/** <module> Reified conditions

As defined in: Ulrich Neumerkel and Stefan Kral, Indexing dif/2, 2016.  A condition is
a goal with one more argument, its truth value: true or false.
*/

:- meta_predicate
    if_(1, 0, 0),
    cond_t(1, 0, ?),
    ','(1, 1, ?),
    ;(1, 1, ?),
    tmember(2, ?),
    tmember_t(2, ?, ?),
    tfilter(2, ?, ?),
    tpartition(2, ?, ?, ?).

%!  if_(:If_1, :Then, :Else) is nondet.
%
%   Run Then if If_1 is true, and Else if it is false.  If it may be either, try both.

if_(If_1, Then, Else) :-
    call(If_1, T),
    (   T == true
    ->  call(Then)
    ;   T == false
    ->  call(Else)
    ;   nonvar(T)
    ->  throw(error(type_error(boolean, T), _))
    ;   throw(error(instantiation_error, _))
    ).

%!  cond_t(:If_1, :Then, ?T) is nondet.

cond_t(If_1, Then, T) :-
    if_(If_1, ( Then, T = true ), T = false).

%!  =(?X, ?Y, ?T) is nondet.
%!  dif(?X, ?Y, ?T) is nondet.
%
%   T is whether X and Y are equal, or different.

=(X, Y, T) :-
    (   X == Y
    ->  T = true
    ;   X \= Y
    ->  T = false
    ;   T = true,
        X = Y
    ;   T = false,
        dif(X, Y)
    ).

dif(X, Y, T) :-
    =(X, Y, Equal),
    opposite(Equal, T).

opposite(true, false).
opposite(false, true).

%!  ','(:A_1, :B_1, ?T) is nondet.
%!  ;(:A_1, :B_1, ?T) is nondet.

','(A_1, B_1, T) :-
    if_(A_1, call(B_1, T), T = false).

;(A_1, B_1, T) :-
    if_(A_1, T = true, call(B_1, T)).

%!  memberd_t(?X, ?Xs, ?T) is nondet.

memberd_t(X, Xs, T) :-
    among(Xs, X, T).

among([], _, false).
among([Y|Ys], X, T) :-
    if_(=(X, Y), T = true, among(Ys, X, T)).

%!  tmember(:P_2, ?Xs) is nondet.
%!  tmember_t(:P_2, ?Xs, ?T) is nondet.
%
%   P_2 holds for an element of Xs.

tmember(P_2, [X|Xs]) :-
    if_(call(P_2, X), true, tmember(P_2, Xs)).

tmember_t(_, [], false).
tmember_t(P_2, [X|Xs], T) :-
    if_(call(P_2, X), T = true, tmember_t(P_2, Xs, T)).

%!  tfilter(:P_2, ?Xs, ?Ys) is nondet.
%!  tpartition(:P_2, ?Xs, ?Ins, ?Outs) is nondet.

tfilter(P_2, Xs, Ys) :-
    filtered(Xs, P_2, Ys).

filtered([], _, []).
filtered([X|Xs], P_2, Ys0) :-
    if_(call(P_2, X), Ys0 = [X|Ys], Ys0 = Ys),
    filtered(Xs, P_2, Ys).

tpartition(P_2, Xs, Ins, Outs) :-
    partitioned(Xs, P_2, Ins, Outs).

partitioned([], _, [], []).
partitioned([X|Xs], P_2, Ins0, Outs0) :-
    if_(call(P_2, X),
        ( Ins0 = [X|Ins], Outs0 = Outs ),
        ( Ins0 = Ins, Outs0 = [X|Outs] )),
    partitioned(Xs, P_2, Ins, Outs).
