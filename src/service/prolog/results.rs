//! The data that the tools return besides text. Notices and warnings are added to it
//! ([`crate::results::Notices`]).

use std::collections::BTreeMap;

use hornbook_base::{Fault, FaultKind};
use hornbook_workspace::{ClauseOrigin, Event, FileInfo, OpenQuery, RevisionInfo};
use serde::Serialize;
use serde_json::Value;

/// From `clauses`: successes are counted, failures are listed.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ClausesResult {
    /// `assert`, `retract` or `replace`.
    pub operation: String,
    pub succeeded: usize,
    pub failed: usize,
    /// As many as fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failures: Option<Vec<ClauseFailure>>,
    /// The removed clauses as they were written; as many as fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removed: Option<Vec<String>>,
    /// What to do next, if something failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<&'static str>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ClauseFailure {
    /// The number of the clause in the call, from 1.
    pub number: usize,
    pub clause: String,
    pub message: String,
    pub kind: FaultKind,
    /// As in [`Fault`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "type")]
pub enum FilesResult {
    #[serde(rename = "file_import")]
    Import(FileImport),
    #[serde(rename = "file_unimport")]
    Unimport(FileUnimport),
    #[serde(rename = "files_list")]
    List(FileList),
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct FileImport {
    pub filename: String,
    pub clauses_added: usize,
    pub status: ImportStatus,
    /// `line:column: message`, one for each clause that was not added and each failed `initialization/1`; as
    /// many as fit.
    pub errors: Vec<String>,
    /// How many errors there are, if the file was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<usize>,
    /// What `initialization/1` goals wrote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Of a table: the name, type, missing values and examples of each column, in a line; as many as fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<Vec<String>>,
    /// Of a table: what was assumed, and what did not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<Vec<String>>,
    /// Of a document: how many it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub characters: Option<usize>,
    /// Why the file was not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Fault>,
}

#[derive(Serialize, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ImportStatus {
    Success,
    /// Some clauses have errors.
    Partial,
    Failed,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct FileUnimport {
    pub filename: String,
    pub clauses_removed: usize,
    pub status: UnimportStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Fault>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum UnimportStatus {
    Success,
    /// No such file was imported.
    NotFound,
    Failed,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct FileList {
    /// As many as fit.
    pub files: Vec<FileInfo>,
    /// How many files there are.
    pub count: usize,
    /// Where the list continues: `from` of the next call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<usize>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "type")]
pub enum WorkspaceResult {
    #[serde(rename = "workspace_snapshot")]
    Snapshot(WorkspaceSnapshot),
    #[serde(rename = "workspace_why")]
    Why(WorkspaceWhy),
    #[serde(rename = "workspace_symbols")]
    Symbols(WorkspaceSymbols),
    #[serde(rename = "workspace_queries")]
    Queries(WorkspaceQueries),
    #[serde(rename = "workspace_reset")]
    Reset(WorkspaceReset),
    #[serde(rename = "workspace_undo")]
    Undo(WorkspaceReversal),
    #[serde(rename = "workspace_redo")]
    Redo(WorkspaceReversal),
    #[serde(rename = "workspace_savepoint")]
    Savepoint(WorkspaceSavepoint),
    #[serde(rename = "workspace_history")]
    History(WorkspaceHistory),
    #[serde(rename = "workspace_diff")]
    Diff(WorkspaceDiff),
    #[serde(rename = "workspace_provenance")]
    Provenance(WorkspaceProvenance),
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceSnapshot {
    pub clause_count: usize,
    /// Source text, as much as fits.
    pub dump: String,
    /// The character where it continues: `from` of the next call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<usize>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct WorkspaceWhy {
    pub holds: bool,
    /// The tree as indented lines, as much as fits.
    pub why: String,
    /// The character where it continues: `from` of the next call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<usize>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct WorkspaceSymbols {
    /// How many predicates there are.
    pub count: usize,
    /// `name/arity`, as many as fit.
    pub predicates: Vec<String>,
    /// How many clauses each of `predicates` has.
    pub clauses: Vec<usize>,
    /// Where the list continues: `from` of the next call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<usize>,
    /// The constraints of the book, as many as fit, if the whole list was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<WorkspaceConstraint>>"))]
    pub constraints: Vec<WorkspaceConstraint>,
}

/// A constraint of the book.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct WorkspaceConstraint {
    /// The directive.
    pub constraint: String,
    /// Where it is, `file:line`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The messages of what violates it now.
    pub violated: Vec<String>,
    /// Why they are not all known: the error of its goal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct WorkspaceQueries {
    pub queries: Vec<OpenQuery>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceReset {
    pub status: Success,
    pub clauses_removed: usize,
    pub queries_closed: usize,
}

/// A name for a revision, to which undo goes back.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct WorkspaceSavepoint {
    pub name: String,
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub revision: u64,
}

/// The result of an undo or a redo.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceReversal {
    pub status: Success,
    /// How many operations were undone or redone.
    pub steps: usize,
    /// The new revisions, as many as fit.
    pub revisions: Vec<RevisionInfo>,
    /// Clauses and directives that were restored and removed.
    pub added: usize,
    pub removed: usize,
    /// How many operations can still be undone and redone.
    pub undoable: usize,
    pub redoable: usize,
    pub queries_closed: usize,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Success {
    Success,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct WorkspaceHistory {
    /// Newest first, as many as fit.
    pub revisions: Vec<RevisionInfo>,
    /// How many older revisions there are.
    pub older: usize,
    /// The number of the book's last revision.
    pub revision: u64,
    /// How many operations can be undone and redone.
    pub undoable: usize,
    pub redoable: usize,
    /// Where older revisions are: `to` of the next call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<u64>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceDiff {
    pub from: u64,
    pub to: u64,
    /// Hunks in unified format, as much as fits.
    pub diff: String,
    pub lines_added: usize,
    pub lines_removed: usize,
    /// Whether `diff` was cut.
    pub truncated: bool,
    /// Whether long runs of repeated lines are shown as changed in whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coarse: Option<bool>,
    /// If goals were given: what each of them answers otherwise, as many as fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goals: Option<Vec<GoalDifference>>,
    /// How many goals did not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goals_left_out: Option<usize>,
}

/// What a goal answers after one revision and not after another.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct GoalDifference {
    pub goal: String,
    /// Answers after the revision `to` only, as many as fit.
    pub gained: Vec<String>,
    /// Answers after the revision `from` only, as many as fit.
    pub lost: Vec<String>,
    /// How many of both did not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<usize>,
    /// Why there may be more answers after `from`; then none counts as gained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown_before: Option<String>,
    /// Why there may be more answers after `to`; then none counts as lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown_after: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct WorkspaceProvenance {
    /// What was asked about.
    pub of: String,
    /// As many as fit.
    pub clauses: Vec<ClauseOrigin>,
    /// How many clauses there are.
    pub total: usize,
    /// The event that made the predicate known.
    #[cfg_attr(feature = "typescript", ts(optional = false))]
    pub known: Option<Event>,
    /// Where the list continues: `from` of the next call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<usize>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum QueryStartResult {
    Ready(QueryReady),
    Answers(Box<QueryAnswers>),
}

/// A query that has not been asked for answers yet.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct QueryReady {
    pub query_id: String,
    pub mode: QueryMode,
    pub status: Ready,
    /// The query's variables, in order.
    pub variables: Vec<String>,
    /// How many clauses hold for this query only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assumed: Option<usize>,
    /// If `mode` is `engine`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine_ready: Option<bool>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum QueryMode {
    Engine,
    Standard,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Ready {
    Ready,
}

/// The answers of one call.
#[derive(Serialize, Default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct QueryAnswers {
    pub query_id: String,
    /// The query's variables, in order; only when it starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variables: Option<Vec<String>>,
    /// How many clauses hold for this query only; only when it starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assumed: Option<usize>,
    pub answers: Vec<AnswerValues>,
    /// Whether more may follow.
    pub more: bool,
    /// The tool that returns the rest, if more may follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<&'static str>,
    /// How many answers of this call did not fit in the reply (limit: `reply_tokens`); the next call returns
    /// them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<usize>,
    /// What was written after the last answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// The nearest reason why there is no answer, or why a goal within another one has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// What the query changed in the book, if anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<Changes>,
    /// The error that ended the answers, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Fault>,
}

/// An answer: the values of the variables by name, each a [`BoundValue`]. `residual`, `undefined` and `output`
/// cannot be names of variables.
#[derive(Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(type = "Record<string, unknown> & { residual?: string[], undefined?: true, output?: string }")
)]
pub struct AnswerValues {
    #[serde(flatten)]
    pub values: BTreeMap<String, BoundValue>,
    /// Residual goals: the constraints that remain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub residual: Option<Vec<String>>,
    /// True of an answer that is neither true nor false, by the well-founded semantics of tabled negation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined: Option<bool>,
    /// What was written before the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
}

/// The value of a variable.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum BoundValue {
    /// Prolog text.
    Text(String),
    /// Text that cannot be read back, together with the value as JSON (docs/engine-protocol.md).
    Both { text: String, json: Value },
}

/// Clauses added to and removed from the book, and changes undone because the query had an error or no
/// answer.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Changes {
    pub added: usize,
    pub removed: usize,
    pub undone: usize,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "type")]
pub enum QueryCloseResult {
    #[serde(rename = "query_close")]
    Close(QueryClose),
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct QueryClose {
    pub status: CloseStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query_id: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum CloseStatus {
    Closed,
    /// No such query was open.
    NoActiveSession,
}
