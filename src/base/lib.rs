//! Types shared by every crate: faults, cancellation and progress, limits, and what the host must provide.

pub mod argument;
mod control;
mod fault;
pub mod host;
pub mod limits;
pub mod options;
mod pace;
pub mod paths;
mod text;

pub use control::{CancelToken, Control, Person, Priority, Progress, Who};
pub use fault::{Fault, FaultKind};
pub use host::{Clock, FileFault, Files, Spawner};
pub use limits::Limits;
pub use pace::{Pace, at_once};
pub use text::{cut, is_unseen, visible};
