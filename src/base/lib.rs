//! What all of Hornbook stands on: how an operation fails, how it is watched, its limits, and what it asks of the host.

mod control;
mod fault;
pub mod host;
pub mod limits;
pub mod options;
mod pace;
pub mod paths;
mod text;

pub use control::{CancelToken, Control, Person, Progress};
pub use fault::{Fault, FaultKind};
pub use host::{Clock, FileFault, Files, Spawner};
pub use limits::Limits;
pub use pace::{Pace, at_once};
pub use text::cut;
