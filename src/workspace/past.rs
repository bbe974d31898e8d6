//! The book as it was after a revision, entry by entry.

use std::collections::BTreeSet;

use super::documents::{ROOM, document};
use super::history::known_revision;
use super::types::*;
use super::{Inner, Workspace};
use hornbook_base::{Fault, FaultKind};
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
        let now = self.0.known_book()?;
        let number = known_revision(&now, number.unwrap_or(now.revision()))?;
        let mut walk = self.0.walk.take();
        let then = walk.book_after(&now, number, &pace).await;
        let last = walk.last_added(&now, (number, &then), most, &pace).await;
        let mut entries = Vec::with_capacity(last.len());
        for (id, entry, added) in last {
            entries.push(told(id, entry, added));
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        let revision = now.get_revision(number);
        let (came, went) = revision.map_or((&[][..], &[][..]), |one| (&one.added, &one.removed));
        let fresh = other_than(came, went, most)
            .map(|(id, _)| id.to_string())
            .collect();
        let mut removed = Vec::new();
        for (id, entry) in other_than(went, came, most) {
            let added = walk.added(&now, *id, number, &pace).await;
            removed.push(told(*id, entry, added));
        }
        self.0.walk.replace(walk);
        Ok(Past {
            revision: number,
            total: then.len(),
            entries,
            fresh,
            removed,
        })
    }

    /// The files and documents whose text after the revision `number` was another than it is now, in order of their
    /// names. Those that the book did not have then, or does not have now, are among them.
    pub async fn files_since(&self, number: u64) -> Result<Vec<String>, Fault> {
        let (now, pace) = (self.0.book(), self.0.pace());
        let then = self.book_after(number).await?;
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
        let then = self.book_after(number).await?;
        Ok(text_of(&then, filename))
    }

    /// What the book had after a revision: entries, predicates and cells, without a history.
    async fn book_after(&self, number: u64) -> Result<Book, Fault> {
        let now = self.0.known_book()?;
        let number = known_revision(&now, number)?;
        let mut walk = self.0.walk.take();
        let then = walk.book_after(&now, number, &self.0.pace()).await;
        self.0.walk.replace(walk);
        Ok(then)
    }
}

impl Inner {
    /// The book, if the store still has it.
    fn known_book(&self) -> Result<Book, Fault> {
        let journal = self.shelf.journal.as_ref();
        if journal.is_some_and(|journal| journal.is_another()) {
            let fault = Fault::new(FaultKind::StorageError, "The book was replaced by another one.");
            return Err(fault.with_next("Open it again to see that one."));
        }
        Ok(self.book())
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

fn told(id: EntryId, entry: &Entry, added: Option<u64>) -> PastEntry {
    let file = match &entry.source().origin {
        Origin::File(name) => Some(name.to_string()),
        Origin::Inline | Origin::Run => None,
    };
    PastEntry {
        id: id.to_string(),
        text: entry.code().to_owned(),
        line: file.as_ref().map(|_| entry.line()),
        file,
        added,
    }
}

/// At most `most` of the entries `some` that are not among `others`, too: entries beside one that was replaced are
/// removed and added again unchanged.
fn other_than<'a>(
    some: &'a [(EntryId, Entry)],
    others: &'a [(EntryId, Entry)],
    most: usize,
) -> impl Iterator<Item = &'a (EntryId, Entry)> {
    let key = |(id, entry): &'a (EntryId, Entry)| (*id, entry.code());
    let others: BTreeSet<_> = match some.is_empty() {
        true => BTreeSet::new(),
        false => others.iter().map(key).collect(),
    };
    some.iter()
        .filter(move |one| !others.contains(&key(one)))
        .take(most)
}
