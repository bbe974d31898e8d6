//! How the answers of queries read.

use serde_json::{Value, json};

use crate::Report;
use crate::prolog::solutions::Solutions;
use crate::prolog::{query_close, query_start};
use hornbook_base::{Fault, FaultKind};
use hornbook_workspace::*;

fn answer(bindings: &[(&str, &str)], residual: &[&str], output: &str) -> Answer {
    let binding = |(name, text): &(&str, &str)| Binding {
        name: name.to_string(),
        text: text.to_string(),
        json: json!(text),
    };
    Answer {
        bindings: bindings.iter().map(binding).collect(),
        residual: residual.iter().map(|goal| goal.to_string()).collect(),
        output: output.into(),
    }
}

fn answers(answers: Vec<Answer>, more: bool) -> Answers {
    Answers {
        query_id: "q1".into(),
        before: 0,
        answers,
        more,
        output: String::new(),
        fault: None,
        added: 0,
        removed: 0,
        undone: 0,
        notices: vec![],
    }
}

fn next(answers: Answers) -> Report {
    Solutions::of(answers).report("", json!({ "type": "query_next" }))
}

#[test]
fn a_solution_reads_as_prolog_writes_it() {
    let report = next(answers(
        vec![answer(&[("X", "a"), ("Y", "\"s\"")], &[], "")],
        true,
    ));
    assert_eq!(report.text, "Solution: X = a, Y = \"s\"\nStatus: success");
    assert_eq!(
        (&report.structured["solution"], &report.structured["more"]),
        (&json!("X = a, Y = \"s\""), &json!(true))
    );
    let report = next(answers(vec![answer(&[], &[], "")], false));
    assert_eq!(report.text, "Solution: true\nNo more solutions\nStatus: success");
    let report = next(answers(
        vec![answer(&[("X", "_"), ("Y", "1")], &["X in 4..5"], "")],
        false,
    ));
    assert!(
        report.text.starts_with("Solution: Y = 1, X in 4..5\n"),
        "{}",
        report.text
    );
    assert_eq!(report.structured["residual"], json!(["X in 4..5"]));
    let report = next(answers(vec![answer(&[("X", "_")], &[], "")], false));
    assert_eq!(report.structured["solution"], "true");
}

#[test]
fn the_end_is_told_as_such() {
    let mut none = answers(vec![], false);
    assert_eq!(next(none.clone()).text, "No solutions (false).\nStatus: done");
    none.before = 2;
    let report = next(none);
    assert_eq!(report.text, "No more solutions\nStatus: done");
    assert!(!report.is_error);
    assert_eq!(
        Value::Object(report.structured),
        json!({ "type": "query_next", "solution": null, "status": "done", "answers": [], "more": false })
    );
}

#[test]
fn output_changes_and_notices_come_with_the_answers() {
    let mut all = answers(
        vec![
            answer(&[("X", "1")], &[], "one\n"),
            answer(&[("X", "2")], &[], ""),
        ],
        false,
    );
    (all.output, all.added, all.removed) = ("end\n".into(), 2, 1);
    all.notices = vec![Notice("The engine was restarted.".into())];
    let report = next(all);
    assert_eq!(
        report.text,
        "Output: one\nSolution: X = 1\nSolution: X = 2\nOutput: end\nNo more solutions\n\
         Workspace: 2 clauses added, 1 removed\nStatus: success\nNotice: The engine was restarted."
    );
    assert_eq!(report.structured["output"], "one\nend\n");
    assert_eq!(
        report.structured["changes"],
        json!({ "added": 2, "removed": 1, "undone": 0 })
    );
    assert_eq!(report.structured["notices"], json!(["The engine was restarted."]));
    assert_eq!(
        report.structured["answers"][1]["bindings"],
        json!([{ "name": "X", "text": "2", "json": "2" }])
    );
}

#[test]
fn an_error_after_some_answers_keeps_them() {
    let mut some = answers(vec![answer(&[("X", "1")], &[], "")], false);
    some.undone = 1;
    some.fault = Some(Fault {
        kind: FaultKind::Timeout,
        message: "The query was stopped after 30 s.".into(),
        next: "Give timeout_ms.".into(),
        line: None,
        column: None,
    });
    let report = next(some);
    assert!(report.is_error);
    assert_eq!(
        report.text,
        "Solution: X = 1\nError: The query was stopped after 30 s. Give timeout_ms.\n\
         Workspace: 1 change of this query taken back\nStatus: error"
    );
    assert_eq!(report.structured["error"]["kind"], "timeout");
    assert_eq!(report.structured["solution"], "X = 1");
}

#[test]
fn a_query_that_starts_says_how_to_go_on() {
    let mut started = QueryStarted {
        query_id: "q1".into(),
        query: "p(X)".into(),
        use_engine: true,
        variables: vec!["X".into()],
        answers: None,
        notices: vec![],
    };
    let report = query_start::render(started.clone());
    assert_eq!(report.text, "Query started: p(X)\nquery_id: q1\nStatus: ready");
    assert_eq!(
        Value::Object(report.structured),
        json!({ "type": "query_start", "query": "p(X)", "mode": "engine", "status": "ready", "engine_ready": true,
                "query_id": "q1", "variables": ["X"] })
    );
    started.use_engine = false;
    started.answers = Some(answers(vec![answer(&[("X", "a")], &[], "")], true));
    let report = query_start::render(started);
    assert_eq!(
        report.text,
        "Query started: p(X)\nquery_id: q1\nSolution: X = a\nStatus: success"
    );
    assert_eq!(
        (&report.structured["mode"], &report.structured["solution"]),
        (&json!("standard"), &json!("X = a"))
    );
    assert!(!report.structured.contains_key("engine_ready"));
}

#[test]
fn closing_what_is_not_open_is_no_error() {
    let closed = query_close::render(&QueryClosed {
        query_id: Some("q1".into()),
        was_open: true,
    });
    assert_eq!(closed.text, "Session closed");
    let none = query_close::render(&QueryClosed {
        query_id: None,
        was_open: false,
    });
    assert_eq!(
        (none.text.as_str(), none.is_error),
        ("No active session to close", false)
    );
    assert_eq!(
        Value::Object(none.structured),
        json!({ "type": "query_close", "status": "no_active_session" })
    );
}
