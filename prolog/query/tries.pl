:- module(hb_tries,
          [ tried/3,                    % ?Call, ?Try, ?Ref
            furthest/3,                 % ?Try, ?At, ?Ways
            stopped/4,                  % ?Try, ?Goal, ?Values, ?Why
            tries/1,                    % -Count
            numbered/1,                 % -Number
            keep_try/3,                 % +Call, +Ref, -Try
            stop/4,                     % +In, +At, +Goal, +Why
            other_reason/4,             % +Try, +Goal, +Why0, +Why
            asked_inside/4,             % ?Number, ?Goal, ?Values, ?Ref
            keep_inside/2,              % +Goal, +In
            held/3,                     % ?Goal, ?Values, ?Ref
            keep_held/2,                % +Goal, +In
            differing/3,                % +Goal, -A, -B
            number_text/2,              % +Goal, -Text
            note_chance/1,              % +Goal
            by_chance/0,
            begin_apart/0,
            end_apart/0,
            distance/2,                 % +Goal, -Distance
            forget_call/1,              % +Call
            forget_tries/0
          ]).
:- use_module('../functor').
:- use_module('../sandbox/written').
:- use_module('../store/store').
:- use_module('../read/subterms', [goal_of/2, sub_term_of/2]).
:- use_module(differences, [value/2]).
:- use_module(inner_differences, [kind_difference/5]).
:- use_module(text_differences, [text/1, text_number/2]).
:- use_module(library(lists), [memberchk/2]).

/** <module> The clauses that a failed goal tried

What hb_failure keeps while it runs a goal: for each call the clauses that were tried, and for each of
them the goals where it stopped.
*/

%   How many goals where one clause stopped are kept.

most_stops(3).

%   How many goals with a goal inside are kept.

most_inside(20).

:- dynamic
    tried/3,                            % Call, Try, Ref
    furthest/3,                         % Try, At, Ways
    stopped/4,                          % Try, Goal, Values, Why
    asked_inside/4,                     % Number, Goal, Values, Ref
    held/3.                             % Goal, Values, Ref

%!  tried(?Call, ?Try, ?Ref) is nondet.
%!  furthest(?Try, ?At, ?Ways) is nondet.
%!  stopped(?Try, ?Goal, ?Values, ?Why) is nondet.
%
%   The clause Ref was tried for Call, as Try.  Try came as far as goal number At of its body, in so
%   many Ways.  Goal had no solution there, when the query's variables had Values.

%!  asked_inside(?Number, ?Goal, ?Values, ?Ref) is nondet.
%
%   Goal, as it is written, was reached, and asks a goal inside: a negation, findall/3, or the condition of `->` as
%   if(Condition), which did not hold.  Ref is the clause whose body it is in, or `query`.

%!  tries(-Count) is det.
%
%   How many clauses are kept.

tries(Count) :-
    get_flag(hb_tries_kept, Count).

%!  numbered(-Number) is det.
%
%   A new number for a call or a try.

numbered(Number) :-
    flag(hb_tries, Number0, Number0+1),
    Number is Number0+1.

%!  keep_try(+Call, +Ref, -Try) is det.

keep_try(Call, Ref, Try) :-
    numbered(Try),
    assertz(tried(Call, Try, Ref)),
    counted(1).

%!  stop(+In, +At, +Goal, +Why) is det.
%
%   Goal has no solution.  Kept if no goal further on in the body was reached.  In is in(Try, Depth, Values, Above), as for
%   hb_failure:body/4.

stop(in(none,_,_,_), _, _, Why) :-
    !,
    forget_why(Why).
stop(in(Try,_,Values,_), At, Goal0, Why) :-
    shown_goal(Goal0, Values, Goal, Values1),
    (   furthest(Try, Furthest, Ways)
    ->  (   At > Furthest
        ->  forget_stops(Try),
            assertz(furthest(Try, At, 1)),
            assertz(stopped(Try, Goal, Values1, Why))
        ;   At =:= Furthest
        ->  retract(furthest(Try, Furthest, Ways)),
            Ways1 is Ways+1,
            assertz(furthest(Try, Furthest, Ways1)),
            findall(Other, stopped(Try, Other, _, _), Others),
            length(Others, Kept),
            most_stops(Most),
            (   '$member'(Other, Others),
                Other =@= Goal
            ->  forget_why(Why)
            ;   Kept < Most
            ->  assertz(stopped(Try, Goal, Values1, Why))
            ;   nearer_than_all(Goal, Others)
            ->  once(retract(stopped(Try, _, _, _))),
                assertz(stopped(Try, Goal, Values1, Why))
            ;   forget_why(Why)
            )
        ;   forget_why(Why)
        )
    ;   assertz(furthest(Try, At, 1)),
        assertz(stopped(Try, Goal, Values1, Why))
    ).

%   nearer_than_all(+Goal, +Others): Goal compares numbers that are nearer to each other than those of Others.

nearer_than_all(Goal, Others) :-
    distance(Goal, Distance),
    \+ ( '$member'(Other, Others),
         \+ ( distance(Other, Far), Distance < Far ) ).

%!  distance(+Goal, -Distance) is semidet.
%
%   Goal compares the values of two expressions, which differ by Distance.

distance(Goal, Distance) :-
    compound(Goal),
    compound_name_arguments(Goal, Op, [A,B]),
    '$member'(Op, [<,>,=<,>=,=:=,=\=,=]),
    value(A, VA),
    value(B, VB),
    !,
    Distance is abs(VA-VB).

%   shown_goal(+Goal0, +Values0, -Goal, -Values): Goal as it was written, with the constraints on its variables.

shown_goal(Goal0, Values0, Goal, Values) :-
    as_written(Goal0, Written),
    (   term_attvars(Written, [])
    ->  Goal = Written,
        Values = Values0
    ;   hb_builtins:copy_as_written(Values0-Written, Copy, Residual),
        (   Residual == []
        ->  Copy = Values-Goal
        ;   Copy = Values-Copied,
            Goal = where(Copied, Residual)
        )
    ).

forget_stops(Try) :-
    retractall(furthest(Try, _, _)),
    forall(retract(stopped(Try, _, _, Why)), forget_why(Why)).

forget_why(Why) :-
    (   Why = call(Call, _)
    ->  forget_call(Call)
    ;   true
    ).

%!  other_reason(+Try, +Goal, +Why0, +Why) is det.
%
%   Why takes the place of Why0 for the stop of Try at Goal.

other_reason(Try, Goal, Why0, Why) :-
    findall(stopped(Try, Other, Values, Reason), retract(stopped(Try, Other, Values, Reason)), Stops),
    forall('$member'(stopped(Try, Other, Values, Reason0), Stops),
           (   Other =@= Goal,
               Reason0 == Why0
           ->  assertz(stopped(Try, Other, Values, Why))
           ;   assertz(stopped(Try, Other, Values, Reason0))
           )).

%!  keep_inside(+Goal, +In) is det.
%
%   Keep Goal, as asked_inside/4 has it but translated, if a goal inside looks up facts or a list.  In is as for stop/4.

keep_inside(Goal, in(Try,_,Values,_)) :-
    get_flag(hb_asked_inside, Count),
    most_inside(Most),
    (   Count < Most,
        Goal = if(Condition)
    ->  as_written(Condition, Written0),
        Written = if(Written0)
    ;   Count < Most
    ->  as_written(Goal, Written)
    ),
    looks_up(Written),
    !,
    (   asked_inside(_, Other, _, _),
        Other =@= Written
    ->  true
    ;   body_of(Try, Ref),
        copy_term_nat(Written-Values, Kept-KeptValues),
        assertz(asked_inside(Count, Kept, KeptValues, Ref)),
        flag(hb_asked_inside, N, N+1)
    ).
keep_inside(_, _).

body_of(Try, Ref) :-
    (   Try == 0
    ->  Ref = query
    ;   tried(_, Try, Ref)
    ->  true
    ;   Ref = none
    ).

%!  held(?Goal, ?Values, ?Ref) is nondet.
%
%   Goal, which differing/3 or number_text/2 knows, as it is written, held in the body Ref because of the kind of a value alone.  Ref
%   is as for asked_inside/4.

%!  keep_held(+Goal, +In) is det.
%
%   Goal has held.  Kept if it says that terms differ that differ only in kind.

keep_held(A \== B, in(Try,_,_,_)) :-
    \+ ground(A-B),
    nb_current(hb_apart, Apart),
    !,
    body_of(Try, Ref),
    b_setval(hb_apart, [apart(A, B, Ref)|Apart]).
keep_held(Goal0, in(Try,_,Values,_)) :-
    (   compound(Goal0),
        as_written(Goal0, Goal),
        kinds_apart(Goal),
        aggregate_all(count, held(_,_,_), Count),
        most_inside(Most),
        Count < Most
    ->  body_of(Try, Ref),
        copy_term_nat(Goal-Values, Kept-KeptValues),
        assertz(held(Kept, KeptValues, Ref))
    ;   true
    ).

kinds_apart(Goal) :-
    differing(Goal, A, B),
    kind_difference(A, B, _, _, _),
    !.
kinds_apart(Goal) :-
    number_text(Goal, _).

%!  number_text(+Goal, -Text) is semidet.
%
%   Goal compares a number with the number in Text in the standard order, where all text comes after numbers.

number_text(Goal, Text) :-
    compound(Goal),
    compound_name_arguments(Goal, Op, [A,B]),
    '$member'(Op, [@<,@>,@=<,@>=]),
    ( number(A), Text = B ; number(B), Text = A ),
    text(Text),
    text_number(Text, _),
    !.

%!  note_chance(+Goal) is det.
%!  by_chance is semidet.
%
%   by_chance/0 is true from when Goal, which has been reached, draws a random number: another run has other values.

note_chance(Goal) :-
    (   draws(Goal)
    ->  set_flag(hb_by_chance, 1)
    ;   true
    ).

by_chance :-
    get_flag(hb_by_chance, 1).

draws(_:Goal) :-
    !,
    draws(Goal).
draws(_ is Expression) :-
    !,
    sub_term_of(Sub, Expression),
    nonvar(Sub),
    '$member'(Sub, [random(_),random,random_float]),
    !.
draws(Goal) :-
    callable(Goal),
    term_functor(Goal, Name, _),
    sub_atom(Name, 0, _, _, random).

%!  begin_apart is det.
%!  end_apart is det.
%
%   Between them goals are run; end_apart/0 keeps, as held, an `A \== B` of which the sides have become the same.

begin_apart :-
    b_setval(hb_apart, []).

end_apart :-
    b_getval(hb_apart, Apart),
    (   '$member'(apart(A, B, Ref), Apart),
        A == B
    ->  copy_term_nat(A-B, KeptA-KeptB),
        assertz(held(KeptA \== KeptB, [], Ref))
    ;   true
    ).

%!  differing(+Goal, -A, -B) is nondet.
%
%   Goal says that the terms A and B differ; or it looks for A in a list, which has it not, but B.

differing(A \= B, A, B).
differing(A \== B, A, B).
differing(dif(A, B), A, B).
differing(delete(List, Element, _), Element, Kept) :-
    not_in(List, Element, Kept).
differing(Goal, Element, Kept) :-
    compound(Goal),
    compound_name_arguments(Goal, Name, [A,B,_]),
    (   Name == subtract
    ->  Elements = B, List = A
    ;   '$member'(Name, [intersection,union]),
        Elements = A, List = B
    ),
    is_list(Elements),
    \+ ( '$member'(Same, Elements), is_list(List), memberchk(Same, List) ),
    '$member'(Element, Elements),
    not_in(List, Element, Kept).

%   not_in(+List, +Element, -Kept) is nondet: Element is not in List, which has Kept.

not_in(List, Element, Kept) :-
    is_list(List),
    ground(Element-List),
    length(List, Length),
    Length =< 100,
    \+ memberchk(Element, List),
    '$member'(Kept, List).

looks_up(if(Goal)) :-
    !,
    looks_up(Goal).
looks_up(Written) :-
    compound(Written),
    compound_name_arity(Written, maplist, _),
    !.
looks_up(Written) :-
    goal_of(Written, Goal),
    ( Goal = (A=B) ; Goal = (A==B) ),
    kind_difference(A, B, _, _, _),
    !.
looks_up(Written) :-
    compound(Written),
    compound_name_arguments(Written, Name, [Closure|_]),
    '$member'(Name, [include,partition]),
    callable(Closure),
    !.
looks_up(Written) :-
    goal_of(Written, Goal),
    callable(Goal),
    term_functor(Goal, Name, Arity),
    (   own(Name, Arity)
    ;   '$member'(Name/Arity, [member/2,memberchk/2])
    ),
    !.

%!  forget_call(+Call) is det.
%
%   Forget the clauses tried for Call.

forget_call(Call) :-
    forall(retract(tried(Call, Try, _)),
           ( counted(-1), forget_stops(Try) )).

counted(More) :-
    flag(hb_tries_kept, Count, Count+More).

%!  forget_tries is det.
%
%   Forget all of it.

forget_tries :-
    retractall(tried(_,_,_)),
    retractall(furthest(_,_,_)),
    retractall(stopped(_,_,_,_)),
    retractall(asked_inside(_,_,_,_)),
    retractall(held(_,_,_)),
    set_flag(hb_asked_inside, 0),
    set_flag(hb_by_chance, 0),
    set_flag(hb_tries, 0),
    set_flag(hb_tries_kept, 0).
