//! The tool `workspace`: shows or resets the whole workspace, and its history.

use futures::FutureExt;
use serde_json::json;

use super::history;
use super::names::indicator;
use super::results::{
    Success, WorkspaceConstraint, WorkspaceQueries, WorkspaceReset, WorkspaceResult, WorkspaceSnapshot,
    WorkspaceSymbols, WorkspaceWhy,
};
use crate::budget::{NOTE, fitted, most_tokens_of, within};
use crate::report::{Outcome, Report, count, invalid_argument};
use crate::schema::{Argument, Arguments, Kind};
use crate::toolset::{Hints, Tool};
use hornbook_base::{Control, cut};
use hornbook_workspace::{ConstraintInfo, OpenQuery, Proof, ResetReport, Snapshot, Symbol, Workspace};

pub const TOOL: Tool<Workspace> = Tool {
    name: "workspace",
    title: "Workspace",
    description: "Get all source text (snapshot), remove everything (reset), list predicates, undo, why a goal holds or fails.",
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
                "savepoint",
                "history",
                "diff",
                "provenance",
                "why",
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
            name: "all",
            kind: Kind::Flag,
            required: false,
            operations: &["undo", "redo"],
            description: "other processes' too",
        },
        Argument {
            name: "from",
            kind: Kind::Integer(0),
            required: false,
            operations: &[
                "diff",
                "snapshot",
                "list_symbols",
                "provenance",
                "why",
                "undo",
                "redo",
            ],
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
            operations: &[
                "provenance",
                "snapshot",
                "list_symbols",
                "why",
                "diff",
                "savepoint",
                "undo",
            ],
            description: "name/arity or clause; list_symbols: part of name; why, diff: goals; undo: savepoint",
        },
    ],
    hints: Hints::Destructive,
    run: |workspace, arguments, call| {
        let workspace = workspace.with_reply_tokens(call.reply_tokens());
        run(workspace, arguments, call.control()).boxed_local()
    },
};

/// Characters fetched per token of a reply; where tokens are longer, the page is shorter than it could be.
const MOST_CHARS: usize = 4;

/// The goal of an open query is cut to this many characters.
const GOAL_CHARS: usize = 100;

async fn run(workspace: Workspace, arguments: Arguments, control: Control) -> Outcome {
    let budget = workspace.reply_tokens();
    let from = arguments.index("from");
    match arguments.text("operation").as_deref() {
        Some("snapshot") => {
            let snapshot = match arguments.text("of") {
                Some(of) => control.unless_cancelled(workspace.excerpt(&of)).await??,
                None => {
                    let chars = from.saturating_add(MOST_CHARS * budget);
                    control.unless_cancelled(workspace.snapshot_to(chars)).await?
                }
            };
            Ok(render_snapshot(snapshot, from, budget))
        }
        Some("list_symbols") => {
            let mut symbols = control.unless_cancelled(workspace.symbols()).await?;
            let mut constraints = Vec::new();
            match arguments.text("of") {
                Some(of) => {
                    let of = of.to_lowercase();
                    symbols.retain(|symbol| symbol.predicate.to_string().to_lowercase().contains(&of));
                }
                None if from == 0 => constraints = workspace.constraints(&control).await?,
                None => {}
            }
            Ok(render_symbols(&symbols, &constraints, from, budget))
        }
        Some("list_queries") => Ok(render_queries(&workspace.open_queries(&control))),
        Some("undo") => history::undo(workspace, arguments, control).await,
        Some("savepoint") => history::savepoint(&workspace, &arguments, &control).await,
        Some("redo") => history::redo(workspace, arguments, control).await,
        Some("history") => history::history(&workspace, &arguments),
        Some("diff") => history::diff(&workspace, &arguments, &control).await,
        Some("provenance") => history::provenance(&workspace, &arguments, &control).await,
        Some("why") => {
            let Some(goal) = arguments.text("of") else {
                let next = "Give 'of', a goal, as `grandparent(tom, ann)`.";
                return Err(invalid_argument("Argument 'of' is required for why.", next));
            };
            Ok(render_why(
                &workspace.why(&goal, None, &control).await?,
                from,
                budget,
            ))
        }
        _ => Ok(render_reset(&workspace.reset(&control).await?)),
    }
}

/// The text from character `from` on, as much as fits in a reply.
pub(super) fn render_snapshot(snapshot: Snapshot, from: usize, budget: usize) -> Report {
    let page = page(&snapshot.text, from, budget);
    let end = from.saturating_add(page.text.chars().count());
    let next = (snapshot.goes_on || page.next.is_some()).then_some(end);
    let mut text = match page.text {
        "" if from > 0 => format!("(nothing from {from} on)"),
        "" => "(empty workspace)".to_owned(),
        text => text.to_owned(),
    };
    if let Some(next) = next {
        text.push_str(&format!(
            "\n% There is more, {} in all: continue with from: {next}",
            count(snapshot.clause_count, "clause")
        ));
    }
    let structured = WorkspaceResult::Snapshot(WorkspaceSnapshot {
        clause_count: snapshot.clause_count,
        dump: page.text.to_owned(),
        from: next,
    });
    Report::new(text, structured)
}

/// The tree of why a goal holds or fails, from character `from` on, as much as fits in a reply.
pub(super) fn render_why(proof: &Proof, from: usize, budget: usize) -> Report {
    let page = page(&proof.text, from, budget);
    let mut text = match page.text {
        "" => "Nothing had to be proved.".to_owned(),
        text => text.trim_end().to_owned(),
    };
    if let Some(next) = page.next {
        text.push_str(&format!(
            "\n… {} more characters: continue with from: {next}",
            page.left
        ));
    }
    let structured = WorkspaceResult::Why(WorkspaceWhy {
        holds: proof.holds,
        why: page.text.to_owned(),
        from: page.next,
    });
    Report::new(text, structured)
}

/// Part of a text, and the character where the next part begins.
pub(super) struct Page<'a> {
    text: &'a str,
    next: Option<usize>,
    left: usize,
}

pub(super) fn page(text: &str, from: usize, budget: usize) -> Page<'_> {
    let begin = text.char_indices().nth(from).map_or(text.len(), |(at, _)| at);
    let rest = &text[begin..];
    // Escapes make the text longer in the data.
    let mut room = budget.saturating_sub(2 * NOTE);
    let mut kept = within(rest, room);
    while most_tokens_of(&json!(kept)) > budget.saturating_sub(NOTE) && room > 1 {
        room = room / 4 * 3;
        kept = within(rest, room);
    }
    let left = rest[kept.len()..].chars().count();
    Page {
        text: kept,
        next: (left > 0).then(|| from + kept.chars().count()),
        left,
    }
}

/// `orders(id, who): 3 clauses`
pub(crate) fn symbol_line(symbol: &Symbol) -> String {
    let dynamic = if symbol.dynamic { ", dynamic" } else { "" };
    let clauses = match &symbol.linked {
        Some(from) => format!("rows of {from}"),
        None => count(symbol.clause_count, "clause"),
    };
    let shown = match &symbol.columns {
        Some(columns) => format!("{}({})", symbol.predicate.name, columns.join(", ")),
        None => indicator(&symbol.predicate),
    };
    format!("{shown}: {clauses}{dynamic}")
}

/// The predicates from index `from` on, as many as fit in a reply, and the constraints.
pub(super) fn render_symbols(
    symbols: &[Symbol],
    constraints: &[ConstraintInfo],
    from: usize,
    budget: usize,
) -> Report {
    let items = symbols.iter().skip(from).map(|symbol| {
        let line = symbol_line(symbol);
        (format!("\n{line}"), indicator(&symbol.predicate))
    });
    let listed = fitted(budget / 3, items);
    let next = from + listed.data.len();
    let shown = symbols.get(from..next).unwrap_or_default();
    let clauses: Vec<usize> = shown.iter().map(|symbol| symbol.clause_count).collect();
    let mut text = match symbols {
        [] => "(no predicates)".to_owned(),
        _ => format!("Available predicates ({}):{}", symbols.len(), listed.text),
    };
    let next = (next < symbols.len()).then_some(next);
    if let Some(next) = next {
        text.push_str(&format!(
            "\n… and {} more: continue with from: {next}, or search with of",
            symbols.len() - next
        ));
    }
    let told = fitted(budget / 6, constraints.iter().map(constraint_line));
    if !constraints.is_empty() {
        text.push_str(&format!("\nConstraints ({}):{}", constraints.len(), told.text));
        if told.data.len() < constraints.len() {
            text.push_str(&format!("\n… and {} more", constraints.len() - told.data.len()));
        }
    }
    let structured = WorkspaceResult::Symbols(WorkspaceSymbols {
        count: symbols.len(),
        predicates: listed.data,
        clauses,
        from: next,
        constraints: told.data,
    });
    Report::new(text, structured)
}

/// How many violations of a constraint are listed, and how many characters of it.
const VIOLATIONS: usize = 3;
const CONSTRAINT_CHARS: usize = 200;

fn constraint_line(info: &ConstraintInfo) -> (String, WorkspaceConstraint) {
    let constraint = cut(&info.text, CONSTRAINT_CHARS);
    let place = info.place.as_ref().map(|(file, line)| format!("{file}:{line}"));
    let mut text = format!("\n{constraint}");
    if let Some(place) = &place {
        text.push_str(&format!("  % {place}"));
    }
    let mut violated: Vec<String> = info.violated.iter().take(VIOLATIONS).cloned().collect();
    let left = info.violated.len() - violated.len();
    if left > 0 {
        violated.push(format!("… and {left} more"));
    }
    for message in &violated {
        text.push_str(&format!("\n  violated: {message}"));
    }
    if let Some(error) = &info.error {
        text.push_str(&format!("\n  cannot be checked: {error}"));
    }
    let data = WorkspaceConstraint {
        constraint,
        place,
        violated,
        error: info.error.clone(),
    };
    (text, data)
}

pub(super) fn render_queries(queries: &[OpenQuery]) -> Report {
    let line = |query: &OpenQuery| {
        let (solutions, idle_s) = (count(query.solutions, "solution"), query.idle_ms / 1000);
        let goal = cut(&query.query, GOAL_CHARS);
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
            query: cut(&query.query, GOAL_CHARS),
            ..query.clone()
        })
        .collect();
    Report::new(text, WorkspaceResult::Queries(WorkspaceQueries { queries }))
}

pub(super) fn render_reset(report: &ResetReport) -> Report {
    let (removed, closed) = (report.clauses_removed, report.queries_closed);
    let text = format!(
        "Workspace reset: {} removed, {} closed",
        count(removed, "clause"),
        count(closed, "query")
    );
    let structured = WorkspaceResult::Reset(WorkspaceReset {
        status: Success::Success,
        clauses_removed: removed,
        queries_closed: closed,
    });
    Report::new(text, structured)
}
