//! Text of the book in the shape in which an engine reads it.

use std::collections::BTreeSet;
use std::rc::Rc;

use hornbook_base::Pace;

use super::characters::is_line_end;
use super::{Book, Entry, EntryId, Predicate, Source};

/// Consecutive ids: the first, and how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    pub first: EntryId,
    pub count: usize,
}

/// Ids as runs.
pub fn runs(ids: &[EntryId]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for id in ids {
        match runs.last_mut() {
            Some(run) if run.first.0 + run.count as i64 == id.0 => run.count += 1,
            _ => runs.push(Run { first: *id, count: 1 }),
        }
    }
    runs
}

/// Entries of one source, in order, with their joined text. Each is one clause of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    pub text: String,
    pub ids: Vec<EntryId>,
    /// The byte of the text where each of them ends.
    pub ends: Vec<usize>,
}

/// Consecutive entries of one source.
pub(super) struct Group<'a> {
    pub source: &'a Rc<Source>,
    pub entries: Vec<(EntryId, &'a Entry)>,
}

impl Group<'_> {
    /// The text of the entries as it was written, those in `comments` as comments; a line is begun behind a comment,
    /// and where an entry between two of them is gone. Gives the byte where each ends, counted from where the text
    /// begins.
    pub async fn push_text(&self, comments: &BTreeSet<EntryId>, out: &mut String, pace: &Pace) -> Vec<usize> {
        let mut end = None;
        let begin = out.len();
        let mut ends = Vec::with_capacity(self.entries.len());
        for (id, entry) in &self.entries {
            let text = entry.text();
            let contiguous = end == Some(entry.span().start) || out.len() == begin;
            if !contiguous && !out.ends_with('\n') && !text.starts_with('\n') {
                out.push('\n');
            }
            end = Some(entry.span().end);
            if comments.contains(id) {
                push_comment(text, entry.lead(), out);
                end = None;
            } else {
                out.push_str(text);
            }
            ends.push(out.len() - begin);
            if pace.is_over(1 + text.len() / 64) {
                pace.rest().await;
            }
        }
        ends
    }

    async fn into_batch(self, pace: &Pace) -> Batch {
        let mut text = String::new();
        let ends = self.push_text(&BTreeSet::new(), &mut text, pace).await;
        Batch {
            text,
            ends,
            ids: self.entries.iter().map(|(id, _)| *id).collect(),
        }
    }
}

/// An entry as a comment; the `lead` bytes before it are as they were.
pub(super) fn push_comment(text: &str, lead: usize, out: &mut String) {
    let (before, code) = text.split_at(lead);
    out.push_str(before);
    for line in code.split_inclusive(is_line_end) {
        out.push_str("% ");
        out.push_str(line);
    }
}

pub(super) fn groups<'a>(
    entries: impl Iterator<Item = (EntryId, &'a Entry)>,
) -> impl Iterator<Item = Group<'a>> {
    let mut entries = entries.peekable();
    std::iter::from_fn(move || {
        let (id, first) = entries.next()?;
        let mut group = Group {
            source: first.source(),
            entries: vec![(id, first)],
        };
        while let Some(next) = entries.next_if(|(_, entry)| entry.source().number == group.source.number) {
            group.entries.push(next);
        }
        Some(group)
    })
}

impl Book {
    /// The entries after `after` without those to skip, until they have `bytes` of text; sources are not divided.
    pub async fn batches_after(
        &self,
        after: Option<EntryId>,
        bytes: usize,
        skip: impl Fn(&EntryId) -> bool,
        pace: &Pace,
    ) -> Vec<Batch> {
        let rest = self.entries.after(after.as_ref()).filter(|(id, _)| !skip(id));
        let mut batches = Vec::new();
        let mut length = 0;
        for group in groups(rest.map(|(id, entry)| (*id, entry))) {
            let batch = group.into_batch(pace).await;
            length += batch.text.len().max(1);
            batches.push(batch);
            if length >= bytes {
                break;
            }
        }
        batches
    }

    /// The clauses of some predicates, at most `bytes` of text; `None` when there are more, or when one of them has none,
    /// or comes from a source whose directives change how it is read, so that it can only be read with all of it.
    pub async fn batches_of(
        &self,
        predicates: &[Predicate],
        bytes: usize,
        pace: &Pace,
    ) -> Option<Vec<Batch>> {
        for predicate in predicates {
            if self.standing(predicate).clauses == 0 {
                return None;
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        let wanted: BTreeSet<&Predicate> = predicates.iter().collect();
        // Clauses of a predicate follow each other, and share it.
        let mut before: Option<(&Rc<Predicate>, bool)> = None;
        let mut found: Vec<(EntryId, &Entry)> = Vec::new();
        let mut length = 0;
        for (id, entry) in self.entries() {
            let predicate = entry.predicate();
            let is_wanted = match before {
                Some((before, is_wanted)) if Rc::ptr_eq(before, predicate) => is_wanted,
                _ => wanted.contains(&**predicate),
            };
            before = Some((predicate, is_wanted));
            if is_wanted && entry.is_clause() && !self.aside.contains_key(&id) {
                length += entry.text().len();
                if length > bytes || !entry.source().restores.is_empty() {
                    return None;
                }
                found.push((id, entry));
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        let mut batches = Vec::new();
        for group in groups(found.into_iter()) {
            batches.push(group.into_batch(pace).await);
        }
        Some(batches)
    }
}
