//! What the classes of the npm package take and give beside MCP.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use hornbook_workspace::ImportReport;

/// How a workspace is to be; all of it may be left out.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", default)]
pub struct Options {
    /// Directories whose files may be imported. None: none may.
    pub roots: Option<Vec<String>>,
    /// Libraries to load beside the usual ones.
    pub libraries: Option<Vec<String>>,
    /// The sets of tools to serve, of `"prolog"`, `"dml"`, and `"memory"` or `"memory-read"`. Default: `["prolog"]`.
    pub tools: Option<Vec<String>>,
    /// What calling an undefined predicate does. Default: `"error"`.
    #[cfg_attr(feature = "typescript", ts(type = "\"error\" | \"fail\"", optional))]
    pub unknown: Option<String>,
    /// The time limit of a query that does not ask for its own, in milliseconds. Default: 30,000.
    pub timeout_ms: Option<u64>,
    /// Limits by their names (docs/limits.md).
    #[cfg_attr(feature = "typescript", ts(type = "Limits", optional))]
    pub limits: Option<BTreeMap<String, u64>>,
}

/// What became of the text of a file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Saved {
    pub clauses_added: usize,
    /// `line:column: message`, one for each clause that was not added, and for each failed `initialization/1`.
    pub errors: Vec<String>,
    pub output: String,
    pub notices: Vec<String>,
}

impl From<ImportReport> for Saved {
    fn from(report: ImportReport) -> Saved {
        Saved {
            clauses_added: report.clauses_added,
            errors: report.errors,
            output: report.output,
            notices: report.notices.into_iter().map(|notice| notice.0).collect(),
        }
    }
}
