:- use_module(library(plunit)).
:- use_module(library(lists)).
:- use_module(library(random)).
:- use_module(library(debug), [assertion/1]).
:- use_module('../../prolog/hornbook').

%   Names of private predicates, and bodies that are text of a module.

safe_in(Module, Text, Safe) :-
    term_string(Body, Text),
    hb_store:in_module(Module, hb_sandbox:safe_body(Body, Safe)).

:- begin_tests(module_names).

test(private_ones_have_parts, true(Module-Name == one-'a:b')) :-
    hb_store:engine_parts('one:a:b', Module, Name).
test(other_names_have_none, [forall(member(Name, [a, :, 'a:', ':a', =:=, :-, ':-:', '', '+:b', []])), fail]) :-
    hb_store:engine_name(Name).
test(names_of_modules, [forall(member(Name, [one, 'One', '_x', '1st', 'my-module'])), true]) :-
    hb_store:is_module_name(Name).
test(no_names_of_modules, [forall(member(Name, ['a:b', '$x', +, ''])), fail]) :-
    hb_store:is_module_name(Name).
test(text_has_no_such_head, error(permission_error(modify, static_procedure, 'one:p'/1), _)) :-
    hb_store:text_head('one:p'(_), _).

:- end_tests(module_names).

:- begin_tests(module_context, [setup(declare_one), cleanup(hb_store:forget_all)]).

declare_one :-
    hb_store:add_module(one, [out/1], 1),
    hb_store:add_module(two, [out/1], 2),
    forall(member(Name/Arity, [step/1, twice/2, append/3]),
           ( functor(Head, Name, Arity),
             hb_store:in_module(one, hb_store:text_head(Head, Engine)),
             functor(Engine, EngineName, Arity),
             hb_store:declare(EngineName, Arity) )),
    hb_store:declare(out, 1),
    hb_store:declare(loose, 1).

test(heads, true(Heads == ['one:new'(1), out(1), 'two:out'(1)])) :-
    hb_store:in_module(one, hb_store:text_head(new(1), A)),
    hb_store:in_module(one, hb_store:text_head(out(1), B)),
    hb_store:in_module(two, hb_store:text_head(out(1), C)),
    Heads = [A,B,C].
test(asserted_heads_join_what_is_there, true(Heads == ['one:step'(1), loose(1), 'one:brought'(1)])) :-
    findall(Head, ( member(Text, [step(1), loose(1), brought(1)]), hb_store:run_head(one, Text, Head) ), Heads).
test(calls, true(Safe == ('one:step'(1),out(2),loose(3),'one:append'([],[],[])))) :-
    safe_in(one, "step(1), out(2), loose(3), append([],[],[])", Safe).
test(calls_of_others, true(Safe == (hb_checked:checked(two:step(1)),lists:append([],[],[]),'one:step'(2)))) :-
    safe_in(two, "step(1), append([],[],[]), one:step(2)", Safe).
test(text_of_no_module, true(Safe == (step(1),'one:step'(2)))) :-
    safe_in(user, "step(1), one:step(2)", Safe).
test(closures, true(Safe == apply:maplist(knowledge_base:(knowledge_base:'one:twice'), [1], [2]))) :-
    safe_in(one, "maplist(twice, [1], [2])", Safe).
test(goals_that_come_later_have_the_context, true(Safe =@= (X = step(1),hb_checked:checked(one:X)))) :-
    safe_in(one, "X = step(1), X", Safe).
test(an_unknown_goal_is_of_the_module_that_calls_it, error(existence_error(procedure, one:nowhere/1), _)) :-
    hb_checked:checked(one:nowhere(_)).
test(a_goal_of_no_module_is_unknown_without_one, error(existence_error(procedure, nowhere/1), _)) :-
    hb_checked:checked(nowhere(_)).
test(a_cyclic_argument_is_no_goal) :-
    X = f(X),
    hb_checked:checked(one:(X = _)),
    hb_checked:checked(one:memberchk(X), [X]).
test(a_cyclic_goal_is_one, error(type_error(acyclic_term, _), _)) :-
    X = (true,X),
    hb_checked:checked(one:X).
test(what_is_about_predicates_has_it_too, true(Safe == hb_builtins:safe_assertz(one:step(4)))) :-
    safe_in(one, "assertz(step(4))", Safe).
test(but_not_twice, true(Safe == hb_builtins:safe_assertz(two:step(4)))) :-
    safe_in(one, "assertz(two:step(4))", Safe).
test(refused_as_elsewhere, [forall(member(Text, ["shell(x)", "one:shell(x)", "system:shell(x)", "hb_store:own(_,_)", "findall(X, getenv(a,X), _)"])),
                            error(permission_error(call, sandboxed, _), _)]) :-
    safe_in(one, Text, _).
test(seen_by_others, true(Written == one:step(1))) :-
    hb_sandbox:as_written('one:step'(1), Written).
test(seen_by_its_module, true(Written == step(1))) :-
    hb_store:in_module(one, hb_sandbox:as_written('one:step'(1), Written)).
test(there_and_back, [forall(member(Text, ["step(1)", "step(X), \\+ twice(X,2)", "maplist(twice, [1], L)", "findall(X, step(X), L)", "call(G)",
                                            "maplist([X]>>step(X), L)", "G", "catch(step(1), _, twice(1,2))", "unknown(1)"])),
                      true(Written =@= Body)]) :-
    term_string(Body, Text),
    safe_in(one, Text, Safe),
    hb_store:in_module(one, hb_sandbox:as_written(Safe, Written)).
test(an_atom_is_no_call, error(existence_error(procedure, 'one:step'/1), _)) :-
    hb_checked:checked('one:step'(_)).
test(the_context_is_gone_after_an_error, fail) :-
    catch(safe_in(one, "shell(x)", _), _, true),
    hb_store:context(_).

:- end_tests(module_context).

%   Bodies made at random, in text of the module one and of none.

:- begin_tests(bodies_there_and_back, [setup(declare_for_bodies), cleanup(hb_store:forget_all)]).

declare_for_bodies :-
    hb_store:add_module(one, [out/1], 1),
    hb_store:add_module(two, [out2/1, apply/2], 2),
    forall(member(Engine/Arity, ['one:step'/1, 'one:twice'/2, 'two:step'/1, out/1, out2/1, apply/2, loose/1, twice/2]),
           hb_store:declare(Engine, Arity)),
    hb_store:add_meta(apply, apply(1,?), 3).

test(ten_thousand, true(Wrong == [])) :-
    set_random(seed(20)),
    findall(Context-Body-Found,
            ( between(1, 10000, N),
              ( N mod 2 =:= 0 -> Context = one ; Context = user ),
              body(3, Context, Body),
              hb_store:in_module(Context, ( hb_sandbox:safe_body(Body, Safe), hb_sandbox:as_written(Safe, Found) )),
              Found \=@= Body ),
            Wrong0),
    length(Short, 3),
    (   append(Short, _, Wrong0)
    ->  Wrong = Short
    ;   Wrong = Wrong0
    ).

body(0, Context, Body) :-
    !,
    simple(Context, Body).
body(Depth, Context, Body) :-
    D is Depth-1,
    random_member(Kind, [simple,simple,and,or,then,not,findall,closure,closure,catch,bagof,aggregate,lambda,phrase,grammar,wide,foldl,assert,unknown]),
    body(Kind, D, Context, Body).

body(simple, _, C, B) :- simple(C, B).
body(and, D, C, (A,B)) :- body(D, C, A), body(D, C, B).
body(or, D, C, (A;B)) :- body(D, C, A), body(D, C, B).
body(then, D, C, (A->B)) :- body(D, C, A), body(D, C, B).
body(not, D, C, \+ A) :- body(D, C, A).
body(findall, D, C, findall(_, A, _)) :- body(D, C, A).
body(closure, _, C, B) :-
    closure(C, Closure),
    random_member(B, [maplist(Closure, _), call(Closure, _), apply(Closure, _), include(Closure, [1], _), call(call, Closure, 1)]).
body(catch, D, C, catch(A, _, B)) :- body(D, C, A), body(D, C, B).
body(bagof, D, C, bagof(X, X^A, _)) :- body(D, C, A).
body(aggregate, D, C, aggregate_all(count, A, _)) :- body(D, C, A).
body(lambda, D, C, maplist([_,_]>>A, [1], _)) :- body(D, C, A).
body(phrase, _, C, phrase(G, `ab`, _)) :- grammar(C, G).
body(grammar, _, C, call_dcg(G, [], _)) :- grammar(C, G).
body(wide, _, C, call(Closure, 1, 2, 3, 4, 5, 6, 7, 8, 9)) :- closure(C, Closure).
body(foldl, _, C, foldl(Closure, [1], 0, _)) :- closure(C, Closure).
body(assert, _, C, B) :-
    simple(C, A),
    random_member(B, [assertz(two:k(A)), retract(two:k(A)), assertz(two:(k :- A))]).
body(unknown, _, _, B) :-
    random_member(B, [call(_), _, (_:k(1)), new:p(_), later(_), once(_), two:later(1)]).

simple(Context, B) :-
    random_member(Goal, [step(_), twice(1,_), out(_), out2(X), loose(X), append([X],_,_), atom_length(abc,_), X = f(_), write(X), later]),
    random_member(Module, [none,none,one,two,user,new]),
    (   ( Module == none ; Module == Context )
    ->  B = Goal
    ;   B = Module:Goal
    ).

closure(Context, Closure) :-
    random_member(Plain, [step, out, out2, loose, twice(_), append([1]), plus(1), write, later, [Y]>>loose(Y), findall(Y, step(Y))]),
    random_member(Module, [none,none,one,two,user,new]),
    (   ( Module == none ; Module == Context )
    ->  Closure = Plain
    ;   Closure = Module:Plain
    ).

grammar(Context, Grammar) :-
    random_member(Plain, [g, g(_), "ab", [a], (g,[b]), {step(_)}, (g;[])]),
    random_member(Module, [none,none,two]),
    (   ( Module == none ; Module == Context )
    ->  Grammar = Plain
    ;   Grammar = Module:Plain
    ).

:- end_tests(bodies_there_and_back).

:- begin_tests(transparent, [setup(declare_transparent), cleanup(hb_store:forget_all)]).

declare_transparent :-
    hb_store:add_module(tr, [], 1),
    hb_store:add_transparent('tr:where', 1, 2),
    forall(member(Text, ["tr:where(C) :- context_module(C)", "tr:(via(C) :- where(C))"]),
           ( term_string(Clause, Text), hb_step:store_run(Clause, last) )).

%   As SWI-Prolog answers after `:- module_transparent tr:where/1.`

test(the_context_is_that_of_the_caller, [forall(member(Text-Context, [ "tr:where(C)"-tr, "tr:(where(C),true)"-tr, "@(tr:where(C), other)"-other,
            "M = tr, M:where(C)"-tr, "M = tr, @(M:(true,where(C)), other)"-other, "M = tr, G = where(C), @(M:G, other)"-other,
            "call(tr:where, C)"-tr, "tr:via(C)"-tr, "@(tr:where(B), other), B == other, tr:where(C)"-tr ])),
                                         true(C == Context)]) :-
    term_string(Goal, Text, [variable_names(Names)]),
    memberchk('C'=C, Names),
    hb_checked:checked(Goal).
test(a_call_of_it_is_shown_as_written, true(Written =@= tr:where(_))) :-
    hb_sandbox:safe_body(tr:where(_), Safe),
    hb_written:as_written(Safe, Written).

:- end_tests(transparent).

:- begin_tests(names_of_the_system, [cleanup(hb_store:forget_all)]).

%   Predicates of SWI-Prolog that a book may define itself, and what each answers. It looks for them again only at a call from
%   a clause: a goal that is called is looked up in another way.

builtin(not(fail)).
builtin(ignore(fail)).
builtin(forall(fail, true)).

define(Goal) :-
    functor(Goal, Name, Arity),
    functor(Head, Name, Arity),
    hb_store:store(Head, fail, fail, 1, last, _),
    assertion(\+ calls(Goal)).

%   calls(+Goal): Goal succeeds when a clause calls it.

calls(Goal) :-
    setup_call_cleanup(
        assertz(knowledge_base:(caller :- Goal), Ref),
        knowledge_base:caller,
        erase(Ref)).

test(back_after_a_reset, [forall(builtin(Goal)), true]) :-
    define(Goal),
    hb_store:forget_all,
    calls(Goal).
test(back_after_one_predicate_goes, [forall(builtin(Goal)), true]) :-
    define(Goal),
    functor(Goal, Name, Arity),
    hb_store:undeclare(Name, Arity),
    calls(Goal).
test(back_after_a_transaction_that_is_taken_back, [forall(builtin(Goal)), true]) :-
    \+ transaction(( define(Goal), fail )),
    hb_store:undeclare_lost,
    calls(Goal).
test(defined_after_a_call_of_the_builtin, [forall(builtin(Goal)), cleanup(hb_store:forget_all), true]) :-
    calls(Goal),
    define(Goal).
test(defined_again_and_again, [forall(builtin(Goal)), true]) :-
    forall(between(1, 3, _),
           ( define(Goal), hb_store:forget_all, calls(Goal) )).
test(without_clauses_it_is_still_the_users, [forall(builtin(Goal)), cleanup(hb_store:forget_all), fail]) :-
    define(Goal),
    functor(Goal, Name, Arity),
    hb_store:forget_predicate(Name, Arity),
    calls(Goal).
test(the_users_import_is_not_called, [cleanup(hb_store:forget_all), true]) :-
    hb_store:store(import(_), throw(called), throw(called), 2, last, _),
    define(not(fail)),
    hb_store:undeclare(not, 1),
    calls(not(fail)).
test(a_name_of_a_library_is_not_given_to_the_book, [error(existence_error(procedure, _), _)]) :-
    hb_store:store(sumlist(_, _), fail, fail, 1, last, _),
    hb_store:forget_all,
    calls(sumlist([1], _)).

:- end_tests(names_of_the_system).
