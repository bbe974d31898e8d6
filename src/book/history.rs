//! What was done: revisions by their numbers, what can be undone and redone, the text as it was.

use std::collections::BTreeMap;
use std::rc::Rc;

use hornbook_base::{Pace, at_once};

use super::journal::{Delta, Operation, Revision};
use super::{Book, Entry, EntryId};

impl Book {
    /// The number of the last revision: 0 of a book with which nothing was done.
    pub fn revision(&self) -> u64 {
        self.forgotten + self.journal.len() as u64
    }

    /// Write an operation into the journal.
    pub(super) fn write(&mut self, revision: Rc<Revision>) {
        let number = self.revision() + 1;
        match &revision.operation {
            Operation::Undo(_) => {
                self.undoable.pop();
                self.redoable.push(number);
            }
            Operation::Redo(_) => {
                self.redoable.pop();
                self.undoable.push(number);
            }
            operation => {
                let changed = !(revision.added.is_empty() && revision.removed.is_empty());
                if let (Operation::Initialization { directive, .. }, true) = (operation, changed) {
                    Rc::make_mut(&mut self.initialized).insert(*directive);
                }
                self.undoable.push(number);
                self.redoable.clear();
            }
        }
        self.journal.push(revision);
    }

    /// A revision by its number; `None` where there is none, or it is not kept any more.
    pub fn get_revision(&self, number: u64) -> Option<&Revision> {
        self.journal
            .get(self.position(number)?.checked_sub(1)?)
            .map(|revision| &**revision)
    }

    /// How many of the revisions that are kept there were at this one.
    fn position(&self, number: u64) -> Option<usize> {
        usize::try_from(number.checked_sub(self.forgotten)?).ok()
    }

    /// How many operations can be undone, and how many redone.
    pub fn reversible(&self) -> (usize, usize) {
        (self.undoable.len(), self.redoable.len())
    }

    /// What takes the last operation back that was not taken back yet.
    pub fn next_undo(&self) -> Option<(Operation, Delta)> {
        let number = *self.undoable.last()?;
        let revision = self.get_revision(number)?;
        Some((Operation::Undo(original(number, revision)), revision.reversed()))
    }

    /// What does the operation again that was taken back last; `None` when another has changed the book since.
    pub fn next_redo(&self) -> Option<(Operation, Delta)> {
        let number = *self.redoable.last()?;
        let revision = self.get_revision(number)?;
        Some((Operation::Redo(original(number, revision)), revision.reversed()))
    }

    /// The snapshot as it was after a revision; `None` where there is no such revision, or what was done
    /// since then is not kept any more.
    pub fn snapshot_at(&self, number: u64) -> Option<String> {
        at_once(self.snapshot_at_in_slices(number, &Pace::unbroken()))
    }

    /// The same for books of any size.
    pub async fn snapshot_at_in_slices(&self, number: u64, pace: &Pace) -> Option<String> {
        let later = self.journal.get(self.position(number)?..)?;
        // What was another way then: an entry that was there, or `None` for one that was not.
        let mut then: BTreeMap<EntryId, Option<&Entry>> = BTreeMap::new();
        for revision in later.iter().rev() {
            let added = revision.added.iter().map(|(id, _)| (*id, None));
            let removed = revision.removed.iter().map(|(id, entry)| (*id, Some(entry)));
            for (id, entry) in added.chain(removed) {
                then.insert(id, entry);
                if pace.is_over(1) {
                    pace.rest().await;
                }
            }
        }
        let mut changed = then.into_iter().peekable();
        let mut entries: Vec<(EntryId, &Entry)> = Vec::with_capacity(self.len());
        for (id, entry) in self.entries() {
            while let Some((before, was)) = changed.next_if(|(changed, _)| *changed < id) {
                entries.extend(was.map(|was| (before, was)));
            }
            match changed.next_if(|(changed, _)| *changed == id) {
                Some((_, was)) => entries.extend(was.map(|was| (id, was))),
                None => entries.push((id, entry)),
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        for (id, was) in changed {
            entries.extend(was.map(|was| (id, was)));
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        Some(self.text_of(entries.into_iter(), pace).await)
    }
}

/// The operation that an undo or a redo is about.
fn original(number: u64, revision: &Revision) -> u64 {
    match revision.operation {
        Operation::Undo(of) | Operation::Redo(of) => of,
        _ => number,
    }
}
