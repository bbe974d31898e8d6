//! Text of the book in the shape in which an engine reads it.

use std::collections::BTreeSet;
use std::rc::Rc;

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
}

/// Consecutive entries of one source.
pub(super) struct Group<'a> {
    pub source: &'a Rc<Source>,
    pub entries: Vec<(EntryId, &'a Entry)>,
}

impl Group<'_> {
    /// The text of the entries as it was written, those in `comments` as comments; a line is begun behind a comment,
    /// and where an entry between two of them is gone.
    pub fn push_text(&self, comments: &BTreeSet<EntryId>, out: &mut String) {
        let mut end = None;
        let begin = out.len();
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
        }
    }
}

/// A directive as a comment; the `lead` bytes before it are as they were.
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

impl From<Group<'_>> for Batch {
    fn from(group: Group<'_>) -> Self {
        let mut text = String::new();
        group.push_text(&BTreeSet::new(), &mut text);
        Batch {
            text,
            ids: group.entries.iter().map(|(id, _)| *id).collect(),
        }
    }
}

impl Book {
    /// The entries after `after` without those to skip, until they have `bytes` of text; sources are not divided.
    pub fn batches_after(
        &self,
        after: Option<EntryId>,
        bytes: usize,
        skip: impl Fn(&EntryId) -> bool,
    ) -> Vec<Batch> {
        use std::ops::Bound::{Excluded, Unbounded};
        let start = after.map_or(Unbounded, Excluded);
        let rest = self.entries.range((start, Unbounded)).filter(|(id, _)| !skip(id));
        let mut batches = Vec::new();
        let mut length = 0;
        for group in groups(rest.map(|(id, entry)| (*id, entry))) {
            let batch = Batch::from(group);
            length += batch.text.len();
            batches.push(batch);
            if length >= bytes {
                break;
            }
        }
        batches
    }

    /// The clauses of some predicates; `None` when one of them has none, or comes from a source whose directives
    /// change how it is read, so that it can only be read with all of it.
    pub fn batches_of(&self, predicates: &[Predicate]) -> Option<Vec<Batch>> {
        if !predicates.iter().all(|wanted| {
            self.predicates
                .get(wanted)
                .is_some_and(|standing| standing.clauses > 0)
        }) {
            return None;
        }
        let wanted =
            |entry: &Entry| entry.is_clause() && predicates.iter().any(|known| *known == **entry.predicate());
        let groups = groups(self.entries().filter(|(_, entry)| wanted(entry)));
        groups
            .map(|group| group.source.restores.is_empty().then(|| Batch::from(group)))
            .collect()
    }
}
