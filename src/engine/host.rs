//! What the core asks of its host: engines, time and files. The JavaScript side implements these traits;
//! native tests use a scripted engine.

use std::rc::Rc;

use futures::future::LocalBoxFuture;

/// Starts engine workers.
pub trait EngineHost {
    /// Start a worker; resolves when it can take the first request. The error says why none could be started.
    fn spawn(&self) -> LocalBoxFuture<'static, Result<Rc<dyn EngineProcess>, String>>;
}

/// One engine worker. It handles its requests one at a time, in order.
pub trait EngineProcess {
    /// One request, one reply (`ARCHITECTURE.md`, "The engine protocol"); an error when the worker died before
    /// it answered.
    fn request(&self, text: String) -> LocalBoxFuture<'static, Result<String, EngineDeath>>;
    /// End the worker at once; pending requests then resolve with an error. Ending it again does nothing.
    fn end(&self);
    /// Whether the worker died or was ended.
    fn gone(&self) -> bool;
    /// Bytes of its memory at its last reply.
    fn bytes(&self) -> usize;
}

/// Why a worker is gone; the reason says it in plain words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineDeath {
    pub kind: DeathKind,
    pub reason: String,
}

/// What an engine died of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeathKind {
    Memory,
    /// Something nested too deeply for the stacks of C and JavaScript.
    Depth,
    /// Prolog was halted.
    Halt,
    /// It was ended from outside.
    Ended,
    /// It gave a reply that is none.
    BadReply,
    /// Anything else.
    Failed,
}

/// The host's time.
pub trait Clock {
    /// Milliseconds since 1970.
    fn now_ms(&self) -> u64;
    /// Resolves after `ms` milliseconds.
    fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()>;
}

/// The host's files, to read only.
pub trait Files {
    /// The real path, symbolic links resolved.
    fn resolve(&self, path: String) -> LocalBoxFuture<'static, Result<String, FileFault>>;
    /// The contents, as UTF-8 text.
    fn read(&self, path: String) -> LocalBoxFuture<'static, Result<String, FileFault>>;
    /// The names in a directory; those of directories end in `/`.
    fn list(&self, directory: String) -> LocalBoxFuture<'static, Result<Vec<String>, FileFault>>;
}

/// Why the host could not give a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileFault {
    NotFound,
    /// It is a directory, or something else that has no text.
    NotAFile,
    /// It exists, but may not be read; the reason is the host's.
    Unreadable(String),
    /// It is not UTF-8.
    NotText,
    /// This host has no files.
    NotSupported,
}
