//! What a book has of a run besides its records.

use std::collections::BTreeMap;

use hornbook_base::Who;
use serde::{Deserialize, Serialize};

use super::keeper::Keeper;
use super::listed::Status;

/// What is known about a run besides its records.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Header {
    pub workflow: Option<String>,
    pub status: Status,
    /// Where it waits or failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    pub begun_ms: u64,
    /// The run and the checkpoint it was forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<(String, u64)>,
    /// If it waits: when the first time comes that it waits for, and the signals.
    #[serde(
        default,
        deserialize_with = "crate::time::stored",
        skip_serializing_if = "Option::is_none"
    )]
    pub due_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signals: Vec<String>,
    /// It has waited for what comes by itself: if it is cut off or fails, whoever follows its workflow resumes it.
    #[serde(default, alias = "woken", skip_serializing_if = "std::ops::Not::not")]
    pub by_itself: bool,
    /// The goal whose answer, or the expression whose time, began it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follows: Option<String>,
    /// The toolsets of the server that has begun or last resumed it; `None` if a program has, with means of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<String>>,
    /// The hash of its text.
    pub text: String,
    /// When it went on, or began to wait, after an undo last: that makes this another value than the one that the undo
    /// brought back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again_ms: Option<u64>,
    /// The client that has cancelled it, if it has a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancelled_by: Option<String>,
    /// The clients that have begun or resumed it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by: Vec<Shaper>,
    /// Hashes of what all nodes share, and of each node.
    pub shared: String,
    pub nodes: BTreeMap<String, String>,
}

/// A client that has shaped a run: the run does only what the client may do, whoever resumes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Shaper {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scope: Option<String>,
}

impl Shaper {
    pub fn who(&self) -> Who {
        Who {
            name: self.name.as_str().into(),
            scope: self.scope.as_deref().map(Into::into),
            ..Who::default()
        }
    }

    /// These, and those whom a keeper is bound by.
    pub fn with(mut these: Vec<Shaper>, keeper: &dyn Keeper) -> Vec<Shaper> {
        for who in keeper.bound() {
            let shaper = Shaper {
                name: who.name.to_string(),
                scope: who.scope.as_deref().map(str::to_owned),
            };
            if !these.contains(&shaper) {
                these.push(shaper);
            }
        }
        these
    }
}
