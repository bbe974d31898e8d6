//! Where a book is kept: a journal of records that outlives the process (`docs/journal.md`).
//!
//! A [`Store`] only carries bytes: a file in Node, something like it elsewhere. What the bytes mean, which are whole,
//! and when they are rewritten is decided here.

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

pub use journal::{Admitted, Journal, Opened};
pub use shared::{Appended, Head, Shared};
pub use snapshot::read_book;

/// Why a store did not do what it was asked; a part of a sentence, as `no space is left on the device`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct StoreFault {
    pub why: String,
    /// Nobody has answered: what was asked may have been done, or be done later, all the same.
    pub unanswered: bool,
}

impl StoreFault {
    /// What was asked was not done.
    pub fn new(why: impl Into<String>) -> StoreFault {
        StoreFault {
            why: why.into(),
            unanswered: false,
        }
    }
}

/// What a store does, and its fault.
pub type Stored<T> = LocalBoxFuture<'static, Result<T, StoreFault>>;

/// Keeps bytes, for one process unless it is shared. What it is asked is asked one at a time.
pub trait Store {
    /// What keeps the bytes, for messages: the path of a file.
    fn name(&self) -> String;

    /// Take it for this process alone; the fault says which process has it. How many bytes there are: none where
    /// there is nothing yet.
    fn open(&self) -> Stored<u64>;

    /// Once it is open: why it can only be read here, a part of a sentence. Then nothing else is asked of it but to read.
    fn read_only(&self) -> Option<String>;

    /// What it does for those who share it; `None` where this process has it alone. One that is shared is not asked to
    /// append or replace but by this. Once it is open.
    fn shared(&self) -> Option<Rc<dyn Shared>> {
        None
    }

    /// At most `count` bytes from `from`; fewer only at the end.
    fn read(&self, from: u64, count: u64) -> Stored<Vec<u8>>;

    /// Leave the first `at` bytes and put `bytes` behind them, and then `head` in place of as many at the start. It
    /// resolves when that is durable, and what was put in place of all before it; `head` may become durable later, but
    /// never before `bytes`. After a fault the bytes from `at` on are unknown, and those at the start are as they were.
    fn append(&self, at: u64, bytes: Vec<u8>, head: Vec<u8>) -> Stored<()>;

    /// Put `bytes` in place of all, at once: should the process end meanwhile, there is what was before or these.
    /// After a fault there is what was before.
    fn replace(&self, bytes: Vec<u8>) -> Stored<()>;

    /// Keep bytes beside, for people; durable. Gives the name under which they are found.
    fn set_aside(&self, bytes: Vec<u8>) -> Stored<String>;
}
