//! What every crate needs from the host: time, files, and a thread to run on. The JavaScript side implements
//! these traits.

use std::rc::Rc;

use futures::future::LocalBoxFuture;

/// Runs a future to completion on this thread.
pub type Spawner = Rc<dyn Fn(LocalBoxFuture<'static, ()>)>;

/// The host's time.
pub trait Clock {
    /// Milliseconds since 1970.
    fn now_ms(&self) -> u64;
    /// Resolves after `ms` milliseconds.
    fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()>;
}

/// Read-only access to the host's files.
pub trait Files {
    /// The real path, with symbolic links resolved.
    fn resolve(&self, path: String) -> LocalBoxFuture<'static, Result<String, FileFault>>;
    /// The contents of the file at this real path, of at most `most` bytes. Fails if a symbolic link on the
    /// path has come to lead elsewhere since it was resolved.
    fn read(&self, path: String, most: usize) -> LocalBoxFuture<'static, Result<Vec<u8>, FileFault>>;
    /// The names in the directory at this real path; names of directories end in `/`.
    fn list(&self, directory: String) -> LocalBoxFuture<'static, Result<Vec<String>, FileFault>>;
}

/// Why the host could not give a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileFault {
    NotFound,
    /// It is a directory, or something else without text.
    NotAFile,
    /// It is larger than asked for.
    TooLarge,
    /// It exists, but may not be read; the host gives the reason.
    Unreadable(String),
    /// It is not text.
    NotText,
    /// This host has no files.
    NotSupported,
}
