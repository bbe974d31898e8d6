//! What the work of a node comes to.

use std::rc::Rc;

use super::LoopEnd;
use crate::fault::{WorkflowFault, line_of};
use crate::json::Object;
use crate::prolog::{End, Executed, Place};
use crate::state::{Added, Ended, Thread};

/// Why a run, or a branch of it, does not continue.
pub(super) enum Stop {
    /// It waits; its thread says for what.
    Waits,
    Fault {
        node: String,
        state: Rc<Object>,
        fault: WorkflowFault,
    },
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
    /// It is not done: it waits.
    pub waits: bool,
    /// The workflows within it that wait, by path.
    pub graphs: Vec<(String, Thread)>,
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

    pub fn waiting() -> Done {
        Done {
            waits: true,
            ..Done::default()
        }
    }

    pub fn of_block(executed: Executed) -> Done {
        let (updates, failed) = match executed.end {
            End::Solutions(solutions) => (solutions.into_iter().next().unwrap_or_default(), None),
            End::Failed(place) => (Object::new(), Some(place)),
            End::Asks(_) => return Done::waiting(),
        };
        Done {
            updates,
            output: executed.output,
            failed,
            ..Done::default()
        }
    }

    /// The first line of its Prolog is this line of the text of the workflow.
    pub fn of_text(mut self, first: u64) -> Done {
        if let Some(failed) = &mut self.failed {
            failed.file_line = Some(line_of(first, failed.line));
        }
        self
    }

    /// Combine with what was done after it, which takes precedence.
    pub fn and(&mut self, later: Done) {
        self.updates.extend(later.updates);
        self.added.extend(later.added);
        self.output.push_str(&later.output);
        self.failed = later.failed.or(self.failed.take());
        self.waits |= later.waits;
        self.graphs.extend(later.graphs);
    }
}
