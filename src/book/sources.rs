//! The sources that have entries in the book, the files among them, and what went out of files.

use std::rc::Rc;

use hornbook_base::Pace;

use super::leaves::Leaves;
use super::{Book, Draft, Entry, EntryId, Kind, Origin, Piece, Predicate, Source};

/// A source with entries in the book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceUse {
    pub source: Rc<Source>,
    pub entries: usize,
    /// Entries that are not directives.
    pub clauses: usize,
    /// Its entries are among those from the first of these ids to the second.
    ids: (EntryId, EntryId),
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Sources {
    used: Leaves<u32, SourceUse>,
    /// The numbers of the sources that are files, by name.
    files: Leaves<Rc<str>, u32>,
    pub gone: Gone,
}

/// Where entries of files were that are not in the book any more: the source and the byte where each began, and where it
/// ended.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Gone(Leaves<(u32, u32), u32>);

impl Gone {
    fn note(&mut self, entry: &Entry) {
        if matches!(entry.source().origin, Origin::File(_)) {
            self.0.insert(place(entry), entry.span().end as u32);
        }
    }

    /// Where something went out of a source, in order.
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
    /// An entry comes into the book. Whether it is the first one of its source.
    pub fn count_in(&mut self, id: EntryId, entry: &Entry) -> bool {
        let source = entry.source();
        let mut is_new = false;
        let used = self.used.get_or_insert_with(&source.number, || {
            is_new = true;
            SourceUse {
                source: source.clone(),
                entries: 0,
                clauses: 0,
                ids: (id, id),
            }
        });
        used.entries += 1;
        used.clauses += usize::from(entry.is_clause());
        used.ids = (used.ids.0.min(id), used.ids.1.max(id));
        if let Origin::File(name) = &source.origin {
            if is_new {
                self.files.insert(Rc::from(&**name), source.number);
            }
            if !self.gone.0.is_empty() {
                self.gone.0.remove(&place(entry));
            }
        }
        is_new
    }

    /// An entry goes out of the book. Whether it was the last one of its source.
    pub fn count_out(&mut self, entry: &Entry) -> bool {
        let source = entry.source();
        let Some(used) = self.used.get_mut(&source.number) else {
            return false;
        };
        used.entries -= 1;
        used.clauses -= usize::from(entry.is_clause());
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

fn place(entry: &Entry) -> (u32, u32) {
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

    /// The text of a file without the entries that went out of it since, as far back as the journal is kept.
    pub fn file_text(&self, name: &str) -> Option<String> {
        let source = &self.file(name)?.source;
        let mut text = String::with_capacity(source.text.len());
        let mut from = 0;
        for (start, end) in self.sources.gone.of(source.number) {
            text.push_str(&source.text[from..start]);
            from = end;
        }
        text.push_str(&source.text[from..]);
        Some(text)
    }

    /// The source of an entry with other code in its place, as a draft: all entries of it keep their ids. What went out
    /// of it before is left out.
    pub fn rewritten(&self, id: EntryId, code: &str, kind: Kind, predicate: Rc<Predicate>) -> Option<Draft> {
        let old = self.get(id)?;
        let source = old.source();
        let used = self.sources.used.get(&source.number)?;
        let begin = old.code_start();
        let mut cuts: Vec<(usize, usize, &str)> = self
            .sources
            .gone
            .of(source.number)
            .map(|(start, end)| (start, end, ""))
            .collect();
        cuts.push((begin, begin + old.code().len(), code));
        cuts.sort_unstable();
        let mut text = String::with_capacity(source.text.len() + code.len());
        let mut from = 0;
        for (start, end, instead) in &cuts {
            text.push_str(&source.text[from..*start]);
            text.push_str(instead);
            from = *end;
        }
        text.push_str(&source.text[from..]);
        // Where a byte of the source is in the new text; none asked for is within what was cut out.
        let moved = |at: usize| {
            let before = cuts.iter().take_while(|(_, end, _)| *end <= at);
            before.fold(at, |moved, (start, end, instead)| {
                moved + instead.len() - (end - start)
            })
        };
        let pieces = self.entries_of(used).map(|(of, entry)| {
            let span = entry.span();
            let (kind, predicate) = match of == id {
                true => (kind, predicate.clone()),
                false => (entry.kind(), entry.predicate().clone()),
            };
            Piece {
                id: of,
                start: moved(span.start),
                end: moved(span.end),
                kind,
                predicate,
                restore: entry.restore().map(Box::from),
            }
        });
        Some(Draft {
            origin: source.origin.clone(),
            tail: moved(source.tail as usize),
            pieces: pieces.collect(),
            text,
        })
    }

    /// The entries of a source, in order.
    pub fn entries_of(&self, used: &SourceUse) -> impl Iterator<Item = (EntryId, &Entry)> {
        let (first, last) = used.ids;
        let begin = self.entries.get_key_value(&first);
        let number = used.source.number;
        begin
            .into_iter()
            .chain(self.entries.after(Some(&first)))
            .take_while(move |(id, _)| **id <= last)
            .filter(move |(_, entry)| entry.source().number == number)
            .map(|(id, entry)| (*id, entry))
    }

    /// What went out of files, as far as the last `count` revisions tell.
    pub async fn gone(&self, count: usize, pace: &Pace) -> Gone {
        let mut gone = Gone::default();
        for revision in &self.journal[self.journal.len().saturating_sub(count)..] {
            for (id, entry) in &revision.removed {
                if self.entries.get(id).is_none() {
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
