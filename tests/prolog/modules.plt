:- use_module(library(plunit)).
:- use_module(library(lists)).
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
test(what_is_about_predicates_has_it_too, true(Safe == hb_builtins:safe_assertz(one:step(4)))) :-
    safe_in(one, "assertz(step(4))", Safe).
test(but_not_twice, true(Safe == hb_builtins:safe_assertz(two:step(4)))) :-
    safe_in(one, "assertz(two:step(4))", Safe).
test(refused_as_elsewhere, [forall(member(Text, ["shell(x)", "one:shell(x)", "system:shell(x)", "hb_store:own(_,_)", "findall(X, open(a,read,X), _)"])),
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
