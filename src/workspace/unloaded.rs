//! Files that no other file loads any more.

use std::collections::BTreeSet;

use super::Inner;
use super::loads::{Loads, reached};
use super::paths::Finds;
use super::types::Notice;

impl Inner {
    /// Those of some files that came only because another loaded them, and that none loads once a file of the book has
    /// this text, or is gone: they leave with it. The file `own` is in the book by itself.
    pub(super) async fn unloaded(
        &self,
        files: BTreeSet<String>,
        (name, text): (&str, Option<&str>),
        own: Option<&str>,
        finds: &Finds,
    ) -> Vec<String> {
        let is_needed = |file: &str| self.is_needed(file) && Some(file) != own;
        let files: Vec<String> = files.into_iter().filter(|file| is_needed(file)).collect();
        if files.is_empty() {
            return files;
        }
        let mut loads = self.loads(finds).await;
        match text {
            Some(text) => drop(loads.insert(name.to_owned(), self.loaded(name, text, finds).await)),
            None => drop(loads.remove(name)),
        }
        // What is in the book by itself is there, and what that loads.
        let by_itself: Vec<String> = { loads.keys().filter(|file| !is_needed(file)).cloned() }.collect();
        let stays = reached(
            by_itself.into_iter().chain(self.loaded_inline(finds).await),
            &loads,
        );
        files.into_iter().filter(|file| !stays.contains(file)).collect()
    }

    /// What to tell of files that `by` loaded before, and that stay without need.
    pub(super) async fn told_of_unneeded(
        &self,
        by: &str,
        before: &Loads,
        after: &[String],
        finds: &Finds,
    ) -> Vec<Notice> {
        let before = before.get(by).into_iter().flatten();
        let mut dropped: Vec<&String> = before.filter(|file| !after.contains(file)).collect();
        dropped.retain(|file| self.has(file));
        if dropped.is_empty() {
            return Vec::new();
        }
        let loads = self.loads(finds).await;
        let mut needed = self.loaded_inline(finds).await;
        needed.extend(loads.into_values().flatten());
        { dropped.into_iter().filter(|file| !needed.contains(*file)) }
            .map(|file| {
                Notice(format!(
                    "{by} no longer loads {file}, which stays in the book: unimport it if nothing needs it."
                ))
            })
            .collect()
    }

    /// Whether a file of the book came only because another loads it.
    pub(super) fn is_needed(&self, name: &str) -> bool {
        let book = self.book.borrow();
        match book.emptied(name) {
            Some(emptied) => emptied.is_needed,
            None => book.file(name).is_some_and(|used| used.source.is_needed),
        }
    }
}

/// What to tell of a file that leaves.
pub(super) fn has_left(file: &str) -> Notice {
    Notice(format!("{file} has left the book: no file loads it any more."))
}
