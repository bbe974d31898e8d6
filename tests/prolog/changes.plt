:- use_module(library(plunit)).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(yall)).
:- use_module(library(debug), [assertion/1]).
:- use_module('../../prolog/hornbook').
:- use_module(replies).

/** <module> What programs change by the thousand: what the conductor is told of it

A step with few changes, with many for the clauses of a predicate, and with many that are few for its clauses goes
different ways in the engine.  Each test says which.
*/

ask(Request, Reply) :-
    format(string(Text), '~q', [Request]),
    reply_to(Text, Reply).

%   fresh(+Facts): the book has s(1,a), ... with the ids 1, ..., then a rule, which says what is there.

fresh(Facts) :-
    (   catch(hb_limits:output_stream(_), _, fail)
    ->  true
    ;   ask(boot([unknown(error)]), _)
    ),
    ask(reset, _),
    findall(Text, ( between(1, Facts, I), format(string(Text), 's(~d,a). ', [I]) ), Texts),
    atomics_to_string([":- dynamic s/2, q/1. sum(S) :- aggregate_all(sum(X), s(X,_), S). "|Texts], Text),
    string_length(Text, Length),
    Last is Facts+2,
    format(string(Request), 'add(inline,[~d],[-1-2,1-~d],~d)~n~w', [Length, Facts, Last, Text]),
    reply_to(Request, Reply),
    assertion(length(Reply.items, Last)).

asked(Text, Reply) :-
    ask(query(1, Text, 1, 20, 100_001, -1000), Reply).

%   net(+Text, -Added, -Removed): what a step that asks Text is told to have changed.

net(Text, Added, Removed) :-
    asked(Text, Reply),
    assertion(\+ get_dict(error, Reply, _)),
    findall(Said, ( member([_,Said|_], Reply.changes.added) ), Added),
    assertion(ascending(Reply.changes.added)),
    Removed = Reply.changes.removed.

ascending(Added) :-
    maplist([[Id|_],Id]>>true, Added, Ids),
    sort(Ids, Ids).

texts(From, To, Value, Texts) :-
    findall(Text, ( between(From, To, I), format(string(Text), "s(~d, ~w).", [I,Value]) ), Texts).

:- begin_tests(changes).

test(lists_and_terms_as_arguments, [setup(fresh(1)), true(Added == ["s([1, a, []], f(\"x\", g(-1)))."])]) :-
    net("assertz(s([1,a,[]], f(\"x\", g(-1))))", Added, []).
test(what_a_transaction_takes_back_leaves_the_rest, [setup(fresh(1)), true(Added == ["s(3, c)."])]) :-
    net("catch(transaction((assertz(s(2,b)), retract(s(1,_)), throw(back))), back, true), assertz(s(3,c))", Added, []).
test(what_a_transaction_takes_out_is_told_once, [setup(fresh(4)), true(Removed == [1,2,3,4])]) :-
    net("transaction(( retract(s(V,_)), ignore(retract(s(_,_))), V == none ; true ))", [], Removed).
test(what_a_transaction_empties_is_told_once, [setup(fresh(4)), true(Removed == [1,2,3,4])]) :-
    net("transaction(( retract(s(V,_)), retractall(s(_,_)), V == none ; true ))", [], Removed).
test(a_transaction_takes_out_what_it_added, [setup(fresh(1)), true(Added-Removed == ["s(3, b)."]-[1])]) :-
    net("transaction(( retract(s(1,_)), assertz(s(2,b)), retract(s(2,_)), assertz(s(3,b)) ))", Added, Removed).
test(a_transaction_empties_what_it_added, [setup(fresh(1)), true(Added == [])]) :-
    net("transaction(( asserta(s(9,b)), retractall(s(9,_)), \\+ s(9,_) ))", Added, []).
test(a_snapshot_takes_out_what_it_added, [setup(fresh(1)), true(Added == [])]) :-
    net("snapshot(( assertz(s(9,b)), retract(s(9,_)), assertz(s(8,b)), retractall(s(8,_)), \\+ s(8,_) ))", Added, []).
test(some_of_many_facts, [setup(fresh(3000)), true(Added-Removed == Texts-Ids)]) :-
    net("forall(between(101, 400, I), ( retract(s(I,V)), assertz(s(I,b)), V == a ))", Added, Removed),
    texts(101, 400, b, Texts),
    numlist(101, 400, Ids).
test(some_of_many_facts_and_all_of_a_few,
     [setup(fresh(3000)), true(Added-Removed == Expected-Ids)]) :-
    net("assertz(q(0)), forall(between(1, 300, I), ( retract(q(J)), K is J+1, assertz(q(K)), retract(s(I,_)), asserta(s(I,f(K))) ))",
        Added, Removed),
    numlist(1, 300, Ids),
    reverse(Ids, Downwards),
    findall(Text, ( member(I, Downwards), format(string(Text), "s(~d, f(~d)).", [I,I]) ), Front),
    append(Front, ["q(300)."], Expected).
test(what_comes_and_goes_is_not_told, [setup(fresh(3000)), true(Added-Removed == []-[])]) :-
    net("forall(between(5001, 5300, I), assertz(s(I,c))), forall(between(5001, 5300, I), retract(s(I,c)))", Added, Removed).
test(a_rule_among_many_changes, [setup(fresh(3000)), true(Last-Count == "s(0, A) :-\n    q(A)."-200)]) :-
    net("forall(between(1, 200, I), retract(s(I,_))), assertz((s(0,X) :- q(X))), assertz(s(1,z)), retract(s(1,z))", [Last], Removed),
    length(Removed, Count).
test(rules_and_facts_of_one_predicate,
     [setup(fresh(10)), true(Added-Removed == ["s(0, A) :-\n    q(A).", "s(200, b)."]-Ids)]) :-
    net("assertz((s(0,X) :- q(X))), forall(between(1, 200, I), ( assertz(s(I,b)), ( I > 1 -> J is I-1, retract(s(J,b)) ; true ) )), forall(between(1, 10, I), retract(s(I,a)))",
        Added, Removed),
    numlist(1, 10, Ids).
test(all_facts_go_and_others_come, [setup(fresh(3000)), true(Added-Removed == Texts-Ids)]) :-
    net("retractall(s(_,_)), forall(between(1, 20, I), assertz(s(I,b)))", Added, Removed),
    texts(1, 20, b, Texts),
    numlist(1, 3000, Ids).
test(retractall_takes_rules_too, [setup(fresh(100)), true(Added-Left == []-["S"="0"])]) :-
    net("assertz((s(0,X) :- q(X))), retractall(s(_,_))", Added, _),
    asked("sum(S)", Reply),
    Reply.answers = [Answer],
    Answer.bindings = [[Name,Value|_]],
    Left = [Name=Value].
test(what_fails_is_taken_back,
     [ setup(fresh(3000)),
       forall(member(Goal, ["forall(between(1, 300, I), ( retract(s(I,_)), assertz(s(I,b)) ))",
                            "retractall(s(_,_)), forall(between(1, 30, I), assertz(s(I,b)))"])),
       true(Reload-Left == ["s/2"]-[]) ]) :-
    format(string(Text), "~w, fail", [Goal]),
    asked(Text, Reply),
    Reload = Reply.changes.reload,
    findall(I, clause(knowledge_base:s(I,b), true), Left).
test(an_open_retract_goes_on_when_single_changes_are_no_longer_recorded,
     [forall(member(Facts-Goal, [900-"forall(between(1000, 1100, I), assertz(s(I,b))), forall(retract(s(_,_)), true)",
                                 300-"forall(between(1000, 1100, I), assertz(s(I,b))), forall(retract(s(_,_)), true)",
                                 900-"forall(between(1, 100, I), retract(s(I,_))), ( retract(s(_,_)), fail ; true )",
                                 300-"forall(between(1, 100, I), retract(s(I,_))), forall(retract(s(I,_)), ( I =:= 150 -> retractall(s(_,_)) ; true ))",
                                 10-"forall(retract(s(I,_)), ( I =:= 3 -> retractall(s(_,_)) ; true ))",
                                 30-"forall(retract(s(I,_)), ( I =:= 3 -> forall(between(1, 30, J), retractall(s(J,_))) ; true ))",
                                 900-"forall(between(1, 100, I), retract(s(I,_))), forall(retract(s(I,_)), ( I =:= 150 -> forall(between(400, 900, J), retract(s(J,_))) ; true ))"])),
      setup(fresh(Facts)), true(Added-Removed == []-Ids)]) :-
    net(Goal, Added, Removed0),
    sort(Removed0, Removed),
    numlist(1, Facts, Ids).
test(an_open_retract_goes_on_when_changes_are_recorded_again, [setup(fresh(30)), true(Count-Left == 30-[])]) :-
    net("forall(between(1, 70, I), ( assertz(s(w,I)), retract(s(w,I)) )), forall(retract(s(I,_)), ( I == 5 -> assertz((s(Z,none) :- Z = r)) ; true ))", _, Removed),
    length(Removed, Count),
    findall(I, clause(knowledge_base:s(I,_), true), Left).
test(an_open_retract_comes_back_in_a_later_page, [setup(fresh(20)), true(All == Ids)]) :-
    Goal = "forall(between(1, 70, I), ( assertz(s(w,I)), retract(s(w,I)) )), retract(s(X,_))",
    ask(query(1, Goal, 1, 20, 100_001, -1000), First),
    findall(Removed,
            ( between(1, 19, N), Last is 100_001+N*100, ask(next(1, 1, 20, Last, -1000), Next), get_dict(changes, Next, Changes), Removed = Changes.removed ),
            Later),
    append([First.changes.removed|Later], Removed),
    sort(Removed, All),
    numlist(1, 20, Ids).
test(what_waits_for_a_variable_runs_when_the_clause_is_gone,
     [forall(member(Goal-Left, ["freeze(X, X > 3), retract(s(X,_))"-[5,6], "dif(Y, 1), retract(s(Y,_))"-[3,4,5,6],
                                "dif(X, 3), retractall(s(X,_))"-[],
                                "forall(between(1, 70, I), ( assertz(s(w,I)), retract(s(w,I)) )), freeze(X, X > 3), retract(s(X,_))"-[5,6]])),
      setup(fresh(6)), true(Found == Left)]) :-
    net(Goal, _, _),
    findall(I, clause(knowledge_base:s(I,_), true), Found).
test(entries_hold_in_the_loop,
     [ setup(( fresh(2000), hb_limits:set_limit(entries, 4000) )),
       cleanup(hb_limits:set_limit(entries, 1_000_000)),
       true(Kind == "resource_error") ]) :-
    asked("between(1, inf, I), J is I+10_000, assertz(s(J,b)), fail", Reply),
    Kind = Reply.error.kind.
test(depth_holds_in_the_loop, [setup(fresh(2000)), true(Kind == "resource_error")]) :-
    asked("forall(between(1, 100, I), ( retract(s(I,_)), assertz(s(I,b)) )), numlist(1, 2000, L), foldl([_,T,f(T)]>>true, L, x, Deep), assertz(s(1,Deep))", Reply),
    Kind = Reply.error.kind.
test(a_condition_changes_nothing_after_many_changes, [setup(fresh(2000)), true(Kind == permission_error)]) :-
    hb_step:begin_step(100_001, -1000),
    forall(between(1, 100, I), hb_database:safe_retract(s(I, _))),
    catch(hb_step:without_changes(constraint, hb_database:safe_assertz(s(1, b))), error(Formal, _), true),
    functor(Formal, Kind, _),
    hb_step:undo_run(_, _),
    hb_step:step_over.

:- end_tests(changes).

value_of_x(Reply, Value) :-
    Reply.answers = [Answer],
    memberchk(["X",Value|_], Answer.bindings).

:- begin_tests(goals_of_variables).

test(an_unbound_goal_is_no_known_goal, [setup(fresh(1)), true(Kinds == ["instantiation_error","instantiation_error"])]) :-
    asked("G = s(_,_), call(G), call(_)", Reply1),
    asked("C = s, call(C, _, _), call(_, 1, 2)", Reply2),
    Kinds = [Reply1.error.kind, Reply2.error.kind].
test(a_cut_is_local, [setup(fresh(3)), true(Count == 3)]) :-
    ask(query(1, "G = (!), s(_,_), call(G), true", 10, 5, 100_001, -1000), Reply),
    length(Reply.answers, Count).
test(a_goal_with_constraints, [setup(fresh(1)), true(Kind == "instantiation_error")]) :-
    asked("G = s(_,_), call(G), freeze(H, true), call(H)", Reply),
    Kind = Reply.error.kind.
test(a_name_of_a_library_that_the_book_takes, [setup(fresh(1)), true(Values == ["b","mine"])]) :-
    Text = "last(_, mine).",
    string_length(Text, Length),
    format(string(Add), 'add(inline,[~d],[5000-1],1)~n~w', [Length, Text]),
    Goal = "G = last([a,b], X), call(G)",
    asked(Goal, Reply1),
    reply_to(Add, _),
    asked(Goal, Reply2),
    maplist(value_of_x, [Reply1,Reply2], Values).
test(a_predicate_of_ones_own_that_goes, [setup(fresh(1)), true(Found-Kind == 1-"existence_error")]) :-
    Goal = "G = s(_,_), call(G)",
    asked(Goal, Reply1),
    length(Reply1.answers, Found),
    ask(undeclare([s/2]), _),
    asked(Goal, Reply2),
    Kind = Reply2.error.kind.

:- end_tests(goals_of_variables).
