//! The sources that have entries in the book, the files among them, and what was removed from files.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use hornbook_base::Pace;

use super::leaves::Leaves;
use super::text::{clause_ranges_in_slices, variant_key};
use super::{Book, EMPTIED, Entry, EntryId, Origin, Source, Spot, code_at};

/// A source with entries in the book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceUse {
    pub source: Rc<Source>,
    pub entries: usize,
    /// The number of entries that are not directives.
    pub clauses: usize,
    /// Its entries lie between these two spots, inclusive.
    span: (Spot, Spot),
    /// Where its `module/2` directives are, in order.
    headers: Vec<Spot>,
}

impl SourceUse {
    /// Where its `module/2` directives are, in order.
    pub fn headers(&self) -> &[Spot] {
        &self.headers
    }

    /// Where its first entry is, and its last.
    pub fn span(&self) -> &(Spot, Spot) {
        &self.span
    }
}

fn is_header(entry: &Entry) -> bool {
    !entry.is_clause() && entry.predicate().name == "module"
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Sources {
    used: Leaves<u32, SourceUse>,
    /// The numbers of the sources that are files, by name.
    files: Leaves<Rc<str>, u32>,
    /// The numbers of sources with module headers.
    modules: Leaves<u32, ()>,
    pub gone: Gone,
}

/// Where removed entries of files were: the source and the byte where each began, mapped to the byte where it
/// ended.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Gone(Leaves<(u32, u32), u32>);

/// The number of a source, and where in it a removed entry began and ended.
pub type GoneSpan = (u32, u32, u32);

impl Gone {
    /// Add what is known of before.
    pub(super) async fn join(&mut self, spans: impl IntoIterator<Item = GoneSpan>, pace: &Pace) {
        for (number, start, end) in spans {
            self.0.insert((number, start), end);
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
    }

    fn note(&mut self, entry: &Entry) {
        if matches!(entry.source().origin, Origin::File(_)) {
            self.0.insert(start(entry), entry.span().end as u32);
        }
    }

    /// What was removed from a source, in order.
    fn of(&self, number: u32) -> impl Iterator<Item = (usize, usize)> {
        let first = (number, 0);
        let begin = self.0.get_key_value(&first);
        begin
            .into_iter()
            .chain(self.0.after(Some(&first)))
            .take_while(move |((of, _), _)| *of == number)
            .map(|((_, start), end)| (*start as usize, *end as usize))
    }
}

impl Sources {
    /// Count an entry that enters the book. Returns whether it is the first of its source.
    pub fn count_in(&mut self, spot: &Spot, entry: &Entry) -> bool {
        let source = entry.source();
        let mut is_new = false;
        let used = self.used.get_or_insert_with(&source.number, || {
            is_new = true;
            SourceUse {
                source: source.clone(),
                entries: 0,
                clauses: 0,
                span: (spot.clone(), spot.clone()),
                headers: Vec::new(),
            }
        });
        used.entries += 1;
        used.clauses += usize::from(entry.is_clause() || entry.is_chr_rule());
        if is_header(entry) {
            let at = used.headers.partition_point(|header| header < spot);
            used.headers.insert(at, spot.clone());
            self.modules.insert(source.number, ());
        }
        if *spot < used.span.0 {
            used.span.0 = spot.clone();
        } else if *spot > used.span.1 {
            used.span.1 = spot.clone();
        }
        if let Origin::File(name) = &source.origin {
            if is_new {
                self.files.insert(Rc::from(&**name), source.number);
                for (start, end) in &source.gone {
                    self.gone.0.insert((source.number, *start), *end);
                }
            }
            if !self.gone.0.is_empty() {
                self.gone.0.remove(&start(entry));
            }
        }
        is_new
    }

    /// Count an entry that leaves the book. Returns whether it was the last of its source.
    pub fn count_out(&mut self, spot: &Spot, entry: &Entry) -> bool {
        let source = entry.source();
        let Some(used) = self.used.get_mut(&source.number) else {
            return false;
        };
        used.entries -= 1;
        used.clauses -= usize::from(entry.is_clause() || entry.is_chr_rule());
        if is_header(entry) {
            used.headers.retain(|header| header != spot);
            if used.headers.is_empty() {
                self.modules.remove(&source.number);
            }
        }
        let is_last = used.entries == 0;
        self.gone.note(entry);
        if is_last {
            self.used.remove(&source.number);
            if let Origin::File(name) = &source.origin
                && self.files.get(&**name) == Some(&source.number)
            {
                self.files.remove(&**name);
            }
        }
        is_last
    }
}

impl Sources {
    /// Sources with module headers, oldest first.
    pub fn with_headers(&self) -> impl Iterator<Item = &SourceUse> {
        let numbers = self.modules.iter().map(|(number, ())| number);
        numbers.filter_map(|number| self.used.get(number))
    }
}

/// A text without these parts, which are in order.
fn without(text: &str, parts: &[(u32, u32)]) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    for (start, end) in parts {
        kept.push_str(&text[from..*start as usize]);
        from = *end as usize;
    }
    kept.push_str(&text[from..]);
    kept
}

fn start(entry: &Entry) -> (u32, u32) {
    (entry.source().number, entry.span().start as u32)
}

impl Book {
    /// The files with entries, oldest first.
    pub fn files(&self) -> impl Iterator<Item = (&str, &SourceUse)> {
        self.sources
            .used
            .values()
            .filter_map(|used| match &used.source.origin {
                Origin::File(name) => Some((&**name, used)),
                _ => None,
            })
    }

    /// A source with entries, by its number.
    pub fn source(&self, number: u32) -> Option<&SourceUse> {
        self.sources.used.get(&number)
    }

    /// A file with entries, by its name.
    pub fn file(&self, name: &str) -> Option<&SourceUse> {
        self.sources.used.get(self.sources.files.get(name)?)
    }

    /// The text of a file without the entries removed since, as far back as the journal is kept.
    pub fn file_text(&self, name: &str) -> Option<String> {
        if let Some(emptied) = self.emptied(name) {
            return Some(without(&emptied.text, &emptied.gone));
        }
        let source = &self.file(name)?.source;
        Some(without(&source.text, &self.gone_in(source.number)))
    }

    /// The entries of a source, in order.
    pub fn entries_of(&self, used: &SourceUse) -> impl Iterator<Item = (EntryId, &Entry)> {
        let (first, last) = used.span.clone();
        let begin = self.entries.get_key_value(&first);
        let number = used.source.number;
        begin
            .into_iter()
            .chain(self.entries.after(Some(&first)))
            .take_while(move |(spot, _)| **spot <= last)
            .filter(move |(_, entry)| entry.source().number == number)
            .map(|(spot, entry)| (spot.id, entry))
    }

    /// What was removed from the files that have entries, in order.
    pub fn gone_spans(&self) -> impl Iterator<Item = GoneSpan> {
        let spans = self.sources.gone.0.iter();
        let spans = spans.map(|((number, start), end)| (*number, *start, *end));
        spans.filter(|(number, ..)| self.sources.used.get(number).is_some())
    }

    /// Where entries were that have been removed from a source.
    pub(super) fn gone_in(&self, number: u32) -> Vec<(u32, u32)> {
        let spans = self.sources.gone.of(number);
        spans.map(|(start, end)| (start as u32, end as u32)).collect()
    }

    /// The code of the clauses that were removed from a file since its text was read, in order.
    pub fn gone_code<'a>(&self, used: &'a SourceUse) -> impl Iterator<Item = &'a str> {
        let text = &used.source.text;
        let spans = self.sources.gone.of(used.source.number);
        spans.map(|(start, end)| code_at(start, &text[start..end]))
    }

    /// For each source that gives a file of the book a new text, what was removed from the old one, as
    /// [`variant_key`] has it.
    pub(super) fn gone_under(&self, added: &[(EntryId, Entry)]) -> Vec<(Rc<Source>, BTreeSet<Box<str>>)> {
        let mut under = Vec::new();
        if self.sources.gone.0.is_empty() && self.cells_of(EMPTIED).next().is_none() {
            return under;
        }
        let mut before = None;
        for (_, entry) in added {
            let source = entry.source();
            if before.replace(source.number) != Some(source.number)
                && let Origin::File(name) = &source.origin
            {
                let gone: BTreeSet<Box<str>> = match (self.file(name), self.emptied(name)) {
                    (Some(used), _) if used.source.number == source.number => continue,
                    (Some(used), _) => self.gone_code(used).map(variant_key).collect(),
                    (None, Some(emptied)) => emptied.gone_code().map(variant_key).collect(),
                    (None, None) => continue,
                };
                under.extend((!gone.is_empty()).then(|| (source.clone(), gone)));
            }
        }
        under
    }

    /// What was removed from the old text of a file, and has no entry of the new one where that has it, counts as
    /// removed from the new one, too.
    pub(super) async fn carry_gone(&mut self, source: &Source, gone: &BTreeSet<Box<str>>, pace: &Pace) {
        let Some(used) = self.source(source.number) else {
            return;
        };
        let there = self.entries_of(used).map(|(_, entry)| entry.span());
        let gone_before = self.sources.gone.of(source.number);
        let mut taken: BTreeMap<usize, usize> = gone_before.collect();
        taken.extend(there.map(|span| (span.start, span.end)));
        for range in clause_ranges_in_slices(&source.text, pace).await {
            let before = taken.range(..range.end).next_back();
            let is_free = before.is_none_or(|(_, end)| *end <= range.start);
            if is_free && gone.contains(&variant_key(code_at(range.start, &source.text[range.clone()]))) {
                let start = (source.number, range.start as u32);
                self.sources.gone.0.insert(start, range.end as u32);
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
    }

    /// What is to be remembered of removed entries of files if only the last `count` revisions are kept: what these have
    /// removed, and all that was removed from the files of the book.
    pub async fn gone(&self, count: usize, pace: &Pace) -> Gone {
        let mut gone = Gone::default();
        gone.join(self.gone_spans(), pace).await;
        for revision in &self.journal[self.journal.len().saturating_sub(count)..] {
            for (id, entry) in &revision.removed {
                if self.get(*id).is_none() {
                    gone.note(entry);
                }
                if pace.is_over(1) {
                    pace.rest().await;
                }
            }
        }
        gone
    }
}
