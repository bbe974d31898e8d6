//! Directives that are goals run when they are reached while a text is added. Their changes belong to the
//! revision of the addition.

use std::rc::Rc;

use super::believed;
use super::changes::{draft_of, give_back, news};
use super::edit::Edit;
use super::request::Watch;
use super::turn::Turn;
use hornbook_base::{Control, Fault, FaultKind};
use hornbook_book::{Delta, Draft, EntryId, Known, Operation, Piece, Predicate};
use hornbook_engine::protocol::{self, Bounds, NextIds};
use hornbook_engine::reply::AddedClause;

/// The most directives of an addition that may end their engines and be left out; with one more, nothing is
/// added.
pub(super) const MOST_LEFT_OUT: usize = 8;

/// A directive that has been reached.
pub(super) struct Due {
    pub goal: String,
    /// The text that contains it, and where it starts there, in bytes.
    pub source: usize,
    pub start: usize,
    /// From 1.
    pub line: u32,
    /// From 0.
    pub column: u32,
}

/// A directive after which an addition cannot continue: it ended its engine, or was stopped after it had
/// removed clauses of the text.
pub(super) struct Fatal {
    due: Due,
    fault: Fault,
}

impl Fatal {
    pub fn is(&self, due: &Due) -> bool {
        (self.due.source, self.due.start) == (due.source, due.start)
    }

    /// Whether the directive itself was the cause.
    pub fn can_be_left_out(&self) -> bool {
        !matches!(self.fault.kind, FaultKind::Cancelled | FaultKind::EngineEnded)
    }

    /// The line that reports it, for an addition that continues without it.
    pub fn problem(&self) -> String {
        let Due { line, column, .. } = self.due;
        format!(
            "{line}:{column}: {} The directive was left out.",
            self.fault.message
        )
    }

    pub fn into_fault(self) -> Fault {
        let fault = Fault {
            message: format!("{} Nothing was added.", self.fault.message),
            line: Some(self.due.line),
            ..self.fault
        };
        fault.with_next("Leave out this directive, or run its goal as a query.")
    }
}

/// What the directives of an addition have done.
pub(super) struct Ran {
    any: bool,
    /// The ids for clauses that they add: after all that the text can take, so that its own stay contiguous.
    next: NextIds,
    made: Vec<AddedClause>,
    removed: Vec<EntryId>,
    known: Vec<(Rc<Predicate>, Known)>,
    pub output: String,
    /// What went wrong, a line each that begins with the place.
    pub problems: Vec<String>,
}

impl Ran {
    /// Nothing yet. The ids of `sources` begin at `next`.
    pub fn after(next: NextIds, sources: &[String]) -> Self {
        let most: usize = sources.iter().map(|source| source.len() + 1).sum();
        Ran {
            any: false,
            next: NextIds {
                last: EntryId(next.last.0 + most as i64),
                first: next.first,
            },
            made: Vec::new(),
            removed: Vec::new(),
            known: Vec::new(),
            output: String::new(),
            problems: Vec::new(),
        }
    }

    pub fn any(&self) -> bool {
        self.any
    }

    /// How many entries they have added.
    pub fn added(&self) -> usize {
        self.made.len()
    }

    /// Run a goal. So far the texts have given `pieces`, `counts` of them each.
    pub async fn run(
        &mut self,
        turn: &Turn<'_>,
        due: Due,
        pieces: &mut Vec<Piece>,
        counts: &mut [usize],
        control: &Control,
    ) -> Result<(), Fatal> {
        let soft_ms = turn.workspace.timeout_ms;
        let bounds = Bounds {
            take: 1,
            soft_ms,
            next: self.next,
        };
        let fresh = |id: EntryId| {
            pieces.binary_search_by_key(&id, |piece| piece.id).is_ok()
                || self.made.iter().any(|clause| clause.id == id.0)
        };
        let believe = |bounds, step| believed::directive(turn, bounds, fresh, step);
        let watch = Watch::goal("directive", soft_ms, control);
        let Due { line, column, .. } = due;
        self.any = true;
        let request = protocol::run(&due.goal, bounds);
        let ran = turn.step_of_directive(request, bounds, watch, control, &believe);
        let (step, edit) = match ran.await {
            Ok(done) => done,
            Err(fault) if turn.has_engine() => {
                self.problems.push(format!("{line}:{column}: {}", fault.message));
                return Ok(());
            }
            Err(fault) => return Err(Fatal { due, fault }),
        };
        // The addition's own edit guards the engine.
        edit.keep();
        let problem = match step.error {
            Some(error) => Some(turn.fault_of(error).message),
            None if step.answers.is_empty() => Some(format!("The directive failed: {}", due.goal)),
            None => None,
        };
        if !step.changes.reload.is_empty() {
            let why = problem.unwrap_or_else(|| "The directive was stopped.".to_owned());
            let message = format!("{why} It had removed clauses of this text.");
            let fault = Fault::new(FaultKind::ResourceError, message);
            return Err(Fatal { due, fault });
        }
        for answer in &step.answers {
            self.output.push_str(&answer.output);
        }
        self.output.push_str(&step.output);
        self.problems
            .extend(problem.map(|problem| format!("{line}:{column}: {problem}")));
        for id in step.changes.removed.into_iter().map(EntryId) {
            if let Ok(at) = pieces.binary_search_by_key(&id, |piece| piece.id) {
                pieces.remove(at);
                uncount(at, counts);
            } else if let Some(at) = self.made.iter().position(|clause| clause.id == id.0) {
                self.made.remove(at);
            } else {
                self.removed.push(id);
            }
        }
        for clause in &step.changes.added {
            self.next.last = self.next.last.max(EntryId(clause.id + 1));
            self.next.first = self.next.first.min(EntryId(clause.id - 1));
        }
        self.made.extend(step.changes.added);
        self.made.sort_by_key(|clause| clause.id);
        let known = news(&turn.workspace.book.borrow(), step.changes.declared);
        self.known.extend(known);
        Ok(())
    }

    /// Write the addition into the book: `draft`, and what the directives did.
    pub async fn enter(
        self,
        turn: &Turn<'_>,
        edit: Edit<'_>,
        operation: Operation,
        draft: Draft,
    ) -> Result<(), Fault> {
        let mixed = self.mixed(&draft);
        edit.record(operation, self.delta(turn, draft).await).await?;
        if give_back(turn, &mixed).await? {
            edit.keep();
        }
        turn.keep_read().await;
        Ok(())
    }

    /// Predicates that got clauses from both the text and its directives: the engine has those in the order
    /// they were added.
    pub fn mixed(&self, draft: &Draft) -> Vec<Predicate> {
        let written = |predicate: &Predicate| draft.pieces.iter().any(|piece| *piece.predicate == *predicate);
        let mut mixed: Vec<Predicate> = self.made.iter().map(|clause| clause.predicate.clone()).collect();
        mixed.sort_unstable();
        mixed.dedup();
        mixed.retain(written);
        mixed
    }

    /// The addition as a change of the book.
    pub async fn delta(self, turn: &Turn<'_>, draft: Draft) -> Delta {
        let workspace = turn.workspace;
        let mut added = workspace.drafted(draft).await;
        if !self.made.is_empty() {
            added.extend(workspace.drafted(draft_of(self.made, workspace.ids)).await);
        }
        Delta {
            removed: self.removed,
            added,
            known: self.known,
            ..Delta::default()
        }
    }
}

/// The piece at `at` is gone: count one fewer for its source.
fn uncount(mut at: usize, counts: &mut [usize]) {
    for count in counts {
        if at < *count {
            *count -= 1;
            return;
        }
        at -= *count;
    }
}
