//! Reads the book in the bytes of a journal, without changing them.

use std::rc::Rc;

use futures::FutureExt;
use futures::future::ready;
use hornbook_base::{Limits, Pace};
use hornbook_book::Book;

use super::recovery::{Writers, recover};
use super::{Journal, Store, StoreFault, Stored};

/// A journal that was read without changing it.
pub struct Reading {
    pub book: Book,
    /// The length of its whole records, with the first line, in bytes.
    pub length: u64,
    /// The first line that marks all of them as acknowledged; `None` for a journal without a mark.
    pub head: Option<String>,
    /// How many bytes of a torn record follow them.
    pub torn: usize,
}

/// Read all records of a store, which must not change meanwhile. The fault is a sentence that begins with its
/// name.
pub async fn read_store(store: Rc<dyn Store>, pace: &Pace) -> Result<Reading, StoreFault> {
    let name = store.name();
    let of_store = |fault: StoreFault| StoreFault::new(format!("{name}: {fault}."));
    let size = store.open().await.map_err(of_store)?;
    let found = recover(&store, size, Writers::None, pace).await?;
    let is_marked = found.header.is_some_and(|header| header.mark.is_some());
    Ok(Reading {
        length: found.end.length,
        head: is_marked.then(|| found.end.header()),
        torn: found.torn.len(),
        book: found.reader.into_parts().0,
    })
}

/// The book in the bytes of a store, which are not changed. It lacks what a process was about to write.
pub async fn read_book(
    name: String,
    bytes: Vec<u8>,
    limits: &Limits,
    pace: &Pace,
) -> Result<Book, StoreFault> {
    let store = Rc::new(Snapshot { name, bytes });
    Ok(Journal::open(store, limits, pace).await?.book)
}

struct Snapshot {
    name: String,
    bytes: Vec<u8>,
}

impl Snapshot {
    fn refused<T: 'static>(&self) -> Stored<T> {
        ready(Err(StoreFault::new("it is only read"))).boxed_local()
    }
}

impl Store for Snapshot {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn open(&self) -> Stored<u64> {
        ready(Ok(self.bytes.len() as u64)).boxed_local()
    }

    fn read_only(&self) -> Option<String> {
        Some("it is only read".into())
    }

    fn read(&self, from: u64, count: u64) -> Stored<Vec<u8>> {
        let from = (from as usize).min(self.bytes.len());
        let to = from.saturating_add(count as usize).min(self.bytes.len());
        ready(Ok(self.bytes[from..to].to_vec())).boxed_local()
    }

    fn append(&self, _: u64, _: Vec<u8>, _: Vec<u8>) -> Stored<()> {
        self.refused()
    }

    fn replace(&self, _: Vec<u8>) -> Stored<()> {
        self.refused()
    }

    fn set_aside(&self, _: Vec<u8>) -> Stored<String> {
        self.refused()
    }
}
