//! What must hold at a quiet point.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use hornbook_base::{Limits, Pace, at_once};
use hornbook_book::{Book, CellChange, DRAFTS, Entry, EntryId, Operation, Revision, workflow_room};
use hornbook_store::Journal;

use super::calls::{Call, Decision, Heard, Record};
use super::drafts::keeps_drafts;
use super::log::Log;
use super::memories::was_remembered;
use super::peek::Peek;
use super::rules::keeps_constraints;
use super::workflows::Known;
use super::workflows::check::{is_of_run, were_told};

/// Reads the log as a new process would, and compares with it what the clients have heard.
#[derive(Default)]
pub struct Observer {
    /// The log as it was rewritten last.
    followed: Option<Followed>,
    /// The book after all revisions that were seen.
    book: Book,
    /// The book after each revision since the last quiet point, the one before them first.
    states: Vec<Book>,
    /// Somebody has removed everything.
    was_reset: bool,
}

/// A log that is read as far as it was seen; what follows is read as a process does that has it open.
struct Followed {
    journal: Journal,
    /// How often the log was rewritten until then.
    rewritten: usize,
    bytes: Vec<u8>,
}

/// What is wrong; a sentence.
type Checked = Result<(), String>;

fn ensure(holds: bool, what: impl FnOnce() -> String) -> Checked {
    match holds {
        true => Ok(()),
        false => Err(what()),
    }
}

impl Observer {
    /// Read the log: all that was there must still be, and what is new comes after it. With `whole`, and if it was
    /// rewritten, all of it is read anew.
    pub fn read(&mut self, log: &Log, limits: &Limits, whole: bool) -> Checked {
        self.states = vec![self.book.clone()];
        let followed = self.followed.take();
        match followed.filter(|followed| !whole && followed.rewritten == log.rewritten()) {
            Some(followed) => self.read_on(log, followed),
            None => self.read_whole(log, limits),
        }
    }

    fn read_on(&mut self, log: &Log, mut followed: Followed) -> Checked {
        ensure(log.extend(&mut followed.bytes), || {
            "what was in the log has changed".to_owned()
        })?;
        let mut news = Vec::new();
        let read = at_once(followed.journal.news(&self.book, &mut news, &Pace::unbroken()));
        read.map_err(|fault| format!("the log cannot be read: {fault}"))?;
        self.followed = Some(followed);
        news.into_iter().for_each(|revision| self.take(revision));
        Ok(())
    }

    fn take(&mut self, revision: Rc<Revision>) {
        self.was_reset |= revision.operation == Operation::Reset;
        self.book.apply(revision);
        self.states.push(self.book.clone());
    }

    fn read_whole(&mut self, log: &Log, limits: &Limits) -> Checked {
        let opened = at_once(Journal::open(Rc::new(Peek::at(log)), limits, &Pace::unbroken()));
        let opened = opened.map_err(|fault| format!("the log cannot be opened: {fault}"))?;
        if let Some(notice) = opened.notice {
            return Err(format!("the log is incomplete: {notice}"));
        }
        let now = opened.book;
        let seen = self.book.revision();
        ensure(now.revision() >= seen, || {
            format!("the log has {} revisions, and had {seen}", now.revision())
        })?;
        ensure(now.forgotten() <= seen, || {
            "a revision is gone that nobody saw".to_owned()
        })?;
        let kept = (now.forgotten() + 1).max(seen.saturating_sub(5))..=seen;
        for number in kept {
            let [now, was] = [&now, &self.book].map(|book| book.get_revision(number).map(as_kept));
            ensure(now == was, || format!("revision {number} has changed"))?;
        }
        for revision in now.journal().iter().skip((seen - now.forgotten()) as usize) {
            self.take(revision.clone());
        }
        let mut bytes = Vec::new();
        log.extend(&mut bytes);
        self.followed = Some(Followed {
            journal: opened.journal,
            rewritten: log.rewritten(),
            bytes,
        });
        self.equals(&now)
            .map_err(|what| format!("the log as reread: {what}"))
    }

    /// Whether a book is the one that follows from the log.
    pub fn equals(&self, book: &Book) -> Checked {
        let own = &self.book;
        ensure(own.revision() == book.revision(), || {
            format!("it has {} revisions, not {}", book.revision(), own.revision())
        })?;
        ensure(own.entries().eq(book.entries()), || {
            let texts = |book: &Book| {
                book.entries()
                    .map(|(_, entry)| entry.code().to_owned())
                    .collect::<Vec<_>>()
            };
            format!("its entries are {:?}, not {:?}", texts(book), texts(own))
        })?;
        ensure(own.cells().eq(book.cells()), || "its cells differ".to_owned())?;
        ensure(own.undone_cells().eq(book.undone_cells()), || {
            "other values are known to come from an undo".to_owned()
        })?;
        ensure(own.predicates().eq(book.predicates()), || {
            "its predicates differ".to_owned()
        })?;
        ensure(own.bytes() == book.bytes(), || "its size differs".to_owned())?;
        let last = |book: &Book| book.get_revision(own.revision()).map(as_kept);
        ensure(last(own) == last(book), || {
            let (is, was) = (last(book), last(own));
            format!("its last revision is {is:?}, not {was:?}")
        })
    }

    /// The book as the log says.
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// The book after each revision since the last quiet point, the one before them first.
    pub fn states(&self) -> &[Book] {
        &self.states
    }

    /// The revisions since the last quiet point, with their numbers.
    fn news(&self) -> impl Iterator<Item = (u64, &Revision)> {
        let first = self.states[0].revision() + 1;
        (first..=self.book.revision()).filter_map(|number| Some((number, self.book.get_revision(number)?)))
    }

    fn state(&self, number: u64) -> Option<&Book> {
        self.states
            .get(number.checked_sub(self.states[0].revision())? as usize)
    }

    /// Whether what the clients heard since the last quiet point agrees with the log.
    pub fn compare(&self, records: &[Rc<Record>], runs: &Known) -> Checked {
        let mut made: BTreeMap<&str, Vec<(u64, &Revision)>> = BTreeMap::new();
        for (number, revision) in self.news() {
            let author = revision.stamp.by.as_ref().and_then(|by| by.client.as_deref());
            match author {
                Some(name) => made.entry(name).or_default().push((number, revision)),
                // A process has told what was decided about its draft, or notes what was asked in it.
                None if matches!(revision.operation, Operation::Draft(_)) => {}
                None => return Err(format!("nobody made revision {number}")),
            }
            self.is_inverse(number, revision)?;
        }
        let named = records.iter().map(|record| (record.name.as_str(), record));
        let by_name: BTreeMap<&str, &Rc<Record>> = named.collect();
        for (number, revision) in self.news() {
            let states = self.state(number - 1).zip(self.state(number));
            let (before, after) = states.expect("each since the last quiet point");
            let is_wrong = |what: String| format!("revision {number}, {:?}: {what}", revision.operation);
            keeps_drafts(before, revision).map_err(is_wrong)?;
            let of_runs = runs.keeps_runs(before, revision, self.was_reset);
            of_runs.map_err(is_wrong)?;
            let author = revision.stamp.by.as_ref().and_then(|by| by.client.as_deref());
            // An engine may not have had what is set aside.
            let record = author.and_then(|name| by_name.get(name));
            if !record.is_some_and(|record| record.is_aside.get()) {
                keeps_constraints(before, after, revision).map_err(is_wrong)?;
            }
        }
        for record in records {
            let revisions = made.remove(record.name.as_str()).unwrap_or_default();
            self.is_as_heard(record, &revisions).map_err(|what| {
                format!(
                    "{} {:?}, heard {:?}: {what}",
                    record.name,
                    record.call,
                    record.heard.borrow()
                )
            })?;
        }
        if let Some((name, revisions)) = made.first_key_value() {
            return Err(format!(
                "{name} has made revision {} and was not asked to",
                revisions[0].0
            ));
        }
        self.is_in_order(&by_name)
    }

    fn is_as_heard(&self, record: &Record, revisions: &[(u64, &Revision)]) -> Checked {
        let count = revisions.len();
        match &*record.heard.borrow() {
            Heard::Done { least, most } => {
                ensure((*least..=*most).contains(&count), || {
                    format!("it is {count} times in the log")
                })?;
                revisions
                    .iter()
                    .try_for_each(|(_, revision)| is_its(&record.call, revision))
            }
            Heard::Refused(_) => ensure(count == 0, || format!("it is {count} times in the log")),
            Heard::Unknown => {
                let most = record.call.revisions();
                // What an undo takes back of runs goes along with its steps.
                let along = |(_, revision): &&(u64, &Revision)| {
                    matches!(revision.operation, Operation::Undo(_) | Operation::Redo(_))
                        && is_of_run(revision)
                };
                let count = count - revisions.iter().filter(along).count();
                ensure(count <= most, || format!("it is {count} times in the log"))?;
                revisions
                    .iter()
                    .try_for_each(|(_, revision)| is_its(&record.call, revision))
            }
            // Neither answers nor a snapshot have what is set aside.
            Heard::Clauses(_) | Heard::Snapshot(_) if record.is_aside.get() => Ok(()),
            Heard::Clauses(heard) => {
                let Call::Query(predicate, ..) = &record.call else {
                    return Err("it was not asked for clauses".to_owned());
                };
                self.was_so(record, record.called.1, |book| {
                    clauses_of(book, predicate) == *heard
                })
            }
            Heard::Remembered(id) => {
                was_remembered(id.as_deref(), revisions)?;
                ensure(count <= 1, || format!("it is {count} times in the log"))
            }
            Heard::Ran(told) => were_told(told, revisions),
            Heard::Snapshot(text) => self.was_so(record, record.book, |book| book.snapshot() == *text),
            Heard::Revision(number) => self.was_so(record, record.book, |book| book.revision() == *number),
        }
    }

    /// Whether the book was so at some moment between the call and its reply, `from` which revision on.
    fn was_so(&self, record: &Record, from: u64, is_so: impl Fn(&Book) -> bool) -> Checked {
        let (_, to) = record.replied.get().expect("it was answered");
        let mut states = (from..=to).filter_map(|number| self.state(number));
        ensure(states.any(is_so), || {
            format!("the book was never so between revision {from} and {to}")
        })
    }

    /// No operation comes before one that was answered before it was called.
    fn is_in_order(&self, by_name: &BTreeMap<&str, &Rc<Record>>) -> Checked {
        let mut news: Vec<_> = self.news().collect();
        news.reverse();
        let mut first_reply = (u64::MAX, 0);
        for (number, revision) in news {
            let name = revision.stamp.by.as_ref().and_then(|by| by.client.as_deref());
            let Some(record) = name.and_then(|name| by_name.get(name)) else {
                continue;
            };
            ensure(first_reply.0 > record.called.0, || {
                format!(
                    "revision {number} comes before revision {}, which was answered before it was called",
                    first_reply.1
                )
            })?;
            if let Some((replied, _)) = record.replied.get() {
                first_reply = first_reply.min((replied, number));
            }
        }
        Ok(())
    }

    /// Whether an undo or a redo reverses what was done last of its operation, as far as it is still there.
    fn is_inverse(&self, number: u64, revision: &Revision) -> Checked {
        let (Operation::Undo(of) | Operation::Redo(of)) = revision.operation else {
            return Ok(());
        };
        let is_of = |earlier: &u64| match self
            .book
            .get_revision(*earlier)
            .map(|revision| &revision.operation)
        {
            Some(Operation::Undo(other) | Operation::Redo(other)) => *other == of,
            _ => *earlier == of,
        };
        let last = (of..number)
            .rev()
            .find(is_of)
            .and_then(|last| self.book.get_revision(last));
        let (Some(last), Some(before)) = (last, self.state(number - 1)) else {
            return Err(format!(
                "revision {number} reverses revision {of}, which does not exist"
            ));
        };
        let of_drafts = |cell: &&CellChange| &*cell.room == DRAFTS;
        let cells = |revision: &Revision, is_last: bool| {
            let cells = revision.cells.iter().filter(|cell| !of_drafts(cell));
            cells
                .map(|cell| match is_last {
                    true => (
                        cell.room.clone(),
                        cell.key.clone(),
                        cell.after.clone(),
                        cell.before.clone(),
                    ),
                    false => (
                        cell.room.clone(),
                        cell.key.clone(),
                        cell.before.clone(),
                        cell.after.clone(),
                    ),
                })
                .collect::<BTreeSet<_>>()
        };
        ensure(cells(revision, false) == cells(last, true), || {
            format!("revision {number} does not reverse the cells of revision {of}")
        })?;
        let is_there = |id: &EntryId| before.get(*id).is_some();
        let made: BTreeSet<EntryId> = last.added.iter().map(|(id, _)| *id).collect();
        let gone: BTreeSet<EntryId> = made.iter().copied().filter(is_there).collect();
        let back = last.removed.iter().map(|(id, _)| *id);
        let back: BTreeSet<EntryId> = back.filter(|id| !made.contains(id) || is_there(id)).collect();
        let ids = |entries: &[(EntryId, Entry)]| entries.iter().map(|(id, _)| *id).collect::<BTreeSet<_>>();
        ensure(
            ids(&revision.removed) == gone && ids(&revision.added) == back,
            || {
                format!(
                    "revision {number} does not reverse revision {of}: it removes {:?} and adds {:?}, not {gone:?} and {back:?}",
                    ids(&revision.removed),
                    ids(&revision.added)
                )
            },
        )
    }
}

/// A revision as a log has it once it was rewritten: what a draft held before is left out.
fn as_kept(revision: &Revision) -> Revision {
    let mut kept = revision.clone();
    if matches!(kept.operation, Operation::Draft(_)) {
        kept.cells.iter_mut().for_each(|cell| cell.before = None);
    }
    kept
}

/// Whether a revision is what a call asks for.
fn is_its(call: &Call, revision: &Revision) -> Checked {
    let (added, removed) = (&revision.added, &revision.removed);
    let code = |(_, entry): &(EntryId, Entry)| entry.code().trim_end_matches('.').to_owned();
    let plain = |texts: &[String]| {
        texts
            .iter()
            .map(|text| text.trim_end_matches('.').to_owned())
            .collect::<Vec<_>>()
    };
    let is_so = match call {
        Call::Assert(clauses) => removed.is_empty() && added.iter().map(code).eq(plain(clauses)),
        Call::Retract(clause) => added.is_empty() && removed.iter().map(code).eq([clause.clone()]),
        Call::Replace(old, new) => {
            removed.iter().map(code).any(|text| text == *old)
                && plain(new)
                    .iter()
                    .all(|new| added.iter().map(code).any(|text| text == *new))
        }
        Call::Import(name, _) | Call::Save(name, _) => revision.operation == Operation::Import(name.clone()),
        Call::Unimport(name) => revision.operation == Operation::Unimport(name.clone()),
        Call::Change(_) => matches!(revision.operation, Operation::Query(_)),
        Call::Set(..) => matches!(revision.operation, Operation::Cells { .. }),
        Call::Undo(..) => matches!(revision.operation, Operation::Undo(_)),
        Call::Redo(..) => matches!(revision.operation, Operation::Redo(_)),
        Call::Reset => revision.operation == Operation::Reset,
        Call::Propose(_) => matches!(revision.operation, Operation::Draft(_)),
        Call::Decide(Decision { accepts, .. }) => match revision.operation {
            Operation::Accept { .. } => *accepts,
            Operation::Draft(_) => true,
            _ => false,
        },
        Call::Remember(..) => {
            matches!(&revision.operation, Operation::Cells { room, .. } if room == "memory")
        }
        Call::Flow(_) => {
            matches!(&revision.operation, Operation::Cells { room, .. } if room == workflow_room::ROOM)
        }
        Call::Query(..) | Call::Snapshot | Call::History | Call::Watch(_) | Call::Unwatch => false,
    };
    ensure(is_so, || {
        format!(
            "its revision is {:?} of {added:?}, {removed:?}",
            revision.operation
        )
    })
}

/// The clauses of a predicate, in order.
fn clauses_of(book: &Book, predicate: &str) -> Vec<String> {
    let begin = format!("{predicate}(");
    let codes = book
        .entries()
        .map(|(_, entry)| entry.code().trim_end_matches('.'));
    codes
        .filter(|code| code.starts_with(&begin))
        .map(str::to_owned)
        .collect()
}
