//! How the answers of queries read.

use serde_json::{Value, json};

use crate::Report;
use crate::prolog::results::QueryAnswers;
use crate::prolog::solutions::Solutions;
use crate::prolog::{query_close, query_start};
use hornbook_base::{Fault, FaultKind};
use hornbook_workspace::*;

use super::BUDGET;

fn answer(bindings: &[(&str, &str)], residual: &[&str], output: &str) -> Answer {
    let binding = |(name, text): &(&str, &str)| Binding {
        name: name.to_string(),
        text: text.to_string(),
        json: json!(text),
    };
    Answer {
        bindings: bindings.iter().map(binding).collect(),
        residual: residual.iter().map(|goal| goal.to_string()).collect(),
        undefined: false,
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
        hint: None,
        notices: vec![],
    }
}

fn next(answers: Answers) -> Report {
    let about = QueryAnswers {
        query_id: "q1".into(),
        ..QueryAnswers::default()
    };
    Solutions::of(answers, BUDGET).0.report("", about)
}

#[test]
fn a_solution_reads_as_prolog_writes_it() {
    let report = next(answers(
        vec![answer(&[("X", "a"), ("Y", "\"s\"")], &[], "")],
        true,
    ));
    assert_eq!(
        report.text,
        "Solution: X = a, Y = \"s\"\nThere may be more: query_next q1\nStatus: success"
    );
    assert_eq!(
        (&report.structured["answers"], &report.structured["more"]),
        (&json!([{ "X": "a", "Y": "\"s\"" }]), &json!(true))
    );
    assert_eq!(report.structured["next"], "query_next");
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
    assert_eq!(
        report.structured["answers"],
        json!([{ "X": "_", "Y": "1", "residual": ["X in 4..5"] }])
    );
    let report = next(answers(vec![answer(&[("X", "_")], &[], "")], false));
    assert_eq!(report.structured["answers"], json!([{ "X": "_" }]));
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
        json!({ "query_id": "q1", "answers": [], "more": false })
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
    assert_eq!(report.structured["output"], "end\n");
    assert_eq!(
        report.structured["changes"],
        json!({ "added": 2, "removed": 1, "undone": 0 })
    );
    assert_eq!(report.structured["notices"], json!(["The engine was restarted."]));
    assert_eq!(
        report.structured["answers"],
        json!([{ "X": "1", "output": "one\n" }, { "X": "2" }])
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
         Workspace: 1 change of this query rolled back\nStatus: error"
    );
    assert_eq!(report.structured["error"]["kind"], "timeout");
    assert_eq!(report.structured["answers"], json!([{ "X": "1" }]));
}

#[test]
fn a_query_that_starts_says_how_to_go_on() {
    let mut started = QueryStarted {
        query_id: "q1".into(),
        query: "p(X)".into(),
        assumed: None,
        gone: 0,
        use_engine: true,
        variables: vec!["X".into()],
        answers: None,
        notices: vec![],
    };
    let report = query_start::render(started.clone(), BUDGET).0;
    assert_eq!(report.text, "Query started: p(X)\nquery_id: q1\nStatus: ready");
    assert_eq!(
        Value::Object(report.structured),
        json!({ "mode": "engine", "status": "ready", "engine_ready": true, "query_id": "q1", "variables": ["X"] })
    );
    started.use_engine = false;
    let mut first = answers(vec![answer(&[("X", "a")], &[], "")], true);
    first.notices = vec![Notice("The engine was restarted.".into())];
    started.answers = Some(first);
    started.notices = vec![Notice("1 open query was closed.".into())];
    let report = query_start::render(started, BUDGET).0;
    assert_eq!(
        report.text,
        "Solution: X = a\nThere may be more: query_next q1\nStatus: success\n\
         Notice: The engine was restarted.\nNotice: 1 open query was closed."
    );
    assert_eq!(
        Value::Object(report.structured),
        json!({
            "query_id": "q1",
            "variables": ["X"],
            "answers": [{ "X": "a" }],
            "more": true,
            "next": "query_next",
            "notices": ["The engine was restarted.", "1 open query was closed."],
        })
    );
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

#[test]
fn json_comes_only_with_a_value_whose_text_cannot_be_read_back() {
    let mut odd = answer(&[("X", "nan"), ("S", "<stream>(0x1)"), ("T", "f(1)")], &[], "");
    odd.bindings[0].json = json!({ "float": "nan" });
    odd.bindings[2].json = json!({ "functor": "f", "args": [1] });
    assert_eq!(
        next(answers(vec![odd], true)).structured["answers"],
        json!([{
            "X": { "text": "nan", "json": { "float": "nan" } },
            "S": { "text": "<stream>(0x1)", "json": "<stream>(0x1)" },
            "T": "f(1)",
        }])
    );
}

#[test]
fn answers_that_have_no_room_are_left_for_the_next_call_with_the_error_after_them() {
    let mut many = answers(
        vec![answer(&[("X", "some_long_atom_of_a_value")], &[], ""); 5_000],
        false,
    );
    (many.output, many.added) = ("end".into(), 3);
    many.fault = Some(Fault::new(FaultKind::Timeout, "The query was stopped."));
    let (first, rest) = Solutions::of(many, BUDGET);
    let first = first.report("", QueryAnswers::default());
    let rest = rest.expect("the rest");
    let told = first.structured["answers"].as_array().unwrap().len();
    assert!((150..2_000).contains(&told), "{told}");
    assert_eq!(told + rest.answers.len(), 5_000);
    assert_eq!((&first.structured["more"], first.is_error), (&json!(true), false));
    assert!(!first.text.contains("end") && first.text.contains("3 clauses added"));
    assert_eq!(
        (rest.before, rest.more, rest.output.as_str(), rest.added),
        (told, false, "end", 0)
    );
    assert!(rest.fault.is_some());
}

#[test]
fn an_answer_that_has_no_room_at_all_is_cut_and_says_how_much_is_missing() {
    let long = "word, ".repeat(20_000);
    let report = next(answers(
        vec![answer(&[("X", &long), ("Y", "1")], &[], &long)],
        false,
    ));
    let x = report.structured["answers"][0]["X"].as_str().unwrap();
    assert!(x.ends_with("more characters; ask for a part of it)"), "{x}");
    assert!(report.text.len() < 60_000 && report.text.contains("Y = 1"));
}
