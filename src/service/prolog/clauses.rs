//! `clauses`: facts and rules, added or taken away.

use futures::FutureExt;
use serde_json::{Value, json};

use crate::report::{Failure, Outcome, Report, cut, placed};
use crate::schema::{Argument, Arguments, Kind};
use crate::toolset::{Hints, Tool};
use hornbook_base::Control;
use hornbook_workspace::{ClausesReport, OutcomeResult, Workspace};

pub const TOOL: Tool<Workspace> = Tool {
    name: "clauses",
    title: "Clauses",
    description: "Assert or retract (the first that unifies) facts and rules; each clause has its own outcome.",
    arguments: &[
        Argument {
            name: "operation",
            kind: Kind::choice(&["assert", "retract"]),
            required: true,
            operations: &[],
            description: "",
        },
        Argument {
            name: "clauses",
            kind: Kind::Texts,
            required: true,
            operations: &[],
            description: "Prolog text",
        },
    ],
    hints: Hints::Destructive,
    run: |workspace, arguments, call| run(workspace, arguments, call.control()).boxed_local(),
};

/// How many clauses that went well are told one by one.
const TOLD_SUCCESSES: usize = 20;
/// How many that did not.
const TOLD_FAILURES: usize = 50;

async fn run(workspace: Workspace, arguments: Arguments, control: Control) -> Outcome {
    let operation = arguments.text("operation").unwrap_or_default();
    let texts = arguments.texts("clauses").unwrap_or_default();
    if texts.iter().all(|text| text.trim().is_empty()) {
        let next = "Give Prolog text in 'clauses', such as parent(ann, bob).";
        return Err(Failure::invalid_argument("At least one clause required.", next));
    }
    let report = match operation.as_str() {
        "assert" => workspace.assert_clauses(texts, &control).await?,
        _ => workspace.retract_clauses(texts, &control).await?,
    };
    Ok(render(&operation, &report))
}

pub(super) fn render(operation: &str, report: &ClausesReport) -> Report {
    let mut succeeded = Vec::new();
    let mut failed = Vec::new();
    for (index, outcome) in report.outcomes.iter().enumerate() {
        match &outcome.result {
            OutcomeResult::Success => succeeded.push(cut(&outcome.clause, 80)),
            OutcomeResult::Error {
                message,
                line,
                column,
                ..
            } => {
                let (clause, message) = (cut(&outcome.clause, 80), placed(message, *line, *column));
                failed.push(format!("{}. {clause}\n     {message}", index + 1));
            }
        }
    }
    let total = report.outcomes.len();
    let score = format!("{}/{total} successful", succeeded.len());
    let mut text = match (operation, failed.len()) {
        (_, 0) => format!("{operation}: {score}"),
        ("assert", _) => {
            format!("Error: assert: {score}. Correct the failed clauses and assert only them again.")
        }
        _ => format!("Error: retract: {score}. See the clauses there are with workspace snapshot."),
    };
    tell(&mut text, "FAILED", &failed, TOLD_FAILURES);
    tell(&mut text, "SUCCESS", &succeeded, TOLD_SUCCESSES);
    let results: Vec<Value> = report
        .outcomes
        .iter()
        .map(|outcome| {
            let mut result = json!(outcome);
            result["clause"] = json!(cut(&outcome.clause, 200));
            result
        })
        .collect();
    let structured = json!({
        "type": "clauses",
        "operation": operation,
        "results": results,
        "total": total,
        "succeeded": succeeded.len(),
        "failed": failed.len(),
    });
    let rendered = Report {
        is_error: !failed.is_empty(),
        ..Report::new(text, structured)
    };
    rendered.notices(&report.notices)
}

fn tell(text: &mut String, heading: &str, lines: &[String], limit: usize) {
    if lines.is_empty() {
        return;
    }
    text.push_str(&format!("\n{heading} ({}):", lines.len()));
    for line in lines.iter().take(limit) {
        text.push_str(&format!("\n  {line}"));
    }
    if lines.len() > limit {
        text.push_str(&format!("\n  … and {} more", lines.len() - limit));
    }
}
