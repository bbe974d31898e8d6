//! The operations of `workspace` on what was done: undo, redo, history, diff, provenance.

use std::time::{Duration, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::budget::{NOTE, fitted, most_tokens_of, within};
use crate::report::{Outcome, Report, count, invalid_argument};
use crate::schema::Arguments;
use hornbook_base::{Control, cut};
use hornbook_workspace::{
    ClauseOrigin, Difference, Event, History, Origins, Reversal, RevisionInfo, Whose, Workspace,
};

/// Revisions that `history` tells when it is not asked for more or fewer, and `undo` and `redo` in their texts.
const REVISIONS: usize = 20;

/// Characters of a goal and of a clause in a text.
const TOLD_GOAL: usize = 100;
const TOLD_CLAUSE: usize = 300;

pub(super) async fn undo(workspace: Workspace, arguments: Arguments, control: Control) -> Outcome {
    let undone = workspace
        .undo(steps(&arguments).unwrap_or(1), whose(&arguments), &control)
        .await?;
    Ok(render_reversal("undo", &undone, workspace.reply_tokens()))
}

pub(super) async fn redo(workspace: Workspace, arguments: Arguments, control: Control) -> Outcome {
    let redone = workspace
        .redo(steps(&arguments).unwrap_or(1), whose(&arguments), &control)
        .await?;
    Ok(render_reversal("redo", &redone, workspace.reply_tokens()))
}

pub(super) fn history(workspace: &Workspace, arguments: &Arguments) -> Outcome {
    let steps = steps(arguments).unwrap_or(REVISIONS);
    Ok(render_history(
        &workspace.history(steps, arguments.integer("to"))?,
        workspace.reply_tokens(),
    ))
}

pub(super) async fn diff(workspace: &Workspace, arguments: &Arguments, control: &Control) -> Outcome {
    let (from, to) = (arguments.integer("from"), arguments.integer("to"));
    let found = control.unless_cancelled(workspace.diff(from, to)).await?;
    Ok(render_diff(&found?, workspace.reply_tokens()))
}

pub(super) async fn provenance(workspace: &Workspace, arguments: &Arguments, control: &Control) -> Outcome {
    let Some(of) = arguments.text("of") else {
        let next = "Give 'of', a predicate as name/arity or the text of a clause.";
        return Err(invalid_argument(
            "Argument 'of' is required for provenance.",
            next,
        ));
    };
    let found = control.unless_cancelled(workspace.provenance(&of)).await?;
    let from = arguments.index("from");
    Ok(render_provenance(&of, &found?, from, workspace.reply_tokens()))
}

fn whose(arguments: &Arguments) -> Whose {
    match arguments.flag("all") {
        Some(true) => Whose::All,
        _ => Whose::Own,
    }
}

fn steps(arguments: &Arguments) -> Option<usize> {
    let steps = arguments.integer("steps")?;
    Some(usize::try_from(steps).unwrap_or(usize::MAX))
}

/// `redo of 3: import f.pl`.
fn named(event: &Event) -> String {
    let subject = event
        .filename
        .as_ref()
        .or(event.goal.as_ref())
        .or(event.action.as_ref());
    let subject = subject.map_or(String::new(), |text| format!(" {}", cut(text, TOLD_GOAL)));
    match event.of {
        Some(of) => format!("{} of {of}: {}{subject}", event.operation, event.of_operation),
        None => format!("{}{subject}", event.operation),
    }
}

/// The latest time that has a year of four digits.
const LAST_MS: u64 = 253_402_300_799_000;

fn time(ms: u64) -> String {
    let time = UNIX_EPOCH + Duration::from_millis(ms.min(LAST_MS));
    humantime::format_rfc3339_seconds(time).to_string()
}

/// A revision as a line, and as data.
fn item(info: &RevisionInfo) -> (String, Value) {
    let mut data = json!(info);
    if let Some(goal) = &info.event.goal {
        data["goal"] = json!(cut(goal, TOLD_GOAL));
    }
    (line(info), data)
}

fn line(info: &RevisionInfo) -> String {
    let RevisionInfo {
        event,
        added,
        removed,
        by,
    } = info;
    let (number, time) = (event.revision, time(event.timestamp));
    let by = by.as_ref().map_or(String::new(), |by| format!(", by {by}"));
    format!("\n{number} {time} {}, +{added} -{removed}{by}", named(event))
}

pub(super) fn render_reversal(operation: &str, report: &Reversal, budget: usize) -> Report {
    let done = if operation == "undo" { "Undone" } else { "Redone" };
    let (added, removed) = (report.added, report.removed);
    let told = fitted(budget / 2, report.revisions.iter().take(REVISIONS).map(item));
    let lines = told.text;
    let more = match report.steps.saturating_sub(told.data.len()) {
        0 => String::new(),
        more => format!("\n… and {more} more"),
    };
    let text = format!(
        "{done}: {}, +{added} -{removed}; {} left to undo, {} to redo{lines}{more}",
        count(report.steps, "operation"),
        report.undoable,
        report.redoable
    );
    let structured = json!({
        "type": format!("workspace_{operation}"),
        "status": "success",
        "steps": report.steps,
        "revisions": told.data,
        "added": added,
        "removed": removed,
        "undoable": report.undoable,
        "redoable": report.redoable,
        "queriesClosed": report.queries_closed,
    });
    Report::new(text, structured).notices(&report.notices)
}

pub(super) fn render_history(history: &History, budget: usize) -> Report {
    let told = fitted(budget / 4 * 3, history.revisions.iter().map(item));
    let lines = told.text;
    let older = history.older + history.revisions.len() - told.data.len();
    let next = told.data.last().and_then(|last| last["revision"].as_u64());
    let next = next.map(|last| last - 1).filter(|_| older > 0);
    let more = match next {
        None => String::new(),
        Some(next) => format!("\n… and {older} older: go on with to: {next}"),
    };
    let text = format!(
        "{}, {} to undo, {} to redo{lines}{more}",
        count(history.revision as usize, "revision"),
        history.undoable,
        history.redoable
    );
    let mut structured = json!({
        "type": "workspace_history",
        "revisions": told.data,
        "older": older,
        "revision": history.revision,
        "undoable": history.undoable,
        "redoable": history.redoable,
    });
    if let Some(next) = next {
        structured["to"] = json!(next);
    }
    Report::new(text, structured)
}

pub(super) fn render_diff(diff: &Difference, budget: usize) -> Report {
    let Difference { from, to, .. } = diff;
    let mut shown = within(&diff.text, budget.saturating_sub(2 * NOTE));
    while most_tokens_of(&json!(shown)) > budget.saturating_sub(2 * NOTE) && shown.len() > 1 {
        shown = within(shown, most_tokens_of(&json!(shown)) / 2);
    }
    let is_cut = diff.cut || shown.len() < diff.text.len();
    let text = match shown {
        "" if !is_cut => format!("(no difference between revisions {from} and {to})"),
        text => format!("--- revision {from}\n+++ revision {to}\n{text}"),
    };
    let mut end = String::new();
    if is_cut {
        let (added, removed) = (diff.added, diff.removed);
        end = format!("… cut; in all +{added} -{removed} lines: compare revisions that are nearer");
    }
    if diff.coarse {
        end.push_str(
            "\nThis is a coarse difference: long stretches of repeated lines are shown as changed as a whole.",
        );
    }
    let mut structured = json!({
        "type": "workspace_diff",
        "from": from,
        "to": to,
        "diff": shown,
        "linesAdded": diff.added,
        "linesRemoved": diff.removed,
        "truncated": is_cut,
    });
    if diff.coarse {
        structured["coarse"] = json!(true);
    }
    Report::new(text + &end, structured)
}

pub(super) fn render_provenance(of: &str, origins: &Origins, from: usize, budget: usize) -> Report {
    let told = |event: &Event| {
        let (number, time) = (event.revision, time(event.timestamp));
        format!("revision {number} ({}), {time}", named(event))
    };
    let tell = |one: &ClauseOrigin| {
        let place = match (&one.filename, one.line) {
            (Some(name), Some(line)) => format!("{name}:{line}"),
            _ => one.origin.to_owned(),
        };
        let gone = one.removed.as_ref();
        let gone = gone.map_or(String::new(), |event| format!("\n  removed by {}", told(event)));
        let clause = cut(&one.clause, TOLD_CLAUSE);
        format!("\n{clause}\n  {place}, added by {}{gone}", told(&one.added))
    };
    let items = origins.clauses.iter().skip(from).map(|one| {
        let mut data = json!(one);
        data["clause"] = json!(cut(&one.clause, TOLD_CLAUSE));
        (tell(one), data)
    });
    let fit = fitted(budget / 2, items);
    let lines = fit.text;
    let next = from + fit.data.len();
    let known = origins.known.as_ref();
    let known = known.map_or(String::new(), |event| format!(", known since {}", told(event)));
    let left = origins.total.saturating_sub(next);
    let more = match left {
        0 => String::new(),
        _ if next < origins.clauses.len() => format!("\n… and {left} more: go on with from: {next}"),
        _ => format!("\n… and {left} more: ask for a clause"),
    };
    let text = format!(
        "{}: {}{known}{lines}{more}",
        cut(of.trim(), TOLD_CLAUSE),
        count(origins.total, "clause")
    );
    let mut structured = json!({
        "type": "workspace_provenance",
        "of": cut(of.trim(), TOLD_CLAUSE),
        "clauses": fit.data,
        "total": origins.total,
        "known": origins.known,
    });
    if next < origins.clauses.len() {
        structured["from"] = json!(next);
    }
    Report::new(text, structured)
}
