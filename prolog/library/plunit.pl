:- module(hb_plunit,
          [ run_tests/0,
            run_tests/1,                % +Spec
            run_tests/2,                % +Spec, +Options
            '$test_results'/1           % -Results
          ]).
:- use_module('../store/store', []).
:- use_module('../sandbox/checked', []).
:- use_module('../limits', [not_a_stop/1]).
:- use_module('../error_text', [term_text/2]).
:- use_module('../errors', [error_json/2]).

/** <module> Tests in the book

SWI-Prolog's library(plunit) for user code.  A unit is what comes between the directives
`begin_tests(Unit)` and `end_tests(Unit)`.  Its tests are the clauses of test/1 and test/2 there,
with the options of plunit.  As all user code is in one module, the other clauses of a unit are
visible outside it.

Tests that pass are only counted, because the reader of the report wants to fix the others.
*/

%!  run_tests is semidet.
%!  run_tests(+Spec) is semidet.
%!  run_tests(+Spec, +Options) is semidet.
%
%   Run all tests, or those of Spec: a unit, Unit:Name, or a list of these.  Writes what failed,
%   then how many passed.  True if none has failed.  Options are those of plunit, and have no effect.
%
%   @error domain_error if Spec names no tests.

run_tests :-
    run_tests(all).

run_tests(Spec) :-
    all_tests(All),
    chosen(Spec, All, Tests),
    Counts = counts(0, 0, 0),
    forall(in_units(Tests, Test, Ready), run_test(Test, Ready, Counts)),
    Counts = counts(Passed, Failed, Skipped),
    Count is Passed+Failed+Skipped,
    (   Count =:= 1
    ->  Tests1 = test
    ;   Tests1 = tests
    ),
    format("~d ~w: ~d passed, ~d failed, ~d skipped~n", [Count, Tests1, Passed, Failed, Skipped]),
    Failed == 0.

run_tests(Spec, _) :-
    run_tests(Spec).

%!  '$test_results'(-Results) is det.
%
%   Run all tests.  Results has a list [Title, Status, Message] for each clause of a test, all texts
%   but Status: failed if one of its cases fails, with what the first of these did; else passed; or
%   skipped.  For reviews: as what tests write is no result, and no book can define such a name.

'$test_results'(Results) :-
    all_tests(Tests),
    findall(Ref-Title, ( '$member'(Test, Tests), Test = test(_, _, _, Ref), title(Test, Title) ), Titles),
    findall(Result, ( in_units(Tests, One, Ready), test_result(One, Ready, Titles, Result) ), Results).

test_result(Test, Ready, Titles, [Title, Status, Message]) :-
    Test = test(_, _, _, Ref),
    memberchk(Ref-Title, Titles),
    Worst = worst(skipped("no case")),
    (   run_test(Test, Ready, Worst)
    ->  arg(1, Worst, Result)
    ;   Result = failed("another test removes it")
    ),
    status(Result, Status, Message).

status(passed, passed, "").
status(choice_point, passed, "").
status(failed(Why), failed, Why).
status(skipped(Why), skipped, Why).

title(test(_, Unit, _, Ref), Title) :-
    clause(knowledge_base:Head, _, Ref),
    arg(1, Head, Name),
    term_text(Unit:Name, Title).

%   all_tests(-Tests): in the order of the book.

all_tests(Tests) :-
    findall(test(Id, Unit, UnitOptions, Ref), unit_test(Id, Unit, UnitOptions, Ref), Tests0),
    sort(1, @<, Tests0, Tests).

%   unit_test(-Id, -Unit, -Options, -Ref) is nondet: the clause Ref, entry Id of the book, is a test of Unit.

unit_test(Id, Unit, Options, Ref) :-
    '$member'(Arity, [1,2]),
    functor(Head, test, Arity),
    hb_store:stored(Head, _, Ref),
    hb_store:id_of(Ref, Id),
    hb_store:test_unit(Id, Unit, Options0),
    in_its_module(Ref, Options0, Options).

%   chosen(+Spec, +All, -Tests)

chosen(Spec, _, _) :-
    var(Spec),
    !,
    throw(error(instantiation_error, _)).
chosen(_, [], _) :-
    !,
    throw(error(hornbook(message(domain_error,
        "The book has no tests: add clauses of test/1 or test/2 between `:- begin_tests(Unit).` and `:- end_tests(Unit).`")), _)).
chosen(all, All, All) :-
    !.
chosen([], _, []) :-
    !.
chosen([Spec|Specs], All, Tests) :-
    !,
    chosen(Spec, All, Tests0),
    chosen(Specs, All, Tests1),
    '$append'(Tests0, Tests1, Tests).
chosen(Unit:Name, All, Tests) :-
    !,
    findall(Test, ( '$member'(Test, All), Test = test(_, Unit, _, Ref), named(Ref, Name) ), Tests),
    some(Tests, Unit:Name, All).
chosen(Unit, All, Tests) :-
    findall(Test, ( '$member'(Test, All), Test = test(_, Unit, _, _) ), Tests),
    some(Tests, Unit, All).

named(Ref, Name) :-
    clause(knowledge_base:Head, _, Ref),
    arg(1, Head, Written),
    subsumes_term(Name, Written).

some([], What, All) :-
    !,
    findall(Unit, '$member'(test(_, Unit, _, _), All), Units0),
    sort(Units0, Units),
    term_text(What, Text),
    atomic_list_concat(Units, ', ', There),
    format(string(Message), "There are no tests ~s. The units are: ~w.", [Text, There]),
    throw(error(hornbook(message(domain_error, Message)), _)).
some(_, _, _).

%   in_units(+Tests, -Test, -Ready) is nondet: each Test, between the setup and the cleanup of its unit.  Ready is true,
%   skipped, or failed(Why).

in_units(Tests, Test, Ready) :-
    units(Tests, Units),
    '$member'(unit(_, Options, Members), Units),
    unit_setup(Options, Ready),
    (   '$member'(Test, Members)
    ;   Ready == true,
        run_cleanup(Options),
        fail
    ).

units([], []).
units([Test|Tests], [unit(Unit, Options, [Test|Members])|Units]) :-
    Test = test(_, Unit, Options, _),
    units(Tests, Units0),
    (   Units0 = [unit(Unit, Options0, Members)|Units],
        Options0 =@= Options
    ->  true
    ;   Members = [],
        Units = Units0
    ).

unit_setup(Options, Ready) :-
    (   skipped(Options, _)
    ->  Ready = skipped
    ;   set_up(Options, How),
        (   How == done
        ->  Ready = true
        ;   format(string(Why), "the setup of its unit ~s", [How]),
            Ready = failed(Why)
        )
    ).

%   set_up(+Options, -How): How is `done`, or what the setup of Options did instead.  What it sets with b_setval/2 stays set.
%   run_cleanup(+Options) is det.

set_up([], done).
set_up([Option|Options], How) :-
    (   nonvar(Option),
        Option = setup(Goal)
    ->  called(hb_checked:checked(Goal), Outcome),
        (   Outcome = true(_)
        ->  set_up(Options, How)
        ;   outcome_text(Outcome, How)
        )
    ;   set_up(Options, How)
    ).

run_cleanup(Options) :-
    forall('$member'(cleanup(Goal), Options), called(hb_checked:checked(Goal), _)).

%   run_test(+Test, +Ready, !Report): leaves no bindings.  Report is counts(Passed, Failed, Skipped), whose
%   failures are written, or worst(Result).

run_test(Test, Ready, Report) :-
    Test = test(_, _, UnitOptions, Ref),
    clause(knowledge_base:Head, Body, Ref),
    (   arg(2, Head, Options0)
    ->  listed(Options0, Options1),
        in_its_module(Ref, Options1, Options)
    ;   Options = []
    ),
    title(Test, Title),
    Run = hb_plunit:run_case(Options, Body, Title, Report),
    (   '$member'(Given, [Options,UnitOptions]),
        skipped(Given, Why)
    ->  reported(skipped(Why), Title, Report)
    ;   Ready = failed(_)
    ->  reported(Ready, Title, Report)
    ;   '$member'(Option, Options),
        subsumes_term(forall(_), Option)
    ->  Option = forall(Generator),
        catch(forall(hb_checked:checked(Generator), Run), Ball, true),
        (   var(Ball)
        ->  true
        ;   not_a_stop(Ball),
            raised(Ball, Message),
            reported(failed(Message), Title, Report)
        )
    ;   \+ \+ call(Run)
    ).

%   in_its_module(+Ref, +Options0, -Options): qualify goals in the options of the test Ref with the
%   module of its text.

in_its_module(Ref, Options0, Options) :-
    (   hb_store:clause_module(Ref, Module)
    ->  hb_store:in_module(Module, maplist(hb_plunit:qualified_option, Options0, Options))
    ;   Options = Options0
    ).

qualified_option(Option, Option) :-
    var(Option),
    !.
qualified_option(Option0, Option) :-
    '$member'(Name, [setup,cleanup,forall,condition,true]),
    compound(Option0),
    compound_name_arguments(Option0, Name, [Goal0]),
    !,
    hb_store:qualified(Goal0, Goal),
    compound_name_arguments(Option, Name, [Goal]).
qualified_option(Option, Option).

listed(Options, List) :-
    (   is_list(Options)
    ->  List = Options
    ;   List = [Options]
    ).

%   skipped(+Options, -Why) is semidet.

skipped(Options, Why) :-
    '$member'(Option, Options),
    nonvar(Option),
    (   ( Option = blocked(Reason) ; Option = fixme(Reason) )
    ->  term_text(Reason, Why)
    ;   Option = occurs_check(_)
    ->  Why = "this flag cannot be set here"
    ;   Option = condition(Goal),
        called(hb_checked:checked(Goal), Outcome),
        Outcome \= true(_)
    ->  term_text(Goal, Text),
        outcome_text(Outcome, How),
        format(string(Why), "~s ~s", [Text, How])
    ),
    !.

%   reported(+Result, +Title, !Report)

reported(Result, Title, Report) :-
    (   Report = worst(Before)
    ->  (   rank(Before, Rank0),
            rank(Result, Rank),
            Rank > Rank0
        ->  nb_setarg(1, Report, Result)
        ;   true
        )
    ;   counted(Result, Title, Report)
    ).

rank(skipped(_), 0).
rank(passed, 1).
rank(choice_point, 1).
rank(failed(_), 2).

%   counted(+Result, +Title, !Counts)

counted(passed, _, Counts) :-
    count(1, Counts).
counted(choice_point, Title, Counts) :-
    count(1, Counts),
    format("choice point left: ~s~n", [Title]).
counted(failed(Why), Title, Counts) :-
    count(2, Counts),
    format("FAILED ~s: ~s~n", [Title, Why]).
counted(skipped(Why), Title, Counts) :-
    count(3, Counts),
    format("skipped ~s: ~s~n", [Title, Why]).

count(I, Counts) :-
    arg(I, Counts, Count0),
    Count is Count0+1,
    nb_setarg(I, Counts, Count).

%   run_case(+Options, +Body, +Title, !Report)

run_case(Options, Body, Title, Report) :-
    result(Options, Body, Result),
    reported(Result, Title, Report).

result(Options, _, failed(Why)) :-
    '$member'(Option, Options),
    \+ known_option(Option),
    !,
    term_text(Option, Text),
    format(string(Why), "unknown option ~s", [Text]).
result(Options, Body, Result) :-
    set_up(Options, How),
    (   How == done
    ->  judged(Options, Body, Result)
    ;   format(string(Why), "its setup ~s", [How]),
        Result = failed(Why)
    ).

judged(Options, Body, Result) :-
    (   '$member'(Option, Options),
        expects(Option, Expected)
    ->  true
    ;   Expected = true(true)
    ),
    judged(Expected, Body, Options, Result),
    run_cleanup(Options).

known_option(Option) :-
    nonvar(Option),
    (   expects(Option, _)
    ;   '$member'(Option, [nondet, setup(_), cleanup(_), forall(_), condition(_), timeout(_), sto(_)])
    ),
    !.

%   expects(+Option, -Expected): Option says how the test should end.

expects(true,           true(true)).
expects(true(Goal),     true(Goal)).
expects(fail,           false).
expects(false,          false).
expects(error,          raised(error(_, _))).
expects(error(F),       raised(error(F, _))).
expects(error(F, C),    raised(error(F, C))).
expects(exception,      raised(_)).
expects(exception(B),   raised(B)).
expects(throws(B),      raised(B)).
expects(all(Check),     all(Check, list)).
expects(bag(Check),     all(Check, bag)).
expects(set(Check),     all(Check, set)).
expects(Check,          true(Check)) :-
    compound(Check),
    compound_name_arity(Check, Name, 2),
    '$member'(Name, [=, ==, =@=, =:=, \=, \==, \=@=, =\=, <, >, =<, >=, @<, @>, @=<, @>=, is]),
    !.

%   judged(+Expected, +Body, +Options, -Result)

judged(all(Check, Order), Body, _, Result) :-
    !,
    (   compound(Check),
        compound_name_arguments(Check, Name, [Template,Wanted])
    ->  called(findall(Template, knowledge_base:Body, Found), Outcome),
        (   Outcome = true(_)
        ->  ordered(Order, Wanted, Wanted1),
            ordered(Order, Found, Found1),
            compound_name_arguments(Same, Name, [Found1,Wanted1]),
            checked(Same, Result)
        ;   outcome_text(Outcome, How),
            format(string(Why), "it ~s", [How]),
            Result = failed(Why)
        )
    ;   term_text(Check, Text),
        format(string(Why), "~s is no comparison", [Text]),
        Result = failed(Why)
    ).
judged(Expected, Body, Options, Result) :-
    called(knowledge_base:Body, Outcome),
    (   as_expected(Expected, Outcome, Check)
    ->  checked(Check, Result0),
        (   Result0 == passed,
            Expected = true(_),
            Outcome == true(choice_point),
            \+ ( '$member'(Option, Options), Option == nondet )
        ->  Result = choice_point
        ;   Result = Result0
        )
    ;   outcome_text(Outcome, How),
        wanted_text(Expected, Wanted),
        format(string(Why), "it ~s~s", [How, Wanted]),
        Result = failed(Why)
    ).

%   as_expected(+Expected, +Outcome, -Check): Outcome is as expected if Check holds too.

as_expected(true(Goal), true(_), Goal).
as_expected(false, false, true).
as_expected(raised(Pattern), raised(Ball), true) :-
    subsumes_term(Pattern, Ball).

ordered(list, Terms, Terms).
ordered(bag, Terms, Sorted) :-
    ( is_list(Terms) -> msort(Terms, Sorted) ; Sorted = Terms ).
ordered(set, Terms, Sorted) :-
    ( is_list(Terms) -> sort(Terms, Sorted) ; Sorted = Terms ).

checked(Goal, Result) :-
    term_text(Goal, Text),
    called(hb_checked:checked(Goal), Outcome),
    (   Outcome = true(_)
    ->  Result = passed
    ;   Outcome == false
    ->  format(string(Why), "~s is false", [Text]),
        Result = failed(Why)
    ;   outcome_text(Outcome, How),
        format(string(Why), "~s ~s", [Text, How]),
        Result = failed(Why)
    ).

%   called(:Goal, -Outcome): Outcome is true(Left), where Left is choice_point or none; false; or
%   raised(Ball).

called(Goal, Outcome) :-
    catch(first(Goal, Outcome), Ball, true),
    (   var(Ball)
    ->  true
    ;   not_a_stop(Ball),
        Outcome = raised(Ball)
    ).

first(Goal, true(Left)) :-
    call_cleanup(Goal, Done = true),
    (   Done == true
    ->  Left = none
    ;   Left = choice_point
    ),
    !.
first(_, false).

outcome_text(true(_), "succeeds").
outcome_text(false, "fails").
outcome_text(raised(Ball), Text) :-
    raised(Ball, Text).

raised(Ball, Text) :-
    nonvar(Ball),
    Ball = error(_, _),
    error_json(Ball, object(Pairs)),
    '$member'(message=text(Message), Pairs),
    !,
    format(string(Text), "raises an error: ~s", [Message]).
raised(Ball, Text) :-
    term_text(Ball, Thrown),
    format(string(Text), "throws ~s", [Thrown]).

wanted_text(true(_), "").
wanted_text(false, ", but should fail").
wanted_text(raised(Pattern), Text) :-
    term_text(Pattern, Shown),
    format(string(Text), " (expected: ~s)", [Shown]).
