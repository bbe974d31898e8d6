:- module(hb_clauses,
          [ add_term/5,                 % +Term, +Place, +Scope, +Id, -Added
            is_value/1,                 % @Term
            refuse_value/1,             % @Term
            text_clause/3,              % +Term, +Id, -Clause
            stored_body/3,              % +Clause, -Safe, -Stored
            retranslate_shadowed/0,
            retranslate/1,              % +PI
            retract_text/2,             % +Text, -Id
            remove/1                    % +Ids
          ]).
:- use_module('../grammar_rule', [grammar_rule/2]).
:- use_module('../functor').
:- use_module(library(ordsets), [ord_subtract/3]).
:- use_module(library(pairs), [pairs_keys/2]).
:- use_module(reader).
:- use_module(directives).
:- use_module('../sandbox/policy').
:- use_module('../sandbox/sandbox').
:- use_module('../store/store').
:- use_module('../store/heads').
:- use_module('../store/facts').
:- use_module('../store/operators').
:- use_module('../store/code').
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
    hb_chr_rules:is_rule(Term, Scope),
    !,
    compound_name_arity(Term, Name, 2),
    hb_chr_rules:add_rule(Term, Id).
add_term(Term, _, _, Id, added(Kind, Name, Arity)) :-
    text_clause(Term, Id, Clause),
    Clause = clause(Kind, Module, _, Head, Written),
    check_head(Head, Name, Arity),
    check_by_hand(Head),
    stored_body(Clause, _, Stored),
    in_module(Module, store(Head, Stored, Written, Id, last, _)).

%!  text_clause(+Term, +Id, -Clause) is det.
%
%   What Term, read as the entry Id in text of the context, is as a clause:
%
%       clause(Kind, Module, Neck, Head, Body)
%
%   Kind is `f` for a fact, `r` for a rule, `g` for a rule of a grammar.  Neck is (:-), or that of a rule with
%   `=>` in the database.  Head is that of the engine; Body is not translated, and is text of Module.

text_clause(Named:Rule, Id, Clause) :-
    rule(Rule),
    !,
    home_module(Named),
    module_of(Named, Module),
    in_module(Module, hb_clauses:text_clause(Rule, Id, Clause)).
text_clause((Head0 => Body0), Id, clause(r, Module, Neck, Head, Body)) :-
    !,
    single_sided(Head0, Body0, Head1, Neck, Body),
    new_head(Head1, Id, Head),
    here(Module).
text_clause((Head0 --> Body0), Id, clause(g, Module, (:-), Head, Body)) :-
    !,
    grammar_rule((Head0 --> Body0), (Head1 :- Body1)),
    text_parts(Head1, Body1, Id, Module, Head, Body).
text_clause(Method, Id, clause(r, Module, (:-), Head, Body)) :-
    ( Method = (Head0 :- Body0) -> true ; Head0 = Method, Body0 = true ),
    dict_method(Head0, Body0, Head1, Body1),
    !,
    text_parts(Head1, Body1, Id, Module, Head, Body).
text_clause((Head0 :- Body0), Id, clause(r, Module, (:-), Head, Body)) :-
    !,
    text_parts(Head0, Body0, Id, Module, Head, Body).
text_clause(Head0, Id, clause(f, Module, (:-), Head, Body)) :-
    text_parts(Head0, true, Id, Module, Head, Body).

text_parts(Head0, Body0, Id, Module, Head, Body) :-
    expand_head(Head0, Body0, Head1, Body1),
    new_head(Head1, Id, Head),
    (   acyclic_term(Body1)
    ->  expand_functions(Body1, Body)
    ;   Body = Body1                    % refused later
    ),
    here(Module).

%!  stored_body(+Clause, -Safe, -Stored) is det.
%
%   Safe is the translated body of Clause, as text_clause/3 gives it; Stored is Safe in the form of store/6.

stored_body(clause(_, Module, Neck, Head, Body), Safe, Stored) :-
    (   Body == true
    ->  Safe = true
    ;   in_module(Module, as_if_private(Head, in_clause(Head, hb_clauses:safe_clause_body(Body, Safe))))
    ),
    with_neck(Neck, Safe, Stored).

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
    (   nb_current(hb_loading, true)
    ->  safe_or_refused(Body, Safe)
    ;   safe_body(Body, Safe)
    ).

safe_or_refused(Body, Safe) :-
    catch(safe_body(Body, Safe),
          error(permission_error(Action,Type,Culprit), _),
          Safe = hb_checked:translated(Body, throw(error(permission_error(Action,Type,Culprit), _)))).

%!  retranslate_shadowed is det.
%
%   Translate clauses again if their calls may mean other predicates now: the user has defined a
%   predicate that a library has too, or a library that is loaded by name has come or gone.

retranslate_shadowed :-
    check_names,
    (   retract(shadowed)
    ->  retractall(shadowed),
        forget_stale,
        findall(Name/Arity, own(Name, Arity), PIs),
        forall('$member'(PI, PIs), retranslate(PI)),
        hb_chr_rules:translate_again
    ;   stale(_)
    ->  findall(Name/Arity,
                ( stale(Module),
                  clause_naming(Module, Ref),
                  clause(knowledge_base:Head, _, Ref),
                  term_functor(Head, Name, Arity)
                ),
                PIs0),
        forget_stale,
        sort(PIs0, PIs),
        forall('$member'(PI, PIs), retranslate(PI)),
        hb_chr_rules:translate_again
    ;   true
    ).

%!  retranslate(+PI) is det.
%
%   Translate the clauses of PI again, whose goals may mean other predicates now.

retranslate(Name/Arity) :-
    term_functor(Head, Name, Arity),
    (   predicate_property(knowledge_base:Head, number_of_rules(0))
    ;   link(_, Name, Arity, _)
    ),
    !.
retranslate(Name/Arity) :-
    term_functor(Head, Name, Arity),
    findall(clause(Head, Old, New, Ref),
            (   clause(knowledge_base:Head, Old, Ref),
                (   Old == true
                ->  New = Old
                ;   clause_text_of(Ref, Head, Old, Module, Written),
                    in_module(Module, in_clause(Head, hb_clauses:translated_again(Written, Old, New)))
                )
            ),
            Clauses),
    (   '$member'(clause(_, Old, New, _), Clauses),
        \+ same_code(Old, New)
    ->  forall('$member'(clause(H, _, New1, Ref1), Clauses), replace(Ref1, H, New1))
    ;   true
    ).

translated_again(Written, Old, New) :-
    catch(safe_or_refused(Written, New), error(_, _), New = Old).

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
    ->  ignore(forget_link(Id))
    ;   leave_library(Id)
    ->  meanings_changed,
        ignore(hb_chr_rules:forget(Id)),
        ignore(forget_operators(Id))
    ;   hb_chr_rules:forget(Id)
    ->  true
    ;   ignore(forget_name(Id)),
        ignore(forget_unit(Id)),
        ignore(forget_constraint(Id)),
        ignore(forget_operators(Id))
    ).

%!  retract_text(+Text, -Id) is semidet.
%
%   Remove the first clause that unifies with Text, as retract/1 does.  If there is none, try the
%   clauses private to a module, as they appear in its file.

retract_text(Text, Id) :-
    read_query(Text, Term, _),
    (   hb_policy:used(chr, _),
        nonvar(Term),
        hb_chr_rules:is_rule(Term, user)
    ->  uninterrupted(hb_chr_rules:retract_rule(Term, Id))
    ;   retract_clause(Term, Id)
    ).

retract_clause(Term, Id) :-
    in_some_module(Term, Qualified),
    retract_pattern(Qualified, Module, Head, Body),
    check_given(Head),
    stored_safe(Head, Safe, Ref),
    in_module(Module, as_written(Safe, Body)),
    !,
    uninterrupted(hb_clauses:take_out(Ref, Id)).

in_some_module(Term, Term).
in_some_module(Term, Module:Plain) :-
    plain_clause(Term, Plain, Head),
    callable(Head),
    term_functor(Head, Name, Arity),
    private(Module, Name, Arity, _),
    users_module(Module).

%   plain_clause(+Term, -Clause, -Head): Clause is Term as the database stores it.

plain_clause((Head0 --> Body0), (Head :- Body), Head) :-
    !,
    grammar_rule((Head0 --> Body0), (Head :- Body)).
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
    grammar_rule((Head0 --> Body0), (Head1 :- Body)),
    hb_database:clause_pattern(Head1, Module, Head, _).
retract_pattern(Term, Module, Head, Body) :-
    hb_database:clause_pattern(Term, Module, Head, Body).
