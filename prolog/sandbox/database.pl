:- module(hb_database,
          [ safe_assert/1, safe_assertz/1, safe_asserta/1, safe_retract/1, safe_retractall/1, safe_clause/2,
            safe_assert/2, safe_asserta/2, safe_assertz/2, safe_clause/3, safe_nth_clause/3,
            clause_pattern/4,           % +Pattern, -Module, -Head, -Body
            stored_in/4,                % +Module, ?Head, -Body, -Ref
            referred_clause/2,          % +Reference, -Clause
            erase_clause/1              % +Reference
          ]).
:- use_module(policy).
:- use_module(sandbox).
:- use_module('../store/store').
:- use_module('../store/heads').
:- use_module('../store/step').
:- use_module('../store/references').
:- use_module('../store/restrictions').
:- use_module('../store/untracked').
:- use_module('../store/facts', [fact_with_id/2]).
:- use_module('../functor').

/** <module> Clauses that untrusted code adds, takes out and reads

hb_policy:class/3 sends a call of p/n here, by way of hb_builtins, as safe_p/n.
*/

%   In loops that change clauses, most goals take the first clause of these: every goal before it costs time.

safe_assert(Clause) :- safe_assertz(Clause).

safe_assertz(Clause) :-
    nonvar(Clause),
    untracked_fact(Clause),
    !,
    assertz(knowledge_base:Clause).
safe_assertz(Clause) :-
    nonvar(Clause),
    recorded_fact(Clause),
    !,
    store_fact(Clause, last).
safe_assertz(Clause) :-
    store_run(Clause, last).

safe_asserta(Clause) :-
    nonvar(Clause),
    untracked_fact(Clause),
    !,
    asserta(knowledge_base:Clause).
safe_asserta(Clause) :-
    nonvar(Clause),
    recorded_fact(Clause),
    !,
    store_fact(Clause, first).
safe_asserta(Clause) :-
    store_run(Clause, first).

safe_retract(Fact) :-
    nonvar(Fact),
    untracked(Fact),
    term_attvars(Fact, []),
    !,
    clause(knowledge_base:Fact, true, Ref),
    forget_fact(Fact, Ref).             % when it comes back, the changes of the predicate may be recorded
safe_retract(Clause) :-
    term_attvars(Clause, Waiting),
    (   Waiting == []
    ->  taken_out(Clause)
    ;   copy_term_nat(Clause, Copy),    % what waits for a variable runs when the clause is gone
        taken_out(Copy),
        Clause = Copy
    ).

taken_out(Fact) :-
    nonvar(Fact),
    recorded_soon(Fact),
    !,
    clause(knowledge_base:Fact, true, Ref),
    forget_fact(Fact, Ref).
taken_out(Clause) :-
    clause_pattern(Clause, Module, Head, Body),
    check_given(Head),
    stored_in(Module, Head, Body, Ref),
    forget(Head, Ref).

%!  stored_in(+Module, ?Head, -Body, -Ref) is nondet.
%
%   The clause Ref of the predicate of Head has the Body, text of Module.

stored_in(user, Head, Body, Ref) :-
    !,
    stored(Head, Body, Ref).
stored_in(Module, Head, Body, Ref) :-
    stored_safe(Head, Safe, Ref),
    in_module(Module, as_written(Safe, Written)),
    Body = Written.

safe_retractall(Head) :-
    nonvar(Head),
    untracked(Head),
    !,
    retractall(knowledge_base:Head).
safe_retractall(Waiting) :-
    must_be_open,
    copy_term_nat(Waiting, Head0),
    without_body(Head0, Head1),
    run_head(user, Head1, Head),
    check_head(Head, Name, Arity),
    declare(Name, Arity),
    (   general(Head),
        all_go(Name, Arity)
    ->  retractall(knowledge_base:Head)
    ;   \+ \+ ( stored(Head, _, Ref),
               forget(Head, Ref),
               untracked(Head)          % from now on; the rest is that of Head as it was given
             )
    ->  retractall(knowledge_base:Head)
    ;   true
    ).

general(Head) :-
    compound(Head),
    compound_name_arguments(Head, _, Arguments),
    term_variables(Arguments, Variables),
    Arguments == Variables,
    term_attvars(Arguments, []).

without_body(Pattern, _) :-
    var(Pattern),
    !,
    throw(error(instantiation_error, _)).
without_body(Module:Pattern, Module:Head) :-
    !,
    without_body(Pattern, Head).
without_body((Head0:-_), Head) :-
    !,
    without_body(Head0, Head).
without_body(Head, Head) :-
    (   callable(Head)
    ->  true
    ;   throw(error(type_error(callable, Head), _))
    ).

%   Meta-interpreters call this at each step, mostly with the plain head of a user predicate.  Every
%   goal before clause/2 costs time.

safe_clause(Head, Body) :-
    nonvar(Head),
    var(Body),
    verbatim(Head),
    !,
    clause(knowledge_base:Head, Body).
safe_clause(Head, Body) :-
    name_arity(Head, Name, Arity),
    own(Name, Arity),
    \+ private(_, _, Arity, Name),
    !,
    clause_of(user, Head, Body).
safe_clause(Head, Body) :-
    nonvar(Head),
    Head = [_|_],                       % no predicate of this name has clauses
    !,
    check_body(Body),
    fail.
safe_clause(Head0, Body) :-
    clause_pattern(Head0, Module, Head, _),
    check_body(Body),
    term_functor(Head, Name, Arity),
    (   own(Name, Arity)
    ->  clause_of(Module, Head, Body)
    ;   class(Name, Arity, _),
        throw(error(permission_error(access, private_procedure, Name/Arity), _))
    ).

%   clause_of(+Module, +Head, -Body) is nondet: Body is text of Module.

clause_of(user, Head, Body) :-
    !,
    check_body(Body),
    clause(knowledge_base:Head, Safe),
    as_called(Safe, Called),
    Body = Called.                      % last, because it may wake a goal
clause_of(Module, Head, Body) :-
    check_body(Body),
    clause(knowledge_base:Head, Safe),
    in_module(Module, as_called(Safe, Called)),
    Body = Called.

check_body(Body) :-
    (   var(Body)
    ->  true
    ;   callable(Body)
    ->  true
    ;   throw(error(type_error(callable, Body), _))
    ).

%!  clause_pattern(+Pattern, -Module, -Head, -Body) is det.
%
%   Pattern is of clauses with Head, which is the engine's, and Body, text of Module.
%
%   @error permission_error(access, module, Module) if Pattern names a module that is not the user's.

clause_pattern(Pattern, Module, Head, Body) :-
    clause_pattern(Pattern, user, Module, Head, Body).

clause_pattern(Pattern, _, _, _, _) :-
    var(Pattern),
    !,
    throw(error(instantiation_error, _)).
clause_pattern(Named:Pattern, _, Module, Head, Body) :-
    !,
    home_module(Named),
    module_of(Named, Module0),
    clause_pattern(Pattern, Module0, Module, Head, Body).
clause_pattern((Head0:-Body), Module0, Module, Head, Body) :-
    !,
    clause_pattern(Head0, Module0, Module, Head, true).
clause_pattern(Head0, Module, Module, Head, true) :-
    (   callable(Head0)
    ->  called_head(Module, Head0, Head)
    ;   throw(error(type_error(callable, Head0), _))
    ).

                /*******************************
                *          references          *
                *******************************/

%   A reference is that of hb_references.  Whoever guesses one reaches only what clause/2 and retract/1 reach.

safe_assert(Clause, Reference)  :- placed(Clause, last, Reference).
safe_assertz(Clause, Reference) :- placed(Clause, last, Reference).
safe_asserta(Clause, Reference) :- placed(Clause, first, Reference).

placed(Clause, Place, Reference) :-
    (   var(Reference)
    ->  true
    ;   throw(error(uninstantiation_error(Reference),
                    context(_, 'the second argument is the reference of the clause; a rule has parentheses of its own, as in assertz((a(X) :- b(X), c(X)))')))
    ),
    store_run(Clause, Place),
    last_id(Place, Id),
    with_id(Id, Ref),
    clause_reference(Ref, Id, Reference).

safe_clause(Head0, Body, Reference) :-
    check_body(Body),
    (   var(Reference)
    ->  clause_pattern(Head0, Module, Head, _),
        of_predicate(Head),
        clause(knowledge_base:Head, Safe, Ref),
        reference(Ref, Reference)
    ;   referred(Reference, _, Engine, Safe),
        pattern_module(Head0, user, Module, Plain),
        in_module(Module, seen_goal(Engine, Plain))
    ),
    in_module(Module, as_called(Safe, Called)),
    Body = Called.

reference(Ref, Reference) :-
    id_there(Ref, Id),
    clause_reference(Ref, Id, Reference).

%   of_predicate(+Head) is semidet: Head is of a predicate of the user's, and from now on each of its clauses has an id.

of_predicate(Head) :-
    term_functor(Head, Name, Arity),
    (   own(Name, Arity)
    ->  record_each(Name, Arity)
    ;   class(Name, Arity, _)
    ->  throw(error(permission_error(access, private_procedure, Name/Arity), _))
    ).

%   pattern_module(@Head0, +Module0, -Module, -Head): Head is Head0 without the modules before it; the last one is Module.

pattern_module(Head0, Module0, Module, Head) :-
    (   nonvar(Head0),
        Head0 = Named:Head1
    ->  home_module(Named),
        module_of(Named, Module1),
        pattern_module(Head1, Module1, Module, Head)
    ;   Module = Module0,
        Head = Head0
    ).

safe_nth_clause(Head0, Number, Reference) :-
    nonvar(Reference),
    !,
    referred(Reference, Ref, Engine, _),
    nth_clause(knowledge_base:_, Number, Ref),
    term_functor(Engine, Name, Arity),
    term_functor(General, Name, Arity),
    pattern_module(Head0, user, Module, Plain),
    in_module(Module, seen_goal(General, Plain)).
safe_nth_clause(Head0, Number, Reference) :-
    clause_pattern(Head0, _, Head, _),
    of_predicate(Head),
    term_functor(Head, Name, Arity),
    term_functor(General, Name, Arity),
    nth_clause(knowledge_base:General, Number, Ref),
    reference(Ref, Reference).

%!  referred_clause(+Reference, -Clause) is semidet.
%
%   Clause is Head:-Body, as text without a header has it.  Fails if the clause is gone.

referred_clause(Reference, (Head:-Body)) :-
    referred(Reference, _, Engine, Safe),
    in_module(user, hb_database:seen_clause(Engine, Safe, Head, Body)).

seen_clause(Engine, Safe, Head, Body) :-
    seen_goal(Engine, Head),
    as_called(Safe, Body).

%!  erase_clause(+Reference) is semidet.
%
%   Fails if the clause is gone.

erase_clause(Reference) :-
    referred(Reference, Ref, Head, _),
    forget(Head, Ref).

%   referred(+Reference, -Ref, -Head, -Safe) is semidet: Reference is that of the clause Ref, which is there, with the
%   engine's Head and the translated body Safe.

referred(Reference, Ref, Head, Safe) :-
    reference_id(Reference, Id),
    clause_there(Id, Ref0, Name, Arity),
    (   is_untracked(Name, Arity)       % then the id of a clause that is gone may still be there
    ->  record_each(Name, Arity),
        clause_there(Id, Ref, Name, Arity)
    ;   Ref = Ref0
    ),
    reference_of(Reference, Ref),
    clause(knowledge_base:Head, Safe, Ref).

clause_there(Id, Ref, Name, Arity) :-
    (   with_id(Id, Ref0)
    ->  true
    ;   fact_with_id(Id, Ref0)
    ),
    Ref = Ref0,
    clause(knowledge_base:Head, _, Ref),
    term_functor(Head, Name, Arity),
    own(Name, Arity).
