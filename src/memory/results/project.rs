//! The replies of `kn_project`.

use serde::Serialize;
use serde_json::Value;

use super::Counts;
use crate::record::Phase;

/// One project in full if `project_id` was given.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum ProjectsResult {
    All(ProjectList),
    /// With the fields of [`ProjectHead`].
    One(#[cfg_attr(feature = "typescript", ts(type = "ProjectHead & ProjectDetails"))] ProjectDetails),
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ProjectList {
    #[cfg_attr(feature = "typescript", ts(as = "Vec<ProjectItem>"))]
    pub projects: Vec<Value>,
    #[serde(flatten)]
    pub counts: Counts,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ProjectItem {
    pub id: String,
    pub name: String,
    pub phase: Phase,
    /// Whether it is the active project.
    pub active: bool,
}

/// A project that was created or updated.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ProjectSummary {
    #[serde(flatten)]
    pub project: ProjectItem,
    pub goals: Vec<String>,
}

/// One project with its log, newest entry first.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ProjectDetails {
    #[serde(flatten)]
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub head: Value,
    #[cfg_attr(feature = "typescript", ts(as = "Vec<LogItem>"))]
    pub log: Vec<Value>,
    #[serde(flatten)]
    pub counts: Counts,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ProjectHead {
    #[serde(flatten)]
    pub project: ProjectItem,
    pub goals: Vec<String>,
    pub stakeholders: Vec<String>,
    pub success_metrics: Vec<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct LogItem {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: LogKind,
    pub action: String,
    /// As ISO 8601.
    pub created_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_step: Option<String>,
}

/// A new entry of a log.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Logged {
    pub id: String,
    pub project_id: String,
    #[serde(rename = "type")]
    pub kind: LogKind,
    pub action: String,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LogKind {
    Progress,
    Failure,
}
