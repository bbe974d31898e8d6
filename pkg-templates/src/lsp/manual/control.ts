/** Control, clauses, errors, and reflection. */
export const control = String.raw`
,(:A, :B) is nondet|A and then B.
;(:A, :B) is nondet|A, or B on backtracking; with -> in A: if, then, else.
|(:A, :B) is nondet|As ;/2.
->(:Condition, :Then) is nondet|The first solution of Condition, and then Then; fails where there is none.
*->(:Condition, :Then) is nondet|Then for each solution of Condition; before ; the other branch only where there is none.
:(+Module, :Goal) is nondet|Calls Goal in a module of the book, or as a library exports it.
false() is failure|Always fails.
repeat() is multi|Succeeds, and again on each backtracking.
not_exists(:Goal) is semidet|Negation of Goal by the well-founded semantics; Goal is tabled for it.
call_delays(:Goal, -Delays) is nondet|Goal is true, or undefined: Delays are the undefined goals that it rests on, or true.
delays_residual_program(+Delays, -Clauses) is det|All clauses (Goal :- Condition) that Delays, of call_delays/2, rest on.
call_residual_program(:Goal, -Clauses) is nondet|Goal is true or undefined: Clauses are all that it rests on, [] if it is true.
answer_residual(:Goal, -Condition) is nondet|Condition is what an undefined answer of a tabled goal rests on.
undefined() is undefined|Neither true nor false, in the well-founded semantics.
call(:Goal, ?A) is nondet|Calls Goal with one more argument.
call(:Goal, ?A, ?B) is nondet|Calls Goal with two more arguments.
call(:Goal, ?A, ?B, ?C) is nondet|Calls Goal with three more arguments.
call(:Goal, ?A, ?B, ?C, ?D) is nondet|Calls Goal with four more arguments.
call(:Goal, ?A, ?B, ?C, ?D, ?E) is nondet|Calls Goal with five more arguments.
call(:Goal, ?A, ?B, ?C, ?D, ?E, ?F) is nondet|Calls Goal with six more arguments.
call(:Goal, ?A, ?B, ?C, ?D, ?E, ?F, ?G) is nondet|Calls Goal with seven more arguments.
apply(:Goal, +Arguments) is nondet|Calls Goal with the elements of a list as further arguments; call/N is preferred.
call_cleanup(:Goal, :Cleanup) is nondet|Calls Goal, and Cleanup once when it has no more solutions.
setup_call_cleanup(:Setup, :Goal, :Cleanup) is nondet|Setup once, then Goal; Cleanup once when Goal fails, raises, is cut or has no more solutions.
setup_call_catcher_cleanup(:Setup, :Goal, ?Catcher, :Cleanup) is nondet|As setup_call_cleanup/3; Cleanup only where Catcher unifies with how Goal ended: exit, fail, !, exception(E).
reset(:Goal, ?Ball, -Continuation) is nondet|Calls Goal; where it calls shift(Ball), Continuation is the rest of Goal, else 0.
shift(+Ball) is det|Leaves the goal of the nearest reset/3 whose ball unifies with Ball; the rest of it is the continuation there.
shift_for_copy(+Ball) is det|As shift/1, for a continuation that is called more than once.
call_continuation(+Continuation) is nondet|Goes on with what a continuation of reset/3 holds; programs use call/1.
with_mutex(+Mutex, :Goal) is semidet|The first solution of Goal. There is one thread, so Mutex is never waited for.
concurrent(+N, :Goals, +Options) is semidet|Each of Goals once, one after the other: there is one thread.
concurrent_and(:Generator, :Test) is nondet|The solutions of Generator for which Test is true, with each solution of Test.
concurrent_and(:Generator, :Test, +Options) is nondet|As concurrent_and/2; Options have no meaning with one thread.
concurrent_forall(:Generate, :Action) is semidet|As forall/2: Action is true for each solution of Generate.
concurrent_forall(:Generate, :Action, +Options) is semidet|As forall/2; Options have no meaning with one thread.
concurrent_maplist(:Goal, +List) is semidet|As maplist/2, with the first solution of each call.
concurrent_maplist(:Goal, ?Xs, ?Ys) is semidet|As maplist/3, with the first solution of each call.
concurrent_maplist(:Goal, ?Xs, ?Ys, ?Zs) is semidet|As maplist/4, with the first solution of each call.
concurrent_maplist(:Goal, ?As, ?Bs, ?Cs, ?Ds) is semidet|As maplist/5, with the first solution of each call.
first_solution(-X, :Goals, +Options) is semidet|X is what the first of Goals that succeeds binds it to.
call_with_time_limit(+Seconds, :Goal) is semidet|The first solution of Goal; raises time_limit_exceeded after Seconds.
call_with_time_limit(+Seconds, :Goal, +Context) is semidet|As call_with_time_limit/2; raises time_limit_exceeded(Context).
sleep(+Seconds) is det|Waits for Seconds, within the time limit of the query.
transaction(:Goal) is semidet|The first solution of Goal; its changes of clauses are taken back if it fails or raises.
snapshot(:Goal) is semidet|The first solution of Goal, whose changes of clauses are taken back at its end.
engine_create(+Template, :Goal, -Engine) is det|Engine gives the instances of Template for the solutions of Goal, one by one.
engine_create(+Template, :Goal, -Engine, +Options) is det|As engine_create/3; alias(Name) is the only option with a meaning.
engine_next(+Engine, -Answer) is semidet|Answer is the next answer of Engine; fails, and ends Engine, when there are no more.
engine_next_reified(+Engine, -Next) is det|Next is the(Answer), no, or throw(Error).
engine_post(+Engine, +Term) is det|Leaves Term for engine_fetch/1 in Engine.
engine_post(+Engine, +Term, -Answer) is semidet|Leaves Term for Engine, then asks it for its next answer.
engine_yield(+Answer) is det|Within an engine: Answer is its next answer, and the goal goes on when it is asked again.
engine_fetch(-Term) is det|Within an engine: Term is what was posted to it.
engine_self(-Engine) is semidet|Engine is the engine that runs this goal; fails outside of engines.
engine_destroy(+Engine) is det|Ends Engine.
is_engine(@Term) is semidet|Term is an engine that has not ended.
current_engine(?Engine) is nondet|Engine is an engine that has not ended.
recorda(+Key, +Term) is det|Adds a record with Term as the first of Key; records belong to the engine and are not in the book.
recorda(+Key, +Term, -Reference) is det|As recorda/2; Reference is for erase/1 and instance/2.
recordz(+Key, +Term) is det|Adds a record with Term as the last of Key; records belong to the engine and are not in the book.
recordz(+Key, +Term, -Reference) is det|As recordz/2; Reference is for erase/1 and instance/2.
recorded(?Key, ?Term) is nondet|Key has a record with Term.
recorded(?Key, ?Term, ?Reference) is nondet|Key has a record with Term; Reference is for erase/1 and instance/2.
instance(+Reference, -Term) is semidet|Term is the term of a record.
erase(+Reference) is semidet|Removes a record or a clause; fails if it is gone.
current_key(-Key) is nondet|Key has records.
call_with_inference_limit(:Goal, +Limit, -Result) is nondet|Goal within a number of inferences; Result is !, true or inference_limit_exceeded.
call_residue_vars(:Goal, -Vars) is nondet|Calls Goal; Vars are new variables with constraints.
call_nth(:Goal, ?N) is nondet|The solution of Goal with the number N, from 1; or all, counted.
offset(+Count, :Goal) is nondet|The solutions of Goal but the first Count ones.
distinct(?Witness, :Goal) is nondet|Solutions of Goal for which Witness is not as before.
reduced(:Goal) is nondet|As distinct/1, with less memory; may leave out too much or too little.
reduced(@Spec, :Goal, +Options) is nondet|As reduced/1, on Spec.
group_by(+By, +Template, :Goal, -Bag) is nondet|As bagof/3, with a group for each value of By alone.
findnsols(+N, @Template, :Goal, -List) is nondet|As findall/3, N solutions at a time.
findnsols(+N, @Template, :Goal, -List, ?Tail) is nondet|As findnsols/4, with Tail behind the last element.
aggregate_all(+Aggregate, @Discriminator, :Goal, -Result) is semidet|As aggregate_all/3 over solutions that differ in Discriminator.
aggregate(+Aggregate, :Goal, -Result) is nondet|As aggregate_all/3, for each binding of the free variables of Goal, as bagof/3; fails where there is none.
aggregate(+Aggregate, @Discriminator, :Goal, -Result) is nondet|As aggregate/3 over solutions that differ in Discriminator.
foreach(:Generator, :Goal) is semidet|The conjunction of Goal for each solution of Generator.
foldall(:Folder, :Goal, +V0, -V) is semidet|Folds over the solutions of Goal, without a list of them.
free_variables(:Generator, @Template, +Bound, -Vars) is det|The variables of Generator that are not in Template and not bound by ^.
catch_with_backtrace(:Goal, ?Catcher, :Recovery) is nondet|As catch/3; here no backtrace is kept.
assertion(:Goal) is det|Goal has to hold, or an error tells that it does not.
must_be(+Type, @Term) is det|Term has to be of Type, or an error tells what it is.
is_of_type(+Type, @Term) is semidet|Term is of a type as list(integer), oneof([a,b]), between(1,10).
type_error(+Type, @Culprit) is failure|Raises a type error.
domain_error(+Domain, @Culprit) is failure|Raises a domain error.
existence_error(+Kind, @Culprit) is failure|Raises an existence error.
existence_error(+Kind, @Culprit, +In) is failure|Raises an existence error: not in In.
permission_error(+Action, +Type, @Culprit) is failure|Raises a permission error.
instantiation_error(@Term) is failure|Raises an error: Term is not bound enough.
uninstantiation_error(@Term) is failure|Raises an error: Term is bound and must not be.
representation_error(+Reason) is failure|Raises an error: a limit of the implementation.
resource_error(+Resource) is failure|Raises an error: there is not enough of a resource.
syntax_error(+Message) is failure|Raises a syntax error.
halt() is failure|Ends the query, and nothing else.
halt(+Status) is failure|As halt/0.
abort() is failure|Ends the query, whatever would catch it.
time(:Goal) is nondet|Calls Goal, and writes its inferences and time.
call_time(:Goal, -Time) is nondet|Calls Goal; Time is a dict with cpu, inferences and wall.
call_time(:Goal, -Time, -Result) is det|As call_time/2, once; Result is true or false.
statistics(+Key, -Value) is det|A figure of the engine, as inferences, cputime or runtime.
garbage_collect() is det|Collects garbage of the stacks.
trim_stacks() is det|Gives back memory of the stacks.
assert(+Clause) is det|As assertz/1.
assert(+Clause, -Reference) is det|As assertz/2.
assertz(+Clause, -Reference) is det|As assertz/1; Reference is for erase/1, clause/3 and nth_clause/3.
asserta(+Clause, -Reference) is det|As asserta/1; Reference is for erase/1, clause/3 and nth_clause/3.
nth_clause(:Head, ?N, ?Reference) is nondet|The clause with this number, from 1, of the predicate of Head.
abolish(+Indicator) is det|Takes out all clauses of a predicate.
abolish(+Name, +Arity) is det|As abolish/1.
abolish_all_tables() is det|Forgets the answers of all tables.
dynamic(:Indicators) is det|Declares predicates whose clauses change, as p/1; they may have none.
discontiguous(:Indicators) is det|Declares predicates whose clauses stand apart.
listing() is det|Writes all clauses.
listing(:Predicate) is det|Writes the clauses of a predicate, p or p/1.
current_predicate(:Indicator) is nondet|A predicate that has clauses or is declared, Name/Arity.
current_predicate(?Name, :Head) is nondet|As current_predicate/1, with a head.
predicate_property(:Head, ?Property) is nondet|A property of a predicate, as dynamic, tabled, defined or number_of_clauses(N).
current_op(?Priority, ?Type, ?Name) is nondet|An operator.
current_prolog_flag(?Flag, ?Value) is nondet|A flag and its value.
set_prolog_flag(+Flag, +Value) is det|Sets a flag, where that is allowed in a goal.
current_arithmetic_function(?Head) is nondet|A function that is/2 knows.
style_check(+Style) is det|Nothing here: warnings are told where clauses are written.
use_module(+File) is det|Libraries are there already; a file is imported before the one that names it.
use_module(+File, +Imports) is det|As use_module/1.
exists_source(+Source) is semidet|There is a library of this name.
otherwise() is det|True, as the last condition of an if-then-else in Quintus Prolog.
context_module(-Module) is det|The module of the text it is in.
strip_module(+Term, -Module, -Plain) is det|Plain is Term without Module: in front of it.
debug() is det|Nothing here: there is no debugger.
nodebug() is det|Nothing here: there is no debugger.
debug(+Topic) is det|Messages of debug/3 for Topic are told.
nodebug(+Topic) is det|Messages of debug/3 for Topic are not told.
debug(+Topic, +Format, :Args) is det|Tells a message where Topic is debugged.
load_test_files(+Options) is det|Nothing here: tests are in the book.
run_tests() is semidet|Runs all units of tests and reports what failed.
run_tests(:Units) is semidet|Runs a unit, a list of units, or Unit:Test.
run_tests(:Units, +Options) is semidet|As run_tests/1, with options.
flag(+Key, -Old, +New) is det|Old is the value of a counter, 0 at first; then it is the value of the expression New.
gensym(+Base, -Atom) is det|Atom is Base with the next number: a new name.
reset_gensym(+Base) is det|gensym/2 begins again for Base.
reset_gensym() is det|gensym/2 begins again for all bases.
>>(?Parameters, :Lambda) is nondet|A lambda: [X,Y]>>Goal, called with further arguments. Variables are local unless Free/ names them.
>>(?Parameters, :Lambda, ?A1) is nondet|A lambda, called with one argument.
>>(?Parameters, :Lambda, ?A1, ?A2) is nondet|A lambda, called with two arguments.
>>(?Parameters, :Lambda, ?A1, ?A2, ?A3) is nondet|A lambda, called with three arguments.
>>(?Parameters, :Lambda, ?A1, ?A2, ?A3, ?A4) is nondet|A lambda, called with four arguments.
>>(?Parameters, :Lambda, ?A1, ?A2, ?A3, ?A4, ?A5) is nondet|A lambda, called with five arguments.
>>(?Parameters, :Lambda, ?A1, ?A2, ?A3, ?A4, ?A5, ?A6) is nondet|A lambda, called with six arguments.
>>(?Parameters, :Lambda, ?A1, ?A2, ?A3, ?A4, ?A5, ?A6, ?A7) is nondet|A lambda, called with seven arguments.
/(+Free, :Lambda) is nondet|Variables of Free, as \X^Y, are shared with what is around the lambda.
/(+Free, :Lambda, ?A1) is nondet|A lambda with shared variables, called with one argument.
/(+Free, :Lambda, ?A1, ?A2) is nondet|A lambda with shared variables, called with two arguments.
/(+Free, :Lambda, ?A1, ?A2, ?A3) is nondet|A lambda with shared variables, called with three arguments.
/(+Free, :Lambda, ?A1, ?A2, ?A3, ?A4) is nondet|A lambda with shared variables, called with four arguments.
/(+Free, :Lambda, ?A1, ?A2, ?A3, ?A4, ?A5) is nondet|A lambda with shared variables, called with five arguments.
/(+Free, :Lambda, ?A1, ?A2, ?A3, ?A4, ?A5, ?A6) is nondet|A lambda with shared variables, called with six arguments.
/(+Free, :Lambda, ?A1, ?A2, ?A3, ?A4, ?A5, ?A6, ?A7) is nondet|A lambda with shared variables, called with seven arguments.
comma_list(?Conjunction, ?List) is det|The goals of (A, B, …) as a list, and back.
semicolon_list(?Disjunction, ?List) is det|The goals of (A ; B ; …) as a list, and back.
mkconj(?A, ?B, -Conjunction) is det|(A, B), without true.
mkdisj(?A, ?B, -Disjunction) is det|(A ; B), without false.
pi_head(?Indicator, ?Head) is det|The head of a predicate indicator, and back.
head_name_arity(?Head, ?Name, ?Arity) is det|A head has this name and so many arguments.
most_general_goal(+Goal, -General) is det|Goal with other variables in place of its arguments.
extend_goal(:Goal, +Extra, -Extended) is det|Goal with further arguments.
is_control_goal(@Goal) is semidet|Goal is a conjunction, a disjunction, an if-then-else or a negation.
dcg_translate_rule(+Rule, -Clause) is det|The clause of a grammar rule.
dcg_translate_rule(+Rule, ?Positions, -Clause, -ClausePositions) is det|As dcg_translate_rule/2, with positions.
expand_goal(+Goal, -Expanded) is det|The goal itself: nothing expands goals here.
expand_term(+Term, -Expanded) is det|The clause of a grammar rule, or the term itself.
call_dcg(:Body, ?State0, ?State) is nondet|As phrase/3, on states of any type.
C(?List, ?Token, ?Rest) is semidet|List is Token and then Rest: of older grammars.
`;
