//! Runs as trees, for those who watch them.

use super::*;

/// A request of the program, with its position on the program's branch.
fn asked(id: u64, after: u64, request: Value) -> Value {
    let mut step = step(request);
    step["request"]["id"] = id.into();
    step["request"]["after"] = after.into();
    step
}

fn asked_task(id: u64, after: u64, text: &str) -> Value {
    asked(
        id,
        after,
        json!({ "kind": "task", "text": text, "outputs": [], "memory": [], "scope": [], "running": [] }),
    )
}

#[test]
fn who_watches_a_run_sees_what_was_undone() {
    // a, (b, fail ; c, d fails) ; e
    let replies = [
        asked_task(1, 0, "a"),
        asked_task(2, 1, "b"),
        asked_task(3, 1, "c"),
        asked_task(4, 3, "d"),
        asked_task(5, 0, "e"),
        ended_after(5),
    ];
    let good = || call("finish", json!({}));
    let turns = [
        good(),
        good(),
        good(),
        call("finish", json!({ "success": false })),
        good(),
    ];
    let told = bench(replies, turns).watch();
    let tasks: Vec<&str> = told
        .iter()
        .map(String::as_str)
        .filter(|line| line.starts_with("task") || line.starts_with("undone") || line.contains("without"))
        .collect();
    assert_eq!(
        tasks,
        [
            "task 1 in 0: a",
            "task 3 in 0: b",
            "undone [3]",
            "task 5 in 0: c",
            "task 7 in 0: d",
            r#"ended 7 without: "The model gave up the task.""#,
            "undone [1,5]",
            "task 9 in 0: e",
        ]
    );
}

#[test]
fn what_a_tool_of_the_program_does_is_told_under_its_call() {
    let log = asked(2, 0, json!({ "kind": "log", "text": "squaring" }));
    let replies = [asked_task(1, 0, "a"), log, truth(json!("49")), ended_after(1)];
    let turns = [call("sq", json!({ "arg1": 7 })), call("finish", json!({}))];
    assert_eq!(
        bench(replies, turns).watch(),
        [
            "task 1 in 0: a",
            "turn null in 1: sq",
            "call 2 in 1: sq",
            "log null in 2: squaring",
            r#"ended 2: "49""#,
            "turn null in 1: finish",
            "call 3 in 1: finish",
            "ended 3: null",
            "ended 1: {}",
        ]
    );
}
