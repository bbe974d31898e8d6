//! A book as records.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::record::{CellValues, Change, Kept, Mark, Place, Record, Snapshot, seal};
use hornbook_book::{Book, CellChange, Entry, EntryId, Kind, Predicate, Revision, Source, runs};

/// The numbers of the sources that the lines of a journal have.
pub type Numbers = BTreeSet<u32>;

/// The line of one operation, the revision of this number, its checksum, and the numbers of the sources that are new with it.
pub fn line_of(number: u64, revision: &Revision, known: &Numbers, before: u32) -> (String, u32, Numbers) {
    let ids: Vec<EntryId> = revision.removed.iter().map(|(id, _)| *id).collect();
    let removed = runs(&ids).iter().map(|run| (run.first, run.count)).collect();
    let mut sources = Sources::unless(known);
    let added = places(borrowed(&revision.added), &mut sources);
    let numbers = sources.new.keys().copied().collect();
    let record = Record::Revision(change(number, revision, sources, removed, added));
    let (line, checksum) = seal(&record, before);
    (line, checksum, numbers)
}

/// A whole journal: the last revisions as what is past, and the book; all of it counts as acknowledged. And the sources
/// it has.
pub fn whole(book: &Book, history: usize) -> (String, Mark, Numbers) {
    let mut pages = Pages {
        text: Mark::EMPTY.header(),
        mark: Mark::EMPTY,
    };
    let mut known = Numbers::new();
    let numbered = book.journal().iter().zip(book.forgotten() + 1..);
    for (revision, number) in numbered.skip(book.journal().len().saturating_sub(history)) {
        let mut sources = Sources::unless(&known);
        let removed = places(borrowed(&revision.removed), &mut sources);
        let added = places(borrowed(&revision.added), &mut sources);
        let numbers: Numbers = sources.new.keys().copied().collect();
        pages.write(&Record::Past(change(number, revision, sources, removed, added)));
        known.extend(numbers);
    }
    if book.revision() > 0 {
        let mut sources = Sources::unless(&known);
        let entries = places(book.entries(), &mut sources);
        let numbers: Numbers = sources.new.keys().copied().collect();
        let (last, first, last_source) = book.numbers();
        let predicates = book
            .predicates()
            .map(|(predicate, standing)| (Cow::Borrowed(&*predicate.name), predicate.arity, standing.known));
        pages.write(&Record::Book(Snapshot {
            revision: book.revision(),
            sources: sources.kept(),
            entries,
            known: predicates.collect(),
            cells: book
                .cells()
                .map(|(room, key, value)| (borrow(room), borrow(key), borrow(value)))
                .collect(),
            initialized: book.initialized().collect(),
            last,
            first,
            last_source,
        }));
        known.extend(numbers);
    }
    let Pages { mut text, mark } = pages;
    text.replace_range(..Mark::EMPTY.length as usize, &mark.header());
    (text, mark, known)
}

/// A journal that is written as a whole.
struct Pages {
    text: String,
    mark: Mark,
}

impl Pages {
    fn write(&mut self, record: &Record<'_>) {
        let (line, checksum) = seal(record, self.mark.checksum);
        self.mark = self.mark.followed_by(&line, checksum);
        self.text.push_str(&line);
    }
}

fn change<'a, Removed>(
    number: u64,
    revision: &'a Revision,
    sources: Sources<'a>,
    removed: Removed,
    added: Vec<Place<'a>>,
) -> Change<'a, Removed> {
    let known = revision.known.iter().map(|change| {
        let Predicate { name, arity } = &*change.predicate;
        (Cow::Borrowed(&**name), *arity, change.before, change.after)
    });
    Change {
        number,
        operation: Cow::Borrowed(&revision.operation),
        at_ms: revision.at_ms,
        sources: sources.kept(),
        removed,
        added,
        known: known.collect(),
        cells: revision.cells.iter().map(values).collect(),
    }
}

fn values(change: &CellChange) -> CellValues<'_> {
    (
        borrow(&change.room),
        borrow(&change.key),
        change.before.as_deref().map(Cow::Borrowed),
        change.after.as_deref().map(Cow::Borrowed),
    )
}

fn borrow(text: &Rc<str>) -> Cow<'_, str> {
    Cow::Borrowed(text)
}

/// The sources that a line must have because none before it has them.
struct Sources<'a> {
    known: &'a Numbers,
    new: BTreeMap<u32, &'a Source>,
}

impl<'a> Sources<'a> {
    fn unless(known: &'a Numbers) -> Self {
        Sources {
            known,
            new: BTreeMap::new(),
        }
    }

    fn need(&mut self, source: &'a Source) {
        if !self.known.contains(&source.number) {
            self.new.insert(source.number, source);
        }
    }

    fn kept(self) -> Vec<Kept<'a>> {
        self.new.into_values().map(Kept::Written).collect()
    }
}

fn borrowed(entries: &[(EntryId, Entry)]) -> impl Iterator<Item = (EntryId, &Entry)> {
    entries.iter().map(|(id, entry)| (*id, entry))
}

fn places<'a>(
    entries: impl Iterator<Item = (EntryId, &'a Entry)>,
    sources: &mut Sources<'a>,
) -> Vec<Place<'a>> {
    let mut before: Option<(EntryId, &Entry)> = None;
    let mut places = Vec::new();
    for (id, entry) in entries {
        let follows = before.is_some_and(|(last, before)| {
            last.0 + 1 == id.0 && before.span().end == entry.span().start && kin(before) == kin(entry)
        });
        let (start, end) = (entry.span().start as u32, entry.span().end as u32);
        places.push(if follows {
            Place::End(end)
        } else {
            sources.need(entry.source());
            let Predicate { name, arity } = &**entry.predicate();
            let (source, name) = (entry.source().number, Cow::Borrowed(&**name));
            Place::Whole(entry.kind(), id, source, start, end, name, *arity)
        });
        before = Some((id, entry));
    }
    places
}

/// What an entry that is its end alone has in common with the one before.
fn kin(entry: &Entry) -> (u32, Kind, &Predicate) {
    (entry.source().number, entry.kind(), entry.predicate())
}
