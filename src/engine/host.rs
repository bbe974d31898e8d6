//! The engine workers that the host starts. The JavaScript side implements these traits; native tests use a
//! scripted engine.

use std::rc::Rc;

use futures::future::LocalBoxFuture;

/// Starts engine workers.
pub trait EngineHost {
    /// Start a worker; resolves when it can take the first request. The error says why none could be started.
    /// `first` is the first engine of a book, for which its changes wait: the host may prefer it to the others.
    fn spawn(&self, first: bool) -> LocalBoxFuture<'static, Result<Rc<dyn EngineProcess>, String>>;
}

/// One engine worker. It handles its requests one at a time, in order.
pub trait EngineProcess {
    /// Send one request and return its reply (`docs/engine-protocol.md`); an error if the worker dies before
    /// it replies.
    fn request(&self, text: String) -> LocalBoxFuture<'static, Result<String, EngineDeath>>;
    /// End the worker at once; pending requests then resolve with an error. Idempotent.
    fn end(&self);
    /// Whether the worker died or was ended.
    fn is_dead(&self) -> bool;
    /// The size of its memory at its last reply, in bytes.
    fn bytes(&self) -> usize;
}

/// Why a worker is gone; `reason` says it in plain words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineDeath {
    pub kind: DeathKind,
    pub reason: String,
}

/// The cause of an engine's death.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeathKind {
    Memory,
    /// Something nested too deeply for the stacks of C and JavaScript.
    Depth,
    /// Prolog was halted.
    Halt,
    /// It was ended from outside.
    Ended,
    /// Its reply was malformed.
    BadReply,
    /// Anything else.
    Failed,
}
