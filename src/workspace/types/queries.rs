//! Queries, their answers, and rows that are replaced by their keys.

use hornbook_base::Fault;
use serde::Serialize;
use serde_json::Value;

use super::Notice;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct QueryStart {
    pub query: String,
    /// Clauses that hold for this query alone, as text. Whatever the query changes is then gone with it, even if
    /// there are none.
    pub assume: Option<Vec<String>>,
    pub use_engine: Option<bool>,
    pub query_id: Option<String>,
    pub take: Option<usize>,
    pub timeout_ms: Option<u64>,
    /// What the history and the list of open queries show instead of its text.
    pub shown_as: Option<String>,
    /// Whoever started it takes its answers one after the other and closes it, as a loop of a program does: it
    /// is not closed for being idle, and does not count as one of the `open_queries`.
    pub awaited: bool,
    pub leaves: Leaves,
    /// How many characters of its text are values that a program has put into it.
    pub value_chars: usize,
    /// The JSON of its answers tells atoms from strings, and floats from integers.
    pub exact: bool,
}

/// What a query leaves in its engine, as global variables and flags, for later queries of whatever client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Leaves {
    /// What it sets.
    #[default]
    All,
    Nothing,
    /// Nothing, as somebody else has asked it; so it does not call the predicates that the host answers either.
    NothingAnywhere,
}

/// Facts of one predicate that are to replace those with the same key.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Upsert {
    /// Its name.
    pub predicate: String,
    pub arity: usize,
    /// The text of each value, row after row.
    pub values: Vec<String>,
    /// The places that tell facts apart, from 0.
    pub key: Vec<usize>,
}

/// How many rows were new, replaced facts, and were facts already.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Upserted {
    pub added: usize,
    pub replaced: usize,
    pub unchanged: usize,
    pub notices: Vec<Notice>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct QueryNext {
    pub query_id: Option<String>,
    pub take: Option<usize>,
    pub timeout_ms: Option<u64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct QueryStarted {
    pub query_id: String,
    pub query: String,
    /// How many clauses and directives hold for this query alone, if it assumes anything.
    pub assumed: Option<usize>,
    /// How many clauses of the book are gone for it.
    pub gone: usize,
    pub use_engine: bool,
    pub variables: Vec<String>,
    /// Present when `take` was given.
    pub answers: Option<Answers>,
    pub notices: Vec<Notice>,
}

/// A query that can be asked for more.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OpenQuery {
    pub query_id: String,
    pub query: String,
    /// How many it has given.
    pub solutions: usize,
    /// For how long nobody has asked it, in milliseconds.
    pub idle_ms: u64,
}

/// The answers of one call.
#[derive(Debug, Clone, PartialEq)]
pub struct Answers {
    pub query_id: String,
    /// How many answers the query gave before these.
    pub before: usize,
    pub answers: Vec<Answer>,
    /// Whether more may follow.
    pub more: bool,
    /// Output after the last answer.
    pub output: String,
    /// Why the answers end here, if an error ended them. The workspace is then as it was before the call.
    pub fault: Option<Fault>,
    /// Entries that running code added to and removed from the book.
    pub added: usize,
    pub removed: usize,
    /// Changes undone because the query had an error, a timeout or no answer.
    pub undone: usize,
    /// The nearest reason why the query, or a goal within one of its goals, has no answer.
    pub hint: Option<String>,
    pub notices: Vec<Notice>,
}

impl Answers {
    /// Split off the answers from `at` on, as the answers of the next call; `self` then reports that more
    /// follow.
    pub fn split_off(&mut self, at: usize) -> Answers {
        let answers = self.answers.split_off(at);
        let rest = Answers {
            query_id: self.query_id.clone(),
            before: self.before + at,
            answers,
            more: self.more,
            output: std::mem::take(&mut self.output),
            fault: self.fault.take(),
            added: 0,
            removed: 0,
            undone: std::mem::take(&mut self.undone),
            hint: self.hint.take(),
            notices: Vec::new(),
        };
        self.more = true;
        rest
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub bindings: Vec<Binding>,
    /// Constraints that remain, as Prolog goals.
    pub residual: Vec<String>,
    pub output: String,
    /// Neither true nor false, by the well-founded semantics of tabled negation.
    pub undefined: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Binding {
    pub name: String,
    /// The value as Prolog text.
    pub text: String,
    /// The value as JSON (`docs/engine-protocol.md`).
    pub json: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub struct QueryClosed {
    pub query_id: Option<String>,
    /// False when no such query was open; not an error.
    pub was_open: bool,
}
