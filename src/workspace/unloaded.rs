//! Files that no other file loads any more.

use std::collections::{BTreeMap, BTreeSet};

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
        let left =
            { self.leave.iter() }.map(|file| format!("{file} has left the book: no file loads it any more."));
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
        let named = self.loaded(&book, name, &used.source.text, &pace).await;
        let still = self.loaded(&book, name, text, &pace).await;
        let dropped: BTreeSet<&str> = named.difference(&still).copied().collect();
        if dropped.is_empty() {
            return Unloaded::default();
        }
        let mut loads = BTreeMap::new();
        for (file, used) in book.files() {
            let loaded = match file == name {
                true => still.clone(),
                false => self.loaded(&book, file, &used.source.text, &pace).await,
            };
            loads.insert(file, loaded);
        }
        // What is in the book by itself is there, and what that loads.
        let by_itself = { book.files() }.filter(|(file, used)| *file == name || !used.source.is_needed);
        let mut needed = self.loaded_inline(&book, &pace).await;
        let stays = reached(
            by_itself.map(|(file, _)| file).chain(needed.iter().copied()),
            &loads,
        );
        needed.extend(stays.iter().filter_map(|file| loads.get(file)).flatten());
        let was_reached = reached(dropped.iter().copied(), &loads);
        let leave = was_reached.difference(&stays);
        let stay = dropped
            .iter()
            .filter(|file| stays.contains(*file) && !needed.contains(*file));
        Unloaded {
            leave: leave.map(|file| (*file).to_owned()).collect(),
            stay: stay.map(|file| (*file).to_owned()).collect(),
        }
    }

    /// The other files of the book that the directives of a text load.
    async fn loaded<'a>(&self, book: &'a Book, by: &str, text: &str, pace: &Pace) -> BTreeSet<&'a str> {
        let mut loaded = BTreeSet::new();
        for need in needs(text, pace).await {
            // A link has another name than what it leads to.
            let found = self.found(by, &need.name).await.ok();
            let is_loaded =
                |file: &&str| *file != by && (is_named(file, &need.name) || found.as_deref() == Some(*file));
            loaded.extend(book.files().map(|(file, _)| file).filter(is_loaded));
        }
        loaded
    }

    /// The files that directives load which belong to no file.
    async fn loaded_inline<'a>(&self, book: &'a Book, pace: &Pace) -> BTreeSet<&'a str> {
        let mut files = BTreeSet::new();
        for (_, entry) in book.entries() {
            if !entry.is_clause() && !matches!(entry.source().origin, Origin::File(_)) {
                files.append(&mut self.loaded(book, "", entry.code(), pace).await);
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        files
    }
}

/// These files, and all that they load.
fn reached<'a>(
    files: impl Iterator<Item = &'a str>,
    loads: &BTreeMap<&'a str, BTreeSet<&'a str>>,
) -> BTreeSet<&'a str> {
    let mut found: Vec<&str> = files.collect();
    let mut reached: BTreeSet<&str> = found.iter().copied().collect();
    while let Some(file) = found.pop() {
        let next = loads.get(file).into_iter().flatten().copied();
        found.extend(next.filter(|file| reached.insert(file)));
    }
    reached
}
