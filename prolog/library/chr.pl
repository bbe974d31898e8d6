:- module(hb_chr,
          [ find_chr_constraint/1,      % ?Constraint
            chr_show_store/1,           % +Module
            chr_trace/0,
            chr_notrace/0
          ]).
:- use_module('../functor').
:- use_module(chr_rules).
:- use_module(library(lists)).
:- use_module(library(apply)).

/** <module> Constraint Handling Rules

SWI-Prolog's library(chr) compiles all rules of a module at once, to clauses that reach into its own
modules.  Here each rule is an entry of the book like any other (`hb_chr_rules`), with its guard and body translated
like those of clauses.  This interpreter runs the rules by the refined semantics: a constraint that is
told, or whose variables are bound, tries the rules in their order, and its occurrences in a rule
from right to left, those that the rule removes first.

The constraints of a query are in global variables of its engine, which backtracking resets, so no
query sees those of another.
*/

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

%   holds(:Guard, +Suspensions): Guard holds without binding variables of the constraints.  Those that it contains are
%   unequal to all else meanwhile: `X \= 1` holds of an unbound X.

holds(true, _) :-
    !.
holds(Guard, Suspensions) :-
    maplist(arg(2), Suspensions, Constraints),
    term_variables(Constraints, Before),
    term_variables(Guard, Contained),
    include(free_in(Contained), Before, Locked),
    maplist(lock, Locked),
    call(knowledge_base:Guard),
    !,
    maplist(unlock, Locked),
    term_variables(Before, After),
    Before == After.

%   free_in(+Contained, @Var): Var is one of Contained, and no guard around this one has locked it.

free_in(Contained, Var) :-
    \+ get_attr(Var, hb_chr_locked, _),
    '$member'(Other, Contained),
    Other == Var,
    !.

%   lock(?Var): the lock is the first attribute of Var, as the others would wake goals and rules before it refuses.

lock(Var) :-
    (   get_attrs(Var, Others)
    ->  put_attrs(Var, att(hb_chr_locked, true, Others))
    ;   put_attr(Var, hb_chr_locked, true)
    ).

unlock(Var) :-
    del_attr(Var, hb_chr_locked).

:- public
    hb_chr_locked:attr_unify_hook/2,
    hb_chr_locked:attribute_goals/3.

hb_chr_locked:attr_unify_hook(_, _) :-
    fail.

hb_chr_locked:attribute_goals(_, Goals, Goals).

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
