//! Reads records into a book.

use std::collections::BTreeSet;
use std::rc::Rc;

use serde_json::value::RawValue;

use super::long;
use super::record::{CellValues, Change, EntryRecord, Record, Snapshot, SourceRecord, read_record};
use super::writer::Written;
use hornbook_base::Pace;
use hornbook_book::{
    Book, CellChange, DRAFTS, Entry, EntryId, GoneSpan, Known, KnownChange, Lines, Predicate, Revision,
    Source, Stamp, Whole,
};

/// The book being read, and what later lines refer to.
#[derive(Default)]
pub struct Reader {
    pub book: Book,
    /// With their numbers.
    past: Vec<(u64, Revision)>,
    terms: Terms,
    /// Whether the book or a revision of it has been read: then neither past revisions nor a whole book may
    /// follow.
    begun: bool,
}

impl Reader {
    /// Read the record of one line. Returns whether it was the whole book; the error says what is
    /// inconsistent in it.
    pub async fn take(&mut self, json: &[u8], pace: &Pace) -> Result<bool, String> {
        match read_record(json)? {
            Record::Revision(change) => self.carry_out(change, pace).await.map(|()| false),
            Record::Past(change) => self.remember(change, pace).await.map(|()| false),
            Record::Book(snapshot) => self.restore(snapshot, pace).await.map(|()| true),
        }
    }

    /// Whether the book that the past revisions led to has yet to come.
    pub fn awaits_book(&self) -> bool {
        !self.past.is_empty()
    }

    /// The book, and what later lines refer to.
    pub fn into_parts(self) -> (Book, Written) {
        (self.book, self.terms.sources)
    }

    async fn carry_out(&mut self, change: Change<'_>, pace: &Pace) -> Result<(), String> {
        if self.awaits_book() {
            return Err("the book that the preceding lines led to is missing".to_owned());
        }
        self.begun = true;
        let revision = self.terms.revision(change, &self.book, pace).await?;
        self.book.apply_in_slices(revision, pace).await;
        Ok(())
    }

    async fn remember(&mut self, change: Change<'_>, pace: &Pace) -> Result<(), String> {
        match self.past.last() {
            Some((last, _)) => follows(*last, change.number)?,
            None if self.begun => return Err("the past comes after the book".to_owned()),
            None => {}
        }
        let terms = &mut self.terms;
        terms.hold(change.sources, pace).await?;
        let revision = Revision {
            operation: change.operation,
            stamp: Stamp {
                at_ms: change.at_ms,
                by: change.by,
            },
            removed: terms.entries(change.removed, pace).await?,
            added: terms.entries(change.added, pace).await?,
            known: terms.changes(change.known),
            cells: cell_changes(change.cells),
        };
        self.past.push((change.number, revision));
        Ok(())
    }

    async fn restore(&mut self, snapshot: Snapshot<'_>, pace: &Pace) -> Result<(), String> {
        if self.begun {
            return Err("it is a whole book, and there is one before it".to_owned());
        }
        if let Some((last, _)) = self.past.last()
            && *last != snapshot.revision
        {
            let revision = snapshot.revision;
            return Err(format!(
                "it is the book of revision {revision}, but follows revision {last}"
            ));
        }
        self.begun = true;
        let terms = &mut self.terms;
        terms.hold(snapshot.sources, pace).await?;
        let entries = terms.entries(snapshot.entries, pace).await?;
        let gone = terms.gone(snapshot.gone, pace).await?;
        let journal: Vec<Revision> = self.past.drain(..).map(|(_, revision)| revision).collect();
        let known = snapshot.known.into_iter();
        let whole = Whole {
            known: known
                .map(|(name, arity, known)| (terms.interned(name, arity), known))
                .collect(),
            entries,
            cells: cells(snapshot.cells),
            undone: snapshot.undone,
            initialized: snapshot.initialized,
            last: snapshot.last,
            first: snapshot.first,
            last_source: snapshot.last_source,
            gone,
            forgotten: snapshot.revision.saturating_sub(journal.len() as u64),
            journal,
        };
        self.book = Book::restore(whole, pace).await;
        Ok(())
    }
}

/// Read a revision from the text that [`to_text`](super::writer::to_text) made of it. What it removes is taken from
/// `book`; the error says what is not there, or what is inconsistent.
pub async fn from_text(text: &str, book: &Book, pace: &Pace) -> Result<Revision, String> {
    match read_record(text.as_bytes())? {
        Record::Revision(change) => Terms::default().unnumbered(change, book, pace).await,
        Record::Past(_) | Record::Book(_) => Err("it is no operation".to_owned()),
    }
}

/// What the lines of a journal refer to: the sources of earlier lines, and predicates, each once.
#[derive(Default)]
pub struct Terms {
    pub sources: Written,
    predicates: BTreeSet<Rc<Predicate>>,
}

impl Terms {
    /// The terms after lines with these sources.
    pub fn after(sources: Written) -> Self {
        Terms {
            sources,
            predicates: BTreeSet::new(),
        }
    }

    /// Read the revision of one line, which must be the next for `book`.
    pub async fn read(&mut self, json: &[u8], book: &Book, pace: &Pace) -> Result<Revision, String> {
        match read_record(json)? {
            Record::Revision(change) => self.revision(change, book, pace).await,
            Record::Past(_) | Record::Book(_) => Err("it is no operation".to_owned()),
        }
    }

    /// Read the next revision for `book`.
    async fn revision(&mut self, change: Change<'_>, book: &Book, pace: &Pace) -> Result<Revision, String> {
        follows(book.revision(), change.number)?;
        self.unnumbered(change, book, pace).await
    }

    /// Read a revision for `book`, whatever its number.
    async fn unnumbered(&mut self, change: Change<'_>, book: &Book, pace: &Pace) -> Result<Revision, String> {
        self.hold(change.sources, pace).await?;
        let mut runs: Vec<(EntryId, usize)> = Vec::new();
        let take = |run| {
            runs.push(run);
            Ok(())
        };
        long::each(change.removed, pace, take).await?;
        let mut removed = Vec::new();
        for (first, count) in runs {
            for id in (0..count as i64).map(|at| EntryId(first.0 + at)) {
                let entry = book.get(id).cloned();
                removed.push((
                    id,
                    entry.ok_or_else(|| format!("it removes the unknown entry {id}"))?,
                ));
                if pace.is_over(1) {
                    pace.rest().await;
                }
            }
        }
        Ok(Revision {
            operation: change.operation,
            stamp: Stamp {
                at_ms: change.at_ms,
                by: change.by,
            },
            removed,
            added: self.entries(change.added, pace).await?,
            known: self.changes(change.known),
            cells: with_drafts(cell_changes(change.cells), book),
        })
    }

    /// What was removed from files: parts of known sources, one after the other.
    async fn gone(&self, records: Option<&RawValue>, pace: &Pace) -> Result<Vec<GoneSpan>, String> {
        let mut gone: Vec<GoneSpan> = Vec::new();
        let take = |span: GoneSpan| {
            let (number, start, end) = span;
            let source = self.sources.get(&number);
            let part = source.and_then(|source| source.text.get(start as usize..end as usize));
            let follows = gone.last().is_none_or(|last| (last.0, last.2) <= (number, start));
            if !follows || part.is_none_or(str::is_empty) {
                return Err(format!(
                    "what was removed from source {number} is not a part of it"
                ));
            }
            gone.push(span);
            Ok(())
        };
        if let Some(records) = records {
            long::each(records, pace, take).await?;
        }
        Ok(gone)
    }

    fn changes(&mut self, known: Vec<(String, u32, Known, Known)>) -> Vec<KnownChange> {
        let change = |(name, arity, before, after)| KnownChange {
            predicate: self.interned(name, arity),
            before,
            after,
        };
        known.into_iter().map(change).collect()
    }

    async fn hold(&mut self, sources: Vec<SourceRecord<'_>>, pace: &Pace) -> Result<(), String> {
        for record in sources {
            let SourceRecord {
                number,
                origin,
                added_ms,
                text,
                tail,
                restores,
                module,
                gone,
                is_needed,
                replaced,
            } = record;
            let source = Source {
                number,
                origin,
                added_ms,
                text: long::text(text, pace).await?.into_boxed_str(),
                tail,
                restores,
                module,
                gone,
                is_needed,
                replaced,
                lines: Lines::default(),
            };
            self.sources.insert(number, Rc::new(source));
        }
        Ok(())
    }

    async fn entries(&mut self, records: &RawValue, pace: &Pace) -> Result<Vec<(EntryId, Entry)>, String> {
        let mut entries: Vec<(EntryId, Entry)> = Vec::new();
        let take = |record: EntryRecord<'_>| {
            let (kind, id, source, start, end, name, arity, place) = match record {
                EntryRecord::End(end) => {
                    let (id, before) = entries.last().ok_or("it begins with an end")?;
                    let next = before.next(*id, end).ok_or_else(|| no_part(EntryId(id.0 + 1)))?;
                    entries.push(next);
                    return Ok(());
                }
                EntryRecord::Whole(kind, id, source, start, end, name, arity) => {
                    (kind, id, source, start, end, name, arity, None)
                }
                EntryRecord::Placed(kind, id, source, start, end, name, arity, place) => {
                    (kind, id, source, start, end, name, arity, Some(Rc::new(place)))
                }
            };
            let found = self.sources.get(&source).cloned();
            let source = found.ok_or_else(|| format!("no earlier line has source {source}"))?;
            let predicate = self.interned(name.into_owned(), arity);
            let entry = Entry::of_source(source, start, end, predicate, kind).ok_or_else(|| no_part(id))?;
            entries.push((id, entry.placed(place)));
            Ok(())
        };
        long::each(records, pace, take).await?;
        Ok(entries)
    }

    fn interned(&mut self, name: String, arity: u32) -> Rc<Predicate> {
        let predicate = Predicate { name, arity };
        if let Some(known) = self.predicates.get(&predicate) {
            return known.clone();
        }
        let predicate = Rc::new(predicate);
        self.predicates.insert(predicate.clone());
        predicate
    }
}

fn no_part(id: EntryId) -> String {
    format!("entry {id} is not a part of its source")
}

fn cell_changes(values: Vec<CellValues>) -> Vec<CellChange> {
    let change = |(room, key, before, after): CellValues| CellChange {
        room: room.into(),
        key: key.into(),
        before: before.map(Rc::from),
        after: after.map(Rc::from),
    };
    values.into_iter().map(change).collect()
}

/// What drafts held before a change, which its line leaves out.
fn with_drafts(mut changes: Vec<CellChange>, book: &Book) -> Vec<CellChange> {
    for change in changes.iter_mut().filter(|change| &*change.room == DRAFTS) {
        change.before = book.cell(&change.room, &change.key).map(Rc::from);
    }
    changes
}

fn cells(values: Vec<(String, String, String)>) -> Vec<CellChange> {
    let made = values
        .into_iter()
        .map(|(room, key, value)| (room, key, None, Some(value)));
    cell_changes(made.collect())
}

/// Check that a revision is the next one.
fn follows(last: u64, number: u64) -> Result<(), String> {
    match number == last + 1 {
        true => Ok(()),
        false => Err(format!("it is revision {number}, but follows revision {last}")),
    }
}
