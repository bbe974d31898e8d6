//! What is refused and how, and what is planned. That answers are right is tested on the engines (`tests/data/`).

use serde_json::{Value, json};

use super::engine::Engine;
use super::*;

fn variables(names: &str) -> Value {
    names
        .split(' ')
        .filter(|name| !name.is_empty())
        .map(|name| json!({ "variable": name }))
        .collect()
}

fn goal(name: &str, arguments: &str) -> Value {
    json!({ "name": name, "arguments": variables(arguments) })
}

fn call(name: &str, arguments: &str) -> Value {
    json!({ "goal": goal(name, arguments) })
}

fn not(name: &str, arguments: &str) -> Value {
    json!({ "not": goal(name, arguments) })
}

fn compare(left: &str, operator: &str, right: Value) -> Value {
    json!({ "compare": { "left": { "variable": left }, "operator": operator, "right": right } })
}

fn rule(head: &str, body: Vec<Value>) -> Value {
    json!({ "head": variables(head), "body": body })
}

/// Relations `edge/2` of integers, `name/2` of an integer and an atom, `any/1` of anything, and the predicate `p` with
/// these rules.
fn program(arity: usize, rules: Vec<Value>) -> Value {
    let column = |name: &str, kinds: Value| json!({ "name": name, "kinds": kinds });
    json!({ "predicates": [
        { "name": "edge", "arity": 2, "relation": { "table": "edge", "columns": [
            column("a", json!(["integer"])), column("b", json!(["integer"])),
        ] } },
        { "name": "name", "arity": 2, "relation": { "table": "name", "columns": [
            column("id", json!(["integer"])), column("name", json!(["atom"])),
        ] } },
        { "name": "any", "arity": 1, "relation": { "table": "any", "columns": [
            column("x", json!(["integer", "float", "atom"])),
        ] } },
        { "name": "p", "arity": arity, "rules": rules },
    ] })
}

fn plan(program: Value, goal: Value, dialect: Engine) -> Result<Plan, String> {
    planned(program, goal, dialect, false)
}

fn planned(program: Value, goal: Value, dialect: Engine, proofs: bool) -> Result<Plan, String> {
    let settings = Settings {
        dialect,
        prefix: "t".to_string(),
        proofs,
    };
    let program: Program = serde_json::from_value(program).expect("a program");
    let goal: Goal = serde_json::from_value(goal).expect("a goal");
    Plan::new(&program, &goal, settings).map_err(|error| error.to_string())
}

fn refusal(arity: usize, rules: Vec<Value>) -> String {
    let goal = goal("p", &"_ ".repeat(arity));
    plan(program(arity, rules), goal, Engine::DuckDb)
        .err()
        .expect("an error")
}

fn accepted(arity: usize, rules: Vec<Value>) {
    let goal = goal("p", &"_ ".repeat(arity));
    assert_eq!(plan(program(arity, rules), goal, Engine::DuckDb).err(), None);
}

/// The statements of each step, with `added` rows for each of them.
fn run(plan: Plan, steps: usize, added: u64) -> Vec<Vec<String>> {
    let mut fixpoint = Fixpoint::new(
        plan,
        Limits {
            rounds: 100,
            rows: 1000,
        },
    );
    let mut outcome = Outcome::default();
    let mut texts = Vec::new();
    while let Ok(Step::Run(statements)) = fixpoint.next(&outcome) {
        if texts.len() == steps {
            break;
        }
        outcome = Outcome(vec![added; statements.len()]);
        texts.push(statements.into_iter().map(|statement| statement.sql).collect());
    }
    texts
}

#[test]
fn a_variable_of_the_head_needs_a_goal_that_binds_it() {
    assert_eq!(
        refusal(2, vec![rule("X Y", vec![call("any", "X")])]),
        "p/2, rule 1: no goal binds Y of the head: add one that does"
    );
}

#[test]
fn a_negated_goal_needs_its_variables_before_it() {
    let late = rule("X", vec![not("edge", "X Y"), call("any", "X")]);
    assert_eq!(
        refusal(1, vec![rule("X", vec![call("any", "X")]), late]),
        "p/1, rule 2, `\\+ edge(X, Y)`: X is not bound before this: put the goal that binds it before, or write `_`"
    );
    // Y is of the negated goal alone.
    accepted(1, vec![rule("X", vec![call("any", "X"), not("edge", "X Y")])]);
}

#[test]
fn arithmetic_waits_for_its_variables() {
    accepted(
        1,
        vec![rule(
            "X",
            vec![compare("X", "<", json!({ "integer": "3" })), call("edge", "X _")],
        )],
    );
    assert_eq!(
        refusal(
            1,
            vec![rule(
                "X",
                vec![call("any", "X"), compare("Z", "<", json!({ "integer": "3" }))]
            )]
        ),
        "p/1, rule 1, `Z < 3`: nothing binds Z: add a goal of a predicate that does"
    );
}

#[test]
fn negation_through_recursion_names_the_cycle() {
    let mut given = program(1, vec![rule("X", vec![call("any", "X"), not("q", "X")])]);
    let rules = json!([rule("X", vec![call("r", "X")])]);
    let q = json!({ "name": "q", "arity": 1, "rules": rules });
    let r = json!({ "name": "r", "arity": 1, "rules": [rule("X", vec![call("p", "X")])] });
    given["predicates"].as_array_mut().expect("a list").extend([q, r]);
    assert_eq!(
        plan(given, goal("p", "X"), Engine::DuckDb)
            .err()
            .expect("an error"),
        "p/1, rule 1, `\\+ q(X)`: depends on itself through a negation: p/1 → q/1 → r/1 → p/1. Let the negated goal \
         depend only on predicates that do not call this one"
    );
}

#[test]
fn an_aggregate_through_recursion_is_refused() {
    let rule = json!({ "head": [{ "variable": "X" }, { "sum": "Y" }], "body": [call("p", "X Y")] });
    assert_eq!(
        refusal(2, vec![rule]),
        "p/2, rule 1, `p(X, Y)`: depends on itself through an aggregate: p/2 → p/2. Let the aggregate depend only on \
         predicates that do not call this one"
    );
}

#[test]
fn what_is_never_a_number_is_not_compared_as_one() {
    assert_eq!(
        refusal(
            1,
            vec![rule(
                "X",
                vec![call("name", "_ X"), compare("X", ">", json!({ "integer": "1" }))]
            )]
        ),
        "p/1, rule 1, `X > 1`: X has atoms, not numbers: compare values by `==` or `@<`"
    );
    assert_eq!(
        refusal(
            1,
            vec![rule(
                "X",
                vec![call("any", "X"), compare("X", ">", json!({ "integer": "1" }))]
            )]
        ),
        "p/1, rule 1, `X > 1`: X may be an integer or a float: give it one kind where it is made, as in `X is Y * 1.0`"
    );
}

#[test]
fn results_of_results_do_not_grow_without_bound() {
    let name = |n: usize| json!({ "variable": format!("X{n}") });
    let square = |n: usize| {
        let expression = json!({ "operation": "*", "arguments": [name(n), name(n)] });
        json!({ "is": { "result": name(n + 1), "expression": expression } })
    };
    let body = |count: usize| {
        let squares = (0..count).map(square);
        std::iter::once(call("edge", "X0 _")).chain(squares).collect()
    };
    accepted(1, vec![rule("X4", body(4))]);
    assert_eq!(
        refusal(1, vec![rule("X40", body(40))]),
        "p/1, rule 1, `X9 is (X8 * X8)`: is too long with the results that it uses: compute them in a rule of their own"
    );
}

#[test]
fn many_patterns_of_calls_are_not_narrowed() {
    // Each rule swaps two neighbours: all choices of known arguments are called.
    let swapped = |first: usize| {
        let mut names: Vec<String> = (0..12).map(|n| format!("X{n}")).collect();
        let head = names.join(" ");
        names.swap(first, first + 1);
        rule(&head, vec![call("p", &names.join(" "))])
    };
    let mut rules: Vec<Value> = (0..11).map(swapped).collect();
    let edges = (0..6)
        .map(|n| call("edge", &format!("X{} X{}", 2 * n, 2 * n + 1)))
        .collect();
    rules.push(rule("X0 X1 X2 X3 X4 X5 X6 X7 X8 X9 X10 X11", edges));
    let mut asked = goal("p", "X0 X1 X2 X3 X4 X5 X6 X7 X8 X9 X10 X11");
    for index in 0..6 {
        asked["arguments"][index] = json!({ "integer": "1" });
    }
    let plan = plan(program(12, rules), asked, Engine::DuckDb).expect("a plan");
    assert_eq!(run(plan, 1, 0)[0].len(), 1, "one table");
}

#[test]
fn what_is_called_must_exist() {
    assert_eq!(
        refusal(1, vec![rule("X", vec![call("nobody", "X")])]),
        "p/1, rule 1, `nobody(X)`: there is no predicate nobody/1: give its rules or its relation"
    );
    let unknown = plan(program(0, vec![]), goal("q", "X"), Engine::DuckDb);
    assert_eq!(
        unknown.err().expect("an error"),
        "q/1: there is no predicate q/1: give its rules or its relation"
    );
}

fn closure() -> Vec<Value> {
    vec![
        rule("X Y", vec![call("edge", "X Y")]),
        rule("X Y", vec![call("edge", "X Z"), call("p", "Z Y")]),
    ]
}

#[test]
fn a_round_joins_the_tuples_of_the_round_before() {
    let plan = planned(program(2, closure()), goal("p", "X Y"), Engine::DuckDb, true).expect("a plan");
    let steps = run(plan, 3, 1);
    assert_eq!(
        steps[0],
        [
            "create temporary table \"t_3\" (c1 bigint not null, c2 bigint not null, round bigint not null, rule bigint not null)"
        ]
    );
    assert_eq!(steps[1].len(), 1);
    assert_eq!(
        steps[2],
        [
            "insert into \"t_3\" select v.c1, v.c2, 2, 1 from (select distinct t1.\"a\" as c1, t2.c2 as c2 from \"edge\" \
          as t1, \"t_3\" as t2 where t2.round = 1 and t1.\"b\" = t2.c1) as v left join \"t_3\" as known on known.c1 = \
          v.c1 and known.c2 = v.c2 where known.round is null"
        ]
    );
}

#[test]
fn without_proofs_a_round_is_one_statement_for_each_predicate() {
    let mut rules = closure();
    rules.push(rule("X Y", vec![call("p", "X Z"), call("p", "Z Y")]));
    let plan = plan(program(2, rules), goal("p", "X Y"), Engine::DuckDb).expect("a plan");
    let steps = run(plan, 3, 1);
    assert_eq!(
        steps[1],
        [
            "insert into \"t_3\" select v.c1, v.c2, 1 from (select distinct t1.\"a\" as c1, t1.\"b\" as c2 from \"edge\" as \
             t1) as v"
        ]
    );
    let [again] = &steps[2][..] else {
        panic!("one statement: {:?}", steps[2])
    };
    assert_eq!(again.matches(") union (select").count(), 2, "{again}");
    assert!(again.contains("left join \"t_3\" as known"), "{again}");
}

#[test]
fn answers_that_are_tuples_of_a_table_need_no_distinct() {
    let answers = |arguments| {
        let plan = plan(program(2, closure()), goal("p", arguments), Engine::DuckDb).expect("a plan");
        plan.answers().statement.sql
    };
    assert!(!answers("X Y").contains("distinct"), "{}", answers("X Y"));
}

#[test]
fn without_proofs_one_linear_recursion_is_one_statement() {
    let plan = plan(program(2, closure()), goal("p", "X Y"), Engine::DuckDb).expect("a plan");
    let steps = run(plan, 9, 1);
    assert_eq!(steps.len(), 2, "tables, and all that follows");
    assert_eq!(
        steps[0],
        ["create temporary table \"t_3\" (c1 bigint not null, c2 bigint not null)"]
    );
    assert!(
        steps[1][0].starts_with("insert into \"t_3\" with recursive \"t_3_closed\"(c1, c2) as (select "),
        "{}",
        steps[1][0]
    );
    assert!(
        steps[1][0].contains("limit 1001"),
        "one more than the limit of rows"
    );
}

#[test]
fn a_recursion_goes_forward_from_the_argument_that_it_keeps() {
    let left = vec![
        rule("X Y", vec![call("edge", "X Y")]),
        rule("X Y", vec![call("p", "X Z"), call("edge", "Z Y")]),
    ];
    let goal = json!({ "name": "p", "arguments": [{ "integer": "7" }, { "integer": "9" }] });
    for proofs in [false, true] {
        let plan = planned(program(2, left.clone()), goal.clone(), Engine::DuckDb, proofs).expect("a plan");
        let created = run(plan, 1, 0).remove(0);
        let [known, found] = &created[..] else {
            panic!("what is known and what is found: {created:?}")
        };
        assert!(!known.contains("c2 bigint"), "only the first argument: {known}");
        assert!(found.contains("c2 bigint"), "{found}");
    }
}

#[test]
fn a_last_call_with_a_known_argument_derives_what_is_called_only() {
    let goal = json!({ "name": "p", "arguments": [{ "integer": "7" }, { "variable": "Y" }] });
    let plan = plan(program(2, closure()), goal, Engine::DuckDb).expect("a plan");
    let created = run(plan, 1, 0).remove(0);
    assert_eq!(created.len(), 2, "the calls and the answers");
    assert!(!created[0].contains("c2 bigint"), "{}", created[0]);
}

#[test]
fn text_and_numbers_meet_as_tagged_text() {
    let rules = vec![
        rule("X", vec![call("any", "X"), call("edge", "X _")]),
        rule("X", vec![call("name", "_ X")]),
    ];
    let plan = plan(program(1, rules), goal("p", "X"), Engine::DuckDb).expect("a plan");
    let answers = plan.answers();
    assert_eq!(answers.columns, [None], "integers and atoms");
    let steps = run(plan, 2, 0);
    assert!(steps[0][0].contains("c1 varchar not null"));
    assert!(
        steps[1][0].contains("'i' || cast(t2.\"a\" as varchar)"),
        "{}",
        steps[1][0]
    );
    assert!(steps[1][0].contains("'a' || t1.\"name\""), "{}", steps[1][0]);
}

#[test]
fn names_and_constants_do_not_become_sql() {
    let mut given = program(
        1,
        vec![json!({
            "head": [{ "atom": "'; drop table edge; --" }],
            "body": [call("edge", "_ _")],
        })],
    );
    given["predicates"][0]["relation"]["table"] = json!("e\"; drop table x; --");
    let plan = plan(given, goal("p", "X"), Engine::Postgres).expect("a plan");
    let insert = run(plan, 2, 0)[1][0].clone();
    assert!(insert.contains("\"e\"\"; drop table x; --\""), "{insert}");
    assert!(!insert.contains("drop table edge"), "{insert}");
}

#[test]
fn limits_say_what_grew() {
    let plan = || planned(program(2, closure()), goal("p", "X Y"), Engine::DuckDb, true).expect("a plan");
    let mut fixpoint = Fixpoint::new(
        plan(),
        Limits {
            rounds: 2,
            rows: 1000,
        },
    );
    let mut outcome = Outcome::default();
    let stopped = loop {
        match fixpoint.next(&outcome) {
            Ok(Step::Run(statements)) => outcome = Outcome(vec![1; statements.len()]),
            Ok(Step::Done) => panic!("done"),
            Err(stopped) => break stopped.to_string(),
        }
    };
    assert_eq!(
        stopped,
        "p/2 still had new tuples after 2 rounds: bound what its rules compute, or raise the limit of rounds"
    );
    let mut fixpoint = Fixpoint::new(plan(), Limits { rounds: 9, rows: 5 });
    fixpoint.next(&Outcome::default()).expect("tables");
    fixpoint.next(&Outcome(vec![0])).expect("a round");
    assert_eq!(
        fixpoint
            .next(&Outcome(vec![6]))
            .expect_err("too many")
            .to_string(),
        "more than 5 tuples follow, the last of p/2: bind an argument of the goal, or raise the limit of rows"
    );
    assert_eq!(
        fixpoint
            .next(&Outcome(vec![6]))
            .expect_err("nothing ran")
            .to_string(),
        "the last step had 0 statements, but the outcome has 1 numbers"
    );
}

#[test]
fn programs_have_a_text() {
    let given = json!({
        "head": [{ "variable": "X" }, { "sum": "Y" }],
        "body": [
            call("edge", "X Z"),
            { "is": { "result": { "variable": "Y" }, "expression": {
                "operation": "+", "arguments": [{ "variable": "Z" }, { "integer": "1" }],
            } } },
            { "values": { "operator": "\\==", "left": { "variable": "X" }, "right": { "atom": "it's" } } },
            { "member": { "element": { "variable": "X" }, "list": [{ "string": "a" }, { "float": 1.0 }] } },
        ],
    });
    let rule: Rule = serde_json::from_value(given).expect("a rule");
    assert_eq!(
        rule.text("p"),
        "p(X, sum(Y)) :- edge(X, Z), Y is (Z + 1), X \\== 'it\\'s', member(X, [\"a\", 1.0])."
    );
}

fn statements(program: Value, asked: Value) -> String {
    let plan = plan(program, asked, Engine::DuckDb).expect("a plan");
    run(plan, 4, 1).concat().join("\n")
}

#[test]
fn a_predicate_that_only_renames_another_has_no_table() {
    let mut with = program(2, closure());
    let predicates = with["predicates"].as_array_mut().expect("predicates");
    predicates.push(json!({ "name": "q", "arity": 2, "rules": [rule("X Y", vec![call("p", "X Y")])] }));
    predicates.push(
        json!({ "name": "r", "arity": 2, "rules": [rule("X Y", vec![call("q", "X Z"), call("q", "Z Y")])] }),
    );
    let all = statements(with, goal("r", "X Y"));
    assert_eq!(all.matches("create temporary table").count(), 2, "{all}");
}

#[test]
fn a_rule_for_what_has_a_tuple_and_one_for_what_has_none_are_never_both_used() {
    let all = |denied| {
        let rules = vec![
            rule("X Y", vec![call("edge", "X Y"), call("edge", "Y Z")]),
            rule("X Y", vec![call("edge", "X Y"), not("edge", denied)]),
        ];
        statements(program(2, rules), goal("p", "X Y"))
    };
    assert!(all("Y Z").contains(") union all ("), "{}", all("Y Z"));
    for denied in ["Y Y", "Y X"] {
        assert!(!all(denied).contains("union all"), "{}", all(denied));
    }
}
