//! The memories of other books, read-only.

use std::rc::Rc;

use futures::future::LocalBoxFuture;

use crate::memory::Memory;

/// Gives access to the memories of other books.
pub trait Others {
    /// The memories in their current state.
    fn memories(&self) -> LocalBoxFuture<'_, Vec<Other>>;
}

/// The memory of another book.
pub struct Other {
    /// The book's name.
    pub name: String,
    /// The memory, or why it cannot be read: part of a sentence.
    pub memory: Result<Rc<Memory>, String>,
}
