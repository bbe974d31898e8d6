//! The history of the book: undo, redo, and comparing revisions.

use std::collections::BTreeSet;

use super::constraints::touch::Touch;
use super::documents::{ChangedDocument, changed_between};
use super::edit::Edit;
use super::follow::{anew, follow};
use super::keeping::Kept;
use super::touched::{Touched, Turned};
use super::turn::Turn;
use super::types::*;
use super::{Inner, Workspace};
use hornbook_base::{Control, Fault, FaultKind, Pace};
use hornbook_book::{
    Author, Book, Compared, Delta, Entry, EntryId, Operation, Origin, Pattern, Revision, Step, Superseded,
    Trace, diff,
};

impl Workspace {
    /// Undo the last `steps` operations on the book, or as many as there are. Each undo is itself a revision. What a
    /// workflow run changed is one step with the later records of the run.
    ///
    /// `from` is the last revision that the caller knows.
    ///
    /// # Errors
    ///
    /// [`FaultKind::Conflict`] if the book has another last revision than `from` by now: then nothing is changed.
    pub async fn undo(
        &self,
        steps: usize,
        whose: Whose,
        from: Option<u64>,
        control: &Control,
    ) -> Result<Reversal, Fault> {
        let of = self.0.of(whose);
        self.0.undo_those(steps, from, whose, &of, control).await
    }

    /// Redo the last `steps` operations that were undone, or as many as there are. An undone operation can be
    /// redone until another operation changes the book. `from` is as for [`Workspace::undo`].
    pub async fn redo(
        &self,
        steps: usize,
        whose: Whose,
        from: Option<u64>,
        control: &Control,
    ) -> Result<Reversal, Fault> {
        let next = async |book: &Book| book.next_redo(self.0.of(whose), &self.0.pace()).await;
        let step = |book: &Book| book.redo_step(self.0.of(whose));
        self.0
            .reverse((steps, from), whose, (step, next), REDO, control)
            .await
    }

    /// Up to `steps` revisions, newest first, ending with `to` or the last one.
    pub fn history(&self, steps: usize, to: Option<u64>) -> Result<History, Fault> {
        let most = self.0.limits.revisions;
        if !(1..=most).contains(&steps) {
            let message = format!("steps is a number from 1 to {most}, not {steps}.");
            return Err(Fault::new(FaultKind::LimitReached, message));
        }
        let book = self.0.book.borrow();
        let newest = known_revision(&book, to.unwrap_or(book.revision()))?;
        let (undoable, redoable) = book.reversible(self.0.of(Whose::Own));
        let revisions = (book.forgotten() + 1..=newest).rev();
        let revisions = revisions.filter_map(|number| self.0.info(&book, number));
        Ok(History {
            revisions: revisions.take(steps).collect(),
            older: ((newest - book.forgotten()) as usize).saturating_sub(steps),
            revision: book.revision(),
            undoable,
            redoable,
        })
    }

    /// The differences between the book after the revision `from` and after `to` (default: now). Without
    /// `from`: what the revision `to` changed.
    pub async fn diff(&self, from: Option<u64>, to: Option<u64>) -> Result<Changes, Fault> {
        let (book, pace) = (self.0.book(), self.0.pace());
        let to = to.unwrap_or(book.revision());
        let from = from.unwrap_or(to.saturating_sub(1));
        let (older, newer) = (known_revision(&book, from)?, known_revision(&book, to)?);
        let compared = book.compared(older, newer, &pace).await;
        let Compared { before, after, moved } = compared.expect("a revision that is known has its entries");
        let most = self.0.limits.diff_bytes;
        let found = diff(&before, &after, most, &pace).await;
        let mut changes = Changes {
            from,
            to,
            text: found.text,
            added: found.added,
            removed: found.removed,
            cut: found.cut,
            coarse: found.coarse,
        };
        for name in moved {
            let told = format!("{name} was read again: it stands behind other clauses than before\n");
            changes.text.push_str(&told);
        }
        for changed in changed_between(&book, from, to) {
            let (before, after) = (
                ChangedDocument::text(&changed.before),
                ChangedDocument::text(&changed.after),
            );
            let left = most.saturating_sub(changes.text.len());
            let found = diff(before, after, left, &pace).await;
            let what = match (&changed.before, &changed.after) {
                (None, _) => "new document",
                (_, None) => "removed document",
                _ => "document",
            };
            changes
                .text
                .push_str(&format!("{what} {}\n{}", changed.name, found.text));
            changes.added += found.added;
            changes.removed += found.removed;
            changes.cut |= found.cut;
            changes.coarse |= found.coarse;
        }
        Ok(changes)
    }

    /// Where clauses came from, and how removed ones went. `of` is `name/arity` or the text of a clause.
    pub async fn provenance(&self, of: &str) -> Result<Origins, Fault> {
        if of.len() > MOST_PATTERN_BYTES {
            let message = format!("A clause to look for has at most {MOST_PATTERN_BYTES} bytes.");
            let fault = Fault::new(FaultKind::LimitReached, message);
            return Err(fault.with_next("Give name/arity, or variables in place of long arguments."));
        }
        let Some(pattern) = Pattern::parse(of) else {
            let fault = Fault::new(
                FaultKind::DomainError,
                "This is neither name/arity nor one clause.",
            );
            return Err(fault.with_next("Give one or the other, such as `parent/2` or `parent(ann, X)`."));
        };
        let (book, pace) = (self.0.book(), self.0.pace());
        let found = book.provenance(&pattern, &pace).await;
        if found.traces.is_empty() && found.known_since.is_none() {
            let message = format!("Nothing that matches {} was ever in the workspace.", of.trim());
            let fault = Fault::new(FaultKind::ExistenceError, message);
            return Err(fault.with_next("workspace list_symbols shows the predicates."));
        }
        let most = self.0.limits.traces;
        let mut lines = Lines::default();
        let mut clauses = Vec::new();
        for trace in found.traces.iter().take(most) {
            let line = lines.of(&trace.entry, &pace).await;
            clauses.extend(self.0.origin(&book, trace, line));
        }
        Ok(Origins {
            total: found.traces.len(),
            clauses,
            known: found.known_since.and_then(|number| self.0.event(&book, number)),
        })
    }
}

impl Inner {
    /// Undo the last `steps` of the operations that `of` selects.
    pub(super) async fn undo_those(
        &self,
        steps: usize,
        from: Option<u64>,
        whose: Whose,
        of: &impl Fn(u64, &Revision) -> bool,
        control: &Control,
    ) -> Result<Reversal, Fault> {
        let next = async |book: &Book| book.next_undo(of, &self.pace()).await;
        let step = |book: &Book| book.undo_step(of);
        self.reverse((steps, from), whose, (step, next), UNDO, control)
            .await
    }

    async fn reverse(
        &self,
        (steps, from): (usize, Option<u64>),
        whose: Whose,
        (step, next): (
            impl Fn(&Book) -> Option<Step>,
            impl AsyncFn(&Book) -> Result<Option<(Operation, Delta)>, Superseded>,
        ),
        nothing: Nothing,
        control: &Control,
    ) -> Result<Reversal, Fault> {
        let turn = self.wait(control).await?;
        let mut touched = Touched::default();
        let before = self.rooms.constraints.states();
        let (mut done, mut infos, mut touch) = (0, Vec::new(), Touch::default());
        let pace = self.pace();
        let mut not_kept = None;
        let edit = turn.edit();
        let mut left = steps;
        let mut under_way: Option<Step> = None;
        loop {
            let part = step(&self.book.borrow());
            let Some(part) = part else {
                break;
            };
            let belongs = under_way.as_ref().is_some_and(|step| step.takes(&part));
            if !belongs && left == 0 {
                break;
            }
            // Another process's change may come between two operations, too.
            not_kept = self.moved_from(from.map(|from| from + done));
            if not_kept.is_some() {
                break;
            }
            let found = next(&self.book()).await;
            let (operation, delta) = match found {
                Ok(Some(found)) => found,
                Ok(None) => break,
                Err(superseded) => {
                    not_kept = Some(self.superseded(&superseded, &nothing, whose));
                    break;
                }
            };
            touched.note(&self.book(), &delta, &pace).await;
            let number = self.book.borrow().revision() + 1;
            let recorded = turn.record_once(operation, delta).await;
            // What other processes have done before or since is in the book by now: the engine follows all of it.
            if let Some(behind) = turn.take_behind() {
                touched.then(behind.touched);
            }
            match recorded {
                // After another process's change, the next operation to undo may be a different one.
                Ok(Some(Kept::Conflict(..))) => continue,
                Ok(_) => {
                    done += 1;
                    // Later it may have another number: the revisions of a draft stand after those of its book.
                    touch.join(&self.touch_of(number));
                    infos.extend(self.info(&self.book.borrow(), number));
                    left -= usize::from(!belongs);
                    under_way = Some(part);
                }
                Err(fault) => {
                    not_kept = Some(fault);
                    break;
                }
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        let turned = touched.turned(&self.book(), &pace).await;
        let (queries_closed, told) = lead(&turn, edit, &turned).await;
        turn.tell_violations(&touch, before, control).await;
        if done == 0 {
            let others = book_has_more(&self.book.borrow(), nothing.kind);
            return Err(not_kept.unwrap_or_else(|| nothing.fault(others)));
        }
        let not_kept = not_kept.map(|fault| Notice(format!("This was only partly done. {fault}")));
        let (undoable, redoable) = self.book.borrow().reversible(self.of(whose));
        Ok(Reversal {
            steps: steps - left,
            added: infos.iter().map(|info| info.added).sum(),
            removed: infos.iter().map(|info| info.removed).sum(),
            revisions: infos.into_iter().take(self.limits.revisions).collect(),
            undoable,
            redoable,
            queries_closed,
            notices: turn.notices().into_iter().chain(told).chain(not_kept).collect(),
        })
    }

    /// The fault for an operation on which a later one depends: it names that one, and who did it.
    fn superseded(&self, Superseded { what, by }: &Superseded, nothing: &Nothing, whose: Whose) -> Fault {
        let book = self.book.borrow();
        let later = by.and_then(|number| self.event(&book, number));
        let by = later.map_or(String::new(), |event| {
            let of = event.of.map_or(String::new(), |of| format!(" of {of}"));
            let who = event.by.map_or(String::new(), |by| format!(" of {by}"));
            format!(", by revision {} ({}{of}){who}", event.revision, event.operation)
        });
        let message = format!("This can no longer be {}: {what}{by}.", nothing.done);
        let next = match whose {
            Whose::Own => format!(
                "Reverse that one first, or give `all: true`: {}. {HISTORY}",
                nothing.all
            ),
            Whose::All => HISTORY.to_owned(),
        };
        Fault::new(FaultKind::Conflict, message).with_next(next)
    }

    /// The fault for a book whose last revision is not `expected`, which somebody saw.
    fn moved_from(&self, expected: Option<u64>) -> Option<Fault> {
        let revision = self.book.borrow().revision();
        if expected.is_none_or(|expected| expected == revision) {
            return None;
        }
        let message = format!("The book has changed: its last revision is {revision} by now.");
        Some(Fault::new(FaultKind::Conflict, message).with_next(SEEN))
    }
}

/// Make the engine follow, or rebuild it. Returns how many queries that closes, and the notice of it.
pub(super) async fn lead(turn: &Turn<'_>, edit: Edit<'_>, turned: &Turned) -> (usize, Option<Notice>) {
    if !turn.has_engine() {
        edit.keep();
        return (0, None);
    }
    let open = turn.workspace.queries.borrow().open().len();
    match follow(turn, turned).await {
        Ok(true) => {
            edit.keep();
            (0, None)
        }
        Err(fault) if !turn.has_engine() => (open, Some(Notice(fault.message))),
        _ => anew(edit),
    }
}

pub(super) fn known_revision(book: &Book, number: u64) -> Result<u64, Fault> {
    let last = book.revision();
    let oldest = book.forgotten();
    if (oldest..=last).contains(&number) {
        return Ok(number);
    }
    let message = match number > last {
        true => format!("There is no revision {number}: the last one is {last}."),
        false => format!("Revision {number} is no longer kept: the oldest one is {oldest}."),
    };
    Err(Fault::new(FaultKind::NoSuchRevision, message))
}

impl Inner {
    /// Selects the operations of `whose`.
    pub(super) fn of(&self, whose: Whose) -> impl Fn(u64, &Revision) -> bool + use<> {
        let connection = self.connection();
        let (inherited, predecessors) = (self.inherited, self.predecessors.clone());
        move |number, revision| {
            let Some(connection) = &connection else {
                return true;
            };
            let by = revision.stamp.by.as_ref().map(|author| &*author.connection);
            let is_own = |by: &str| by == &**connection || predecessors.iter().any(|one| &**one == by);
            whose == Whose::All || number <= inherited || by.is_some_and(is_own)
        }
    }

    fn info(&self, book: &Book, number: u64) -> Option<RevisionInfo> {
        let revision = book.get_revision(number)?;
        let event = self.event(book, number)?;
        let (added, removed) = match event.of_operation {
            // The neighbouring entries are removed and added again unchanged.
            "replace" => (
                count_missing(&revision.added, &revision.removed),
                count_missing(&revision.removed, &revision.added),
            ),
            _ => (revision.added.len(), revision.removed.len()),
        };
        Some(RevisionInfo {
            added,
            removed,
            event,
        })
    }

    fn event(&self, book: &Book, number: u64) -> Option<Event> {
        let revision = book.get_revision(number)?;
        let Revision { operation, stamp, .. } = revision;
        let others = !self.of(Whose::Own)(number, revision);
        let of = match operation {
            Operation::Undo(of) | Operation::Redo(of) => Some(*of),
            _ => None,
        };
        // The undone operation may no longer be kept.
        let original = of.and_then(|of| book.get_revision(of));
        let original = original.map_or(operation, |revision| &revision.operation);
        let (filename, goal) = match original {
            Operation::Import(name) | Operation::Unimport(name) => (Some(name.clone()), None),
            Operation::Query(goal) | Operation::Initialization { goal, .. } => (None, Some(goal.clone())),
            _ => (None, None),
        };
        Some(Event {
            revision: number,
            timestamp: stamp.at_ms,
            operation: operation.name(),
            filename,
            goal,
            action: match original {
                Operation::Cells { room, action } => Some(format!("{room}: {action}")),
                Operation::Draft(name) => Some(name.clone()),
                Operation::Accept { draft, by } => Some(match by {
                    Some(by) => format!("{draft}, proposed by {by}"),
                    None => draft.clone(),
                }),
                _ => None,
            },
            of,
            of_operation: original.name(),
            by: stamp.by.as_ref().filter(|_| others).map(Author::to_string),
        })
    }

    fn origin(&self, book: &Book, trace: &Trace, line: usize) -> Option<ClauseOrigin> {
        let entry = &trace.entry;
        let (origin, filename) = match &entry.source().origin {
            Origin::Inline => ("inline", None),
            Origin::File(name) => ("file", Some(name.to_string())),
            Origin::Run => ("run", None),
        };
        let line = filename.as_ref().map(|_| line);
        Some(ClauseOrigin {
            clause: entry.code().to_owned(),
            origin,
            filename,
            line,
            added: trace.added.and_then(|number| self.event(book, number)),
            added_until: trace.added.is_none().then(|| book.forgotten()),
            removed: match trace.removed {
                Some(number) => Some(self.event(book, number)?),
                None => None,
            },
        })
    }
}

/// How many of these entries are not among the others.
fn count_missing(entries: &[(EntryId, Entry)], others: &[(EntryId, Entry)]) -> usize {
    let others: BTreeSet<(EntryId, &str)> = others.iter().map(|(id, entry)| (*id, entry.code())).collect();
    let entries = entries.iter().map(|(id, entry)| (*id, entry.code()));
    entries.filter(|one| !others.contains(one)).count()
}

/// The fault for having nothing to undo or redo.
struct Nothing {
    kind: FaultKind,
    done: &'static str,
    message: &'static str,
    /// What is done with the operations of all.
    all: &'static str,
}

const UNDO: Nothing = Nothing {
    kind: FaultKind::NothingToUndo,
    done: "undone",
    message: "There is nothing to undo.",
    all: "it undoes what anybody did, the newest first",
};
const REDO: Nothing = Nothing {
    kind: FaultKind::NothingToRedo,
    done: "redone",
    message: "There is nothing to redo.",
    all: "it redoes what anybody undid, the last undone first",
};
/// How long the text of a clause to look for may be: it is compared with each entry of the history.
const MOST_PATTERN_BYTES: usize = 1_000_000;
const SEEN: &str = "Look at `workspace history`, and give 'from' as its last revision.";
const HISTORY: &str = "`workspace history` shows later changes.";

impl Nothing {
    /// `others`: whether other processes have something to undo or redo.
    fn fault(&self, others: bool) -> Fault {
        let fault = Fault::new(self.kind, self.message);
        match others {
            false => fault,
            true => {
                fault.with_next("Other processes changed the book, too: `all: true` covers what they did.")
            }
        }
    }
}

/// Whether any process has something to undo, or to redo.
fn book_has_more(book: &Book, kind: FaultKind) -> bool {
    let (undoable, redoable) = book.reversible(|_, _| true);
    match kind {
        FaultKind::NothingToUndo => undoable > 0,
        _ => redoable > 0,
    }
}

/// How far the lines of a source have been counted.
#[derive(Default)]
struct Lines {
    source: u32,
    at: usize,
    /// From 0.
    line: usize,
}

impl Lines {
    /// The line, from 1, at which an entry's code begins in its source. Fast for entries in the order of the
    /// source.
    async fn of(&mut self, entry: &Entry, pace: &Pace) -> usize {
        let (source, start) = (entry.source(), entry.code_start());
        if source.number != self.source || start < self.at {
            *self = Lines {
                source: source.number,
                ..Lines::default()
            };
        }
        for chunk in source.text.as_bytes()[self.at..start].chunks(1 << 16) {
            self.line += chunk.iter().filter(|byte| **byte == b'\n').count();
            if pace.is_over(chunk.len() / 64) {
                pace.rest().await;
            }
        }
        self.at = start;
        self.line + 1
    }
}
