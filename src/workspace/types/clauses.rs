//! Clauses and files: what was added, removed, listed.

use hornbook_base::FaultKind;
use hornbook_book::Predicate;
use hornbook_tables::About;
use serde::Serialize;

use super::Notice;

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
    /// How many clauses of its text were retracted since it was imported, and stay retracted.
    pub retracted: usize,
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
            retracted: 0,
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
