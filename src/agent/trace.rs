//! A run as a tree, for whoever watches it: what happened within what, and what the program has undone.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::model::{Call, Message, Usage};

/// The number of a step, from 1. 0 is the program itself.
pub type StepId = u64;

/// One thing that happened, and when.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Traced {
    /// Milliseconds since the run began.
    pub at: u64,
    /// The line of the program, from 1, at which the goal stands that this is of, or the task or the tool within which it
    /// happened; absent where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub line: Option<u32>,
    #[serde(flatten)]
    pub trace: Trace,
}

/// One thing that happened. `under` is the step within which it happened: a task, a call of a tool of the program's, or 0,
/// the program itself. A step with an `id` has `ended` later, with a result or with a failure. `undone`: the program went
/// back to before these steps; what they bound and what is remembered of them is gone, what they did outside stays done.
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
        /// The conversation that the model gets first: what the program remembers, and the task.
        messages: Vec<Message>,
    },
    /// What the model said.
    Turn {
        under: StepId,
        text: String,
        #[cfg_attr(feature = "typescript", ts(type = "Required<ToolCall>[]"))]
        calls: Vec<Call>,
        usage: Option<Usage>,
        /// It was said to the same request before, and kept.
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
    /// Goals of the program run at the same time; what they do is under this step. Where it has ended, those of them that
    /// have not are left where they are.
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
    /// The program tells something.
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
        /// Milliseconds that it took.
        took: u64,
        #[serde(flatten)]
        end: StepEnd,
    },
    /// The program went back to before these steps, to try something else or since it no longer needs them: what they
    /// bound and what is remembered of them is gone. What they did outside stays done.
    Undone {
        ids: Vec<StepId>,
    },
}

impl Trace {
    /// The step that this is of: the one that has ended or is undone, else the one within which it happened.
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

/// How a step has ended: with a result, or with why there is none.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum StepEnd {
    Result(Value),
    Failure(String),
}
