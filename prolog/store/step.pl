:- module(hb_step,
          [ begin_step/2,               % +NextLast, +NextFirst
            run_changed/0,
            step_over/0,
            untold/0,
            added_now/1,                % +Id
            node_ids/1,                 % -Least
            without_changes/2,          % +Why, :Goal
            beside/2,                   % :Goal, -Leaves
            store_run/2,                % +Clause, +Place
            last_id/2,                  % +Place, -Id
            record_each/2,              % +Name, +Arity
            store_recorded/1,           % +Fact
            room_left/0,
            store_fact/2,               % +Fact, +Place
            forget_fact/2,              % +Fact, +Ref
            store_step/4,               % +Head, +Body, +Written, +Place
            step_clauses/2,             % -First, -Last
            step_removed/1,             % -Removed
            all_go/2,                   % +Name, +Arity
            forget/2,                   % +Head, +Ref
            forget_assumed/2,           % +Ref, +PI
            run_changes/2,              % -Added, -Removed
            undo_run/2                  % -Count, -Predicates
          ]).
:- use_module(store).
:- use_module(heads).
:- use_module('../functor').
:- use_module('../sandbox/policy', [forget_direct/0]).
:- use_module('../sandbox/sandbox').
:- use_module('../limits').
:- use_module('../depth').
:- use_module(clause_text).
:- use_module(untracked).
:- use_module(restrictions).
:- use_module(kept).

/** <module> What running code changes, step by step

Clauses that running code adds take the ids that begin_step/2 provides: upwards for
clauses added at the end, downwards for those at the front; the flags hb_next_last and hb_next_first
have the next ones, as a clause that is replaced for each change would stay in the way until it is collected.  The changes
of a step are the clauses with those ids, and the ids recorded as removed.  In a step with many changes
hb_untracked takes facts over; whoever needs to know the changes calls track_all/0 first.
*/

:- dynamic
    removed/2,                          % Ids, PI: removed in this step
    step_ids/2,                         % NextLast, NextFirst when the step began
    recorded/2.                         % Name, Arity: stays recorded in this step

%!  begin_step(+NextLast, +NextFirst) is det.
%
%   Begin a step: running code takes ids from NextLast upwards for clauses it
%   adds at the end, and from NextFirst downwards for those at the front.

begin_step(_, _) :-
    forget_direct,
    none_changed,
    fail.
begin_step(Last, First) :-
    step_ids(Last, First),
    \+ run_changed,
    !.
begin_step(Last, First) :-
    track_all,
    forget_changes,
    retractall(step_ids(_,_)),
    assertz(step_ids(Last, First)),
    next_ids(Last, First).

forget_changes :-
    (   step_ids(Last, First)
    ->  next_ids(Last, First)
    ;   true
    ),
    retractall(removed(_,_)),
    retractall(recorded(_,_)),
    none_changed,
    none_declared.

none_changed :-
    none_recorded_soon,
    set_flag(hb_changes, 0),
    set_flag(hb_look, 61).

%!  run_changed is semidet.
%
%   Running code has changed clauses, or declared predicates, in this step.

run_changed :-
    (   ids_taken
    ;   removed(_, _)
    ;   new(_, _)
    ;   is_untracked(_, _)
    ),
    !.

%!  step_over is det.
%
%   The changes of the step have been reported, or undone.

step_over :-
    (   run_changed
    ->  track_all,
        forget_changes
    ;   true
    ).

                /*******************************
                *       many changes           *
                *******************************/

%   changed(+Name, +Arity): a clause of Name/Arity was added or taken out by running code.  After many changes in
%   the step it is worth a look at the predicate.

changed(Name, Arity) :-
    changed_in_run,
    counted(Name, Arity).

counted(Name, Arity) :-
    get_flag(hb_changes, Changes0),
    Changes is Changes0+1,
    set_flag(hb_changes, Changes),
    (   get_flag(hb_look, Look),
        Changes >= Look
    ->  look(Name, Arity, Changes)
    ;   true
    ).

%   look(+Name, +Arity, +Changes): there have been so many changes; one of Name/Arity was the last.  From now on those of
%   its facts are recorded without checks, and, as the conductor is told the net result alone, not even recorded once
%   there are many for the clauses that then have to be compared.  A predicate whose changes were not recorded, and then
%   had to be, stays so: else it might go back and forth.  SWI-Prolog counts the clauses one by one.

look(Name, Arity, Changes) :-
    Next is Changes+61,
    set_flag(hb_look, Next),
    (   may_be_untracked(Name, Arity)
    ->  term_functor(Head, Name, Arity),
        predicate_property(knowledge_base:Head, number_of_clauses(Clauses)),
        (   Clauses =< 2*Changes
        ->  ignore(untrack(Name, Arity))
        ;   Later is Changes+max(61, Clauses//64),
            set_flag(hb_look, Later)
        )
    ;   true
    ).

may_be_untracked(Name, Arity) :-
    \+ is_closed,
    \+ passes,
    \+ follows_changes,
    \+ only_recorded(Name, Arity),
    recorded_soon(Name, Arity),
    \+ recorded(Name, Arity).

%!  all_go(+Name, +Arity) is semidet.
%
%   All clauses of Name/Arity, a fair number, are about to be taken out.  From now on changes of its facts are not recorded.

all_go(Name, Arity) :-
    may_be_untracked(Name, Arity),
    term_functor(Head, Name, Arity),
    predicate_property(knowledge_base:Head, number_of_clauses(Clauses)),
    Clauses > 16,
    untrack(Name, Arity).

%   track(?Name, ?Arity): changes of Name/Arity are recorded from now on, with those that were not.

track(Name, Arity) :-
    (   \+ is_untracked(Name, Arity)
    ->  true
    ;   whole(forall(track_again(Name, Arity, Gone, First, Last),
                     hb_step:record(Name, Arity, Gone, First, Last)))
    ).

track_all :-
    track(_, _).

%   record_all: from now on changes are recorded, after all checks.

record_all :-
    track_all,
    none_recorded_soon.

%   record(+Name, +Arity, +Gone, +First, +Last): as track_again/5 has them.

record(Name, Arity, Gone, First, Last) :-
    note_removed(Gone, Name/Arity),
    forall('$member'(Id, Gone), forget_fact_id(Id)),
    ids_left(NextLast0, NextFirst0),
    reversed(First, [], Upwards),
    give_ids(Upwards, NextFirst0, -1, NextFirst),
    give_ids(Last, NextLast0, 1, NextLast),
    next_ids(NextLast, NextFirst).

give_ids([], Next, _, Next).
give_ids([Ref|Refs], Id, By, Next) :-
    give_id(Ref, Id),
    Id1 is Id+By,
    give_ids(Refs, Id1, By, Next).

reversed([], Reversed, Reversed).
reversed([X|Xs], Onto, Reversed) :-
    reversed(Xs, [X|Onto], Reversed).

%!  room_left is det.
%
%   @error resource_error(entries) if the clauses of running code fill the memory.

room_left :-
    check_room,
    (   is_untracked(_, _)
    ->  untracked_count(More),
        id_count(Count),
        limit_of(entries, Most),
        (   Count+More > Most
        ->  throw(error(resource_error(entries), _))
        ;   true
        )
    ;   true
    ).

%!  untold is semidet.
%
%   A step has changes that a book keeps, and is not over.

untold :-
    \+ bookless,
    run_changed.

%!  added_now(+Id) is semidet.
%
%   Running code has added the clause Id in this step.

added_now(Id) :-
    step_ids(Last0, First0),
    (   Id >= Last0,
        get_flag(hb_next_last, Last),
        Id < Last
    ->  true
    ;   Id =< First0,
        get_flag(hb_next_first, First),
        Id > First
    ).

%!  node_ids(-Least) is det.
%
%   Ids from Least up belong to clauses that no book has: those of the text that runs.

node_ids(Least) :-
    Least is 1<<52.

take_id(last, Id) :-
    get_flag(hb_next_last, Id),
    Next is Id+1,
    set_flag(hb_next_last, Next).
take_id(first, Id) :-
    get_flag(hb_next_first, Id),
    Next is Id-1,
    set_flag(hb_next_first, Next).

%   ids_left(-Last, -First), next_ids(+Last, +First): the next ids for clauses at the end and at the front.

ids_left(Last, First) :-
    get_flag(hb_next_last, Last),
    get_flag(hb_next_first, First).

next_ids(Last, First) :-
    set_flag(hb_next_last, Last),
    set_flag(hb_next_first, First).

%   ids_taken: some of this step are taken.

ids_taken :-
    step_ids(Last, First),
    \+ ids_left(Last, First).

%   check_room: stop running code before its clauses fill the memory.  The
%   conductor counts exactly when the step is done.

check_room :-
    (   step_ids(Last0, First0),
        ids_left(Last, First),
        limit_of(entries, Most),
        Last-Last0+First0-First > Most,
        id_count(Count),
        Count > Most
    ->  throw(error(resource_error(entries), _))
    ;   true
    ).

%!  without_changes(+Why, :Goal) is semidet.
%
%   As once(Goal), but running code may not change clauses.  Why is `condition` or `constraint`: what runs.

:- meta_predicate without_changes(+, 0).

without_changes(Why, Goal) :-
    record_all,
    while_closed(Why, Goal).

%!  beside(:Goal, -Leaves) is semidet.
%
%   As once(Goal), in an engine that runs beside the one that changes the book.  A step that is
%   about to change clauses, or to use what only the first engine has, is stopped before it does.
%   Leaves is then true, whatever became of Goal.

:- meta_predicate beside(0, -).

beside(Goal, Leaves) :-
    record_all,
    set_flag(hb_leaves, 0),
    while_closed(beside, Goal),
    (   get_flag(hb_leaves, 0)
    ->  Leaves = false
    ;   Leaves = true
    ).

%!  store_run(+Clause, +Place) is det.
%
%   Add a clause for running code.  Clause is not translated yet.
%
%   @error representation_error(Type) if the book cannot keep Clause.

store_run(Clause, Place) :-
    must_be_open,
    (   acyclic_term(Clause)
    ->  check_depth(Clause)
    ;   throw(error(representation_error(cyclic_term), _))
    ),
    clause_parts(Clause, user, Module, Neck, Head, Body0),
    check_head(Head, _, _),
    check_by_hand(Head),
    (   Body0 == true
    ->  Body = true,
        Safe = true
    ;   expand_functions(Body0, Body),
        in_module(Module, as_if_private(Head, in_clause(Head, safe_body(Body, Safe))))
    ),
    check_kept((Head:-Body)),
    check_room,
    with_neck(Neck, Safe, Stored),
    in_module(Module, store_step(Head, Stored, Body, Place)).

%!  last_id(+Place, -Id) is det.
%
%   Id is that of the clause that was added last at Place, and recorded.

last_id(last, Id) :-
    get_flag(hb_next_last, Next),
    Id is Next-1.
last_id(first, Id) :-
    get_flag(hb_next_first, Next),
    Id is Next+1.

%!  record_each(+Name, +Arity) is det.
%
%   From now on in this step, each change of Name/Arity is recorded, and so each of its clauses has an id.

record_each(Name, Arity) :-
    track(Name, Arity),
    (   recorded(Name, Arity)
    ->  true
    ;   assertz(recorded(Name, Arity))
    ).

%!  store_recorded(+Fact) is det.
%
%   Add a fact that only the system writes.
%
%   @error representation_error(Type) if the book cannot keep it.

store_recorded(Fact) :-
    must_be_open,
    check_head(Fact, _, _),
    check_depth(Fact),
    check_kept((Fact:-true)),
    check_room,
    store_step(Fact, true, true, last).

%!  store_step(+Head, +Body, +Written, +Place) is det.
%
%   Add a clause as part of this step.  Body and Written are as for store/6.

store_step(Head, Body, Written, Place) :-
    term_functor(Head, Name, Arity),
    declare(Name, Arity),
    track_recorded(Name, Arity),
    whole(hb_step:add(Place, Head, Body, Written, Ball)),
    (   var(Ball)
    ->  true
    ;   throw(Ball)
    ).

%   track_recorded(+Name, +Arity): a change of Name/Arity has to be recorded.

track_recorded(Name, Arity) :-
    (   is_untracked(Name, Arity)
    ->  track(Name, Arity),
        assertz(recorded(Name, Arity))
    ;   true
    ).

add(Place, Head, Safe, Written, Ball) :-
    place(Place, Head, Safe, Ref, Ball),
    (   var(Ball)
    ->  take_id(Place, Id),
        give_id(Ref, Id),
        note_text(Ref, Head, Safe, Written),
        term_functor(Head, Name, Arity),
        changed(Name, Arity)
    ;   true
    ).

%!  store_fact(+Fact, +Place) is det.
%!  forget_fact(+Fact, +Ref) is semidet.
%
%   As store_run/2 and forget/2, for a fact of which recorded_fact/1 or recorded_soon/1 holds, or did when the retract/1
%   began that comes back to it.

store_fact(Fact, Place) :-
    whole(hb_step:add_fact(Place, Fact, Ball)),
    (   var(Ball)
    ->  true
    ;   throw(Ball)
    ).

add_fact(Place, Fact, Ball) :-
    catch(place_clause(Place, Fact, Ref), Ball, true),
    (   var(Ball)
    ->  take_id(Place, Id),
        give_id(Ref, Id),
        functor(Fact, Name, Arity),
        counted(Name, Arity)
    ;   true
    ).

forget_fact(Fact, Ref) :-
    (   untracked(Fact)
    ->  catch(erase(Ref), error(existence_error(_, _), _), true)
    ;   recorded_soon(Fact)
    ->  functor(Fact, Name, Arity),
        whole(hb_step:take_out_fact(Ref, Name, Arity))
    ;   forget(Fact, Ref)
    ).

take_out_fact(Ref, _, _) :-
    gone(Ref),
    !.
take_out_fact(Ref, Name, Arity) :-
    take_id_of(Ref, Id),
    (   taken_before(Id)
    ->  true
    ;   note_removed([Id], Name/Arity),
        erase(Ref),
        counted(Name, Arity)
    ).

%   clause_parts(+Clause, +Module0, -Module, -Neck, -Head, -Body): Body is text of Module.

clause_parts(Clause, _, _, _, _, _) :-
    var(Clause),
    !,
    throw(error(instantiation_error, _)).
clause_parts(Named:Clause, _, Module, Neck, Head, Body) :-
    !,
    home_module(Named),
    module_of(Named, Module0),
    clause_parts(Clause, Module0, Module, Neck, Head, Body).
clause_parts((Head0:-Body), Module, Module, (:-), Head, Body) :-
    !,
    run_head(Module, Head0, Head).
clause_parts((Head0=>Body0), Module, Module, Neck, Head, Body) :-
    !,
    single_sided(Head0, Body0, Head1, Neck, Body),
    run_head(Module, Head1, Head).
clause_parts(Head0, Module, Module, (:-), Head, true) :-
    run_head(Module, Head0, Head).

%!  forget(+Head, +Ref) is det.
%
%   Take out the clause Ref of the predicate of Head for running code.  One that is already gone is still there for
%   whoever began to look before, as the logical update view has it: retract/1 succeeds.

forget(Head, Ref) :-
    must_be_open,
    (   is_beside,
        \+ ( id_of(Ref, Id), added_now(Id) )
    ->  must_be_first
    ;   true
    ),
    term_functor(Head, Name, Arity),
    changeable(Name, Arity),
    (   is_untracked(Name, Arity)
    ->  catch(erase(Ref), error(existence_error(_, _), _), true)
    ;   whole(hb_step:take_out(Ref, Name/Arity))
    ).

%!  forget_assumed(+Ref, +PI) is det.
%
%   As forget/2, for a query that assumes that the clause Ref of PI is gone.

forget_assumed(Ref, Name/Arity) :-
    changeable(Name, Arity),
    whole(hb_step:take_out(Ref, Name/Arity)).

take_out(Ref, _) :-
    gone(Ref),
    !.
take_out(Ref, PI) :-
    id_there(Ref, Id),
    (   taken_before(Id)
    ->  true
    ;   note_removed([Id], PI),
        forget_ref(Ref),
        PI = Name/Arity,
        changed(Name, Arity)
    ).

%   taken_before(+Id) is semidet: the clause Id was taken out in the transaction that runs: it is erased when that ends.

taken_before(Id) :-
    current_transaction(_),
    !,
    removed(Ids, _),
    '$member'(Id, Ids),
    !.

%   note_removed(+Ids, +PI): the clauses Ids of PI are taken out.

note_removed(Ids, PI) :-
    (   step_ids(Last, First),
        in_book(Ids, Last, First, Removed),
        Removed \== []
    ->  assertz(removed(Removed, PI))
    ;   true
    ).

%   in_book(+Ids, +Last, +First, -InBook): without the clauses of this step, which began with Last and First, and those of
%   nodes: no book has them.

in_book([], _, _, []).
in_book([Id|Ids], Last, First, InBook) :-
    (   Id < Last,
        Id > First
    ->  InBook = [Id|InBook1]
    ;   ( added_now(Id) ; node_ids(Least), Id >= Least )
    ->  InBook = InBook1
    ;   InBook = [Id|InBook1]
    ),
    in_book(Ids, Last, First, InBook1).

%!  run_changes(-Added, -Removed) is det.
%
%   The changes of running code since begin_step/2: Added is a list of
%   added(Id, Ref) in the order of the book, Removed a list of ids.

run_changes(Added, Removed) :-
    track_all,
    findall(Id, ( removed(Ids, _), '$member'(Id, Ids) ), Removed),
    (   ids_taken
    ->  step_ids(Last0, First0),
        ids_left(Last, First),
        First1 is First+1,
        Last1 is Last-1,
        findall(added(Id, Ref),
                (   ( between(First1, First0, Id)
                    ; between(Last0, Last1, Id)
                    ),
                    with_id(Id, Ref)
                ),
                Added)
    ;   Added = []
    ).

%!  step_clauses(-First, -Last) is det.
%
%   The clauses that the step has added at the front and at the end, in order, as terms
%   clause(Place, Module, Head, Body, Written) for store_step/4 in Module.

step_clauses(First, Last) :-
    run_changes(Added, _),
    step_ids(Last0, _),
    findall(Clause,
            ( '$member'(added(Id,Ref), Added), Id < Last0, step_clause(first, Ref, Clause) ),
            First),
    findall(Clause,
            ( '$member'(added(Id,Ref), Added), Id >= Last0, step_clause(last, Ref, Clause) ),
            Last).

step_clause(Place, Ref, clause(Place, Module, Head, Body, Written)) :-
    clause(knowledge_base:Head, Safe, Ref),
    clause_text_of(Ref, Head, Safe, Module, Written),
    stored_as(Ref, Safe, Body).

%!  step_removed(-Removed) is det.
%
%   The clauses of the book that the step has taken out, as terms gone(Id, Name/Arity).

step_removed(Removed) :-
    track_all,
    findall(gone(Id, PI), ( removed(Ids, PI), '$member'(Id, Ids) ), Removed).

%!  undo_run(-Count, -Predicates) is det.
%
%   Undo what running code has added and declared since begin_step/2.  Clauses that it
%   removed are not put back: Predicates are those that lost some.  Count is the number
%   of all changes.

undo_run(Count, Predicates) :-
    track_all,
    findall(PI, removed(_, PI), PIs),
    sort(PIs, Predicates),
    run_changes(Added, Removed),
    forall('$member'(added(Id,_), Added), forget_id(Id)),
    declared(New),
    forall('$member'(Name/Arity, New), drop(Name, Arity)),
    length(Added, A),
    length(Removed, R),
    Count is A+R.
