//! The journal of a book in its store: opening it, appending to it, following it while others write to it,
//! and rewriting it once it is long.

mod settling;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use super::lines::Lines;
use super::reader::Terms;
use super::record::{Mark, unseal};
use super::recovery::{Writers, recover};
use super::shared::{Appended, Shared};
use super::writer::{self, Written};
use super::{Store, StoreFault};
use hornbook_base::{Limits, Pace, Who};
use hornbook_book::{Book, EntryId, Revision};
use settling::{append, settle};

/// How often a journal is read that others rewrite while it is read.
const TRIES: usize = 10;
/// A journal is rewritten once it is this many times as long as after the last rewrite.
const GROWTH: u64 = 4;
const ANOTHER: &str = "it was replaced by another book; open it again to see that one";

/// Writes a journal. Its operations must not overlap, except for [`Journal::changed`].
pub struct Journal {
    store: Rc<dyn Store>,
    /// Set if others write to it, too.
    shared: Option<Rc<dyn Shared>>,
    read_only: Option<String>,
    state: RefCell<State>,
    /// The number of the last revision that was read or written; the book gets it after that.
    last: Cell<u64>,
    /// The store was opened anew, and has yet to be read: `state` is of what it had before.
    is_unread: Cell<bool>,
    /// The store has another book by now: what comes next there does not belong to this one.
    is_another: Cell<bool>,
    history: usize,
    least: u64,
}

struct State {
    /// The end of the records that are durable and in the book.
    end: Mark,
    /// Its length when it was last rewritten.
    anew: u64,
    sources: Rc<Written>,
}

/// The outcome for a record that someone else made.
#[derive(Debug, PartialEq, Eq)]
pub enum Admitted {
    Done,
    /// Nothing was written: the record was made to follow something else.
    Conflict,
    /// Nothing was written: this cannot be the next record. Holds the reason, part of a sentence.
    Refused(String),
    /// Nothing was written: the rules of the book do not let its writer. Holds why, a sentence.
    Forbidden(String),
}

/// The outcome of rewriting a journal.
#[derive(Debug, PartialEq, Eq)]
pub enum Rewritten {
    /// It had the length `before`, in bytes, and now has `after`.
    Done { before: u64, after: u64 },
    /// Nothing was written: others have written since.
    Conflict,
}

/// An opened journal.
pub struct Opened {
    pub journal: Journal,
    pub book: Book,
    /// What had to be cut off, or why the book can only be read; a sentence for people.
    pub notice: Option<String>,
}

impl Journal {
    /// Open the store and read what is there. The fault is a sentence.
    pub async fn open(store: Rc<dyn Store>, limits: &Limits, pace: &Pace) -> Result<Opened, StoreFault> {
        let name = store.name();
        let of_store = |fault: StoreFault| StoreFault::new(format!("{name}: {fault}."));
        let mut size = store.open().await.map_err(of_store)?;
        let read_only = store.read_only();
        let shared = store.shared();
        // Until this process says that it is settled, the bytes that it keeps are its alone.
        let keeps = shared.as_ref().is_none_or(|shared| shared.is_keeper());
        let writers = if keeps { Writers::None } else { Writers::Others };
        let mut tries = 1..TRIES;
        let found = loop {
            let read = recover(&store, size, writers, pace).await;
            if read.is_ok() || tries.next().is_none() || !was_replaced(shared.as_ref()).await {
                break read?;
            }
            size = store.open().await.map_err(of_store)?;
        };
        let (notice, anew) = match &read_only {
            // Who reads the book of a server is told when a change is refused.
            Some(_) if shared.is_some() => (None, None),
            Some(why) => (Some(format!("{name}: {why}.")), None),
            // The process that keeps it has settled it.
            None if !keeps => (None, None),
            None => settle(&*store, &found, pace).await.map_err(of_store)?,
        };
        let (end, length) = (found.end, found.anew);
        let (book, sources) = found.reader.into_parts();
        let state = match anew {
            Some(state) => state,
            None => State {
                end,
                anew: length,
                sources: Rc::new(sources),
            },
        };
        if let Some(shared) = &shared {
            shared.settled(state.end.length);
        }
        let journal = Journal {
            store,
            shared,
            read_only,
            state: RefCell::new(state),
            last: Cell::new(book.revision()),
            is_unread: Cell::new(false),
            is_another: Cell::new(false),
            history: limits.history,
            least: limits.journal_bytes,
        };
        Ok(Opened {
            journal,
            book,
            notice,
        })
    }

    /// The interface between the processes that share the store; `None` if this process has it alone.
    pub fn shared(&self) -> Option<&Rc<dyn Shared>> {
        self.shared.as_ref()
    }

    /// Whether nothing can be written to it.
    pub fn is_read_only(&self) -> bool {
        self.read_only.is_some()
    }

    /// Write the revision with this number, unless others have written since the last [`Journal::news`].
    /// Resolves once it is durable. After a fault the journal is unchanged, as far as the store can tell.
    pub async fn append(
        &self,
        number: u64,
        revision: &Revision,
        pace: &Pace,
    ) -> Result<Appended, StoreFault> {
        if let Some(why) = &self.read_only {
            return Err(StoreFault::new(why.clone()));
        }
        let before = self.state.borrow().end;
        let known = self.state.borrow().sources.clone();
        let (pieces, checksum, sources) =
            writer::line_of(number, revision, &known, before.checksum, pace).await;
        drop(known);
        let end = before.followed_by(&pieces, checksum);
        match self.put(before, pieces, end).await {
            Ok(Appended::Done) => {}
            Ok(Appended::Conflict) => return Ok(Appended::Conflict),
            Err(fault) => {
                // Remove what was written of it; if that fails, too, the next operation overwrites it.
                return match self.put(before, Vec::new(), before).await {
                    // The log has moved on, perhaps by this very record: the news tell.
                    Ok(Appended::Conflict) if !fault.unanswered => Ok(Appended::Conflict),
                    Err(_) if !fault.unanswered => Err(StoreFault::new(format!(
                        "{fault}; until that is fixed, a restart may bring the operation back"
                    ))),
                    _ => Err(fault),
                };
            }
        }
        self.last.set(number);
        let mut state = self.state.borrow_mut();
        state.end = end;
        Rc::make_mut(&mut state.sources).extend(sources);
        Ok(Appended::Done)
    }

    /// Write a record that someone else made, unchanged, if it can follow what was there at the last
    /// [`Journal::news`], which `book` contains. The next news include it. `at` is how far its writer had
    /// read, and `who` it is, unless it is the host: those whom the rules of the book bind write none.
    pub async fn admit(
        &self,
        at: u64,
        line: Vec<u8>,
        book: &Book,
        who: Option<&Who>,
        pace: &Pace,
    ) -> Result<Admitted, StoreFault> {
        if let Some(why) = &self.read_only {
            return Err(StoreFault::new(why.clone()));
        }
        let before = self.state.borrow().end;
        if at != before.length {
            return Ok(Admitted::Conflict);
        }
        if let Some(why) = who.and_then(|who| book.forbids_records(who)) {
            return Ok(Admitted::Forbidden(why));
        }
        let refused = |why: String| Ok(Admitted::Refused(why));
        let Some(text) = line.strip_suffix(b"\n").filter(|text| !text.contains(&b'\n')) else {
            return refused("it is not one line".to_owned());
        };
        let Some((json, checksum)) = unseal(text, before.checksum, pace).await else {
            return refused("its checksum does not fit".to_owned());
        };
        let known = self.state.borrow().sources.clone();
        let mut terms = Terms::after(Rc::unwrap_or_clone(known));
        let revision = match terms.read(json, book, pace).await {
            Ok(revision) => revision,
            Err(why) => return refused(why),
        };
        if revision.stamp.by.is_none() {
            return refused("it does not say who did it".to_owned());
        }
        let removed: BTreeSet<EntryId> = revision.removed.iter().map(|(id, _)| *id).collect();
        let taken = |id: EntryId| book.get(id).is_some() && !removed.contains(&id);
        if let Some((id, _)) = revision.added.iter().find(|(id, _)| taken(*id)) {
            return refused(format!("it adds entry {id}, which is there"));
        }
        let end = before.followed_by(std::slice::from_ref(&line), checksum);
        Ok(match self.put(before, vec![line], end).await? {
            Appended::Done => Admitted::Done,
            Appended::Conflict => Admitted::Conflict,
        })
    }

    async fn put(&self, before: Mark, pieces: Vec<Vec<u8>>, end: Mark) -> Result<Appended, StoreFault> {
        match &self.shared {
            Some(shared) => {
                let head = end.header().into_bytes();
                shared.append(before.length, pieces, head).await
            }
            None => {
                let done = append(&*self.store, before, pieces, end).await;
                done.map(|()| Appended::Done)
            }
        }
    }

    /// Whether another book was found in the place of this one.
    pub fn is_another(&self) -> bool {
        self.is_another.get()
    }

    /// Whether a book of this revision lacks what is in the store, or may, if that cannot be determined.
    pub async fn is_behind(&self, revision: u64) -> bool {
        let Some(shared) = &self.shared else {
            return false;
        };
        if self.is_unread.get() || self.last.get() != revision {
            return true;
        }
        let head = shared.head().await;
        head.map_or(true, |head| {
            head.replaced || head.length > self.state.borrow().end.length
        })
    }

    /// Resolves once others have written since the last [`Journal::news`].
    pub async fn changed(&self) {
        let from = self.state.borrow().end.length;
        match &self.shared {
            _ if self.is_another.get() => std::future::pending().await,
            // If this fails, the next call for news reports why.
            Some(shared) => drop(shared.tail(from).await),
            None => std::future::pending().await,
        }
    }

    /// Append to `news` what others have done since, including everything that any client got a reply for.
    /// `book` contains all that came before; the caller applies the news to it, even after a fault. The fault
    /// is part of a sentence.
    pub async fn news(
        &self,
        book: &Book,
        news: &mut Vec<Rc<Revision>>,
        pace: &Pace,
    ) -> Result<(), StoreFault> {
        let Some(shared) = &self.shared else {
            return Ok(());
        };
        let mut book = book.clone();
        loop {
            if self.is_another.get() {
                return Err(StoreFault::new(ANOTHER));
            }
            if self.is_unread.get() {
                self.open_anew(&mut book, news, pace).await?;
            }
            let head = shared.head().await?;
            let sources = std::mem::take(&mut self.state.borrow_mut().sources);
            let mut terms = Terms::after(Rc::unwrap_or_clone(sources));
            let read = self.read_to(head.length, &mut terms, &mut book, news, pace).await;
            self.state.borrow_mut().sources = Rc::new(terms.sources);
            read?;
            if !head.replaced {
                return Ok(());
            }
            self.is_unread.set(true);
        }
    }

    /// Read the records up to byte `length`.
    async fn read_to(
        &self,
        length: u64,
        terms: &mut Terms,
        book: &mut Book,
        news: &mut Vec<Rc<Revision>>,
        pace: &Pace,
    ) -> Result<(), StoreFault> {
        let mut end = self.state.borrow().end;
        if length <= end.length {
            return Ok(());
        }
        let mut lines = Lines::new(self.store.clone(), end.length, length);
        let unreadable =
            |why: &str| StoreFault::new(format!("what another process wrote there cannot be read: {why}"));
        while let Some(line) = lines.next().await? {
            let text = line.bytes.strip_suffix(b"\n");
            let unsealed = match text {
                Some(text) => unseal(text, end.checksum, pace).await,
                None => None,
            };
            let (json, checksum) = unsealed.ok_or_else(|| unreadable("its checksum does not fit"))?;
            let read = terms.read(json, book, pace).await;
            let revision = Rc::new(read.map_err(|why| unreadable(&why))?);
            book.apply_in_slices(revision.clone(), pace).await;
            end = end.followed_by(&[line.bytes], checksum);
            news.push(revision);
            self.state.borrow_mut().end = end;
            self.last.set(book.revision());
        }
        Ok(())
    }

    /// The keeper has rewritten the journal: find what is new in it, and where it ends.
    async fn open_anew(
        &self,
        book: &mut Book,
        news: &mut Vec<Rc<Revision>>,
        pace: &Pace,
    ) -> Result<(), StoreFault> {
        let size = self.store.open().await?;
        let found = recover(&self.store, size, Writers::Others, pace).await?;
        let (end, anew) = (found.end, found.anew);
        let (now, sources) = found.reader.into_parts();
        let Some(known) = book.revision().checked_sub(now.forgotten()) else {
            return Err(StoreFault::new(
                "other processes have made more changes than are kept; restart this process to reload the book",
            ));
        };
        if !goes_on(&now, book) {
            self.is_another.set(true);
            return Err(StoreFault::new(ANOTHER));
        }
        for revision in now.journal().iter().skip(known as usize) {
            book.apply_in_slices(revision.clone(), pace).await;
            news.push(revision.clone());
        }
        self.last.set(book.revision());
        *self.state.borrow_mut() = State {
            end,
            anew,
            sources: Rc::new(sources),
        };
        self.is_unread.set(false);
        Ok(())
    }

    /// Rewrite the journal if it is much longer than the book: the book as it is, and the last revisions.
    pub async fn compact(&self, book: &RefCell<Book>, pace: &Pace) {
        if self.shared.as_ref().is_some_and(|shared| !shared.is_keeper()) {
            return;
        }
        let before = self.state.borrow().end.length;
        let needed = self.state.borrow().anew.max(book.borrow().bytes() as u64);
        if before <= self.least.max(GROWTH * needed) {
            return;
        }
        // If others were faster, the next operation tries again. A journal that cannot be rewritten stays in
        // use; rewriting is tried again once it has grown as much.
        let history = book.borrow().revisions_with(self.history, 2 * self.history);
        if self.rewrite(book, history, pace).await.is_err() {
            self.state.borrow_mut().anew = before;
        }
    }

    /// Rewrite the journal, through the process that keeps it: the book as it is, which must include all
    /// [`Journal::news`], and its last `history` revisions.
    pub async fn rewrite(
        &self,
        book: &RefCell<Book>,
        history: usize,
        pace: &Pace,
    ) -> Result<Rewritten, StoreFault> {
        if let Some(why) = &self.read_only {
            return Err(StoreFault::new(why.clone()));
        }
        let before = self.state.borrow().end.length;
        let now = book.borrow().clone();
        let (text, end, sources) = writer::whole(&now, history, pace).await;
        let gone = now.gone(history, pace).await;
        drop(now);
        let kept_here = self.shared.as_ref().is_none_or(|shared| shared.is_keeper());
        let replaced = match &self.shared {
            Some(shared) => shared.replace(before, text).await?,
            None => self.store.replace(text).await.map(|()| Appended::Done)?,
        };
        if replaced == Appended::Conflict {
            return Ok(Rewritten::Conflict);
        }
        // What another process has rewritten is opened with the next news.
        if kept_here || self.has_latest().await {
            *self.state.borrow_mut() = State {
                end,
                anew: end.length,
                sources: Rc::new(sources),
            };
        }
        book.borrow_mut().keep_last(history, gone);
        let after = end.length;
        Ok(Rewritten::Done { before, after })
    }

    /// Whether the store reads from the log as it was last rewritten.
    async fn has_latest(&self) -> bool {
        match &self.shared {
            Some(shared) => shared.head().await.is_ok_and(|head| !head.replaced),
            None => true,
        }
    }
}

/// Whether `now` is what became of `book`, and not of another one in its place. The last revision that both have
/// tells: who made it, when, and what it added are never changed.
fn goes_on(now: &Book, book: &Book) -> bool {
    let last = book.revision();
    let is_same = |one: &Revision, other: &Revision| {
        let added = |of: &Revision| {
            of.added
                .iter()
                .map(|(_, entry)| entry.code().to_owned())
                .collect::<Vec<_>>()
        };
        one.stamp == other.stamp && added(one) == added(other)
    };
    now.revision() >= last
        && match (now.get_revision(last), book.get_revision(last)) {
            (Some(one), Some(other)) => is_same(one, other),
            _ => true,
        }
}

/// Whether the log that was read has been rewritten since: its bytes may be gone.
async fn was_replaced(shared: Option<&Rc<dyn Shared>>) -> bool {
    match shared {
        Some(shared) => shared.head().await.is_ok_and(|head| head.replaced),
        None => false,
    }
}
