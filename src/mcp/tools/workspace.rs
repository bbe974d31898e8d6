//! `workspace`: all there is, seen or cleared.

use futures::FutureExt;
use serde_json::json;

use super::{Hints, Outcome, Report, Tool, count, indicator};
use crate::mcp::schema::{Argument, Arguments, Kind};
use crate::workspace::{Control, ResetReport, Snapshot, Symbol, Workspace};

pub const TOOL: Tool = Tool {
    name: "workspace",
    title: "Workspace",
    description: "Get all source text (snapshot), remove everything (reset), or list predicates.",
    arguments: &[Argument {
        name: "operation",
        kind: Kind::Choice(&["snapshot", "reset", "list_symbols"]),
        required: true,
        description: "",
    }],
    hints: Hints::Destructive,
    run: |workspace, arguments, control| run(workspace, arguments, control).boxed_local(),
};

async fn run(workspace: Workspace, arguments: Arguments, control: Control) -> Outcome {
    Ok(match arguments.text("operation").as_deref() {
        Some("snapshot") => render_snapshot(workspace.snapshot()),
        Some("list_symbols") => render_symbols(&workspace.symbols()),
        _ => render_reset(&workspace.reset(&control).await?),
    })
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
