//! Questions that got no answer.

use serde::{Deserialize, Serialize};

/// What an outage does: a model or a tool that was asked has not answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Outages {
    /// The goal has no solution, but is not false: other alternatives are tried, and where its failure would
    /// count as a “no”, its error is raised.
    Unknown,
    /// The goal raises the error.
    Throw,
    /// The goal fails.
    Fail,
}

/// A question that got no answer; `message` is a plain sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct Outage {
    pub party: Party,
    pub message: String,
}

/// Who was asked, and what kind of outage it is.
#[derive(Debug, Clone, PartialEq)]
pub enum Party {
    /// `failed`, `late`, `unfinished`, `length` or `content_filter`.
    Model(&'static str),
    /// The tool's name; `failed`, `late`, `missing` or `arguments`.
    Tool(String, &'static str),
    User,
}
