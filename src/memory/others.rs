//! The memories of other books, which are only read.

use std::rc::Rc;

use futures::future::LocalBoxFuture;

use crate::memory::Memory;

/// Where the memories of other books are found.
pub trait Others {
    /// As they are now.
    fn memories(&self) -> LocalBoxFuture<'_, Vec<Other>>;
}

/// The memory of another book.
pub struct Other {
    /// The name of the book.
    pub name: String,
    /// Or why it cannot be read, a part of a sentence.
    pub memory: Result<Rc<Memory>, String>,
}
