//! What every tool may give as data beside its own, and the data of each by its name, for TypeScript.

use hornbook_base::Fault;
use serde::Serialize;

/// What the data of any tool may have beside its own.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct Beside {
    /// What the caller should know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notices: Option<Vec<String>>,
    /// What is perhaps not what was meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warnings: Option<Vec<String>>,
}

/// Why a tool did not do what it was asked.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Failed {
    pub error: Fault,
}

/// What the tools give as data, by their names. What is not listed is an object of any shape.
#[cfg(feature = "typescript")]
#[derive(ts_rs::TS)]
pub struct ToolResults {
    pub clauses: crate::prolog::results::ClausesResult,
    pub files: crate::prolog::results::FilesResult,
    pub workspace: crate::prolog::results::WorkspaceResult,
    pub query_start: crate::prolog::results::QueryStartResult,
    pub query_next: crate::prolog::results::QueryAnswers,
    pub query_close: crate::prolog::results::QueryCloseResult,
    pub dml_run: crate::dml::DmlRunResult,
    pub workflow_run: crate::workflow::results::WorkflowResult,
    pub workflow_resume: crate::workflow::results::WorkflowResult,
    pub workflow_runs: crate::workflow::results::WorkflowRunsResult,
}
