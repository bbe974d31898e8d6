:- module(hb_facts,
          [ begin_facts/4,              % +Name, +Arity, +First, -Mark
            store_fact/3,               % +Head, +Mark, +Number
            stored_facts/4,             % +Name, +Arity, +First, +Count
            fact_id/2,                  % +Ref, -Id
            fact_with_id/2,             % +Id, -Ref
            fact_within/3,              % +Runs, -Id, -Ref
            forget_facts/2,             % +Name, +Arity
            forget_facts/0
          ]).

/** <module> Facts that carry their own ids

A run of facts is added without recording the id of each.  Instead the id is stored as the source position of the
clause, divided between the line, which has 31 bits, and for the higher bits the name of a file that does not exist.
The id of a clause is then read from the clause itself, and a clause is found by its id among those of its predicate.
*/

:- dynamic
    facts/4.                            % Name, Arity, First, Count: Name/Arity was given facts with ids among these

%!  begin_facts(+Name, +Arity, +First, -Mark) is det.
%!  store_fact(+Head, +Mark, +Number) is det.
%!  stored_facts(+Name, +Arity, +First, +Count) is det.
%
%   Add facts to a declared predicate, after its other clauses: call store_fact/3 for each, with Number counting
%   from 1, then stored_facts/4 once, with their Count.  First is the id of the first.

begin_facts(Name, Arity, First, File-Before) :-
    Part is First>>30,
    atom_number(File, Part),
    Before is First-(Part<<30),
    set_multifile(Name, Arity, true).

store_fact(Head, File-Before, Number) :-
    Line is Before+Number,
    '$record_clause'(knowledge_base:Head, hb_facts, File:Line).

stored_facts(Name, Arity, First, Count) :-
    set_multifile(Name, Arity, false),
    (   Count > 0
    ->  with_those_before(Name, Arity, First, Count, First1, Count1),
        assertz(facts(Name, Arity, First1, Count1)),
        nb_setval(hb_last_facts, facts(Name, Arity, First1, Count1))
    ;   true
    ).

%   with_those_before(+Name, +Arity, +First0, +Count0, -First, -Count): a text that lost facts here and there has many runs
%   of ids.  They are one for the search: an id in a gap of it is found in no clause of the predicate.

with_those_before(Name, Arity, First0, Count0, First, Count) :-
    widest_gap(Widest),
    (   nb_current(hb_last_facts, facts(Name, Arity, First, Before)),
        Gap is First0-First-Before,
        Gap >= 0,
        Gap =< Widest,
        retract(facts(Name, Arity, First, Before))
    ->  Count is First0+Count0-First
    ;   First = First0,
        Count = Count0
    ).

widest_gap(100).

%   set_multifile(+Name, +Arity, +Value): without it, a clause "of another file" would redefine the predicate.

set_multifile(Name, Arity, Value) :-
    functor(Head, Name, Arity),
    '$set_predicate_attribute'(knowledge_base:Head, multifile, Value).

%!  fact_id(+Ref, -Id) is semidet.
%
%   The clause Ref carries Id itself.

fact_id(Ref, Id) :-
    '$get_clause_attribute'(Ref, line_count, Line),
    '$get_clause_attribute'(Ref, file, File),
    atom_number(File, Part),
    Id is (Part<<30)+Line-1.

%!  fact_with_id(+Id, -Ref) is semidet.
%
%   The clause Ref carries Id itself.  Ids of a predicate mostly ascend, so try a binary search first; then scan all
%   its clauses.

fact_with_id(Id, Ref) :-
    facts(Name, Arity, First, Count),
    Id >= First,
    Id < First+Count,
    functor(Head, Name, Arity),
    (   predicate_property(knowledge_base:Head, number_of_clauses(Most)),
        halved(1, Most, Head, Id, Ref)
    ->  true
    ;   clause(knowledge_base:Head, true, Ref),
        fact_id(Ref, Id)
    ),
    !.

halved(Low, High, Head, Id, Ref) :-
    Low =< High,
    Middle is (Low+High)//2,
    (   At = Middle
    ;   At is Middle+1                  % the id of that clause is recorded elsewhere
    ),
    nth_clause(knowledge_base:Head, At, Ref0),
    fact_id(Ref0, Id0),
    !,
    (   Id =:= Id0
    ->  Ref = Ref0
    ;   Id < Id0
    ->  High1 is Middle-1,
        halved(Low, High1, Head, Id, Ref)
    ;   Low1 is At+1,
        halved(Low1, High, Head, Id, Ref)
    ).

%!  fact_within(+Runs, -Id, -Ref) is nondet.
%
%   The clause Ref carries Id, which is in one of Runs, First-Count.  Scans the clauses of every predicate that has
%   such ids: for one id, fact_with_id/2 is cheaper.

fact_within(Runs0, Id, Ref) :-
    findall(First-Last, ( '$member'(First-Count, Runs0), Last is First+Count-1 ), Pairs0),
    sort(Pairs0, Pairs),
    compound_name_arguments(Runs, runs, Pairs),
    findall(Name/Arity-Some,
            ( facts(Name, Arity, First, Count),
              Last is First+Count-1,
              both(Runs, First, Last, Some),
              Some > 0
            ),
            Some0),
    keysort(Some0, Some1),
    sums(Some1, Sums),
    '$member'(Name/Arity-Sum, Sums),
    functor(Head, Name, Arity),
    fact_of(Head, Runs, left(Sum), Id, Ref).

%   fact_of(+Head, +Runs, !Left, -Id, -Ref) is nondet: scan the clauses until as many are found as there can be.

fact_of(Head, Runs, Left, Id, Ref) :-
    clause(knowledge_base:Head, true, Ref),
    fact_id(Ref, Id),
    run_from(Id, Runs, At),
    arg(At, Runs, Begin-_),
    Begin =< Id,
    arg(1, Left, Count),
    Count1 is Count-1,
    nb_setarg(1, Left, Count1),
    (   Count1 =:= 0
    ->  !
    ;   true
    ).

sums([], []).
sums([Key-Count|Counts], Sums) :-
    (   Counts = [Key1-Count1|Counts1],
        Key1 == Key
    ->  Sum is Count+Count1,
        sums([Key-Sum|Counts1], Sums)
    ;   Sums = [Key-Count|Sums1],
        sums(Counts, Sums1)
    ).

%   both(+Runs, +First, +Last, -Count): Count ids from First to Last are in Runs.

both(Runs, First, Last, Count) :-
    (   run_from(First, Runs, At)
    ->  both(At, Runs, First, Last, 0, Count)
    ;   Count = 0
    ).

both(At, Runs, First, Last, Count0, Count) :-
    (   arg(At, Runs, Begin-End),
        Begin =< Last
    ->  Count1 is Count0 + min(End, Last) - max(Begin, First) + 1,
        At1 is At+1,
        both(At1, Runs, First, Last, Count1, Count)
    ;   Count = Count0
    ).

%   run_from(+Id, +Runs, -At) is semidet: argument At of Runs, First-Last in order, is the first run to end at
%   Id or later.

run_from(Id, Runs, At) :-
    functor(Runs, _, Count),
    run_from(1, Count, Id, Runs, At).

run_from(At, At, Id, Runs, At) :-
    !,
    arg(At, Runs, _-Last),
    Last >= Id.
run_from(Low, High, Id, Runs, At) :-
    Middle is (Low+High)//2,
    arg(Middle, Runs, _-Last),
    (   Last >= Id
    ->  run_from(Low, Middle, Id, Runs, At)
    ;   Low1 is Middle+1,
        run_from(Low1, High, Id, Runs, At)
    ).

%!  forget_facts(+Name, +Arity) is det.
%!  forget_facts is det.
%
%   Forget the ids of the facts of Name/Arity, or of all predicates.

forget_facts(Name, Arity) :-
    retractall(facts(Name, Arity, _, _)).

forget_facts :-
    retractall(facts(_,_,_,_)).
