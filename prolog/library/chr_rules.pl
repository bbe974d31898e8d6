:- module(hb_chr_rules,
          [ operators/1,                % -Operators
            is_rule/2,                  % +Term, +Scope
            check_rule/1,               % +Term
            add_rule/2,                 % +Term, +Id
            retract_rule/2,             % +Term, -Id
            declare_constraints/2,      % +Spec, +Id
            forget/1,                   % +Id
            forget_all_rules/0,
            translate_again/0,
            declared/4,                 % ?Id, ?Name, ?Arity, -Key
            occurs/3,                   % +Name, +Arity, -Occurrences
            occurrence/7                % ?RuleId, ?Nth, -Head, -Kind, -Partners, -Guard, -Body
          ]).
:- use_module('../functor').
:- use_module('../sandbox/policy').
:- use_module('../sandbox/sandbox').
:- use_module(library(lists)).
:- use_module(library(pairs), [pairs_keys_values/3]).

/** <module> The rules of library(chr) that the book has

Each is an entry of the book like any other.  What `hb_chr` needs of it is kept for each of its heads.
*/

:- op(1180, xfx, ==>).
:- op(1180, xfx, <=>).
:- op(1200, xfx, @).
:- op(1100, xfx, \).
:- op(500, yfx, #).

:- dynamic
    rule/7,                             % Id, Name, Kept, Removed, Guard, Body (translated), Guard0-Body0
    declared/4,                         % Id, Name, Arity, Key: the variable with its constraints
    occurs/3,                           % Name, Arity, [RuleId-Nth]
    occurrence/7.                       % RuleId, Nth, Head, Kind, Partners, Guard, Body

%   operators(-Operators): the operators that library(chr) exports, and that of modes in its declarations.

operators([ op(1180, xfx, ==>), op(1180, xfx, <=>), op(1200, xfx, @), op(1190, xfx, pragma), op(1100, xfx, \),
            op(500, yfx, #), op(200, fy, ?), op(1150, fx, chr_constraint), op(1150, fx, constraints), op(1150, fx, chr_type),
            op(1150, fx, chr_option), op(1150, fx, handler), op(1150, fx, rules), op(1130, xfx, --->) ]).

%   is_rule(+Term, +Scope): Term is a rule.  It was read where library(chr) is loaded, or is inline
%   text, which the book keeps without operators, or it is about constraints, as in a snapshot of such
%   text.

is_rule(Term, Scope) :-
    compound(Term),
    compound_name_arity(Term, Name, 2),
    memberchk(Name, [==>,<=>,@,pragma]),
    rule_parts(Term, _, Kept, Removed, _, _),
    (   current_op(1180, xfx, Scope:(==>))
    ->  true
    ;   nb_current(hb_text_kind, inline)
    ->  true
    ;   append(Kept, Removed, Heads),
        forall(member(Head, Heads),
               ( callable(Head), term_functor(Head, HeadName, Arity), declared(_, HeadName, Arity, _) ))
    ),
    !.

%   retract_rule(+Term, -Id) is semidet: remove the first rule of the book that unifies with Term.

retract_rule(Term, Id) :-
    rule_parts(Term, Name, Kept, Removed, Guard0, Body0),
    hb_store:qualified(Guard0, Guard),
    hb_store:qualified(Body0, Body),
    rule(Id, Name, Kept, Removed, _, _, Guard-Body),
    !,
    forget(Id).

%   rule_parts(+Term, -Name, -Kept, -Removed, -Guard, -Body)

rule_parts(Var, _, _, _, _, _) :-
    var(Var),
    !,
    fail.
rule_parts(Name@Rule, Name, Kept, Removed, Guard, Body) :-
    !,
    rule_parts(Rule, _, Kept, Removed, Guard, Body).
rule_parts(pragma(Rule, _), Name, Kept, Removed, Guard, Body) :-
    !,
    rule_parts(Rule, Name, Kept, Removed, Guard, Body).
rule_parts((Heads ==> Right), none, Kept, [], Guard, Body) :-
    heads(Heads, Kept),
    guarded(Right, Guard, Body).
rule_parts((Heads <=> Right), none, Kept, Removed, Guard, Body) :-
    (   nonvar(Heads),
        Heads = (Kept0 \ Removed0)
    ->  heads(Kept0, Kept),
        heads(Removed0, Removed)
    ;   Kept = [],
        heads(Heads, Removed)
    ),
    guarded(Right, Guard, Body).

heads(Var, [Var]) :-
    var(Var),
    !.
heads((A,B), Heads) :-
    !,
    heads(A, As),
    heads(B, Bs),
    append(As, Bs, Heads).
heads(Head0 # _, [Head]) :-
    !,
    plain_head(Head0, Head).
heads(Head0, [Head]) :-
    plain_head(Head0, Head).

%   plain_head(+Head0, -Head): p() is p.

plain_head(Head0, Head) :-
    (   compound(Head0),
        compound_name_arity(Head0, Name, 0)
    ->  Head = Name
    ;   Head = Head0
    ).

guarded(Right, Guard, Body) :-
    (   nonvar(Right),
        Right = '|'(Guard,Body)
    ->  true
    ;   Guard = true,
        Body = Right
    ).

%   check_rule(+Term): as add_rule/2, without adding anything.  In a text that is only inspected,
%   constraints are not declared.

check_rule(Term) :-
    rule_parts(Term, _, _, _, Guard, Body),
    safe_body(Guard, _),
    safe_body(Body, _).

%   add_rule(+Term, +Id)
%
%   @error permission_error(call, sandboxed, What), as for a clause.

add_rule(Term, Id) :-
    rule_parts(Term, Name, Kept, Removed, Guard, Body),
    append(Kept, Removed, Heads),
    forall(member(Head, Heads), must_be_declared(Head)),
    safe_body(Guard, SafeGuard),
    safe_body(Body, SafeBody),
    hb_store:qualified(Guard, Guard0),
    hb_store:qualified(Body, Body0),
    hb_limits:uninterrupted(hb_chr_rules:keep_rule(rule(Id, Name, Kept, Removed, SafeGuard, SafeBody, Guard0-Body0))).

must_be_declared(Head) :-
    callable(Head),
    term_functor(Head, Name, Arity),
    declared(_, Name, Arity, _),
    !.
must_be_declared(Head) :-
    callable(Head),
    !,
    term_functor(Head, Name, Arity),
    format(string(Message), "~q is not declared as a constraint: add `:- chr_constraint ~q.` before the rule.", [Name/Arity, Name/Arity]),
    throw(error(hornbook(message(existence_error, Message)), _)).
must_be_declared(Head) :-
    throw(error(type_error(callable, Head), _)).

keep_rule(Rule) :-
    assertz(Rule),
    Rule = rule(Id, _, Kept, Removed, Guard, Body, _),
    length(Removed, Count),
    forall(nth1(Nth, Removed, Head, Others),
           ( partners(Kept, Others, Partners),
             assertz(occurrence(Id, Nth, Head, removed, Partners, Guard, Body)) )),
    forall(nth1(Nth0, Kept, Head, Others),
           ( Nth is Count+Nth0,
             partners(Others, Removed, Partners),
             assertz(occurrence(Id, Nth, Head, kept, Partners, Guard, Body)) )),
    order_occurrences(Rule).

partners(Kept, Removed, Partners) :-
    findall(kept, member(_, Kept), Kinds1),
    findall(removed, member(_, Removed), Kinds2),
    append(Kept, Removed, Heads),
    append(Kinds1, Kinds2, Kinds),
    pairs_keys_values(Partners, Kinds, Heads).

order_occurrences(rule(_, _, Kept, Removed, _, _, _)) :-
    append(Kept, Removed, Heads),
    forall(( member(Head, Heads), term_functor(Head, Name, Arity) ), order_occurrences(Name, Arity)).

order_occurrences(Name, Arity) :-
    findall(key(Id, Place, Nth),
            ( occurrence(Id, Nth, Head0, Kind, _, _, _),
              term_functor(Head0, Name, Arity),
              ( Kind == removed -> Place is -Nth-1000000 ; Place is -Nth )
            ),
            Keys0),
    sort(Keys0, Keys),
    findall(Id-Nth, member(key(Id, _, Nth), Keys), Occurrences),
    retractall(occurs(Name, Arity, _)),
    assertz(occurs(Name, Arity, Occurrences)).

%   declare_constraints(+Spec, +Id): for a chr_constraint directive.

declare_constraints(Spec, Id) :-
    phrase(indicators(Spec), PIs),
    forall(member(Name/Arity, PIs), may_be_constraint(Name, Arity)),
    (   integer(Id)
    ->  hb_limits:uninterrupted(hb_chr_rules:keep_constraints(PIs, Id))
    ;   true
    ).

indicators(Var) -->
    { var(Var),
      throw(error(instantiation_error, _))
    }.
indicators((A,B)) -->
    !,
    indicators(A),
    indicators(B).
indicators(Name/Arity) -->
    { atom(Name),
      integer(Arity)
    },
    !,
    [Name/Arity].
indicators(Head) -->
    { callable(Head),
      term_functor(Head, Name, Arity)
    },
    !,
    [Name/Arity].
indicators(Spec) -->
    { throw(error(type_error(predicate_indicator, Spec), _)) }.

may_be_constraint(Name, Arity) :-
    term_functor(Head, Name, Arity),
    hb_heads:check_head(Head, _, _),
    (   class(Name, Arity, Class),
        Class \= library(_),
        Class \= library(_, _)
    ->  throw(error(permission_error(modify, static_procedure, Name/Arity), _))
    ;   true
    ).

%   A constraint is called like a predicate of a library that is loaded by name.

keep_constraints(PIs, Id) :-
    forall(member(Name/Arity, PIs),
           ( format(atom(Key), 'hb_chr ~q/~d', [Name, Arity]),
             assertz(declared(Id, Name, Arity, Key)),
             term_functor(Head, Name, Arity),
             retractall(hb_chr_store:Head),
             assertz((hb_chr_store:Head :- hb_chr:told(Head))),
             assertz(hb_policy:named_export(chr(Id), Name, Arity, library(hb_chr_store))) )),
    use_library(chr(Id), Id),
    hb_store:meanings_changed.

%   forget(+Id) is semidet: forget the entry Id, a rule or a declaration.
%   forget_all_rules.

forget(Id) :-
    Rule = rule(Id, _, _, _, _, _, _),
    retract(Rule),
    !,
    retractall(occurrence(Id, _, _, _, _, _, _)),
    order_occurrences(Rule).
forget(Id) :-
    declared(Id, _, _, _),
    retractall(declared(Id, _, _, _)),
    retractall(hb_policy:named_export(chr(Id), _, _, _)).

forget_all_rules :-
    retractall(rule(_,_,_,_,_,_,_)),
    retractall(declared(_,_,_,_)),
    retractall(occurs(_,_,_)),
    retractall(occurrence(_,_,_,_,_,_,_)),
    retractall(hb_policy:named_export(chr(_), _, _, _)).

%   translate_again: goals may mean other predicates than when they were translated.

translate_again :-
    findall(rule(Id, Name, Kept, Removed, Guard, Body, Guard0-Body0),
            ( rule(Id, Name, Kept, Removed, Old, OldBody, Guard0-Body0),
              catch(safe_body(Guard0, Guard), _, Guard = Old),
              catch(safe_body(Body0, Body), _, Body = OldBody) ),
            Rules),
    retractall(rule(_,_,_,_,_,_,_)),
    retractall(occurrence(_,_,_,_,_,_,_)),
    forall(member(Rule, Rules), keep_rule(Rule)).
