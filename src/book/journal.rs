//! The journal: what was done to the book, as deltas. A book can be rebuilt from it, and each revision can be
//! turned round.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Book, Effect, Entry, EntryId, Predicate, Standing};

/// What an operation was called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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

impl Book {
    /// The revision that an operation is on the book as it stands; `None` where nothing would change. Ids that are
    /// not in the book are passed over, and so are predicates that are known.
    pub fn revision(&self, operation: Operation, at_ms: u64, delta: Delta) -> Option<Revision> {
        let Delta {
            removed,
            added,
            declared,
        } = delta;
        let removed: BTreeSet<EntryId> = removed.into_iter().collect();
        let standing = |id: EntryId| self.get(id).map(|entry| (id, entry.clone()));
        let removed: Vec<_> = removed.into_iter().filter_map(standing).collect();
        let declared: BTreeSet<Predicate> = declared.into_iter().collect();
        let declared: Vec<_> = declared
            .into_iter()
            .filter(|predicate| !self.knows(predicate))
            .collect();
        let forgets = operation == Operation::Reset && self.predicates().next().is_some();
        let changes = forgets || !(removed.is_empty() && added.is_empty() && declared.is_empty());
        changes.then_some(Revision {
            operation,
            at_ms,
            removed,
            added,
            declared,
        })
    }

    /// Carry out a revision that [`Book::revision`] gave for the book as it stands, and write it into the journal.
    pub fn apply(&mut self, revision: Revision) -> Effect {
        let mut effect = Effect::default();
        for (id, _) in &revision.removed {
            if let Some(entry) = self.entries.remove(id) {
                self.count_out(&entry, &mut effect);
            }
        }
        for predicate in &revision.declared {
            effect.symbols |= self.declare(predicate);
        }
        for (id, entry) in &revision.added {
            self.count_in(*id, entry, &mut effect);
            self.entries.insert(*id, entry.clone());
        }
        if revision.operation == Operation::Reset {
            for standing in self.predicates.values_mut() {
                effect.symbols |= standing.known;
                *standing = Standing::default();
            }
        }
        self.journal.push(revision);
        effect
    }
}
