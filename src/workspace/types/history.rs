//! Revisions, and where clauses come from.

use serde::Serialize;

use super::{Answer, Notice};

/// A revision of the book: when, and by what.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct Event {
    /// Counted from 1.
    pub revision: u64,
    /// Milliseconds since 1970.
    pub timestamp: u64,
    /// `assert`, `retract`, `import`, `unimport`, `initialization`, `query`, `cells`, `change`, `draft`, `accept`,
    /// `reset`, `undo` or `redo`.
    pub operation: &'static str,
    /// For `import` and `unimport`, and the undo and redo of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filename: Option<String>,
    /// The query or the initialization goal that made the changes, or that was undone or redone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// What a capability did to its cells, `room: action`; or which draft changed or was accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// The revision that was undone or redone, and its operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<u64>,
    #[serde(skip)]
    pub of_operation: &'static str,
    /// Which other process did it, of those that share the book: the name of its client, and the id of its connection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// A revision, with how many clauses and directives it added and removed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct RevisionInfo {
    #[serde(flatten)]
    pub event: Event,
    pub added: usize,
    pub removed: usize,
}

/// The book as it was after a revision.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Past {
    pub revision: u64,
    /// How many clauses and directives the book had.
    pub total: usize,
    /// In the order of the book; if not all of them, those that were added last.
    pub entries: Vec<PastEntry>,
    /// The ids of those that this revision added.
    pub fresh: Vec<String>,
    /// What this revision removed.
    pub removed: Vec<PastEntry>,
}

/// A clause or directive of a book as it was.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct PastEntry {
    pub id: String,
    /// Without the comments before it.
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// In the file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The revision that added it, unless that is no longer kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added: Option<u64>,
}

/// Whose operations are undone and redone, in a book that several processes share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Whose {
    /// Those of this process, and those from before it opened the book if no other process had it then.
    #[default]
    Own,
    All,
}

#[derive(Debug, Clone, PartialEq)]
pub struct History {
    /// Newest first.
    pub revisions: Vec<RevisionInfo>,
    /// How many earlier revisions are kept.
    pub older: usize,
    /// The number of the last revision of the book.
    pub revision: u64,
    /// How many operations can be undone, and redone.
    pub undoable: usize,
    pub redoable: usize,
}

/// What an undo or a redo did.
#[derive(Debug, Clone, PartialEq)]
pub struct Reversal {
    /// How many operations were undone or redone; each is a new revision.
    pub steps: usize,
    /// The new revisions in order, or the first of them if there are very many.
    pub revisions: Vec<RevisionInfo>,
    /// Clauses and directives added and removed in all.
    pub added: usize,
    pub removed: usize,
    /// How many operations can still be undone, and redone.
    pub undoable: usize,
    pub redoable: usize,
    pub queries_closed: usize,
    pub notices: Vec<Notice>,
}

/// A savepoint that was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Savepoint {
    pub revision: u64,
    /// The revision of the one that had this name before.
    #[serde(rename = "movedFrom", skip_serializing_if = "Option::is_none")]
    pub moved_from: Option<u64>,
}

/// The differences between two revisions of a book.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Changes {
    pub from: u64,
    pub to: u64,
    /// Hunks in the unified format; empty if there are no differences.
    pub text: String,
    /// Counted in lines.
    pub added: usize,
    pub removed: usize,
    /// Whether `text` was too long and was cut off.
    pub cut: bool,
    /// Whether long stretches of repeated lines are reported as changed as a whole.
    pub coarse: bool,
}

/// What a goal answers after one revision and not after another.
#[derive(Debug, Clone, PartialEq)]
pub struct Consequence {
    pub goal: String,
    /// Answers of the second revision only.
    pub gained: Vec<Answer>,
    /// Answers of the first revision only.
    pub lost: Vec<Answer>,
    /// How many answers were found in the first and in the second revision.
    pub answers: (usize, usize),
    /// Why these may not be all, for the first and for the second: part of a sentence.
    pub unknown: (Option<String>, Option<String>),
}

/// Where a clause or a directive came from, and how it went.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ClauseOrigin {
    pub clause: String,
    /// `inline`, `file` or `run`.
    pub origin: &'static str,
    /// For `file`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filename: Option<String>,
    /// In the file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// What added it, if that is still kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added: Option<Event>,
    /// Instead of `added`: the last revision that is no longer kept. This one or one before it added it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added_until: Option<u64>,
    /// For what is not in the book any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removed: Option<Event>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Origins {
    /// Those in the book, in its order, then removed ones, the last removed first.
    pub clauses: Vec<ClauseOrigin>,
    /// The total, which exceeds the length of `clauses` if there are too many.
    pub total: usize,
    /// What made the predicate known.
    pub known: Option<Event>,
}
