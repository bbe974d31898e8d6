//! What reverses an operation, so that the book is as if it had never been done, or what later operation rules that out.

use std::collections::{BTreeMap, BTreeSet};

use hornbook_base::{Pace, cut};

use super::cells::{Cell, CellChange, DRAFTS};
use super::journal::{Delta, Known, KnownChange, Operation, Revision, original};
use super::{Book, EMPTIED, Entry, EntryId, Predicate, SourceUse, workflow_room};

/// How many characters of a clause a message shows.
const SHOWN: usize = 80;

/// Why an operation is not reversed: a later one depends on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Superseded {
    /// What has become of something that it changed; part of a sentence.
    pub what: String,
    /// The last revision that did so, if it is kept.
    pub by: Option<u64>,
}

impl Book {
    /// What undoes a revision on which later ones may depend.
    pub(super) async fn taking_back(
        &self,
        number: u64,
        revision: &Revision,
        pace: &Pace,
    ) -> Result<Delta, Superseded> {
        let mut delta = revision.reversed(pace).await;
        delta.cells.retain(|cell| !self.has_others_with(cell, revision));
        if number == self.revision() {
            return Ok(delta);
        }
        let went = ids(&revision.removed, pace).await;
        self.still_has(number, revision, &went, pace).await?;
        let came = ids(&revision.added, pace).await;
        delta.added = self
            .coming_back(number, delta.added, revision, &came, pace)
            .await?;
        for change in &revision.cells {
            if self.cell(&change.room, &change.key) != change.after.as_deref() {
                let what = match &*change.room {
                    DRAFTS => "the draft",
                    _ => &*change.key,
                };
                let is_same = |it: &CellChange| (&it.room, &it.key) == (&change.room, &change.key);
                return Err(Superseded {
                    what: format!("{what} was changed since"),
                    by: self.last_since(number, |later| later.cells.iter().any(is_same)),
                });
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

    /// Fails unless the book still has what the revision brought, apart from what it only kept, and each file still has the
    /// text that it brought.
    async fn still_has(
        &self,
        number: u64,
        revision: &Revision,
        went: &BTreeSet<EntryId>,
        pace: &Pace,
    ) -> Result<(), Superseded> {
        let mut source = None;
        for (id, entry) in &revision.added {
            if pace.is_over(1) {
                pace.rest().await;
            }
            if !went.contains(id) && self.get(*id).is_none() {
                return Err(self.removed_since(number, *id, entry));
            }
            let of = entry.source().number;
            if source.replace(of) != Some(of)
                && let Some(name) = entry.source().origin.file()
                && self.file(name).is_none_or(|used| used.source.number != of)
            {
                let takes = |later: &Revision| later.removed.iter().any(|(_, it)| it.source().number == of);
                return Err(Superseded {
                    what: format!("{name} was changed since"),
                    by: self.last_since(number, takes),
                });
            }
        }
        Ok(())
    }

    /// Why an entry does not come back to a file of which nothing is left: an operation that stands took the rest with
    /// another text, or with the file.
    fn left_since(&self, number: u64, entry: &Entry) -> Option<Superseded> {
        let name = entry.source().origin.file()?;
        if self.file(name).is_some() {
            return None;
        }
        let is_retracted = self.cell(EMPTIED, name).is_some();
        let stands = self.done_at(self.revision());
        let takes = |(_, it): &(EntryId, Entry)| {
            it.source().origin.file() == Some(name)
                && !(is_retracted && it.source().number == entry.source().number)
        };
        let mut later = (number + 1..=self.revision()).rev();
        let by = later.find(|number| {
            self.get_revision(*number).is_some_and(|later| {
                !matches!(later.operation, Operation::Undo(_))
                    && stands.contains(&original(*number, later))
                    && later.removed.iter().any(takes)
            })
        })?;
        Some(Superseded {
            what: format!("{name} was changed since"),
            by: Some(by),
        })
    }

    fn removed_since(&self, number: u64, id: EntryId, entry: &Entry) -> Superseded {
        let takes = |later: &Revision| later.removed.iter().any(|(gone, _)| *gone == id);
        Superseded {
            what: format!("`{}` was removed since", cut(entry.code(), SHOWN)),
            by: self.last_since(number, takes),
        }
    }

    /// The entries that a revision removed and that come back when it is reversed. Each file has one text: where it has
    /// another now, they come back as entries of that one.
    async fn coming_back(
        &self,
        number: u64,
        removed: Vec<(EntryId, Entry)>,
        revision: &Revision,
        came: &BTreeSet<EntryId>,
        pace: &Pace,
    ) -> Result<Vec<(EntryId, Entry)>, Superseded> {
        // How many entries the book has of each text with which the revision replaced one that now comes back.
        let mut made: BTreeMap<u32, usize> = BTreeMap::new();
        for (id, entry) in revision.added.iter().filter(|_| !removed.is_empty()) {
            let of = entry.source().number;
            let is_there = self.get(*id).is_some_and(|now| now.source().number == of);
            *made.entry(of).or_default() += usize::from(is_there);
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        let mut added = Vec::with_capacity(removed.len());
        // The first of the entries of each text of a file that do not come back, and the texts of which some do.
        let mut missing: BTreeMap<u32, (EntryId, Entry)> = BTreeMap::new();
        let mut returns: BTreeSet<u32> = BTreeSet::new();
        // The entries of files that have another text now, by the number of that.
        let mut moved: BTreeMap<u32, (&str, BTreeSet<EntryId>)> = BTreeMap::new();
        for (id, entry) in removed {
            if pace.is_over(1) {
                pace.rest().await;
            }
            // An entry that it kept, but that has been removed since, stays removed.
            if came.contains(&id) && self.get(id).is_none() {
                if entry.source().origin.file().is_some() {
                    missing.entry(entry.source().number).or_insert((id, entry));
                }
                continue;
            }
            // A redo brings a file with its text, whatever became of it before.
            if returns.insert(entry.source().number)
                && !matches!(revision.operation, Operation::Undo(_))
                && let Some(superseded) = self.left_since(number, &entry)
            {
                return Err(superseded);
            }
            let used = entry.source().origin.file().and_then(|name| self.file(name));
            let leaves = |used: &SourceUse| made.get(&used.source.number) == Some(&used.entries);
            let used = used.filter(|used| used.source.number != entry.source().number && !leaves(used));
            match used.and_then(|used| Some((used.source.number, used.source.origin.file()?))) {
                None => added.push((id, entry)),
                Some((source, name)) => {
                    moved
                        .entry(source)
                        .or_insert((name, BTreeSet::new()))
                        .1
                        .insert(id);
                }
            }
        }
        // If nothing of a text comes back, it would be forgotten that the file has this one and not the later.
        if let Some((_, (id, entry))) = missing.iter().find(|(source, _)| !returns.contains(source)) {
            return Err(self.removed_since(number, *id, entry));
        }
        for (source, (name, ids)) in moved {
            let found = self.as_in(source, &ids, pace).await;
            if found.len() < ids.len() || made.contains_key(&source) {
                let reads = |later: &Revision| later.added.iter().any(|(_, it)| it.source().number == source);
                return Err(Superseded {
                    what: format!("{name} was changed since"),
                    by: self.last_since(number, reads),
                });
            }
            added.extend(found);
        }
        Ok(added)
    }

    /// The entries with these ids as they were in a source, as far as the history tells.
    async fn as_in(&self, source: u32, ids: &BTreeSet<EntryId>, pace: &Pace) -> BTreeMap<EntryId, Entry> {
        let mut found = BTreeMap::new();
        for revision in self.journal.iter().rev() {
            for (id, entry) in revision.added.iter().chain(&revision.removed) {
                if entry.source().number == source && ids.contains(id) {
                    found.entry(*id).or_insert_with(|| entry.clone());
                }
                if pace.is_over(1) {
                    pace.rest().await;
                }
            }
            if found.len() == ids.len() {
                break;
            }
        }
        found
    }

    /// The last revision after this one of which that is true.
    fn last_since(&self, number: u64, is_it: impl Fn(&Revision) -> bool) -> Option<u64> {
        let mut later = (number + 1..=self.revision()).rev();
        later.find(|number| self.get_revision(*number).is_some_and(&is_it))
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
}

async fn ids(entries: &[(EntryId, Entry)], pace: &Pace) -> BTreeSet<EntryId> {
    let mut ids = BTreeSet::new();
    for (id, _) in entries {
        ids.insert(*id);
        if pace.is_over(1) {
            pace.rest().await;
        }
    }
    ids
}
