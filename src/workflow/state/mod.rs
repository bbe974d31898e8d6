//! The state of a run, and what happens to it: what is shown, stored, and continued from.

pub(crate) mod key;
mod record;
mod refused;
mod thread;
mod waits;

use crate::json::Object;

pub use record::{Did, Ended, Record};
pub use refused::{Refused, RefusedKind};
pub use thread::{Added, Asked, At, Awaits, END, Fork, Part, START, Thread};
pub(crate) use thread::{Within, seen};
pub use waits::{Interrupt, When};

/// Where a run begins.
#[derive(Debug, Clone, PartialEq)]
pub enum Begin {
    Start(Object),
    /// Where it was, after this has happened to the thread within it that has this path.
    Resume {
        thread: Box<Thread>,
        path: Vec<Part>,
        did: Did,
    },
    /// Where it waits, for what may have come by itself.
    Wake {
        thread: Box<Thread>,
    },
}
