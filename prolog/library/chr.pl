:- module(hb_chr,
          [ find_chr_constraint/1,      % ?Constraint
            chr_show_store/1,           % +Module
            chr_trace/0,
            chr_notrace/0
          ]).
:- use_module('../functor').
:- use_module('../sandbox/policy').
:- use_module('../sandbox/sandbox').
:- use_module(library(lists)).
:- use_module(library(apply)).

/** <module> Constraint Handling Rules

SWI-Prolog's library(chr) compiles all rules of a module at once, to clauses that reach into its own
modules.  Here each rule is an entry of the book like any other, with its guard and body translated
like those of clauses.  An interpreter runs the rules by the refined semantics: a constraint that is
told, or whose variables are bound, tries the rules in their order, and its occurrences in a rule
from right to left, those that the rule removes first.

The constraints of a query are in global variables of its engine, which backtracking resets, so no
query sees those of another.
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

                /*******************************
                *      rules of the book       *
                *******************************/

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
    hb_limits:uninterrupted(hb_chr:keep_rule(rule(Id, Name, Kept, Removed, SafeGuard, SafeBody, Guard0-Body0))).

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
    ->  hb_limits:uninterrupted(hb_chr:keep_constraints(PIs, Id))
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

                /*******************************
                *           running            *
                *******************************/

%   told(+Constraint): a constraint is suspension(Number, Constraint, State, History).  State is
%   `alive` or `dead`; History lists the propagations in which it was the newest.

told(Constraint) :-
    count(Number),
    Suspension = suspension(Number, Constraint, alive, []),
    term_functor(Constraint, Name, Arity),
    declared(_, Name, Arity, Key),
    !,
    constraints_of(Key, Others),
    b_setval(Key, [Suspension|Others]),
    term_variables(Constraint, Vars),
    attach([Suspension], Vars),
    active(Suspension).

count(Number) :-
    (   nb_current(hb_chr_count, Number0)
    ->  Number is Number0+1
    ;   Number = 1
    ),
    b_setval(hb_chr_count, Number).

%   constraints_of(+Key, -Suspensions): newest first.  Few of them are dead.

constraints_of(Key, Suspensions) :-
    (   nb_current(Key, Suspensions0)
    ->  nb_getval(hb_chr_count, Count),
        (   Count mod 16 =:= 0
        ->  include(alive, Suspensions0, Suspensions)
        ;   first_alive(Suspensions0, Suspensions)
        )
    ;   Suspensions = []
    ).

first_alive([Suspension|Suspensions0], Suspensions) :-
    \+ alive(Suspension),
    !,
    first_alive(Suspensions0, Suspensions).
first_alive(Suspensions, Suspensions).

alive(Suspension) :-
    arg(3, Suspension, alive).

attach(_, []).
attach(Suspensions, [Var|Vars]) :-
    (   get_attr(Var, hb_chr, Others)
    ->  append(Suspensions, Others, All),
        put_attr(Var, hb_chr, All)
    ;   put_attr(Var, hb_chr, Suspensions)
    ),
    attach(Suspensions, Vars).

attr_unify_hook(Suspensions, Value) :-
    (   var(Value),
        get_attr(Value, hb_chr, Others)
    ->  append(Suspensions, Others, Woken)
    ;   Woken = Suspensions
    ),
    term_variables(Value, Vars),
    attach(Suspensions, Vars),
    sort(1, @<, Woken, Ordered),
    wake(Ordered).

attribute_goals(_) -->
    [].

wake([]).
wake([Suspension|Suspensions]) :-
    active(Suspension),
    wake(Suspensions).

active(Suspension) :-
    (   alive(Suspension),
        arg(2, Suspension, Constraint),
        term_functor(Constraint, Name, Arity),
        occurs(Name, Arity, Occurrences)
    ->  try(Occurrences, Suspension)
    ;   true
    ).

%   try(+Occurrences, +Suspension): a rule that has fired is tried again.

try([], _).
try([Id-Nth|Occurrences], Suspension) :-
    (   alive(Suspension)
    ->  (   fires(Id, Nth, Suspension, Body)
        ->  call(knowledge_base:Body),
            try([Id-Nth|Occurrences], Suspension)
        ;   try(Occurrences, Suspension)
        )
    ;   true
    ).

fires(Id, Nth, Suspension, Body) :-
    occurrence(Id, Nth, Head, Kind, Partners, Guard, Body),
    arg(2, Suspension, Constraint),
    matches(Head, Constraint),
    match_partners(Partners, [Suspension], Others),
    Used = [Suspension|Others],
    \+ told_before(Id, Kind, Partners, Nth, Used),
    holds(Guard, Used),
    !,
    propagated(Id, Kind, Partners, Nth, Used),
    remove([Kind-Head|Partners], Used).

%   match_partners(+Partners, +Used, -Suspensions) is nondet: Suspensions are of other constraints,
%   in the order of Partners.

match_partners([], _, []).
match_partners([_-Head|Partners], Used, [Suspension|Suspensions]) :-
    term_functor(Head, Name, Arity),
    declared(_, Name, Arity, Key),
    !,
    nb_current(Key, Candidates),
    member(Suspension, Candidates),
    alive(Suspension),
    \+ ( member(Other, Used), same_term(Other, Suspension) ),
    arg(2, Suspension, Constraint),
    matches(Head, Constraint),
    match_partners(Partners, [Suspension|Used], Suspensions).

%   matches(?Head, +Term): bind variables of the rule, but none of Term.  The variables of Term have
%   the attribute of this module; a variable of the rule has none until it is bound.

matches(Head, Term) :-
    attvar(Head),
    !,
    Head == Term.
matches(Head, Term) :-
    var(Head),
    !,
    Head = Term.
matches(Head, Term) :-
    compound(Head),
    !,
    compound(Term),
    compound_name_arity(Head, Name, Arity),
    compound_name_arity(Term, Name, Arity),
    match_arguments(Arity, Head, Term).
matches(Head, Term) :-
    Head == Term.

match_arguments(0, _, _) :-
    !.
match_arguments(I, Head, Term) :-
    arg(I, Head, HeadArg),
    arg(I, Term, TermArg),
    matches(HeadArg, TermArg),
    I1 is I-1,
    match_arguments(I1, Head, Term).

%   holds(:Guard, +Suspensions): Guard holds without binding variables of the constraints.

holds(true, _) :-
    !.
holds(Guard, Suspensions) :-
    maplist(arg(2), Suspensions, Constraints),
    term_variables(Constraints, Before),
    call(knowledge_base:Guard),
    !,
    term_variables(Before, After),
    Before == After.

%   A rule that removes nothing fires only once for the same constraints.

told_before(Id, kept, Partners, Nth, Used) :-
    \+ memberchk(removed-_, Partners),
    propagation(Id, Nth, Used, Numbers, Newest),
    arg(4, Newest, History),
    memberchk(Id-Numbers, History).

propagated(Id, Kind, Partners, Nth, Used) :-
    (   Kind == kept,
        \+ memberchk(removed-_, Partners)
    ->  propagation(Id, Nth, Used, Numbers, Newest),
        arg(4, Newest, History),
        setarg(4, Newest, [Id-Numbers|History])
    ;   true
    ).

%   propagation(+Id, +Nth, +Used, -Numbers, -Newest): Numbers are in the order of the heads of the rule.

propagation(_, Nth, [Active|Others], Numbers, Newest) :-
    nth1(Nth, Suspensions, Active, Others),
    !,
    maplist(arg(1), Suspensions, Numbers),
    max_list(Numbers, Number),
    nth1(Place, Numbers, Number),
    !,
    nth1(Place, Suspensions, Newest).

remove([], []).
remove([Kind-_|Kinds], [Suspension|Suspensions]) :-
    (   Kind == removed
    ->  setarg(3, Suspension, dead),
        arg(2, Suspension, Constraint),
        term_variables(Constraint, Vars),
        detach(Vars)
    ;   true
    ),
    remove(Kinds, Suspensions).

%   detach(+Vars): variables without constraints lose their attribute.

detach([]).
detach([Var|Vars]) :-
    (   get_attr(Var, hb_chr, Suspensions0)
    ->  first_alive(Suspensions0, Suspensions),
        (   Suspensions == []
        ->  del_attr(Var, hb_chr)
        ;   put_attr(Var, hb_chr, Suspensions)
        )
    ;   true
    ),
    detach(Vars).

%   store(-Constraints): the constraints of this query that are left.

store(Constraints) :-
    (   nb_current(hb_chr_count, _)
    ->  findall(Key, declared(_, _, _, Key), Keys0),
        list_to_set(Keys0, Keys),
        store(Keys, Constraints)
    ;   Constraints = []
    ).

store([], []).
store([Key|Keys], Constraints) :-
    (   nb_current(Key, Suspensions0)
    ->  include(alive, Suspensions0, Suspensions)
    ;   Suspensions = []
    ),
    maplist(arg(2), Suspensions, Constraints0),
    append(Constraints0, Constraints1, Constraints),
    store(Keys, Constraints1).

%!  find_chr_constraint(?Constraint) is nondet.
%
%   Constraint was told and not removed.

find_chr_constraint(Constraint) :-
    store(Constraints),
    member(Constraint, Constraints).

%!  chr_show_store(+Module) is det.
%
%   Print the constraints in the store.

chr_show_store(_) :-
    store(Constraints),
    forall(member(Constraint, Constraints), ( hb_output:safe_print(Constraint), nl )).

%!  chr_trace is det.
%!  chr_notrace is det.
%
%   Does nothing: there is no tracing.

chr_trace.
chr_notrace.
