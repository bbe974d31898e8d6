:- module(hb_clauses,
          [ add_term/5,                 % +Term, +Place, +Scope, +Id, -Added
            is_value/1,                 % @Term
            refuse_value/1,             % @Term
            single_sided/5,             % +Head0, +Body0, -Head, -Neck, -Body
            retranslate_shadowed/0,
            retranslate/1,              % +PI
            retract_text/2,             % +Text, -Id
            remove/1                    % +Ids
          ]).
:- use_module(library(ordsets), [ord_subtract/3]).
:- use_module(library(pairs), [pairs_keys/2]).
:- use_module(reader).
:- use_module(directives).
:- use_module('../sandbox/policy').
:- use_module('../sandbox/sandbox').
:- use_module('../store/store').
:- use_module('../store/facts').
:- use_module('../store/operators').
:- use_module('../limits').

/** <module> User clauses, added and removed

Works on one clause at a time, translated by the sandbox.  A list of ids is
written as runs, First-Count.
*/

%!  add_term(+Term, +Place, +Scope, +Id, -Added) is det.
%
%   Add the clause Term, or carry out the directive Term, read in Scope at Place,
%   Text-Start.  Added is added(Kind, Name, Arity), or as for directive/5.

add_term(Term, _, _, _, _) :-
    is_value(Term),
    !,
    refuse_value(Term).
add_term((:- Directive), Place, Scope, Id, Added) :-
    !,
    directive(Directive, Place, Scope, Id, Added).
add_term((?- _), _, _, _, _) :-
    !,
    throw(error(hornbook(message(permission_error,
                                 "A query is not a clause: ask its goal as a query.")), _)).
add_term(Term, _, Scope, Id, added(d, Name, 2)) :-
    hb_policy:used(chr, _),
    hb_chr:is_rule(Term, Scope),
    !,
    compound_name_arity(Term, Name, 2),
    hb_chr:add_rule(Term, Id).
add_term(Named:Rule, Place, Scope, Id, Added) :-
    rule(Rule),
    !,
    home_module(Named),
    module_of(Named, Module),
    in_module(Module, hb_clauses:add_term(Rule, Place, Scope, Id, Added)).
add_term((Head0 => Body), _, _, Id, added(r, Name, Arity)) :-
    !,
    single_sided(Head0, Body, Head1, Neck, Body1),
    new_head(Head1, Id, Head),
    check_head(Head, Name, Arity),
    in_clause(Head, hb_clauses:safe_clause_body(Body1, Safe)),
    store(Head, hb_store:single_sided(Neck, Safe), Id, last, _).
add_term((Head --> Body), _, _, Id, added(g, Name, Arity)) :-
    !,
    dcg_translate_rule((Head --> Body), (Head1 :- Body1)),
    add_clause(Head1, Body1, Id, Name, Arity).
add_term((Head :- Body), _, _, Id, added(r, Name, Arity)) :-
    !,
    add_clause(Head, Body, Id, Name, Arity).
add_term(Head, _, _, Id, added(f, Name, Arity)) :-
    add_clause(Head, true, Id, Name, Arity).

%!  is_value(@Term) is semidet.
%!  refuse_value(@Term) is det.
%
%   Term, read in place of a clause, is a variable, a number, a string or a dict.
%
%   @error type_error from refuse_value/1.

is_value(Term) :-
    (   \+ callable(Term)
    ->  true
    ;   is_dict(Term)
    ).

refuse_value(Term) :-
    (   var(Term)
    ->  Said = "This is a variable, not a clause: the name of a predicate begins with a lower-case letter."
    ;   is_dict(Term)
    ->  Said = "This is a dict, not a clause: name it, as in `p(_{a: 1}).`"
    ;   format(string(Said), "This is a value, not a clause: name it, as in `p(~q).`", [Term])
    ),
    throw(error(hornbook(message(type_error, Said)), _)).

%   rule(@Term): Term has a head and a body.

rule(Term) :-
    nonvar(Term),
    (   Term = (_ :- _)
    ;   Term = (_ --> _)
    ;   Term = (_ => _)
    ),
    !.

%!  single_sided(+Head0, +Body0, -Head, -Neck, -Body) is det.
%
%   A rule `Head0 => Body0` in the form of the database: with its guard in Body.

single_sided(Head0, Body0, Head, Neck, Body) :-
    (   nonvar(Head0),
        Head0 = (Head,Guard)
    ->  Neck = (?=>),
        Body = (Guard,!,Body0)
    ;   Head = Head0,
        Neck = (=>),
        Body = Body0
    ).

add_clause(Head0, Body0, Id, Name, Arity) :-
    expand_head(Head0, Body0, Head1, Body),
    new_head(Head1, Id, Head),
    check_head(Head, Name, Arity),
    (   Body == true
    ->  Safe = true
    ;   in_clause(Head, hb_clauses:safe_clause_body(Body, Safe))
    ),
    store(Head, Safe, Id, last, _).

%   new_head(+Head0, +Id, -Head): Head is the head of the clause Id in the engine.  Tests belong to
%   a unit, and to no module.

new_head(Head, Id, Head) :-
    compound(Head),
    compound_name_arity(Head, test, Arity),
    ( Arity =:= 1 ; Arity =:= 2 ),
    integer(Id),
    test_unit(Id, _, _),
    !.
new_head(Head0, _, Head) :-
    text_head(Head0, Head).

%   A clause in the book may no longer be allowed, because a user predicate that it
%   calls is gone.  On loading, the clause stays and calling its body throws the refusal.

safe_clause_body(Body, Safe) :-
    catch(safe_body(Body, Safe),
          error(permission_error(Action,Type,Culprit), _),
          Refusal = error(permission_error(Action,Type,Culprit), _)),
    (   var(Refusal)
    ->  true
    ;   nb_current(hb_loading, true)
    ->  await_named(Culprit),
        Safe = hb_checked:translated(Body, throw(Refusal))
    ;   throw(Refusal)
    ).

%   await_named(@Culprit): Culprit was refused while loading the book, but may belong to a module
%   that comes later.

await_named(Culprit) :-
    (   nonvar(Culprit),
        Culprit = Module:_
    ->  await_module(Module)
    ;   true
    ).

%!  retranslate_shadowed is det.
%
%   Translate clauses again if their calls may mean other predicates now: the user has defined a
%   predicate that a library has too, or a library that is loaded by name has come or gone.

retranslate_shadowed :-
    (   retract(shadowed)
    ->  retractall(shadowed),
        forget_stale,
        findall(Name/Arity, own(Name, Arity), PIs),
        forall('$member'(PI, PIs), retranslate(PI)),
        hb_chr:translate_again
    ;   stale(_)
    ->  findall(Name/Arity,
                ( stale(Module),
                  clause_module(Ref, Module),
                  clause(knowledge_base:Head, _, Ref),
                  functor(Head, Name, Arity)
                ),
                PIs0),
        forget_stale,
        sort(PIs0, PIs),
        forall('$member'(PI, PIs), retranslate(PI)),
        hb_chr:translate_again
    ;   true
    ).

%!  retranslate(+PI) is det.
%
%   Translate the clauses of PI again, whose goals may mean other predicates now.

retranslate(Name/Arity) :-
    functor(Head, Name, Arity),
    findall(clause(Head, Old, New, Ref),
            (   clause(knowledge_base:Head, Old, Ref),
                (   clause_module(Ref, Module)
                ->  true
                ;   Module = user
                ),
                in_module(Module, hb_store:in_clause(Head, hb_clauses:translated_again(Old, New)))
            ),
            Clauses),
    (   '$member'(clause(_, Old, New, _), Clauses),
        Old \=@= New
    ->  forall('$member'(clause(H, _, New1, Ref1), Clauses), replace(Ref1, H, New1))
    ;   true
    ).

translated_again(Old, New) :-
    as_written(Old, Written),
    catch(safe_body(Written, New), _, New = Old).

%!  remove(+Ids) is det.
%
%   Remove the entries with the ids of the runs Ids.

remove(Runs) :-
    findall(Id, ( '$member'(First-Count, Runs), Last is First+Count-1, between(First, Last, Id) ), Ids0),
    sort(Ids0, Ids),
    facts_with_ids(Runs, Facts),
    keysort(Facts, Sorted),
    pairs_keys(Sorted, Found),
    ord_subtract(Ids, Found, Others),
    forall('$member'(_-Ref, Facts), forget_ref(Ref)),
    forall('$member'(Id, Others), remove_other(Id)),
    retranslate_shadowed,
    tables_changed.

facts_with_ids([Id-1], Facts) :-
    !,
    (   \+ with_id(Id, _),
        fact_with_id(Id, Ref)
    ->  Facts = [Id-Ref]
    ;   Facts = []
    ).
facts_with_ids(Runs, Facts) :-
    findall(Id-Ref, fact_within(Runs, Id, Ref), Facts).

%   remove_other(+Id): Id is not that of a fact that carries its own id.

remove_other(Id) :-
    (   forget_id(Id)
    ->  true
    ;   leave_library(Id)
    ->  meanings_changed,
        ignore(hb_chr:forget(Id)),
        ignore(forget_operators(Id))
    ;   hb_chr:forget(Id)
    ->  true
    ;   ignore(forget_name(Id)),
        ignore(forget_unit(Id)),
        ignore(forget_operators(Id))
    ).

%!  retract_text(+Text, -Id) is semidet.
%
%   Remove the first clause that unifies with Text, as retract/1 does.  If there is none, try the
%   clauses private to a module, as they appear in its file.

retract_text(Text, Id) :-
    read_query(Text, Term, _),
    in_some_module(Term, Qualified),
    retract_pattern(Qualified, Module, Head, Body),
    check_given(Head),
    stored_safe(Head, Safe, Ref),
    in_module(Module, as_written(Safe, Body)),
    !,
    surely(hb_clauses:take_out(Ref, Id)).

in_some_module(Term, Term).
in_some_module(Term, Module:Plain) :-
    plain_clause(Term, Plain, Head),
    callable(Head),
    functor(Head, Name, Arity),
    private(Module, Name, Arity, _),
    users_module(Module).

%   plain_clause(+Term, -Clause, -Head): Clause is Term as the database stores it.

plain_clause((Head0 --> Body0), (Head :- Body), Head) :-
    !,
    dcg_translate_rule((Head0 --> Body0), (Head :- Body)).
plain_clause((Head :- Body), (Head :- Body), Head) :-
    !.
plain_clause(Head, Head, Head).

take_out(Ref, Id) :-
    id_of(Ref, Id),
    forget_ref(Ref),
    tables_changed.

%   retract_pattern(+Term, -Module, -Head, -Body): Head is the engine's head, Body is text of Module.

retract_pattern((Head0 --> Body0), Module, Head, Body) :-
    !,
    dcg_translate_rule((Head0 --> Body0), (Head1 :- Body)),
    hb_builtins:clause_pattern(Head1, Module, Head, _).
retract_pattern(Term, Module, Head, Body) :-
    hb_builtins:clause_pattern(Term, Module, Head, Body).
