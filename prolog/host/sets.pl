:- module(hb_sets,
          [ answer_as_set/2,            % +Name, +Arity
            forget_set/2,               % +Name, +Arity
            some_set/0,
            is_set/1,                   % +Goal
            in_set/1,                   % +Goal
            set_solution/1,             % +Goal
            set_count/2,                % +Goal, -Count
            set_derivation/6            % +Asked, +At, +Goal, -Body, -Ref, -Premises
          ]).
:- use_module('../query/host_question', [ask_host/2, asks_host/1]).
:- use_module('../store/store').
:- use_module('../functor').
:- use_module(host, [host_answer/3]).
:- use_module(linked, [rows_of/4, taken_left/1, plain_name/2]).
:- use_module(sets_program).
:- use_module(library(lists), [nth1/3]).
:- use_module(library(prolog_wrap), [wrap_predicate/4, unwrap_predicate/2]).

/** <module> Predicates that are tabled as sets

`:- table reach/2 as set.` tables reach/2, and has a call in a query answered by the data engine of the host, if there is
one.  The host is given the rules that the call reaches and the facts, once for as long as no clause of these predicates
changes, and then the goals.  Where no engine is at hand, the table of Prolog has the same answers.
*/

:- dynamic
    as_set/2,                           % Name, Arity
    given/3,                            % PI, Marks, Number: the host has the program of PI
    without_engine/0.                   % the host has said so

%!  answer_as_set(+Name, +Arity) is det.
%
%   The tabled predicate Name/Arity is answered as a set from now on.

answer_as_set(Name, Arity) :-
    as_set(Name, Arity),
    !.
answer_as_set(Name, Arity) :-
    term_functor(Head, Name, Arity),
    wrap_predicate(knowledge_base:Head, hb_set, Table, hb_sets:answer(Head, Table)),
    assertz(as_set(Name, Arity)).

%!  forget_set(+Name, +Arity) is det.
%
%   Undo answer_as_set/2.

forget_set(Name, Arity) :-
    (   retract(as_set(Name, Arity))
    ->  unwrap_predicate(knowledge_base:Name/Arity, hb_set),
        retractall(given(Name/Arity, _, _))
    ;   true
    ).

%!  some_set is semidet.
%
%   A predicate is answered as a set.

some_set :-
    as_set(_, _),
    !.

%!  is_set(+Goal) is semidet.
%
%   Goal calls a predicate that is answered as a set.

is_set(Goal) :-
    compound(Goal),
    term_functor(Goal, Name, Arity),
    as_set(Name, Arity),
    !.

%!  in_set(+Goal) is semidet.
%
%   Goal calls a predicate that is not tabled and has rules, which a set that an engine has answered reaches.

in_set(Goal) :-
    given(_, _, _),
    callable(Goal),
    term_functor(Goal, Name, Arity),
    own(Name, Arity),
    \+ hb_store:tabled(Name, Arity),
    term_functor(Head, Name, Arity),
    given(_, Marks, _),
    '$member'(Head-_, Marks),
    \+ \+ ( stored_safe(Head, Body, _), Body \== true ),
    \+ hb_store:link(_, Name, Arity, _),
    !.

%!  set_solution(+Goal) is nondet.
%
%   Goal, of in_set/1, holds, as a set if there is an engine.  The solutions are those of Prolog, each once.

set_solution(Goal) :-
    answer(Goal, knowledge_base:Goal).

%!  set_count(+Goal, -Count) is semidet.
%
%   Goal, of such a predicate, has Count solutions.  Fails if no engine can count them.

set_count(Goal, Count) :-
    term_functor(Goal, Name, Arity),
    compound_name_arguments(Goal, _, Args),
    all_counted(Args),
    set_number(Goal, Number),
    goal_json(Goal, Json),
    counted(Name/Arity, Number, Json, Count).

counted(PI, Number, Goal, Count) :-
    asked(object([set=number(Number), count=Goal]), PI, Answer),
    (   Answer == gone
    ->  given_again(PI, Number1),
        counted(PI, Number1, Goal, Count)
    ;   Answer = count(Count)
    ).

%   given_again(+PI, -Number): the host has forgotten the program of PI.

given_again(PI, Number) :-
    retractall(given(PI, _, _)),
    program_number(PI, Number).

%   all_counted(+Args): what the engine has for Args unifies with them.  It does not tell 0.0 from -0.0.

all_counted([]).
all_counted([Arg|Args]) :-
    (   var(Arg)
    ->  \+ attvar(Arg)
    ;   atomic(Arg),
        \+ float(Arg)
    ),
    all_counted(Args).

%   answer(+Head, :Table): the solutions of Head, of which Table are those that Prolog finds.

answer(Head, Table) :-
    (   set_number(Head, Number)
    ->  solution(Head, Number)
    ;   call(Table)
    ).

%   set_number(+Head, -Number) is semidet: an engine answers Head, and has its program as Number.  It does not know of rows
%   that a query supposes.

set_number(Head, Number) :-
    \+ without_engine,
    asks_host(sets),
    term_functor(Head, Name, Arity),
    program_number(Name/Arity, Number),
    (   rows_supposed
    ->  goal_json(Head, Goal),              % what is no set is an error all the same
        asked(object([set=number(Number), check=Goal]), Name/Arity, _),
        fail
    ;   true
    ).

%!  set_derivation(+Asked, +At, +Goal, -Body, -Ref, -Premises) is semidet.
%
%   Goal, which is ground, was first derived by the clause Ref, and Body is its body then.  Its tables are those of the goal
%   Asked; At is `goal` if Goal is Asked, and otherwise what a premise had.  Premises are premise(Goal, At), for each goal
%   of Body that was derived before.  Fails if no engine has a rule that derives Goal.

set_derivation(Asked, At, Goal, Body, Ref, Premises) :-
    term_functor(Asked, Name, Arity),
    (   as_set(Name, Arity)
    ->  true
    ;   in_set(Asked)
    ),
    set_number(Asked, Number),
    goal_json(Asked, Json),
    at_json(At, Goal, Where),
    asked(object([set=number(Number), prove=object([goal=Json|Where])]), Name/Arity, step(Rule, Bindings, Derived)),
    rule_clause(Goal, Rule, Ref),
    clause_with(Ref, Goal, Bindings, Body),
    findall(premise(Premise, at(Predicate, Round, By)),
            ( '$member'(premise(Of, Args, Predicate, Round, By), Derived), Premise =.. [Of|Args] ),
            Premises).

at_json(goal, _, []).
at_json(at(Predicate, Round, Rule), Goal, [at=object(At)]) :-
    goal_arguments(Goal, _, Tuple),
    At = [predicate=number(Predicate), round=number(Round), rule=number(Rule), tuple=list(Tuple)].

goal_json(Goal, object([name=text(Name), arguments=list(Jsons)])) :-
    term_functor(Goal, Name, _),
    goal_arguments(Goal, _, Jsons).

%   program_number(+PI, -Number) is semidet: the host has the program of PI as Number.  Fails if it has no engine.

program_number(PI, Number) :-
    given(PI, Marks, Number0),
    unchanged(Marks),
    !,
    Number = Number0.
program_number(PI, Number) :-
    retractall(given(PI, _, _)),
    set_program(PI, Program, Links, Facts, Marks),
    asked(object([set=object([program=Program, links=Links])]), PI, Answer),
    (   Answer = set(Number0)
    ->  give_facts(Facts, Number0, PI),
        assertz(given(PI, Marks, Number0)),
        Number = Number0
    ;   assertz(without_engine),
        fail
    ).

unchanged([]).
unchanged([Head-Mark|Marks]) :-
    mark(Head, Mark0),
    Mark0 == Mark,
    unchanged(Marks).

%   give_facts(+Facts, +Number, +PI): in batches.

give_facts([], _, _).
give_facts([fact(Relation, Head, Numbered)|Facts], Number, PI) :-
    findall(Ref, fact_ref(Head, Ref), Refs),
    give_rows(Refs, fact(Relation, Numbered), 0, Number, PI),
    give_facts(Facts, Number, PI).

give_rows([], _, _, _, _) :-
    !.
give_rows(Refs, Of, Before, Number, PI) :-
    Of = fact(Relation, Numbered),
    batch_rows(Most),
    taken(Most, Refs, Batch, Rest),
    findall(list(Row),
            ( nth1(I, Batch, Ref),
              fact_row(Ref, Row0),
              numbered(Numbered, Before, I, Row0, Row) ),
            Rows),
    asked(object([set=number(Number), facts=text(Relation), rows=list(Rows)]), PI, _),
    After is Before+Most,
    give_rows(Rest, Of, After, Number, PI).

numbered(false, _, _, Row, Row).
numbered(true, Before, I, Row0, Row) :-
    At is Before+I,
    atom_concat(i, At, Text),
    '$append'(Row0, [text(Text)], Row).

taken(Most, [First|List], [First|Taken], Rest) :-
    Most > 0,
    !,
    Most1 is Most-1,
    taken(Most1, List, Taken, Rest).
taken(_, Rest, [], Rest).

batch_rows(5000).

%   solution(+Head, +Number) is nondet.

solution(Head, Number) :-
    term_functor(Head, Name, Arity),
    goal_arguments(Head, Args, _),
    taken_left(Left),
    goal_json(Head, Goal),
    asked(object([set=number(Number), goal=Goal, left=list(Left)]), Name/Arity, Answer),
    (   Answer == gone
    ->  given_again(Name/Arity, Number1),
        solution(Head, Number1)
    ;   Answer = rows(Rows, More),
        rows_of(Rows, More, Name/Arity, Args)
    ).

asked(Question, Name/Arity, Answer) :-
    ask_host(Question, Text),
    plain_name(Name, Plain),
    host_answer(Text, Plain/Arity, Answer0),
    (   Answer0 = refused(Why)
    ->  refused_set(Plain/Arity, Why)
    ;   Answer0 == zero_divisor
    ->  throw(error(evaluation_error(zero_divisor), _))
    ;   Answer = Answer0
    ).
