//! The events of a run.

use serde::Serialize;

use crate::fault::WorkflowFault;
use crate::json::{Json, Object, write_object};
use crate::prolog::Place;
use crate::state::Interrupt;

/// An event of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "WorkflowEvent"))]
pub struct Event {
    #[serde(flatten)]
    pub kind: Kind,
    /// The parallel branch it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub branch: Option<String>,
}

/// What happened. Nothing follows `interrupt`, `error` and `final`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "WorkflowEventKind"))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Kind {
    /// The state that the run begins with.
    Start {
        run: String,
        #[serde(serialize_with = "write_object")]
        #[cfg_attr(feature = "typescript", ts(type = "State"))]
        state: Object,
    },
    NodeStart {
        node: String,
    },
    /// What the node returned; for keys with reducers, what that comes to with what was there.
    NodeEnd {
        node: String,
        #[serde(serialize_with = "write_object")]
        #[cfg_attr(feature = "typescript", ts(type = "State"))]
        updates: Object,
        /// What its Prolog wrote.
        #[serde(skip_serializing_if = "String::is_empty")]
        #[cfg_attr(feature = "typescript", ts(as = "Option<String>", optional))]
        output: String,
        /// The goal of its Prolog that failed, so that it returned nothing.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        failed: Option<Place>,
        /// How its loop ended.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        ended_by: Option<LoopEnd>,
        /// The number of its record, if the run is stored.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        checkpoint: Option<u64>,
    },
    /// A step of the node begins: `NODE.STEP`.
    StepStart {
        node: String,
        /// Of its loop, from 1.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        round: Option<u64>,
    },
    /// What the step returned, which the next one sees.
    StepEnd {
        node: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        round: Option<u64>,
        #[serde(serialize_with = "write_object")]
        #[cfg_attr(feature = "typescript", ts(type = "State"))]
        updates: Object,
    },
    /// An item of the node begins; its branch is `NODE[INDEX]`.
    ItemStart {
        node: String,
        index: usize,
        total: usize,
    },
    /// It ended: `done` of `total` have.
    ItemEnd {
        node: String,
        index: usize,
        done: usize,
        total: usize,
        /// What it ended with instead of a result.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        error: Option<String>,
    },
    /// An event of the node's DML program.
    NodeEvent {
        node: String,
        #[cfg_attr(feature = "typescript", ts(type = "DMLEvent"))]
        event: Json,
    },
    /// It is retried after `delay_ms` milliseconds.
    Retry {
        node: String,
        attempt: u64,
        delay_ms: u64,
        #[serde(flatten)]
        fault: WorkflowFault,
    },
    /// A signal brought what its key cannot hold, and was dropped: the node waits on.
    SignalDropped {
        node: String,
        signal: String,
        error: String,
    },
    /// An error that `on_error` handles: the run continues.
    ErrorHeld {
        node: String,
        #[serde(flatten)]
        fault: WorkflowFault,
    },
    BranchesStart {
        /// The node whose items they are, if they are items.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        node: Option<String>,
        branches: Vec<String>,
    },
    BranchesEnd {
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        node: Option<String>,
        /// What their values of keys with reducers come to.
        #[serde(skip_serializing_if = "Object::is_empty", serialize_with = "write_object")]
        #[cfg_attr(feature = "typescript", ts(type = "State | undefined", optional))]
        updates: Object,
    },
    /// The run waits, for all of `interrupts`. The other members tell of the first that takes an answer, or else of the
    /// first; `checkpoint` is everything needed to resume the run.
    Interrupt {
        #[serde(flatten)]
        first: Interrupt,
        interrupts: Vec<Interrupt>,
        #[serde(serialize_with = "write_object")]
        #[cfg_attr(feature = "typescript", ts(type = "State"))]
        state: Object,
        #[cfg_attr(feature = "typescript", ts(type = "Checkpoint"))]
        checkpoint: Json,
    },
    /// The run is over. `raises`: whether the workflow wants the error thrown.
    Error {
        node: String,
        #[serde(flatten)]
        fault: WorkflowFault,
        #[serde(serialize_with = "write_object")]
        #[cfg_attr(feature = "typescript", ts(type = "State"))]
        state: Object,
        raises: bool,
    },
    Final {
        #[serde(serialize_with = "write_object")]
        #[cfg_attr(feature = "typescript", ts(type = "State"))]
        state: Object,
    },
}

/// How a loop ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LoopEnd {
    /// Its condition no longer holds.
    Condition,
    /// Its condition would hold for another round.
    MaxIterations,
}

impl LoopEnd {
    /// As in events.
    pub fn word(self) -> &'static str {
        match self {
            LoopEnd::Condition => "condition",
            LoopEnd::MaxIterations => "max_iterations",
        }
    }
}
