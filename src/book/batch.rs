//! Text of the book in the form that engines read.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use hornbook_base::Pace;

use super::characters::Class;
use super::{Book, Entry, EntryId, Predicate, Source, Spot, TextModule};

/// Consecutive ids: the first, and how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    pub first: EntryId,
    pub count: usize,
}

/// Group ids into runs.
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

/// Entries of one source, in order, with their joined text. Each is one clause of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// The number of the source.
    pub source: u32,
    /// Whether the preceding entries are of another source; if not, these are read with the operators and
    /// flags that those have left.
    pub begins: bool,
    pub text: String,
    pub ids: Vec<EntryId>,
    /// The byte offsets in the text where the entries end.
    pub ends: Vec<usize>,
    /// The module that the first entry's text belongs to.
    pub module: Option<TextModule>,
}

/// Consecutive entries of one source.
pub(super) struct Group<'a> {
    pub source: &'a Rc<Source>,
    /// Whether the preceding entries are of another source.
    begins: bool,
    pub entries: Vec<(EntryId, &'a Entry)>,
}

impl<'a> Group<'a> {
    /// Split the group by module; the headers in between are not among the entries.
    pub(super) fn by_module(self, book: &Book) -> Vec<Group<'a>> {
        let used = book.source(self.source.number);
        if used.is_none_or(|used| used.headers().len() < 2) {
            return vec![self];
        }
        let module = |one: &(EntryId, &Entry)| book.module_at(&one.1.spot(one.0), one.1);
        let parts = self.entries.chunk_by(|a, b| module(a) == module(b));
        let part = |(at, entries): (usize, &[(EntryId, &'a Entry)])| Group {
            source: self.source,
            begins: self.begins && at == 0,
            entries: entries.to_vec(),
        };
        parts.enumerate().map(part).collect()
    }
}

impl Group<'_> {
    /// Append the text of the entries as written, with those in `comments` turned into comments. A new line
    /// starts after a comment, and wherever an entry between two others is gone. Returns the byte offset
    /// where each entry ends, counted from where the text begins.
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

    pub(super) async fn into_batch(self, book: &Book, pace: &Pace) -> Batch {
        let mut text = String::new();
        let ends = self.push_text(&BTreeSet::new(), &mut text, pace).await;
        Batch {
            source: self.source.number,
            begins: self.begins,
            text,
            ends,
            module: self
                .entries
                .first()
                .and_then(|(id, entry)| book.text_module_at(&entry.spot(*id), entry)),
            ids: self.entries.iter().map(|(id, _)| *id).collect(),
        }
    }
}

/// Append an entry as a comment, keeping its first `lead` bytes unchanged.
pub(super) fn push_comment(text: &str, lead: usize, out: &mut String) {
    let (before, code) = text.split_at(lead);
    out.push_str(before);
    for line in code.split_inclusive(|c| !Class::InLine.has(c)) {
        out.push_str("% ");
        out.push_str(line);
    }
}

/// Group entries by source, dividing those with more than `bytes` of text. `before` is the number of the
/// source that precedes the first entry.
pub(super) fn groups<'a>(
    entries: impl Iterator<Item = (EntryId, &'a Entry)>,
    bytes: usize,
    mut before: Option<u32>,
) -> impl Iterator<Item = Group<'a>> {
    let mut entries = entries.peekable();
    std::iter::from_fn(move || {
        let (id, first) = entries.next()?;
        let number = first.source().number;
        let mut length = first.text().len();
        let mut group = Group {
            source: first.source(),
            begins: before.replace(number) != Some(number),
            entries: vec![(id, first)],
        };
        while length < bytes
            && let Some(next) = entries.next_if(|(_, entry)| entry.source().number == number)
        {
            length += next.1.text().len();
            group.entries.push(next);
        }
        Some(group)
    })
}

impl Book {
    /// The entries after `after`, except those to skip, up to `bytes` of text.
    pub async fn batches_after(
        &self,
        after: Option<&Spot>,
        bytes: usize,
        skip: impl Fn(&Spot) -> bool,
        pace: &Pace,
    ) -> Vec<Batch> {
        let rest = self.entries.after(after).filter(|(spot, _)| !skip(spot));
        let mut batches = Vec::new();
        let before = after
            .and_then(|spot| self.entries.get(spot))
            .map(|entry| entry.source().number);
        let mut length = 0;
        for group in groups(rest.map(|(spot, entry)| (spot.id, entry)), bytes, before) {
            let batch = group.into_batch(self, pace).await;
            length += batch.text.len().max(1);
            batches.push(batch);
            if length >= bytes {
                break;
            }
        }
        batches
    }

    /// The clauses among these entries, which are in the order of the book, with those of the same predicates that
    /// stand behind them: an engine that has the others takes the latter out, and then reads all of these. `None` if
    /// one comes from a source whose directives change how text is read.
    pub async fn batches_with_later(
        &self,
        entries: &[(EntryId, Entry)],
        pace: &Pace,
    ) -> Option<(Vec<EntryId>, Vec<Batch>)> {
        let is_read = |id: EntryId, entry: &Entry| entry.is_clause() && !self.aside.contains_key(&id);
        let mut waits: BTreeMap<&Predicate, usize> = BTreeMap::new();
        for (_, entry) in entries {
            *waits.entry(entry.predicate()).or_default() += 1;
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        let (mut left, mut later) = (entries, Vec::new());
        let mut found: Vec<(EntryId, &Entry)> = Vec::new();
        for (id, entry) in self.entries().rev() {
            let Some(((next, _), before)) = left.split_last() else {
                break;
            };
            let waiting = waits.get_mut(&**entry.predicate());
            let is_wanted = waiting.as_ref().is_some_and(|waiting| **waiting > 0);
            if *next == id {
                left = before;
                waiting.into_iter().for_each(|waiting| *waiting -= 1);
            } else if is_wanted && is_read(id, entry) {
                later.push(id);
            } else {
                if pace.is_over(1) {
                    pace.rest().await;
                }
                continue;
            }
            if entry.source().changes_reading() {
                return None;
            }
            if is_read(id, entry) {
                found.push((id, entry));
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        found.reverse();
        later.reverse();
        let mut batches = Vec::new();
        for group in groups(found.into_iter(), usize::MAX, None) {
            for part in group.by_module(self) {
                batches.push(part.into_batch(self, pace).await);
            }
        }
        left.is_empty().then_some((later, batches))
    }

    /// The clauses of some predicates, at most `bytes` of text, in batches of `at_once`. `None` if there is
    /// more text, if one of the predicates has no clauses, or if a clause can only be read with all of its
    /// source, because directives there change how text is read.
    pub async fn batches_of(
        &self,
        predicates: &[Predicate],
        bytes: usize,
        at_once: usize,
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
        // Clauses of a predicate are usually adjacent, and share it.
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
                if length > bytes || entry.source().changes_reading() {
                    return None;
                }
                found.push((id, entry));
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        let mut batches = Vec::new();
        for group in groups(found.into_iter(), at_once, None) {
            for part in group.by_module(self) {
                batches.push(part.into_batch(self, pace).await);
            }
        }
        Some(batches)
    }

    /// The directives that say what names mean in the whole book, wherever they stand: headers, and declarations of
    /// what modules share, of what is theirs without a clause, and of arguments that are goals.
    pub async fn naming(&self, pace: &Pace) -> Vec<Batch> {
        const NAMING: [&str; 4] = ["module", "multifile", "meta_predicate", ","];
        let mut found = Vec::new();
        for (id, entry) in self.entries() {
            let name = &*entry.predicate().name;
            let is_naming = match entry.is_clause() {
                true => false,
                false if name == "dynamic" => self.module_at(&entry.spot(id), entry).is_some(),
                false => NAMING.contains(&name),
            };
            if is_naming && !self.aside.contains_key(&id) {
                found.push((id, entry));
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        let mut batches = Vec::new();
        for group in groups(found.into_iter(), usize::MAX, None) {
            for part in group.by_module(self) {
                let batch = part.into_batch(self, pace).await;
                let begins = true;
                batches.push(Batch { begins, ..batch });
            }
        }
        batches
    }
}
