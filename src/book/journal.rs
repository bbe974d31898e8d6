//! The journal: what was done to the book, as deltas. A book can be rebuilt from it, and each revision can be
//! turned round.

use super::{Entry, EntryId, Predicate};

/// What an operation was called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    Assert,
    Retract,
    Import(String),
    Unimport(String),
    /// Changes by the goal of an `initialization/1` directive.
    Initialization(String),
    /// Changes by a query.
    Query(String),
    Reset,
}

/// What an operation does to the book.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Delta {
    pub removed: Vec<EntryId>,
    pub added: Vec<(EntryId, Entry)>,
    /// Predicates that running code brought into being, with or without clauses.
    pub declared: Vec<Predicate>,
}

/// One operation on the book.
#[derive(Debug, Clone, PartialEq)]
pub struct Revision {
    pub operation: Operation,
    /// Milliseconds since 1970.
    pub at_ms: u64,
    pub removed: Vec<(EntryId, Entry)>,
    pub added: Vec<(EntryId, Entry)>,
    pub declared: Vec<Predicate>,
}
