//! What the tools accept, and how their results read.

use serde_json::{Value, json};

use super::solutions::Solutions;
use super::{Failure, Report, TOOLS, clauses, files, indicator, query_close, query_start, workspace};
use crate::book::Predicate;
use crate::mcp::jsonrpc::object;
use crate::mcp::schema::Arguments;
use crate::workspace::*;

fn check(tool: &str, arguments: Value) -> Result<Arguments, Failure> {
    let tool = TOOLS
        .into_iter()
        .find(|known| known.name == tool)
        .expect("a tool");
    Arguments::check(tool.arguments, object(arguments))
}

fn refused(tool: &str, arguments: Value) -> String {
    let failure = check(tool, arguments).err().expect("refused");
    assert_eq!(failure.kind, "invalid_argument");
    failure.text()
}

#[test]
fn an_argument_that_is_unknown_missing_or_wrong_is_named_with_what_is_allowed() {
    assert_eq!(
        refused("files", json!({ "operation": "list", "path": "a" })),
        "Error: Unknown argument 'path'. The arguments are: operation, filename, text."
    );
    assert_eq!(
        refused("clauses", json!({ "operation": "assert" })),
        "Error: Missing argument 'clauses'. Give 'clauses', a string or an array of strings."
    );
    assert_eq!(
        refused("workspace", json!({ "operation": "clear" })),
        "Error: Argument 'operation' cannot be \"clear\". 'operation' must be one of snapshot, reset, list_symbols."
    );
    assert_eq!(
        refused("clauses", json!({ "operation": "assert", "clauses": ["a.", 7] })),
        "Error: Argument 'clauses' cannot be [\"a.\",7]. 'clauses' must be a string or an array of strings."
    );
    assert_eq!(
        refused("query_start", json!({ "query": "true", "use_engine": "yes" })),
        "Error: Argument 'use_engine' cannot be \"yes\". 'use_engine' must be true or false."
    );
    for take in [json!(0), json!(-1), json!(1.5), json!("2")] {
        assert_eq!(
            refused("query_next", json!({ "take": take })),
            format!("Error: Argument 'take' cannot be {take}. 'take' must be an integer of at least 1.")
        );
    }
}

#[test]
fn null_is_an_optional_argument_that_is_not_given() {
    assert!(check("query_next", json!({ "take": null })).is_ok());
    assert_eq!(
        refused("query_start", json!({ "query": null })),
        "Error: Missing argument 'query'. Give 'query', a string."
    );
}

#[test]
fn declarations_are_closed_schemas_with_truthful_hints() {
    for tool in TOOLS {
        let declared = tool.declaration();
        assert_eq!(
            declared["inputSchema"]["additionalProperties"], false,
            "{declared}"
        );
        assert_eq!(declared["annotations"]["openWorldHint"], false, "{declared}");
        assert!(declared.get("outputSchema").is_none(), "{declared}");
        assert!(
            declared["title"].is_string() && declared["description"].is_string(),
            "{declared}"
        );
        // What the protocol assumes where nothing is said.
        let read_only = declared["annotations"]["readOnlyHint"].as_bool().unwrap_or(false);
        assert_eq!(read_only, tool.name == "help");
    }
}

fn outcome(clause: &str, error: Option<(&str, u32, u32)>) -> ClauseOutcome {
    let result = match error {
        None => OutcomeResult::Success,
        Some((message, line, column)) => OutcomeResult::Error {
            message: message.into(),
            kind: FaultKind::SyntaxError,
            line: Some(line),
            column: Some(column),
        },
    };
    ClauseOutcome {
        clause: clause.into(),
        result,
    }
}

#[test]
fn clauses_that_failed_are_told_with_their_place_beside_those_that_did_not() {
    let outcomes = vec![
        outcome("a.", None),
        outcome("bad(", Some(("end of clause expected", 1, 4))),
        outcome("b.", None),
    ];
    let report = clauses::render(
        "assert",
        &ClausesReport {
            outcomes,
            notices: vec![],
        },
    );
    assert!(report.is_error);
    assert_eq!(
        report.text,
        "Error: assert: 2/3 successful. Correct the failed clauses and assert only them again.\n\
         FAILED (1):\n  2. bad(\n     end of clause expected (line 1, column 4)\n\
         SUCCESS (2):\n  a.\n  b."
    );
    assert_eq!(
        Value::Object(report.structured),
        json!({
            "type": "clauses",
            "operation": "assert",
            "results": [
                { "clause": "a.", "status": "success" },
                { "clause": "bad(", "status": "error", "kind": "syntax_error",
                  "message": "end of clause expected", "line": 1, "column": 4 },
                { "clause": "b.", "status": "success" },
            ],
            "total": 3, "succeeded": 2, "failed": 1,
        })
    );
}

#[test]
fn many_clauses_are_not_echoed_one_by_one() {
    let long = format!("p('{}').", "é".repeat(300));
    let outcomes = vec![outcome(&long, None); 10_000];
    let report = clauses::render(
        "assert",
        &ClausesReport {
            outcomes,
            notices: vec![],
        },
    );
    assert!(!report.is_error);
    assert!(
        report
            .text
            .starts_with("assert: 10000/10000 successful\nSUCCESS (10000):\n")
    );
    assert!(report.text.ends_with("… and 9980 more"));
    assert!(report.text.len() < 5_000);
    let results = report.structured["results"].as_array().expect("results");
    assert_eq!(
        (
            results.len(),
            results[9_999]["clause"].as_str().map(|text| text.chars().count())
        ),
        (10_000, Some(201))
    );
}

#[test]
fn an_import_is_a_success_partial_or_failed() {
    let import = |clauses_added, errors: &[&str]| {
        let errors = errors.iter().map(|error| error.to_string()).collect();
        let report = ImportReport {
            filename: "/f.pl".into(),
            clauses_added,
            errors,
            output: String::new(),
            notices: vec![],
        };
        files::render_import(&report)
    };
    let report = import(3, &[]);
    assert_eq!(report.text, "Successfully imported 3 clauses from /f.pl");
    assert_eq!(
        Value::Object(report.structured),
        json!({ "type": "file_import", "filename": "/f.pl", "clausesAdded": 3, "errors": [], "status": "success" })
    );
    let report = import(1, &["2:0: wrong"]);
    assert!(!report.is_error && report.text.starts_with("Import partial: 1 succeeded, 1 failed."));
    assert!(report.text.ends_with("\n  2:0: wrong"));
    assert_eq!(
        (&report.structured["status"], &report.structured["errors"]),
        (&json!("partial"), &json!(["2:0: wrong"]))
    );
    let report = import(0, &["1:0: wrong"]);
    assert!(
        report.is_error
            && report
                .text
                .starts_with("Error: Import failed: 0 succeeded, 1 failed.")
    );
    assert_eq!(report.structured["status"], "failed");
}

#[test]
fn imported_files_are_listed_with_their_clauses() {
    assert_eq!(files::render_list(&[]).text, "(no imported files)");
    let report = files::render_list(&[FileInfo {
        filename: "/f.pl".into(),
        clause_count: 1,
        timestamp: 5,
    }]);
    assert_eq!(report.text, "Imported files (1):\n/f.pl: 1 clause");
    assert_eq!(
        Value::Object(report.structured),
        json!({ "type": "files_list", "count": 1,
                "files": [{ "filename": "/f.pl", "clauseCount": 1, "timestamp": 5 }] })
    );
}

#[test]
fn the_workspace_is_told_as_it_is() {
    let report = workspace::render_snapshot(Snapshot {
        text: "a.\n".into(),
        clause_count: 1,
    });
    assert_eq!(report.text, "a.\n");
    assert_eq!(
        Value::Object(report.structured),
        json!({ "type": "workspace_snapshot", "dump": "a.\n", "clauseCount": 1 })
    );
    let empty = workspace::render_snapshot(Snapshot {
        text: String::new(),
        clause_count: 0,
    });
    assert_eq!(
        (empty.text.as_str(), &empty.structured["dump"]),
        ("(empty workspace)", &json!(""))
    );
    let symbol = |name: &str, dynamic| Symbol {
        predicate: Predicate {
            name: name.into(),
            arity: 2,
        },
        clause_count: 2,
        dynamic,
    };
    let report = workspace::render_symbols(&[symbol("a", false), symbol("It's", true)]);
    assert_eq!(
        report.text,
        "Available predicates (2):\na/2: 2 clauses\n'It\\'s'/2: 2 clauses, dynamic"
    );
    assert_eq!(
        (&report.structured["predicates"], &report.structured["count"]),
        (&json!(["a/2", "'It\\'s'/2"]), &json!(2))
    );
    let report = workspace::render_reset(&ResetReport {
        clauses_removed: 1,
        queries_closed: 2,
    });
    assert_eq!(report.text, "Workspace reset: 1 clause removed, 2 queries closed");
    assert_eq!(
        (&report.structured["type"], &report.structured["status"]),
        (&json!("workspace_reset"), &json!("success"))
    );
}

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

fn next(answers: &Answers) -> Report {
    Solutions::of(answers).report("", json!({ "type": "query_next" }))
}

#[test]
fn a_solution_reads_as_prolog_writes_it() {
    let report = next(&answers(
        vec![answer(&[("X", "a"), ("Y", "\"s\"")], &[], "")],
        true,
    ));
    assert_eq!(report.text, "Solution: X = a, Y = \"s\"\nStatus: success");
    assert_eq!(
        (&report.structured["solution"], &report.structured["more"]),
        (&json!("X = a, Y = \"s\""), &json!(true))
    );
    let report = next(&answers(vec![answer(&[], &[], "")], false));
    assert_eq!(report.text, "Solution: true\nNo more solutions\nStatus: success");
    let report = next(&answers(
        vec![answer(&[("X", "_"), ("Y", "1")], &["X in 4..5"], "")],
        false,
    ));
    assert!(
        report.text.starts_with("Solution: Y = 1, X in 4..5\n"),
        "{}",
        report.text
    );
    assert_eq!(report.structured["residual"], json!(["X in 4..5"]));
    let report = next(&answers(vec![answer(&[("X", "_")], &[], "")], false));
    assert_eq!(report.structured["solution"], "true");
}

#[test]
fn the_end_is_told_as_such() {
    let report = next(&answers(vec![], false));
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
    let report = next(&all);
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
    let report = next(&some);
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
    let report = query_start::render(&started);
    assert_eq!(report.text, "Query started: p(X)\nquery_id: q1\nStatus: ready");
    assert_eq!(
        Value::Object(report.structured),
        json!({ "type": "query_start", "query": "p(X)", "mode": "engine", "status": "ready", "engine_ready": true,
                "query_id": "q1", "variables": ["X"] })
    );
    started.use_engine = false;
    started.answers = Some(answers(vec![answer(&[("X", "a")], &[], "")], true));
    let report = query_start::render(&started);
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

#[test]
fn a_failure_is_a_result_with_text_and_data() {
    let fault = Fault {
        kind: FaultKind::SyntaxError,
        message: "Operator expected.".into(),
        next: String::new(),
        line: Some(2),
        column: Some(7),
    };
    let result = Failure::from(fault).report(Value::Null).into_result(12);
    assert_eq!(
        Value::Object(result),
        json!({
            "content": [{ "type": "text", "text": "Error: Operator expected. (line 2, column 7)" }],
            "structuredContent": {
                "error": { "kind": "syntax_error", "message": "Operator expected.", "line": 2, "column": 7 },
                "processing_time_ms": 12,
            },
            "isError": true,
        })
    );
}

#[test]
fn predicate_indicators_are_quoted_where_prolog_needs_it() {
    let written = |name: &str| {
        indicator(&Predicate {
            name: name.into(),
            arity: 1,
        })
    };
    assert_eq!(written("parent"), "parent/1");
    assert_eq!(written("=>"), "=>/1");
    assert_eq!(written("[]"), "[]/1");
    assert_eq!(written("Big"), "'Big'/1");
    assert_eq!(written("two words"), "'two words'/1");
    assert_eq!(written(""), "''/1");
    assert_eq!(written("a\\b"), "'a\\\\b'/1");
}
