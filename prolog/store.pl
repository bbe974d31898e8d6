:- module(hb_store,
          [ own/2,                      % ?Name, ?Arity
            declare/2,                  % +Name, +Arity
            undeclare/2,                % +Name, +Arity
            check_head/3,               % +Head, -Name, -Arity
            store/5,                    % +Head, +Body, +Id, +Place, -Ref
            store_fact/1,               % +Head
            stored_facts/4,             % +Name, +Arity, +First, +Count
            give_ids/2,                 % +Name, +Arity
            give_all_ids/0,
            begin_step/2,               % +NextLast, +NextFirst
            run_changed/0,
            store_run/2,                % +Clause, +Place
            plain_head/2,               % +Head, -Plain
            stored/3,                   % ?Head, -Body, -Ref
            id_of/3,                    % +Head, +Ref, -Id
            replace/3,                  % +Ref, +Head, +Body
            forget/2,                   % +Head, +Ref
            forget_id/1,                % +Id
            forget_predicate/2,         % +Name, +Arity
            forget_all/0,
            shadowed/0,
            declared/1,                 % -PIs
            fix_all/0,
            table_predicate/3,          % +Name, +Arity, :Spec
            tables_changed/0,
            run_changes/2,              % -Added, -Removed
            undo_run/2                  % -Count, -Predicates
          ]).
:- use_module(policy).
:- use_module(limits).
:- use_module(depth).
:- use_module(sandbox).

/** <module> The clauses of the knowledge base, with their ids

Every clause in the module knowledge_base has an id, which the book gives.
The order of the ids is the order of the book.  Clauses that running code
adds take the ids that begin_step/2 provides, upwards at the end and downwards
at the front; what a step has changed is the ids from there on and the ids
recorded as removed.
*/

:- dynamic
    own/2,                              % Name, Arity: the user's predicates
    ref/2,                              % Ref, Id
    facts/4,                            % Name, Arity, First, Count
    removed/2,                          % Id, PI: in this step
    new/2,                              % Name, Arity: declared in this step, or since declared/1
    tabled/2,                           % Name, Arity
    fixed/2,                            % Name, Arity: it is static
    step_ids/2,                         % NextLast, NextFirst when the step began
    next_ids/2,                         % NextLast, NextFirst now, if not the same
    shadowed/0.                         % a library predicate got clauses of the user's

:- add_import_module(knowledge_base, system, start),
   delete_import_module(knowledge_base, user).

%!  own(?Name, ?Arity) is nondet.
%
%   Name/Arity is a predicate of the user's, perhaps without clauses.

%!  declare(+Name, +Arity) is det.
%
%   Make Name/Arity a (dynamic) predicate of the user's.

declare(Name, Arity) :-
    own(Name, Arity),
    !.
declare(Name, Arity) :-
    begin_whole,
    dynamic(knowledge_base:Name/Arity),
    assertz(own(Name, Arity)),
    assertz(new(Name, Arity)),
    (   class(Name, Arity, _),
        \+ shadowed
    ->  assertz(shadowed)
    ;   true
    ),
    end_whole.

%!  undeclare(+Name, +Arity) is det.
%
%   Name/Arity is not known any more.  Where the name means something of the
%   system's, clauses and open queries that were translated to call the
%   user's would now call that; and tabling cannot be taken from a predicate
%   alone: only a new engine forgets these.

undeclare(Name, Arity) :-
    (   class(Name, Arity, _)
    ;   tabled(Name, Arity)
    ),
    !,
    format(string(Message), "~q stays known to this engine.", [Name/Arity]),
    throw(error(hornbook(message(permission_error, Message)), _)).
undeclare(Name, Arity) :-
    forget_predicate(Name, Arity),
    (   own(Name, Arity)
    ->  drop(Name, Arity)
    ;   true
    ).

%!  declared(-PIs) is det.
%
%   PIs are the predicates declared since the last call.

declared(PIs) :-
    findall(Name/Arity, retract(new(Name, Arity)), PIs).

%!  check_head(+Head, -Name, -Arity) is det.
%
%   Head may be the head of a clause of the user's.

check_head(Head, Name, Arity) :-
    callable(Head),
    !,
    functor(Head, Name, Arity),
    (   own(Name, Arity)
    ->  changeable(Name, Arity)
    ;   hook(Name, Arity)
    ->  throw(error(permission_error(modify, hook, Name/Arity), _))
    ;   redefinable(Name, Arity)
    ->  true
    ;   throw(error(permission_error(modify, static_procedure, Name/Arity), _))
    ).
check_head(Head, _, _) :-
    var(Head),
    !,
    throw(error(instantiation_error, _)).
check_head(Head, _, _) :-
    throw(error(type_error(callable, Head), _)).

changeable(Name, Arity) :-
    (   fixed(Name, Arity)
    ->  throw(error(permission_error(modify, static_procedure, Name/Arity), _))
    ;   true
    ).

%!  store(+Head, +Body, +Id, +Place, -Ref) is det.
%
%   Add a clause whose Body is translated, at Place (first or last).

store(Head, Body, Id, Place, Ref) :-
    place(Place, Head, Body, Ref),
    assertz(ref(Ref, Id)).

place(last, Head, Body, Ref) :-
    assertz(knowledge_base:(Head:-Body), Ref).
place(first, Head, Body, Ref) :-
    asserta(knowledge_base:(Head:-Body), Ref).

%!  store_fact(+Head) is det.
%!  stored_facts(+Name, +Arity, +First, +Count) is det.
%
%   Add a fact of a predicate that is declared; and, once for the last Count
%   of them, that they have the ids from First on.  Which fact has which is
%   found out by give_ids/2 when it is asked for: most are never.

store_fact(Head) :-
    assertz(knowledge_base:Head).

stored_facts(Name, Arity, First, Count) :-
    assertz(facts(Name, Arity, First, Count)).

%!  give_ids(+Name, +Arity) is det.
%!  give_all_ids is det.
%
%   Give the facts of Name/Arity, or all, their ids one by one.

give_ids(Name, Arity) :-
    findall(First-Count, retract(facts(Name, Arity, First, Count)), Runs),
    Runs \== [],
    !,
    functor(Head, Name, Arity),
    Left = left(Runs),
    forall(( clause(knowledge_base:Head, true, Ref),
             \+ ref(Ref, _)
           ),
           ( arg(1, Left, [First-Count|Runs1]),
             assertz(ref(Ref, First)),
             (   Count == 1
             ->  nb_setarg(1, Left, Runs1)
             ;   First1 is First+1,
                 Count1 is Count-1,
                 nb_setarg(1, Left, [First1-Count1|Runs1])
             )
           )).
give_ids(_, _).

give_all_ids :-
    forall(own(Name, Arity), give_ids(Name, Arity)).

%!  begin_step(+NextLast, +NextFirst) is det.
%
%   A step begins: running code takes ids from NextLast upwards for what it
%   adds at the end and from NextFirst downwards at the front.

begin_step(Last, First) :-
    step_ids(Last, First),
    \+ run_changed,
    !.
begin_step(Last, First) :-
    retractall(step_ids(_,_)),
    retractall(next_ids(_,_)),
    retractall(removed(_,_)),
    retractall(new(_,_)),
    assertz(step_ids(Last, First)).

%!  run_changed is semidet.
%
%   Running code has changed clauses, or brought predicates into being, in
%   this step.

run_changed :-
    (   next_ids(_, _)
    ;   removed(_, _)
    ;   new(_, _)
    ),
    !.

take_id(Place, Id) :-
    (   retract(next_ids(Last, First))
    ->  true
    ;   step_ids(Last, First)
    ),
    (   Place == last
    ->  Id = Last,
        Last1 is Last+1,
        assertz(next_ids(Last1, First))
    ;   Id = First,
        First1 is First-1,
        assertz(next_ids(Last, First1))
    ).

%   check_room: running code stops before the memory is full of its clauses.
%   The conductor counts exactly, when the step is done.

check_room :-
    (   next_ids(Last, First),
        step_ids(Last0, First0),
        limit_of(entries, Most),
        Last-Last0+First0-First > Most,
        predicate_property(ref(_,_), number_of_clauses(Count)),
        Count > Most
    ->  throw(error(resource_error(entries), _))
    ;   true
    ).

%!  store_run(+Clause, +Place) is det.
%
%   Running code adds a clause, not translated yet.

store_run(Clause, Place) :-
    (   acyclic_term(Clause)
    ->  check_depth(Clause)
    ;   throw(error(representation_error(cyclic_term), _))
    ),
    clause_parts(Clause, Head, Body),
    check_head(Head, Name, Arity),
    safe_body(Body, Safe),
    check_room,
    declare(Name, Arity),
    begin_whole,
    catch(place(Place, Head, Safe, Ref), Ball, ( end_whole, throw(Ball) )),
    take_id(Place, Id),
    assertz(ref(Ref, Id)),
    end_whole.

clause_parts(Clause, _, _) :-
    var(Clause),
    !,
    throw(error(instantiation_error, _)).
clause_parts(Module:Clause, Head, Body) :-
    !,
    home_module(Module),
    clause_parts(Clause, Head, Body).
clause_parts((Head0:-Body), Head, Body) :-
    !,
    plain_head(Head0, Head).
clause_parts(Head, Head, true).

%!  plain_head(+Head, -Plain) is det.
%
%   Plain is Head without the name of the user's module.

plain_head(Var, Var) :-
    var(Var),
    !.
plain_head(Module:Head0, Head) :-
    !,
    home_module(Module),
    plain_head(Head0, Head).
plain_head(Head, Head).

home_module(Module) :-
    (   Module == knowledge_base
    ;   Module == user
    ),
    !.
home_module(Module) :-
    throw(error(permission_error(access, module, Module), _)).

%!  stored(?Head, -Body, -Ref) is nondet.
%
%   Body as it was written.  Head is callable.

stored(Head, Body, Ref) :-
    functor(Head, Name, Arity),
    own(Name, Arity),
    clause(knowledge_base:Head, Safe, Ref),
    as_written(Safe, Body).

%!  id_of(+Head, +Ref, -Id) is semidet.
%
%   Id of the clause Ref of the predicate of Head.

id_of(Head, Ref, Id) :-
    functor(Head, Name, Arity),
    give_ids(Name, Arity),
    ref(Ref, Id),
    !.

%!  replace(+Ref, +Head, +Body) is det.
%
%   Put a clause at the end of its predicate in the place of Ref, with the
%   same id.

replace(Ref, Head, Body) :-
    retract(ref(Ref, Id)),
    !,
    erase(Ref),
    store(Head, Body, Id, last, _).

%!  forget(+Head, +Ref) is semidet.
%
%   Running code takes out the clause Ref of the predicate of Head.  Fails if
%   it is gone already.

forget(Head, Ref) :-
    functor(Head, Name, Arity),
    changeable(Name, Arity),
    begin_whole,
    (   id_of(Head, Ref, Id)
    ->  retractall(ref(Ref, _)),
        (   step_ids(Last, First),
            Id < Last,
            Id > First
        ->  assertz(removed(Id, Name/Arity))
        ;   true
        ),
        erase(Ref),
        end_whole
    ;   end_whole,
        fail
    ).

%!  forget_id(+Id) is semidet.

forget_id(Id) :-
    retract(ref(Ref, Id)),
    !,
    erase(Ref).

%!  forget_predicate(+Name, +Arity) is det.
%
%   All clauses of Name/Arity go.

forget_predicate(Name, Arity) :-
    retractall(facts(Name, Arity, _, _)),
    functor(Head, Name, Arity),
    forall(( own(Name, Arity), clause(knowledge_base:Head, _, Ref) ),
           ( retractall(ref(Ref, _)), erase(Ref) )).

%!  forget_all is det.
%
%   Everything of the user's goes.

forget_all :-
    abolish_all_tables,
    forall(own(Name, Arity), drop(Name, Arity)),
    retractall(ref(_,_)),
    retractall(facts(_,_,_,_)),
    retractall(removed(_,_)),
    retractall(new(_,_)),
    retractall(fixed(_,_)),
    retractall(shadowed).

%   drop(+Name, +Arity): the opposite of declare/2, its clauses go too.  Nothing
%   that was translated since may be left.

drop(Name, Arity) :-
    retract(own(Name, Arity)),
    (   retract(tabled(Name, Arity))
    ->  untable(knowledge_base:Name/Arity)
    ;   true
    ),
    abolish(knowledge_base:Name/Arity),
    functor(Head, Name, Arity),
    forall(clause(knowledge_base:Head, _, Ref), erase(Ref)).

%!  fix_all is det.
%
%   The predicates that have clauses are static from now on; tabled ones stay as they are.

fix_all :-
    forall(( own(Name, Arity),
             \+ tabled(Name, Arity),
             functor(Head, Name, Arity),
             predicate_property(knowledge_base:Head, number_of_clauses(Count)),
             Count > 0
           ),
           ( compile_predicates([knowledge_base:Name/Arity]),
             assertz(fixed(Name, Arity)) )).

%!  table_predicate(+Name, +Arity, :Spec) is det.
%
%   Table Name/Arity as Spec says, for '$tabling':table/1.

table_predicate(Name, Arity, Spec) :-
    declare(Name, Arity),
    '$tabling':table(knowledge_base:Spec),
    (   tabled(Name, Arity)
    ->  true
    ;   assertz(tabled(Name, Arity))
    ).

%!  tables_changed is det.
%
%   Clauses have changed: answers in tables may be wrong.

tables_changed :-
    (   tabled(_, _)
    ->  abolish_all_tables
    ;   true
    ).

%!  run_changes(-Added, -Removed) is det.
%
%   What running code has changed since begin_step/2: Added is a list of
%   added(Id, Ref) in the order of the ids, Removed a list of ids.

run_changes(Added, Removed) :-
    findall(Id, removed(Id, _), Removed),
    (   next_ids(Last, First)
    ->  step_ids(Last0, First0),
        First1 is First+1,
        Last1 is Last-1,
        findall(added(Id, Ref),
                (   ( between(First1, First0, Id)
                    ; between(Last0, Last1, Id)
                    ),
                    ref(Ref, Id)
                ),
                Added)
    ;   Added = []
    ).

%!  undo_run(-Count, -Predicates) is det.
%
%   Take back what running code has added since begin_step/2, and declared
%   since declared/1.  Count is the number of changes, Predicates those of
%   which it had removed clauses.

undo_run(Count, Predicates) :-
    findall(PI, removed(_, PI), PIs),
    sort(PIs, Predicates),
    run_changes(Added, Removed),
    forall('$member'(added(Id,_), Added), forget_id(Id)),
    forall(retract(new(Name, Arity)), drop(Name, Arity)),
    length(Added, A),
    length(Removed, R),
    Count is A+R.
