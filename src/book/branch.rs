//! The book as it was, the book with the changes of a draft, and what leads from one to another.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use hornbook_base::Pace;

use super::journal::{KnownChange, Revision};
use super::{Book, CellChange, Effect, Entry, EntryId, Numbers, Operation, Predicate, Source};

/// What a branch counts up and down from: its new entries stand after, or before, all that the book adds
/// meanwhile, and its sources are none of the book's.
pub const BRANCH: Numbers = Numbers {
    last: 1 << 40,
    first: -(1 << 40),
    source: 1 << 31,
};

/// A source as a step has it, and with the number that it gets.
type Given = (Rc<Source>, Rc<Source>);

/// The sources that the steps of a draft bring. Two steps may have given one number to different sources: one was made
/// while the other was in the book or did not apply. Each source gets a number of its own.
#[derive(Default)]
pub struct Brought {
    /// By the numbers that steps give.
    given: BTreeMap<u32, Vec<Given>>,
}

impl Brought {
    /// What a step adds, with the numbers that its sources get.
    pub async fn numbered(&mut self, added: Vec<(EntryId, Entry)>, pace: &Pace) -> Vec<(EntryId, Entry)> {
        let mut numbered = Vec::with_capacity(added.len());
        let mut last: Option<Given> = None;
        for (id, entry) in added {
            let source = entry.source();
            if source.number <= BRANCH.source {
                numbered.push((id, entry));
            } else {
                let same = last.take().filter(|(written, _)| Rc::ptr_eq(written, source));
                let (written, given) = same.unwrap_or_else(|| (source.clone(), self.given(source)));
                numbered.push((id, entry.in_source(given.clone())));
                last = Some((written, given));
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        numbered
    }

    fn given(&mut self, source: &Rc<Source>) -> Rc<Source> {
        let next = self.last() + 1;
        let others = self.given.entry(source.number).or_default();
        if let Some((_, given)) = others.iter().find(|(written, _)| written == source) {
            return given.clone();
        }
        if others.is_empty() {
            others.push((source.clone(), source.clone()));
            return source.clone();
        }
        let given = Rc::new(source.numbered(next));
        others.push((source.clone(), given.clone()));
        // Later steps have it with this number.
        self.given.insert(next, vec![(given.clone(), given.clone())]);
        given
    }

    /// The highest number of a source.
    pub fn last(&self) -> u32 {
        self.given
            .last_key_value()
            .map_or(BRANCH.source, |(last, _)| *last)
    }

    /// Whether a source of the book of the draft is one of those to which a step gives these numbers.
    pub fn is_among(&self, source: &Source, written: &[u32]) -> bool {
        let is_it = |(_, given): &Given| given.number == source.number;
        let is_given = |number: &u32| self.given.get(number).is_some_and(|all| all.iter().any(is_it));
        written.contains(&source.number) || written.iter().any(is_given)
    }
}

impl Book {
    /// The book for changes that are not in it: what they add has numbers of its own, from [`BRANCH`] on.
    pub fn branch(&self) -> Book {
        let Numbers { last, first, source } = BRANCH;
        Book {
            last,
            first,
            last_source: source,
            ..self.clone()
        }
    }

    /// Give none of these numbers again.
    pub fn reserve(&mut self, given: Numbers) {
        self.last = self.last.max(given.last);
        self.first = self.first.min(given.first);
        self.last_source = self.last_source.max(given.source);
    }

    /// Give none of the places and ids of what a revision adds again: it may be in the book without being known here.
    pub fn reserve_for(&mut self, revision: &Revision) {
        for (id, entry) in &revision.added {
            self.use_up(&entry.spot(*id), entry);
        }
    }

    /// Take over the history of another book, and continue it with the revisions of this one that have these numbers.
    /// Returns the numbers that they have then.
    pub fn continue_history(&mut self, of: &Book, numbers: &[u64]) -> Vec<u64> {
        let position = |number: &u64| self.journal.get(number.checked_sub(self.forgotten + 1)? as usize);
        let own: Vec<Rc<Revision>> = numbers.iter().filter_map(position).cloned().collect();
        self.journal.clone_from(&of.journal);
        self.forgotten = of.forgotten;
        self.undoable.clone_from(&of.undoable);
        self.redoable.clone_from(&of.redoable);
        let mut renumbered: BTreeMap<u64, u64> = BTreeMap::new();
        for (number, revision) in numbers.iter().zip(own) {
            let now = |number: &u64| renumbered.get(number).copied();
            let operation = match &revision.operation {
                Operation::Undo(of) => now(of).map(Operation::Undo),
                Operation::Redo(of) => now(of).map(Operation::Redo),
                _ => None,
            };
            let revision = match operation {
                Some(operation) => Rc::new(Revision {
                    operation,
                    ..Revision::clone(&revision)
                }),
                None => revision,
            };
            self.write(revision);
            renumbered.insert(*number, self.revision());
        }
        renumbered.into_values().collect()
    }

    /// The book as it was after the revision with this number; `None` if there is none, or later changes are no
    /// longer kept.
    pub async fn as_of(&self, number: u64, pace: &Pace) -> Option<Book> {
        let kept = usize::try_from(number.checked_sub(self.forgotten())?).ok()?;
        let later = self.journal().get(kept..)?;
        let mut book = self.clone();
        for revision in later.iter().rev() {
            book.take_back(revision, pace).await;
        }
        let journal = std::mem::take(&mut book.journal);
        (book.undoable, book.redoable) = Default::default();
        for revision in journal.iter().take(kept) {
            book.write(revision.clone());
        }
        Some(book)
    }

    /// What this book had after the revision `to`, made of `then`, what it had after the revision `from`: entries,
    /// predicates and cells, without a history. The revisions between the two must be kept.
    pub async fn contents_after(&self, to: u64, (from, then): (u64, Book), pace: &Pace) -> Book {
        let mut book = Book {
            journal: Rc::default(),
            undoable: Rc::default(),
            redoable: Rc::default(),
            ..then
        };
        for number in from + 1..=to {
            if let Some(revision) = self.get_revision(number) {
                book.carry_out(revision, pace).await;
            }
        }
        for number in (to + 1..=from).rev() {
            if let Some(revision) = self.get_revision(number) {
                book.take_back(revision, pace).await;
            }
        }
        book
    }

    /// Reverse a revision, the last that was carried out, and leave the history as it is.
    async fn take_back(&mut self, revision: &Revision, pace: &Pace) {
        let mut effect = Effect::default();
        for (id, _) in &revision.added {
            self.take_out(*id, &mut effect);
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        for change in &revision.known {
            if let Some(standing) = self.predicates.get_mut(&change.predicate) {
                standing.known = change.before;
            }
        }
        for (id, entry) in &revision.removed {
            self.enter(*id, entry.clone(), &mut effect);
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        for change in &revision.cells {
            let CellChange {
                room,
                key,
                before,
                after,
            } = change.clone();
            let back = CellChange {
                room,
                key,
                before: after,
                after: before,
            };
            self.cells.apply(&back, false);
        }
    }

    /// What leads from this book to another, as a revision of the operation given. `touched` are the revisions
    /// that one of the two has and the other has not.
    pub async fn difference<'a>(
        &self,
        to: &Book,
        operation: Operation,
        at_ms: u64,
        touched: impl Iterator<Item = &'a Revision>,
        pace: &Pace,
    ) -> Revision {
        let mut ids: BTreeSet<EntryId> = BTreeSet::new();
        let mut predicates: BTreeSet<Rc<Predicate>> = BTreeSet::new();
        let mut cells: BTreeSet<(Rc<str>, Rc<str>)> = BTreeSet::new();
        for revision in touched {
            for (id, entry) in revision.removed.iter().chain(&revision.added) {
                ids.insert(*id);
                predicates.insert(entry.predicate().clone());
                if pace.is_over(1) {
                    pace.rest().await;
                }
            }
            predicates.extend(revision.known.iter().map(|change| change.predicate.clone()));
            cells.extend(
                revision
                    .cells
                    .iter()
                    .map(|change| (change.room.clone(), change.key.clone())),
            );
        }
        let mut removed: Vec<(EntryId, Entry)> = Vec::new();
        let mut added: Vec<(EntryId, Entry)> = Vec::new();
        for id in ids {
            let (before, after) = (self.get(id), to.get(id));
            if before != after {
                removed.extend(before.map(|entry| (id, entry.clone())));
                added.extend(after.map(|entry| (id, entry.clone())));
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        added.sort_by_key(|(id, entry)| entry.spot(*id));
        let added = self.with_gone(added, to);
        let known = |predicate: Rc<Predicate>| {
            let (before, after) = (self.standing(&predicate).known, to.standing(&predicate).known);
            (before != after).then_some(KnownChange {
                predicate,
                before,
                after,
            })
        };
        let cell = |(room, key): (Rc<str>, Rc<str>)| {
            let before = self.cell(&room, &key).map(Rc::from);
            let after = to.cell(&room, &key).map(Rc::from);
            (before != after).then_some(CellChange {
                room,
                key,
                before,
                after,
            })
        };
        Revision {
            operation,
            stamp: super::Stamp { at_ms, by: None },
            removed,
            added,
            known: predicates.into_iter().filter_map(known).collect(),
            cells: cells.into_iter().filter_map(cell).collect(),
        }
    }

    /// Entries of another book, whose files that this one lacks say what that book has retracted from them.
    fn with_gone(&self, added: Vec<(EntryId, Entry)>, of: &Book) -> Vec<(EntryId, Entry)> {
        let mut sources: BTreeMap<u32, Option<Rc<Source>>> = BTreeMap::new();
        let told = |source: &Rc<Source>| {
            let gone = match self.source(source.number) {
                Some(_) => Vec::new(),
                None => of.gone_in(source.number),
            };
            (gone != source.gone).then(|| {
                Rc::new(Source {
                    gone,
                    ..source.numbered(source.number)
                })
            })
        };
        let with_gone = |(id, entry): (EntryId, Entry)| {
            let source = entry.source();
            let told = sources.entry(source.number).or_insert_with(|| told(source));
            match told.clone() {
                Some(told) => (id, entry.in_source(told)),
                None => (id, entry),
            }
        };
        added.into_iter().map(with_gone).collect()
    }
}
