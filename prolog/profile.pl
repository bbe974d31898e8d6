:- module(hb_profile,
          [ forget_samples/0,
            sample/0,
            most_inferences/1           % -Text
          ]).

:- use_module(library(pairs), [group_pairs_by_key/2]).
:- use_module(conjuncts).
:- use_module('functor').

/** <module> The predicates that take the most inferences

They are counted at each heartbeat, so that code that runs well pays nothing.
*/

:- dynamic
    sample/3.                           % PI, Caller, Count

%!  forget_samples is det.
%
%   A new step begins.

forget_samples :-
    retractall(sample(_,_,_)),
    set_flag(hb_visits, 0),
    set_flag(hb_unsampled, 0).

%!  sample is det.
%
%   Count the user predicate that is running, with the next different one above it.  Called at each
%   heartbeat, which comes when a fact is called, so the innermost predicate alone might be one that
%   costs nothing.
%
%   SWI-Prolog visits all frames of the stack each time it is asked about one of them.  So each heartbeat
%   allows a number of visits, and in deep recursion several have to pass before there is a sample, which
%   then counts for all of them.

sample :-
    statistics(localused, Bytes),
    get_flag(hb_visits, Visits0),
    get_flag(hb_unsampled, Beats0),
    Visits is Visits0+100_000,          % about half a millisecond
    Beats is Beats0+1,
    Most is min(100, Visits//(1+Bytes//32)),
    (   Most < 10
    ->  set_flag(hb_visits, Visits),
        set_flag(hb_unsampled, Beats)
    ;   set_flag(hb_visits, 0),
        set_flag(hb_unsampled, 0),
        sample(Most, Beats)
    ).

%   sample(+Most, +Beats): look at Most frames; the sample stands for Beats heartbeats.

sample(Most, Beats) :-
    prolog_current_frame(Frame),
    (   running(Frame, Most, none, PI, Above)
    ->  (   running(Above, Most, PI, Caller, _)
        ->  true
        ;   Caller = none
        ),
        (   retract(sample(PI, Caller, Count0))
        ->  Count is Count0+Beats
        ;   Count = Beats
        ),
        assertz(sample(PI, Caller, Count))
    ;   true
    ).

%   running(+Frame, +Most, +But, -PI, -Above): PI is the first user predicate other than But in Frame and
%   the frames above it, of which Most are looked at; Above is the frame above that.

running(Frame, Most, But, PI, Above) :-
    Most > 0,
    (   prolog_frame_attribute(Frame, predicate_indicator, knowledge_base:Name/Arity),
        Name/Arity \== But,
        hb_store:own(Name, Arity)
    ->  PI = Name/Arity,
        (   prolog_frame_attribute(Frame, parent, Above)
        ->  true
        ;   Above = Frame
        )
    ;   prolog_frame_attribute(Frame, parent, Parent),
        Most1 is Most-1,
        running(Parent, Most1, But, PI, Above)
    ).

%!  most_inferences(-Text:string) is semidet.
%
%   Text tells which predicates took the most inferences in this step, including those of the
%   built-in and library predicates they called, and for each of them which predicate mostly called
%   it.

most_inferences(Text) :-
    findall(PI-Count, sample(PI, _, Count), Samples0),
    Samples0 \== [],
    keysort(Samples0, Samples),
    group_pairs_by_key(Samples, Groups),
    findall(Total-PI, ( '$member'(PI-Counts, Groups), sum(Counts, 0, Total) ), Totals),
    sort(1, @>=, Totals, Sorted),
    findall(Total, '$member'(Total-_, Totals), All),
    sum(All, 0, Sum),
    findall(Share,
            ( nth(Sorted, 3, Total-PI),
              Percent is round(100*Total/Sum),
              Percent > 0,
              share(PI, Percent, Share)
            ),
            Shares),
    atomic_list_concat(Shares, ', ', Joined),
    (   follows_facts(Sorted, PI)
    ->  hb_store:seen_indicator(PI, Seen),
        format(string(Text), "Most inferences: ~w. If what ~q follows has a cycle, `:- table ~q.` lets it end.", [Joined,Seen,Seen])
    ;   format(string(Text), "Most inferences: ~w.", [Joined])
    ).

%   follows_facts(+Sorted, -PI) is semidet: the predicate that took most, or that called it, is PI, which calls other
%   predicates and itself, perhaps through them, builds no term and computes nothing, as a path along facts.

follows_facts([_-PI0|_], Name/Arity) :-
    (   Name/Arity = PI0
    ;   sample(PI0, Name/Arity, _)
    ),
    leads(Name, Arity, [_,_|_], Again),
    leads_back(Again, Name/Arity, [Name/Arity]),
    !.

%   leads_back(+Goal, +PI, +Seen): Goal calls PI, by way of others than Seen.

leads_back(Goal, Name/Arity, _) :-
    term_functor(Goal, Name, Arity).
leads_back(Goal, PI, Seen) :-
    term_functor(Goal, Name, Arity),
    \+ '$member'(Name/Arity, Seen),
    leads(Name, Arity, _, Next),
    leads_back(Next, PI, [Name/Arity|Seen]).

%   leads(+Name, +Arity, ?Goals, -Goal): a clause of the predicate, which is not tabled, calls Goals, Goal among them, and
%   nothing else.

leads(Name, Arity, Goals, Goal) :-
    \+ hb_store:tabled(Name, Arity),
    term_functor(Head, Name, Arity),
    clause(knowledge_base:Head, Body),
    compound(Head),
    \+ ( arg(_, Head, Arg), compound(Arg) ),
    conjuncts(Body, Goals),
    \+ ( '$member'(Other, Goals), \+ plain_call(Other) ),
    '$member'(Goal, Goals).

plain_call(Goal) :-
    callable(Goal),
    term_functor(Goal, Name, Arity),
    hb_store:own(Name, Arity),
    \+ ( compound(Goal), arg(_, Goal, Arg), compound(Arg) ).

share(PI, Percent, Share) :-
    findall(Count-Caller, sample(PI, Caller, Count), Callers),
    sort(1, @>=, Callers, [_-Caller|_]),
    (   Caller == none
    ->  hb_store:seen_indicator(PI, Seen),
        format(atom(Share), '~q (~d %)', [Seen, Percent])
    ;   hb_store:seen_indicator(PI, Seen),
        hb_store:seen_indicator(Caller, SeenCaller),
        format(atom(Share), '~q in ~q (~d %)', [Seen, SeenCaller, Percent])
    ).

nth([Item|Items], Most, Member) :-
    Most > 0,
    (   Member = Item
    ;   Most1 is Most-1,
        nth(Items, Most1, Member)
    ).

sum([], Sum, Sum).
sum([Number|Numbers], Sum0, Sum) :-
    Sum1 is Sum0+Number,
    sum(Numbers, Sum1, Sum).
