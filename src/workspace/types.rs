//! The arguments and results of a workspace's operations.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use hornbook_base::{Fault, FaultKind};
use hornbook_book::{Effect, Predicate};
use hornbook_tables::About;

/// The outcome of one clause of a `clauses` call, in the order given.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClauseOutcome {
    /// The text of the clause as given, without surrounding layout.
    pub clause: String,
    /// `success` or `error`.
    #[serde(flatten)]
    pub result: OutcomeResult,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum OutcomeResult {
    Success,
    Error {
        message: String,
        kind: FaultKind,
        #[serde(skip_serializing_if = "Option::is_none")]
        line: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        column: Option<u32>,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub struct ClausesReport {
    pub outcomes: Vec<ClauseOutcome>,
    /// The clauses that a retract removed, as they were written.
    pub removed: Vec<String>,
    /// Warnings about clauses that may not be what was meant.
    pub warnings: Vec<String>,
    pub notices: Vec<Notice>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ImportReport {
    /// The canonical path, or the name given with `text`.
    pub filename: String,
    /// The clauses of the file that the book has now.
    pub clauses_added: usize,
    /// What became of the clauses that the file had before, if it was in the book.
    pub replaced: Option<Replaced>,
    /// `line:column: message`, one for each clause that was not added, and for each failed `initialization/1`.
    pub errors: Vec<String>,
    /// The output of `initialization/1` goals.
    pub output: String,
    /// Warnings about clauses that may not be what was meant.
    pub warnings: Vec<String>,
    pub notices: Vec<Notice>,
    /// Of a table: what was found out about it, or about each of a workbook.
    pub tables: Vec<About>,
    pub document: Option<DocumentInfo>,
}

impl ImportReport {
    /// The report on a file of which nothing was imported.
    pub(crate) fn of(filename: String) -> ImportReport {
        ImportReport {
            filename,
            clauses_added: 0,
            replaced: None,
            errors: Vec::new(),
            output: String::new(),
            warnings: Vec::new(),
            notices: Vec::new(),
            tables: Vec::new(),
            document: None,
        }
    }
}

/// A document that was imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DocumentInfo {
    pub characters: usize,
    pub lines: usize,
    /// The book had the document before.
    pub is_replaced: bool,
}

/// The clauses that a file had before it was loaded again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Replaced {
    /// They are in the new contents, too.
    pub kept: usize,
    pub removed: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub struct UnimportReport {
    pub filename: String,
    pub clauses_removed: usize,
    pub is_document: bool,
    pub notices: Vec<Notice>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FileInfo {
    pub filename: String,
    pub clause_count: usize,
    /// How many characters it has, if it is a document and not clauses.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub characters: Option<usize>,
    /// When it was imported, milliseconds since 1970.
    pub timestamp: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    pub text: String,
    pub clause_count: usize,
    /// Whether more follows after this text.
    pub goes_on: bool,
}

/// A predicate of the user's, and how many clauses of it the book has.
#[derive(Debug, Clone, PartialEq)]
pub struct Symbol {
    pub predicate: Predicate,
    pub clause_count: usize,
    pub dynamic: bool,
    /// The names of its arguments, if its clauses come from a table, or its rows from one.
    pub columns: Option<Vec<String>>,
    /// Where its rows are, as its directive says, if they are linked data.
    pub linked: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ResetReport {
    pub clauses_removed: usize,
    pub queries_closed: usize,
}

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

/// What differs between two revisions.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
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
    pub added: Event,
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

/// How an answer came to be, or why there is none.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Proof {
    /// Whether the goal holds. Else the tree tells why it fails.
    pub holds: bool,
    /// Whether it only holds because it is undefined: neither true nor false.
    pub undefined: bool,
    /// The tree in preorder.
    pub nodes: Vec<ProofNode>,
    /// The clauses that the nodes name, by their ids.
    pub clauses: BTreeMap<String, ProofClause>,
    /// Whether the tree has more nodes than are told.
    pub cut: bool,
    /// The tree as indented lines.
    pub text: String,
}

/// One step of a proof.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ProofNode {
    /// 0 for the goals of the query.
    pub depth: usize,
    /// With the bindings of the answer.
    pub goal: String,
    /// Of what holds `clause`, `builtin`, `library(NAME)`, `negation`, `constraint`, `tabled`, `cut`, `neither` of what is undefined,
    /// neither true nor false, or `call` of a goal that others below it prove. Of what fails `fails`, with the clauses of the user's below it, or `fails(WHY)`: one of
    /// the words above, or `deep` where it was not looked into, or `undefined`. Below it `tried`, a clause with the goals
    /// at which it stops; `unmatched`, clauses whose heads do not match; `nearest`, one of these that comes near;
    /// `untried`, clauses that a cut kept from being tried; `also`, a later goal of the clause that fails, too; `reason`, the case
    /// or the result for which a goal of the system fails; `undefined`, with near names.
    pub how: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<i64>,
    /// For `fails` in how many ways its clause comes to such a goal, for `tried` which clause of its predicate it is, from
    /// 1, or without a clause how many more were tried, for `unmatched` and `untried` how many clauses there are.
    pub count: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ProofClause {
    pub text: String,
    /// `inline`, `file` or `run`; or `node`: it stands in the code of a workflow's node.
    #[cfg_attr(
        feature = "typescript",
        ts(type = "\"inline\" | \"file\" | \"run\" | \"node\"")
    )]
    pub origin: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filename: Option<String>,
    /// In the file, or in the code of the node, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

/// A port that a goal goes through.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct Port {
    /// `call`, `unify` (with the head of a clause), `exit`, `redo`, `fail` or `exception`; or `answer`, whose goal is the
    /// query; or `error`, whose goal is the message.
    pub port: String,
    /// 0 for the goals of the query.
    pub depth: usize,
    /// With the values that it has at this port.
    pub goal: String,
    /// The goals around it with the values that they have at this port, the innermost first; at most eight.
    pub around: Vec<String>,
    /// The goal's clause; for `call` and `fail`, and goals not looked into, the calling clause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<i64>,
}

/// A run of a query with all its answers, port by port.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Replay {
    /// In the order of the run.
    pub steps: Vec<Port>,
    /// The clauses that the steps name, by their ids.
    pub clauses: BTreeMap<String, ProofClause>,
    /// Whether the trace was truncated at the step limit.
    pub cut: bool,
}

/// Something wrong with a text, from `start` to `end` in UTF-16 units. An error's clause would not be added.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Problem {
    pub start: usize,
    pub end: usize,
    pub severity: Severity,
    /// Of an error, as in the replies of tools: `syntax_error`, `unsafe_goal`; of a warning `singleton`, `branch`, `goal`,
    /// `function`, `hyphen`, `rule`, `quotes`, `undefined`, `shadowed` or `apart`.
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub kind: ProblemKind,
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum ProblemKind {
    Error(FaultKind),
    Warning(&'static str),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The clause would not be added.
    Error,
    Warning,
}

/// What a text that is checked can see.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Around {
    /// The module of the file that includes the text.
    pub home: Option<String>,
    /// Modules of files, which need not be in the book.
    pub modules: Vec<String>,
}

/// A clause or directive of a text, from `start`, where its term begins, to `end`, in UTF-16 units.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OutlineItem {
    pub kind: OutlineKind,
    pub start: usize,
    pub end: usize,
    /// Comments before the term first, then what stands in it.
    pub marks: Vec<OutlineMark>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum OutlineKind {
    Fact,
    Rule,
    /// A rule of a grammar.
    Grammar,
    Directive,
    /// It cannot be read; it has no marks.
    Error,
    /// No clause, but the comments behind the last one.
    Comments,
}

/// What stands at a place of a text.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OutlineMark {
    pub kind: OutlineMarkKind,
    pub start: usize,
    pub end: usize,
    /// Of the predicate, where it is one: a rule of a grammar, or a goal that is called with more arguments, has those
    /// counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub arity: Option<u32>,
    /// What is written before the predicate, as in `lists:append`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub module: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum OutlineMarkKind {
    /// The name of the predicate that a clause is of.
    Head,
    /// That of a goal.
    Call,
    /// That of a predicate indicator, as in `dynamic`.
    Indicator,
    Variable,
    /// An atom, or the name of a compound.
    Atom,
    Number,
    String,
    Comment,
}

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
    /// It leaves the first engine to others, even if it has to wait for another engine.
    pub yields: bool,
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

/// Something the caller should know beside the result: an engine was restarted, queries were closed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Notice(pub String);

impl AsRef<str> for Notice {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// What changed, for `resources/updated` and `list_changed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Changed {
    pub clauses: bool,
    pub symbols: bool,
    /// Cells of any capability.
    pub cells: bool,
}

impl From<Effect> for Changed {
    fn from(effect: Effect) -> Changed {
        let Effect {
            clauses,
            symbols,
            cells,
        } = effect;
        Changed {
            clauses,
            symbols,
            cells,
        }
    }
}
