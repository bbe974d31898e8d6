//! What everything asks of the host: time, files, and a thread to run on. The JavaScript side implements these traits.

use std::rc::Rc;

use futures::future::LocalBoxFuture;

/// Runs a future to its end on this thread.
pub type Spawner = Rc<dyn Fn(LocalBoxFuture<'static, ()>)>;

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
    /// The bytes of the file that is at this real path and has no more than `most` of them. Where a symbolic link leads
    /// elsewhere since the path was found to be real, it fails.
    fn read(&self, path: String, most: usize) -> LocalBoxFuture<'static, Result<Vec<u8>, FileFault>>;
    /// The names in the directory at this real path; those of directories end in `/`.
    fn list(&self, directory: String) -> LocalBoxFuture<'static, Result<Vec<String>, FileFault>>;
}

/// Why the host could not give a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileFault {
    NotFound,
    /// It is a directory, or something else that has no text.
    NotAFile,
    /// It has more bytes than were asked for.
    TooLarge,
    /// It exists, but may not be read; the reason is the host's.
    Unreadable(String),
    /// It is not text.
    NotText,
    /// This host has no files.
    NotSupported,
}
