//! The journal: what was done to the book, as deltas. A book can be rebuilt from it, and each revision can be
//! turned round.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::{Entry, EntryId, Predicate};

/// What an operation was called. Revisions are named by their number, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    Assert,
    Retract,
    Import(String),
    Unimport(String),
    /// Changes by the goal of an `initialization/1` directive.
    Initialization {
        goal: String,
        directive: EntryId,
    },
    /// Changes by a query.
    Query(String),
    Reset,
    /// The operation of this revision was taken back.
    Undo(u64),
    /// The operation of this revision was done again, after it was taken back.
    Redo(u64),
}

impl Operation {
    /// Its name, for people and for data.
    pub fn name(&self) -> &'static str {
        match self {
            Operation::Assert => "assert",
            Operation::Retract => "retract",
            Operation::Import(_) => "import",
            Operation::Unimport(_) => "unimport",
            Operation::Initialization { .. } => "initialization",
            Operation::Query(_) => "query",
            Operation::Reset => "reset",
            Operation::Undo(_) => "undo",
            Operation::Redo(_) => "redo",
        }
    }
}

/// Whether a predicate is known: calling it without clauses then fails and is no error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Known {
    #[default]
    No,
    /// It has or had clauses.
    Written,
    /// Running code brought it into being.
    ByRun,
}

/// What an operation does to the book.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Delta {
    pub removed: Vec<EntryId>,
    pub added: Vec<(EntryId, Entry)>,
    /// How predicates are known from now on, beside those that become known by the clauses added.
    pub known: Vec<(Rc<Predicate>, Known)>,
}

/// One operation on the book.
#[derive(Debug, Clone, PartialEq)]
pub struct Revision {
    pub operation: Operation,
    /// Milliseconds since 1970.
    pub at_ms: u64,
    pub removed: Vec<(EntryId, Entry)>,
    pub added: Vec<(EntryId, Entry)>,
    /// The predicates that became known, or otherwise known, or are not known any more.
    pub known: Vec<KnownChange>,
}

/// How a predicate was known before a revision, and after it.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownChange {
    pub predicate: Rc<Predicate>,
    pub before: Known,
    pub after: Known,
}

impl Revision {
    /// What does it once more.
    pub fn delta(self) -> Delta {
        Delta {
            removed: self.removed.into_iter().map(|(id, _)| id).collect(),
            added: self.added,
            known: self
                .known
                .into_iter()
                .map(|change| (change.predicate, change.after))
                .collect(),
        }
    }

    /// What takes it back.
    pub fn reversed(&self) -> Delta {
        let before = |change: &KnownChange| (change.predicate.clone(), change.before);
        Delta {
            removed: self.added.iter().map(|(id, _)| *id).collect(),
            added: self.removed.clone(),
            known: self.known.iter().map(before).collect(),
        }
    }
}
