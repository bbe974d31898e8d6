//! What the tools accept, and how their results read.

mod history;
mod queries;

use serde_json::{Value, json};

use super::{TOOLS, clauses, files, indicator, workspace};
use crate::report::Failure;
use crate::schema::Arguments;
use hornbook_base::{Fault, FaultKind};
use hornbook_book::Predicate;
use hornbook_mcp::object;
use hornbook_workspace::*;

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
        "Error: Argument 'operation' cannot be \"clear\". 'operation' must be one of snapshot, reset, list_symbols, list_queries, undo, redo, history, diff, provenance."
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
fn an_argument_that_does_not_belong_to_the_operation_is_refused() {
    assert_eq!(
        refused("workspace", json!({ "operation": "reset", "of": "a/1" })),
        "Error: Argument 'of' does not belong to reset; nothing was done. Leave it out; 'of' belongs to provenance."
    );
    assert_eq!(
        refused(
            "files",
            json!({ "operation": "unimport", "filename": "f", "text": "a." })
        ),
        "Error: Argument 'text' does not belong to unimport; nothing was done. Leave it out; 'text' belongs to import."
    );
    assert!(
        check(
            "workspace",
            json!({ "operation": "history", "steps": 2, "to": 3 })
        )
        .is_ok()
    );
    assert!(check("workspace", json!({ "operation": "reset", "of": null })).is_ok());
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

#[test]
fn a_failure_is_a_result_with_text_and_data() {
    let fault = Fault {
        kind: FaultKind::SyntaxError,
        message: "Operator expected.".into(),
        next: "Mend it.".into(),
        line: Some(2),
        column: Some(7),
    };
    let result = Failure::from(fault).report(Value::Null).into_result(12);
    assert_eq!(
        Value::Object(result),
        json!({
            "content": [{ "type": "text", "text": "Error: Operator expected (line 2, column 7). Mend it." }],
            "structuredContent": {
                "error": { "kind": "syntax_error", "message": "Operator expected.", "next": "Mend it.", "line": 2, "column": 7 },
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
