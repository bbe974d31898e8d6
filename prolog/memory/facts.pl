:- module(hb_memory,
          [ set_records/3,              % +Now, +Forget, +Facts
            see_at/1,                   % +Time
            see_now/0,
            assume_fact/1,              % +Fact
            drop_facts/0,
            memory_class/3,             % ?Name, ?Arity, -Class
            memory_source/2             % +Goal, -Source
          ]).
:- use_module('../store/store').
:- use_module('../limits').

/** <module> The memory as facts

The contents of the memory's tools, for queries and rules of the same book
(docs/memory.md).  The conductor reports every change before the next goal runs here;
user code cannot change these facts.

A record holds from From until To, in seconds since 1970 as for get_time/1.  To is
`inf` if no end is known.
*/

:- dynamic
    node/6,                             % Id, Type, Name, Namespace, From, To
    description/2,                      % Node, Text
    edge/7,                             % Source, Type, Target, Weight, From, To, Since
    experience/7,                       % Id, Type, Content, Confidence, Namespace, From, To
    learned/3,                          % Experience, Time, Rate: how it fades
    context/2,                          % Experience, Text
    tag/2,                              % Node or experience, Tag
    superseded/3,                       % Old, New, Since
    project/4,                          % Id, Name, Phase, Active
    goal/2,                             % Project, Text
    log/5,                              % Id, Project, Kind, Text, Time
    idea/5,                             % Id, Title, Status, Category, Score
    ahead/1,                            % the seconds by which the memory's clock is ahead of this one
    time/1,                             % queries see the memory as of this time, and not as of now
    assumed/1.                          % a fact above, for one answer

                /*******************************
                *       what is told           *
                *******************************/

%!  set_records(+Now, +Forget, +Facts) is det.
%
%   Remove the records in Forget, then add Facts.  Now is the time of the memory's clock.
%   Forget contains node(Id), edge(Source, Type, Target, Since), experience(Id), project(Id),
%   log(Id) and idea(Id); of records of other kinds there are no facts.

set_records(Now, Forget, Facts) :-
    uninterrupted(hb_memory:( set_clock(Now),
                              forall('$member'(Record, Forget), forget(Record)),
                              forall('$member'(Fact, Facts), assertz(hb_memory:Fact)),
                              tables_changed )).

set_clock(Now) :-
    get_time(Here),
    Ahead is Now-Here,
    retractall(ahead(_)),
    assertz(ahead(Ahead)).

forget(node(Id)) :-
    retractall(node(Id,_,_,_,_,_)),
    retractall(description(Id,_)),
    forget_common(Id).
forget(edge(Source, Type, Target, Since)) :-
    retractall(edge(Source,Type,Target,_,_,_,Since)).
forget(experience(Id)) :-
    retractall(experience(Id,_,_,_,_,_,_)),
    retractall(learned(Id,_,_)),
    retractall(context(Id,_)),
    forget_common(Id).
forget(project(Id)) :-
    retractall(project(Id,_,_,_)),
    retractall(goal(Id,_)).
forget(log(Id)) :-
    retractall(log(Id,_,_,_,_)).
forget(idea(Id)) :-
    retractall(idea(Id,_,_,_,_)).
forget(_).                              % a record of another kind is in none of these facts

forget_common(Id) :-
    retractall(tag(Id,_)),
    retractall(superseded(Id,_,_)).

%!  see_at(+Time) is det.
%!  see_now is det.
%
%   Show the memory as of Time, or as of the present again.

see_at(Time) :-
    see_now,
    assertz(time(Time)).

see_now :-
    retractall(time(_)).

                /*******************************
                *       what is seen           *
                *******************************/

kn_now(Time) :-
    now(Time).

now(Time) :-
    (   time(Time)
    ->  true
    ;   ahead(Ahead)
    ->  get_time(Here),
        Time is Here+Ahead
    ;   get_time(Time)
    ).

within(From, To) :-
    now(Now),
    From =< Now,
    Now < To.

there(Id, Now) :-
    node(Id, _, _, _, From, To),
    From =< Now,
    Now < To,
    !.

kn_node(Id, Type, Name) :-
    node(Id, Type, Name, _, From, To),
    within(From, To).

kn_node(Id, Type, Name, Namespace, From, To) :-
    node(Id, Type, Name, Namespace, From, To).

kn_description(Id, Text) :-
    description(Id, Text).

kn_edge(Source, Type, Target) :-
    kn_edge(Source, Type, Target, _).

kn_edge(Source, Type, Target, Weight) :-
    edge(Source, Type, Target, Weight, From, To, _),
    now(Now),
    From =< Now,
    Now < To,
    there(Source, Now),
    there(Target, Now).

kn_edge(Source, Type, Target, Weight, From, To) :-
    edge(Source, Type, Target, Weight, From, To, _).

kn_experience(Id, Type, Content) :-
    experience(Id, Type, Content, _, _, From, To),
    within(From, To).

kn_experience(Id, Type, Content, Confidence, Namespace, From, To) :-
    experience(Id, Type, Content, Confidence, Namespace, From, To).

kn_relevance(Id, Relevance) :-
    learned(Id, Learned, Rate),
    kn_experience(Id, _, _),
    now(Now),
    Relevance is exp(-Rate*max(0, Now-Learned)/86400).

kn_context(Id, Text) :-
    context(Id, Text).

kn_tag(Id, Tag) :-
    tag(Id, Tag).

kn_superseded(Old, New, Since) :-
    superseded(Old, New, Since).

kn_project(Id, Name, Phase) :-
    project(Id, Name, Phase, _).

kn_active_project(Id) :-
    project(Id, _, _, true).

kn_goal(Project, Text) :-
    goal(Project, Text).

kn_log(Project, Kind, Text, Time) :-
    log(_, Project, Kind, Text, Time).

kn_idea(Id, Title, Status) :-
    idea(Id, Title, Status, _, _).

kn_idea(Id, Title, Status, Category, Score) :-
    idea(Id, Title, Status, Category, Score).

%!  memory_class(?Name, ?Arity, -Class) is nondet.

memory_class(Name, Arity, offered(hb_memory)) :-
    seen(Name, Arity).

seen(kn_now, 1).
seen(kn_node, 3).
seen(kn_node, 6).
seen(kn_description, 2).
seen(kn_edge, 3).
seen(kn_edge, 4).
seen(kn_edge, 6).
seen(kn_experience, 3).
seen(kn_experience, 7).
seen(kn_relevance, 2).
seen(kn_context, 2).
seen(kn_tag, 2).
seen(kn_superseded, 3).
seen(kn_project, 3).
seen(kn_active_project, 1).
seen(kn_goal, 2).
seen(kn_log, 4).
seen(kn_idea, 3).
seen(kn_idea, 5).

                /*******************************
                *      what is assumed         *
                *******************************/

%!  assume_fact(+Fact) is semidet.
%
%   Fact, in the form that queries see, holds until drop_facts/0.  Fails if Fact may not be assumed.

assume_fact(Fact) :-
    stored_as(Fact, Stored),
    !,
    (   ground(Fact)
    ->  true
    ;   throw(error(instantiation_error, _))
    ),
    check_assumed(Stored),
    assertz(hb_memory:Stored),
    assertz(assumed(Stored)).

stored_as(kn_node(Id, Type, Name), node(Id, Type, Name, knowledge, -inf, inf)).
stored_as(kn_description(Id, Text), description(Id, Text)).
stored_as(kn_edge(Source, Type, Target), edge(Source, Type, Target, 1.0, -inf, inf, none)).
stored_as(kn_edge(Source, Type, Target, Weight), edge(Source, Type, Target, Weight, -inf, inf, none)).
stored_as(kn_experience(Id, Type, Content), experience(Id, Type, Content, high, knowledge, -inf, inf)).
stored_as(kn_tag(Id, Tag), tag(Id, Tag)).
stored_as(kn_superseded(Old, New, Since), superseded(Old, New, Since)).
stored_as(kn_project(Id, Name, Phase), project(Id, Name, Phase, false)).
stored_as(kn_goal(Project, Text), goal(Project, Text)).
stored_as(kn_idea(Id, Title, Status), idea(Id, Title, Status, none, none)).

check_assumed(edge(Source, _, Target, _, _, _, _)) :-
    !,
    forall('$member'(End, [Source,Target]),
           (   now(Now),
               there(End, Now)
           ->  true
           ;   format(string(Message), "There is no node ~q: assume kn_node(~q, Type, Name) before its edge.",
                      [End, End]),
               throw(error(hornbook(message(existence_error, Message)), _))
           )).
check_assumed(_).

%!  drop_facts is det.

drop_facts :-
    forall(retract(assumed(Stored)), retract(hb_memory:Stored)).

                /*******************************
                *      where it is from        *
                *******************************/

%!  memory_source(+Goal, -Source) is det.
%
%   Source is the key of the record that proves Goal, a goal of this module; or `assumed`; or `memory`
%   if there is no single record, as for a goal that has not succeeded and so is not ground.

memory_source(Goal, Source) :-
    (   \+ ground(Goal)
    ->  Source = memory
    ;   stored_as(Goal, Stored),
        assumed(Stored)
    ->  Source = assumed
    ;   key(Goal, Parts)
    ->  atomic_list_concat(Parts, /, Source)
    ;   Source = memory
    ).

key(kn_node(Id,_,_), [node,Id]).
key(kn_node(Id,_,_,_,_,_), [node,Id]).
key(kn_description(Id,_), [node,Id]).
key(kn_edge(Source,Type,Target), Key) :- key(kn_edge(Source,Type,Target,_), Key).
key(kn_edge(Source,Type,Target,Weight), Key) :-
    edge(Source, Type, Target, Weight, From, To, Since),
    within(From, To),
    !,
    edge_key(Since, Source, Type, Target, Key).
key(kn_edge(Source,Type,Target,Weight,From,To), Key) :-
    edge(Source, Type, Target, Weight, From, To, Since),
    !,
    edge_key(Since, Source, Type, Target, Key).
key(kn_experience(Id,_,_), [experience,Id]).
key(kn_experience(Id,_,_,_,_,_,_), [experience,Id]).
key(kn_relevance(Id,_), [experience,Id]).
key(kn_context(Id,_), [experience,Id]).
key(kn_tag(Id,_), Key) :- owner_key(Id, Key).
key(kn_superseded(Id,_,_), Key) :- owner_key(Id, Key).
key(kn_project(Id,_,_), [project,Id]).
key(kn_active_project(Id), [project,Id]).
key(kn_goal(Id,_), [project,Id]).
key(kn_log(Project,Kind,Text,Time), [log,Id]) :- log(Id, Project, Kind, Text, Time), !.
key(kn_idea(Id,_,_), [idea,Id]).
key(kn_idea(Id,_,_,_,_), [idea,Id]).

%   edge_key(+Since, +Source, +Type, +Target, -Key): Since tells edges of one name apart; `none` for the first.

edge_key(none, Source, Type, Target, [edge,Source,Target,Type]) :-
    !.
edge_key(Since, Source, Type, Target, [edge,'',Since,Source,Target,Type]).

owner_key(Id, [node,Id]) :-
    node(Id, _, _, _, _, _),
    !.
owner_key(Id, [experience,Id]).
