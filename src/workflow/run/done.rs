//! What the work of a node comes to.

use std::rc::Rc;

use super::{Added, Ended, LoopEnd, Thread};
use crate::fault::WorkflowFault;
use crate::json::Object;
use crate::prolog::{End, Executed, Place};

/// Why a run, or a branch of it, does not continue.
pub(super) struct Stop {
    pub node: String,
    pub state: Rc<Object>,
    pub why: Why,
}

pub(super) enum Why {
    Fault(WorkflowFault),
    Waits { after: bool },
}

/// A workflow within a node that waits for somebody.
pub(super) struct Waits {
    pub stop: Stop,
    /// The path of its node.
    pub path: String,
    pub thread: Thread,
}

/// What a node did.
#[derive(Default)]
pub(super) struct Done {
    pub updates: Object,
    /// Of these, what it returned for keys with reducers, before they were combined with what was there.
    pub added: Added,
    pub output: String,
    /// The goal of its Prolog that failed.
    pub failed: Option<Place>,
    /// How its loop ended.
    pub ended_by: Option<LoopEnd>,
    /// The results of the same steps for every item.
    pub results: Option<Vec<Ended>>,
    /// Its error is handled, and it says where to continue.
    pub fallback: bool,
    /// It is not done: a workflow within it waits for somebody.
    pub waits: Option<Box<Waits>>,
    /// The number of its record, if it was written together with its effects on the book.
    pub recorded: Option<u64>,
}

impl Done {
    pub fn of(updates: Object) -> Done {
        Done {
            updates,
            ..Done::default()
        }
    }

    pub fn of_block(executed: Executed) -> Done {
        let (updates, failed) = match executed.end {
            End::Solutions(solutions) => (solutions.into_iter().next().unwrap_or_default(), None),
            End::Failed(place) => (Object::new(), Some(place)),
        };
        Done {
            updates,
            output: executed.output,
            failed,
            ..Done::default()
        }
    }

    /// Combine with what was done after it, which takes precedence.
    pub fn and(&mut self, later: Done) {
        self.updates.extend(later.updates);
        self.added.extend(later.added);
        self.output.push_str(&later.output);
        self.failed = later.failed.or(self.failed.take());
    }
}
