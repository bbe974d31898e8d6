//! The data that the tools return. In every `state`, integers beyond 64 bits are strings, because JSON
//! readers would turn them into floats. The text of a reply has them as numbers with all their digits.

use std::collections::BTreeMap;

use hornbook_workflow::fault::WorkflowFaultKind;
use hornbook_workflow::runs::{Listed, Status};
use hornbook_workflow::state::Interrupt;
use serde::Serialize;
use serde_json::Value;

/// A run, as far as it got.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct WorkflowResult {
    #[serde(rename = "type")]
    pub tool: RunTool,
    pub run: String,
    pub status: RunState,
    /// Where it waits or failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// What it waits for, if that is more than the answer at one node.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<Interrupt>>"))]
    pub interrupts: Vec<Interrupt>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<NodeError>,
    /// Goals of nodes that failed, and so gave nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
    /// What its nodes wrote, or the beginning of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    #[serde(flatten)]
    pub shown: ShownState,
    /// How to continue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<&'static str>,
}

/// The tools that run a workflow.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum RunTool {
    #[serde(rename = "workflow_run")]
    Run,
    #[serde(rename = "workflow_resume")]
    Resume,
}

/// The status of a run.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    Running,
    Waiting,
    Failed,
    Ended,
    Cancelled,
    /// It was cut off, and can be resumed.
    Interrupted,
}

impl RunState {
    pub fn of(run: &Listed) -> RunState {
        match run.status {
            _ if run.interrupted => RunState::Interrupted,
            Status::Running => RunState::Running,
            Status::Waiting => RunState::Waiting,
            Status::Failed => RunState::Failed,
            Status::Ended => RunState::Ended,
            Status::Cancelled => RunState::Cancelled,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            RunState::Running => "running",
            RunState::Waiting => "waiting",
            RunState::Failed => "failed",
            RunState::Ended => "ended",
            RunState::Cancelled => "cancelled",
            RunState::Interrupted => "interrupted",
        }
    }
}

/// An error in a node.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NodeError {
    #[cfg_attr(feature = "typescript", ts(type = "WorkflowFaultKind"))]
    pub kind: WorkflowFaultKind,
    pub message: String,
    /// In the node's code, from 1.
    pub line: Option<u32>,
}

/// The members of a state that fit within the budget.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ShownState {
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, unknown>"))]
    pub state: BTreeMap<String, Value>,
    /// Members that do not fit, with their lengths in characters.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<BTreeMap<String, usize>>"))]
    pub left_out: BTreeMap<String, usize>,
}

/// The runs of the book, or one of them.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "type")]
pub enum WorkflowRunsResult {
    #[serde(rename = "workflow_runs")]
    All(WorkflowRunList),
    #[serde(rename = "workflow_runs")]
    One(WorkflowRunDetails),
}

/// Latest runs first.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct WorkflowRunList {
    pub runs: Vec<WorkflowRunItem>,
    /// How many older runs there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<usize>,
}

/// A run in a list.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct WorkflowRunItem {
    pub run: String,
    pub status: RunState,
    /// Where it waits or failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// The name of its workflow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workflow: Option<String>,
}

/// One run: its state, at a checkpoint if one was asked for.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct WorkflowRunDetails {
    pub run: String,
    pub status: RunState,
    /// The latest checkpoints, each as its number, what it is, and its node; absent if keys were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checkpoints: Option<Vec<String>>,
    #[serde(flatten)]
    pub shown: ShownState,
}
