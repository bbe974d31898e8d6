:- module(hb_store,
          [ own/2,                      % ?Name, ?Arity
            declare/2,                  % +Name, +Arity
            check_undeclared/2,         % +Name, +Arity
            undeclare/2,                % +Name, +Arity
            store/6,                    % +Head, +Body, +Written, +Id, +Place, -Ref
            place/5,                    % +Place, +Head, +Body, -Ref, -Ball
            place_clause/3,             % +Place, +Clause, -Ref
            give_id/2,                  % +Ref, +Id
            give_all_ids/0,
            stored/3,                   % ?Head, -Body, -Ref
            stored_safe/3,              % ?Head, -Safe, -Ref
            verbatim/1,                 % +Head
            id_of/2,                    % +Ref, -Id
            id_there/2,                 % +Ref, -Id
            gone/1,                     % +Ref
            with_id/2,                  % ?Id, ?Ref
            id_count/1,                 % -Count
            replace/3,                  % +Ref, +Head, +Body
            forget_ref/1,               % +Ref
            take_id_of/2,               % +Ref, -Id
            forget_fact_id/1,           % +Id
            forget_id/1,                % +Id
            forget_predicate/2,         % +Name, +Arity
            forget_all/0,
            shadowed/0,
            meanings_changed/0,
            let_pass/0,
            let_stay/0,
            passes/0,
            undeclare_lost/0,
            declared/1,                 % -PIs
            none_declared/0,
            new/2,                      % ?Name, ?Arity
            drop/2,                     % +Name, +Arity
            fixed/2,                    % ?Name, ?Arity
            fix_all/0,
            table_predicate/3,          % +Name, +Arity, :Spec
            follow_changes/1,           % +Id
            stop_following/1,           % +Id
            changed_in_run/0,
            follows_changes/0,
            tables_changed/0
          ]).
:- use_module('../sandbox/policy').
:- use_module('../sandbox/namesakes', [take_back_name/2]).
:- use_module('../limits').
:- use_module('../sandbox/written').
:- use_module(operators).
:- use_module(facts).
:- use_module('../functor').
:- reexport(clause_notes).
:- reexport(named).
:- reexport(modules).
:- reexport(context).
:- reexport(engine_name).
:- reexport(meta_arguments).
:- reexport(determinism).
:- reexport(units).
:- reexport(constraints).
:- reexport(links).

/** <module> The clauses of the knowledge base, with their ids

Every clause in the module knowledge_base has an id, assigned by the book.  Ids say
nothing about the order of clauses, which is that of the clauses themselves.
*/

:- dynamic
    own/2,                              % Name, Arity: the user's predicates
    ref/2,                              % Ref, Id
    verbatim/1,                         % Head, a most general one
    new/2,                              % Name, Arity: declared since none_declared/0
    tabled/2,                           % Name, Arity
    following/1,                        % Id: it declares tables that follow changes within a query
    fixed/2,                            % Name, Arity: it is static
    passing/0,                          % predicates declared now go when the step ends
    shadowed/0.                         % a library predicate has clauses of the user's

:- add_import_module(knowledge_base, system, start),
   delete_import_module(knowledge_base, user).

%!  own(?Name, ?Arity) is nondet.
%
%   Name/Arity is a user predicate, perhaps without clauses.

%!  declare(+Name, +Arity) is det.
%
%   Make Name/Arity a (dynamic) user predicate.

declare(Name, Arity) :-
    own(Name, Arity),
    !.
declare(Name, Arity) :-
    may_pass(Name, Arity),
    whole(hb_store:declare_new(Name, Arity, Ball)),
    (   var(Ball)
    ->  true
    ;   throw(Ball)
    ).

%   declare_new(+Name, +Arity, -Ball): if Name/Arity cannot be declared, Ball says why
%   and nothing has changed.

declare_new(Name, Arity, Ball) :-
    catch(( leave_system(Name, Arity), dynamic(knowledge_base:Name/Arity) ), Ball, true),
    (   nonvar(Ball)
    ->  catch(abolish_own(Name, Arity), _, true)    % perhaps nothing but that the name is no longer linked has changed
    ;   (   current_transaction(_)
        ->  recordz(hb_declared, Name/Arity)
        ;   true
        ),
        assertz(own(Name, Arity)),
        assertz(new(Name, Arity)),
        declare_det(Name, Arity),
        note_private(Name, Arity),
        note_flat(Name, Arity),
        (   private(_, _, Arity, Name)
        ->  true                        % clause/2 adds the module
        ;   term_functor(Head, Name, Arity),
            assertz(verbatim(Head))
        ),
        (   class(Name, Arity, _),
            \+ passing
        ->  meanings_changed
        ;   true
        )
    ).

%   leave_system(+Name, +Arity): a call of the system's predicate may have linked the name to it, and SWI-Prolog then refuses
%   to declare it.

leave_system(Name, Arity) :-
    (   class(Name, Arity, _)
    ->  abolish(knowledge_base:Name/Arity)
    ;   true
    ).

%   abolish_own(+Name, +Arity): nothing is left of the user's predicate.  Clauses that called the system's by the name alone
%   must be translated again, if its goals were translated with them: the name alone never means that again.

abolish_own(Name, Arity) :-
    take_back_name(Name, Arity),
    forget_direct,
    (   class(Name, Arity, meta(_))
    ->  meanings_changed
    ;   true
    ).

%!  undeclare_lost is det.
%
%   A transaction has ended.  It takes back clauses, also those of own/2, but no declaration.  What it keeps may be taken
%   back by one around it, and so may what is noted here.

undeclare_lost :-
    (   recorded(hb_declared, _)
    ->  whole(hb_store:undeclare_all_lost)
    ;   true
    ).

undeclare_all_lost :-
    forall(( recorded(hb_declared, Name/Arity), \+ own(Name, Arity) ),
           abolish_own(Name, Arity)),
    (   current_transaction(_)
    ->  true
    ;   forall(recorded(hb_declared, _, Ref), erase(Ref))
    ).

%!  let_pass is det.
%!  let_stay is det.
%!  passes is semidet.
%
%   Predicates declared from now on go when the step ends (let_pass/0), or stay, as they do by
%   default (let_stay/0). passes/0 succeeds if they go.

let_pass :-
    (   passing
    ->  true
    ;   assertz(passing)
    ).

let_stay :-
    retractall(passing).

passes :-
    passing.

%   may_pass(+Name, +Arity): clauses translated while a passing predicate exists may go on to call
%   its name when it is gone, so the name must not mean something of the system's.  Clauses of the
%   book then call a library again.

may_pass(Name, Arity) :-
    passing,
    class(Name, Arity, Class),
    Class \= library(_),
    Class \= library(_,_),
    !,
    throw(error(permission_error(modify, static_procedure, Name/Arity),
                context(_, 'a clause for one query cannot take the place of a predicate of the system'))).
may_pass(_, _).

%!  meanings_changed is det.
%
%   Existing clauses may now mean another predicate than they were translated to call.

meanings_changed :-
    (   shadowed
    ->  true
    ;   assertz(shadowed)
    ).

%!  check_undeclared(+Name, +Arity) is det.
%!  undeclare(+Name, +Arity) is det.
%
%   Forget Name/Arity.  If the name means something of the system's or of a library, it does so
%   again after retranslate_shadowed/0; an open query that called the user's predicate comes to
%   hb_namesakes instead.  Only a new engine can forget a tabled predicate, because tabling cannot
%   be removed from one predicate alone.
%
%   @error permission_error from check_undeclared/2 in this case.

check_undeclared(Name, Arity) :-
    tabled(Name, Arity),
    !,
    format(string(Message), "~q stays known to this engine.", [Name/Arity]),
    throw(error(hornbook(message(permission_error, Message)), _)).
check_undeclared(_, _).

undeclare(Name, Arity) :-
    forget_predicate(Name, Arity),
    retractall(new(Name, Arity)),
    (   own(Name, Arity)
    ->  drop(Name, Arity),
        (   class(Name, Arity, _)
        ->  meanings_changed
        ;   true
        )
    ;   true
    ).

%!  new(?Name, ?Arity) is nondet.
%!  declared(-PIs) is det.
%!  none_declared is det.
%
%   PIs are the predicates declared since none_declared/0 was last called.

declared(PIs) :-
    findall(Name/Arity, new(Name, Arity), PIs).

none_declared :-
    retractall(new(_,_)).

%!  store(+Head, +Body, +Written, +Id, +Place, -Ref) is det.
%
%   Add a clause at Place, `first` or `last`.  Body is translated, or hb_clause_notes:single_sided(Neck,
%   Body) for a rule with `=>`.  That is not the translation of anything, as the sandbox never names
%   this module in one.  Written is the body before the translation, text of the context.

store(Head, Body, Written, Id, Place, Ref) :-
    term_functor(Head, Name, Arity),
    (   own(Name, Arity)
    ->  New = false
    ;   New = true,
        declare(Name, Arity)            % first, or it is compiled as static
    ),
    place(Place, Head, Body, Ref, Ball),
    (   var(Ball)
    ->  uninterrupted(( give_id(Ref, Id), note_text(Ref, Head, Body, Written) ))
    ;   (   New == true
        ->  uninterrupted(( drop(Name, Arity), retract(new(Name, Arity)) ))
        ;   true
        ),
        throw(Ball)
    ).

%!  place(+Place, +Head, +Body, -Ref, -Ball) is det.
%!  give_id(+Ref, +Id) is det.
%
%   If the clause is refused, Ball says why and nothing has changed.

place(Place, Head, Body, Ref, Ball) :-
    (   Body = hb_clause_notes:single_sided(Neck, Body1)
    ->  Clause =.. [Neck,Head,Body1]
    ;   Clause = (Head:-Body)
    ),
    (   Body == true
    ->  true
    ;   judge_verbatim(Head, Body)
    ),
    catch(place_clause(Place, Clause, Ref), Ball, true),
    (   nonvar(Neck),
        var(Ball)
    ->  note_neck(Ref, Neck)
    ;   true
    ).

%   judge_verbatim(+Head, +Body): a clause of the predicate of Head gets Body, in the form of place/5.

judge_verbatim(Head, Body) :-
    (   verbatim(Head),
        \+ ( Body \= hb_clause_notes:single_sided(_, _),
             as_called(Body, Called),
             Called == Body )
    ->  term_functor(Head, Name, Arity),
        term_functor(General, Name, Arity),
        retract(verbatim(General))
    ;   true
    ).

%!  place_clause(+Place, +Clause, -Ref) is det.
%
%   The same for a fact, or a clause whose body has been looked at, with an error if it is refused.

place_clause(last, Clause, Ref) :-
    assertz(knowledge_base:Clause, Ref).
place_clause(first, Clause, Ref) :-
    asserta(knowledge_base:Clause, Ref).

give_id(Ref, Id) :-
    assertz(ref(Ref, Id)).

%!  give_all_ids is det.
%
%   Record the ids of all clauses, so that with_id/2 finds them.

give_all_ids :-
    forall(( own(Name, Arity),
             term_functor(Head, Name, Arity),
             clause(knowledge_base:Head, true, Ref),
             fact_id(Ref, Id),
             \+ ref(Ref, _)
           ),
           give_id(Ref, Id)).

%!  stored(?Head, -Body, -Ref) is nondet.
%
%   Body is the body as it was written.  Head is callable.

stored(Head, Body, Ref) :-
    stored_safe(Head, Safe, Ref),
    as_written(Safe, Written),
    Body = Written.                     % last, because it may wake a goal

%!  stored_safe(?Head, -Safe, -Ref) is nondet.
%
%   Safe is the translated body.

stored_safe(Head, Safe, Ref) :-
    term_functor(Head, Name, Arity),
    own(Name, Arity),
    clause(knowledge_base:Head, Safe, Ref).

%!  verbatim(+Head) is semidet.
%
%   For every clause of the predicate of Head, a callable term, the database has what people wrote,
%   so clause/2 need not look at the bodies.  Once this is false it stays false, even when clauses
%   go.

%!  id_of(+Ref, -Id) is semidet.
%
%   Id is the id of the clause Ref.

id_of(Ref, Id) :-
    (   ref(Ref, Id0)
    ->  Id = Id0
    ;   fact_id(Ref, Id)
    ).

%!  id_there(+Ref, -Id) is semidet.
%
%   As id_of/2, for a clause that is not erased: facts keep the ids that they carry.  Those of a transaction that runs have
%   the attribute erased until it ends, but carry none.

id_there(Ref, Id) :-
    (   ref(Ref, Id0)
    ->  Id = Id0
    ;   carried_id(Ref, Id)
    ).

%!  gone(+Ref) is semidet.
%
%   The clause Ref was erased.

gone(Ref) :-
    \+ ref(Ref, _),
    '$get_clause_attribute'(Ref, erased, true).

carried_id(Ref, Id) :-
    \+ '$get_clause_attribute'(Ref, erased, true),
    fact_id(Ref, Id).

%!  with_id(?Id, ?Ref) is nondet.
%
%   The clause Ref has the recorded Id.  Leaves out facts that carry their own ids.

with_id(Id, Ref) :-
    ref(Ref, Id).

%!  id_count(-Count) is det.
%
%   Count clauses have recorded ids.

id_count(Count) :-
    predicate_property(ref(_,_), number_of_clauses(Count)).

%!  replace(+Ref, +Head, +Body) is det.
%
%   Replace the clause Ref by another with the same id, at the end of its predicate.

replace(Ref, Head, Body) :-
    id_of(Ref, Id),
    retractall(ref(Ref, _)),
    stored_as(Ref, Body, Stored),
    clause(knowledge_base:Head, Safe, Ref),
    clause_text_of(Ref, Head, Safe, Module, Written),
    forget_notes(Ref),
    erase(Ref),
    in_module(Module, store(Head, Stored, Written, Id, last, _)).

%!  forget_ref(+Ref) is det.
%!  take_id_of(+Ref, -Id) is semidet.
%!  forget_id(+Id) is semidet.
%!  forget_fact_id(+Id) is det.
%
%   Erase the clause Ref, or the clause with the recorded Id.  Of facts of which nothing else is noted, forget the Id:
%   of Ref, which is about to be erased and may be already, or of one that is gone.

forget_ref(Ref) :-
    retractall(ref(Ref, _)),
    forget_notes(Ref),
    erase(Ref).

take_id_of(Ref, Id) :-
    (   retract(ref(Ref, Id0))
    ->  Id = Id0
    ;   carried_id(Ref, Id)
    ).

forget_id(Id) :-
    retract(ref(Ref, Id)),
    !,
    forget_notes(Ref),
    erase(Ref).

forget_fact_id(Id) :-
    retractall(ref(_, Id)).

%!  forget_predicate(+Name, +Arity) is det.
%
%   Erase all clauses of Name/Arity.

forget_predicate(Name, Arity) :-
    forget_facts(Name, Arity),
    term_functor(Head, Name, Arity),
    forall(( own(Name, Arity), clause(knowledge_base:Head, _, Ref) ),
           forget_ref(Ref)).

%!  forget_all is det.
%
%   Forget everything of the user's.

forget_all :-
    abolish_all_tables,
    leave_libraries,
    hb_chr_rules:forget_all_rules,
    forall(own(Name, Arity), drop(Name, Arity)),
    retractall(ref(_,_)),
    forget_notes(_),
    forget_facts,
    retractall(new(_,_)),
    retractall(fixed(_,_)),
    forget_names,
    forget_units,
    forget_constraints,
    forget_links,
    forget_operators,
    retractall(following(_)),
    retractall(shadowed).

%!  drop(+Name, +Arity) is det.
%
%   Undo declare/2, and erase the clauses.  Nothing translated since may be left.

drop(Name, Arity) :-
    (   retract(tabled(Name, Arity))
    ->  hb_sets:forget_set(Name, Arity),
        untable(knowledge_base:Name/Arity)
    ;   true
    ),
    abolish_own(Name, Arity),
    term_functor(Head, Name, Arity),
    retractall(verbatim(Head)),
    forget_private(Name, Arity),
    retract(own(Name, Arity)),
    note_flat(Name, Arity),
    stands_if_shared(Name, Arity).

%!  fixed(?Name, ?Arity) is nondet.
%
%   Name/Arity has been made static.

%!  fix_all is det.
%
%   Make all predicates that have clauses static, except tabled ones.

fix_all :-
    forall(( own(Name, Arity),
             \+ tabled(Name, Arity),
             term_functor(Head, Name, Arity),
             predicate_property(knowledge_base:Head, number_of_clauses(Count)),
             Count > 0
           ),
           ( compile_predicates([knowledge_base:Name/Arity]),
             assertz(fixed(Name, Arity)) )).

%!  table_predicate(+Name, +Arity, :Spec) is det.
%
%   Table Name/Arity as Spec says, in the form of '$tabling':table/1.

table_predicate(Name, Arity, Spec) :-
    declare(Name, Arity),
    uninterrupted('$tabling':table(knowledge_base:Spec)),
    (   tabled(Name, Arity)
    ->  true
    ;   assertz(tabled(Name, Arity))
    ).

%!  follow_changes(+Id) is det.
%
%   The entry Id, or a node, declares tables that follow what the query itself changes.

follow_changes(Id) :-
    assertz(following(Id)).

%!  stop_following(+Id) is det.
%
%   Undo follow_changes/1.

stop_following(Id) :-
    retractall(following(Id)).

%!  changed_in_run is det.
%
%   Running code has changed clauses.  As in SWI-Prolog, a table is as it was when it was made, unless
%   it is declared to follow changes.

changed_in_run :-
    (   follows_changes
    ->  tables_changed
    ;   true
    ).

%!  follows_changes is semidet.
%
%   A table follows what queries change.

follows_changes :-
    following(_),
    !.

%!  tables_changed is det.
%
%   Clauses have changed, so answers in tables may be wrong.

tables_changed :-
    (   tabled(_, _)
    ->  abolish_all_tables
    ;   true
    ).
