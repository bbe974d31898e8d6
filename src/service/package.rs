//! Arguments and results of the npm package's classes, besides MCP.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use hornbook_workspace::{
    Answer, Answers, ClauseOutcome, ClausesReport, History, Notice, OutcomeResult, QueryStarted, Reversal,
    RevisionInfo, Symbol, Upserted, Watched,
};

mod failure;
mod imported;

pub use failure::Failure;
use failure::name_of;
pub use imported::{Imported, ImportedColumn, ImportedTable, Saved, Unimported};

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
