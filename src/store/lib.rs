//! Where a book is kept: a journal of records that outlives the process (`docs/journal.md`).
//!
//! A [`Store`] only carries bytes: a file in Node, an equivalent elsewhere. This crate decides what the bytes
//! mean, which of them are whole, and when they are rewritten.

mod journal;
mod lines;
mod long;
#[cfg(any(test, feature = "testing"))]
pub mod memory;
mod page;
mod reader;
mod record;
mod recovery;
mod shared;
mod snapshot;
#[cfg(test)]
mod tests;
mod writer;

use std::rc::Rc;

use futures::future::LocalBoxFuture;

pub use journal::{Admitted, Journal, Opened, Rewritten};
pub use reader::from_text;
pub use shared::{Appended, Head, Heritage, Shared};
pub use snapshot::{Reading, read_book, read_store};
pub use writer::to_text;

/// Why a store failed; part of a sentence, such as `no space is left on the device`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct StoreFault {
    pub why: String,
    /// There was no reply: the request may have been carried out, or may be later.
    pub unanswered: bool,
}

impl StoreFault {
    /// The request was not carried out.
    pub fn new(why: impl Into<String>) -> StoreFault {
        StoreFault {
            why: why.into(),
            unanswered: false,
        }
    }
}

/// The result of a store's operation.
pub type Stored<T> = LocalBoxFuture<'static, Result<T, StoreFault>>;

/// Keeps bytes, for one process unless it is shared. It gets one request at a time.
pub trait Store {
    /// The name for messages: the path of a file.
    fn name(&self) -> String;

    /// Take the store for this process alone; the fault says which process has it. Returns the number of
    /// bytes: 0 if there is nothing yet.
    fn open(&self) -> Stored<u64>;

    /// Why it can only be read, part of a sentence. Valid once it is open; from then on only reads are
    /// requested.
    fn read_only(&self) -> Option<String>;

    /// The interface to others who share the store; `None` if this process has it alone. A shared store gets
    /// appends and replacements only through this. Valid once it is open.
    fn shared(&self) -> Option<Rc<dyn Shared>> {
        None
    }

    /// At most `count` bytes from `from`, possibly fewer; none only at the end.
    fn read(&self, from: u64, count: u64) -> Stored<Vec<u8>>;

    /// Keep the first `at` bytes, write `bytes` after them, and then overwrite the start with `head`.
    /// Resolves once `bytes`, and whatever earlier replacements wrote, are durable; `head` may become durable
    /// later, but never before `bytes`. After a fault the bytes from `at` on are unknown, and those at the
    /// start are unchanged.
    fn append(&self, at: u64, bytes: Vec<u8>, head: Vec<u8>) -> Stored<()>;

    /// Replace everything with `bytes`, atomically: if the process ends meanwhile, the store holds either the
    /// old bytes or the new. After a fault it holds the old ones.
    fn replace(&self, bytes: Vec<u8>) -> Stored<()>;

    /// Durably keep bytes aside, for people. Returns the name under which they can be found.
    fn set_aside(&self, bytes: Vec<u8>) -> Stored<String>;
}
