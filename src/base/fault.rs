//! How operations fail.

use serde::{Deserialize, Serialize};

/// Why an operation was not carried out. `message` is for people and models: a plain sentence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[error("{message}")]
pub struct Fault {
    pub kind: FaultKind,
    pub message: String,
    /// What to do next, a sentence; empty where nothing but the kind tells.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<String>"))]
    pub next: String,
    /// Line from 1 and column from 0, for syntax errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

/// The kinds of [`Fault`]. The first thirteen are the engine's (`docs/engine-protocol.md`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    SyntaxError,
    UnsafeGoal,
    ExistenceError,
    TypeError,
    DomainError,
    InstantiationError,
    EvaluationError,
    /// The goal is neither true nor false (well-founded semantics), and something was to be done because of it.
    Undefined,
    PermissionError,
    RepresentationError,
    ResourceError,
    UncaughtException,
    /// The goal called halt/0 or halt/1.
    Halted,
    Timeout,
    Cancelled,
    NoSuchQuery,
    /// The query existed, but something else has ended it.
    #[serde(rename = "no_such_query", skip_deserializing)]
    #[cfg_attr(feature = "typescript", ts(skip))]
    QueryStopped,
    QueryIdInUse,
    LimitReached,
    FileError,
    FilePathViolation,
    /// No files may be read at all.
    #[serde(rename = "file_path_violation", skip_deserializing)]
    #[cfg_attr(feature = "typescript", ts(skip))]
    NoRoots,
    AlreadyImported,
    NotImported,
    NothingToUndo,
    NothingToRedo,
    NoSuchRevision,
    /// The engine ran out of memory.
    OutOfMemory,
    /// Something nested too deeply for the engine's stack.
    TooDeep,
    /// Prolog was halted.
    EngineHalted,
    /// The engine was ended from outside.
    EngineEnded,
    /// The engine failed in another way.
    EngineDied,
    /// The engine's reply was malformed.
    BadReply,
    EngineUnavailable,
    StorageError,
    /// Another process has changed what the operation was about.
    Conflict,
    /// The client may only read the book.
    ReadOnly,
    /// A constraint of the book refuses the change.
    ConstraintViolation,
    /// A tool does not accept an argument of the call.
    InvalidArgument,
    /// A program ended with its own error.
    ProgramError,
}

impl Fault {
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Self {
        Fault {
            kind,
            message: message.into(),
            next: String::new(),
            line: None,
            column: None,
        }
    }

    /// Something exceeds a limit: `message` is a sentence without its period, `name` that of the limit.
    pub fn limit(message: impl std::fmt::Display, name: &str, value: impl std::fmt::Display) -> Self {
        Fault::new(
            FaultKind::LimitReached,
            format!("{message} (limit: {name} = {value})."),
        )
    }

    /// Add what to do next, a sentence.
    pub fn with_next(mut self, next: impl Into<String>) -> Self {
        self.next = next.into();
        self
    }
}
