:- module(hb_passed_cuts,
          [ past_cut/3                  % +Goal, -General, -Result
          ]).
:- use_module('../functor').
:- use_module('../store/store').
:- use_module(again, [answers_within/4, append_last/3, first_safe/3, calls_itself/1]).
:- use_module(bounded, [may_run_again/1]).
:- use_module('../sandbox/written', [as_written/2]).
:- use_module(library(lists), [memberchk/2]).

/** <module> Goals that hold because a result is given before a cut

`max(X, Y, X) :- X >= Y, !.` and `max(_, Y, Y).` make max(3, 1, 1) true.

A cut is as often there to make a check of given arguments end at its first answer, as in `mem(X, [X|_]) :- !.`  So a result
is only what a clause gives in the last argument after a test of the other ones, in a predicate that does not call itself.
*/

%!  past_cut(+Goal, -General, -Result) is semidet.
%
%   The ground goal Goal holds by a clause behind one with a cut, which was passed over because its result is not the last
%   argument of Goal.  With a variable there, General, it has only the answer Result.

past_cut(Goal, General, Result) :-
    callable(Goal),
    ground(Goal),
    term_functor(Goal, Name, Arity),
    Arity > 1,
    own(Name, Arity),
    \+ calls_itself(Goal),
    compound_name_arguments(Goal, Name, All),
    append_last(Args, Given, All),
    append_last(Args, Open, AllOpen),
    compound_name_arguments(General, Name, AllOpen),
    answering(General, Ref),
    decides_last(Ref, Kind),
    answers_within(Open, 2, General, [Result]),
    Result \= Given,
    answering(Goal, Later),
    Later \== Ref,
    ( Kind == computed -> true ; takes_all(Later) ).

%   decides_last(+Ref, -Kind) is semidet: the clause Ref tests its other arguments before its cut and has a result in the last.
%   Kind is `computed` if that is made of the others, and `constant` if it is the same for all.

decides_last(Ref, Kind) :-
    clause(knowledge_base:Head, Body, Ref),
    as_written(Body, Written),
    compound_name_arguments(Head, _, All),
    append_last(Args, Last, All),
    term_variables(Args, Known0),
    before_cut(Written, Tests, []),
    decided(Tests, Known0, Known, false),
    (   ground(Last)
    ->  Kind = constant
    ;   all_known(Last, Known),
        Kind = computed
    ).

%   before_cut(+Body, -Goals, ?Tail) is semidet: Goals are those of Body before its first cut.

before_cut(Body, Goals, Tail) :-
    nonvar(Body),
    (   Body == !
    ->  Goals = Tail
    ;   Body = (A,B),
        (   A == !
        ->  Goals = Tail
        ;   Goals = [A|Goals1],
            before_cut(B, Goals1, Tail)
        )
    ).

%   decided(+Goals, +Known0, -Known, +Tested) is semidet: Goals have one answer by the variables Known0, and Known by it, and there is a
%   test among them, or Tested is true.

decided([], Known, Known, true).
decided([Goal|Goals], Known0, Known, Tested) :-
    nonvar(Goal),
    (   Goal = (Var is Expression),
        var(Var)
    ->  all_known(Expression, Known0),
        decided(Goals, [Var|Known0], Known, Tested)
    ;   test(Goal),
        all_known(Goal, Known0),
        decided(Goals, Known0, Known, true)
    ).

test(Goal) :-
    compound(Goal),
    compound_name_arity(Goal, Name, Arity),
    (   Arity == 2
    ->  memberchk(Name, [<,>,=<,>=,=:=,=\=,@<,@>,@=<,@>=,==,\==])
    ;   Arity == 1,
        memberchk(Name, [atom,number,integer,float,string,atomic,compound,is_list])
    ).

all_known(Term, Known) :-
    term_variables(Term, Vars),
    \+ ( '$member'(Var, Vars),
         \+ ( '$member'(One, Known), One == Var ) ).

%   takes_all(+Ref) is semidet: the clause Ref is a fact for all other arguments, what holds when no clause before it does.

takes_all(Ref) :-
    clause(knowledge_base:Head, true, Ref),
    compound_name_arguments(Head, _, All),
    append_last(Args, _, All),
    length(Args, Count),
    term_variables(Args, Vars),
    length(Vars, Count),
    \+ ( '$member'(Arg, Args), nonvar(Arg) ).

%   answering(+Goal, -Ref) is semidet: Ref is the clause that gives the first answer of Goal.

answering(Goal0, Ref) :-
    copy_term(Goal0, Goal),                 % a head may bind its last argument
    clause(knowledge_base:Goal, Body, Ref),
    as_written(Body, Written),
    may_run_again(Written),
    first_safe(true, Body, _),
    !.
