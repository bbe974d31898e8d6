:- module(hb_dml_concurrent,
          [ concurrent_maplist/2,       % :Goal, +List
            concurrent_maplist/3,       % :Goal, ?List1, ?List2
            concurrent_maplist/4,       % :Goal, ?List1, ?List2, ?List3
            concurrent_maplist/5,       % :Goal, ?List1, ?List2, ?List3, ?List4
            first_solution/3,           % -X, +Goals, +Options
            run_branch/4,               % +Group, +I, +Id, -Json
            group_running/2,            % +Group, -Running
            leave_group/2               % +Group, -Ids
          ]).
:- use_module('../limits').
:- use_module('../query/undefined').
:- use_module('../sandbox/sandbox').
:- use_module('../sandbox/outages').
:- use_module(host).
:- use_module(memory).
:- use_module(place).

/** <module> Goals at the same time

As in library(thread).  Each goal runs in a Prolog engine of its own, a branch.  While some branches
wait for models, tools and the user, the host lets others run.  The bindings of a branch are copied,
and its goal has one solution.  A branch starts with the current memory of the conversation; what
the branches add to it is there afterwards, in the order of the goals.
*/

:- dynamic
    group/3,                            % Group, State, Running
    goal/4,                             % Group, I, Variables, Goal
    solution/4,                         % Group, I, Variables, Added (to the memory)
    problem/3,                          % Group, I, Ball
    unanswered/2,                       % Group, Formal: of an outage, because of which a goal may have failed
    branch_engine/2.                    % Group, Id (of a run in run.pl)

:- meta_predicate
    concurrent_maplist(1, ?),
    concurrent_maplist(2, ?, ?),
    concurrent_maplist(3, ?, ?, ?),
    concurrent_maplist(4, ?, ?, ?, ?).

concurrent_maplist(Goal, List) :-
    called_with([List], Goal, Goals),
    all(Goals).
concurrent_maplist(Goal, List1, List2) :-
    called_with([List1,List2], Goal, Goals),
    all(Goals).
concurrent_maplist(Goal, List1, List2, List3) :-
    called_with([List1,List2,List3], Goal, Goals),
    all(Goals).
concurrent_maplist(Goal, List1, List2, List3, List4) :-
    called_with([List1,List2,List3,List4], Goal, Goals),
    all(Goals).

%   called_with(?Lists, :Goal, -Goals): Goals call Goal with the elements of Lists, which get the
%   length of the one whose length is known.

called_with(Lists, Goal, Goals) :-
    (   '$member'(List, Lists),
        is_list(List)
    ->  length(List, Length)
    ;   throw(error(instantiation_error, _))
    ),
    all_of_length(Lists, Length),
    goals(Length, Lists, Goal, Goals).

all_of_length([], _).
all_of_length([List|Lists], Length) :-
    length(List, Length),
    all_of_length(Lists, Length).

goals(0, _, _, []) :-
    !.
goals(Length, Lists, Goal, [Called|Goals]) :-
    heads(Lists, Heads, Tails),
    Called =.. [call,Goal|Heads],
    Length1 is Length-1,
    goals(Length1, Tails, Goal, Goals).

heads([], [], []).
heads([[Head|Tail]|Lists], [Head|Heads], [Tail|Tails]) :-
    heads(Lists, Heads, Tails).

all([]) :-
    !.
all([Goal]) :-
    !,
    once(Goal).
all(Goals) :-
    variables(Goals, Variables),
    at_once(Goals, Variables, "all", Group, Outcome),
    (   Outcome = done(["all",_])
    ->  findall(I-Values-Added, solution(Group, I, Values, Added), Solutions0),
        sort(Solutions0, Solutions),
        retractall(solution(Group,_,_,_)),
        retractall(unanswered(Group,_)),
        take_solutions(Solutions, Variables)
    ;   no_solution(Group, Outcome)
    ).

variables([], []).
variables([Goal|Goals], [Variables|More]) :-
    term_variables(Goal, Variables),
    variables(Goals, More).

take_solutions([], []).
take_solutions([_-Values-Added|Solutions], [Values|More]) :-
    remember_all(Added),
    take_solutions(Solutions, More).

%!  first_solution(-X, +Goals, +Options) is semidet.
%
%   As in library(thread): Goals run at the same time, until the first solution.  Options are
%   on_fail(Action) and on_error(Action); Action is `stop`, the default, or `continue`.

first_solution(X, Goals0, Options) :-
    must_be_list(Goals0),
    safe_goals(Goals0, Goals),
    same_variable(Goals, X, Variables),
    option_value(on_fail, Options, OnFail),
    option_value(on_error, Options, OnError),
    format(string(Mode), "first_~w_~w", [OnFail, OnError]),
    (   Goals == []
    ->  fail
    ;   at_once(Goals, Variables, Mode, Group, Outcome),
        (   Outcome = done(["first",I]),
            solution(Group, I, Value, Added)
        ->  retractall(solution(Group,_,_,_)),
            retractall(unanswered(Group,_)),
            remember_all(Added),
            X = Value
        ;   no_solution(Group, Outcome)
        )
    ).

must_be_list(Term) :-
    (   is_list(Term)
    ->  true
    ;   throw(error(type_error(list, Term), _))
    ).

safe_goals([], []).
safe_goals([Goal|Goals], [knowledge_base:Safe|Safes]) :-
    safe_body(Goal, Safe),
    safe_goals(Goals, Safes).

same_variable([], _, []).
same_variable([_|Goals], X, [X|More]) :-
    same_variable(Goals, X, More).

option_value(Name, Options, Value) :-
    Option =.. [Name,Value0],
    (   is_list(Options),
        '$member'(Given, Options),
        nonvar(Given),
        Given = Option
    ->  Value = Value0
    ;   Value = stop
    ),
    (   ( Value == stop ; Value == continue )
    ->  true
    ;   throw(error(domain_error(Name, Value), _))
    ).

no_solution(Group, done(["error",I])) :-
    problem(Group, I, Ball),
    !,
    retractall(problem(Group,_,_)),
    retractall(unanswered(Group,_)),
    throw(Ball).
no_solution(Group, _) :-
    retractall(solution(Group,_,_,_)),
    retractall(problem(Group,_,_)),
    findall(Formal, retract(unanswered(Group, Formal)), Formals),
    '$member'(Formal, Formals),
    !,
    outage(Formal).

%   at_once(+Goals, +Variables, +Mode, -Group, -Outcome): run the goals at the same
%   time.  Outcome is the reply of the host.

at_once(Goals, Variables, Mode, Group, Outcome) :-
    flag(hb_dml_group, Group, Group+1),
    state(State),
    nb_getval(hb_dml_running, Running),
    assertz(group(Group, State, Running)),
    note_goals(Goals, Variables, Group, 1, Count),
    goals_place(At),
    ask(concurrent, At, object([group=number(Group), count=number(Count), mode=text(Mode)]), Outcome).

note_goals([], [], _, I, Count) :-
    Count is I-1.
note_goals([Goal|Goals], [Variables|More], Group, I, Count) :-
    assertz(goal(Group, I, Variables, Goal)),
    I1 is I+1,
    note_goals(Goals, More, Group, I1, Count).

%   state(-State): the state in which a branch starts.

state(State) :-
    findall(Name-Value, ( state_variable(Name), b_getval(Name, Value) ), State).

state_variable(hb_dml_memory).
state_variable(hb_dml_contexts).
state_variable(hb_dml_scope).
state_variable(hb_dml_task_options).

%!  group_running(+Group, -Running) is det.
%
%   Running are the names of the tools on whose behalf the goals of Group run.

group_running(Group, Running) :-
    group(Group, _, Running),
    !.

%!  run_branch(+Group, +I, +Id, -Json) is semidet.
%
%   Run the goal I of Group, in the run Id.  Json says whether it has a solution or has thrown an
%   error; either is kept.

run_branch(Group, I, Id, text(Outcome)) :-
    assertz(branch_engine(Group, Id)),
    group(Group, State, _),
    goal(Group, I, Variables, Goal),
    !,
    forall('$member'(Name-Value, State), nb_setval(Name, Value)),
    (   catch(( Goal, must_be_defined ), Ball, true)
    ->  true
    ;   last_outage(Formal),
        assertz(unanswered(Group, Formal)),
        fail
    ),
    (   nonvar(Ball)
    ->  not_a_stop(Ball),
        assertz(problem(Group, I, Ball)),
        Outcome = "error"
    ;   memory_since(State, Added),
        assertz(solution(Group, I, Variables, Added)),
        Outcome = "true"
    ).

memory_since(State, Added) :-
    '$member'(hb_dml_memory-Before, State),
    b_getval(hb_dml_memory, Memory),
    (   '$append'(Added0, Before, Memory)
    ->  Added = Added0
    ;   Added = []
    ).

%!  leave_group(+Group, -Ids) is det.
%
%   End all goals of Group; Ids are those of its runs.

leave_group(Group, Ids) :-
    findall(Id, retract(branch_engine(Group, Id)), Ids),
    retractall(group(Group,_,_)),
    retractall(goal(Group,_,_,_)).
