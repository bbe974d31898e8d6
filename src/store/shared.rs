//! A store that several processes write to: a log to which each appends after what it has read.

use std::rc::Rc;

use super::Stored;

/// How far the log extends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// In bytes, all of them whole records and the first line.
    pub length: u64,
    /// The log ends there, and another with the same book continues it: [`Store::open`](super::Store::open)
    /// opens that one.
    pub replaced: bool,
}

/// The outcome of an append after what the writer had read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appended {
    Done,
    /// Nothing was written: others have written since.
    Conflict,
}

/// What a connection takes over from others of its own process, in whose place it is opened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Heritage {
    /// Revisions up to this one count as their own, whoever made them.
    pub revision: u64,
    /// Their ids: what they did, and still do, counts as this one's own.
    pub connections: Vec<Rc<str>>,
}

/// What a store offers those who share it. It hides which process keeps the bytes, and that this may change.
pub trait Shared {
    /// The id of this connection, unique among all connections ever. Every record contains it, so that no two
    /// writers make the same record: a store that lost the reply to an append can find out by reading.
    fn connection(&self) -> Rc<str>;

    /// Whether nobody else had the store when it was opened.
    fn was_alone(&self) -> bool;

    /// What it takes over from earlier connections of this process.
    fn heritage(&self) -> Heritage {
        Heritage::default()
    }

    /// Whether this process keeps the bytes. Before [`Shared::settled`]: whether it is the one to repair what it
    /// has opened, which nobody else writes to until then.
    fn is_keeper(&self) -> bool;

    /// What was opened is whole up to `length`: others may have it.
    fn settled(&self, length: u64);

    /// How far it extends now, including everything that any client got a reply for.
    fn head(&self) -> Stored<Head>;

    /// Resolves once it extends beyond `from`, or has been replaced.
    fn tail(&self, from: u64) -> Stored<()>;

    /// Like [`Store::append`](super::Store::append), for all pieces at once, provided that the log ends at
    /// `at`.
    fn append(&self, at: u64, pieces: Vec<Vec<u8>>, head: Vec<u8>) -> Stored<Appended>;

    /// Like [`Store::replace`](super::Store::replace), provided that the log ends at `at`. If another
    /// process keeps the bytes, it replaces them, and [`Shared::head`] says so.
    fn replace(&self, at: u64, bytes: Vec<u8>) -> Stored<Appended>;
}
