//! Faults, in the words of the package.

use hornbook_base::{Fault, FaultKind};
use serde::Serialize;

use crate::next_step;
use crate::report::followed;

/// What was thrown, or ended the answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct Failure {
    /// As in tool replies, such as `syntax_error`.
    pub kind: String,
    /// Includes what to do next.
    pub message: String,
    /// From 1; for syntax errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// From 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

impl From<&Fault> for Failure {
    fn from(fault: &Fault) -> Failure {
        let next = match fault.next.is_empty() {
            true => in_a_program(fault.kind).unwrap_or_else(|| next_step(fault)),
            false => next_step(fault),
        };
        let mut message = fault.message.clone();
        followed(&mut message, next);
        Failure {
            kind: name_of(fault.kind),
            message: in_package_words(&message),
            line: fault.line,
            column: fault.column,
        }
    }
}

/// What programs call otherwise than the tools do.
const WORDS: [(&str, &str); 4] = [
    ("timeout_ms", "timeoutMs"),
    (
        "workspace list_symbols shows the predicates.",
        "source() shows the clauses.",
    ),
    ("`workspace history`", "`history()`"),
    (
        "query_next gives those after them",
        "the loop over the answers gives those after them",
    ),
];

fn in_package_words(message: &str) -> String {
    let mut message = message.to_owned();
    for (of_tools, of_package) in WORDS {
        message = message.replace(of_tools, of_package);
    }
    message
}

/// The advice for a kind of fault where it differs from that for the tools: here methods and options are called as in
/// the package.
fn in_a_program(kind: FaultKind) -> Option<&'static str> {
    use FaultKind::*;
    Some(match kind {
        UnsafeGoal => "Use predicates that the sandbox allows (docs/sandbox.md).",
        NoSuchQuery | QueryStopped => "Begin the loop over its answers again.",
        FileError | NotImported => "files() lists what is imported.",
        FilePathViolation => {
            "Use a path inside the allowed directories, or open the book with other `roots`."
        }
        NoRoots => "Give the contents as text, or open the book with `roots`.",
        NothingToUndo => "history() lists what was done.",
        NothingToRedo => "Only what was undone last can be redone; history() lists what was done.",
        NoSuchRevision => "history() lists the revisions.",
        Conflict => "Try again: the book has what the other process did.",
        EngineUnavailable => "Try again in a moment.",
        _ => return None,
    })
}

pub(super) fn name_of(kind: FaultKind) -> String {
    serde_json::to_value(kind)
        .ok()
        .and_then(|name| name.as_str().map(str::to_owned))
        .unwrap_or_default()
}
