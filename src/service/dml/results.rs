//! The data that `dml_run` returns.

use serde::Serialize;

use hornbook_base::Fault;

/// The data that `dml_run` returns.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "type")]
pub enum DmlRunResult {
    #[serde(rename = "dml_run")]
    Run(DmlRun),
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct DmlRun {
    pub status: DmlStatus,
    /// What the program wrote, as much as fits.
    pub output: Vec<String>,
    /// What it logged, as much as fits.
    pub log: Vec<String>,
    /// One sentence about each that did not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Fault>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum DmlStatus {
    Answered,
    Error,
    /// The program ended without an answer, and `agent_main` was true (or false).
    True,
    False,
}
