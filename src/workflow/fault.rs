//! What goes wrong in a workflow, while it is loaded and while it runs.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::model::Language;

/// Why a node, or a run, did not go on.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "WorkflowFault"))]
pub struct Fault {
    #[cfg_attr(feature = "typescript", ts(type = "WorkflowFaultKind"))]
    pub kind: FaultKind,
    /// A plain sentence or two.
    #[serde(rename = "error")]
    pub message: String,
    /// In the code of the node, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub line: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// An error of Prolog code.
    Prolog,
    /// Code ran too long.
    Timeout,
    /// Code asked for what the sandbox refuses.
    Sandbox,
    /// An error of code in this language, which is not Prolog.
    Code(Language),
    /// An action threw.
    Action,
    /// A program in DML ended with an error, or was false.
    Program,
    /// A template or a condition cannot be evaluated.
    Template,
    /// The state is not what its schema says.
    State,
    /// There is no way to go on from a node.
    Graph,
    /// No engine could be had.
    Engine,
    /// What was done could not be recorded in the book.
    Book,
}

impl FaultKind {
    pub const ALL: [FaultKind; 13] = [
        FaultKind::Prolog,
        FaultKind::Timeout,
        FaultKind::Sandbox,
        FaultKind::Code(Language::Python),
        FaultKind::Code(Language::Lua),
        FaultKind::Code(Language::JavaScript),
        FaultKind::Action,
        FaultKind::Program,
        FaultKind::Template,
        FaultKind::State,
        FaultKind::Graph,
        FaultKind::Engine,
        FaultKind::Book,
    ];

    /// As hosts get it.
    pub fn word(self) -> &'static str {
        match self {
            FaultKind::Prolog => "prolog",
            FaultKind::Timeout => "timeout",
            FaultKind::Sandbox => "sandbox",
            FaultKind::Code(language) => language.word(),
            FaultKind::Action => "action",
            FaultKind::Program => "dml",
            FaultKind::Template => "template",
            FaultKind::State => "state",
            FaultKind::Graph => "graph",
            FaultKind::Engine => "engine",
            FaultKind::Book => "book",
        }
    }
}

impl Serialize for FaultKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl Fault {
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Fault {
        Fault {
            kind,
            message: message.into(),
            line: None,
        }
    }
}

/// Of the book, where a node that uses it could not come to its end.
impl From<hornbook_base::Fault> for Fault {
    fn from(fault: hornbook_base::Fault) -> Fault {
        use hornbook_base::FaultKind::*;
        let kind = match fault.kind {
            Halted => return crate::prolog::halted(fault.line),
            Timeout => FaultKind::Timeout,
            UnsafeGoal => FaultKind::Sandbox,
            LimitReached | StorageError | ReadOnly => FaultKind::Book,
            EngineUnavailable | BadReply => FaultKind::Engine,
            _ => FaultKind::Prolog,
        };
        let message = match kind {
            FaultKind::Timeout => format!("Prolog execution timeout: {}", fault.message),
            _ => fault.message,
        };
        Fault {
            kind,
            message,
            line: fault.line,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

/// What is wrong with the text of a workflow.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadFault {
    pub message: String,
    /// Both from 1.
    pub line: u64,
    pub column: u64,
}

impl LoadFault {
    pub fn new(message: impl Into<String>, (line, column): (u64, u64)) -> LoadFault {
        LoadFault {
            message: message.into(),
            line,
            column,
        }
    }
}

impl fmt::Display for LoadFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "line {}, column {}: {}",
            self.line, self.column, self.message
        )
    }
}
