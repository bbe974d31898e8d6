//! A book as a whole, to be kept and made again.

use super::{Book, Effect, Entry, EntryId, Predicate, Revision};

/// All that a book is at one revision.
#[derive(Debug, Default)]
pub struct Whole {
    pub entries: Vec<(EntryId, Entry)>,
    /// The predicates that are known, each with whether running code brought it into being.
    pub known: Vec<(Predicate, bool)>,
    /// The highest and the lowest id that were ever given, and the highest number of a source.
    pub last: i64,
    pub first: i64,
    pub last_source: u32,
    /// The revisions that led here, as far back as they are kept.
    pub journal: Vec<Revision>,
}

impl From<Whole> for Book {
    fn from(whole: Whole) -> Book {
        let mut book = Book {
            journal: whole.journal,
            last: whole.last,
            first: whole.first,
            last_source: whole.last_source,
            ..Book::default()
        };
        for (predicate, by_run) in &whole.known {
            book.declare(predicate);
            if let Some(standing) = book.predicates.get_mut(predicate) {
                standing.by_run = *by_run;
            }
        }
        let mut effect = Effect::default();
        for (id, entry) in whole.entries {
            book.count_in(id, &entry, &mut effect);
            book.entries.insert(id, entry);
        }
        book
    }
}

impl Book {
    /// The highest and the lowest id that were ever given, and the highest number of a source.
    pub fn numbers(&self) -> (i64, i64, u32) {
        (self.last, self.first, self.last_source)
    }

    /// Keep only the last revisions of the journal.
    pub fn forget_before(&mut self, last: usize) {
        let drop = self.journal.len().saturating_sub(last);
        self.journal.drain(..drop);
    }
}
