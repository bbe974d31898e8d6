//! The tool `clauses`: adds and removes facts and rules.

use futures::FutureExt;

use super::results::{ClauseFailure, ClausesResult};
use crate::budget::{Fitted, fitted};
use crate::report::{Outcome, Report, invalid_argument, placed};
use crate::schema::{Argument, Arguments, Kind};
use crate::toolset::{Hints, Tool};
use hornbook_base::{Control, cut};
use hornbook_workspace::{ClausesReport, OutcomeResult, Workspace};

pub const TOOL: Tool<Workspace> = Tool {
    name: "clauses",
    title: "Clauses",
    description: "Assert, retract (the first that unifies) or replace facts and rules; each clause has its own outcome.",
    arguments: &[
        Argument {
            name: "operation",
            kind: Kind::choice(&["assert", "retract", "replace"]),
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
        Argument {
            name: "old",
            kind: Kind::Text,
            required: false,
            operations: &["replace"],
            description: "the clause to replace",
        },
    ],
    hints: Hints::Destructive,
    run: |workspace, arguments, call| {
        let workspace = workspace.with_reply_tokens(call.reply_tokens());
        run(workspace, arguments, call.control()).boxed_local()
    },
};

/// The most failed clauses, and clauses removed by a retract, that are listed.
const LISTED: usize = 50;
/// Each clause is cut to this many characters.
const CLAUSE_CHARS: usize = 80;
/// Each error message is cut to this many characters.
const MESSAGE_CHARS: usize = 300;

async fn run(workspace: Workspace, arguments: Arguments, control: Control) -> Outcome {
    let operation = arguments.text("operation").unwrap_or_default();
    let texts = arguments.texts("clauses").unwrap_or_default();
    if texts.iter().all(|text| text.trim().is_empty()) {
        let next = "Give Prolog text in 'clauses', such as parent(ann, bob).";
        return Err(invalid_argument("At least one clause required.", next));
    }
    let report = match operation.as_str() {
        "assert" => workspace.assert_clauses(texts, &control).await?,
        "replace" => {
            let Some(old) = arguments.text("old").filter(|old| !old.trim().is_empty()) else {
                let next = "Give the clause to replace in 'old', and the new clauses in 'clauses'.";
                return Err(invalid_argument("Argument 'old' is required for replace.", next));
            };
            workspace.replace_clause(&old, &texts, &control).await?
        }
        _ => workspace.retract_clauses(texts, &control).await?,
    };
    Ok(render(&operation, &report, workspace.reply_tokens()))
}

/// Successes are counted, failures are listed.
pub(super) fn render(operation: &str, report: &ClausesReport, budget: usize) -> Report {
    let total = report.outcomes.len();
    let failures = report.outcomes.iter().enumerate().filter_map(|(index, outcome)| {
        let OutcomeResult::Error {
            message,
            kind,
            line,
            column,
        } = &outcome.result
        else {
            return None;
        };
        let (number, clause) = (index + 1, cut(&outcome.clause, CLAUSE_CHARS));
        let message = cut(message, MESSAGE_CHARS);
        let text = format!(
            "\n  {number}. {clause}\n     {}",
            placed(&message, *line, *column)
        );
        let failure = ClauseFailure {
            number,
            clause,
            message,
            kind: *kind,
            line: *line,
            column: *column,
        };
        Some((text, failure))
    });
    let succeeded = report
        .outcomes
        .iter()
        .filter(|outcome| outcome.result == OutcomeResult::Success);
    let succeeded = succeeded.count();
    let failed = total - succeeded;
    let removed = report.removed.iter().map(|clause| {
        let clause = cut(clause, CLAUSE_CHARS);
        (format!("\n  {clause}"), clause)
    });
    let score = format!("{succeeded}/{total} successful");
    let advice = match operation {
        "assert" => "Correct the failed clauses and assert only them again.",
        _ => "See the clauses there are with workspace snapshot.",
    };
    let mut text = match failed {
        0 => format!("{operation}: {score}"),
        _ => format!("Error: {operation}: {score}. {advice}"),
    };
    let failures = fitted(budget / 3, failures.take(LISTED));
    let removed = fitted(budget / 3, removed.take(LISTED));
    let structured = ClausesResult {
        operation: operation.to_owned(),
        succeeded,
        failed,
        failures: list("FAILURES", failed, failures, &mut text),
        removed: list("REMOVED", report.removed.len(), removed, &mut text),
        next: (failed > 0).then_some(advice),
    };
    let rendered = Report {
        is_error: failed > 0,
        ..Report::new(text, structured)
    };
    rendered.warnings(&report.warnings).notices(&report.notices)
}

/// Append the items that fit, under a heading with the total; `None` if there are none.
fn list<D>(heading: &str, all: usize, shown: Fitted<D>, text: &mut String) -> Option<Vec<D>> {
    if all == 0 {
        return None;
    }
    text.push_str(&format!("\n{heading} ({all}):{}", shown.text));
    if shown.data.len() < all {
        text.push_str(&format!("\n  … and {} more", all - shown.data.len()));
    }
    Some(shown.data)
}
