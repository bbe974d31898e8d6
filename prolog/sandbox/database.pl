:- module(hb_database,
          [ safe_assert/1, safe_assertz/1, safe_asserta/1, safe_retract/1, safe_retractall/1, safe_clause/2,
            clause_pattern/4,           % +Pattern, -Module, -Head, -Body
            stored_in/4                 % +Module, ?Head, -Body, -Ref
          ]).
:- use_module(policy).
:- use_module(sandbox).
:- use_module('../store/store').
:- use_module('../store/heads').
:- use_module('../store/step').
:- use_module('../store/restrictions').
:- use_module('../store/untracked').
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
