//! Runs and their checkpoints as they are shown.

use serde::{Deserialize, Serialize};

use crate::state::{Did, Record, key};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "RunStatus"))]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// In progress, or its process ended in the middle of it.
    Running,
    Waiting,
    Failed,
    Ended,
    Cancelled,
}

/// Which runs are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filter {
    Status(Status),
    /// Cut off: it runs, but nothing runs it.
    Interrupted,
}

impl Filter {
    const WORDS: [(&str, Filter); 6] = [
        ("running", Filter::Status(Status::Running)),
        ("interrupted", Filter::Interrupted),
        ("waiting", Filter::Status(Status::Waiting)),
        ("failed", Filter::Status(Status::Failed)),
        ("ended", Filter::Status(Status::Ended)),
        ("cancelled", Filter::Status(Status::Cancelled)),
    ];

    pub fn of_word(word: &str) -> Result<Filter, String> {
        let known = Filter::WORDS.iter().find(|(known, _)| *known == word);
        known.map(|(_, filter)| *filter).ok_or_else(|| {
            let words = Filter::WORDS.map(|(word, _)| word).join(", ");
            format!("'{word}' is not a run status; there are: {words}.")
        })
    }

    pub fn takes(self, run: &Listed) -> bool {
        match self {
            Filter::Interrupted => run.interrupted,
            Filter::Status(status) => run.status == status && !run.interrupted,
        }
    }
}

/// A run stored in a book.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(rename = "KeptRun", optional_fields)
)]
pub struct Listed {
    pub run: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workflow: Option<String>,
    pub status: Status,
    /// It is `running`, but nothing runs it: its process has ended. It can be resumed.
    pub interrupted: bool,
    /// Where it waits or failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// Milliseconds since 1970.
    pub begun_ms: u64,
    /// When it goes on by itself, if it waits for a time; in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due_ms: Option<u64>,
    /// The signals that it waits for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<String>>"))]
    pub signals: Vec<String>,
    /// Set if it is a fork.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Origin>,
}

/// What a run was forked from.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "RunOrigin"))]
pub struct Origin {
    pub run: String,
    pub checkpoint: u64,
}

/// One of a run's records.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(rename = "KeptCheckpoint", optional_fields)
)]
pub struct Checkpoint {
    pub number: u64,
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// `base`, `step`, `tried`, `node`, `forked`, `joined`, `waits`, `asks`, `resumed`, `answered`, `arrived`, `failed`,
    /// `ended` or `cancelled`.
    #[cfg_attr(
        feature = "typescript",
        ts(
            type = "\"base\" | \"step\" | \"tried\" | \"node\" | \"forked\" | \"joined\" | \"waits\" | \"asks\" | \"resumed\" | \"answered\" | \"arrived\" | \"failed\" | \"ended\" | \"cancelled\""
        )
    )]
    pub what: &'static str,
    /// The node or the step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// Whether it belongs to a parallel branch.
    #[serde(rename = "branch")]
    pub in_branch: bool,
}

impl Checkpoint {
    pub(super) fn of((number, record): (u64, Record)) -> Checkpoint {
        let (what, node) = match record.did.clone() {
            Did::Base(thread) => ("base", Some(thread.at.node().to_owned())),
            Did::Step { path, .. } => ("step", Some(key::shown(&path))),
            Did::Tried { path, .. } => ("tried", Some(key::shown(&path))),
            Did::Node { node, .. } => ("node", Some(node)),
            Did::Forked { fan_in, .. } => ("forked", Some(fan_in)),
            Did::Joined { .. } => ("joined", None),
            Did::Waits { node, .. } | Did::Paused { node, .. } => ("waits", Some(node)),
            Did::Asks { path, .. } => ("asks", Some(key::shown(&path))),
            Did::Resumed { .. } => ("resumed", None),
            Did::Answered { path, .. } => ("answered", Some(key::shown(&path))),
            Did::Arrived { .. } => ("arrived", None),
            Did::Failed { node, .. } => ("failed", Some(node)),
            Did::Ended => ("ended", None),
            Did::Cancelled => ("cancelled", None),
        };
        Checkpoint {
            number,
            at_ms: record.at_ms,
            what,
            node: node.map(|node| record.named(&node)),
            in_branch: record.in_branch(),
        }
    }
}
