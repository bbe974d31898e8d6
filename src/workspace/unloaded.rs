//! Files that no other file loads any more.

use std::collections::BTreeSet;

use super::Inner;
use super::needs::{is_named, needs};
use super::types::Notice;
use hornbook_base::Pace;
use hornbook_book::{Book, Origin};

/// What a new text of a file loads no more.
#[derive(Default)]
pub(super) struct Unloaded {
    /// Files that came only because another loaded them: they leave.
    pub leave: Vec<String>,
    /// Files that stay all the same.
    stay: Vec<String>,
}

impl Unloaded {
    /// What to tell once the file has its new text.
    pub fn notices(&self, by: &str) -> impl Iterator<Item = Notice> {
        let left = { self.leave.iter() }.map(|file| {
            format!("{file} has left the book: no file loads it any more, now that {by} does not.")
        });
        let stays = self.stay.iter().map(move |file| {
            format!("{by} no longer loads {file}, which stays in the book: unimport it if nothing needs it.")
        });
        left.chain(stays).map(Notice).collect::<Vec<_>>().into_iter()
    }
}

impl Inner {
    /// What is loaded no more once a file of the book has this text.
    pub(super) async fn unloaded_by(&self, name: &str, text: &str) -> Unloaded {
        let (book, pace) = (self.book(), self.pace());
        let Some(used) = book.file(name) else {
            return Unloaded::default();
        };
        let named = loaded(&book, name, &used.source.text, &pace).await;
        let still = loaded(&book, name, text, &pace).await;
        let dropped: BTreeSet<&str> = named.difference(&still).copied().collect();
        if dropped.is_empty() {
            return Unloaded::default();
        }
        // What is in the book by itself is there, and what that loads.
        let by_itself = { book.files() }.filter(|(file, used)| *file == name || !used.source.is_needed);
        let mut found: Vec<&str> = by_itself.map(|(file, _)| file).collect();
        let mut seen: BTreeSet<&str> = found.iter().copied().collect();
        let mut needed = loaded_inline(&book, &pace).await;
        let mut next: Vec<&str> = needed.iter().copied().filter(|file| seen.insert(file)).collect();
        found.append(&mut next);
        while let Some(file) = found.pop() {
            let loads = match book.file(file) {
                Some(_) if file == name => still.clone(),
                Some(used) => loaded(&book, file, &used.source.text, &pace).await,
                None => continue,
            };
            found.extend(loads.iter().copied().filter(|file| seen.insert(file)));
            needed.extend(loads);
        }
        let all = book.files().map(|(file, _)| file);
        let leave = all.filter(|file| !seen.contains(file)).map(str::to_owned);
        let stay = dropped
            .iter()
            .filter(|file| seen.contains(*file) && !needed.contains(*file));
        Unloaded {
            leave: leave.collect(),
            stay: stay.map(|file| (*file).to_owned()).collect(),
        }
    }
}

/// The other files of the book that the directives of a text load.
async fn loaded<'a>(book: &'a Book, by: &str, text: &str, pace: &Pace) -> BTreeSet<&'a str> {
    let needs = needs(text, pace).await;
    let is_loaded = |file: &&str| *file != by && needs.iter().any(|need| is_named(file, &need.name));
    book.files().map(|(file, _)| file).filter(is_loaded).collect()
}

/// The files that directives load which belong to no file.
async fn loaded_inline<'a>(book: &'a Book, pace: &Pace) -> BTreeSet<&'a str> {
    let mut files = BTreeSet::new();
    for (_, entry) in book.entries() {
        if !entry.is_clause() && !matches!(entry.source().origin, Origin::File(_)) {
            files.append(&mut loaded(book, "", entry.code(), pace).await);
        }
        if pace.is_over(1) {
            pace.rest().await;
        }
    }
    files
}
