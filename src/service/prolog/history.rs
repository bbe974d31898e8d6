//! The `workspace` operations on the history: undo, redo, history, diff, provenance.

use std::time::{Duration, UNIX_EPOCH};

use serde_json::json;

use super::consequences::{self, goals_in};
use super::results::{
    Success, WorkspaceDiff, WorkspaceHistory, WorkspaceProvenance, WorkspaceResult, WorkspaceReversal,
    WorkspaceSavepoint,
};
use crate::budget::{NOTE, fitted, most_tokens_of, within};
use crate::report::{Outcome, Report, count, invalid_argument};
use crate::schema::Arguments;
use hornbook_base::{Control, cut};
use hornbook_workspace::{
    Changes, ClauseOrigin, Consequence, Event, History, Origins, Reversal, RevisionInfo, Savepoint, Whose,
    Workspace,
};

/// Revisions shown by `history` unless another number is given, and in the texts of `undo` and `redo`.
const REVISIONS: usize = 20;

/// Goals and clauses are cut to this many characters in texts.
const GOAL_CHARS: usize = 100;
const CLAUSE_CHARS: usize = 300;

pub(super) async fn undo(workspace: Workspace, arguments: Arguments, control: Control) -> Outcome {
    let (steps, whose, from) = (steps(&arguments), whose(&arguments), arguments.integer("from"));
    let undone = match (arguments.text("of"), steps) {
        (Some(_), Some(_)) => {
            let next = "Leave one of them out.";
            return Err(invalid_argument(
                "Undo takes 'steps', or a savepoint in 'of'.",
                next,
            ));
        }
        (Some(savepoint), None) => workspace.undo_to(&savepoint, whose, from, &control).await?,
        (None, steps) => workspace.undo(steps.unwrap_or(1), whose, from, &control).await?,
    };
    Ok(render_undo(&undone, workspace.reply_tokens()))
}

pub(super) async fn savepoint(workspace: &Workspace, arguments: &Arguments, control: &Control) -> Outcome {
    let Some(name) = arguments.text("of") else {
        let next = "Give 'of', a name that undo takes back to.";
        return Err(invalid_argument("Argument 'of' is required for savepoint.", next));
    };
    let Savepoint { revision, moved_from } = workspace.savepoint(&name, control).await?;
    let moved = moved_from.map_or(String::new(), |from| format!(", moved from revision {from}"));
    let text = format!("Savepoint {name}, revision {revision}{moved}. undo with of: {name} goes back to it.");
    let data = WorkspaceSavepoint {
        name,
        revision,
        moved_from,
    };
    Ok(Report::new(text, WorkspaceResult::Savepoint(data)))
}

pub(super) async fn redo(workspace: Workspace, arguments: Arguments, control: Control) -> Outcome {
    let redone = workspace
        .redo(
            steps(&arguments).unwrap_or(1),
            whose(&arguments),
            arguments.integer("from"),
            &control,
        )
        .await?;
    Ok(render_redo(&redone, workspace.reply_tokens()))
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
    let goals = arguments.text("of").map(|of| goals_in(&of)).transpose()?;
    let found = control.unless_cancelled(workspace.diff(from, to)).await??;
    let consequences = match goals {
        Some(goals) => {
            let revisions = (found.from, found.to);
            Some(workspace.consequences(goals, revisions, control).await?)
        }
        None => None,
    };
    Ok(render_diff(
        &found,
        consequences.as_deref(),
        workspace.reply_tokens(),
    ))
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
    let subject = subject.map_or(String::new(), |text| format!(" {}", cut(text, GOAL_CHARS)));
    match event.of {
        Some(of) => format!("{} of {of}: {}{subject}", event.operation, event.of_operation),
        None => format!("{}{subject}", event.operation),
    }
}

fn by(event: &Event) -> String {
    event.by.as_ref().map_or(String::new(), |by| format!(", by {by}"))
}

/// The last time whose year has four digits.
const LAST_MS: u64 = 253_402_300_799_000;

fn time(ms: u64) -> String {
    let time = UNIX_EPOCH + Duration::from_millis(ms.min(LAST_MS));
    humantime::format_rfc3339_seconds(time).to_string()
}

/// A revision as a line, and as data.
fn item(info: &RevisionInfo) -> (String, RevisionInfo) {
    let mut data = info.clone();
    data.event.goal = data.event.goal.map(|goal| cut(&goal, GOAL_CHARS));
    (line(info), data)
}

fn line(info: &RevisionInfo) -> String {
    let RevisionInfo {
        event,
        added,
        removed,
    } = info;
    let (number, time) = (event.revision, time(event.timestamp));
    format!(
        "\n{number} {time} {}, +{added} -{removed}{}",
        named(event),
        by(event)
    )
}

pub(super) fn render_undo(report: &Reversal, budget: usize) -> Report {
    render_reversal("Undone", report, budget, WorkspaceResult::Undo)
}

pub(super) fn render_redo(report: &Reversal, budget: usize) -> Report {
    render_reversal("Redone", report, budget, WorkspaceResult::Redo)
}

fn render_reversal(
    done: &str,
    report: &Reversal,
    budget: usize,
    structured: fn(WorkspaceReversal) -> WorkspaceResult,
) -> Report {
    let (added, removed) = (report.added, report.removed);
    let shown = fitted(budget / 2, report.revisions.iter().take(REVISIONS).map(item));
    let lines = shown.text;
    let more = match report.steps.saturating_sub(shown.data.len()) {
        0 => String::new(),
        more => format!("\n… and {more} more"),
    };
    let text = format!(
        "{done}: {}, +{added} -{removed}; {} left to undo, {} to redo{lines}{more}",
        count(report.steps, "operation"),
        report.undoable,
        report.redoable
    );
    let reversal = WorkspaceReversal {
        status: Success::Success,
        steps: report.steps,
        revisions: shown.data,
        added,
        removed,
        undoable: report.undoable,
        redoable: report.redoable,
        queries_closed: report.queries_closed,
    };
    Report::new(text, structured(reversal)).notices(&report.notices)
}

pub(super) fn render_history(history: &History, budget: usize) -> Report {
    let shown = fitted(budget / 4 * 3, history.revisions.iter().map(item));
    let lines = shown.text;
    let older = history.older + history.revisions.len() - shown.data.len();
    let last = shown.data.last().filter(|_| older > 0);
    let next = last.map(|last| last.event.revision - 1);
    let more = match next {
        None => String::new(),
        Some(next) => format!("\n… and {older} older: continue with to: {next}"),
    };
    let text = format!(
        "{}, {} to undo, {} to redo{lines}{more}",
        count(history.revision as usize, "revision"),
        history.undoable,
        history.redoable
    );
    let structured = WorkspaceResult::History(WorkspaceHistory {
        revisions: shown.data,
        older,
        revision: history.revision,
        undoable: history.undoable,
        redoable: history.redoable,
        to: next,
    });
    Report::new(text, structured)
}

pub(super) fn render_diff(diff: &Changes, consequences: Option<&[Consequence]>, budget: usize) -> Report {
    let Changes { from, to, .. } = diff;
    let told = consequences.map(|found| consequences::render(found, (*from, *to), budget / 2));
    let budget = match told {
        Some(_) => budget / 2,
        None => budget,
    };
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
    let (mut goals, mut left_out) = (None, 0);
    if let Some((told, data, left)) = told {
        end.push_str(&told);
        (goals, left_out) = (Some(data), left);
    }
    let structured = WorkspaceResult::Diff(WorkspaceDiff {
        from: *from,
        to: *to,
        diff: shown.to_owned(),
        lines_added: diff.added,
        lines_removed: diff.removed,
        truncated: is_cut,
        coarse: diff.coarse.then_some(true),
        goals,
        goals_left_out: (left_out > 0).then_some(left_out),
    });
    Report::new(text + &end, structured)
}

pub(super) fn render_provenance(of: &str, origins: &Origins, from: usize, budget: usize) -> Report {
    let at = |event: &Event| {
        let (number, time) = (event.revision, time(event.timestamp));
        format!("revision {number} ({}), {time}{}", named(event), by(event))
    };
    let mut told = String::new();
    let mut lines_of = |one: &ClauseOrigin| {
        let place = match (&one.filename, one.line) {
            (Some(name), Some(line)) => format!("{name}:{line}"),
            _ => one.origin.to_owned(),
        };
        let gone = one.removed.as_ref();
        let gone = gone.map_or(String::new(), |event| format!("\n  removed by {}", at(event)));
        let clause = cut(&one.clause, CLAUSE_CHARS);
        let forgotten = || {
            let last = one.added_until.unwrap_or_default();
            format!("revision {last} or one before it, which are no longer kept")
        };
        let came = one.added.as_ref().map_or_else(forgotten, at);
        let came = format!("{place}, added by {came}{gone}");
        if came == told {
            return format!("\n{clause}\n  as above");
        }
        told = came;
        format!("\n{clause}\n  {told}")
    };
    let items = origins.clauses.iter().skip(from).map(|one| {
        let data = ClauseOrigin {
            clause: cut(&one.clause, CLAUSE_CHARS),
            ..one.clone()
        };
        (lines_of(one), data)
    });
    let fit = fitted(budget / 2, items);
    let lines = fit.text;
    let next = from + fit.data.len();
    let known = origins.known.as_ref();
    let known = known.map_or(String::new(), |event| format!(", known since {}", at(event)));
    let left = origins.total.saturating_sub(next);
    let more = match left {
        0 => String::new(),
        _ if next < origins.clauses.len() => format!("\n… and {left} more: continue with from: {next}"),
        _ => format!("\n… and {left} more: ask for a clause"),
    };
    let text = format!(
        "{}: {}{known}{lines}{more}",
        cut(of.trim(), CLAUSE_CHARS),
        count(origins.total, "clause")
    );
    let structured = WorkspaceResult::Provenance(WorkspaceProvenance {
        of: cut(of.trim(), CLAUSE_CHARS),
        clauses: fit.data,
        total: origins.total,
        known: origins.known.clone(),
        from: (next < origins.clauses.len()).then_some(next),
    });
    Report::new(text, structured)
}
