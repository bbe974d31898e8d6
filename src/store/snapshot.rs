//! Reads the book in the bytes of a journal.

use std::rc::Rc;

use futures::FutureExt;
use futures::future::ready;
use hornbook_base::{Limits, Pace};
use hornbook_book::Book;

use super::{Journal, Store, StoreFault, Stored};

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
