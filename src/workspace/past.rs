//! The book as it was after a revision, entry by entry.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::Workspace;
use super::documents::{ROOM, document};
use super::history::known_revision;
use super::types::*;
use hornbook_base::{Fault, FaultKind, Pace};
use hornbook_book::{Book, Entry, EntryId, Origin};

impl Workspace {
    /// The book after the revision `number` (default: now): at most `most` of its entries, those that were added
    /// last, in the order of the book; and what that revision removed.
    ///
    /// # Errors
    ///
    /// [`FaultKind::StorageError`] once the store has another book in the place of this one.
    pub async fn past(&self, number: Option<u64>, most: usize) -> Result<Past, Fault> {
        let pace = self.0.pace();
        let (number, then) = self.book_after(number, &pace).await?;
        let since = additions(&then, &pace).await;
        let revision = then.get_revision(number);
        let (came, went) = revision.map_or((&[][..], &[][..]), |one| (&one.added, &one.removed));
        // Entries beside one that was replaced are removed and added again unchanged.
        let key = |(id, entry): &(EntryId, Entry)| (*id, entry.code().to_owned());
        let (before, after): (BTreeSet<_>, BTreeSet<_>) =
            (went.iter().map(key).collect(), came.iter().map(key).collect());
        let told = |id: EntryId, entry: &Entry| {
            let file = match &entry.source().origin {
                Origin::File(name) => Some(name.to_string()),
                Origin::Inline | Origin::Run => None,
            };
            PastEntry {
                id: id.to_string(),
                text: entry.code().to_owned(),
                line: file.as_ref().map(|_| entry.line()),
                file,
                added: since.get(&id).map(|(number, _)| *number),
            }
        };
        let last = last_added(&then, &since, most, &pace).await;
        let mut entries = Vec::with_capacity(last.len());
        for (id, entry) in last {
            entries.push(told(id, entry));
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        let removed = went.iter().filter(|one| !after.contains(&key(one)));
        let fresh = came.iter().filter(|one| !before.contains(&key(one)));
        Ok(Past {
            revision: number,
            total: then.len(),
            entries,
            fresh: fresh.take(most).map(|(id, _)| id.to_string()).collect(),
            removed: removed.take(most).map(|(id, entry)| told(*id, entry)).collect(),
        })
    }

    /// The files and documents whose text after the revision `number` was another than it is now, in order of their
    /// names. Those that the book did not have then, or does not have now, are among them.
    pub async fn files_since(&self, number: u64) -> Result<Vec<String>, Fault> {
        let (now, pace) = (self.0.book(), self.0.pace());
        let (_, then) = self.book_after(Some(number), &pace).await?;
        let names: BTreeSet<String> = names(&then).chain(names(&now)).collect();
        let mut changed = Vec::new();
        for name in names {
            if text_of(&then, &name) != text_of(&now, &name) {
                changed.push(name);
            }
            pace.rest().await;
        }
        Ok(changed)
    }

    /// The text of a file or document after the revision `number`; `None` if the book did not have it.
    pub async fn source_after(&self, filename: &str, number: u64) -> Result<Option<String>, Fault> {
        let (_, then) = self.book_after(Some(number), &self.0.pace()).await?;
        Ok(text_of(&then, filename))
    }

    /// The book after a revision, or now, and its number.
    async fn book_after(&self, number: Option<u64>, pace: &Pace) -> Result<(u64, Book), Fault> {
        if self
            .0
            .shelf
            .journal
            .as_ref()
            .is_some_and(|journal| journal.is_another())
        {
            let fault = Fault::new(FaultKind::StorageError, "The book was replaced by another one.");
            return Err(fault.with_next("Open it again to see that one."));
        }
        let book = self.0.book();
        let number = known_revision(&book, number.unwrap_or(book.revision()))?;
        let then = match number == book.revision() {
            true => book.clone(),
            // The revision is known.
            false => book.as_of(number, pace).await.unwrap_or_else(|| book.clone()),
        };
        Ok((number, then))
    }
}

/// The names of all files and documents.
fn names(book: &Book) -> impl Iterator<Item = String> {
    let files = book.files().map(|(name, _)| name);
    let documents = book.cells_of(ROOM).map(|(name, _)| name);
    files.chain(documents).map(str::to_owned)
}

fn text_of(book: &Book, name: &str) -> Option<String> {
    let document = || document(book, name).map(|document| document.text.to_owned());
    book.file_text(name).or_else(document)
}

/// The revision that added each entry, and the entry's text then.
type Additions<'a> = BTreeMap<EntryId, (u64, &'a str)>;

async fn additions<'a>(book: &'a Book, pace: &Pace) -> Additions<'a> {
    let mut additions = Additions::new();
    for (revision, number) in book.journal().iter().zip(book.forgotten() + 1..) {
        for (id, entry) in &revision.added {
            let one = additions.entry(*id).or_insert((number, entry.code()));
            // An undo brings an entry back as it was; another text under its id is a new one.
            if one.1 != entry.code() {
                *one = (number, entry.code());
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
    }
    additions
}

/// At most `most` entries, those that were added last, in the order of the book.
async fn last_added<'a>(
    book: &'a Book,
    additions: &Additions<'_>,
    most: usize,
    pace: &Pace,
) -> Vec<(EntryId, &'a Entry)> {
    let mut all: Vec<(usize, EntryId, &Entry)> = Vec::with_capacity(book.len());
    for (at, (id, entry)) in book.entries().enumerate() {
        all.push((at, id, entry));
        if pace.is_over(1) {
            pace.rest().await;
        }
    }
    if all.len() > most {
        all.sort_by_key(|(_, id, _)| Reverse(additions.get(id).map(|(number, _)| *number)));
        all.truncate(most);
        all.sort_by_key(|(at, ..)| *at);
    }
    all.into_iter().map(|(_, id, entry)| (id, entry)).collect()
}
