//! A store that several processes write to: a log to which each appends behind what it has read.

use std::rc::Rc;

use super::Stored;

/// How far the log goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// Bytes; all of them are whole records and the first line.
    pub length: u64,
    /// It ends there, and another that holds the same book goes on in its place: [`Store::open`](super::Store::open)
    /// gives that one.
    pub replaced: bool,
}

/// What became of bytes that were to be written behind what the writer had read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appended {
    Done,
    /// Nothing was written: others have written since.
    Conflict,
}

/// What a store does for those who share it. It hides who keeps the bytes, and that this changes.
pub trait Shared {
    /// The id of this connection, which no other ever has. It stands in every record, so that no two writers make the
    /// same one: a store that lost the reply to an append finds out by reading.
    fn connection(&self) -> Rc<str>;

    /// Whether nobody else had it when it was opened.
    fn was_alone(&self) -> bool;

    /// Whether this process keeps the bytes.
    fn is_keeper(&self) -> bool;

    /// What was opened is whole up to `length`: others may have it.
    fn settled(&self, length: u64);

    /// How far it goes now, all that was answered to anybody included.
    fn head(&self) -> Stored<Head>;

    /// Resolves when it goes further than `from`, or was replaced.
    fn tail(&self, from: u64) -> Stored<()>;

    /// As [`Store::append`](super::Store::append) of all pieces at once, if the log ends at `at`.
    fn append(&self, at: u64, pieces: Vec<Vec<u8>>, head: Vec<u8>) -> Stored<Appended>;

    /// As [`Store::replace`](super::Store::replace), if the log ends at `at`. Only who keeps the bytes asks for it.
    fn replace(&self, at: u64, bytes: Vec<u8>) -> Stored<Appended>;
}
