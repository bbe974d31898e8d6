:- module(hb_again,
          [ result_of/2,                % +Goal, -Result
            computes_last/2,            % ?Name, ?Arity
            append_last/3,              % ?List, ?Last, ?All
            two_known/1,                % +Place
            counterexample/2,           % +Goal, -Example
            first_of/3,                 % +Template, +Goal, -First
            first_safe/3,               % +Template, +Safe, -First
            fails_safe/1,               % +Safe
            replaced/4,                 % +I, +Args0, ?New, -Args
            answers_within/4,           % +Template, +Most, +Goal, -Answers
            opened/4,                   % +Goal, -General, -Given, -Results
            failing_element/5,          % +Lists, +Nth0, +Closure, -Nth, -Goal
            failing_step/5,             % +List, +Closure, +State, -Nth, -Goal
            calls_itself/1              % +Goal
          ]).
:- use_module('../functor').
:- use_module('../sandbox/sandbox').
:- use_module('../store/store').
:- use_module('../limits').
:- use_module('../read/subterms', [sub_term_of/2]).
:- use_module(bounded).
:- use_module(library(lists), [memberchk/2, select/3]).
:- use_module(library(solution_sequences), [limit/2]).

/** <module> Goals that are run again with another argument

They run in an engine of their own, within the time of the step, and only where hb_bounded:may_run_again/1 holds.  What may
not run, and what is stopped by an error or a limit before its end, neither holds nor fails.
*/

%!  result_of(+Goal, -Result) is semidet.
%
%   Goal, as it is written, computes an argument, mostly its last, which was given; it gives Result instead.

result_of(format(Sink, Format, Args), Result) :-
    compound(Sink),
    compound_name_arguments(Sink, Kind, [Given]),
    nonvar(Given),
    '$member'(Kind, [atom,string]),
    compound_name_arguments(Other, Kind, [Result0]),
    moderate(Format-Args),
    \+ sub_atom(Format, _, _, _, *),
    first_safe(Result0, hb_builtins:safe_format(Other, Format, Args), Result),
    Result \= Given.
result_of(Goal, Result) :-
    compound(Goal),
    compound_name_arguments(Goal, Name, [Given,List]),
    '$member'(Name, [max_member,min_member]),
    nonvar(Given),
    !,
    compound_name_arguments(Again, Name, [Result0,List]),
    first_of(Result0, Again, Result),
    Result \= Given.
result_of(Goal, Result) :-
    compound(Goal),
    compound_name_arguments(Goal, Name, Args0),
    length(Args0, Arity),
    computes_last(Name, Arity),
    append_last(Args, Given, Args0),
    nonvar(Given),
    (   '$member'(Name, [append,select,nth0,nth1,arg,get_dict,string_code])     % may have other results
    ->  ground(Args)
    ;   '$member'(Name, [sub_atom,sub_string])
    ->  Args = [_|Place],
        two_known(Place)
    ;   true
    ),
    append_last(Args, Result0, Args1),
    compound_name_arguments(Again, Name, Args1),
    first_of(Result0, Again, Result),
    Result \= Given.

%!  two_known(+Place) is semidet.
%
%   Two of Before, Length and After are known, so that there is only one such part of a text.

two_known(Place) :-
    select(One, Place, [A,B]),
    var(One),
    nonvar(A),
    nonvar(B),
    !.
two_known(Place) :-
    ground(Place).

%!  append_last(?List, ?Last, ?All).
%
%   All is List with Last at its end.

append_last([], Last, [Last]).
append_last([Arg|Args], Last, [Arg|Rest]) :-
    append_last(Args, Last, Rest).

%!  computes_last(?Name, ?Arity) is nondet.
%
%   The library predicate Name/Arity computes its last argument.

computes_last(length, 2).
computes_last(atom_length, 2).
computes_last(string_length, 2).
computes_last(sum_list, 2).
computes_last(sumlist, 2).
computes_last(max_list, 2).
computes_last(min_list, 2).
computes_last(last, 2).
computes_last(reverse, 2).
computes_last(sort, 2).
computes_last(msort, 2).
computes_last(sort, 4).
computes_last(keysort, 2).
computes_last(predsort, 3).
computes_last(list_to_set, 2).
computes_last(list_to_ord_set, 2).
computes_last(numlist, 3).
computes_last(upcase_atom, 2).
computes_last(downcase_atom, 2).
computes_last(string_upper, 2).
computes_last(string_lower, 2).
computes_last(atom_chars, 2).
computes_last(atom_codes, 2).
computes_last(string_chars, 2).
computes_last(string_codes, 2).
computes_last(atom_number, 2).
computes_last(atom_string, 2).
computes_last(char_code, 2).
computes_last(nth0, 3).
computes_last(nth1, 3).
computes_last(atom_concat, 3).
computes_last(string_concat, 3).
computes_last(append, 2).
computes_last(append, 3).
computes_last(delete, 3).
computes_last(exclude, 3).
computes_last(include, 3).
computes_last(intersection, 3).
computes_last(subtract, 3).
computes_last(union, 3).
computes_last(select, 3).
computes_last(pairs_keys, 2).
computes_last(pairs_values, 2).
computes_last(maplist, 3).
computes_last(findall, 3).
computes_last(aggregate_all, 3).
computes_last(aggregate_all, 4).
computes_last(atomic_list_concat, 2).
computes_last(atomic_list_concat, 3).
computes_last(split_string, 4).
computes_last(foldl, 4).
computes_last(foldl, 5).
computes_last(foldl, 6).
computes_last(get_dict, 3).
computes_last(get_assoc, 3).
computes_last(plus, 3).
computes_last(succ, 2).
computes_last(sub_atom, 5).
computes_last(sub_string, 5).
computes_last(string_code, 3).
computes_last(term_to_atom, 2).
computes_last(number_codes, 2).
computes_last(text_concat, 3).
computes_last(flatten, 2).
computes_last(arg, 3).
computes_last(=.., 2).
computes_last(ord_union, 3).
computes_last(ord_subtract, 3).
computes_last(ord_intersection, 3).
computes_last(text_to_string, 2).
computes_last(pairs_keys_values, 3).

%!  counterexample(+Goal, -Example) is semidet.
%
%   Example is an answer of the condition of forall/2 for which its action fails.

counterexample(forall(Condition, Action), Condition1) :-
    first_of(Condition, (Condition, \+Action), Condition1).

%!  failing_element(+Lists, +Nth0, +Closure, -Nth, -Goal) is semidet.
%
%   Goal, the call of Closure with the elements number Nth of Lists, fails; Nth0 is the number of the first ones.

failing_element(Lists, Nth0, Closure, Nth, Goal) :-
    heads_tails(Lists, Heads, Tails),
    append_goal(Closure, Heads, Call),
    outcome(Heads, Call, Outcome),
    (   Outcome = the(Heads)
    ->  Nth1 is Nth0+1,
        failing_element(Tails, Nth1, Closure, Nth, Goal)
    ;   Outcome == no,
        Nth = Nth0,
        Goal = Call
    ).

heads_tails(Lists, Heads, Tails) :-
    once(( '$member'(List, Lists), nonvar(List) )),
    each_head_tail(Lists, Heads, Tails).

each_head_tail([], [], []).
each_head_tail([[Head|Tail]|Lists], [Head|Heads], [Tail|Tails]) :-
    each_head_tail(Lists, Heads, Tails).

%!  failing_step(+List, +Closure, +State, -Nth, -Goal) is semidet.
%
%   Goal, the call of Closure with element number Nth of List and the State that the others have made of that of foldl/4,
%   fails.

failing_step(List, Closure, State, Nth, Goal) :-
    failing_step(List, 1, Closure, State, Nth, Goal).

failing_step([Element|Elements], Nth0, Closure, State, Nth, Goal) :-
    append_goal(Closure, [Element,State,Next], Call),
    outcome(Next, Call, Outcome),
    (   Outcome = the(Next0)
    ->  Nth1 is Nth0+1,
        failing_step(Elements, Nth1, Closure, Next0, Nth, Goal)
    ;   Nth = Nth0,
        Goal = Call
    ).

append_goal(Closure, Args, Goal) :-
    (   Closure = _>>_,
        copy_term_nat(Closure, Params>>Body),
        is_list(Params),
        '$append'(Params, Rest, Args)
    ->  append_goal(Body, Rest, Goal)
    ;   extended(Closure, Args, Goal0)
    ->  Goal = Goal0
    ;   compound_name_arguments(Goal, call, [Closure|Args])
    ).

%!  first_of(+Template, +Goal, -First) is semidet.
%!  first_safe(+Template, +Safe, -First) is semidet.
%
%   First is the instance of Template for the first solution of Goal, as it is written, or of Safe, as it is translated.

first_of(Template, Goal, First) :-
    outcome(Template, Goal, the(First)).

first_safe(Template, Safe, First) :-
    run_again(Template, Safe, the(First)).

%!  fails_safe(+Safe) is semidet.
%
%   Safe, as it is translated, has no solution.  An error is none.

fails_safe(Safe) :-
    run_again(true, Safe, no).

%   outcome(+Template, +Goal, -Outcome) is semidet: Outcome is the(First), as for first_of/3, or `no`, if Goal fails.

outcome(Template, Goal, Outcome) :-
    may_run_again(Goal),
    safe_body(Goal, Safe),
    run_again(Template, Safe, Outcome0),
    Outcome0 \= throw(_),
    Outcome = Outcome0.

run_again(Template, Safe, Next) :-
    most_inferences(Most),
    setup_call_cleanup(
        engine_create(Template, hb_again:watched(Most, Safe, Template), Engine),
        next_reified(Engine, Next0),
        catch(engine_destroy(Engine), _, true)),
    Next = Next0.

watched(Most, Safe, Template) :-
    watch,
    (   Most == all
    ->  knowledge_base:Safe
    ;   call_cleanup(once(watched_within(Most, Safe, Template)), ran_within)
    ).

watched_within(Most, Safe, Template) :-
    call_with_inference_limit(knowledge_base:Safe, Most, Result),
    within(Result, Template).

%   within(+Result, @Answer): the limit was not exceeded, and Answer can be copied at once.

within(Result, Answer) :-
    (   Result \== inference_limit_exceeded,
        moderate(Answer)
    ->  true
    ;   throw(error(resource_error(hint), _))
    ).

%!  answers_within(+Template, +Most, +Goal, -Answers) is semidet.
%
%   Answers are the instances of Template for the first Most solutions of Goal, as it is written, with few inferences.  The
%   heartbeat comes too seldom to stop goals that take long for each of them.

answers_within(Template, Most, Goal, Answers) :-
    may_run_again(Goal),
    safe_body(Goal, Safe),
    first_safe(Answers, hb_again:answers(Template, Most, Safe, Answers), Answers).

answers(Template, Most, Safe, Answers) :-
    call_with_inference_limit(findall(Template, limit(Most, hb_again:answer(Safe, Template)), Answers), 2000, Result),
    within(Result, true).

answer(Safe, Template) :-
    knowledge_base:Safe,
    within(true, Template).

%!  opened(+Goal, -General, -Given, -Results) is semidet.
%
%   Goal, of a predicate with rules or with variables in its facts, has failed.  With a variable in place of its argument Given, which makes it General, it
%   has the answers Results for it, at most two.

opened(Goal, General, Given, Results) :-
    computes(Goal, Name, Arity),
    between(1, Arity, N),
    I is Arity+1-N,
    arg(I, Goal, Given),
    nonvar(Given),
    compound_name_arguments(Goal, Name, Args0),
    replaced(I, Args0, Result, Args),
    once(( '$member'(Other, Args), nonvar(Other) )),
    compound_name_arguments(General, Name, Args),
    answers_within(Result, 3, General, Results),
    ( Results = [_] ; Results = [_,_] ),
    \+ memberchk(Given, Results),
    \+ ( '$member'(Open, Results), open_list(Open) ),
    \+ only_repeats(General, I, Results),
    !.

%   only_repeats(+General, +I, +Results): a fact for what is the same as itself, as conn(X,X), gives General the one result for
%   argument I, which is another argument: that says nothing of other ones.

only_repeats(General, I, [Result]) :-
    term_functor(General, Name, Arity),
    arg(J, General, Same),
    J =\= I,
    Same == Result,
    term_functor(Head, Name, Arity),
    clause(knowledge_base:Head, true),
    arg(I, Head, A),
    arg(J, Head, B),
    var(A),
    A == B,
    \+ General \= Head,
    !.

%   open_list(@Term): a list with a tail that is not known, which says how the goal searches and not what it gives.

open_list(Term) :-
    nonvar(Term),
    Term = [_|Tail],
    ( var(Tail) -> true ; open_list(Tail) ).

computes(Goal, Name, Arity) :-
    compound(Goal),
    term_functor(Goal, Name, Arity),
    own(Name, Arity),
    term_functor(Head, Name, Arity),
    once(( clause(knowledge_base:Head, Body), \+ ( Body == true, ground(Head) ) )).

%!  calls_itself(+Goal) is semidet.
%
%   A clause of the predicate of Goal calls it.

calls_itself(Goal) :-
    term_functor(Goal, Name, Arity),
    term_functor(Head, Name, Arity),
    term_functor(Call, Name, Arity),
    clause(knowledge_base:Head, Body),
    sub_term_of(Sub, Body),
    nonvar(Sub),
    Sub = Call,
    !.

%!  replaced(+I, +Args0, ?New, -Args) is det.
%
%   Args is Args0 with New in the place I, from 1.

replaced(1, [_|Args], New, [New|Args]) :-
    !.
replaced(I, [Arg|Args0], New, [Arg|Args]) :-
    J is I-1,
    replaced(J, Args0, New, Args).
