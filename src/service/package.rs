//! Arguments and results of the npm package's classes, besides MCP.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::report::followed;
use hornbook_base::{Fault, FaultKind};
use hornbook_workspace::{
    About, Answer, Answers, ClauseOutcome, ClausesReport, Difference, History, ImportReport, Notice,
    OutcomeResult, QueryStarted, Replaced, Reversal, RevisionInfo, Symbol, UnimportReport, Upserted, Watched,
};

use crate::next_step;

/// The options of a workspace; all are optional.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", default)]
pub struct Options {
    /// Directories whose files may be imported. Default: none.
    pub roots: Option<Vec<String>>,
    /// Libraries to load in addition to the usual ones.
    pub libraries: Option<Vec<String>>,
    /// The toolsets to serve, of `"prolog"`, `"dml"`, `"workflow"`, and `"memory"` or `"memory-read"`.
    /// Default: `["prolog"]`.
    pub tools: Option<Vec<String>>,
    /// How programs of the tool `dml_run` may use the book with `book:Goal`. Default: not at all.
    #[cfg_attr(feature = "typescript", ts(type = "\"read\" | \"write\"", optional))]
    pub dml_book: Option<String>,
    /// What calling an undefined predicate does. Default: `"error"`.
    #[cfg_attr(feature = "typescript", ts(type = "\"error\" | \"fail\"", optional))]
    pub unknown: Option<String>,
    /// The time limit of a query that does not set its own, in milliseconds. Default: 30,000.
    pub timeout_ms: Option<u64>,
    /// How many queries may take long at a time, each in a Prolog engine of its own; from two on, one more engine is left to
    /// what is short. Those beyond the first are started when a query would have to wait for another. Default: 2.
    pub engines: Option<usize>,
    /// The half-life in days of the relevance of a high-confidence experience in the memory, by type. Default:
    /// `{ solution: 200, pattern: 300, decision: 100, workaround: 50, gotcha: 200 }`.
    #[cfg_attr(
        feature = "typescript",
        ts(
            type = "{ solution?: number, pattern?: number, decision?: number, workaround?: number, gotcha?: number }",
            optional
        )
    )]
    pub half_lives: Option<BTreeMap<String, f64>>,
    /// Limits by name (docs/limits.md).
    #[cfg_attr(feature = "typescript", ts(type = "Limits", optional))]
    pub limits: Option<BTreeMap<String, u64>>,
}

/// The result of loading a file's text.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Saved {
    pub clauses_added: usize,
    /// `line:column: message`, one for each clause that was not added and each failed `initialization/1`.
    pub errors: Vec<String>,
    pub output: String,
    /// Other things to know: predicates that modules have in common, files that became parts of a module.
    pub notices: Vec<String>,
}

impl From<ImportReport> for Saved {
    fn from(report: ImportReport) -> Saved {
        Saved {
            clauses_added: report.clauses_added,
            errors: report.errors,
            output: report.output,
            notices: report.warnings.into_iter().chain(texts(report.notices)).collect(),
        }
    }
}

/// An imported file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct Imported {
    pub filename: String,
    /// Those that are new in the book.
    pub clauses_added: usize,
    /// Clauses that the file had before and has no more.
    pub clauses_removed: usize,
    /// Clauses that the file had before and still has.
    pub clauses_kept: usize,
    /// As in [`Saved`].
    pub errors: Vec<String>,
    pub output: String,
    pub notices: Vec<String>,
    /// What was found out about a table; of a workbook, about that of its first sheet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<ImportedTable>,
    /// Of a workbook with several sheets: what was found out about each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<Vec<ImportedTable>>,
    /// Of a document: how many it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub characters: Option<usize>,
}

/// A table that was imported: each row is a fact.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ImportedTable {
    /// The predicate of its rows.
    pub name: String,
    pub rows: usize,
    /// In the order of the arguments.
    pub columns: Vec<ImportedColumn>,
    /// What was assumed, and what did not fit, each a sentence.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ImportedColumn {
    pub name: String,
    #[cfg_attr(
        feature = "typescript",
        ts(type = "\"number\" | \"text\" | \"boolean\" | \"list\" | \"object\" | \"mixed\" | \"null\"")
    )]
    pub kind: &'static str,
    /// How many of its values are missing.
    pub nulls: usize,
    /// The first different values as they are written in the facts, at most two, each shortened.
    pub examples: Vec<String>,
}

impl From<About> for ImportedTable {
    fn from(about: About) -> ImportedTable {
        let columns = about.columns.into_iter().map(|column| ImportedColumn {
            name: column.name,
            kind: column.kind.name(),
            nulls: column.nulls,
            examples: column.examples,
        });
        ImportedTable {
            name: about.name,
            rows: about.rows,
            columns: columns.collect(),
            notes: about.notes,
        }
    }
}

impl From<ImportReport> for Imported {
    fn from(report: ImportReport) -> Imported {
        let Replaced { kept, removed } = report.replaced.unwrap_or_default();
        let tables: Vec<ImportedTable> = report.tables.into_iter().map(ImportedTable::from).collect();
        Imported {
            filename: report.filename,
            clauses_added: report.clauses_added.saturating_sub(kept),
            clauses_removed: removed,
            clauses_kept: kept,
            errors: report.errors,
            output: report.output,
            notices: texts(report.notices),
            table: tables.first().cloned(),
            tables: (tables.len() > 1).then_some(tables),
            characters: report.document.map(|document| document.characters),
        }
    }
}

/// What was thrown, or ended the answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct Failure {
    /// As in tool replies, such as `syntax_error`.
    pub kind: String,
    /// Includes what to do next.
    pub message: String,
    /// From 1; for syntax errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// From 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

impl From<&Fault> for Failure {
    fn from(fault: &Fault) -> Failure {
        let next = match fault.next.is_empty() {
            true => in_a_program(fault.kind).unwrap_or_else(|| next_step(fault)),
            false => next_step(fault),
        };
        let mut message = fault.message.clone();
        followed(&mut message, next);
        Failure {
            kind: name_of(fault.kind),
            message: in_package_words(&message),
            line: fault.line,
            column: fault.column,
        }
    }
}

/// What programs call otherwise than the tools do.
const WORDS: [(&str, &str); 4] = [
    ("timeout_ms", "timeoutMs"),
    (
        "workspace list_symbols shows the predicates.",
        "source() shows the clauses.",
    ),
    ("`workspace history`", "`history()`"),
    (
        "query_next gives those after them",
        "the loop over the answers gives those after them",
    ),
];

fn in_package_words(message: &str) -> String {
    let mut message = message.to_owned();
    for (of_tools, of_package) in WORDS {
        message = message.replace(of_tools, of_package);
    }
    message
}

/// The advice for a kind of fault where it differs from that for the tools: here methods and options are called as in
/// the package.
fn in_a_program(kind: FaultKind) -> Option<&'static str> {
    use FaultKind::*;
    Some(match kind {
        UnsafeGoal => "Use predicates that the sandbox allows (docs/sandbox.md).",
        NoSuchQuery | QueryStopped => "Begin the loop over its answers again.",
        FileError | NotImported => "files() lists what is imported.",
        FilePathViolation => {
            "Use a path inside the allowed directories, or open the book with other `roots`."
        }
        NoRoots => "Give the contents as text, or open the book with `roots`.",
        NothingToUndo => "history() lists what was done.",
        NothingToRedo => "Only what was undone last can be redone; history() lists what was done.",
        NoSuchRevision => "history() lists the revisions.",
        Conflict => "Try again: the book has what the other process did.",
        EngineUnavailable => "Try again in a moment.",
        _ => return None,
    })
}

fn name_of(kind: FaultKind) -> String {
    serde_json::to_value(kind)
        .ok()
        .and_then(|name| name.as_str().map(str::to_owned))
        .unwrap_or_default()
}

/// Answers of a query, as the engine returns them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct Step {
    pub id: String,
    /// The query's variables, in order; only when it starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variables: Option<Vec<String>>,
    pub answers: Vec<StepAnswer>,
    /// Whether more may follow.
    pub more: bool,
    /// Written after the last answer.
    pub output: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    pub notices: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct StepAnswer {
    /// Name, text, and the value as JSON (docs/engine-protocol.md).
    #[cfg_attr(
        feature = "typescript",
        ts(type = "[name: string, text: string, json: unknown][]")
    )]
    pub bindings: Vec<(String, String, Value)>,
    pub residual: Vec<String>,
    pub output: String,
    /// Neither true nor false, by the well-founded semantics of tabled negation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined: Option<bool>,
}

impl From<Answer> for StepAnswer {
    fn from(answer: Answer) -> StepAnswer {
        let bindings = answer.bindings.into_iter();
        StepAnswer {
            bindings: bindings
                .map(|binding| (binding.name, binding.text, binding.json))
                .collect(),
            residual: answer.residual,
            output: answer.output,
            undefined: answer.undefined.then_some(true),
        }
    }
}

/// What a watched goal answers after a revision.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct WatchedStep {
    pub answers: Vec<StepAnswer>,
    /// Whether there are more answers than are compared.
    pub more: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    pub revision: u64,
}

impl From<Watched> for WatchedStep {
    fn from(watched: Watched) -> WatchedStep {
        WatchedStep {
            answers: watched.answers.into_iter().map(StepAnswer::from).collect(),
            more: watched.more,
            failure: watched.fault.as_ref().map(Failure::from),
            revision: watched.revision,
        }
    }
}

impl From<Answers> for Step {
    fn from(answers: Answers) -> Step {
        Step {
            id: answers.query_id,
            variables: None,
            answers: answers.answers.into_iter().map(StepAnswer::from).collect(),
            more: answers.more,
            output: answers.output,
            failure: answers.fault.as_ref().map(Failure::from),
            notices: texts(answers.notices),
        }
    }
}

/// For a query that was also asked for its first answers.
impl From<QueryStarted> for Step {
    fn from(started: QueryStarted) -> Step {
        let mut step = Step::from(started.answers.expect("answers were asked for"));
        step.variables = Some(started.variables);
        step.notices.extend(texts(started.notices));
        step
    }
}

/// What became of the clauses of a call. Those that succeeded are not told one by one: there may be very many.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Outcomes {
    /// In their order.
    pub failed: Vec<Failed>,
    /// How many succeeded.
    pub succeeded: usize,
    pub notices: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Failed {
    /// Which of the clauses it was, from 0. A text of several counts as that many.
    pub index: usize,
    pub clause: String,
    pub failure: Failure,
}

impl From<ClausesReport> for Outcomes {
    fn from(report: ClausesReport) -> Outcomes {
        let failed = |(index, ClauseOutcome { clause, result })| match result {
            OutcomeResult::Success => None,
            OutcomeResult::Error {
                message,
                kind,
                line,
                column,
            } => Some(Failed {
                index,
                clause,
                failure: Failure {
                    kind: name_of(kind),
                    message,
                    line,
                    column,
                },
            }),
        };
        let all = report.outcomes.len();
        let outcomes = report.outcomes.into_iter().enumerate();
        let failed: Vec<Failed> = outcomes.filter_map(failed).collect();
        Outcomes {
            succeeded: all - failed.len(),
            failed,
            notices: texts(report.notices),
        }
    }
}

/// What became of facts that were brought up to date.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct UpsertCounts {
    pub added: usize,
    pub replaced: usize,
    pub unchanged: usize,
    pub notices: Vec<String>,
}

impl From<Upserted> for UpsertCounts {
    fn from(done: Upserted) -> UpsertCounts {
        UpsertCounts {
            added: done.added,
            replaced: done.replaced,
            unchanged: done.unchanged,
            notices: texts(done.notices),
        }
    }
}

/// A predicate of the book.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct PredicateInfo {
    pub name: String,
    pub arity: u32,
    /// Of a table: the names of its columns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<Vec<String>>,
}

impl From<Symbol> for PredicateInfo {
    fn from(symbol: Symbol) -> PredicateInfo {
        PredicateInfo {
            name: symbol.predicate.name,
            arity: symbol.predicate.arity,
            columns: symbol.columns,
        }
    }
}

/// A file that was removed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Unimported {
    pub filename: String,
    pub clauses_removed: usize,
    pub notices: Vec<String>,
}

impl From<UnimportReport> for Unimported {
    fn from(report: UnimportReport) -> Unimported {
        Unimported {
            filename: report.filename,
            clauses_removed: report.clauses_removed,
            notices: texts(report.notices),
        }
    }
}

/// The revisions of a book.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Revisions {
    /// Newest first.
    pub revisions: Vec<RevisionInfo>,
    /// How many earlier ones are kept.
    pub older: usize,
    /// The number of the last revision of the book.
    pub revision: u64,
    /// How many operations can be undone, and redone.
    pub undoable: usize,
    pub redoable: usize,
}

impl From<History> for Revisions {
    fn from(history: History) -> Revisions {
        Revisions {
            revisions: history.revisions,
            older: history.older,
            revision: history.revision,
            undoable: history.undoable,
            redoable: history.redoable,
        }
    }
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

impl From<Difference> for Changes {
    fn from(found: Difference) -> Changes {
        Changes {
            from: found.from,
            to: found.to,
            text: found.text,
            added: found.added,
            removed: found.removed,
            cut: found.cut,
            coarse: found.coarse,
        }
    }
}

/// The result of an undo or a redo.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Reversed {
    /// How many operations were undone or redone.
    pub steps: usize,
    /// Clauses that were restored and removed.
    pub added: usize,
    pub removed: usize,
    /// How many operations can still be undone and redone.
    pub undoable: usize,
    pub redoable: usize,
    pub notices: Vec<String>,
}

impl From<Reversal> for Reversed {
    fn from(done: Reversal) -> Reversed {
        Reversed {
            steps: done.steps,
            added: done.added,
            removed: done.removed,
            undoable: done.undoable,
            redoable: done.redoable,
            notices: texts(done.notices),
        }
    }
}

fn texts(notices: Vec<Notice>) -> Vec<String> {
    notices.into_iter().map(|notice| notice.0).collect()
}
