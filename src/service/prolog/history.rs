//! The operations of `workspace` on what was done: undo, redo, history, diff, provenance.

use std::time::{Duration, UNIX_EPOCH};

use serde_json::json;

use crate::report::{Failure, Outcome, Report, count, cut};
use crate::schema::Arguments;
use hornbook_base::Control;
use hornbook_workspace::{
    ClauseOrigin, Difference, Event, History, Origins, Reversal, RevisionInfo, Workspace,
};

/// Revisions that `history` tells when it is not asked for more or fewer, and `undo` and `redo` in their texts.
const REVISIONS: usize = 20;

/// Characters of a goal and of a clause in a text.
const TOLD_GOAL: usize = 100;
const TOLD_CLAUSE: usize = 300;

pub(super) async fn undo(workspace: Workspace, arguments: Arguments, control: Control) -> Outcome {
    let undone = workspace.undo(steps(&arguments).unwrap_or(1), &control).await?;
    Ok(render_reversal("undo", &undone))
}

pub(super) async fn redo(workspace: Workspace, arguments: Arguments, control: Control) -> Outcome {
    let redone = workspace.redo(steps(&arguments).unwrap_or(1), &control).await?;
    Ok(render_reversal("redo", &redone))
}

pub(super) fn history(workspace: &Workspace, arguments: &Arguments) -> Outcome {
    let steps = steps(arguments).unwrap_or(REVISIONS);
    Ok(render_history(
        &workspace.history(steps, arguments.integer("to"))?,
    ))
}

pub(super) async fn diff(workspace: &Workspace, arguments: &Arguments, control: &Control) -> Outcome {
    let (from, to) = (arguments.integer("from"), arguments.integer("to"));
    let found = control.unless_cancelled(workspace.diff(from, to)).await?;
    Ok(render_diff(&found?))
}

pub(super) async fn provenance(workspace: &Workspace, arguments: &Arguments, control: &Control) -> Outcome {
    let Some(of) = arguments.text("of") else {
        let next = "Give 'of', a predicate as name/arity or the text of a clause.";
        return Err(Failure::invalid_argument(
            "Argument 'of' is required for provenance.",
            next,
        ));
    };
    let found = control.unless_cancelled(workspace.provenance(&of)).await?;
    Ok(render_provenance(&of, &found?))
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

fn line(info: &RevisionInfo) -> String {
    let RevisionInfo {
        event,
        added,
        removed,
    } = info;
    let (number, time) = (event.revision, time(event.timestamp));
    format!("\n{number} {time} {}, +{added} -{removed}", named(event))
}

pub(super) fn render_reversal(operation: &str, report: &Reversal) -> Report {
    let done = if operation == "undo" { "Undone" } else { "Redone" };
    let (added, removed) = (report.added, report.removed);
    let lines: String = report.revisions.iter().take(REVISIONS).map(line).collect();
    let more = match report.steps.saturating_sub(REVISIONS) {
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
        "revisions": report.revisions,
        "added": added,
        "removed": removed,
        "undoable": report.undoable,
        "redoable": report.redoable,
        "queriesClosed": report.queries_closed,
    });
    Report::new(text, structured).notices(&report.notices)
}

pub(super) fn render_history(history: &History) -> Report {
    let lines: String = history.revisions.iter().map(line).collect();
    let older = match history.older {
        0 => String::new(),
        older => format!("\n… and {older} older"),
    };
    let text = format!(
        "{}, {} to undo, {} to redo{lines}{older}",
        count(history.revision as usize, "revision"),
        history.undoable,
        history.redoable
    );
    let structured = json!({
        "type": "workspace_history",
        "revisions": history.revisions,
        "older": history.older,
        "revision": history.revision,
        "undoable": history.undoable,
        "redoable": history.redoable,
    });
    Report::new(text, structured)
}

pub(super) fn render_diff(diff: &Difference) -> Report {
    let Difference { from, to, .. } = diff;
    let text = match diff.text.as_str() {
        "" if !diff.cut => format!("(no difference between revisions {from} and {to})"),
        text => format!("--- revision {from}\n+++ revision {to}\n{text}"),
    };
    let mut end = String::new();
    if diff.cut {
        let (added, removed) = (diff.added, diff.removed);
        end = format!("… cut; in all +{added} -{removed} lines");
    }
    if diff.coarse {
        end.push_str(
            "\nThis is a coarse difference: long stretches of repeated lines are told as changed as a whole.",
        );
    }
    let mut structured = json!({
        "type": "workspace_diff",
        "from": from,
        "to": to,
        "diff": diff.text,
        "linesAdded": diff.added,
        "linesRemoved": diff.removed,
        "truncated": diff.cut,
    });
    if diff.coarse {
        structured["coarse"] = json!(true);
    }
    Report::new(text + &end, structured)
}

pub(super) fn render_provenance(of: &str, origins: &Origins) -> Report {
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
    let lines: String = origins.clauses.iter().map(tell).collect();
    let known = origins.known.as_ref();
    let known = known.map_or(String::new(), |event| format!(", known since {}", told(event)));
    let left = origins.total - origins.clauses.len();
    let more = if left > 0 {
        format!("\n… and {left} more")
    } else {
        String::new()
    };
    let text = format!(
        "{}: {}{known}{lines}{more}",
        of.trim(),
        count(origins.total, "clause")
    );
    let structured = json!({
        "type": "workspace_provenance",
        "of": of,
        "clauses": origins.clauses,
        "total": origins.total,
        "known": origins.known,
    });
    Report::new(text, structured)
}
