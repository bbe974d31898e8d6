//! A change that was planned for a book is moved behind what others have done to it since.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use hornbook_base::Pace;

use super::{Book, Delta, Entry, EntryId, Known, Origin, Revision, Source};

/// The highest and the lowest id, and the highest number of a source, that a book has given so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Numbers {
    pub last: i64,
    pub first: i64,
    pub source: u32,
}

/// By how much the ids of new entries were moved: those at the end, and those at the front.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Shift {
    before: Numbers,
    last: i64,
    first: i64,
}

impl Shift {
    /// With another one after it.
    pub fn then(self, later: Shift) -> Shift {
        if self == Shift::default() {
            return later;
        }
        Shift {
            before: self.before,
            last: self.last + later.last,
            first: self.first + later.first,
        }
    }

    /// The id that an entry has now.
    pub fn of(&self, id: EntryId) -> EntryId {
        match id.0 {
            at if at > self.before.last => EntryId(at + self.last),
            at if at < self.before.first => EntryId(at + self.first),
            at => EntryId(at),
        }
    }
}

/// Why a change cannot be moved; a part of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clash(pub String);

impl Book {
    /// The change that `revision` was planned to be when the book had given the numbers `before`, for the book as it is
    /// now. Its new entries get the next ids. It clashes where what it was about is another way now.
    pub async fn rebase(
        &mut self,
        revision: Revision,
        before: Numbers,
        pace: &Pace,
    ) -> Result<(Delta, Shift), Clash> {
        self.check_clash(&revision, before, pace).await?;
        let now = self.numbers();
        let shift = Shift {
            before,
            last: now.last - before.last,
            first: now.first - before.first,
        };
        let mut sources: BTreeMap<u32, Rc<Source>> = BTreeMap::new();
        let mut added = Vec::with_capacity(revision.added.len());
        for (id, entry) in revision.added {
            if pace.is_over(1) {
                pace.rest().await;
            }
            let number = entry.source().number;
            if number <= before.source {
                added.push((shift.of(id), entry));
                continue;
            }
            let source = sources.entry(number).or_insert_with(|| {
                self.last_source += 1;
                Rc::new(entry.source().numbered(self.last_source))
            });
            let span = entry.span();
            let (start, end) = (span.start as u32, span.end as u32);
            let moved = Entry::of_source(
                source.clone(),
                start,
                end,
                entry.predicate().clone(),
                entry.kind(),
            );
            added.push((shift.of(id), moved.expect("it is a part of the same text")));
        }
        let known = revision.known.into_iter();
        let cells = revision.cells.iter();
        let delta = Delta {
            removed: revision.removed.into_iter().map(|(id, _)| id).collect(),
            added,
            known: known.map(|change| (change.predicate, change.after)).collect(),
            cells: cells.map(|change| change.repeated()).collect(),
        };
        Ok((delta, shift))
    }

    async fn check_clash(&self, revision: &Revision, before: Numbers, pace: &Pace) -> Result<(), Clash> {
        for (id, entry) in &revision.removed {
            if self.get(*id).is_none() {
                return Err(Clash(format!("`{}` is gone", entry.code())));
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        let mut replaced = BTreeSet::new();
        for (_, entry) in &revision.removed {
            replaced.insert(entry.source().number);
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        let mut source = None;
        for (_, entry) in &revision.added {
            if source.replace(entry.source().number) != Some(entry.source().number)
                && let Origin::File(name) = &entry.source().origin
                && let Some(there) = self.file(name)
                && !replaced.contains(&there.source.number)
            {
                return Err(Clash(format!("{name} was imported by it")));
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        for change in revision.known.iter().filter(|change| change.after == Known::No) {
            let name = &change.predicate;
            let new = self.entries_after(Some(EntryId(before.last)));
            let front = self.entries().take_while(|(id, _)| id.0 < before.first);
            if new.chain(front).any(|(_, entry)| entry.predicate() == name) {
                return Err(Clash(format!("{name} has clauses")));
            }
        }
        for change in &revision.cells {
            if self.cell(&change.room, &change.key) != change.before.as_deref() {
                return Err(Clash(format!("{} has another value", change.key)));
            }
        }
        Ok(())
    }
}
