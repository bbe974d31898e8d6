//! `workspace`: all there is, seen or cleared, and how it came to be so.

use futures::FutureExt;
use serde_json::json;

use super::history;
use super::names::indicator;
use crate::report::{Outcome, Report, count, cut};
use crate::schema::{Argument, Arguments, Kind};
use crate::toolset::{Hints, Tool};
use hornbook_base::Control;
use hornbook_workspace::{OpenQuery, ResetReport, Snapshot, Symbol, Workspace};

pub const TOOL: Tool<Workspace> = Tool {
    name: "workspace",
    title: "Workspace",
    description: "Get all source text (snapshot), remove everything (reset), list predicates, undo, redo.",
    arguments: &[
        Argument {
            name: "operation",
            kind: Kind::choice(&[
                "snapshot",
                "reset",
                "list_symbols",
                "list_queries",
                "undo",
                "redo",
                "history",
                "diff",
                "provenance",
            ]),
            required: true,
            operations: &[],
            description: "",
        },
        Argument {
            name: "steps",
            kind: Kind::Integer(1),
            required: false,
            operations: &["undo", "redo", "history"],
            description: "",
        },
        Argument {
            name: "from",
            kind: Kind::Integer(0),
            required: false,
            operations: &["diff"],
            description: "",
        },
        Argument {
            name: "to",
            kind: Kind::Integer(0),
            required: false,
            operations: &["diff", "history"],
            description: "",
        },
        Argument {
            name: "of",
            kind: Kind::Text,
            required: false,
            operations: &["provenance"],
            description: "name/arity or clause",
        },
    ],
    hints: Hints::Destructive,
    run: |workspace, arguments, call| run(workspace, arguments, call.control()).boxed_local(),
};

/// Characters of the goal of an open query.
const TOLD_GOAL: usize = 100;

async fn run(workspace: Workspace, arguments: Arguments, control: Control) -> Outcome {
    match arguments.text("operation").as_deref() {
        Some("snapshot") => {
            let snapshot = control.unless_cancelled(workspace.snapshot()).await?;
            Ok(render_snapshot(snapshot))
        }
        Some("list_symbols") => {
            let symbols = control.unless_cancelled(workspace.symbols()).await?;
            Ok(render_symbols(&symbols))
        }
        Some("list_queries") => Ok(render_queries(&workspace.open_queries())),
        Some("undo") => history::undo(workspace, arguments, control).await,
        Some("redo") => history::redo(workspace, arguments, control).await,
        Some("history") => history::history(&workspace, &arguments),
        Some("diff") => history::diff(&workspace, &arguments, &control).await,
        Some("provenance") => history::provenance(&workspace, &arguments, &control).await,
        _ => Ok(render_reset(&workspace.reset(&control).await?)),
    }
}

pub(super) fn render_snapshot(snapshot: Snapshot) -> Report {
    let text = if snapshot.text.is_empty() {
        "(empty workspace)"
    } else {
        &snapshot.text
    };
    let structured = json!({
        "type": "workspace_snapshot",
        "dump": snapshot.text,
        "clauseCount": snapshot.clause_count,
    });
    Report::new(text, structured)
}

pub(super) fn render_symbols(symbols: &[Symbol]) -> Report {
    let predicates: Vec<String> = symbols
        .iter()
        .map(|symbol| indicator(&symbol.predicate))
        .collect();
    let text = if symbols.is_empty() {
        "(no predicates)".to_string()
    } else {
        let lines = symbols.iter().zip(&predicates).map(|(symbol, predicate)| {
            let dynamic = if symbol.dynamic { ", dynamic" } else { "" };
            format!("\n{predicate}: {}{dynamic}", count(symbol.clause_count, "clause"))
        });
        format!(
            "Available predicates ({}):{}",
            symbols.len(),
            lines.collect::<String>()
        )
    };
    let structured =
        json!({ "type": "workspace_symbols", "count": predicates.len(), "predicates": predicates });
    Report::new(text, structured)
}

pub(super) fn render_queries(queries: &[OpenQuery]) -> Report {
    let line = |query: &OpenQuery| {
        let (solutions, idle_s) = (count(query.solutions, "solution"), query.idle_ms / 1000);
        let goal = cut(&query.query, TOLD_GOAL);
        format!(
            "\n{}: {goal} ({solutions} so far, idle for {idle_s} s)",
            query.query_id
        )
    };
    let text = match queries {
        [] => "(no open queries)".to_owned(),
        _ => format!(
            "Open queries ({}):{}",
            queries.len(),
            queries.iter().map(line).collect::<String>()
        ),
    };
    let queries: Vec<OpenQuery> = queries
        .iter()
        .map(|query| OpenQuery {
            query: cut(&query.query, TOLD_GOAL),
            ..query.clone()
        })
        .collect();
    Report::new(text, json!({ "type": "workspace_queries", "queries": queries }))
}

pub(super) fn render_reset(report: &ResetReport) -> Report {
    let (removed, closed) = (report.clauses_removed, report.queries_closed);
    let text = format!(
        "Workspace reset: {} removed, {} closed",
        count(removed, "clause"),
        count(closed, "query")
    );
    let structured = json!({
        "type": "workspace_reset",
        "status": "success",
        "clausesRemoved": removed,
        "queriesClosed": closed,
    });
    Report::new(text, structured)
}
