:- module(hb_store,
          [ own/2,                      % ?Name, ?Arity
            declare/2,                  % +Name, +Arity
            check_undeclared/2,         % +Name, +Arity
            undeclare/2,                % +Name, +Arity
            check_head/3,               % +Head, -Name, -Arity
            may_be_head/2,              % +Name, +Arity
            check_given/1,              % +Head
            changeable/2,               % +Name, +Arity
            store/5,                    % +Head, +Body, +Id, +Place, -Ref
            place/5,                    % +Place, +Head, +Body, -Ref, -Ball
            give_id/2,                  % +Ref, +Id
            give_all_ids/0,
            stored/3,                   % ?Head, -Body, -Ref
            stored_safe/3,              % ?Head, -Safe, -Ref
            verbatim/1,                 % +Head
            id_of/2,                    % +Ref, -Id
            with_id/2,                  % ?Id, ?Ref
            id_count/1,                 % -Count
            replace/3,                  % +Ref, +Head, +Body
            forget_ref/1,               % +Ref
            forget_id/1,                % +Id
            forget_predicate/2,         % +Name, +Arity
            forget_all/0,
            shadowed/0,
            meanings_changed/0,
            let_pass/0,
            let_stay/0,
            passes/0,
            declared/1,                 % -PIs
            none_declared/0,
            new/2,                      % ?Name, ?Arity
            neck/2,                     % ?Ref, ?Neck
            drop/2,                     % +Name, +Arity
            fix_all/0,
            table_predicate/3,          % +Name, +Arity, :Spec
            clause_module/2,            % ?Ref, ?Module
            tables_changed/0
          ]).
:- use_module('../sandbox/policy').
:- use_module('../limits').
:- use_module('../sandbox/written').
:- use_module(operators).
:- use_module(facts).
:- reexport(named).
:- reexport(units).

/** <module> The clauses of the knowledge base, with their ids

Every clause in the module knowledge_base has an id, which the book gives.
Ids tell nothing of the order, which is that of the clauses themselves.
*/

:- dynamic
    own/2,                              % Name, Arity: the user's predicates
    ref/2,                              % Ref, Id
    verbatim/1,                         % Head, a most general one
    new/2,                              % Name, Arity: declared since none_declared/0
    tabled/2,                           % Name, Arity
    fixed/2,                            % Name, Arity: it is static
    neck/2,                             % Ref, Neck: the clause is a rule with => or ?=>
    clause_module/2,                    % Ref, Module: the body of the clause is text of Module
    passing/0,                          % what comes into being goes with the step
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
    may_pass(Name, Arity),
    whole(hb_store:declare_new(Name, Arity, Ball)),
    (   var(Ball)
    ->  true
    ;   throw(Ball)
    ).

%   declare_new(+Name, +Arity, -Ball): Ball is why it cannot be declared; then
%   nothing has changed.

declare_new(Name, Arity, Ball) :-
    catch(dynamic(knowledge_base:Name/Arity), Ball, true),
    (   nonvar(Ball)
    ->  true
    ;   assertz(own(Name, Arity)),
        assertz(new(Name, Arity)),
        note_private(Name, Arity),
        note_flat_declared(Name, Arity),
        (   private(_, _, Arity, Name)
        ->  true                        % clause/2 says whose it is
        ;   functor(Head, Name, Arity),
            assertz(verbatim(Head))
        ),
        (   class(Name, Arity, _),
            \+ passing
        ->  meanings_changed
        ;   true
        )
    ).

%!  let_pass is det.
%!  let_stay is det.
%!  passes is semidet.
%
%   From now on predicates that come into being go with the step; or stay, as they do in general.  passes/0: they go.

let_pass :-
    (   passing
    ->  true
    ;   assertz(passing)
    ).

let_stay :-
    retractall(passing).

passes :-
    passing.

%   may_pass(+Name, +Arity): a predicate that goes again may be called by what was translated while
%   it was there: that must then call nothing of the system's.  Clauses of the book go on to call a library.

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
%   Clauses that are there may call another predicate than they were translated to call.

meanings_changed :-
    (   shadowed
    ->  true
    ;   assertz(shadowed)
    ).

%!  check_undeclared(+Name, +Arity) is det.
%!  undeclare(+Name, +Arity) is det.
%
%   Name/Arity is not known any more.  Where the name means something of the
%   system's, clauses and open queries that were translated to call the
%   user's would now call that; and tabling cannot be taken from a predicate
%   alone: only a new engine forgets these.
%
%   @error permission_error, of check_undeclared/2, where it is one of these.

check_undeclared(Name, Arity) :-
    (   class(Name, Arity, _)
    ;   tabled(Name, Arity)
    ),
    !,
    format(string(Message), "~q stays known to this engine.", [Name/Arity]),
    throw(error(hornbook(message(permission_error, Message)), _)).
check_undeclared(_, _).

undeclare(Name, Arity) :-
    forget_predicate(Name, Arity),
    retractall(new(Name, Arity)),
    forget_private(Name, Arity),
    (   own(Name, Arity)
    ->  drop(Name, Arity)
    ;   true
    ).

%!  new(?Name, ?Arity) is nondet.
%!  declared(-PIs) is det.
%!  none_declared is det.
%
%   PIs are the new predicates, those declared since the last call of
%   none_declared/0.

declared(PIs) :-
    findall(Name/Arity, new(Name, Arity), PIs).

none_declared :-
    retractall(new(_,_)).

%!  check_head(+Head, -Name, -Arity) is det.
%
%   Head may be the head of a clause of the user's.

check_head(Head, Name, Arity) :-
    callable(Head),
    functor(Head, Name0, Arity0),
    private(_, Plain, Arity0, Name0),
    !,
    functor(PlainHead, Plain, Arity0),
    check_name(PlainHead, Plain, Arity0),
    (   own(Name0, Arity0)
    ->  changeable(Name0, Arity0)
    ;   true
    ),
    Name = Name0,
    Arity = Arity0.
check_head(Head, _, _) :-
    nonvar(Head),
    no_clause(Head, Message),
    !,
    throw(error(hornbook(message(permission_error, Message)), _)).
check_head(Head, Name, Arity) :-
    callable(Head),
    !,
    functor(Head, Name, Arity),
    (   own(Name, Arity)
    ->  changeable(Name, Arity)
    ;   check_name(Head, Name, Arity)
    ).
check_head(Head, _, _) :-
    var(Head),
    !,
    throw(error(instantiation_error, _)).
check_head(Head, _, _) :-
    throw(error(type_error(callable, Head), _)).

%   check_name(+Head, +Name, +Arity): the user may have a predicate of this name.

check_name(Head, Name, Arity) :-
    most_arguments(Arity),
    (   hook(Name, Arity)
    ->  throw(error(permission_error(modify, hook, Name/Arity), _))
    ;   redefinable(Name, Arity)
    ->  true
    ;   meant_instead(Head, Said)
    ->  throw(error(permission_error(modify, static_procedure, Name/Arity), context(_, Said)))
    ;   throw(error(permission_error(modify, static_procedure, Name/Arity), _))
    ).

%   no_clause(+Head, -Message): what people write where they mean clauses.

no_clause((Head,_), "`: -` is not an operator: write `:-` without a space.") :-
    subsumes_term(_ : -(_), Head),
    !.
no_clause((_,_), "This is a conjunction, not a clause: end each fact with a period, as in `x(1). y(2).`; a rule has one head.").
no_clause((_;_), "This is a disjunction, not a clause: write a rule, as in `a :- b ; c.`").
no_clause((_->_), "This is an if-then, not a clause: write a rule, as in `a :- b, c.`").
no_clause([Code|_], "This is text in back quotes, not a clause: leave out the back quotes, and what Markdown has around code.") :-
    integer(Code),
    !.
no_clause([_|_], "This is a list, not a clause: end each fact with a period, as in `a. b.`, or name it, as in `p([a,b]).`").

%   SWI-Prolog declares what it then gives no clauses.

most_arguments(Arity) :-
    (   Arity =< 1024
    ->  true
    ;   throw(error(representation_error(max_procedure_arity), _))
    ).

%   meant_instead(+Head, -Said): what changes the facts of a capability; what to
%   write for a predicate indicator as a clause.

meant_instead(Head, Said) :-
    functor(Head, Name, Arity),
    hb_capability:given(Name, Arity, Said),
    !.
meant_instead(_ = _, 'a predicate gives its result in an argument, as in `double(X, Y) :- Y is 2*X.`').
meant_instead(_ is _, 'a predicate gives its result in an argument, as in `double(X, Y) :- Y is 2*X.`').
meant_instead(\+ _, 'what does not hold is not written down: what cannot be proved is false').
meant_instead(Indicator, Said) :-
    compound(Indicator),
    compound_name_arguments(Indicator, Operator, [Name,Arity]),
    ( Operator == (/) ; Operator == (//) ),
    atom(Name),
    integer(Arity),
    !,
    format(atom(Said), "to declare a predicate write `:- dynamic ~q.`", [Indicator]).

%!  may_be_head(+Name, +Arity) is semidet.
%
%   check_head/3 has nothing against Name/Arity.

may_be_head(Name, Arity) :-
    functor(Head, Name, Arity),
    catch(check_head(Head, _, _), error(_, _), fail).

%!  check_given(+Head) is det.
%
%   Nothing that code could take out is a fact of a capability.
%
%   @error permission_error(modify, static_procedure, Name/Arity)

check_given(Head) :-
    functor(Head, Name, Arity),
    (   class(Name, Arity, offered(_)),
        \+ own(Name, Arity),
        hb_capability:given(Name, Arity, Said)
    ->  throw(error(permission_error(modify, static_procedure, Name/Arity), context(_, Said)))
    ;   true
    ).

%!  changeable(+Name, +Arity) is det.
%
%   @error permission_error(modify, static_procedure, Name/Arity)

changeable(Name, Arity) :-
    (   fixed(Name, Arity)
    ->  throw(error(permission_error(modify, static_procedure, Name/Arity), _))
    ;   true
    ).

%!  store(+Head, +Body, +Id, +Place, -Ref) is det.
%
%   Add a clause whose Body is translated, at Place (first or last); or hb_store:single_sided(Neck, Body) for a
%   rule with `=>`, which is no translation of anything: the sandbox names this module in none.

store(Head, Body, Id, Place, Ref) :-
    functor(Head, Name, Arity),
    (   own(Name, Arity)
    ->  New = false
    ;   New = true,
        declare(Name, Arity)            % before: else it is compiled as static
    ),
    place(Place, Head, Body, Ref, Ball),
    (   var(Ball)
    ->  surely(give_id(Ref, Id)),
        note_module(Ref, Head, Body)
    ;   (   New == true
        ->  surely(( drop(Name, Arity), retract(new(Name, Arity)) ))
        ;   true
        ),
        throw(Ball)
    ).

%   note_module(+Ref, +Head, +Body): the clause is text of the context, and its goals are looked at again as such.

note_module(Ref, Head, Body) :-
    (   context(Module),
        ( Body \== true ; compound(Head), compound_name_arity(Head, test, _) )
    ->  assertz(clause_module(Ref, Module))
    ;   true
    ).

%!  clause_module(?Ref, ?Module) is nondet.
%
%   The body of the clause Ref is text of Module.

%!  place(+Place, +Head, +Body, -Ref, -Ball) is det.
%!  give_id(+Ref, +Id) is det.
%
%   Ball is why the clause is refused; then nothing has changed.

place(Place, Head, Body, Ref, Ball) :-
    (   Body = hb_store:single_sided(Neck, Body1)
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
    ->  assertz(neck(Ref, Neck))
    ;   true
    ).

%   judge_verbatim(+Head, +Body): a clause of the predicate of Head gets Body, as place/5 has it.

judge_verbatim(Head, Body) :-
    (   verbatim(Head),
        \+ ( Body \= hb_store:single_sided(_, _),
             as_called(Body, Called),
             Called == Body )
    ->  functor(Head, Name, Arity),
        functor(General, Name, Arity),
        retract(verbatim(General))
    ;   true
    ).

place_clause(last, Clause, Ref) :-
    assertz(knowledge_base:Clause, Ref).
place_clause(first, Clause, Ref) :-
    asserta(knowledge_base:Clause, Ref).

give_id(Ref, Id) :-
    assertz(ref(Ref, Id)).

%!  give_all_ids is det.
%
%   All clauses have their ids as with_id/2 finds them.

give_all_ids :-
    forall(( own(Name, Arity),
             functor(Head, Name, Arity),
             clause(knowledge_base:Head, true, Ref),
             fact_id(Ref, Id),
             \+ ref(Ref, _)
           ),
           give_id(Ref, Id)).

%!  stored(?Head, -Body, -Ref) is nondet.
%
%   Body as it was written.  Head is callable.

stored(Head, Body, Ref) :-
    stored_safe(Head, Safe, Ref),
    as_written(Safe, Written),
    Body = Written.                     % a goal that this wakes finds all done

%!  stored_safe(?Head, -Safe, -Ref) is nondet.
%
%   Safe is the body as it is translated.

stored_safe(Head, Safe, Ref) :-
    functor(Head, Name, Arity),
    own(Name, Arity),
    clause(knowledge_base:Head, Safe, Ref).

%!  verbatim(+Head) is semidet.
%
%   True when what the database has of each clause of the predicate of Head, a callable term, is what people wrote:
%   clause/2 needs no look at its bodies.  What is known of a predicate is not known better when a clause goes.

%!  id_of(+Ref, -Id) is semidet.
%
%   Id of the clause Ref.

id_of(Ref, Id) :-
    (   ref(Ref, Id0)
    ->  Id = Id0
    ;   fact_id(Ref, Id)
    ).

%!  with_id(?Id, ?Ref) is nondet.
%
%   The clause Ref was given Id; no fact that has its id in itself.

with_id(Id, Ref) :-
    ref(Ref, Id).

%!  id_count(-Count) is det.
%
%   So many clauses were given ids one by one.

id_count(Count) :-
    predicate_property(ref(_,_), number_of_clauses(Count)).

%!  replace(+Ref, +Head, +Body) is det.
%
%   Put a clause at the end of its predicate in the place of Ref, with the
%   same id.

replace(Ref, Head, Body) :-
    id_of(Ref, Id),
    retractall(ref(Ref, _)),
    (   retract(neck(Ref, Neck))
    ->  Stored = hb_store:single_sided(Neck, Body)
    ;   Stored = Body
    ),
    (   retract(clause_module(Ref, Module))
    ->  true
    ;   Module = user
    ),
    erase(Ref),
    in_module(Module, store(Head, Stored, Id, last, _)).

%!  forget_ref(+Ref) is det.
%!  forget_id(+Id) is semidet.
%
%   A clause goes.

forget_ref(Ref) :-
    retractall(ref(Ref, _)),
    retractall(neck(Ref, _)),
    retractall(clause_module(Ref, _)),
    erase(Ref).

forget_id(Id) :-
    retract(ref(Ref, Id)),
    !,
    retractall(neck(Ref, _)),
    retractall(clause_module(Ref, _)),
    erase(Ref).

%!  forget_predicate(+Name, +Arity) is det.
%
%   All clauses of Name/Arity go.

forget_predicate(Name, Arity) :-
    forget_facts(Name, Arity),
    functor(Head, Name, Arity),
    forall(( own(Name, Arity), clause(knowledge_base:Head, _, Ref) ),
           forget_ref(Ref)).

%!  forget_all is det.
%
%   Everything of the user's goes.

forget_all :-
    abolish_all_tables,
    leave_libraries,
    hb_chr:forget_all_rules,
    forall(own(Name, Arity), drop(Name, Arity)),
    retractall(ref(_,_)),
    retractall(neck(_,_)),
    retractall(clause_module(_,_)),
    forget_facts,
    retractall(new(_,_)),
    retractall(fixed(_,_)),
    forget_names,
    forget_units,
    forget_operators,
    retractall(shadowed).

%!  drop(+Name, +Arity) is det.
%
%   The opposite of declare/2, its clauses go too.  Nothing that was translated
%   since may be left.

drop(Name, Arity) :-
    (   retract(tabled(Name, Arity))
    ->  untable(knowledge_base:Name/Arity)
    ;   true
    ),
    abolish(knowledge_base:Name/Arity),
    functor(Head, Name, Arity),
    retractall(verbatim(Head)),
    forget_private(Name, Arity),
    retract(own(Name, Arity)).

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
    surely('$tabling':table(knowledge_base:Spec)),
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
