:- use_module(library(plunit)).
:- use_module(library(debug), [assertion/1]).
:- use_module(replies).

%   What is said of an error beside what it is: where it was raised, what led to it.

ask(Request, Reply) :-
    format(string(Text), '~q', [Request]),
    reply_to(Text, Reply).

fresh :-
    (   catch(hb_limits:output_stream(_), _, fail)
    ->  true
    ;   ask(boot([unknown(error)]), _)
    ),
    ask(reset, _).

%   Clauses with the ids from 1.
add(Text) :-
    string_length(Text, Length),
    format(string(Request), '~q~n~w', [add(file, [Length], [1-1000], 1000), Text]),
    reply_to(Request, _).

error(Query, Error) :-
    ask(query(1, Query, 10, 5.0, 1001, -1), Reply),
    Error = Reply.error.

raised(Query, Raised) :-
    error(Query, Error),
    Raised = Error.raised.

:- begin_tests(raised, [setup(fresh)]).

test(the_clause_that_raised_it, [setup(fresh), true(Raised == ["mean/2", 2, 2, null])]) :-
    add("mean([], 0). mean(L, M) :- length(L, N), M is foo/N, true. mean(x, 1)."),
    raised("mean([1], M)", Raised).
test(the_clause_whose_last_goal_raised_it, [setup(fresh), true(Raised == ["next/2", 2, 1, null])]) :-
    add("go(X) :- next(a, X), true. next(X, Y) :- Y is X+1."),
    raised("go(X)", Raised).
test(a_chain_of_last_calls, [setup(fresh), true(Raised == ["c/1", 3, 1, null])]) :-
    add("a(X) :- b(X). b(X) :- c(X). c(X) :- X > foo."),
    raised("a(1)", Raised).
test(of_several_clauses_that_end_alike_the_predicate, [setup(fresh), true(Raised == ["n/2", null, null, null])]) :-
    add("n(a, X) :- X > foo. n(b, X) :- X > bar."),
    raised("n(b, 1)", Raised).
test(a_library_names_the_goal_that_called_it, [setup(fresh), true(Raised == ["total/2", 1, 1, "sum_list/2"])]) :-
    add("total(L, S) :- sum_list(L, S), true."),
    raised("total([a], S)", Raised).
test(a_library_that_was_called_last, [setup(fresh), true(Raised == ["total/2", 1, 1, "sum_list/2"])]) :-
    add("total(L, S) :- sum_list(L, S)."),
    raised("total([a], S)", Raised).
test(a_closure_that_a_library_calls, [setup(fresh), forall(lists:member(Query, ["all([1], S)", "maplist(inc, [1], S)"])),
                                      true(Raised == ["inc/2", 2, 1, null])]) :-
    add("all(L, M) :- maplist(inc, L, M), true. inc(X, Y) :- Y is X+a."),
    raised(Query, Raised).
test(a_library_that_is_given_a_closure, [setup(fresh), true(Raised == ["all/2", 1, 1, "foldl/4"])]) :-
    add("all(L, S) :- foldl(plus, L, 0, S), true. ok(_, _, _) :- true."),
    raised("all([a], S)", Raised).
test(what_is_undefined, [setup(fresh), true(Raised == ["p/1", 1, 1, null])]) :-
    add("p(X) :- q(X), true."),
    raised("p(1)", Raised).
test(what_is_thrown, [setup(fresh), true(Raised == ["p/1", 1, 1, null])]) :-
    add("p(X) :- throw(odd(X)), true."),
    raised("p(1)", Raised).
test(a_goal_of_the_query_itself, [setup(fresh)]) :-
    error("X is foo+1", Error),
    assertion(\+ get_dict(raised, Error, _)).
test(an_error_that_was_caught_is_not_told, [setup(fresh), true(Raised == ["r/0", 2, 1, null])]) :-
    add("p :- atom_length(_, _), true. r :- X = 1, X > foo, true."),
    raised("catch(p, _, true), r", Raised).

:- end_tests(raised).

:- begin_tests(detail, [setup(fresh)]).

test(a_recursion_as_the_stack_tells_it, [setup(fresh)]) :-
    add("anc(X, Y) :- anc(X, Z), par(Z, Y). par(a, b). ev(X) :- od(X). od(X) :- ev(X)."),
    error("throw(error(resource_error(stack), s{depth:7000, stack:[frame(3,knowledge_base:par(a,_),[]),frame(2,knowledge_base:anc(a,_),[]),frame(1,knowledge_base:anc(a,_),[])]}))", Left),
    assertion(sub_string(Left.detail, 0, _, _, "anc/2 calls itself, 7,000 calls deep. anc(a, ")),
    assertion(sub_string(Left.detail, _, _, 0, " is called again with the same arguments: `:- table anc/2.` may end that.")),
    error("throw(error(resource_error(stack), s{depth:9, non_terminating:[frame(3,knowledge_base:ev(s/1),[]),frame(2,knowledge_base:od(s/1),[]),frame(1,knowledge_base:ev(s/1),[])]}))", Each),
    assertion(Each.detail == "ev/1 and od/1 call each other, 9 calls deep.").
test(a_ball_that_looks_like_one, [setup(fresh), forall(lists:member(Context, ["x{cycle: foo}", "x{cycle: [frame(1,a:b,c)|_]}", "x{depth: a}"]))]) :-
    format(string(Query), "throw(error(resource_error(stack), ~w))", [Context]),
    error(Query, Error),
    assertion(Error.kind == "resource_error").
test(where_the_time_went, [setup(fresh)]) :-
    add("slow(N) :- between(1, inf, X), f(X), X > N. f(X) :- g(X), g(X). g(_)."),
    ask(query(1, "slow(10000000000)", 1, 1.0, 1001, -1), Reply),
    assertion(Reply.error.kind == "timeout"),
    assertion(sub_string(Reply.error.detail, 0, _, _, "Most inferences: ")).
test(a_loop_through_another_predicate, [setup(fresh)]) :-
    add("smart(X) :- thing(X), clever(X). clever(X) :- thing(X), smart(X). thing(a). thing(b)."),
    ask(query(1, "smart(a)", 1, 1.0, 1001, -1), Reply),
    assertion(( sub_string(Reply.error.detail, _, _, _, ":- table smart/1") ; sub_string(Reply.error.detail, _, _, _, ":- table clever/1") )).

:- end_tests(detail).
