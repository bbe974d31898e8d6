//! What the tools accept, and how their results read.

mod history;
mod queries;

use serde_json::{Value, json};

use super::{TOOLS, begin, clauses, files, indicator, workspace};
use crate::budget::most_tokens;
use crate::report::{advised, error_text, failed};
use crate::schema::Arguments;
use hornbook_base::{Fault, FaultKind};
use hornbook_book::Predicate;
use hornbook_mcp::object;
use hornbook_workspace::*;

/// Tokens for a reply.
const BUDGET: usize = 10_000;

fn check(tool: &str, arguments: Value) -> Result<Arguments, Fault> {
    let tool = TOOLS
        .into_iter()
        .find(|known| known.name == tool)
        .expect("a tool");
    Arguments::check(tool.arguments, object(arguments))
}

fn refused(tool: &str, arguments: Value) -> String {
    let fault = check(tool, arguments).err().expect("refused");
    assert_eq!(fault.kind, FaultKind::InvalidArgument);
    error_text(&advised(fault))
}

#[test]
fn an_argument_that_is_unknown_missing_or_wrong_is_named_with_what_is_allowed() {
    assert_eq!(
        refused("files", json!({ "operation": "list", "path": "a" })),
        "Error: Unknown argument 'path'. The arguments are: operation, filename, text, format, columns, from."
    );
    assert_eq!(
        refused("clauses", json!({ "operation": "assert" })),
        "Error: Missing argument 'clauses'. Give 'clauses', a string or an array of strings."
    );
    assert_eq!(
        refused("workspace", json!({ "operation": "clear" })),
        "Error: Argument 'operation' cannot be \"clear\". 'operation' must be one of snapshot, reset, list_symbols, list_queries, undo, redo, savepoint, history, diff, provenance, why."
    );
    assert_eq!(
        refused("clauses", json!({ "operation": "assert", "clauses": ["a.", 7] })),
        "Error: Argument 'clauses' cannot be [\"a.\",7]. 'clauses' must be a string or an array of strings."
    );
    assert_eq!(
        refused("query_start", json!({ "query": "true", "use_engine": "yes" })),
        "Error: Argument 'use_engine' cannot be \"yes\". 'use_engine' must be true or false."
    );
    for take in [json!(0), json!(-1), json!(1.5), json!("1.5"), json!("two")] {
        assert_eq!(
            refused("query_next", json!({ "take": take })),
            format!("Error: Argument 'take' cannot be {take}. 'take' must be an integer of at least 1.")
        );
    }
}

#[test]
fn arguments_may_come_as_their_json_text() {
    let given = json!({ "operation": "assert", "clauses": "[\"a(1).\", \"b(2).\"]" });
    let arguments = check("clauses", given).expect("read");
    assert_eq!(arguments.texts("clauses").unwrap(), ["a(1).", "b(2)."]);
    let given = json!({ "operation": "assert", "clauses": "[a] = [X]." });
    let arguments = check("clauses", given).expect("a clause");
    assert_eq!(arguments.texts("clauses").unwrap(), ["[a] = [X]."]);
    let given =
        json!({ "query": "p", "take": "5", "timeout_ms": 100.0, "use_engine": "true", "assume": "[]" });
    let arguments = check("query_start", given).expect("read");
    assert_eq!(
        (
            arguments.integer("take"),
            arguments.integer("timeout_ms"),
            arguments.flag("use_engine")
        ),
        (Some(5), Some(100), Some(true))
    );
    assert_eq!(arguments.texts("assume"), Some(vec![]));
}

#[test]
fn what_a_cut_snapshot_leaves_out_is_always_told_within_the_budget() {
    for clauses in 1..400 {
        let text = "edge(node_123, node_456).\n".repeat(clauses);
        for tokens in [300, 1_000, 1_017] {
            let shown = begin(text.clone(), "", tokens);
            assert!(
                most_tokens(&shown) <= tokens,
                "{clauses} clauses, {tokens} tokens: {shown}"
            );
            assert!(
                shown == text || shown.ends_with("snapshot and list_symbols with from"),
                "{clauses} clauses, {tokens} tokens: {shown}"
            );
        }
    }
}

#[test]
fn an_argument_that_does_not_belong_to_the_operation_is_refused() {
    assert_eq!(
        refused("workspace", json!({ "operation": "reset", "of": "a/1" })),
        "Error: Argument 'of' does not belong to reset; nothing was done. Leave it out; 'of' belongs to provenance, snapshot, list_symbols, why, diff, savepoint, undo."
    );
    assert_eq!(
        refused(
            "files",
            json!({ "operation": "unimport", "filename": "f", "text": "a." })
        ),
        "Error: Argument 'text' does not belong to unimport; nothing was done. Leave it out; 'text' belongs to import, reload."
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
        // The protocol's default is false.
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

fn report(outcomes: Vec<ClauseOutcome>, removed: &[&str]) -> ClausesReport {
    ClausesReport {
        outcomes,
        removed: removed.iter().map(|clause| clause.to_string()).collect(),
        warnings: vec![],
        notices: vec![],
    }
}

#[test]
fn clauses_that_failed_are_told_with_their_place_and_the_others_are_counted() {
    let outcomes = vec![
        outcome("a.", None),
        outcome("bad(", Some(("end of clause expected", 1, 4))),
        outcome("b.", None),
    ];
    let report = clauses::render("assert", &report(outcomes, &[]), BUDGET);
    assert!(report.is_error);
    assert_eq!(
        report.text,
        "Error: assert: 2/3 successful. Correct the failed clauses and assert only them again.\n\
         FAILURES (1):\n  2. bad(\n     end of clause expected (line 1, column 4)"
    );
    assert_eq!(
        Value::Object(report.structured),
        json!({
            "operation": "assert", "succeeded": 2, "failed": 1,
            "failures": [{ "number": 2, "clause": "bad(", "kind": "syntax_error",
                           "message": "end of clause expected", "line": 1, "column": 4 }],
            "next": "Correct the failed clauses and assert only them again.",
        })
    );
}

#[test]
fn clauses_that_went_well_are_counted_and_not_echoed_and_failures_are_bounded() {
    let long = format!("p('{}').", "é".repeat(300));
    let well = clauses::render("assert", &report(vec![outcome(&long, None); 10_000], &[]), BUDGET);
    assert_eq!(well.text, "assert: 10000/10000 successful");
    assert_eq!(
        Value::Object(well.structured),
        json!({ "operation": "assert", "succeeded": 10_000, "failed": 0 })
    );
    let wrong = vec![outcome(&long, Some(("wrong", 1, 0))); 1_000];
    let wrong = clauses::render("assert", &report(wrong, &[]), BUDGET);
    assert!(
        wrong.text.contains("\nFAILURES (1000):\n  1. p("),
        "{}",
        wrong.text
    );
    let told = wrong.structured["failures"].as_array().unwrap().len();
    assert!(
        wrong.text.ends_with(&format!("… and {} more", 1_000 - told)),
        "{}",
        wrong.text
    );
    assert!((10..=50).contains(&told), "{told}");
}

#[test]
fn a_retract_tells_what_went() {
    let report = clauses::render(
        "retract",
        &report(vec![outcome("p(X)", None)], &["p(1)."]),
        BUDGET,
    );
    assert_eq!(report.text, "retract: 1/1 successful\nREMOVED (1):\n  p(1).");
    assert_eq!(report.structured["removed"], json!(["p(1)."]));
}

#[test]
fn an_import_is_a_success_partial_or_failed() {
    let import = |clauses_added, errors: &[&str]| {
        let errors = errors.iter().map(|error| error.to_string()).collect();
        let report = ImportReport {
            filename: "/f.pl".into(),
            clauses_added,
            replaced: None,
            retracted: 0,
            errors,
            output: String::new(),
            warnings: vec![],
            notices: vec![],
            tables: Vec::new(),
            document: None,
        };
        files::render_import(&report, BUDGET)
    };
    let report = import(3, &[]);
    assert_eq!(report.text, "Successfully imported 3 clauses from /f.pl");
    assert_eq!(
        Value::Object(report.structured),
        json!({ "type": "file_import", "filename": "/f.pl", "clausesAdded": 3, "errors": [], "failed": 0, "status": "success" })
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
    assert_eq!(files::render_list(&[], 0, BUDGET).text, "(no imported files)");
    let file = FileInfo {
        filename: "/f.pl".into(),
        clause_count: 1,
        characters: None,
        timestamp: 5,
    };
    let report = files::render_list(std::slice::from_ref(&file), 0, BUDGET);
    assert_eq!(report.text, "Imported files (1):\n/f.pl: 1 clause");
    assert_eq!(
        Value::Object(report.structured),
        json!({ "type": "files_list", "count": 1,
                "files": [{ "filename": "/f.pl", "clauseCount": 1, "timestamp": 5 }] })
    );
    let many = vec![file; 1_000];
    let first = files::render_list(&many, 0, BUDGET);
    let next = first.structured["from"].as_u64().unwrap() as usize;
    assert!(first.text.ends_with(&format!(
        "… and {} more: continue with from: {next}",
        1_000 - next
    )));
    let last = files::render_list(&many, 990, BUDGET);
    assert_eq!(last.structured["files"].as_array().map(Vec::len), Some(10));
}

#[test]
fn the_workspace_is_told_as_it_is() {
    let snapshot = |text: &str, clause_count| Snapshot {
        text: text.into(),
        clause_count,
        goes_on: false,
    };
    let report = workspace::render_snapshot(snapshot("a.\n", 1), 0, BUDGET);
    assert_eq!(report.text, "a.\n");
    assert_eq!(
        Value::Object(report.structured),
        json!({ "type": "workspace_snapshot", "dump": "a.\n", "clauseCount": 1 })
    );
    let empty = workspace::render_snapshot(snapshot("", 0), 0, BUDGET);
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
        columns: None,
        linked: None,
    };
    let report = workspace::render_symbols(&[symbol("a", false), symbol("It's", true)], &[], 0, BUDGET);
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
fn a_long_text_is_told_page_by_page_and_each_says_how_to_go_on() {
    let text: String = (0..5_000)
        .map(|number| format!("fact(\"{number}\").\n"))
        .collect();
    let (mut told, mut from, mut pages) = (String::new(), 0, 0);
    loop {
        let snapshot = Snapshot {
            text: text.clone(),
            clause_count: 5_000,
            goes_on: false,
        };
        let report = workspace::render_snapshot(snapshot, from, BUDGET);
        told.push_str(report.structured["dump"].as_str().unwrap());
        pages += 1;
        let Some(next) = report.structured.get("from").and_then(Value::as_u64) else {
            break;
        };
        assert!(
            report
                .text
                .ends_with(&format!("5000 clauses in all: continue with from: {next}"))
        );
        from = next as usize;
    }
    assert_eq!(told, text);
    assert!((3..20).contains(&pages), "{pages}");
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
    let result = failed(fault).into_result();
    assert_eq!(
        Value::Object(result),
        json!({
            "content": [{ "type": "text", "text": "Error: Operator expected (line 2, column 7). Mend it." }],
            "structuredContent": {
                "error": { "kind": "syntax_error", "message": "Operator expected.", "next": "Mend it.", "line": 2, "column": 7 },
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
