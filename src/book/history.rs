//! The history: revisions by number, what can be undone and redone, and the text at earlier revisions.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use hornbook_base::{Pace, at_once};

use super::cells::{Cell, CellChange, DRAFTS};
use super::journal::{Delta, Known, KnownChange, Operation, Revision};
use super::rebase::Clash;
use super::{Book, Entry, EntryId, Origin, Predicate, SourceUse, Spot, workflow_room};

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

    /// What undoes the last operation not yet undone, among those that `of` selects. It clashes if a later
    /// operation has changed the same things.
    pub async fn next_undo(
        &self,
        of: impl Fn(u64, &Revision) -> bool,
        pace: &Pace,
    ) -> Result<Option<(Operation, Delta)>, Clash> {
        self.next(&self.undoable, of, Operation::Undo, pace).await
    }

    /// What redoes the operation undone last, among those that `of` selects; `None` if another operation has
    /// changed the book since.
    pub async fn next_redo(
        &self,
        of: impl Fn(u64, &Revision) -> bool,
        pace: &Pace,
    ) -> Result<Option<(Operation, Delta)>, Clash> {
        self.next(&self.redoable, of, Operation::Redo, pace).await
    }

    async fn next(
        &self,
        numbers: &[u64],
        of: impl Fn(u64, &Revision) -> bool,
        operation: fn(u64) -> Operation,
        pace: &Pace,
    ) -> Result<Option<(Operation, Delta)>, Clash> {
        let Some((number, revision)) = self.chosen(numbers, of).next() else {
            return Ok(None);
        };
        let delta = self.taking_back(number, revision, pace).await?;
        Ok(Some((operation(original(number, revision)), delta)))
    }

    /// What undoes a revision on which later ones may depend.
    async fn taking_back(&self, number: u64, revision: &Revision, pace: &Pace) -> Result<Delta, Clash> {
        let mut delta = revision.reversed(pace).await;
        delta.cells.retain(|cell| !self.has_others_with(cell, revision));
        if number == self.revision() {
            return Ok(delta);
        }
        // Ids and sources with which the revision replaced text that now comes back.
        let mut made = BTreeSet::new();
        let mut came = BTreeSet::new();
        for (id, entry) in revision.added.iter().filter(|_| !delta.added.is_empty()) {
            made.insert(entry.source().number);
            came.insert(*id);
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        let is_another = |used: &SourceUse, number| {
            let now = used.source.number;
            now != number && !made.contains(&now)
        };
        let mut source = None;
        let mut added = Vec::with_capacity(delta.added.len());
        for (id, entry) in delta.added {
            let number = entry.source().number;
            if source.replace(number) != Some(number)
                && let Origin::File(name) = &entry.source().origin
                && self.file(name).is_some_and(|used| is_another(used, number))
            {
                return Err(Clash(format!("{name} was imported since")));
            }
            // An entry that it kept, but that has been removed since, stays removed.
            if !came.contains(&id) || self.get(id).is_some() {
                added.push((id, entry));
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        delta.added = added;
        for change in &revision.cells {
            if self.cell(&change.room, &change.key) != change.after.as_deref() {
                let what = match &*change.room {
                    DRAFTS => "the draft",
                    _ => &*change.key,
                };
                return Err(Clash(format!("{what} was changed since")));
            }
        }
        // A predicate stays known while it has other clauses.
        let mut goes: BTreeMap<&Predicate, usize> = BTreeMap::new();
        for (_, entry) in delta.removed.iter().filter_map(|id| Some((id, self.get(*id)?))) {
            if entry.is_clause() {
                *goes.entry(entry.predicate()).or_default() += 1;
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        let stays = |change: &KnownChange| {
            let standing = self.standing(&change.predicate);
            let left = standing.clauses - goes.get(&*change.predicate).copied().unwrap_or(0);
            standing.known == change.after && (change.before != Known::No || left == 0)
        };
        let known = revision.known.iter().filter(|change| stays(change));
        delta.known = known
            .map(|change| (change.predicate.clone(), change.before))
            .collect();
        Ok(delta)
    }

    /// Whether this takes away a workflow's text, or a file of it, that came with a revision, while runs that began later
    /// have it, too: a text is stored once.
    fn has_others_with(&self, cell: &Cell, revision: &Revision) -> bool {
        if &*cell.room != workflow_room::ROOM || cell.value.is_some() {
            return false;
        }
        let Some(hash) = workflow_room::text_of(&cell.key) else {
            return false;
        };
        let goes = |key: &str| revision.cells.iter().any(|change| &*change.key == key);
        self.cells_from(workflow_room::ROOM, workflow_room::HEADERS)
            .any(|(key, header)| workflow_room::has_text(header, hash) && !goes(key))
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

/// The operation that an undo or redo refers to.
pub fn original(number: u64, revision: &Revision) -> u64 {
    match revision.operation {
        Operation::Undo(of) | Operation::Redo(of) => of,
        _ => number,
    }
}
