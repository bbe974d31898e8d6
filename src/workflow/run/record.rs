//! What is recorded of a run: every effect, as a difference.

use serde::{Deserialize, Serialize};

use super::thread::Thread;
use crate::difference::{Difference, Gave};

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// Which branch of which branch; none for the run itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub branch: Vec<usize>,
    pub did: Did,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Did {
    /// The run is here: it begins, it is the fork of another, or what came before was pruned.
    Base(Box<Thread>),
    /// A step of the node under way gave this.
    Step {
        path: String,
        gave: Gave,
    },
    /// An attempt of the node, or of a step of it, failed, and left this to the next.
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
        /// Of the same steps for every item.
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
    /// The run waits for somebody before its node.
    Waits {
        node: String,
    },
    /// It goes on, with this in its state.
    Resumed {
        updates: Gave,
    },
    Failed {
        node: String,
        error: String,
    },
    Ended,
}

/// A branch at its end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ended {
    pub branch: String,
    /// Against the state that all branches began with; nothing where it was cut off.
    pub gave: Option<Gave>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    pub timing_ms: u64,
}

fn is_false(truth: &bool) -> bool {
    !truth
}
