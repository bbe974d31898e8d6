:- use_module(library(plunit)).
:- use_module(library(lists)).
:- use_module('../../prolog/hornbook').

%   Rules as the book has them, and what a query leaves.

load(Text) :-
    hb_adding:add(file, [Text], [100-1000], 1000, Control, Parts),
    memberchk(more=false, Control),
    problems(Parts).

problems([lines(Lines)]) :-
    (   sub_string(Lines, _, _, _, "\"kind\"")
    ->  throw(refused(Lines))
    ;   true
    ).

%   left(+Query, -Constraints): those of the first answer.

left(Query, Constraints) :-
    term_string(Goal, Query),
    hb_sandbox:safe_body(Goal, Safe),
    engine_create(Left, ( knowledge_base:Safe, hb_chr:store(Left) ), Engine),
    (   engine_next_reified(Engine, Next),
        (   Next = throw(Ball)
        ->  throw(Ball)
        ;   Next = the(Constraints0)
        )
    ->  copy_term_nat(Constraints0, Constraints)
    ;   Constraints = none
    ),
    engine_destroy(Engine).

forget :-
    hb_store:forget_all.

gcd(":- use_module(library(chr)).
:- chr_constraint gcd(+natural).
gcd(0) <=> true.
gcd(N) \\ gcd(M) <=> N =< M | L is M mod N, gcd(L).
").

leq(":- use_module(library(chr)).
:- chr_constraint leq/2.
reflexivity  @ leq(X,X) <=> true.
antisymmetry @ leq(X,Y), leq(Y,X) <=> X = Y.
idempotence  @ leq(X,Y) \\ leq(X,Y) <=> true.
transitivity @ leq(X,Y), leq(Y,Z) ==> leq(X,Z).
").

primes(":- use_module(library(chr)).
:- chr_constraint candidate(+int), prime(+int).
candidate(1) <=> true.
candidate(N) <=> prime(N), M is N-1, candidate(M).
absorb @ prime(Y) \\ prime(X) <=> 0 =:= X mod Y | true.
").

:- begin_tests(chr, [cleanup(forget)]).

test(simpagation, [setup(( forget, gcd(T), load(T) )), true(Cs == [gcd(3)])]) :-
    left("gcd(9), gcd(6)", Cs).
test(nothing_of_a_query_is_left_to_the_next, [setup(( forget, gcd(T), load(T) )), true(Cs == [gcd(4)])]) :-
    left("gcd(9)", _),
    left("gcd(4)", Cs).
test(equality_of_a_circle, [setup(( forget, leq(T), load(T) )), true(Cs == [])]) :-
    left("leq(A,B), leq(B,C), leq(C,A), A == B, B == C", Cs).
test(propagation, [setup(( forget, leq(T), load(T) )), true(Cs =@= [leq(A,C), leq(B,C), leq(A,B)])]) :-
    left("leq(A,B), leq(B,C)", Cs).
test(backtracking_takes_constraints_back, [setup(( forget, leq(T), load(T) )), true(Cs == [])]) :-
    left("( leq(_,_), fail ; true )", Cs).
test(what_is_bound_wakes_them, [setup(( forget, leq(T), load(T) )), true(Cs =@= [leq(1,2)])]) :-
    left("leq(A,B), leq(A,C), C = B, A = 1, B = 2", Cs).
test(removal_and_recursion, [setup(( forget, primes(T), load(T) )), true(Ns == [2,3,5,7,11,13,17,19,23,29])]) :-
    left("candidate(29)", Cs),
    findall(N, member(prime(N), Cs), Ns0),
    msort(Ns0, Ns).
test(bodies_are_nondeterministic, [setup(( forget, load(":- use_module(library(chr)).\n:- chr_constraint pick(?any).\npick(X) <=> member(X, [1,2,3]).\n") )), true(Xs == [1,2,3])]) :-
    term_string(findall(X, pick(X), Xs), "findall(X, pick(X), Xs)", [variable_names(_)]),
    hb_sandbox:safe_body(findall(X, pick(X), Xs), Safe),
    engine_create(Xs, knowledge_base:Safe, Engine),
    engine_next(Engine, Xs),
    engine_destroy(Engine).
test(a_guard_binds_nothing, [setup(( forget, load(":- use_module(library(chr)).\n:- chr_constraint c(?any).\nc(X) <=> X = 1 | true.\n") )), true(Cs =@= [c(_)])]) :-
    left("c(_)", Cs).
test(a_guard_finds_unbound_variables_unequal, [setup(( forget, load(":- use_module(library(chr)).\n:- chr_constraint c(?any), d(?any).\nc(X) <=> X \\= 1 | d(X).\n") )), true(Cs =@= [d(_)])]) :-
    left("c(_)", Cs).
test(and_binds_its_own, [setup(( forget, load(":- use_module(library(chr)).\n:- chr_constraint c(?any), d(?any).\nc(X) <=> Y = X, Z = 1, Z == 1 | d(Y).\n") )), true(Cs =@= [d(f(_))])]) :-
    left("c(f(_))", Cs).
test(bodies_are_looked_at, [forall(member(Rule, ["c(X) <=> shell(X).", "c(X) ==> shell(X) | true.", "n @ c(X) \\ c(Y) <=> G = a, call(shell, X).",
                                                 "c(X) <=> findall(Y, system:shell(Y), _)."])),
                            setup(forget), throws(refused(_))]) :-
    string_concat(":- use_module(library(chr)).\n:- chr_constraint c(?any).\n", Rule, Text),
    load(Text).
test(what_is_bound_when_they_run_is_looked_at, [setup(( forget, load(":- use_module(library(chr)).\n:- chr_constraint c(?any).\nc(X) <=> X.\n") )), error(permission_error(call, sandboxed, _))]) :-
    left("c(shell(ls))", _).
test(heads_are_declared, [setup(forget), throws(refused(_))]) :-
    load(":- use_module(library(chr)).\n:- chr_constraint a.\na, b <=> true.\n").
test(the_system_is_not_redefined, [setup(forget), throws(refused(_))]) :-
    load(":- use_module(library(chr)).\n:- chr_constraint write(?any).\n").
test(what_goes_is_gone, [setup(( forget, gcd(T), load(T) )), true(Cs == [gcd(0)])]) :-
    hb_clauses:remove([102-1]),
    left("gcd(0)", Cs).
test(a_declaration_that_goes, [setup(( forget, gcd(T), load(T) ))]) :-
    hb_clauses:remove([100-4]),
    \+ hb_policy:class(gcd, 1, _).
test(without_the_library_it_is_a_fact, [setup(forget)]) :-
    load(":- op(1180, xfx, ==>).\nif(X) ==> then(X).\n"),
    hb_store:own(==>, 2).

test(a_variable_without_constraints_is_one_like_any_other, [setup(( forget, load(":- use_module(library(chr)).\n:- chr_constraint le(?any, ?any).\nle(X, X) <=> true.\nle(X, Y), le(Y, X) <=> X = Y.\nle(X, Y), le(Y, Z) ==> le(X, Z).\n") ))]) :-
    left("le(X, Y), attvar(X), le(Y, Z), le(Z, X), \\+ attvar(X), X == Z", []).

guarded(":- use_module(library(chr)).
:- chr_constraint len(?any), mem(?any, ?any), f(?any, ?any), g(?any), nested(?any), told(?any), gone(?any).
:- dynamic paid/2.
len(X) ==> length(X, N), N > 3 | told(N).
mem(X, L) ==> append(_, [X|_], L) | told(X).
f(X, Y) ==> X \\= Y | told(unequal).
f(X, X) ==> assertz(paid(X, X)).
g(X) ==> copy_term(X, _, Gs) | told(Gs).
gone(X) <=> nested(X), X = 1 | told(wrong).
nested(X) <=> X \\= 2 | true.
").

test(a_length_that_no_guard_may_give, [setup(( forget, guarded(T), load(T) )), true(Cs == [len([a,b,c,d]),told(4)])]) :-
    left("len(T), T = [a,b,c,d]", Cs0),
    msort(Cs0, Cs).
test(a_list_that_no_guard_may_end, [setup(( forget, guarded(T), load(T) )), true(Cs =@= [mem(a,[b|_])])]) :-
    left("mem(a, [b|_])", Cs).
test(no_rule_runs_for_what_a_guard_would_bind, [setup(( forget, guarded(T), load(T) )), true(Cs =@= [f(_,_),told(unequal)])]) :-
    left("f(_, _), \\+ paid(_, _)", Cs).
test(a_lock_is_no_goal, [setup(( forget, guarded(T), load(T) )), true(Cs =@= [g(_),told([])])]) :-
    left("g(_)", Cs).
test(a_guard_in_a_guard_leaves_the_lock, [setup(( forget, guarded(T), load(T) )), true(Cs =@= [gone(_)])]) :-
    left("gone(_)", Cs).

:- end_tests(chr).
