//! Data that any tool may return, and the data of each tool by name, for TypeScript.

use hornbook_base::Fault;
use serde::Serialize;

/// What the data of any tool may contain besides its own.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct Notices {
    /// What the caller should know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notices: Option<Vec<String>>,
    /// Signs that the result may not be what was intended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warnings: Option<Vec<String>>,
}

/// Why a tool call failed.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Failed {
    pub error: Fault,
}

/// The data that each tool returns, by name. Tools not listed return an object of any shape.
#[cfg(feature = "typescript")]
#[derive(ts_rs::TS)]
pub struct ToolResults {
    pub clauses: crate::prolog::results::ClausesResult,
    pub files: crate::prolog::results::FilesResult,
    pub workspace: crate::prolog::results::WorkspaceResult,
    pub query_start: crate::prolog::results::QueryStartResult,
    pub query_next: crate::prolog::results::QueryAnswers,
    pub query_close: crate::prolog::results::QueryCloseResult,
    pub dml_run: crate::dml::results::DmlRunResult,
    pub workflow_run: crate::workflow::results::WorkflowResult,
    pub workflow_resume: crate::workflow::results::WorkflowResult,
    pub workflow_runs: crate::workflow::results::WorkflowRunsResult,
}

/// The data of tools that have several operations, by tool and operation.
#[cfg(feature = "typescript")]
#[derive(ts_rs::TS)]
pub struct OperationResults {
    #[ts(
        rename = "files import",
        type = "Extract<FilesResult, { type: \"file_import\" }>"
    )]
    pub files_import: (),
    #[ts(
        rename = "files reload",
        type = "Extract<FilesResult, { type: \"file_import\" }>"
    )]
    pub files_reload: (),
    #[ts(
        rename = "files unimport",
        type = "Extract<FilesResult, { type: \"file_unimport\" }>"
    )]
    pub files_unimport: (),
    #[ts(
        rename = "files list",
        type = "Extract<FilesResult, { type: \"files_list\" }>"
    )]
    pub files_list: (),
    #[ts(
        rename = "workspace snapshot",
        type = "Extract<WorkspaceResult, { type: \"workspace_snapshot\" }>"
    )]
    pub workspace_snapshot: (),
    #[ts(
        rename = "workspace reset",
        type = "Extract<WorkspaceResult, { type: \"workspace_reset\" }>"
    )]
    pub workspace_reset: (),
    #[ts(
        rename = "workspace list_symbols",
        type = "Extract<WorkspaceResult, { type: \"workspace_symbols\" }>"
    )]
    pub workspace_list_symbols: (),
    #[ts(
        rename = "workspace list_queries",
        type = "Extract<WorkspaceResult, { type: \"workspace_queries\" }>"
    )]
    pub workspace_list_queries: (),
    #[ts(
        rename = "workspace undo",
        type = "Extract<WorkspaceResult, { type: \"workspace_undo\" }>"
    )]
    pub workspace_undo: (),
    #[ts(
        rename = "workspace redo",
        type = "Extract<WorkspaceResult, { type: \"workspace_redo\" }>"
    )]
    pub workspace_redo: (),
    #[ts(
        rename = "workspace savepoint",
        type = "Extract<WorkspaceResult, { type: \"workspace_savepoint\" }>"
    )]
    pub workspace_savepoint: (),
    #[ts(
        rename = "workspace history",
        type = "Extract<WorkspaceResult, { type: \"workspace_history\" }>"
    )]
    pub workspace_history: (),
    #[ts(
        rename = "workspace diff",
        type = "Extract<WorkspaceResult, { type: \"workspace_diff\" }>"
    )]
    pub workspace_diff: (),
    #[ts(
        rename = "workspace provenance",
        type = "Extract<WorkspaceResult, { type: \"workspace_provenance\" }>"
    )]
    pub workspace_provenance: (),
    #[ts(
        rename = "workspace why",
        type = "Extract<WorkspaceResult, { type: \"workspace_why\" }>"
    )]
    pub workspace_why: (),
}
