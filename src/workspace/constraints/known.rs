//! What is known of the constraints of a book.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::touch::Touch;
use hornbook_book::{EntryId, Revision};
use hornbook_engine::reply::Reach;

/// What is known of the constraints of a book.
#[derive(Default)]
pub struct Constraints(RefCell<BTreeMap<EntryId, State>>);

/// What is known of one constraint; what a change may have altered is forgotten.
#[derive(Debug, Clone, Default)]
pub struct State {
    pub reach: Option<Rc<Reach>>,
    pub standing: Option<Standing>,
    /// It asked for linked data, which changes untold: what was known of it may hold no more.
    pub is_linked: bool,
}

impl State {
    /// What is known of it now, some time after it was asked.
    pub fn later(mut self) -> State {
        if self.is_linked {
            self.standing = None;
        }
        self
    }
}

/// What the constraints say of a change, if they do not refuse it.
#[derive(Default)]
pub struct Met {
    pub states: Vec<(EntryId, State)>,
    pub warnings: Vec<String>,
}

impl Met {
    /// Whether the book has changed meanwhile what one of them depends on.
    pub fn is_stale(&self, constraints: &Constraints) -> bool {
        let known = constraints.0.borrow();
        let is_stale = |(id, _): &(EntryId, State)| {
            let state = known.get(id);
            state.is_none_or(|state| state.standing.is_none())
        };
        self.states.iter().any(is_stale)
    }
}

impl Constraints {
    pub fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }

    /// A revision has come into the book: forget what it may have altered.
    pub fn note(&self, revision: &Revision, touch: &Touch) {
        let mut known = self.0.borrow_mut();
        for (id, _) in revision.removed.iter().filter(|(_, entry)| entry.is_constraint()) {
            known.remove(id);
        }
        for state in known.values_mut() {
            if state.reach.as_ref().is_none_or(|reach| touch.meets(reach)) {
                state.standing = None;
                if touch.changes_reach() {
                    state.reach = None;
                }
            }
        }
    }

    /// The change of `met` is in the book.
    pub fn learn(&self, met: &mut Met) {
        self.0.borrow_mut().extend(std::mem::take(&mut met.states));
    }

    pub fn state(&self, id: EntryId) -> State {
        self.0.borrow().get(&id).cloned().unwrap_or_default()
    }

    /// What is known of all of them.
    pub fn states(&self) -> States {
        States(self.0.borrow().clone())
    }
}

/// What was known of constraints before a change.
pub struct States(pub BTreeMap<EntryId, State>);

/// What stands against a constraint.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Standing {
    /// The messages of violations, at most [`MOST`](super::MOST).
    pub messages: BTreeSet<String>,
    /// There are more violations.
    pub more: bool,
    /// Why they are not all known: the goal raised an error.
    pub error: Option<String>,
    /// The goal calls a predicate that does not exist, as if it had no clauses.
    pub unknown: Option<String>,
}
