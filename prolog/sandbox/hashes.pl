:- module(hb_hashes, []).
:- use_module(guarded, [safe_variant_hash/2]).
:- use_module(library(hashtable), []).
:- use_module(library(nb_set), []).

/** <module> Libraries that hash what a program gives them

They call variant_hash/2, which aborts, or reads what is no term, where a variable has attributes.  Their clauses
that do are made again here with safe_variant_hash/2 in its place.
*/

%   guard(+Module): for all predicates of Module.

guard(Module) :-
    findall(Name/Arity,
            ( current_predicate(Module:Name/Arity),
              functor(Head, Name, Arity),
              \+ predicate_property(Module:Head, imported_from(_)),
              once(( clause(Module:Head, Body), guarded(Body, Guarded), Guarded \== Body )) ),
            PIs0),
    sort(PIs0, PIs),
    forall('$member'(PI, PIs), guard(Module, PI)).

guard(Module, Name/Arity) :-
    functor(Head, Name, Arity),
    findall((Head :- Guarded), ( clause(Module:Head, Body), guarded(Body, Guarded) ), Clauses),
    redefine_system_predicate(Module:Head),
    forall('$member'(Clause, Clauses), assertz(Module:Clause)),
    compile_predicates([Module:Name/Arity]).

%   guarded(+Body, -Guarded): the control structures of these libraries are those below.

guarded(Var, Var) :-
    var(Var),
    !.
guarded((A,B), (C,D))    :- !, guarded(A, C), guarded(B, D).
guarded((A;B), (C;D))    :- !, guarded(A, C), guarded(B, D).
guarded((A->B), (C->D))  :- !, guarded(A, C), guarded(B, D).
guarded(\+A, \+B)        :- !, guarded(A, B).
guarded(_:variant_hash(Term, Hash), hb_guarded:safe_variant_hash(Term, Hash)) :- !.
guarded(variant_hash(Term, Hash), hb_guarded:safe_variant_hash(Term, Hash))   :- !.
guarded(Goal, Goal).

:- guard(nb_set), guard(hashtable).
