//! What all operations of a workspace have in common: how they are watched and cancelled, and how they fail.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use serde::Serialize;

/// Why an operation was not carried out. `message` is for people and models: a plain sentence.
#[derive(Debug, Clone, PartialEq, Serialize, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    pub kind: FaultKind,
    pub message: String,
    /// What to do next, a sentence; empty where the message says it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub next: String,
    /// Line from 1 and column from 0, for syntax errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

/// The kinds of [`Fault`]. The first ten are the engine's (`ARCHITECTURE.md`, "The engine protocol").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    SyntaxError,
    UnsafeGoal,
    ExistenceError,
    TypeError,
    DomainError,
    InstantiationError,
    EvaluationError,
    PermissionError,
    RepresentationError,
    ResourceError,
    UncaughtException,
    Timeout,
    Cancelled,
    NoSuchQuery,
    QueryIdInUse,
    TooManyQueries,
    LimitReached,
    FileError,
    FilePathViolation,
    AlreadyImported,
    NotImported,
    NothingToUndo,
    NothingToRedo,
    NoSuchRevision,
    /// The engine had no more memory.
    OutOfMemory,
    /// Something nested too deeply for the engine's stack.
    TooDeep,
    /// Prolog was halted.
    EngineHalted,
    /// The engine was ended from outside.
    EngineEnded,
    /// The engine failed otherwise.
    EngineDied,
    /// The engine gave a reply that is none.
    BadReply,
    EngineUnavailable,
    StorageError,
}

/// How one request is watched: whether it was cancelled, and who hears of its progress.
#[derive(Clone, Default)]
pub struct Control {
    pub cancel: CancelToken,
    pub progress: Option<Rc<dyn Fn(Progress)>>,
}

/// `done` of `total` (where it is known) in units that `message` names.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    pub done: u64,
    pub total: Option<u64>,
    pub message: String,
}

/// Set once, by a client that no longer wants the answer.
#[derive(Clone, Default)]
pub struct CancelToken {
    cancelled: Rc<Cell<bool>>,
    wakers: Rc<RefCell<Vec<std::task::Waker>>>,
}

impl CancelToken {
    pub fn cancel(&self) {
        self.cancelled.set(true);
        for waker in self.wakers.take() {
            waker.wake();
        }
    }

    pub fn is_cancelled(&self) -> bool {
        self.cancelled.get()
    }

    /// Resolves when [`CancelToken::cancel`] is called.
    pub fn cancelled(&self) -> impl Future<Output = ()> + use<> {
        let token = self.clone();
        std::future::poll_fn(move |context| {
            if token.is_cancelled() {
                return std::task::Poll::Ready(());
            }
            let mut wakers = token.wakers.borrow_mut();
            if !wakers.iter().any(|waker| waker.will_wake(context.waker())) {
                wakers.push(context.waker().clone());
            }
            std::task::Poll::Pending
        })
    }
}
