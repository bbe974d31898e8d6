//! Changes of the book that have nothing to do with a draft: the workspace of the draft takes them as they are, and the
//! steps of the draft need not be repeated on the new book.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::{ROOM, is_of_files, steps_prefix};
use hornbook_base::Pace;
use hornbook_book::{Book, CellChange, Entry, EntryId, Operation, Origin, Predicate, Revision};

/// Whether these revisions of the book have nothing to do with what the draft of this name changes: its `own` revisions.
pub(super) fn is_apart(draft: &str, own: &[Rc<Revision>], since: &[Rc<Revision>]) -> bool {
    let removed = own.iter().flat_map(|own| &own.removed);
    let removed: BTreeSet<EntryId> = removed.map(|(id, _)| *id).collect();
    let meets = |revision: &Revision| {
        let mut ids = revision.added.iter().chain(&revision.removed).map(|(id, _)| id);
        let (mut known, mut cells) = (revision.known.iter(), revision.cells.iter());
        revision.operation == Operation::Reset
            || ids.any(|id| removed.contains(id))
            || entries(revision).any(is_in_file) && changes_files(own)
            || known.any(|change| is_about(own, &change.predicate))
            || cells.any(|change| is_step(draft, change) || has_cell(own, change))
    };
    !since.iter().any(|revision| meets(revision))
}

/// The book of the draft after such revisions.
pub(super) async fn moved(now: &Book, since: &[Rc<Revision>], pace: &Pace) -> Book {
    let mut book = now.clone();
    for revision in since {
        book.apply_in_slices(revision.clone(), pace).await;
    }
    book
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

/// Whether the draft changes clauses of a predicate, or whether it is known.
fn is_about(own: &[Rc<Revision>], predicate: &Predicate) -> bool {
    own.iter().any(|own| {
        entries(own).any(|entry| **entry.predicate() == *predicate)
            || own.known.iter().any(|change| *change.predicate == *predicate)
    })
}

fn is_step(draft: &str, change: &CellChange) -> bool {
    *change.room == *ROOM && change.key.starts_with(&steps_prefix(draft))
}

fn has_cell(own: &[Rc<Revision>], change: &CellChange) -> bool {
    let mut cells = own.iter().flat_map(|own| &own.cells);
    cells.any(|own| own.room == change.room && own.key == change.key)
}
