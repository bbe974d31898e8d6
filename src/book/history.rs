//! The history: revisions by number, what can be undone and redone, and the text at earlier revisions.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use hornbook_base::{Pace, at_once};

use super::cells::CellChange;
use super::journal::{Delta, Operation, Revision, original};
use super::reversal::Superseded;
use super::{Book, Entry, EntryId, Spot, workflow_room};

/// Operations that are undone and redone together. The later records of a workflow run that change no clauses, which nobody
/// sees, go along with what was done before them, so that no step is empty. Only that a run goes on after it has waited
/// is a step of its own, unless what comes before it is of the same run.
pub struct Step {
    run: Option<String>,
    unseen: bool,
    continues: bool,
    undoes: bool,
}

impl Step {
    /// Whether the next operation belongs to it, too.
    pub fn takes(&self, next: &Step) -> bool {
        let (earlier, later) = if self.undoes { (next, self) } else { (self, next) };
        later.unseen && (!later.continues || later.run == earlier.run)
    }
}

impl Book {
    /// The number of the last revision: 0 if there is none.
    pub fn revision(&self) -> u64 {
        self.forgotten + self.journal.len() as u64
    }

    /// How many of the last revisions include this many that can be undone: at most `most`.
    pub fn revisions_with(&self, operations: usize, most: usize) -> usize {
        let mut left = operations;
        let mut takes = |revision: &&Rc<Revision>| {
            let counts = revision.operation.is_step();
            let is_wanted = left > 0;
            left -= usize::from(is_wanted && counts);
            is_wanted
        };
        let last = self.journal.iter().rev().take(most);
        last.take_while(|revision| takes(revision)).count()
    }

    /// Append an operation to the journal.
    pub(super) fn write(&mut self, revision: Rc<Revision>) {
        let number = self.revision() + 1;
        match &revision.operation {
            Operation::Undo(of) => {
                self.forget_reversible(*of, true);
                Rc::make_mut(&mut self.redoable).push(number);
            }
            Operation::Redo(of) => {
                self.forget_reversible(*of, false);
                Rc::make_mut(&mut self.undoable).push(number);
            }
            // Nothing of the book has changed; a draft undoes its own operations.
            operation if !operation.is_step() => {}
            operation => {
                let changed = !(revision.added.is_empty() && revision.removed.is_empty());
                if let (Operation::Initialization { directive, .. }, true) = (operation, changed) {
                    Rc::make_mut(&mut self.initialized).insert(*directive);
                }
                Rc::make_mut(&mut self.undoable).push(number);
                self.redoable = Rc::default();
            }
        }
        Rc::make_mut(&mut self.journal).push(revision);
    }

    /// The operation of this revision can no longer be undone, or redone.
    fn forget_reversible(&mut self, of: u64, undo: bool) {
        let numbers = if undo { &self.undoable } else { &self.redoable };
        let is_of = |number: &u64| {
            self.get_revision(*number)
                .is_some_and(|it| original(*number, it) == of)
        };
        let Some(position) = numbers.iter().rposition(is_of) else {
            return;
        };
        let numbers = if undo {
            &mut self.undoable
        } else {
            &mut self.redoable
        };
        Rc::make_mut(numbers).remove(position);
    }

    /// A revision by its number; `None` if it does not exist or is no longer kept.
    pub fn get_revision(&self, number: u64) -> Option<&Revision> {
        self.journal
            .get(self.position(number)?.checked_sub(1)?)
            .map(|revision| &**revision)
    }

    /// How many of the kept revisions lead up to this one.
    fn position(&self, number: u64) -> Option<usize> {
        usize::try_from(number.checked_sub(self.forgotten)?).ok()
    }

    /// How many steps can be undone and how many redone, among the operations that `of` selects.
    pub fn reversible(&self, of: impl Fn(u64, &Revision) -> bool) -> (usize, usize) {
        let count = |numbers: &[u64], undoes: bool| {
            let mut steps: Vec<Step> = Vec::new();
            for (number, revision) in self.chosen(numbers, &of) {
                let next = self.step(number, revision, undoes);
                match steps.last_mut() {
                    Some(step) if step.takes(&next) => *step = next,
                    _ => steps.push(next),
                }
            }
            steps.len()
        };
        (count(&self.undoable, true), count(&self.redoable, false))
    }

    /// What the next undo takes back, among the operations that `of` selects.
    pub fn undo_step(&self, of: impl Fn(u64, &Revision) -> bool) -> Option<Step> {
        let (number, revision) = self.chosen(&self.undoable, of).next()?;
        Some(self.step(number, revision, true))
    }

    /// What the next redo brings back.
    pub fn redo_step(&self, of: impl Fn(u64, &Revision) -> bool) -> Option<Step> {
        let (number, revision) = self.chosen(&self.redoable, of).next()?;
        Some(self.step(number, revision, false))
    }

    fn step(&self, number: u64, revision: &Revision, undoes: bool) -> Step {
        let operation = self.get_revision(original(number, revision));
        let begun =
            |change: &CellChange| change.key.starts_with(workflow_room::HEADERS) && change.before.is_none();
        let begins = operation.is_some_and(|operation| operation.cells.iter().any(begun));
        let changes = !(revision.added.is_empty() && revision.removed.is_empty());
        let action = match operation.map(|revision| &revision.operation) {
            Some(Operation::Cells { room, action }) if &**room == workflow_room::ROOM => &**action,
            _ => "",
        };
        let run = action.split_once(": ").map(|(run, _)| run.to_owned());
        Step {
            unseen: run.is_some() && !changes && !begins,
            continues: workflow_room::goes_on(action),
            run,
            undoes,
        }
    }

    /// The operations that had been done at a revision, and not undone, as far as they are kept: the numbers of them. A
    /// redo leaves an operation the one that it was.
    pub fn done_at(&self, number: u64) -> BTreeSet<u64> {
        let now = self.chosen(&self.undoable, |_, _| true);
        let mut done: BTreeSet<u64> = now.map(|(number, revision)| original(number, revision)).collect();
        for later in (number + 1..=self.revision()).rev() {
            match self.get_revision(later).map(|revision| &revision.operation) {
                Some(Operation::Undo(of)) => done.insert(*of),
                Some(Operation::Redo(of)) => done.remove(of),
                _ => done.remove(&later),
            };
        }
        done
    }

    /// The savepoints that are kept: each name with the number of its last revision.
    pub fn savepoints(&self) -> BTreeMap<&str, u64> {
        let numbered = (self.forgotten + 1..).zip(self.journal.iter());
        let named = numbered.filter_map(|(number, revision)| Some((revision.operation.savepoint()?, number)));
        named.collect()
    }

    fn chosen<'a>(
        &'a self,
        numbers: &'a [u64],
        of: impl Fn(u64, &Revision) -> bool + 'a,
    ) -> impl Iterator<Item = (u64, &'a Revision)> + 'a {
        let found = numbers.iter().rev();
        let found = found.filter_map(|number| Some((*number, self.get_revision(*number)?)));
        found.filter(move |(number, revision)| of(*number, revision))
    }

    /// What undoes the last operation not yet undone, among those that `of` selects. It fails if a later
    /// operation depends on that one.
    pub async fn next_undo(
        &self,
        of: impl Fn(u64, &Revision) -> bool,
        pace: &Pace,
    ) -> Result<Option<(Operation, Delta)>, Superseded> {
        self.next(&self.undoable, of, Operation::Undo, pace).await
    }

    /// What redoes the operation undone last, among those that `of` selects; `None` if another operation has
    /// changed the book since.
    pub async fn next_redo(
        &self,
        of: impl Fn(u64, &Revision) -> bool,
        pace: &Pace,
    ) -> Result<Option<(Operation, Delta)>, Superseded> {
        self.next(&self.redoable, of, Operation::Redo, pace).await
    }

    async fn next(
        &self,
        numbers: &[u64],
        of: impl Fn(u64, &Revision) -> bool,
        operation: fn(u64) -> Operation,
        pace: &Pace,
    ) -> Result<Option<(Operation, Delta)>, Superseded> {
        let Some((number, revision)) = self.chosen(numbers, of).next() else {
            return Ok(None);
        };
        let delta = self.taking_back(number, revision, pace).await?;
        Ok(Some((operation(original(number, revision)), delta)))
    }

    /// The snapshot as of a revision; `None` if there is no such revision, or changes made since are no
    /// longer kept.
    pub fn snapshot_at(&self, number: u64) -> Option<String> {
        let pace = Pace::unbroken();
        let entries = at_once(self.entries_at(number, &pace))?;
        Some(at_once(self.text_of(entries.into_iter(), self.bytes(), &pace)))
    }

    /// The entries after an earlier revision, in order.
    pub(super) async fn entries_at(&self, number: u64, pace: &Pace) -> Option<Vec<(EntryId, &Entry)>> {
        let later = self.journal.get(self.position(number)?..)?;
        // What differed then: an entry that existed, or `None` for one that did not.
        let mut then: BTreeMap<Spot, Option<&Entry>> = BTreeMap::new();
        for revision in later.iter().rev() {
            let added = revision.added.iter().map(|(id, entry)| (entry.spot(*id), None));
            let removed = revision.removed.iter();
            let removed = removed.map(|(id, entry)| (entry.spot(*id), Some(entry)));
            for (spot, entry) in added.chain(removed) {
                then.insert(spot, entry);
                if pace.is_over(1) {
                    pace.rest().await;
                }
            }
        }
        let mut changed = then.into_iter().peekable();
        let mut entries: Vec<(EntryId, &Entry)> = Vec::with_capacity(self.len());
        for (spot, entry) in self.entries.iter() {
            while let Some((before, was)) = changed.next_if(|(changed, _)| changed < spot) {
                entries.extend(was.map(|was| (before.id, was)));
            }
            match changed.next_if(|(changed, _)| changed == spot) {
                Some((_, was)) => entries.extend(was.map(|was| (spot.id, was))),
                None => entries.push((spot.id, entry)),
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        for (spot, was) in changed {
            entries.extend(was.map(|was| (spot.id, was)));
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        Some(entries)
    }
}
