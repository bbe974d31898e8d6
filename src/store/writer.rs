//! Writes a book as records.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::page::Page;
use super::record::{EntryRecord, Mark};
use hornbook_base::Pace;
use hornbook_book::{
    Book, CellChange, DRAFTS, Entry, EntryId, Numbers, Operation, Predicate, Revision, Source, runs,
};

/// The sources in the lines of a journal, by number.
pub type Written = BTreeMap<u32, Rc<Source>>;

/// The line of one operation, the revision with this number, in pieces; its checksum, and the sources that
/// are new in it.
pub async fn line_of(
    number: u64,
    revision: &Revision,
    known: &Written,
    before: u32,
    pace: &Pace,
) -> (Vec<Vec<u8>>, u32, Written) {
    let ids: Vec<EntryId> = revision.removed.iter().map(|(id, _)| *id).collect();
    let removed = runs(&ids).into_iter().map(|run| (run.first, run.count));
    let mut sources = Sources::unless(known);
    sources.need_all(borrowed(&revision.added), pace).await;
    let mut page = Page::new(before, pace);
    page.raw("{\"revision\":");
    page.begin(number, revision, &sources).await;
    page.raw(",\"removed\":");
    page.list(removed).await;
    page.end(revision, false).await;
    page.raw("}");
    let (pieces, checksum) = page.finish();
    (pieces, checksum, sources.written())
}

/// The text of a revision apart from any journal: with the sources of what it adds, and the ids of what it removes.
pub async fn to_text(revision: &Revision, pace: &Pace) -> String {
    let (pieces, _, _) = line_of(0, revision, &Written::new(), 0, pace).await;
    let line = String::from_utf8(pieces.concat()).expect("a record is text");
    let json = line.split_once(' ').map_or("", |(_, json)| json);
    json.trim_end().to_owned()
}

/// A whole journal: the last revisions as past ones, and the book, all of it marked as acknowledged; and its
/// sources.
pub async fn whole(book: &Book, history: usize, pace: &Pace) -> (Vec<u8>, Mark, Written) {
    let mut text = Mark::EMPTY.header().into_bytes();
    let mut mark = Mark::EMPTY;
    let mut known = Written::new();
    let numbered = book.journal().iter().zip(book.forgotten() + 1..);
    for (revision, number) in numbered.skip(book.journal().len().saturating_sub(history)) {
        let mut sources = Sources::unless(&known);
        sources.need_all(borrowed(&revision.removed), pace).await;
        sources.need_all(borrowed(&revision.added), pace).await;
        let mut page = Page::new(mark.checksum, pace);
        page.raw("{\"past\":");
        page.begin(number, revision, &sources).await;
        page.raw(",\"removed\":");
        page.list(records(borrowed(&revision.removed))).await;
        page.end(revision, true).await;
        page.raw("}");
        mark = page.append_to(&mut text, mark).await;
        known.extend(sources.written());
    }
    if book.revision() > 0 {
        let mut sources = Sources::unless(&known);
        sources.need_all(book.entries(), pace).await;
        let mut page = Page::new(mark.checksum, pace);
        page.raw("{\"book\":{\"revision\":");
        page.value(&book.revision());
        page.raw(",\"sources\":");
        page.sources(&sources).await;
        page.raw(",\"entries\":");
        page.list(records(book.entries())).await;
        page.raw(",\"known\":");
        let known_now = book.predicates();
        page.list(known_now.map(|(predicate, standing)| (&*predicate.name, predicate.arity, standing.known)))
            .await;
        if book.cells().next().is_some() {
            page.raw(",\"cells\":");
            page.list(book.cells().map(|(room, key, value)| (&**room, &**key, &**value)))
                .await;
        }
        if book.undone_cells().next().is_some() {
            page.raw(",\"undone\":");
            page.list(book.undone_cells()).await;
        }
        if book.initialized().next().is_some() {
            page.raw(",\"initialized\":");
            page.list(book.initialized()).await;
        }
        if book.gone_spans().next().is_some() {
            page.raw(",\"gone\":");
            page.list(book.gone_spans()).await;
        }
        let Numbers { last, first, source } = book.numbers();
        page.raw(&format!(
            ",\"last\":{last},\"first\":{first},\"last_source\":{source}}}}}"
        ));
        mark = page.append_to(&mut text, mark).await;
        known.extend(sources.written());
    }
    text[..Mark::EMPTY.length as usize].copy_from_slice(mark.header().as_bytes());
    (text, mark, known)
}

impl Page<'_> {
    /// Write an operation up to what was removed.
    async fn begin(&mut self, number: u64, revision: &Revision, sources: &Sources<'_>) {
        self.raw(&format!("{{\"number\":{number},\"operation\":"));
        self.value(&revision.operation);
        self.raw(",");
        self.fields(&revision.stamp);
        if !sources.new.is_empty() {
            self.raw(",\"sources\":");
            self.sources(sources).await;
        }
    }

    /// Write an operation from what was added on.
    async fn end(&mut self, revision: &Revision, is_past: bool) {
        self.raw(",\"added\":");
        self.list(records(borrowed(&revision.added))).await;
        if !revision.known.is_empty() {
            self.raw(",\"known\":");
            let known = revision.known.iter().map(|change| {
                let Predicate { name, arity } = &*change.predicate;
                (&**name, *arity, change.before, change.after)
            });
            self.list(known).await;
        }
        if !revision.cells.is_empty() {
            self.raw(",\"cells\":");
            let is_of_draft = matches!(revision.operation, Operation::Draft(_));
            // What is proposed may be long. Whoever reads this has it, and what becomes of a draft is never undone.
            let is_known = |change: &CellChange| &*change.room == DRAFTS && !is_past;
            let values = |change| values(change, is_known(change) || is_of_draft);
            self.list(revision.cells.iter().map(values)).await;
        }
        self.raw("}");
    }

    async fn sources(&mut self, sources: &Sources<'_>) {
        for (at, source) in sources.new.values().enumerate() {
            let Source {
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
                lines: _,
            } = &***source;
            self.raw(if at == 0 { "[" } else { "," });
            self.raw(&format!("{{\"number\":{number},\"origin\":"));
            self.value(origin);
            self.raw(&format!(",\"added_ms\":{added_ms},\"text\":"));
            self.text(text).await;
            self.raw(&format!(",\"tail\":{tail},\"restores\":"));
            self.list(restores.iter()).await;
            if let Some(module) = module {
                self.raw(",\"module\":");
                self.value(module);
            }
            if !gone.is_empty() {
                self.raw(",\"gone\":");
                self.list(gone.iter()).await;
            }
            if *is_needed {
                self.raw(",\"is_needed\":true");
            }
            if !replaced.is_empty() {
                self.raw(",\"replaced\":");
                self.list(replaced.iter()).await;
            }
            self.raw("}");
        }
        self.raw(if sources.new.is_empty() { "[]" } else { "]" });
    }
}

fn values(change: &CellChange, without_before: bool) -> (&str, &str, Option<&str>, Option<&str>) {
    (
        &change.room,
        &change.key,
        change.before.as_deref().filter(|_| !without_before),
        change.after.as_deref(),
    )
}

/// The sources that a line must include because no earlier line has them.
struct Sources<'a> {
    known: &'a Written,
    new: BTreeMap<u32, &'a Rc<Source>>,
}

impl<'a> Sources<'a> {
    fn unless(known: &'a Written) -> Self {
        Sources {
            known,
            new: BTreeMap::new(),
        }
    }

    async fn need_all(&mut self, entries: impl Iterator<Item = (EntryId, &'a Entry)>, pace: &Pace) {
        let mut before = None;
        for (_, entry) in entries {
            let number = entry.source().number;
            if before.replace(number) != Some(number) && !self.known.contains_key(&number) {
                self.new.insert(number, entry.source());
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
    }

    fn written(&self) -> Written {
        let new = self.new.iter();
        new.map(|(number, source)| (*number, Rc::clone(source))).collect()
    }
}

fn borrowed(entries: &[(EntryId, Entry)]) -> impl Iterator<Item = (EntryId, &Entry)> {
    entries.iter().map(|(id, entry)| (*id, entry))
}

fn records<'a>(entries: impl Iterator<Item = (EntryId, &'a Entry)>) -> impl Iterator<Item = EntryRecord<'a>> {
    let mut before: Option<(EntryId, &Entry)> = None;
    entries.map(move |(id, entry)| {
        let follows = before.is_some_and(|(last, before)| before.is_followed_by(last, id, entry));
        before = Some((id, entry));
        let (start, end) = (entry.span().start as u32, entry.span().end as u32);
        if follows {
            return EntryRecord::End(end);
        }
        let Predicate { name, arity } = &**entry.predicate();
        let (source, name) = (entry.source().number, Cow::Borrowed(&**name));
        let kind = entry.kind();
        match entry.place() {
            None => EntryRecord::Whole(kind, id, source, start, end, name, *arity),
            Some(place) => {
                let place = (**place).clone();
                EntryRecord::Placed(kind, id, source, start, end, name, *arity, place)
            }
        }
    })
}
