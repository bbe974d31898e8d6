//! Errors in workflows, while loading and while running.
//!
//! They are separate from the fault type of `hornbook_base`, whose kinds say what an operation could not do.
//! The kinds of a run say which part of a node failed, since that is what a workflow's author has to fix;
//! errors in Python code or in an action have no kind there. A load error always has a position.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::language::Language;

/// Why a node or a run could not continue.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct WorkflowFault {
    #[cfg_attr(feature = "typescript", ts(type = "WorkflowFaultKind"))]
    pub kind: WorkflowFaultKind,
    /// One or two plain sentences.
    #[serde(rename = "error")]
    pub message: String,
    /// In the node's code, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub line: Option<u32>,
    /// In the text of the node's workflow, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub file_line: Option<u64>,
    /// Whose error it is, if that is a node within the node that ends with it.
    #[serde(skip)]
    pub node: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkflowFaultKind {
    /// An error in Prolog code.
    Prolog,
    /// Code ran for too long.
    Timeout,
    /// Code tried something that the sandbox forbids.
    Sandbox,
    /// An error in code in this language, which is not Prolog.
    Code(Language),
    /// An action threw.
    Action,
    /// A DML program ended with an error, or was false.
    Program,
    /// A template or a condition could not be evaluated.
    Template,
    /// The state does not match its schema.
    State,
    /// There is no way to continue from a node.
    Graph,
    /// No engine was available.
    Engine,
    /// The effects could not be recorded in the book.
    Book,
    /// Somebody has given the run up.
    Cancelled,
}

impl WorkflowFaultKind {
    pub const ALL: [WorkflowFaultKind; 14] = [
        WorkflowFaultKind::Prolog,
        WorkflowFaultKind::Timeout,
        WorkflowFaultKind::Sandbox,
        WorkflowFaultKind::Code(Language::Python),
        WorkflowFaultKind::Code(Language::Lua),
        WorkflowFaultKind::Code(Language::JavaScript),
        WorkflowFaultKind::Action,
        WorkflowFaultKind::Program,
        WorkflowFaultKind::Template,
        WorkflowFaultKind::State,
        WorkflowFaultKind::Graph,
        WorkflowFaultKind::Engine,
        WorkflowFaultKind::Book,
        WorkflowFaultKind::Cancelled,
    ];

    /// Whether a run that ends with it takes no further record, whatever its nodes say of errors.
    pub(crate) fn ends_records(self) -> bool {
        matches!(self, WorkflowFaultKind::Book | WorkflowFaultKind::Cancelled)
    }

    /// The name that hosts see.
    pub fn word(self) -> &'static str {
        match self {
            WorkflowFaultKind::Prolog => "prolog",
            WorkflowFaultKind::Timeout => "timeout",
            WorkflowFaultKind::Sandbox => "sandbox",
            WorkflowFaultKind::Code(language) => language.word(),
            WorkflowFaultKind::Action => "action",
            WorkflowFaultKind::Program => "dml",
            WorkflowFaultKind::Template => "template",
            WorkflowFaultKind::State => "state",
            WorkflowFaultKind::Graph => "graph",
            WorkflowFaultKind::Engine => "engine",
            WorkflowFaultKind::Book => "book",
            WorkflowFaultKind::Cancelled => "cancelled",
        }
    }
}

impl Serialize for WorkflowFaultKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl WorkflowFault {
    pub fn new(kind: WorkflowFaultKind, message: impl Into<String>) -> WorkflowFault {
        WorkflowFault {
            kind,
            message: message.into(),
            line: None,
            file_line: None,
            node: None,
        }
    }

    /// It is in code whose first line is this line of the text of the workflow.
    pub(crate) fn of_text(self, first: u64) -> WorkflowFault {
        WorkflowFault {
            file_line: self.line.map(|line| line_of(first, line)),
            ..self
        }
    }

    /// A node uses the book, and the run has none.
    pub(crate) fn no_book(node: &str) -> WorkflowFault {
        let message = format!(
            "Node '{node}' uses the book, and the run is kept in none: load the workflow with the option `book`, or run it with \
             --book PATH."
        );
        WorkflowFault::new(WorkflowFaultKind::Book, message)
    }

    /// A node waits for a signal, which a book would keep.
    pub(crate) fn no_signals(node: &str) -> WorkflowFault {
        let message = format!(
            "Node '{node}' waits for a signal, and the run is kept in no book: load the workflow with the option `book`, or run it \
             with --book PATH."
        );
        WorkflowFault::new(WorkflowFaultKind::Book, message)
    }

    /// `interrupt/2` was called where nobody can answer.
    pub fn asks_outside() -> WorkflowFault {
        let message = "interrupt/2 asks from the code of a node or a step in a run, and from nowhere else.";
        WorkflowFault::new(WorkflowFaultKind::Prolog, message)
    }

    /// A node or a step took longer than its `timeout`.
    pub(crate) fn late(name: &str, timeout_ms: u64) -> WorkflowFault {
        let seconds = timeout_ms as f64 / 1000.0;
        let message = format!("'{name}' took longer than its timeout of {seconds} s.");
        WorkflowFault::new(WorkflowFaultKind::Timeout, message)
    }

    /// A node must not end the Prolog that others use.
    pub(crate) fn halted(line: Option<u32>) -> WorkflowFault {
        WorkflowFault {
            line,
            ..WorkflowFault::new(
                WorkflowFaultKind::Sandbox,
                "halt is not allowed in a node: its code ends with its last goal.",
            )
        }
    }
}

/// A node that uses the book could not finish because of the book.
impl From<hornbook_base::Fault> for WorkflowFault {
    fn from(fault: hornbook_base::Fault) -> WorkflowFault {
        use hornbook_base::FaultKind::*;
        let kind = match fault.kind {
            Halted => return WorkflowFault::halted(fault.line),
            Timeout => WorkflowFaultKind::Timeout,
            UnsafeGoal => WorkflowFaultKind::Sandbox,
            LimitReached | StorageError | ReadOnly | ConstraintViolation => WorkflowFaultKind::Book,
            EngineUnavailable | BadReply => WorkflowFaultKind::Engine,
            _ => WorkflowFaultKind::Prolog,
        };
        let message = match kind {
            WorkflowFaultKind::Timeout => format!("Prolog execution timeout: {}", fault.message),
            _ => fault.message,
        };
        WorkflowFault {
            kind,
            message,
            line: fault.line,
            file_line: None,
            node: None,
        }
    }
}

impl fmt::Display for WorkflowFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

/// The line of a text that holds this line of a block in it whose first line is `first`.
pub(crate) fn line_of(first: u64, line: u32) -> u64 {
    first + u64::from(line.max(1)) - 1
}

/// An error in the text of a workflow.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadFault {
    pub message: String,
    /// From 1.
    pub line: u64,
    /// From 0.
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
