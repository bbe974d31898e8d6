//! Rebases a change that was planned for a book onto what others have done to it since.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use hornbook_base::Pace;

use super::{Book, Delta, EMPTIED, Entry, EntryId, Known, KnownChange, Origin, Predicate, Revision, Source};

/// The highest and lowest number of a place, and the highest number of a source, that a book has assigned so
/// far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Numbers {
    pub last: i64,
    pub first: i64,
    pub source: u32,
}

impl Numbers {
    /// Move an entry that was new when its book had assigned the numbers `before`, so that it follows a book
    /// that has assigned `self`.
    fn move_behind(self, before: Numbers, id: EntryId, entry: Entry) -> Entry {
        let spot = entry.spot(id);
        let by = match spot.at() {
            at if at > before.last => self.last - before.last,
            at if at < before.first => self.first - before.first,
            _ => return entry,
        };
        entry.placed(spot.moved_to(spot.at() + by).into_place())
    }
}

/// Why a change cannot be rebased; part of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clash(pub String);

impl Book {
    /// The change of `revision`, which was planned when the book had assigned the numbers `before`, for the
    /// book as it is now. Its new entries keep their ids and get the next places. It clashes if what it
    /// concerns has changed.
    pub async fn rebase(&mut self, revision: Revision, before: Numbers, pace: &Pace) -> Result<Delta, Clash> {
        self.clashes(&revision, pace).await?;
        let now = self.numbers();
        let mut sources: BTreeMap<u32, Rc<Source>> = BTreeMap::new();
        let mut added = Vec::with_capacity(revision.added.len());
        for (id, entry) in revision.added {
            if pace.is_over(1) {
                pace.rest().await;
            }
            let entry = now.move_behind(before, id, entry);
            let number = entry.source().number;
            if number <= before.source {
                added.push((id, entry));
                continue;
            }
            let source = sources.entry(number).or_insert_with(|| {
                self.last_source += 1;
                Rc::new(entry.source().numbered(self.last_source))
            });
            added.push((id, entry.in_source(source.clone())));
        }
        let known = revision.known.into_iter();
        let cells = revision.cells.iter();
        let delta = Delta {
            removed: revision.removed.into_iter().map(|(id, _)| id).collect(),
            added,
            known: known.map(|change| (change.predicate, change.after)).collect(),
            cells: cells.map(|change| change.repeated()).collect(),
        };
        Ok(delta)
    }

    /// Whether a predicate may become known so: it is not forgotten while it has clauses besides those that go.
    pub fn may_forget(&self, change: &KnownChange, goes: &BTreeMap<Rc<Predicate>, usize>) -> bool {
        let left = goes.get(&change.predicate).copied().unwrap_or(0);
        change.after != Known::No || self.standing(&change.predicate).clauses <= left
    }

    /// Fails if what a revision that was planned earlier concerns has changed since.
    pub async fn clashes(&self, revision: &Revision, pace: &Pace) -> Result<(), Clash> {
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
        for (id, entry) in &revision.added {
            let returns = || {
                revision
                    .removed
                    .binary_search_by_key(id, |(gone, _)| *gone)
                    .is_ok()
            };
            if self.get(*id).is_some() && !returns() {
                return Err(Clash(format!("id {id} is taken by another entry")));
            }
            if source.replace(entry.source().number) != Some(entry.source().number)
                && let Origin::File(name) = &entry.source().origin
                && let Some(there) = self.file(name)
                && !replaced.contains(&there.source.number)
                && there.source != *entry.source()
            {
                return Err(Clash(format!("{name} was imported since")));
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        let goes = going(&revision.removed, pace).await;
        let stays = |change: &&KnownChange| !self.may_forget(change, &goes);
        if let Some(change) = revision.known.iter().find(stays) {
            return Err(Clash(format!("{} has clauses", change.predicate)));
        }
        for change in &revision.cells {
            if self.cell(&change.room, &change.key) != change.before.as_deref() {
                return Err(Clash(match &*change.room {
                    EMPTIED => format!("{} was imported, unimported or emptied since", change.key),
                    _ => format!("{} has another value", change.key),
                }));
            }
        }
        Ok(())
    }
}

/// How many clauses of each predicate are among these entries.
pub async fn going(removed: &[(EntryId, Entry)], pace: &Pace) -> BTreeMap<Rc<Predicate>, usize> {
    let mut goes: BTreeMap<Rc<Predicate>, usize> = BTreeMap::new();
    for (_, entry) in removed.iter().filter(|(_, entry)| entry.is_clause()) {
        *goes.entry(entry.predicate().clone()).or_default() += 1;
        if pace.is_over(1) {
            pace.rest().await;
        }
    }
    goes
}
