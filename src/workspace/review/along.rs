//! Changes of the book that have nothing to do with a draft: the workspace of the draft takes them as they are, and the
//! steps of the draft need not be repeated on the new book.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::{ROOM, is_of_files, steps_prefix};
use hornbook_base::Pace;
use hornbook_book::{
    Book, CellChange, Entry, EntryId, Known, KnownChange, Operation, Origin, Predicate, Revision,
};

/// What a draft changes.
pub(super) struct Own<'a> {
    /// Its name.
    pub draft: &'a str,
    /// Its revisions.
    pub revisions: Vec<Rc<Revision>>,
    /// How it would have predicates known, as far as the book does not let it.
    pub held_back: Vec<KnownChange>,
}

impl Own<'_> {
    /// Whether these revisions of the book have nothing to do with what the draft changes.
    pub fn is_apart(&self, since: &[Rc<Revision>]) -> bool {
        let own = &*self.revisions;
        let ids = |revision: &Revision| -> Vec<EntryId> {
            let all = revision.removed.iter().chain(&revision.added);
            all.map(|(id, _)| *id).collect()
        };
        let touched: BTreeSet<EntryId> = own.iter().flat_map(|own| ids(own)).collect();
        // Whether these are forgotten depends on the clauses that the book has.
        let forgotten = self.known().filter(|change| change.after == Known::No);
        let forgotten: BTreeSet<&Predicate> = forgotten.map(|change| &*change.predicate).collect();
        // A reset forgets each that has none, also one that has become known since.
        let forgets_all = own.iter().any(|own| own.operation == Operation::Reset);
        let meets = |revision: &Revision| {
            let (mut known, mut cells) = (revision.known.iter(), revision.cells.iter());
            revision.operation == Operation::Reset
                || ids(revision).iter().any(|id| touched.contains(id))
                || entries(revision).any(|entry| forgets_all || forgotten.contains(&**entry.predicate()))
                || entries(revision).any(is_in_file) && changes_files(own)
                || known.any(|change| forgets_all || self.is_about(&change.predicate))
                || cells.any(|change| is_step(self.draft, change) || has_cell(own, change))
        };
        !since.iter().any(|revision| meets(revision))
    }

    /// How it has, or would have, predicates known.
    fn known(&self) -> impl Iterator<Item = &KnownChange> {
        let made = self.revisions.iter().flat_map(|own| &own.known);
        made.chain(&self.held_back)
    }

    /// Whether the draft changes clauses of a predicate, or whether it is known.
    fn is_about(&self, predicate: &Predicate) -> bool {
        let mut entries = self.revisions.iter().flat_map(|own| entries(own));
        entries.any(|entry| **entry.predicate() == *predicate)
            || self.known().any(|change| *change.predicate == *predicate)
    }
}

/// The book of the draft after such revisions of its book, which has come to `base`, and the new numbers of its own
/// revisions: these stand after all of the book's, as where it is opened then.
pub(super) async fn moved(
    now: &Book,
    base: &Book,
    since: &[Rc<Revision>],
    own: &[u64],
    pace: &Pace,
) -> (Book, Vec<u64>) {
    let mut book = now.clone();
    for revision in since {
        book.apply_in_slices(revision.clone(), pace).await;
    }
    let numbers = book.continue_history(base, own);
    (book, numbers)
}

fn entries(revision: &Revision) -> impl Iterator<Item = &Entry> {
    let all = revision.added.iter().chain(&revision.removed);
    all.map(|(_, entry)| entry)
}

fn is_in_file(entry: &Entry) -> bool {
    matches!(entry.source().origin, Origin::File(_))
}

/// Whether the draft replaces files, or has clauses of some: what the book does to files may be about these.
fn changes_files(own: &[Rc<Revision>]) -> bool {
    own.iter()
        .any(|own| is_of_files(&own.operation) || entries(own).any(is_in_file))
}

fn is_step(draft: &str, change: &CellChange) -> bool {
    *change.room == *ROOM && change.key.starts_with(&steps_prefix(draft))
}

fn has_cell(own: &[Rc<Revision>], change: &CellChange) -> bool {
    let mut cells = own.iter().flat_map(|own| &own.cells);
    cells.any(|own| own.room == change.room && own.key == change.key)
}
