//! What is known of the constraints of a book.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::touch::Touch;
use hornbook_book::{EntryId, Revision};
use hornbook_engine::reply::Reach;

/// What is known of the constraints of a book.
#[derive(Default)]
pub struct Constraints {
    known: RefCell<BTreeMap<EntryId, State>>,
    /// What has come into the book since constraints judged a change that is not recorded yet.
    since: RefCell<Option<Touch>>,
}

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

impl Constraints {
    pub fn is_empty(&self) -> bool {
        self.known.borrow().is_empty() && self.since.borrow().is_none()
    }

    /// Constraints are about to judge a change.
    pub fn judge(&self) {
        *self.since.borrow_mut() = Some(Touch::default());
    }

    /// What they said of a change counts no more: it is recorded.
    pub fn judged(&self) {
        self.since.take();
    }

    /// Whether what has come into the book since a verdict may alter it.
    pub fn is_altered(&self, met: &Met) -> bool {
        let since = self.since.borrow();
        let reaches = met.states.iter().filter_map(|(_, state)| state.reach.as_ref());
        let alters = |since: &Touch| reaches.into_iter().any(|reach| since.meets(reach));
        since.as_ref().is_some_and(alters)
    }

    /// A revision has come into the book: forget what it may have altered.
    pub fn note(&self, revision: &Revision, touch: &Touch) {
        if let Some(since) = &mut *self.since.borrow_mut() {
            since.join(touch);
        }
        let mut known = self.known.borrow_mut();
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

    pub fn learn(&self, states: impl IntoIterator<Item = (EntryId, State)>) {
        self.known.borrow_mut().extend(states);
    }

    pub fn state(&self, id: EntryId) -> State {
        self.known.borrow().get(&id).cloned().unwrap_or_default()
    }

    /// What is known of all of them.
    pub fn states(&self) -> States {
        States(self.known.borrow().clone())
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
