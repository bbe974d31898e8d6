//! The records of a run: every effect, as a difference.

use serde::{Deserialize, Serialize};

use super::thread::Thread;
use crate::difference::{Difference, Gave};

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// Which branch of which branch; empty for the run itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub branch: Vec<usize>,
    pub did: Did,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Did {
    /// The starting point: the run begins, it is a fork, or earlier records were pruned.
    Base(Box<Thread>),
    /// A step of the current node returned this.
    Step {
        path: String,
        gave: Gave,
    },
    /// An attempt of the node or one of its steps failed; `left` is the state for the next attempt.
    Tried {
        path: String,
        error: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left: Option<Difference>,
    },
    /// A node is done.
    Node {
        node: String,
        #[serde(default)]
        gave: Gave,
        #[serde(default, skip_serializing_if = "is_false")]
        waits: bool,
        #[serde(default, skip_serializing_if = "is_false")]
        fallback: bool,
        /// From the same steps for every item.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        results: Option<Vec<Ended>>,
    },
    /// Branches begin at these nodes.
    Forked {
        fan_in: String,
        starts: Vec<String>,
    },
    Joined {
        results: Vec<Ended>,
    },
    /// The run waits for someone before its node.
    Waits {
        node: String,
    },
    /// It continues, with this added to its state.
    Resumed {
        updates: Gave,
    },
    Failed {
        node: String,
        error: String,
    },
    Ended,
}

/// A finished branch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ended {
    pub branch: String,
    /// Relative to the state that all branches began with; `None` if it was cut off.
    pub gave: Option<Gave>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    pub timing_ms: u64,
}

fn is_false(truth: &bool) -> bool {
    !truth
}
