//! What became of files.

use hornbook_workspace::{About, ImportReport, Replaced, UnimportReport};
use serde::Serialize;

use super::texts;

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
    /// Clauses of its text that were retracted since it was imported, and stay so: `unimport` the file first to have
    /// them again.
    pub clauses_retracted: usize,
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
            clauses_retracted: report.retracted,
            errors: report.errors,
            output: report.output,
            notices: texts(report.notices),
            table: tables.first().cloned(),
            tables: (tables.len() > 1).then_some(tables),
            characters: report.document.map(|document| document.characters),
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
