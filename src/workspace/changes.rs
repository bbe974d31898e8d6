//! What running code did to the clauses, and what it wrote.

use std::rc::Rc;

use super::believed;
use super::edit::Edit;
use super::follow::reload;
use super::request::Watch;
use super::turn::Turn;
use hornbook_base::{Control, Fault};
use hornbook_book::text::{has_body, missing_period};
use hornbook_book::{
    Book, Cell, Clash, Delta, Draft, EntryId, Ids, Kind, Known, Operation, Origin, Piece, Predicate,
};
use hornbook_engine::protocol::{self, Bounds};
use hornbook_engine::reply::{AddedClause, Changes, Step};

/// How many entries running code added and removed.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    pub added: usize,
    pub removed: usize,
}

/// Write the changes of running code into the book, and give back to the engine what it asks for. `edit` is
/// the edit of the step that reported them.
pub(super) async fn take(
    turn: &Turn<'_>,
    edit: Edit<'_>,
    changes: Changes,
    operation: Operation,
) -> Result<Counts, Fault> {
    take_with(turn, edit, changes, operation, Vec::new(), Ok).await
}

/// Like `take`, with cells that change in the same revision; `anew` is as for [`Edit::record_with`].
pub(super) async fn take_with(
    turn: &Turn<'_>,
    edit: Edit<'_>,
    changes: Changes,
    operation: Operation,
    cells: Vec<Cell>,
    anew: impl FnMut(Vec<Cell>) -> Result<Vec<Cell>, Clash>,
) -> Result<Counts, Fault> {
    let Changes {
        added,
        removed,
        reload,
        declared,
    } = changes;
    let counts = Counts {
        added: added.len(),
        removed: removed.len(),
    };
    if !(added.is_empty() && removed.is_empty() && declared.is_empty() && cells.is_empty()) {
        check_room(turn, &added, removed.len())?;
        let added = match added.is_empty() {
            true => Vec::new(),
            false => turn.workspace.drafted(draft_of(added, turn.workspace.ids)).await,
        };
        let removed = removed.into_iter().map(EntryId).collect();
        let known = news(&turn.workspace.book.borrow(), declared);
        let delta = Delta {
            removed,
            added,
            known,
            cells,
        };
        edit.record_with(operation, delta, anew).await?;
    }
    if give_back(turn, &reload).await? {
        edit.keep();
    }
    Ok(counts)
}

/// Check that the book has room for clauses that the engine already has; if it has not, the engine is
/// rebuilt.
fn check_room(turn: &Turn<'_>, added: &[AddedClause], removed: usize) -> Result<(), Fault> {
    let limits = &turn.workspace.limits;
    let book = turn.workspace.book.borrow();
    let entries = book.len() + added.len() - removed.min(book.len());
    let bytes: usize =
        turn.workspace.used_bytes() + added.iter().map(|clause| clause.text.len() + 2).sum::<usize>();
    let message = format!(
        "The goal's additions were undone: the book has no room for {} more clauses",
        added.len()
    );
    if entries > limits.entries {
        return Err(Fault::limit(message, "entries", limits.entries));
    }
    if bytes > limits.bytes {
        return Err(Fault::limit(message, "bytes", limits.bytes));
    }
    Ok(())
}

/// A draft of what running code has added with some of these ids.
pub(super) fn draft_of(added: Vec<AddedClause>, ids: Ids) -> Draft {
    let mut text = String::new();
    let mut pieces = Vec::with_capacity(added.len());
    for added in added {
        let (mut clause, start) = (added.text, text.len());
        let kind = if has_body(&clause) { Kind::Rule } else { Kind::Fact };
        if let Some((at, period)) = missing_period(&clause) {
            clause.insert_str(at, &period);
        }
        text.push_str(&clause);
        let id = EntryId(added.id);
        pieces.push(Piece {
            id,
            place: ids.place(id),
            start,
            end: text.len(),
            kind,
            predicate: Rc::new(added.predicate),
            restore: None,
        });
        text.push('\n');
    }
    Draft {
        origin: Origin::Run,
        tail: text.len(),
        text,
        pieces,
        module: None,
        is_needed: false,
        replaced: Vec::new(),
    }
}

/// Remove the clauses of these predicates from the engine, and load them again from the book. `false` if they
/// can only be read with all of their source, or the engine refuses one of them.
pub(super) async fn give_back(turn: &Turn<'_>, predicates: &[Predicate]) -> Result<bool, Fault> {
    if predicates.is_empty() {
        return Ok(true);
    }
    let workspace = turn.workspace;
    let batches = workspace
        .book()
        .batches_of(
            predicates,
            usize::MAX,
            workspace.limits.load_bytes,
            &workspace.pace(),
        )
        .await;
    match batches {
        Some(batches) => reload(turn, predicates, &batches, Watch::short("query")).await,
        None => Ok(false),
    }
}

/// Leave out what was known before: the running code did not declare it.
pub(super) fn news(book: &Book, declared: Vec<Predicate>) -> Vec<(Rc<Predicate>, Known)> {
    declared
        .into_iter()
        .filter(|predicate| book.standing(predicate).known == Known::No)
        .map(|predicate| (Rc::new(predicate), Known::ByRun))
        .collect()
}

/// What `initialization/1` goals did.
#[derive(Debug, Default)]
pub(super) struct Initialized {
    pub output: String,
    pub errors: Vec<String>,
}

/// Run the goals of `initialization/1` directives, after all clauses are in place. A goal that fails affects
/// nothing else.
pub(super) async fn initialize(
    turn: &Turn<'_>,
    goals: Vec<(EntryId, String)>,
    control: &Control,
) -> Initialized {
    let mut done = Initialized::default();
    let soft_ms = turn.workspace.timeout_ms;
    for (directive, goal) in goals {
        let ready = turn.has_engine() || turn.await_engine(control).await.is_ok();
        if control.cancel.is_cancelled() || !ready {
            done.errors
                .push(format!("initialization({goal}): it was not run"));
            continue;
        }
        let bounds = Bounds {
            take: 1,
            soft_ms,
            next: turn.next_ids(),
        };
        let request = protocol::run(&goal, bounds);
        let watch = Watch::goal("initialization", soft_ms, control);
        let believe = |bounds, step| believed::run(turn, bounds, step);
        let ran = turn.step_of_directive(request, bounds, watch, control, &believe);
        let problem = match ran.await {
            Err(fault) => Some(fault.message),
            Ok((step, edit)) => {
                let goal = goal.clone();
                let operation = Operation::Initialization { goal, directive };
                finish(turn, edit, step, operation, &mut done.output).await
            }
        };
        done.errors
            .extend(problem.map(|problem| format!("initialization({goal}): {problem}")));
    }
    turn.keep_read().await;
    done
}

async fn finish(
    turn: &Turn<'_>,
    edit: Edit<'_>,
    step: Step,
    operation: Operation,
    output: &mut String,
) -> Option<String> {
    let succeeded = !step.answers.is_empty();
    for answer in &step.answers {
        output.push_str(&answer.output);
    }
    output.push_str(&step.output);
    let taken = take(turn, edit, step.changes, operation).await;
    match (step.error, taken) {
        (Some(error), _) => Some(turn.fault_of(error).message),
        (None, Err(fault)) => Some(fault.message),
        (None, Ok(_)) if !succeeded => Some("the goal failed".to_owned()),
        (None, Ok(_)) => None,
    }
}
