//! The journal of a book in its store: opened, gone on with, written anew when it is long.

use std::cell::RefCell;
use std::rc::Rc;

use super::record::Mark;
use super::recovery::{Recovered, recover};
use super::writer::{self, Numbers};
use super::{Store, StoreFault};
use hornbook_base::{Limits, Pace};
use hornbook_book::{Book, Revision};

/// A journal is written anew when it is so many times as long as it then was.
const GROWTH: u64 = 4;

/// Goes on with a journal. Its operations must not overlap.
pub struct Journal {
    store: Rc<dyn Store>,
    read_only: Option<String>,
    state: RefCell<State>,
    history: usize,
    least: u64,
}

struct State {
    /// Where the records end that are durable.
    end: Mark,
    /// Its length when it was last written anew.
    anew: u64,
    sources: Rc<Numbers>,
}

/// A journal that was opened.
pub struct Opened {
    pub journal: Journal,
    pub book: Book,
    /// What had to be cut off, or why the book can only be read, a sentence for people.
    pub notice: Option<String>,
}

impl Journal {
    /// Take the store and read what is there. The fault is a sentence.
    pub async fn open(store: Rc<dyn Store>, limits: &Limits, pace: &Pace) -> Result<Opened, StoreFault> {
        let name = store.name();
        let of_store = |fault: StoreFault| StoreFault(format!("{name}: {fault}."));
        let size = store.open().await.map_err(of_store)?;
        let read_only = store.read_only();
        let found = recover(&store, size, pace).await?;
        let mut state = State {
            end: found.end,
            anew: found.anew,
            sources: Rc::new(found.reader.numbers()),
        };
        let notice = match &read_only {
            Some(why) => Some(format!("{name}: {why}.")),
            None => settle(&*store, &found, &mut state, pace)
                .await
                .map_err(of_store)?,
        };
        let journal = Journal {
            store,
            read_only,
            state: RefCell::new(state),
            history: limits.history,
            least: limits.journal_bytes,
        };
        Ok(Opened {
            journal,
            book: found.reader.book,
            notice,
        })
    }

    /// Write the revision of this number; it resolves when that is durable. After a fault the journal is what it was, as far as the
    /// store can say.
    pub async fn append(&self, number: u64, revision: &Revision, pace: &Pace) -> Result<(), StoreFault> {
        if let Some(why) = &self.read_only {
            return Err(StoreFault(why.clone()));
        }
        let before = self.state.borrow().end;
        let known = self.state.borrow().sources.clone();
        let (pieces, checksum, sources) =
            writer::line_of(number, revision, &known, before.checksum, pace).await;
        drop(known);
        let end = before.followed_by(&pieces, checksum);
        if let Err(fault) = append(&*self.store, before, pieces, end).await {
            // What was written of it goes; where that fails, too, it goes with the next operation.
            return Err(match append(&*self.store, before, Vec::new(), before).await {
                Ok(()) => fault,
                Err(_) => StoreFault(format!(
                    "{fault}; until that is mended, a restart may bring the operation back"
                )),
            });
        }
        let mut state = self.state.borrow_mut();
        state.end = end;
        Rc::make_mut(&mut state.sources).extend(sources);
        Ok(())
    }

    /// Write the journal anew where it is much longer than the book: the book as it is, and the last revisions.
    pub async fn compact(&self, book: &RefCell<Book>, pace: &Pace) {
        let length = self.state.borrow().end.length;
        let needed = self.state.borrow().anew.max(book.borrow().bytes() as u64);
        if length <= self.least.max(GROWTH * needed) {
            return;
        }
        let now = book.borrow().clone();
        let (text, end, sources) = writer::whole(&now, self.history, pace).await;
        let gone = now.gone(self.history, pace).await;
        drop(now);
        let replaced = self.store.replace(text).await;
        let mut state = self.state.borrow_mut();
        // A journal that cannot be written anew is gone on with, and tried again when it has grown as much.
        state.anew = length;
        if replaced.is_ok() {
            *state = State {
                end,
                anew: end.length,
                sources: Rc::new(sources),
            };
            book.borrow_mut().keep_last(self.history, gone);
        }
    }
}

/// Put a line behind what ends at `before`, and the mark at `end`. A long one comes in several pieces: it counts only
/// with the mark, which comes with the last.
async fn append(
    store: &dyn Store,
    before: Mark,
    mut pieces: Vec<Vec<u8>>,
    end: Mark,
) -> Result<(), StoreFault> {
    let last = pieces.pop().unwrap_or_default();
    let mut at = before.length;
    for piece in pieces {
        let length = piece.len() as u64;
        store.append(at, piece, before.header().into_bytes()).await?;
        at += length;
    }
    store.append(at, last, end.header().into_bytes()).await
}

/// Make of what was found a journal that can be gone on with: what is torn is cut off and kept beside, one that has no
/// mark is written anew, with all of its history, and what nobody was told of yet is made durable and marked. What was
/// cut off is told.
async fn settle(
    store: &dyn Store,
    found: &Recovered,
    state: &mut State,
    pace: &Pace,
) -> Result<Option<String>, StoreFault> {
    let marked = found.header.and_then(|header| header.mark);
    let mut notice = None;
    if !found.torn.is_empty() {
        let kept = store.set_aside(found.torn.clone()).await?;
        let lost = match marked {
            Some(_) => "Every operation that was answered is there.",
            None => {
                "Nothing in the file says whether they were an operation that was answered: look at them."
            }
        };
        notice = Some(format!(
            "{} ended in the middle of a record, as after a crash: its last {} bytes were cut off and are kept in {kept}. {lost}",
            store.name(),
            found.torn.len()
        ));
    }
    if marked.is_none() {
        let (text, end, sources) = writer::whole(&found.reader.book, usize::MAX, pace).await;
        store.replace(text).await?;
        *state = State {
            end,
            anew: end.length,
            sources: Rc::new(sources),
        };
    } else if !found.torn.is_empty() || marked != Some(found.end) {
        append(store, found.end, Vec::new(), found.end).await?;
    }
    Ok(notice)
}
