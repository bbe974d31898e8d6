:- use_module(library(plunit)).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(aggregate)).
:- use_module(library(pairs)).
:- use_module(library(yall)).
:- use_module('../../prolog/hornbook').

%   The translation of untrusted bodies, back and forth, and goals that are
%   checked when they are called.

safe(Text, Safe) :-
    term_string(Body, Text),
    hb_sandbox:safe_body(Body, Safe).

refused(Text, What) :-
    catch(( safe(Text, _), What = none ), error(permission_error(call, sandboxed, What), _), true).

%   run(+Text): as untrusted code would be called now.

run(Text) :-
    term_string(Goal, Text),
    hb_checked:checked(Goal).

%   run_for(+Text, ?Values): Values are Name=Value of its variables.

run_for(Text, Values) :-
    term_string(Goal, Text, [variable_names(Names)]),
    hb_checked:checked(Goal),
    values(Values, Names).

values([], _).
values([Name=Value|Values], Names) :-
    memberchk(Name=Value, Names),
    values(Values, Names).

:- begin_tests(translation).

test(the_name_of_a_declaration_may_be_that_of_a_later_predicate, forall(member(Text, [
        "public(_)", "det(the)", "maplist(public, [a])", "call(volatile, _)"])), true(What == none)) :-
    refused(Text, What).
test(a_declaration_is_no_goal, forall(member(Text-Name, [
        "public(foo/1)"-public, "initialization(main)"-initialization, "multifile(foo/1)"-multifile])), true(What == Name/1)) :-
    refused(Text, What).
test(what_is_no_goal_is_not_negated, error(type_error(callable, "ab"), _)) :-
    safe("tnot(\"ab\")", _).
test(users_and_harmless_goals_stay, true(Safe =@= (foo(_),X = 1, atom(X)))) :-
    safe("foo(_), X = 1, atom(X)", Safe).
test(library_goals_name_their_module, true(Safe =@= lists:member(_, [a]))) :-
    safe("member(_, [a])", Safe).
test(meta_arguments_are_translated, true(Safe =@= findall(X, lists:member(X, _), _))) :-
    safe("findall(X, member(X, _), _)", Safe).
test(unknown_goals_wait, true(Safe =@= findall(_, hb_checked:checked(_), _))) :-
    safe("findall(_, _, _)", Safe).
test(closures_name_their_module, true(Safe =@= apply:maplist(knowledge_base:knowledge_base:foo(a), _))) :-
    safe("maplist(foo(a), _)", Safe).
test(refused_at_any_depth, true(What == shell/1)) :-
    refused("foo ; ( bar -> \\+ findall(x, forall(zz, catch(shell(a), _, true)), _) )", What).
test(refused_in_closures, true(What == shell/1)) :-
    refused("maplist([X]>>foldl([Y,_,_]>>shell(Y), X, a, _), _)", What).
test(undefined_predicates_end_no_check, true(What == shell/1)) :-
    refused("zz_undefined, shell(a)", What).
test(modules_are_not_reached, true(What == hb_store:own/2)) :-
    refused("hb_store:own(_, _)", What).
test(modules_of_modules_are_not_reached, true(What == system:shell/1)) :-
    refused("user:knowledge_base:system:shell(a)", What).
test(a_body_that_is_no_goal, error(type_error(callable, _))) :-
    safe("foo, 1", _).
test(an_argument_that_is_no_goal_waits, true(Safe =@= call(hb_checked:checked(1)))) :-
    safe("call(1)", Safe).
test(a_cyclic_body_ends, error(type_error(acyclic_term, _))) :-
    X = (true,X),
    hb_sandbox:safe_body(X, _).
test(a_dict_function_is_called_before, true(Safe =@= ((hb_builtins:'safe_.'(D, a, V), X = V), foo(D, X)))) :-
    safe("X = D.a, foo(D, X)", Safe).

:- end_tests(translation).

:- begin_tests(as_written).

%   Bodies that must come back as they were.

body("foo"). body("true"). body("!"). body("foo(X), bar(X, _)"). body("X = 1 ; X = 2"). body("a -> b ; c"). body("a *-> b ; c").
body("\\+ foo(_)"). body("a, !, b"). body("X"). body("call(X)"). body("X, Y"). body("member(X, [1]), append(X, _, _)").
body("findall(X, member(X, L), R)"). body("findall(X, G, R)"). body("bagof(X, Y^foo(X, Y), L)"). body("setof(X, Y^Z^G, L)").
body("forall(member(X, L), write(X))"). body("aggregate_all(count, foo(_), C)"). body("aggregate(count, X^foo(X), C)").
body("maplist(foo, L)"). body("maplist(P, L)"). body("maplist(succ, L, R)"). body("maplist(append(X), L, R)"). body("maplist(maplist(succ), L, R)").
body("maplist([X]>>foo(X), L)"). body("maplist([X,Y]>>(Y is X+1), L, R)"). body("maplist({N}/[X,Y]>>(Y is X+N), L, R)").
body("maplist([X]>>bar, L, R)"). body("maplist([X]>>([Y]>>foo(X, Y)), L, R)"). body("maplist([X]>>G, L)"). body("maplist(L>>foo, M)").
body("foldl([X,A,B]>>(B is A+X), L, 0, S)"). body("include([X]>>(X > 1), L, R)"). body("maplist(call, Gs)"). body("maplist(format(\"~w\"), L)").
body("maplist({X}/foo, L)"). body("[X]>>foo(X)"). body("call([X]>>foo(X), Y)"). body("call(foo, X)"). body("call(P, X, Y)"). body("call(call, foo)").
body("catch(foo, E, true)"). body("catch(foo, found, write(E))"). body("catch(foo, E, (write(E), fail))"). body("catch(G, E, R)"). body("catch_with_backtrace(foo, E, true)").
body("setup_call_cleanup(a, b, c)"). body("call_cleanup(a, b)"). body("with_output_to(string(S), write(x))"). body("once(a), ignore(b), not(c)").
body("format(\"~w\", [X])"). body("format(F, [X])"). body("format(\"~@\", [foo])"). body("format(atom(A), \"~w\", [X])"). body("format(S, \"~w\", [X])"). body("format(\"x\")").
body("phrase(foo, L)"). body("phrase(foo(X), L, R)"). body("phrase((foo, [a], {bar}), L)"). body("phrase(B, L)"). body("call_dcg(foo, A, B)").
body("phrase(sequence(digit, \",\", Ds), L)"). body("phrase(sequence(call(foo), ([a],[b]), Ds), L)"). body("bagof(X, phrase(([X],[_]), L), R)").
body("assertz(foo(X))"). body("assertz((foo(X) :- bar(X)))"). body("retract(foo(X))"). body("clause(foo, B)"). body("abolish(foo/1)").
body("write(user_error, x)"). body("nl(S)"). body("nb_setval(k, 1), nb_getval(k, X)"). body("throw(x)"). body("apply(foo, [X])"). body("sformat(S, \"x\", [])").
body("freeze(X, foo(X))"). body("freeze(X, G)"). body("when(nonvar(X), foo(X))"). body("frozen(X, G)"). body("copy_term(X, Y, G)"). body("put_attr(X, user, 1)").
body("#>(X, 3), label([X])"). body("tnot(foo(X))"). body("tnot(G)"). body("limit(2, foo(X))"). body("order_by([asc(X)], foo(X))"). body("call_nth(foo(X), 2)").
body("foreach(member(X, L), foo(X))"). body("assertion(foo)"). body("time(foo)"). body("predsort([O,A,B]>>compare(O, A, B), L, R)").
body("lists:append(A, B, C)"). body("system:write(x)"). body("apply:maplist(foo, L)"). body("M:foo"). body("lists:G"). body("maplist(lists:append(X), L, R)").
body("call(a, b, c, d, e, f, g, h, i)").
body("( a, b ; c -> d ; \\+ e )"). body("forall(a, forall(b, findall(X, (c, maplist([Y]>>d(X, Y), L)), Z)))"). body("'|'(a, b)").

test(comes_back, [forall(( body(Text), Text \== "call(a, b, c, d, e, f, g, h, i)" )), true(Written =@= Body)]) :-
    term_string(Body, Text),
    hb_sandbox:safe_body(Body, Safe),
    hb_sandbox:as_written(Safe, Written).
test(translates_again_to_the_same, [forall(body(Text)), true(Again =@= Safe)]) :-
    term_string(Body, Text),
    hb_sandbox:safe_body(Body, Safe),
    hb_sandbox:as_written(Safe, Written),
    hb_sandbox:safe_body(Written, Again).

%   Every pair of bodies joined in every control construct.

test(comes_back_in_constructs, [forall(member(Construct, [c(A,B)-(A,B), c(A,B)-(A;B), c(A,B)-(A->B;true), c(A,B)-catch(A,_,B), c(A,B)-catch(A,error(_,_),B), c(A,B)-findall(_,(A,B),_),
                                                        c(A,B)-forall(A,B), c(A,B)-maplist([_]>>(A,B),_)])), true(Different == [])]) :-
    findall(Joined-Written,
            ( body(Text1), body(Text2),
              sub_string(Text1, 0, 4, _, Start), \+ Start = "call",
              sub_string(Text2, 0, 4, _, Start2), \+ Start2 = "call",
              Construct = c(B1,B2)-Joined,
              term_string(B1, Text1), term_string(B2, Text2),
              hb_sandbox:safe_body(Joined, Safe),
              hb_sandbox:as_written(Safe, Written),
              Written \=@= Joined ),
            Different0),
    length(Different0, N),
    length(Different, N).

%   Where the user has a predicate of that name, a call of it is no translation.

test(arguments_of_ones_own_stay, [ setup(( assertz(hb_store:own(maplist, 2)), assertz(hb_store:own(limit, 2)) )),
                                   cleanup(( retract(hb_store:own(maplist, 2)), retract(hb_store:own(limit, 2)) )),
                                   forall(member(Text, ["maplist(knowledge_base:foo, L)", "limit(1, knowledge_base:foo)",
                                                        "maplist(hb_checked:checked(a), L)",
                                                        "include(maplist(knowledge_base:foo), L, M)"])),
                                   true(Written =@= Body) ]) :-
    term_string(Body, Text),
    hb_sandbox:safe_body(Body, Safe),
    hb_sandbox:as_written(Safe, Written).
test(what_is_no_translation_stays, [forall(member(Term, [hb_checked:1, hb_checked:foo, hb_builtins:foo, hb_builtins:1, a:b, 1:a, yall:1, yall:foo, "s", f(hb_checked:x)]))]) :-
    hb_sandbox:as_written(Term, _).

:- end_tests(as_written).

:- begin_tests(checked).

test(a_goal_is_called, true(X == b)) :-
    hb_checked:checked(( lists:member(X, [a,b]), X == b )).
test(a_refused_goal_is_not, error(permission_error(call, sandboxed, shell/1), _)) :-
    run("shell(a)").
test(call_with_many_arguments_is_looked_into, error(permission_error(call, sandboxed, setenv/2), _)) :-
    run("call(call, call, call, call, call, call, setenv, a, b)").
test(call_with_more_arguments_is_looked_into, error(permission_error(call, sandboxed, setenv/2), _)) :-
    run("call(call, call, call, call, call, call, call, call, call, setenv, a, b)").
test(a_qualified_goal_is_looked_at, error(permission_error(call, sandboxed, system:shell/1), _)) :-
    run("system:shell(a)").
test(a_refused_closure_is_not_called, error(permission_error(call, sandboxed, setenv/2), _)) :-
    hb_checked:checked(setenv(a), b).
test(a_closure_that_is_qualified, error(permission_error(call, sandboxed, _), _)) :-
    hb_checked:checked(system:setenv(a), b).
test(a_closure_of_the_library, true(L == [2,3])) :-
    hb_checked:checked(maplist(succ), [1,2], L).
test(a_closure_of_call, true(Y == 3)) :-
    hb_checked:checked(call(plus(1)), 2, Y).
test(a_lambda, true(Y == 3)) :-
    hb_checked:checked([X,Z]>>(Z is X+1), 2, Y).
test(an_unbound_goal, error(instantiation_error)) :-
    hb_checked:checked(_).
test(an_unbound_module, error(instantiation_error)) :-
    hb_checked:checked(_:foo).
test(an_unbound_goal_of_bagof, error(instantiation_error)) :-
    hb_checked:checked(bagof(_, _^_, _)).
test(no_goal, error(type_error(callable, 1))) :-
    hb_checked:checked(1).
test(a_cut_is_local, all(X == [1])) :-
    hb_checked:checked(( lists:member(X, [1,2]), ! )).
test(parameters_changed_meanwhile_change_nothing, error(permission_error(call, sandboxed, _), _)) :-
    Parameters = [_,_],
    hb_sandbox:safe_body(maplist(Parameters>>rename_file(a,b), [1], [2]), _:maplist(_:Closure, _, _)),
    Closure = yall:(Own>>_),
    setarg(2, Parameters, []),
    Own = [_,_],
    hb_checked:checked(open(a,b), c).

:- end_tests(checked).

:- begin_tests(policy).

%   What the compiler does not call as a predicate must not be the user's.

test(never_the_users, [forall(member(Name/Arity, [','/2, (;)/2, (->)/2, (*->)/2, (\+)/1, (:)/2, '|'/2, (@)/2, call/1, call/8, call/9, call/100, '?=>'/2, (=>)/2, (:-)/2, (-->)/2, '$x'/1, '$test_results'/1, ($)/0, ($)/1, string/1, rational/1, phrase/2, phrase/3]))]) :-
    \+ hb_policy:redefinable(Name, Arity).
test(the_users_if_they_like, [forall(member(Name/Arity, [append/3, print/2, ignore/1, shell/1, foo/1, writeln/1, forall/2]))]) :-
    hb_policy:redefinable(Name, Arity).
test(every_system_predicate_has_a_class, true(Without == [])) :-
    findall(Name/Arity,
            ( predicate_property(system:Head, defined), functor(Head, Name, Arity), \+ hb_policy:class(Name, Arity, _) ),
            Without).
test(qualification_is_a_control_construct, true(Class == control)) :-
    hb_policy:class(:, 2, Class).
test(safe_versions_exist, [forall(( hb_policy:class(Name, Arity, Class), ( Class = replaced(Safe) ; Class = format(Safe) ) ))]) :-
    functor(Head, Safe, Arity),
    (   predicate_property(hb_builtins:Head, defined)
    ->  true
    ;   throw(missing(Name/Arity))
    ).
test(meta_declarations_are_those_of_the_system, true(Different == [])) :-
    findall(Ours-Theirs,
            ( hb_safe:meta(_, Ours), functor(Ours, Name, Arity), functor(Head, Name, Arity),
              predicate_property(system:Head, meta_predicate(Theirs)),
              arg(I, Ours, Our), arg(I, Theirs, Their),
              ( integer(Their) ; memberchk(Their, [^, //]) ),
              Our \== Their, Our \== tabled ),
            Different).

:- end_tests(policy).

:- begin_tests(formats).

harmless(Text) :-
    hb_formats:harmless_format(format(Text, [])).

test(harmless, [forall(member(F, ["", "~w", "~~@", "~a ~`-t~30|", "~*c~t~w~10+", "a@b"]))]) :-
    harmless(F).
test(calls_a_goal, [forall(member(F, ["~@", "~-1@", "~*:@", "~:@", "~12@", "~`x@", "~`~@", "~~~@", "~w~@", "~W", "~3W"]))]) :-
    \+ harmless(F).
test(the_right_argument_is_checked, true(Args =@= [1,a,hb_checked:checked(g),2])) :-
    hb_formats:safe_format_text("~*c~@~w", [1,a,g,2], _, Args).
test(options_with_a_goal, error(domain_error(write_option, _))) :-
    hb_formats:safe_format_text("~W", [x,[portray_goal(g)]], _, _).
test(unknown_directives_write_nothing, error(format(_))) :-
    hb_formats:safe_format_text("~! ~@", [g], _, _).
test(decimals_are_looked_at, [forall(member(F, ["~2d", "~2D", "~*d", "~`ad", "~2:d", "~*:D", "~w ~61d"]))]) :-
    \+ harmless(F).
test(decimals_that_system_prolog_writes, [forall(member(F-As, ["~2d"-[-123], "~0d"-[1<<200], "~60d"-[1<<200], "~61d"-[(1<<63)-1],
        "~60D"-[-(1<<200)], "~*d ~w"-[3,5,x], "~d~t~40|~2d"-[1,2], "~`ad"-[5], "~2:d~a"-[1<<100,b], "~-70d"-[1<<200]]))]) :-
    format(string(Expected), F, As),
    hb_formats:safe_format_text(F, As, F1, As1),
    format(string(Text), F1, As1),
    Text == Expected.
test(decimals_of_all_digits_and_more, [forall(member(F-As, ["~61d"-[1<<200], "~*D"-[61,1<<200], "~61:d"-[1 << 200], "~`=d"-[1<<200]]))]) :-
    hb_formats:safe_format_text(F, As, F1, As1),
    format(string(Text), F1, As1),
    Digits is 1<<200,
    format(string(Expected), "0.~d", [Digits]),
    Text == Expected.
test(decimals_of_a_negative_number, true(Text == "-0.001606938044258990275541962092341162602522202993782792835301376|")) :-
    hb_formats:safe_format_text("~63d~w", [-(1<<200),'|'], F, As),
    format(string(Text), F, As).
test(too_few_arguments_beside_decimals, [forall(member(F-As, ["~2d~w"-[1], "~*d"-[1], "~2d"-[]])), error(format(_), _)]) :-
    hb_formats:safe_format_text(F, As, F1, As1),
    format(string(_), F1, As1).
test(an_argument_too_many_beside_decimals, error(format(_), _)) :-
    hb_formats:safe_format_text("~2d", [1,2], F, As),
    format(string(_), F, As).

:- end_tests(formats).

:- begin_tests(libraries).

%   Libraries that are loaded by name.

with_library(Library, Goal) :-
    setup_call_cleanup(
        hb_policy:use_library(Library, 7),
        run(Goal),
        hb_policy:leave_library(7)).

with_library_for(Library, Text, Bindings) :-
    setup_call_cleanup(
        hb_policy:use_library(Library, 7),
        run_for(Text, Bindings),
        hb_policy:leave_library(7)).

test(clpq_instead_of_clpr, true) :-
    with_library(clpq, "{X = 7/2}, X == 7r2").
test(clpr_again_when_it_goes, true) :-
    with_library(clpq, "true"),
    run("{X = 7/2}, X == 3.5").
test(the_first_that_is_loaded_has_it, [nondet]) :-
    hb_policy:use_library(dcgs, 8),
    setup_call_cleanup(true, ( hb_policy:class(seq, 3, Class), hb_policy:class(seqq, 3, Class) ), hb_policy:leave_library(8)),
    Class == library(hb_dcgs).
test(nothing_of_it_without_it, [forall(( hb_policy:named_export(Library, Name, Arity, Class), Library \== clpq )), fail]) :-
    hb_policy:class(Name, Arity, Class).
test(reif, true(Found == [yes-false, no-true])) :-
    hb_policy:use_library(reif, 9),
    setup_call_cleanup(
        true,
        ( hb_sandbox:safe_body(if_(X = a, T = yes, T = no), Safe),
          findall(T-Delayed,
                  ( call(knowledge_base:Safe), term_attvars(X, Vars), ( Vars == [] -> Delayed = false ; Delayed = true ) ),
                  Found) ),
        hb_policy:leave_library(9)).
test(a_condition_is_a_goal_that_is_looked_at, error(permission_error(call, sandboxed, _), _)) :-
    with_library(reif, "if_(shell(a), true, true)").
test(a_condition_of_conditions_too, error(permission_error(call, sandboxed, _), _)) :-
    with_library(reif, "if_((1 = 1, setenv(a)), true, true)").
test(a_filter_too, error(permission_error(call, sandboxed, _), _)) :-
    with_library(reif, "tfilter(setenv, [a], _)").
test(lambdas_rename_their_variables, true(L == [2,4])) :-
    with_library_for(lambda, "maplist(\\X^Y^(Y is X*2), [1,2], L)", ['L'=L]).
test(free_variables_of_a_lambda_are_shared, true(L-N == [6,7]-5)) :-
    with_library_for(lambda, "N = 5, maplist(+\\(N, X^Y^(Y is X+N)), [1,2], L)", ['L'=L,'N'=N]).
test(a_lambda_is_looked_at, [forall(member(Goal, ["maplist(\\X^shell(X), [a])", "+\\(F, X^shell(X), a)", "G = shell, maplist(\\X^call(G,X), [a])"])),
                             error(permission_error(call, sandboxed, _), _)]) :-
    with_library(lambda, Goal).
test(format_in_a_grammar, true(T == "a-[1]")) :-
    with_library_for(format, "phrase(format_(\"~w-~p\", [a,[1]]), Cs), string_codes(T, Cs)", ['T'=T]).
test(format_of_characters, true(Cs == [x,'1'])) :-
    with_library_for(format, "phrase(format_([x,~,w], [1]), Cs)", ['Cs'=Cs]).
test(a_goal_of_a_format_in_a_grammar_is_looked_at, error(permission_error(call, sandboxed, _), _)) :-
    with_library(format, "phrase(format_(\"~@\", [shell(a)]), _)").
test(every_one_can_be_loaded, [forall(hb_libraries:allowed_library(Library))]) :-
    atom_or_path(Library).

atom_or_path(Library) :- atom(Library).
atom_or_path(Directory/Name) :- atom(Directory), atom(Name).

:- end_tests(libraries).

:- begin_tests(depth_limit, [setup(recursions)]).

recursions :-
    forall(member(Clause, [ "dl(0).", "dl(N) :- N > 0, M is N-1, dl(M).", "dq :- dr.", "dr :- ds.", "ds.",
                            "dc(X) :- member(X, [a,b,c]), !.", "du(X) :- X." ]),
           ( term_string(Term, Clause), hb_clauses:add_term(Term, _, _, 90, _) )).

%   As SWI-Prolog counts them.
test(depth, [forall(member(Goal-Limit-Deepest, [ "true"-10-1, "dl(5)"-10-6, "dl(50)"-10-depth_limit_exceeded, "dq"-10-3, "dq"-3-3,
                                                 "dq"-2-depth_limit_exceeded, "\\+ \\+ fail ; dq"-10-3, "once(dq)"-10-4, "call(dq)"-10-4,
                                                 "X is 1+1"-1-1, "dq"-0-depth_limit_exceeded, "(dq -> true ; fail)"-3-3,
                                                 "du(dq)"-10-4 ])),
             true(Result == Deepest)]) :-
    format(string(Text), "call_with_depth_limit((~s), ~d, R)", [Goal,Limit]),
    run_for(Text, ['R'=Result]).
test(what_a_goal_took_is_told_for_each_answer_and_for_failure, true(Ends == [true, true, true, false])) :-
    run_for("findall(R-T, (call_time(true, T, R) ; call_time(member(_, [1, 2]), T, R) ; call_time(fail, T, R)), L)", ['L'=L]),
    pairs_keys_values(L, Ends, Times),
    forall(member(time{cpu:_, inferences:Count, wall:_}, Times), between(0, 10, Count)).
test(a_fact_takes_one_inference_however_it_ends, true(Counts == [1,1,1,2])) :-
    retractall(user:measured_fact(_)),
    assertz(user:measured_fact(1)),
    assertz(user:measured_fact(2)),
    ignore(user:measured_fact(0)),
    findall(Count,
            ( member(Goal, [measured_fact(2), measured_fact(_), measured_fact(3), (measured_fact(2), measured_fact(2))]),
              once(hb_statistics:measured(user:Goal, Time, _)),
              get_dict(inferences, Time, Count) ),
            Counts).
test(a_ball_passes_what_measures_its_goal, throws(oops)) :-
    run("time(throw(oops))").
test(each_solution, true(Xs == [1,2])) :-
    run_for("findall(X, call_with_depth_limit(member(X, [1,2]), 5, _), Xs)", ['Xs'=Xs]).
test(what_fails_below_the_limit_fails, fail) :-
    run("call_with_depth_limit(fail, 5, _)").
test(a_cut_is_local_to_its_clause, true(Xs == [a])) :-
    run_for("findall(X, call_with_depth_limit(dc(X), 9, _), Xs)", ['Xs'=Xs]).
test(goals_are_looked_at_at_any_depth,
     [forall(( member(Goal, ["~s", "du(~s)", "G = ~s, call(G)", "G = set_prolog_flag(hb_reached), call(G, true)",
                             "findall(x, (G = ~s, G), _)"]),
               between(1, 6, Limit) )),
      fail]) :-
    ( sub_string(Goal, _, _, _, "~s") -> format(string(Text0), Goal, ["set_prolog_flag(hb_reached, true)"]) ; Text0 = Goal ),
    format(string(Text), "call_with_depth_limit((~s), ~d, _)", [Text0,Limit]),
    catch(run(Text), error(permission_error(call, sandboxed, _), _), true),
    current_prolog_flag(hb_reached, _).
test(no_integer, error(type_error(integer, a))) :-
    run("call_with_depth_limit(true, a, _)").

:- end_tests(depth_limit).

:- begin_tests(streams, [setup(hb_limits:open_output)]).

test(terms_of_a_text, true(T-U-E == a-b-end_of_file)) :-
    run_for("open_string(\"a. b.\", S), read(S, T), read_term(S, U, []), read(S, E), close(S)", ['T'=T,'U'=U,'E'=E]).
test(nobody_is_at_the_keyboard, true(T-C == end_of_file-end_of_file)) :-
    run_for("read(T), get_char(C)", ['T'=T,'C'=C]).
test(other_streams_are_not_there, [forall(member(Stream, [s, '<stream>(0x1)'])), error(existence_error(stream, Stream), _)]) :-
    hb_checked:checked(read(Stream, _)).
test(errors_are_not_read, error(permission_error(input, stream, user_error), _)) :-
    run("read(user_error, _)").
test(a_number_is_no_stream, error(domain_error(stream_or_alias, 0), _)) :-
    run("read(0, _)").
test(the_output_is_not_read, error(existence_error(stream, _), _)) :-
    run("current_output(S), read(S, _)").
test(a_stream_that_was_closed, error(existence_error(stream, _), _)) :-
    run("open_string(\"a\", S), close(S), get_char(S, _)").
test(a_deep_text, error(resource_error(nesting), _)) :-
    length(Codes, 5000),
    maplist(=(0'(), Codes),
    hb_checked:checked(( open_string(Codes, Stream), read(Stream, _) )).
test(terms_are_read_in_no_module, [forall(member(Option, [module(lists), quasi_quotations(_), process_comment(true), foo(1)]))]) :-
    hb_checked:checked(( open_string("x.", S), read_term(S, T, [Option]) )),
    T == x.
test(those_that_nobody_closes_are_closed, true(Count =< 1000)) :-
    hb_checked:checked(forall(between(1, 1100, _), open_string("a", _))),
    aggregate_all(count, hb_streams:own(_, _, _), Count).

:- end_tests(streams).

:- begin_tests(negative_numbers, [cleanup(hb_store:forget_all)]).

test(a_clause_keeps_them,
     [ forall(member(Body, [_ == -4, _ \== -1, _ = -4, -16777216 = _, \+ _ == -4, (_ == 4, _ == -16777217)])),
       cleanup(hb_store:forget_all),
       true(Written =@= Body) ]) :-
    hb_sandbox:safe_body(Body, Safe),
    hb_store:store(p, Safe, Body, 1, last, _),
    hb_store:stored(p, Written, _).

:- end_tests(negative_numbers).

:- begin_tests(functions).

added(Text, Clause) :-
    term_string(Term, Text),
    hb_sandbox:expand_head(Term, true, Head, Body),
    Clause = (Head :- Body).

test(functions_in_a_head_are_called_behind_it, true(Clause =@= (p(D,K) :- '.'(_{}, put(K,1), D), true))) :-
    added("p(_{}.put(K, 1), K)", Clause).
test(in_that_of_a_module_too, true(Clause =@= (one:p(V) :- '.'(_{a:1}, a, V), true))) :-
    added("one:p(_{a:1}.a)", Clause).
test(a_function_of_a_dict_takes_the_dict_and_its_value_last,
     true(Head-Body =@= f(X,D,V)-(p(X,Y),'.'(D,put(k,Y),V)))) :-
    term_string((Call := Value :- Goal), "D.f(X) := D.put(k, Y) :- p(X, Y)"),
    hb_functions:dict_method((Call := Value), Goal, Head, Body).
test(other_heads_stay, true(Clause =@= (p(_{a:1}, _) :- true))) :-
    added("p(_{a:1}, _)", Clause).

:- end_tests(functions).

:- begin_tests(json).

test(numbers_of_any_length, forall(member(Length, [1, 255, 256, 300, 5000]))) :-
    Number is 7*(10**Length-1)//9,
    format(codes(Text), "[~d, -~d]", [Number, Number]),
    Minus is -Number,
    format(string(Goal), "atom_json_term('~s', T, [])", [Text]),
    run_for(Goal, ['T'=[Number,Minus]]).
test(no_number, error(syntax_error(illegal_number))) :-
    run("atom_json_term('[1-2]', _, [])").
test(text_to_term_and_back, true(A-T == '{"a":1}'-json([a=1]))) :-
    run_for("atom_json_term(A, json([a=1]), []), atom_json_term('{\"a\": 1}', T, [])", ['A'=A,'T'=T]).
test(dicts, true(A == [1,null,"x"])) :-
    run_for("atom_json_dict('{\"a\": [1, null, \"x\"]}', D, []), get_dict(a, D, A)", ['A'=A]).
test(a_stream_of_texts) :-
    run("open_string(\"[1] {}\", S), json_read(S, [1]), json_read(S, json([])), close(S)").
test(a_stream_that_is_not_its_own, error(permission_error(input, stream, user_error))) :-
    run("json_read(user_error, _)").
test(text_that_nests_too_deeply, error(resource_error(_))) :-
    run("length(L, 200000), maplist(=('['), L), atomic_list_concat(L, T), atom_json_term(T, _, [])").

:- end_tests(json).

:- begin_tests(continuations).

test(answers_one_after_the_other, true(A-B-D == x-y-0)) :-
    run_for("reset(maplist([X]>>shift(X), [x,y]), A, C), reset(C, B, C1), reset(C1, _, D)", ['A'=A,'B'=B,'D'=D]).
test(a_continuation_can_be_called_twice, true(L == [1,2])) :-
    run_for("reset((shift(choose(X)), Y = X), choose(Z), C), findall(Y, ( member(Z, [1,2]), copy_term(t(Z,Y,C), t(Z,Y,C1)), call(C1) ), L)", ['L'=L]).
test(what_runs_in_it_is_under_the_sandbox, true(What == shell/1)) :-
    refused("reset((shift(a), shell(x)), _, C), call(C)", What).
test(one_that_was_made_up, [forall(member(Text, ["call_continuation([])", "call_continuation(['$cont$'(a,b,c)])", "C = call_continuation(_), call(C)"])),
                            error(_)]) :-
    run(Text).
test(its_inside_is_not_seen, fail) :-
    run("reset(shift(a), a, call_continuation(V)), copy_term(V, _, Gs), Gs = [_|_]").
test(its_inside_is_not_set, [forall(member(Text, ["put_attr(_, hb_continuations, [])", "get_attr(_, hb_continuations, _)", "'$call_continuation'([])"])), error(_)]) :-
    run(Text).
test(shift_without_reset, [forall(member(Text, ["shift(a)", "shift_for_copy(a)", "reset(shift(a), b, _)", "reset(findall(x, shift(a), _), a, _)"])),
                           error(existence_error(reset, a))]) :-
    run(Text).
test(the_reset_whose_ball_unifies, true(C == 0)) :-
    run_for("reset(( reset(shift(a(1)), b(_), _), Y = 2 ), a(X), D), X-Y == 1-Y, call(D), C = 0", ['C'=C]).
test(a_ball_wakes_its_goals_once_it_is_taken, true(L == [1])) :-
    run_for("freeze(X, nb_setval(taken, [X])), nb_setval(taken, []), reset(shift(1), X, _), nb_getval(taken, L)", ['L'=L]).

:- end_tests(continuations).

:- begin_tests(older_names).

test(read, true(X-Code == end_of_file-(-1))) :-
    run_for("read(X), get0(Code), get(-1), skip(0'a)", ['X'=X,'Code'=Code]).
test(written, true(Text == "ab")) :-
    run_for("with_output_to(string(Text), ( put(0'a), put(b) ))", ['Text'=Text]).
test(powers_and_mutexes, true(P == 8)) :-
    run_for("pow(2, 3, P), with_mutex(m, true)", ['P'=P]).
test(a_goal_under_a_mutex_is_checked, true(What == shell/1)) :-
    refused("with_mutex(m, shell(x))", What).

:- end_tests(older_names).

:- begin_tests(clauses_of_programs, [setup(programs_added), cleanup(programs_gone)]).

program_clause("cp(a).").
program_clause("cp(X) :- cq(X), X > 1, ( cq(X) -> true ; \\+ cp(X) ).").
program_clause("cq(1).").
program_clause("cr(X) :- cq(X).").
program_clause("cr(X) :- findall(Y, member(Y, [X]), _), format(\"~w\", X).").
program_clause("cr(X) :- X.").
program_clause("cs(X), X > 0 => write(X).").
program_clause("ct(X) :- throw(X).").
program_clause("ct(X) :- throw(ball(X)).").

programs_added :-
    forall(( program_clause(Text), term_string(Clause, Text) ),
           hb_clauses:add_term(Clause, _, _, 91, _)).

programs_gone :-
    forall(member(Name/Arity, [cp/1, cq/1, cr/1, cs/1, ct/1, cu/1]),
           ( hb_store:own(Name, Arity) -> hb_store:undeclare(Name, Arity) ; true )).

%   Which predicates clause/2 needs no look at.
test(verbatim, true(Names == [cp,cq])) :-
    findall(Name, ( member(Name, [cp,cq,cr,cs,ct]), functor(Head, Name, 1), hb_store:verbatim(Head) ), Names).
test(rules_are_as_written, [forall(( program_clause(Text), term_string((Head:-Body), Text) ))]) :-
    functor(Head, Name, Arity),
    functor(Asked, Name, Arity),
    ( var(Body) -> Written = (Head:-call(Body)) ; Written = (Head:-Body) ),
    once(( hb_checked:checked(clause(Asked, Found)), (Asked:-Found) =@= Written )).
test(all_and_in_order, true(Bodies == [true, (cq(1), 1 > 1, ( cq(1) -> true ; \+ cp(1) ))])) :-
    run_for("findall(B, ( member(X, [a,1]), clause(cp(X), B), ( X == a -> B == true ; B \\== true ) ), Bs)", ['Bs'=Bodies]).
test(a_body_that_is_known, [nondet, true(X == 1)]) :-
    run_for("clause(cr(X), cq(Y)), Y = 1", ['X'=X]).
test(a_body_that_is_none, [forall(member(Head, ["cp(_)", "cr(_)"])), error(type_error(callable, 3), _)]) :-
    format(string(Text), "clause(~s, 3)", [Head]),
    run(Text).
test(one_that_is_translated_comes_to_them, true(Before-Bodies == [1]-[true, shown(a), writeq(a)])) :-
    hb_clauses:add_term(cu(a), _, _, 92, _),
    hb_clauses:add_term((cu(X) :- shown(X)), _, _, 93, _),
    aggregate_all(count, hb_store:verbatim(cu(_)), Count),
    Before = [Count],
    hb_clauses:add_term((cu(Y) :- writeq(Y)), _, _, 94, _),
    run_for("findall(B, clause(cu(a), B), Bs)", ['Bs'=Bodies]).
test(what_is_declared_anew_is_judged_anew, true(Count == 1)) :-
    hb_store:undeclare(cu, 1),
    hb_clauses:add_term(cu(a), _, _, 92, _),
    aggregate_all(count, hb_store:verbatim(cu(_)), Count).
test(a_body_that_is_changed_in_place_is_a_copy, [nondet, true(Body == cq(1))]) :-
    run_for("clause(cr(1), B), B = cq(_), setarg(1, B, hb_x), clause(cr(1), Body), Body = cq(_)", ['Body'=Body]).
test(heads_without_clauses, [forall(member(Head-Kind, ["_"-instantiation_error, "3"-type_error(callable,3), "append(_,_,_)"-permission_error(access,private_procedure,append/3),
                                                       "hb_store:own(_,_)"-permission_error(access,module,hb_store)])),
                             error(Kind, _)]) :-
    format(string(Text), "clause(~s, _)", [Head]),
    run(Text).

:- end_tests(clauses_of_programs).

:- begin_tests(balls).

test(known_ones_are_thrown_at_once, [forall(member(Text, ["throw(found)", "throw(found(_))", "throw(error(a, _))"])), true(Safe == Goal)]) :-
    term_string(Goal, Text),
    hb_sandbox:safe_goal(Goal, Safe).
test(in_a_term_that_nobody_else_has) :-
    Goal = throw(found(x)),
    hb_sandbox:safe_goal(Goal, Safe),
    setarg(1, Goal, '$aborted'),
    Safe == throw(found(x)).
test(others_are_looked_at, [forall(member(Ball, [_, unwind(abort), '$hb_stop'(time), '$aborted', inference_limit_exceeded])),
                            true(Safe =@= (hb_builtins:safe_throw(Ball)))]) :-
    hb_sandbox:safe_goal(throw(Ball), Safe).
test(reserved_ones_are_refused, [forall(member(Text, ["throw(unwind(abort))", "X = '$aborted', throw(X)", "maplist(throw, ['$hb_stop'(time)])",
                                                      "G = throw(ok), forall(setarg(1, G, '$aborted'), G)"])),
                                 error(permission_error(throw, exception, _), _)]) :-
    run(Text).
test(no_hook_makes_backtraces, fail) :-
    clause(prolog:prolog_exception_hook(_, _, _, _, _), prolog_stack:_).

:- end_tests(balls).

:- begin_tests(references, [setup(( hb_limits:open_output, hb_step:begin_step(1000, -1) )), cleanup(hb_store:forget_all)]).

%   As SWI-Prolog answers, which shows an address for the reference.

test(a_clause_is_found_by_its_reference) :-
    run_for("assertz((ref_a(X) :- ref_b(X)), R), clause(H, B, R), erase(R)", ['H'=ref_a(X), 'B'=ref_b(X)]).
test(references_of_the_clauses_of_a_predicate) :-
    run_for("assertz(ref_c(1), R1), asserta(ref_c(0), R0), findall(X-R, clause(ref_c(X), true, R), L), L == [0-R0,1-R1]", []).
test(an_erased_clause_is_gone, fail) :-
    run("assertz(ref_d(1), R), erase(R), ref_d(_)").
test(it_is_erased_once, fail) :-
    run("assertz(ref_d(1), R), erase(R), erase(R)").
test(a_retracted_one_cannot_be_erased, fail) :-
    run("assertz(ref_d(1), R), retract(ref_d(1)), erase(R)").
test(its_number_among_the_others) :-
    run_for("assertz(ref_e(a)), assertz(ref_e(b), R), nth_clause(ref_e(_), 2, R1), R1 == R, nth_clause(H, N, R)", ['N'=2, 'H'=ref_e(_)]).
test(the_term_of_a_reference) :-
    run_for("assertz(ref_f(1), R), instance(R, T)", ['T'=(ref_f(1):-true)]).
test(a_second_argument_that_is_no_variable, error(uninstantiation_error(b), _)) :-
    run("assertz(a, b)").
test(no_reference, [forall(member(Goal, ["erase(r)", "clause(_, _, r)", "instance('$clause'(x), _)", "nth_clause(_, _, 3)"])),
                    error(type_error(db_reference, _), _)]) :-
    run(Goal).
test(nothing_is_known_of_the_predicate, error(instantiation_error, _)) :-
    run("nth_clause(_, 1, _)").
test(where_many_changes_are_not_recorded_each) :-
    run_for("assertz(ref_g(x), R), retract(ref_g(x)), forall(between(1, 300, I), ( assertz(ref_g(I)), retract(ref_g(I)) )), ( erase(R) -> A = erased ; A = gone )",
            ['A'=gone]),
    run_for("assertz(ref_g(y), R), forall(between(1, 300, I), ( assertz(ref_g(I)), retract(ref_g(I)) )), clause(H, true, R), erase(R), findall(X, ref_g(X), L)",
            ['H'=ref_g(y), 'L'=[]]).
test(a_clause_of_the_system_has_none, [forall(member(Goal, ["clause(append(_,_,_), _, _)", "nth_clause(append(_,_,_), 1, _)"])),
                                       error(permission_error(access, private_procedure, append/3), _)]) :-
    run(Goal).

:- end_tests(references).

:- begin_tests(streams_by_name, [setup(hb_limits:open_output)]).

test(nobody_has_this_stream, [forall(member(Goal, ["write(nowhere, x)", "nl(nowhere)", "format(nowhere, x, [])", "set_stream(nowhere, tty(false))"])),
                              error(existence_error(stream, nowhere), _)]) :-
    run(Goal).
test(no_name_of_a_stream, error(domain_error(stream_or_alias, f(x)), _)) :-
    run("write(f(x), y)").
test(input_is_not_written_to, error(permission_error(output, stream, user_input), _)) :-
    run("write(user_input, x)").
test(what_a_null_stream_is_told_counts) :-
    run_for("open_null_stream(S), set_stream(S, alias(null)), write(S, abc), format(null, '~w', [d]), character_count(null, N), close(S)", ['N'=4]).
test(a_closed_one_is_not_there, [forall(member(Goal, ["close(S)", "write(S, x)", "set_stream(S, timeout(0))"])), error(existence_error(stream, _), _)]) :-
    format(string(Text), "open_null_stream(S), close(S), ~s", [Goal]),
    run(Text).
test(a_name_is_given_once, error(permission_error(open, source_sink, alias(user_error)), _)) :-
    run("open_null_stream(S), setup_call_cleanup(true, set_stream(S, alias(user_error)), close(S))").
test(a_taken_name_is_told_before_a_missing_file, error(permission_error(open, source_sink, alias(user_error)), _)) :-
    run("open(nowhere, read, _, [alias(user_error)])").
test(a_null_stream_is_not_read, error(permission_error(input, stream, _), _)) :-
    run("open_null_stream(S), setup_call_cleanup(true, set_input(S), close(S))").

:- end_tests(streams_by_name).

:- begin_tests(waiting_goals).

test(name_their_module, [forall(member(Text-Goals, [ "freeze(X, a), frozen(X, G)"-freeze(X, user:a), "freeze(X, m:a), frozen(X, G)"-freeze(X, m:a),
                                                     "when(nonvar(X), a), frozen(X, G)"-when(nonvar(X), user:a),
                                                     "freeze(X, a), copy_term(X, Y, G)"-[freeze(_, user:a)] ])),
                         true(G =@= Goals)]) :-
    run_for(Text, ['G'=G0]),
    copy_term_nat(G0, G).

:- end_tests(waiting_goals).
