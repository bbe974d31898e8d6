:- module(hb_joins,
          [ joined/3,                   % +A, +B, -Safe
            aggregated/2,               % +Safe0, -Safe
            join/2,                     % :Goals, +Place
            conjuncts/2,                % +Conjunction, -Goals
            prefix/1,                   % +Before
            aggregate/3                 % +What, :Goals, ?Result
          ]).
:- use_module('../query/host_question', [asks_host/1]).
:- use_module('../store/store').
:- use_module(linked).
:- use_module(sets, [is_set/1, set_count/2]).
:- use_module(library(aggregate), [aggregate_all/3]).

/** <module> Goals over linked data next to one another

The translation of a body makes one goal of a call of a linked predicate and of the goals behind it that a data engine may
do as well: such calls, their negations, and comparisons.  The host has a statement for as many of them as it can, from the
first on, whose rows are at least those of the answers.  So each goal is unified with its row, and comparisons run again,
in the order of the goals.  The goals that the statement does not have are called.
*/

%!  joined(+A, +B, -Safe) is semidet.
%
%   Safe is the translation of (A,B), of which A and B are the translations, if B begins with goals that may be joined
%   with A.

joined(A, B, Safe) :-
    is_linked(A),
    following(B, Goals, Rest),
    Goals \== [],
    conjunction([A|Goals], Joined),
    (   Rest == none
    ->  Safe = hb_joins:join(Joined, alone)
    ;   Safe = (hb_joins:join(Joined, before),Rest)
    ).

is_linked(Goal) :-
    compound(Goal),
    compound_name_arity(Goal, Name, Arity),
    link(_, Name, Arity, _),
    !.

%   following(+Goal, -Goals, -Rest): Rest is what is behind Goals in the conjunction Goal, or `none`.

following(Goal, [], Goal) :-
    var(Goal),
    !.
following((A,B), Goals, Rest) :-
    !,
    (   A = hb_joins:join(Joined, before)
    ->  conjuncts(Joined, Goals),
        Rest = B
    ;   may_join(A)
    ->  Goals = [A|Goals1],
        following(B, Goals1, Rest)
    ;   Goals = [],
        Rest = (A,B)
    ).
following(hb_joins:join(Joined, alone), Goals, none) :-
    !,
    conjuncts(Joined, Goals).
following(Goal, [Goal], none) :-
    may_join(Goal),
    !.
following(Goal, [], Goal).

may_join(Goal) :-
    nonvar(Goal),
    (   is_linked(Goal)
    ->  true
    ;   Goal = (\+ Denied)
    ->  is_linked(Denied)
    ;   Goal = lists:member(_, _)
    ->  true
    ;   comparison(Goal, _, _, _)
    ).

%   comparison(+Goal, -Operator, -A, -B): if the book defines the operator, Goal calls that.

comparison(hb_checked:translated(Goal, _), Operator, A, B) :-
    !,
    nonvar(Goal),
    comparison(Goal, Operator, A, B).
comparison(Goal, Operator, A, B) :-
    compound(Goal),
    compound_name_arguments(Goal, Operator, [A,B]),
    '$member'(Operator, [=:=, =\=, <, =<, >, >=, ==, \==, =, \=]),
    !,
    \+ own(Operator, 2).

%!  conjuncts(+Conjunction, -Goals) is det.
%!  conjunction(+Goals, -Conjunction) is det.

conjuncts((A,B), [A|Goals]) :-
    !,
    conjuncts(B, Goals).
conjuncts(Goal, [Goal]).

conjunction([Goal], Goal) :-
    !.
conjunction([Goal|Goals], (Goal,Conjunction)) :-
    conjunction(Goals, Conjunction).

%!  join(:Goals, +Place) is nondet.
%
%   Call Goals.  Place is `before` if the goals behind them stand in the same conjunction, else `alone`.

join(Goals, _) :-
    (   asks_host(linked),
        \+ rows_supposed,
        term_attvars(Goals, [])             % which would run in between
    ->  conjuncts(Goals, List),
        ask(List, Answer),
        solve(Answer, List)
    ;   call(knowledge_base:Goals)
    ).

%!  prefix(+Before) is nondet.
%
%   Call the goals Before, the first of those that are joined.

prefix([]).
prefix([Goal|Goals]) :-
    conjunction([Goal|Goals], Conjunction),
    join(Conjunction, alone).

%!  aggregated(+Safe0, -Safe) is semidet.
%
%   Safe0 is the translation of a call of aggregate_all/3 over joined goals that a data engine may do as a whole.

aggregated(aggregate:aggregate_all(What, knowledge_base:Goals, Result), hb_joins:aggregate(What, Goals, Result)) :-
    nonvar(Goals),
    (   Goals = hb_joins:join(_, alone)
    ;   is_linked(Goals)
    ;   What == count,
        is_set(Goals),
        \+ hb_outages:watching         % which counts what is asked
    ),
    nonvar(What),
    (   What == count
    ;   compound(What),
        compound_name_arguments(What, Name, [Of]),
        '$member'(Name, [sum,max,min]),
        var(Of)
    ),
    !.

%!  aggregate(+What, :Goals, ?Result) is semidet.
%
%   As aggregate_all/3.  Where a statement cannot have exactly the result, Prolog looks at the answers.

aggregate(count, Goal, Count) :-
    is_set(Goal),
    !,
    (   set_count(Goal, Count0)
    ->  Count = Count0
    ;   aggregate_all(count, knowledge_base:Goal, Count)
    ).
aggregate(What, Goals, Result) :-
    (   Goals = hb_joins:join(Joined, _)
    ->  conjuncts(Joined, List)
    ;   List = [Goals]
    ),
    (   asks_host(linked),
        \+ rows_supposed,
        term_attvars(What-Goals, []),
        aggregate_answer(What, List, Answer),
        Answer \== apart
    ->  Answer = value(Result)
    ;   aggregate_all(What, knowledge_base:Goals, Result)
    ).

aggregate_answer(What, List, Answer) :-
    literals(List, [], Before, Literals),
    (   What == count
    ->  Json = text(count)
    ;   What =.. [Name,Of],
        arguments([Of], Before, _, [Argument]),
        Json = object([Name=Argument])
    ),
    ask(List, [aggregate=Json,join=list(Literals)], Answer).

ask(List, Answer) :-
    literals(List, [], _, Literals),
    ask(List, [join=list(Literals)], Answer).

ask([First|_], Question, Answer) :-
    taken_left(Left),
    compound_name_arity(First, Name, Arity),
    plain_name(Name, Plain),
    linked_answer(object([left=list(Left)|Question]), Plain/Arity, Answer).

solve(apart, List) :-
    call_all(List).
solve(joined(Parts, Rows, More), List) :-
    List = [First|_],
    compound_name_arity(First, Name, Arity),
    plain_name(Name, Plain),
    rows_of(Rows, More, Plain/Arity, Row),
    with_row(Parts, List, Row).

%   with_row(+Parts, +Goals, +Row): Row has what the statement says of those of Goals that Parts does not call a check.

with_row([], Goals, _) :-
    rest(Goals).
with_row([Part|Parts], [Goal|Goals], Row) :-
    (   Part == check
    ->  Row1 = Row,
        call(knowledge_base:Goal)
    ;   Row = [Own|Row1],
        (   Part == row
        ->  compound_name_arguments(Goal, _, Args),
            Args = Own
        ;   Own == true
        ->  true
        ;   call(knowledge_base:Goal)
        )
    ),
    with_row(Parts, Goals, Row1).

rest([]) :-
    !.
rest(Goals) :-
    Goals = [First,_|_],
    is_linked(First),
    !,
    conjunction(Goals, Conjunction),
    join(Conjunction, alone).
rest([Goal|Goals]) :-
    call(knowledge_base:Goal),
    rest(Goals).

call_all([]).
call_all([Goal|Goals]) :-
    call(knowledge_base:Goal),
    call_all(Goals).

%   literals(+Goals, +Before0, -Before, -Literals): as JSON.  Before0 are the variables of goals before.

literals([], Before, Before, []).
literals([Goal|Goals], Before0, Before, [object([Literal])|Literals]) :-
    literal(Goal, Before0, Before1, Literal),
    literals(Goals, Before1, Before, Literals).

literal(\+ Denied, Before0, Before, not=Json) :-
    !,
    goal(Denied, Before0, Before, Json).
literal(lists:member(Element, List), Before0, Before, member=list([Json|Lists])) :-
    !,
    arguments([Element], Before0, Before1, [Json]),
    (   is_list(List),
        length(List, Length),
        Length =< 500                       % an engine needs long to prepare a statement with more
    ->  arguments(List, Before1, Before, Jsons),
        Lists = [list(Jsons)]
    ;   Before = Before1,                   % as a list that is not known
        Lists = [list([list([text(term),text("")])])]
    ).
literal(Goal, Before0, Before, compare=list([text(Operator)|Jsons])) :-
    comparison(Goal, Operator, A, B),
    !,
    arguments([A,B], Before0, Before, Jsons).
literal(Goal, Before0, Before, goal=Json) :-
    goal(Goal, Before0, Before, Json).

goal(Goal, Before0, Before, object([data=list(Of), name=text(Plain), arguments=list(Jsons)])) :-
    compound_name_arguments(Goal, Name, Args),
    compound_name_arity(Goal, _, Arity),
    link(_, Name, Arity, From),
    !,
    plain_name(Name, Plain),
    from_names(From, Of),
    arguments(Args, Before0, Before, Jsons).
