:- module(hb_stale_tables,
          [ stale_table/2               % +Query, -Text
          ]).
:- use_module('../conjuncts').
:- use_module('../functor').
:- use_module('../sandbox/written', [as_written/2]).
:- use_module('../store/store').
:- use_module('../read/subterms', [goal_of/2]).
:- use_module(library(lists), [memberchk/2]).

/** <module> Tables that a query has filled before it changes what they are made of

A table stays as it is until the query ends.
*/

%   The most predicates that are looked through.

most_predicates(40).

%!  stale_table(+Query, -Text:string) is semidet.
%
%   Query asks a tabled predicate, changes the facts that it reaches, and asks it again.

stale_table(Query, Text) :-
    hb_store:tabled(_, _),
    conjuncts(Query, Goals),
    '$append'(Before, [Change|After], Goals),
    changes(Change, Changed),
    asks_table(Before, Table),
    asks_table(After, Table),
    reaches([Table], [], Changed),
    !,
    hb_store:seen_indicator(Table, Seen),
    format(string(Text), "~q is tabled, and its table stays as it was before the change until the query ends: ask it again in a query of its own.", [Seen]).

changes(Change, Name/Arity) :-
    goal_of(Change, Goal),
    compound(Goal),
    compound_name_arguments(Goal, Op, [Fact]),
    memberchk(Op, [assert,assertz,asserta,retract,retractall]),
    nonvar(Fact),
    ( Fact = (Head:-_) -> true ; Head = Fact ),
    callable(Head),
    term_functor(Head, Name, Arity).

asks_table(Goals, Name/Arity) :-
    '$member'(Conjunct, Goals),
    goal_of(Conjunct, Goal),
    callable(Goal),
    term_functor(Goal, Name, Arity),
    hb_store:tabled(Name, Arity).

%   reaches(+PIs, +Seen, +Changed): the clauses of one of PIs, which are not of Seen, come to a goal of Changed.

reaches(PIs, Seen, Changed) :-
    findall(PI, ( '$member'(From, PIs), calls(From, PI) ), All0),
    sort(All0, All),
    (   memberchk(Changed, All)
    ->  true
    ;   '$append'(PIs, Seen, Seen1),
        length(Seen1, Count),
        most_predicates(Most),
        Count < Most,
        findall(PI, ( '$member'(PI, All), \+ memberchk(PI, Seen1) ), New),
        New \== [],
        reaches(New, Seen1, Changed)
    ).

calls(Name/Arity, Called/Count) :-
    term_functor(Head, Name, Arity),
    clause(knowledge_base:Head, Body),
    Body \== true,
    as_written(Body, Written),
    goal_of(Written, Goal),
    term_functor(Goal, Called, Count),
    own(Called, Count).
