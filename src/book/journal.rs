//! The journal: what was done to the book, as deltas. It is enough to rebuild the book and to reverse each
//! revision.

use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use hornbook_base::{Pace, at_once};
use serde::{Deserialize, Serialize};

use super::{Book, Cell, CellChange, Effect, Entry, EntryId, Predicate, Standing};

/// What an operation is called. Revisions are identified by their numbers, from 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    Assert,
    Retract,
    /// A clause was replaced: its source has a new text, and the other entries keep their ids.
    Replace,
    Import(String),
    Unimport(String),
    /// Changes by the goal of an `initialization/1` directive.
    Initialization {
        goal: String,
        directive: EntryId,
    },
    /// Changes by a query.
    Query(String),
    /// A capability changed its cells; `action` is its own description of how.
    Cells {
        room: String,
        action: String,
    },
    /// The draft of this name changed: what it proposes is in its cells, and not in the book.
    Draft(String),
    /// Facts of this predicate were brought up to date.
    Upsert(String),
    /// A program made several changes as one.
    Change,
    /// A person accepted a draft: what it proposed is in the book.
    Accept {
        draft: String,
        /// Who proposed it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
    },
    Reset,
    /// The operation of this revision was undone.
    Undo(u64),
    /// The operation of this revision was redone after an undo.
    Redo(u64),
}

/// The room of savepoints: operations of it have no cells, only an action, which is the name.
const SAVEPOINTS: &str = "savepoint";

impl Operation {
    /// Give the book as it is a name.
    pub fn mark(savepoint: String) -> Operation {
        Operation::Cells {
            room: SAVEPOINTS.to_owned(),
            action: savepoint,
        }
    }

    /// The name of the savepoint that this makes.
    pub fn savepoint(&self) -> Option<&str> {
        match self {
            Operation::Cells { room, action } if room == SAVEPOINTS => Some(action),
            _ => None,
        }
    }

    /// Whether it can be undone: what becomes of a draft, and a savepoint, change nothing of the book.
    pub fn is_step(&self) -> bool {
        !matches!(self, Operation::Draft(_)) && self.savepoint().is_none()
    }

    /// Its name, for people and in data.
    pub fn name(&self) -> &'static str {
        match self {
            Operation::Assert => "assert",
            Operation::Retract => "retract",
            Operation::Replace => "replace",
            Operation::Import(_) => "import",
            Operation::Unimport(_) => "unimport",
            Operation::Initialization { .. } => "initialization",
            Operation::Query(_) => "query",
            Operation::Cells { .. } => "cells",
            Operation::Upsert(_) => "upsert",
            Operation::Change => "change",
            Operation::Draft(_) => "draft",
            Operation::Accept { .. } => "accept",
            Operation::Reset => "reset",
            Operation::Undo(_) => "undo",
            Operation::Redo(_) => "redo",
        }
    }
}

/// Whether a predicate is known: calling it then fails without clauses, instead of raising an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Known {
    #[default]
    No,
    /// It has or had clauses that were given by themselves, or a file that is imported declares it.
    Written,
    /// Created by running code.
    ByRun,
}

/// What an operation does to the book.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Delta {
    pub removed: Vec<EntryId>,
    pub added: Vec<(EntryId, Entry)>,
    /// How predicates are known from now on, except those that become known through added clauses.
    pub known: Vec<(Rc<Predicate>, Known)>,
    pub cells: Vec<Cell>,
}

/// Who carried out an operation, if several processes share the book.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Author {
    /// The id of the process's connection to the book, unique among all connections ever.
    pub connection: String,
    /// The name of the client that requested it, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
}

/// `claude (3f0c2a91b7de)`.
impl fmt::Display for Author {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.client {
            Some(client) => write!(out, "{client} ({})", self.connection),
            None => self.connection.fmt(out),
        }
    }
}

/// When an operation was carried out, and by whom. These fields appear unchanged in journal records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// `None` in a book that is not shared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Author>,
}

/// One operation on the book.
#[derive(Debug, Clone, PartialEq)]
pub struct Revision {
    pub operation: Operation,
    pub stamp: Stamp,
    pub removed: Vec<(EntryId, Entry)>,
    pub added: Vec<(EntryId, Entry)>,
    /// Predicates that became known, known in another way, or unknown.
    pub known: Vec<KnownChange>,
    pub cells: Vec<CellChange>,
}

/// How a predicate was known before and after a revision.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownChange {
    pub predicate: Rc<Predicate>,
    pub before: Known,
    pub after: Known,
}

/// The operation that an undo or redo refers to.
pub fn original(number: u64, revision: &Revision) -> u64 {
    match revision.operation {
        Operation::Undo(of) | Operation::Redo(of) => of,
        _ => number,
    }
}

impl Revision {
    /// What reverses it.
    pub async fn reversed(&self, pace: &Pace) -> Delta {
        let before = |change: &KnownChange| (change.predicate.clone(), change.before);
        Delta {
            removed: pace.collect(self.added.iter().map(|(id, _)| *id)).await,
            added: pace.collect(self.removed.iter().cloned()).await,
            known: pace.collect(self.known.iter().map(before)).await,
            cells: pace.collect(self.cells.iter().map(CellChange::reversed)).await,
        }
    }
}

impl Book {
    /// The revision that an operation would be; `None` if it would change nothing and is not an undo or redo.
    /// Ids that are not in the book are ignored.
    pub fn plan(&self, operation: Operation, at_ms: u64, delta: Delta) -> Option<Revision> {
        at_once(self.plan_in_slices(operation, at_ms, delta, &Pace::unbroken()))
    }

    /// Like `plan`, for operations of any size.
    pub async fn plan_in_slices(
        &self,
        operation: Operation,
        at_ms: u64,
        delta: Delta,
        pace: &Pace,
    ) -> Option<Revision> {
        let Delta {
            removed,
            added,
            known,
            cells,
        } = delta;
        let mut ids = removed;
        ids.sort_unstable();
        ids.dedup();
        let mut removed = Vec::with_capacity(ids.len());
        for id in ids {
            removed.extend(self.get(id).map(|entry| (id, entry.clone())));
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        let mut becomes: BTreeMap<Rc<Predicate>, Known> = known.into_iter().collect();
        let mut before: Option<&Rc<Predicate>> = None;
        for (_, entry) in added.iter().filter(|(_, entry)| entry.is_clause()) {
            if pace.is_over(1) {
                pace.rest().await;
            }
            let predicate = entry.predicate();
            if before
                .replace(predicate)
                .is_some_and(|before| Rc::ptr_eq(before, predicate))
            {
                continue;
            }
            let known = becomes
                .get(predicate)
                .copied()
                .unwrap_or(self.standing(predicate).known);
            if known == Known::No {
                becomes.insert(predicate.clone(), Known::Written);
            }
        }
        if operation == Operation::Reset {
            let known = self.predicates.iter();
            becomes = known
                .map(|(predicate, _)| (predicate.clone(), Known::No))
                .collect();
        }
        let change = |(predicate, after): (Rc<Predicate>, Known)| {
            let before = self.standing(&predicate).known;
            (before != after).then_some(KnownChange {
                predicate,
                before,
                after,
            })
        };
        let known: Vec<KnownChange> = becomes.into_iter().filter_map(change).collect();
        let mut cells = cells;
        // An import that leaves nothing of a file says so itself, with the file's new text.
        let mut emptied = self.emptied_by(&operation, &removed, &added, pace).await;
        emptied.retain(|one| {
            !cells
                .iter()
                .any(|cell| (&cell.room, &cell.key) == (&one.room, &one.key))
        });
        cells.extend(emptied);
        let cells = self.cells.plan(cells);
        // An undo or redo counts even if its effect is already there, and a savepoint has none.
        let counts =
            matches!(operation, Operation::Undo(_) | Operation::Redo(_)) || operation.savepoint().is_some();
        let nothing =
            !counts && removed.is_empty() && added.is_empty() && known.is_empty() && cells.is_empty();
        (!nothing).then_some(Revision {
            operation,
            stamp: Stamp { at_ms, by: None },
            removed,
            added,
            known,
            cells,
        })
    }

    /// Carry out a revision that was planned for the book as it is, and append it to the journal.
    pub fn apply(&mut self, revision: impl Into<Rc<Revision>>) -> Effect {
        at_once(self.apply_in_slices(revision, &Pace::unbroken()))
    }

    /// Like `apply`, for revisions of any size. If it is dropped before it completes, the book is unusable:
    /// apply it to a copy.
    pub async fn apply_in_slices(&mut self, revision: impl Into<Rc<Revision>>, pace: &Pace) -> Effect {
        let revision = revision.into();
        let effect = self.carry_out(&revision, pace).await;
        self.write(revision);
        effect
    }

    /// Carry out a revision, and leave the history as it is.
    pub(super) async fn carry_out(&mut self, revision: &Revision, pace: &Pace) -> Effect {
        let mut effect = Effect {
            symbols: !revision.known.is_empty(),
            cells: !revision.cells.is_empty(),
            ..Effect::default()
        };
        let gone = self.gone_under(&revision.added);
        for (id, _) in &revision.removed {
            if self.aside.contains_key(id) {
                Rc::make_mut(&mut self.aside).remove(id);
            }
            self.take_out(*id, &mut effect);
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        for change in &revision.known {
            let standing = self
                .predicates
                .get_or_insert_with(&change.predicate, Standing::default);
            standing.known = change.after;
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        for (id, entry) in &revision.added {
            self.enter(*id, entry.clone(), &mut effect);
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        for (source, gone) in &gone {
            self.carry_gone(source, gone, pace).await;
        }
        let undone = matches!(revision.operation, Operation::Undo(_));
        for change in &revision.cells {
            self.cells.apply(change, undone);
        }
        effect
    }
}
