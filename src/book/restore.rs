//! A whole book, for storing and restoring, and forgetting the older part of its journal.

use std::rc::Rc;

use hornbook_base::Pace;

use super::{
    Book, CellChange, Effect, Entry, EntryId, Gone, GoneSpan, Known, Numbers, Operation, Predicate, Revision,
    Standing,
};

/// Everything that a book is after one revision.
#[derive(Debug, Default)]
pub struct Whole {
    pub entries: Vec<(EntryId, Entry)>,
    pub known: Vec<(Rc<Predicate>, Known)>,
    /// Every cell, as the change that made it.
    pub cells: Vec<CellChange>,
    /// The cells whose values an undo brought back: room and key.
    pub undone: Vec<(String, String)>,
    /// The `initialization/1` directives whose goals have changed entries.
    pub initialized: Vec<EntryId>,
    /// The highest and lowest number of a place ever assigned, and the highest number of a source.
    pub last: i64,
    pub first: i64,
    pub last_source: u32,
    /// What was removed from the files that have entries.
    pub gone: Vec<GoneSpan>,
    /// The revisions that led here, as far back as they are kept, and how many came before them.
    pub journal: Vec<Revision>,
    pub forgotten: u64,
}

impl Book {
    /// Restore the book, in slices.
    pub async fn restore(whole: Whole, pace: &Pace) -> Book {
        let mut book = Book {
            initialized: Rc::new(whole.initialized.into_iter().collect()),
            forgotten: whole.forgotten,
            ..Book::default()
        };
        for revision in whole.journal {
            book.write(Rc::new(revision));
        }
        for (predicate, known) in whole.known {
            book.predicates
                .get_or_insert_with(&predicate, Standing::default)
                .known = known;
        }
        let mut effect = Effect::default();
        for (id, entry) in whole.entries {
            book.enter(id, entry, &mut effect);
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        (book.last, book.first) = (whole.last, whole.first);
        book.last_source = whole.last_source;
        for change in &whole.cells {
            book.cells.apply(change, false);
        }
        for revision in book.journal.iter() {
            let undone = matches!(revision.operation, Operation::Undo(_));
            for change in &revision.cells {
                book.cells.note(&change.room, &change.key, undone);
            }
        }
        // Of some of them, the revision is no longer kept.
        for (room, key) in &whole.undone {
            book.cells.note(room, key, true);
        }
        book.sources.gone.join(whole.gone, pace).await;
        book.sources.gone = book.gone(usize::MAX, pace).await;
        book
    }

    /// The highest and lowest number of a place ever assigned, and the highest number of a source.
    pub fn numbers(&self) -> Numbers {
        Numbers {
            last: self.last,
            first: self.first,
            source: self.last_source,
        }
    }

    /// The `initialization/1` directives whose goals have changed entries.
    pub fn initialized(&self) -> impl Iterator<Item = EntryId> {
        self.initialized.iter().copied()
    }

    /// How many of the first revisions are no longer kept.
    pub fn forgotten(&self) -> u64 {
        self.forgotten
    }

    /// Keep only the last `count` revisions; earlier ones can no longer be undone, redone or reported. `gone`
    /// is what [`Book::gone`] returns for them.
    pub fn keep_last(&mut self, count: usize, gone: Gone) {
        let drop = self.journal.len().saturating_sub(count);
        Rc::make_mut(&mut self.journal).drain(..drop);
        self.forgotten += drop as u64;
        let forgotten = self.forgotten;
        for numbers in [&mut self.undoable, &mut self.redoable] {
            Rc::make_mut(numbers).retain(|number| *number > forgotten);
        }
        self.sources.gone = gone;
    }
}
