:- use_module(library(plunit)).
:- use_module(library(lists)).
:- use_module('../../prolog/hornbook').

/** <module> Goals at once, time limits, engines, records and transactions, as untrusted code calls them
*/

%   run_for(+Text, ?Values): as untrusted code would be called now, in an engine; Values are Name=Value of its variables.

run_for(Text, Values) :-
    hb_limits:start_step(60),
    term_string(Goal, Text, [variable_names(Names)]),
    hb_sandbox:safe_body(Goal, Safe),
    setup_call_cleanup(
        engine_create(Names, user:in_query(Safe), Engine),
        hb_limits:next_reified(Engine, Next),
        catch(engine_destroy(Engine), _, true)),
    (   Next = the(Got)
    ->  forall(member(Name=Value, Values),
               ( member(Name=Is, Got), ( Value =@= Is -> true ; throw(differs(Name, Is, Value)) ) ))
    ;   Next = throw(Ball)
    ->  throw(Ball)
    ;   fail
    ).

in_query(Safe) :-
    hb_limits:watch,
    call_cleanup(knowledge_base:Safe, hb_coroutines:end_coroutines).

run(Text) :-
    run_for(Text, []).

:- begin_tests(at_once, [setup(hb_limits:open_output)]).

test(maplist_takes_one_solution_each) :-
    run_for("concurrent_maplist([X,Y]>>member(Y, [X,b]), [a,c], L)", ['L'=[a,c]]).
test(maplist_of_four_lists) :-
    run_for("concurrent_maplist([A,B,C,D]>>(D is A+B+C), [1,2], [3,4], [5,6], L)", ['L'=[9,12]]).
test(maplist_fails_with_the_first, fail) :-
    run("concurrent_maplist(integer, [1,a])").
test(forall) :-
    run("concurrent_forall(member(X, [1,2]), integer(X)), concurrent_forall(fail, true, [threads(2)])").
test(and) :-
    run_for("findall(X-Y, concurrent_and(member(X, [1,2]), member(Y, [a,b])), L)", ['L'=[1-a,1-b,2-a,2-b]]).
test(concurrent) :-
    run_for("concurrent(2, [X = 1, member(Y, [2,3])], [])", ['X'=1, 'Y'=2]).
test(concurrent_number, error(type_error(_, 0))) :-
    run("concurrent(0, [true], [])").
test(concurrent_judges_its_goals, error(permission_error(call, sandboxed, shell/1))) :-
    run("concurrent(2, [shell(a)], [])").
test(a_first_solution) :-
    run_for("first_solution(X, [fail, throw(no), X = 2, X = 3], [])", ['X'=2]).
test(no_first_solution, throws(no)) :-
    run("first_solution(_, [fail, throw(no)], [])").
test(the_first_failure_ends_it, fail) :-
    run("first_solution(X, [fail, X = 2], [on_fail(stop)])").
test(first_solution_judges_its_goals, error(permission_error(call, sandboxed, shell/1))) :-
    run("G = shell(a), first_solution(_, [G], [])").

:- end_tests(at_once).

:- begin_tests(time_limit, [setup(hb_limits:open_output)]).

test(a_loop_ends, throws(time_limit_exceeded)) :-
    run("call_with_time_limit(0.05, (repeat, fail))").
test(with_a_context, throws(time_limit_exceeded(slow))) :-
    run("call_with_time_limit(0.05, (repeat, fail), slow)").
test(once) :-
    run_for("findall(X, call_with_time_limit(10, member(X, [1,2])), L)", ['L'=[1]]).
test(failure, fail) :-
    run("call_with_time_limit(10, fail)").
test(no_time, throws(time_limit_exceeded)) :-
    run("call_with_time_limit(0, true)").
test(the_inner_limit_goes_with_its_goal) :-
    run_for("catch(call_with_time_limit(0.02, (repeat, fail)), E, true), sleep(0.05), X = there", ['E'=time_limit_exceeded, 'X'=there]).
test(what_is_no_number, error(type_error(_, a))) :-
    run("call_with_time_limit(a, true)").
test(sleep) :-
    run_for("get_time(A), sleep(0.05), get_time(B), (B-A >= 0.049 -> X = slept ; X = woken)", ['X'=slept]).
test(sleep_within_a_limit, throws(time_limit_exceeded)) :-
    run("call_with_time_limit(0.05, sleep(30))").

:- end_tests(time_limit).

:- begin_tests(coroutines, [setup(hb_limits:open_output)]).

test(answers_one_by_one) :-
    run_for("engine_create(X, member(X, [a,b]), E), engine_next(E, A), engine_next(E, B), \\+ engine_next(E, _)", ['A'=a, 'B'=b]).
test(after_the_last, error(existence_error(engine, _))) :-
    run("engine_create(X, member(X, []), E), \\+ engine_next(E, _), engine_next(E, _)").
test(reified) :-
    run_for("engine_create(x, (true ; throw(oops)), E), engine_next_reified(E, A), engine_next_reified(E, B)", ['A'=the(x), 'B'=throw(oops)]).
test(an_error_is_thrown, throws(oops)) :-
    run("engine_create(x, throw(oops), E), engine_next(E, _)").
test(post_and_fetch) :-
    run_for("engine_create(S, (repeat, engine_fetch(X), S is X*X), E), engine_post(E, 3, A), engine_post(E, 4), engine_next(E, B)", ['A'=9, 'B'=16]).
test(nothing_posted, error(existence_error(term, delivery, _))) :-
    run("engine_create(x, engine_fetch(_), E), engine_next(E, _)").
test(posted_twice, error(permission_error(post_to, engine, _))) :-
    run("engine_create(x, engine_fetch(_), E), engine_post(E, 1), engine_post(E, 2)").
test(yield) :-
    run_for("engine_create(last, (member(X, [1,2]), engine_yield(X), fail ; true), E), findall(A, (between(1, 3, _), engine_next(E, A)), L)", ['L'=[1,2,last]]).
test(yield_in_no_engine, error(permission_error(execute, vmi, _))) :-
    run("engine_yield(x)").
test(self) :-
    run_for("engine_create(S, engine_self(S), E), engine_next(E, S), (S == E -> X = same ; X = other)", ['X'=same]).
test(no_self, fail) :-
    run("engine_self(_)").
test(of_itself, error(permission_error(resume, engine, _))) :-
    run("engine_create(S, (engine_self(E0), engine_next(E0, S)), E), engine_next(E, _)").
test(alias) :-
    run_for("engine_create(X, member(X, [1]), E, [alias(numbers)]), engine_next(numbers, A)", ['E'=numbers, 'A'=1]).
test(alias_twice, error(permission_error(create, engine, q))) :-
    run("engine_create(x, true, _, [alias(q)]), engine_create(x, true, _, [alias(q)])").
test(destroy, error(existence_error(engine, _))) :-
    run("engine_create(x, true, E), is_engine(E), engine_destroy(E), \\+ is_engine(E), engine_next(E, _)").
test(current) :-
    run_for("engine_create(x, true, E), findall(C, current_engine(C), L), (L == [E] -> X = it ; X = L)", ['X'=it]).
test(no_handle, error(existence_error(engine, foo))) :-
    run("engine_next(foo, _)").
test(handle_to_come, error(instantiation_error)) :-
    run("engine_next(_, _)").
test(too_many, error(resource_error(engines))) :-
    run("forall(between(1, 1000, _), engine_create(x, true, _))").
test(they_end_with_the_query, true(Left == [])) :-
    run("engine_create(x, true, _)"),
    findall(x, recorded(hb_coroutines, _), Left).
test(its_goal_is_judged, error(permission_error(call, sandboxed, shell/1))) :-
    run("engine_create(x, shell(a), E), engine_next(E, _)").
test(its_goal_is_judged_when_it_is_known, error(permission_error(call, sandboxed, shell/1))) :-
    run("G = shell(a), engine_create(x, G, E), engine_next(E, _)").
test(long_work_goes_on) :-
    run_for("engine_create(C, aggregate_all(count, between(1, 1000000, _), C), E), engine_next(E, C)", ['C'=1000000]).
test(a_loop_in_an_engine_ends, throws(time_limit_exceeded)) :-
    run("engine_create(x, (repeat, fail), E), call_with_time_limit(0.05, engine_next(E, _))").
test(no_address_in_a_handle) :-
    run_for("engine_create(x, true, E), term_to_atom(E, T), (sub_atom(T, _, _, _, '0x') -> X = shown ; X = hidden)", ['X'=hidden]).

:- end_tests(coroutines).

:- begin_tests(records, [setup(hb_limits:open_output), cleanup(hb_records:forget_records)]).

test(in_order, cleanup(hb_records:forget_records)) :-
    run_for("recordz(k, b), recorda(k, a), recordz(k, c), findall(X, recorded(k, X), L)", ['L'=[a,b,c]]).
test(the_functor_is_the_key, cleanup(hb_records:forget_records)) :-
    run_for("recordz(k(1), x), findall(X, recorded(k(2), X), L), findall(X, recorded(k, X), M)", ['L'=[x], 'M'=[]]).
test(references, cleanup(hb_records:forget_records)) :-
    run_for("recordz(k, x(_), R), instance(R, I), recorded(K, V, R), erase(R), findall(X, recorded(k, X), L)", ['I'=x(_), 'K'=k, 'V'=x(_), 'L'=[]]).
test(erased_twice, fail) :-
    run("recordz(k, x, R), erase(R), erase(R)").
test(keys, cleanup(hb_records:forget_records)) :-
    run_for("recordz(a, 1), recordz(f(x), 2), findall(K, current_key(K), L)", ['L'=[a,f(_)]]).
test(keys_of_other_types, cleanup(hb_records:forget_records)) :-
    run_for("recordz('1', a), recordz(1, b), recordz(\"1\", c), recordz(1.0, d), findall(X, recorded(1, X), L), setof(X, K^recorded(K, X), M)", ['L'=[b], 'M'=[a,b,c,d]]).
test(nothing_of_the_engine, true) :-
    run_for("findall(X, recorded(hb_session, X), L), findall(K-V, (recorded(K, V), K == hb_session), M)", ['L'=[], 'M'=[]]).
test(no_reference, error(type_error(db_reference, foo))) :-
    run("erase(foo)").
test(a_limit_leaves_no_record_that_cannot_be_erased, [forall(between(1, 120, Most)), true, cleanup(hb_records:forget_records)]) :-
    format(string(Text), "call_with_inference_limit(recordz(k, x), ~d, _), forall(recorded(k, _, R), erase(R)), findall(X, recorded(k, X), L)", [Most]),
    run_for(Text, ['L'=[]]).
test(a_limit_leaves_no_record_half_erased, [forall(between(1, 120, Most)), true, cleanup(hb_records:forget_records)]) :-
    format(string(Text), "recordz(k, x, R0), call_with_inference_limit(erase(R0), ~d, _), forall(recorded(k, _, R), erase(R)), findall(X, recorded(k, X), L)", [Most]),
    run_for(Text, ['L'=[]]).

:- end_tests(records).

:- begin_tests(transactions, [setup(( hb_limits:open_output, hb_step:begin_step(1000, -1) ))]).

facts(Facts) :-
    findall(X, knowledge_base:tr(X), Is),
    ( Is == Facts -> true ; throw(facts(Is)) ).

test(kept, true) :-
    run("transaction((assertz(tr(1)), assertz(tr(2))))"),
    facts([1,2]).
test(taken_back_on_failure, true) :-
    \+ run("transaction((assertz(tr(3)), retract(tr(1)), fail))"),
    facts([1,2]).
test(taken_back_on_an_error, true) :-
    catch(run("transaction((assertz(tr(3)), throw(no)))"), no, true),
    facts([1,2]).
test(ids_are_as_before, true(Added == [1000,1001])) :-
    \+ run("transaction((assertz(tr(3)), fail))"),
    hb_step:run_changes(Changes, []),
    findall(Id, member(added(Id, _), Changes), Added).
test(many_changes_taken_back, true) :-
    \+ run("transaction((forall(between(1, 1000, _), (assertz(tr(9)), retract(tr(9)))), assertz(tr(8)), fail))"),
    facts([1,2]).
test(a_snapshot, true) :-
    run_for("snapshot((assertz(tr(4)), findall(X, tr(X), L)))", ['L'=[1,2,4]]),
    facts([1,2]).
test(a_declaration_taken_back, fail) :-
    \+ run("transaction((assertz(tr_new(1)), fail))"),
    predicate_property(knowledge_base:tr_new(_), defined).
test(a_declaration_kept, true) :-
    run("transaction((snapshot(assertz(tr_gone(1))), assertz(tr_kept(1))))"),
    predicate_property(knowledge_base:tr_kept(_), dynamic),
    \+ predicate_property(knowledge_base:tr_gone(_), defined).
test(a_declaration_kept_within_one_taken_back, fail) :-
    \+ run("transaction((transaction(assertz(tr_inner(1))), fail))"),
    predicate_property(knowledge_base:tr_inner(_), defined).
test(a_record_of_a_failed_transaction_can_be_erased, [true, cleanup(hb_records:forget_records)]) :-
    run_for("recordz(k, a), \\+ transaction((recordz(k, b, R), nb_setval(r, R), fail)), forall(nb_getval(r, Q), erase(Q)), findall(X, recorded(k, X), L)", ['R'=_, 'Q'=_, 'L'=[a]]).
test(what_a_failed_transaction_recorded_is_forgotten, [true, cleanup(hb_records:forget_records)]) :-
    run_for("\\+ transaction((recordz(k, b), fail)), findall(X, recorded(k, X), L)", ['L'=[b]]),
    hb_records:forget_records,
    run_for("findall(X, recorded(k, X), L)", ['L'=[]]).
test(a_key_taken_back_is_no_other_key, [true, cleanup(hb_records:forget_records)]) :-
    \+ run("transaction((recordz(first, a), fail))"),
    run_for("recordz(second, b), findall(X, recorded(second, X), L)", ['L'=[b]]).
test(output_is_not_taken_back, true(Text == "said")) :-
    \+ run("transaction((write(said), flush_output, fail))"),
    hb_limits:take_output(Text).
test(engines_wait, error(permission_error(resume, engine, _))) :-
    run("engine_create(x, true, E), transaction(engine_next(E, _))").
test(judged, error(permission_error(call, sandboxed, shell/1))) :-
    run("G = shell(a), transaction(G)").

:- end_tests(transactions).
