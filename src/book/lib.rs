//! The book: clauses as they were written, in order, with their origins. It is the truth; an engine holds a
//! projection of it.

mod aside;
mod batch;
mod branch;
mod cells;
mod characters;
mod compared;
mod diff;
mod emptied;
mod entry;
mod history;
mod journal;
mod leaves;
pub mod lexer;
mod modules;
mod pattern;
mod place;
mod provenance;
mod put;
mod rebase;
mod restore;
mod reversal;
mod rewritten;
mod rights;
mod snapshot;
mod sources;
#[cfg(test)]
mod tests;
pub mod text;
pub mod workflow_room;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::BitOr;
use std::rc::Rc;

use hornbook_base::{Pace, at_once};

pub use batch::{Batch, Run, runs};
pub use branch::{BRANCH, Brought};
pub use cells::{Cell, CellChange, DRAFTS};
pub use compared::Compared;
pub use diff::{LineDiff, diff};
pub use emptied::{EMPTIED, Emptied};
pub use entry::{Draft, Entry, Kind, Lines, Origin, Piece, Source, Stood, TO_NO_MODULE, code_at};
pub use history::Step;
pub use journal::{Author, Delta, Known, KnownChange, Operation, Revision, Stamp, original};
pub use modules::{Header, TextModule};
pub use pattern::{Pattern, qualified};
pub use place::{EntryId, Ids, Place, Spot};
pub use provenance::{Provenance, Trace};
pub use put::Put;
pub use rebase::{Clash, Numbers, going};
pub use restore::Whole;
pub use reversal::Superseded;
pub use rights::doubtful_right;
pub use sources::{Gone, GoneSpan, SourceUse};

use cells::Cells;
use leaves::Leaves;
use sources::Sources;

/// A predicate indicator, `name/arity`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
pub struct Predicate {
    pub name: String,
    pub arity: u32,
}

impl fmt::Display for Predicate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.name, self.arity)
    }
}

/// What a revision changed, for listeners.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Effect {
    pub clauses: bool,
    /// Predicates were added or removed.
    pub symbols: bool,
    pub cells: bool,
}

impl BitOr for Effect {
    type Output = Effect;

    fn bitor(self, other: Effect) -> Effect {
        Effect {
            clauses: self.clauses || other.clauses,
            symbols: self.symbols || other.symbols,
            cells: self.cells || other.cells,
        }
    }
}

/// What the book knows about a predicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Standing {
    pub clauses: usize,
    pub known: Known,
}

/// Entries in order, and the journal of what was done to them. A book is a value: copies are cheap, and
/// changing one does not affect readers of another.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Book {
    entries: Leaves<Spot, Entry>,
    /// The places of entries that are not where their ids imply.
    elsewhere: Leaves<EntryId, Rc<Place>>,
    /// Clauses that turned out to be of another predicate, and the one that they were recorded with.
    renamed: Leaves<EntryId, Rc<Predicate>>,
    /// Entries that declare predicates, or table them.
    making_known: Leaves<EntryId, ()>,
    /// Entries that are constraints.
    constraints: Leaves<EntryId, ()>,
    /// Entries that say who may change what.
    rights: Leaves<EntryId, ()>,
    /// Every predicate that was ever known.
    predicates: Leaves<Rc<Predicate>, Standing>,
    sources: Sources,
    cells: Cells,
    /// The kept revisions, which follow `forgotten` older ones. Copies of the book share them.
    journal: Rc<Vec<Rc<Revision>>>,
    forgotten: u64,
    /// The revisions that the next undos, or redos, reverse; the next one is last.
    undoable: Rc<Vec<u64>>,
    redoable: Rc<Vec<u64>>,
    /// The `initialization/1` directives whose goals have changed entries.
    initialized: Rc<BTreeSet<EntryId>>,
    /// The entries that the engine in use runs without because it could not load them, and why.
    aside: Rc<BTreeMap<EntryId, Rc<str>>>,
    clauses: usize,
    bytes: usize,
    last: i64,
    first: i64,
    last_source: u32,
}

impl Book {
    /// The book that results from these revisions.
    pub fn replay(journal: Vec<Rc<Revision>>) -> Self {
        let mut book = Book::default();
        for revision in journal {
            book.apply(revision);
        }
        book
    }

    /// The entries in order.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = (EntryId, &Entry)> {
        self.entries.iter().map(|(spot, entry)| (spot.id, entry))
    }

    /// The spots of the entries, in order.
    pub fn spots(&self) -> impl DoubleEndedIterator<Item = &Spot> {
        self.entries.iter().map(|(spot, _)| spot)
    }

    /// The spots after this one.
    pub fn spots_after(&self, after: Option<&Spot>) -> impl Iterator<Item = &Spot> {
        self.entries.after(after).map(|(spot, _)| spot)
    }

    /// The spot of an entry of the book.
    pub fn spot(&self, id: EntryId) -> Spot {
        Spot::new(id, self.elsewhere.get(&id).cloned())
    }

    /// Places for `count` entries directly after an entry of the book.
    pub fn places_behind(&self, id: EntryId, count: usize) -> Vec<Rc<Place>> {
        let spot = self.spot(id);
        let next = self.entries.after(Some(&spot)).next();
        let next = next.map(|(next, _)| next.place());
        let mut before = spot.place();
        let mut behind = || {
            before = Place::between(&before, next.as_ref());
            Rc::new(before.clone())
        };
        (0..count).map(|_| behind()).collect()
    }

    pub fn get(&self, id: EntryId) -> Option<&Entry> {
        self.entries.get(&self.spot(id))
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The number of entries that are not directives.
    pub fn clause_count(&self) -> usize {
        self.clauses
    }

    /// The size of all sources that have entries, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The kept revisions, the last one last.
    pub fn journal(&self) -> &[Rc<Revision>] {
        &self.journal
    }

    /// The predicates that are known or have clauses.
    pub fn predicates(&self) -> impl Iterator<Item = (&Predicate, Standing)> {
        let known = self
            .predicates
            .iter()
            .filter(|(_, standing)| standing.known != Known::No);
        known.map(|(predicate, standing)| (&**predicate, *standing))
    }

    /// Those whose names start with `prefix`.
    pub fn predicates_with<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a Predicate, Standing)> {
        let first = Rc::new(Predicate {
            name: prefix.to_owned(),
            arity: 0,
        });
        let begin = self.predicates.get_key_value(&*first);
        let found = begin.into_iter().chain(self.predicates.after(Some(&first)));
        found
            .take_while(move |(predicate, _)| predicate.name.starts_with(prefix))
            .filter(|(_, standing)| standing.known != Known::No)
            .map(|(predicate, standing)| (&**predicate, *standing))
    }

    pub fn standing(&self, predicate: &Predicate) -> Standing {
        self.predicates.get(predicate).copied().unwrap_or_default()
    }

    /// Whether the predicate is private to a module, and the book knows another of its name outside it. An engine
    /// that was rebuilt while the private one was known may hold clauses under it that the book has under the other.
    pub fn has_namesake(&self, predicate: &Predicate) -> bool {
        predicate.parts().is_some_and(|(_, name)| {
            let (name, arity) = (name.to_owned(), predicate.arity);
            self.standing(&Predicate { name, arity }).known != Known::No
        })
    }

    /// The number of the next place and id at the end.
    pub fn next_last(&self) -> i64 {
        self.last + 1
    }

    /// The number of the next place and id at the front.
    pub fn next_first(&self) -> i64 {
        self.first - 1
    }

    /// Make the entries of a draft. They are not in the book before they are committed.
    pub fn draft(&mut self, draft: Draft, at_ms: u64) -> Vec<(EntryId, Entry)> {
        at_once(self.draft_in_slices(draft, at_ms, &Pace::unbroken()))
    }

    /// Like `draft`, for drafts of any size.
    pub async fn draft_in_slices(&mut self, draft: Draft, at_ms: u64, pace: &Pace) -> Vec<(EntryId, Entry)> {
        self.last_source += 1;
        let Draft {
            origin,
            text,
            tail,
            mut pieces,
            module,
            is_needed,
            mut replaced,
        } = draft;
        // A file that is read again as the book has it is as much edited as before.
        if let Some(used) = origin.file().and_then(|name| self.file(name))
            && replaced.is_empty()
            && !used.source.replaced.is_empty()
            && *used.source.text == *text
        {
            replaced.clone_from(&used.source.replaced);
        }
        let mut restores = Vec::new();
        for piece in &mut pieces {
            restores.extend(piece.restore.take().map(|text| (piece.start as u32, text)));
        }
        restores.sort_unstable();
        let source = Rc::new(Source {
            number: self.last_source,
            origin,
            added_ms: at_ms,
            text: text.into_boxed_str(),
            tail: tail as u32,
            restores,
            module: module.map(String::into_boxed_str),
            gone: Vec::new(),
            is_needed,
            replaced,
            lines: Lines::default(),
        });
        let mut entries: Vec<(EntryId, Entry)> = Vec::with_capacity(pieces.len());
        let mut before: Option<Piece> = None;
        for piece in pieces {
            // Clauses of a predicate are usually adjacent.
            let same = before.filter(|before| Rc::ptr_eq(&before.predicate, &piece.predicate));
            let predicate = match (same, entries.last()) {
                (Some(_), Some((_, entry))) => entry.predicate().clone(),
                _ => self.interned(&piece.predicate),
            };
            entries.push((piece.id, Entry::new(source.clone(), &piece, predicate)));
            before = Some(piece);
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        entries
    }

    /// The entries that declare predicates, by `dynamic` or `data`.
    pub fn declarations(&self) -> impl Iterator<Item = (Spot, &Entry)> {
        self.making_known().filter(|(_, entry)| entry.declares())
    }

    /// The entries that declare predicates, or table them.
    pub fn making_known(&self) -> impl Iterator<Item = (Spot, &Entry)> {
        let spots = self.making_known.iter().map(|(id, ())| self.spot(*id));
        spots.filter_map(|spot| Some((spot.clone(), self.entries.get(&spot)?)))
    }

    /// The entries that are constraints, in the order of their ids.
    pub fn constraints(&self) -> impl Iterator<Item = (EntryId, &Entry)> {
        let constraints = self.constraints.iter().map(|(id, ())| *id);
        constraints.filter_map(|id| Some((id, self.get(id)?)))
    }

    /// The predicates that an entry declares.
    pub fn declared_of(&self, id: EntryId) -> Vec<Predicate> {
        let spot = self.spot(id);
        match self.entries.get(&spot) {
            Some(entry) if entry.declares() => self.declared(&spot, entry),
            _ => Vec::new(),
        }
    }

    fn interned(&mut self, predicate: &Rc<Predicate>) -> Rc<Predicate> {
        if let Some((known, _)) = self.predicates.get_key_value(predicate) {
            return known.clone();
        }
        self.predicates.insert(predicate.clone(), Standing::default());
        predicate.clone()
    }

    /// Give the numbers of the place and the id of an entry to no other.
    fn use_up(&mut self, spot: &Spot, entry: &Entry) {
        match spot.at() {
            at if at > self.last => self.last = at,
            at if at < self.first => self.first = at,
            // Its place is between others, but its id has used up the next number.
            // If clauses before it were left out, theirs are, too.
            _ if entry.place().is_some() => {
                self.last = (self.last + 1).max(spot.id.of_only_writer().unwrap_or_default());
            }
            _ => {}
        }
    }

    /// Enter an entry into the book.
    fn enter(&mut self, id: EntryId, entry: Entry, effect: &mut Effect) {
        effect.clauses = true;
        let spot = entry.spot(id);
        self.use_up(&spot, &entry);
        let source = entry.source();
        self.last_source = self.last_source.max(source.number);
        if self.sources.count_in(&spot, &entry) {
            self.bytes += source.text.len();
        }
        let standing = self
            .predicates
            .get_or_insert_with(entry.predicate(), Standing::default);
        if entry.is_right() {
            self.rights.insert(id, ());
        }
        if entry.is_clause() {
            self.clauses += 1;
            standing.clauses += 1;
            effect.symbols |= standing.clauses == 1;
        } else if entry.makes_known() {
            effect.symbols |= entry.declares();
            self.making_known.insert(id, ());
        } else if entry.is_constraint() {
            self.constraints.insert(id, ());
        }
        if let Some(place) = entry.place() {
            self.elsewhere.insert(id, place.clone());
        }
        self.entries.insert(spot, entry);
    }

    /// Remove an entry from the book, if it is there.
    fn take_out(&mut self, id: EntryId, effect: &mut Effect) {
        let spot = self.spot(id);
        let Some(entry) = self.entries.remove(&spot) else {
            return;
        };
        if entry.place().is_some() {
            self.elsewhere.remove(&id);
        }
        effect.clauses = true;
        if self.sources.count_out(&spot, &entry) {
            self.bytes -= entry.source().text.len();
        }
        if entry.makes_known() {
            effect.symbols |= entry.declares();
            self.making_known.remove(&id);
        }
        if entry.is_constraint() {
            self.constraints.remove(&id);
        }
        if entry.is_right() {
            self.rights.remove(&id);
        }
        if !entry.is_clause() {
            return;
        }
        self.clauses -= 1;
        if let Some(standing) = self.predicates.get_mut(entry.predicate()) {
            standing.clauses -= 1;
            effect.symbols |= standing.clauses == 0;
        }
    }
}
