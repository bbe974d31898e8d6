//! A run as a tree, for those who watch it: what happened within what, and what the program undid.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::model::{Call, Message, Usage};

/// The number of a step, from 1. 0 is the program itself.
pub type StepId = u64;

/// Something that happened, and when.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Traced {
    /// Milliseconds since the run began.
    pub at: u64,
    /// The line of the program, from 1, of the goal this belongs to, or of the task or tool call it happened
    /// in; absent if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub line: Option<u32>,
    #[serde(flatten)]
    pub trace: Trace,
}

/// Something that happened. `under` is the step in which it happened: a task, a call of one of the program's
/// tools, or 0, the program itself. A step with an `id` later has `ended`, with a result or a failure.
/// `undone`: the program backtracked to before these steps; their bindings and what is remembered of them are
/// gone, but their effects outside remain.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "step", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Trace {
    /// A model is given a task.
    Task {
        id: StepId,
        under: StepId,
        text: String,
        outputs: Vec<WantedOutput>,
        /// The start of the conversation with the model: what the program remembers, and the task.
        messages: Vec<Message>,
    },
    /// What the model said.
    Turn {
        under: StepId,
        text: String,
        #[cfg_attr(feature = "typescript", ts(type = "Required<ToolCall>[]"))]
        calls: Vec<Call>,
        usage: Option<Usage>,
        /// Taken from the cache of earlier replies.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
        cached: bool,
    },
    /// A tool is called, by the program or by a model.
    Call {
        id: StepId,
        under: StepId,
        tool: String,
        args: Value,
    },
    /// Goals of the program run concurrently; what they do is under this step. When it ends, unfinished goals
    /// are abandoned.
    Concurrent {
        id: StepId,
        under: StepId,
        goals: usize,
    },
    /// The program asks the user.
    Input {
        id: StepId,
        under: StepId,
        prompt: String,
    },
    /// The program writes output.
    Output {
        under: StepId,
        content: String,
    },
    Log {
        under: StepId,
        content: String,
    },
    Answer {
        under: StepId,
        content: String,
    },
    /// A step has ended.
    Ended {
        id: StepId,
        /// How long it took, in milliseconds.
        took: u64,
        #[serde(flatten)]
        end: StepEnd,
    },
    /// The program backtracked to before these steps, to try something else or because it no longer needs
    /// them. Their bindings and what is remembered of them are gone; their effects outside remain.
    Undone {
        ids: Vec<StepId>,
    },
}

impl Trace {
    /// The step this belongs to: the one that ended or was undone, or else the one in which it happened.
    pub fn step(&self) -> StepId {
        match self {
            Trace::Ended { id, .. } => *id,
            Trace::Undone { ids } => ids.first().copied().unwrap_or(0),
            Trace::Task { under, .. }
            | Trace::Turn { under, .. }
            | Trace::Call { under, .. }
            | Trace::Concurrent { under, .. }
            | Trace::Input { under, .. }
            | Trace::Output { under, .. }
            | Trace::Log { under, .. }
            | Trace::Answer { under, .. } => *under,
        }
    }
}

/// A variable that a task is to bind, and its type.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct WantedOutput {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
}

/// How a step ended: with a result, or with the reason why there is none.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum StepEnd {
    Result(Value),
    Failure(String),
}
