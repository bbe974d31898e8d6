//! The book with the changes of a draft, as its client sees it: kept in cells of the book, and derived again when
//! the book moves.

use std::cell::{self, RefCell};
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use futures::channel::oneshot;

use super::noted::Noted;
use super::{RULES, Step, check_name, is_of_files, steps};
use crate::Workspace;
use hornbook_base::{Fault, Pace, Who};
use hornbook_book::{
    BRANCH, Book, Brought, Clash, Delta, Ids, KnownChange, Numbers, Operation, Predicate, Revision, going,
};
use hornbook_engine::Permit;
use hornbook_store::from_text;

/// The name of a change that is being made.
const CHANGE: &str = "change";

/// Where the changes of a draft are kept, and what they follow.
pub(crate) struct Branch {
    pub base: Workspace,
    pub name: Rc<str>,
    /// The steps that it has, if not all of the draft.
    pub(super) only: Option<BTreeSet<String>>,
    /// Whether the steps are kept in cells of the book; if not, they are those of a change that is being made.
    pub(super) is_kept: bool,
    pub(super) state: RefCell<State>,
    /// A client is served here: who only reviews the draft does not take what its client is to be told.
    pub(super) is_served: cell::Cell<bool>,
    /// How often the book has moved before the next step was in it.
    pub(super) conflicts: cell::Cell<usize>,
    /// Goals of its client that are not in the log yet.
    pub(super) noted: Noted,
    /// The turn of the book, while a change has it.
    held: RefCell<Option<Held>>,
}

/// The turn of the book.
struct Held {
    permit: Rc<Permit>,
    /// Whoever waits for its end learns of it when this is dropped.
    _released: oneshot::Sender<()>,
}

/// What the workspace of the draft has.
#[derive(Default)]
pub(super) struct State {
    /// The revision of the book that it follows.
    pub seen: u64,
    pub steps: Vec<Step>,
    /// The number of each step among the revisions of the workspace; `None` if it no longer applies.
    pub numbers: Vec<Option<u64>>,
    /// The keys of the steps that no longer apply, and why.
    pub dropped: Vec<(String, String)>,
    /// How steps would have predicates known, as far as the book does not let them.
    pub held_back: Vec<KnownChange>,
    /// The steps that the book's rules have yet to be asked about: those that were made here while there were rules.
    pub unasked: VecDeque<Unasked>,
    /// The steps are others than those that the workspace has.
    pub is_changed: bool,
}

/// A step that the book's rules have yet to be asked about.
pub(super) struct Unasked {
    pub key: String,
    /// Whom the rules of who may change what take its client for.
    pub who: Option<Rc<Who>>,
}

/// The book with the changes of a draft.
pub(super) struct Derived {
    pub book: Book,
    pub(super) numbers: Vec<Option<u64>>,
    /// The keys of the steps that do not apply, and why, a sentence each.
    pub dropped: Vec<(String, String)>,
    held_back: Vec<KnownChange>,
}

impl Derived {
    /// What leads from the book to the book with the steps.
    pub async fn change(&self, base: &Book, operation: Operation, at_ms: u64, pace: &Pace) -> Revision {
        let own = revisions(&self.book, &self.numbers);
        let own = own.iter().map(|revision| &**revision);
        base.difference(&self.book, operation, at_ms, own, pace).await
    }
}

/// The revisions of a book that have these numbers and are kept.
pub(super) fn revisions(book: &Book, numbers: &[Option<u64>]) -> Vec<Rc<Revision>> {
    let kept = |number: &u64| {
        let position = number.checked_sub(book.forgotten() + 1)?;
        book.journal().get(position as usize).cloned()
    };
    numbers.iter().flatten().filter_map(kept).collect()
}

/// The book with these steps of a draft, as far as they apply.
pub(super) async fn derive(base: &Book, steps: &[Step], pace: &Pace) -> Derived {
    let mut book = base.branch();
    let (mut numbers, mut dropped) = (Vec::with_capacity(steps.len()), Vec::new());
    let (mut held_back, mut brought) = (Vec::new(), Brought::default());
    for step in steps {
        let undone = step.undoes.as_deref().map(|of| {
            let position = steps.iter().position(|step| step.key == of);
            position.and_then(|position| numbers.get(position).copied().flatten())
        });
        let planned = match undone {
            Some(None) => Err(Clash("the revision that it undoes does not exist".to_owned())),
            of => replay(&book, step, of.flatten(), (&mut brought, &mut held_back), pace).await,
        };
        match planned {
            Ok(Some(revision)) => {
                book.apply_in_slices(revision, pace).await;
                numbers.push(Some(book.revision()));
            }
            Ok(None) => numbers.push(None),
            Err(Clash(why)) => {
                numbers.push(None);
                dropped.push((step.key.clone(), why));
            }
        }
    }
    book.reserve(Numbers {
        source: brought.last(),
        ..BRANCH
    });
    Derived {
        book,
        numbers,
        dropped,
        held_back,
    }
}

/// A step as a revision of a book that others may have changed since; `None` if it has nothing left to change. What it
/// would have known otherwise than this revision is `held_back`.
async fn replay(
    book: &Book,
    step: &Step,
    of: Option<u64>,
    (brought, held_back): (&mut Brought, &mut Vec<KnownChange>),
    pace: &Pace,
) -> Result<Option<Revision>, Clash> {
    let mut revision = match step.read.get() {
        Some(read) => Revision::clone(read),
        None => {
            let read = from_text(&step.change, book, pace).await;
            let gone = |_| {
                let first = step.removes.first().map_or("what it removes", String::as_str);
                Clash(format!("`{first}` is gone"))
            };
            let read = read.map_err(gone)?;
            if read.removed.is_empty() {
                let _ = step.read.set(Rc::new(read.clone()));
            }
            read
        }
    };
    revision.added = brought.numbered(revision.added, pace).await;
    let operation = match (&revision.operation, of) {
        (Operation::Undo(_), Some(of)) => Operation::Undo(of),
        (Operation::Redo(_), Some(of)) => Operation::Redo(of),
        (operation, _) => operation.clone(),
    };
    if is_of_files(&operation) {
        let other = revision
            .removed
            .iter()
            .find(|(_, entry)| !brought.is_among(entry.source(), &step.sources));
        if let Some((_, entry)) = other {
            return Err(Clash(format!("the text of `{}` was changed", entry.code())));
        }
    }
    let goes = going(&revision.removed, pace).await;
    let wanted = revision.known.clone();
    revision.known.retain(|change| book.may_forget(change, &goes));
    book.clashes(&revision, pace).await?;
    let delta = Delta {
        removed: revision.removed.iter().map(|(id, _)| *id).collect(),
        added: revision.added,
        known: revision
            .known
            .into_iter()
            .map(|KnownChange { predicate, after, .. }| (predicate, after))
            .collect(),
        cells: revision.cells.iter().map(|change| change.repeated()).collect(),
    };
    let planned = book.plan_in_slices(operation, step.at_ms, delta, pace).await;
    let planned = planned.map(|mut planned| {
        planned.stamp = revision.stamp;
        // A reset forgets what was known, but not what has got clauses since.
        planned.known.retain(|change| book.may_forget(change, &goes));
        planned
    });
    let made = planned.iter().flat_map(|planned| &planned.known);
    let made: BTreeSet<&Predicate> = made.map(|change| &*change.predicate).collect();
    held_back.extend(
        wanted
            .into_iter()
            .filter(|change| !made.contains(&*change.predicate)),
    );
    Ok(planned)
}

impl Branch {
    /// The draft of this name, or only these steps of it, and the book with its changes.
    pub async fn open(
        base: &Workspace,
        name: &str,
        only: Option<BTreeSet<String>>,
    ) -> Result<(Branch, Book, Vec<String>), Fault> {
        check_name(name)?;
        base.freshen().await;
        let branch = Branch {
            base: base.clone(),
            name: name.into(),
            only,
            is_kept: true,
            state: RefCell::default(),
            is_served: cell::Cell::default(),
            conflicts: cell::Cell::default(),
            noted: Noted::default(),
            held: RefCell::default(),
        };
        let (book, pace) = (base.0.book(), base.0.pace());
        let (derived, steps) = branch.derive(&book, &pace).await;
        let told = branch.newly_dropped(&derived);
        branch.follow(&book, steps, &derived);
        Ok((branch, derived.book, told))
    }

    /// A change of the book that is to be made as one.
    pub fn of_change(base: &Workspace) -> (Branch, Book) {
        let book = base.0.book();
        let branch = Branch {
            base: base.clone(),
            name: CHANGE.into(),
            only: None,
            is_kept: false,
            state: RefCell::new(State {
                seen: book.revision(),
                ..State::default()
            }),
            is_served: cell::Cell::default(),
            conflicts: cell::Cell::default(),
            noted: Noted::default(),
            held: RefCell::default(),
        };
        (branch, book.branch())
    }

    /// The ids of what is added in a workspace of it: unlike those of any other, whichever process opens that, and when.
    pub fn ids(&self) -> Ids {
        let base = &*self.base.0;
        let number = base.branches.get() + 1;
        base.branches.set(number);
        let process = base.connection().unwrap_or_default();
        let opened_ms = self.base.now_ms();
        Ids::of(&format!("draft {} {process} {number} {opened_ms}", self.name))
    }

    /// Hold the turn of the book until it is taken. Returns what resolves then.
    pub fn hold_base(&self, permit: Rc<Permit>) -> oneshot::Receiver<()> {
        let (_released, receiver) = oneshot::channel();
        *self.held.borrow_mut() = Some(Held { permit, _released });
        receiver
    }

    /// The turn of the book, if it is held.
    pub fn take_base(&self) -> Option<Rc<Permit>> {
        self.held.take().map(|held| held.permit)
    }

    pub(super) fn holds_base(&self) -> bool {
        self.held.borrow().is_some()
    }

    /// Forget the steps of a change, which holds the book no longer.
    pub fn forget(&self) {
        self.take_base();
        let mut state = self.state.borrow_mut();
        state.is_changed |= !state.steps.is_empty();
        state.steps.clear();
    }

    pub(super) fn steps(&self, book: &Book) -> Vec<Step> {
        if !self.is_kept {
            return self.state.borrow().steps.clone();
        }
        let mut steps = steps(book, &self.name, &self.state.borrow().steps);
        if let Some(only) = &self.only {
            steps.retain(|step| only.contains(&step.key));
        }
        steps
    }

    pub(super) async fn derive(&self, base: &Book, pace: &Pace) -> (Derived, Vec<Step>) {
        let steps = self.steps(base);
        (derive(base, &steps, pace).await, steps)
    }

    /// What was derived last, which this book of its workspace has.
    pub(super) fn followed_in(&self, book: Book) -> (Derived, Vec<Step>) {
        let state = self.state.borrow();
        let derived = Derived {
            book,
            numbers: state.numbers.clone(),
            dropped: state.dropped.clone(),
            held_back: state.held_back.clone(),
        };
        (derived, state.steps.clone())
    }

    pub(super) fn follow(&self, base: &Book, steps: Vec<Step>, derived: &Derived) {
        let mut state = self.state.borrow_mut();
        let unasked = std::mem::take(&mut state.unasked);
        *state = State {
            seen: base.revision(),
            steps,
            numbers: derived.numbers.clone(),
            dropped: derived.dropped.clone(),
            held_back: derived.held_back.clone(),
            unasked,
            is_changed: false,
        };
    }

    /// What no longer applies since the last time.
    pub(super) fn newly_dropped(&self, derived: &Derived) -> Vec<String> {
        let state = self.state.borrow();
        let new = derived
            .dropped
            .iter()
            .filter(|(key, _)| state.dropped.iter().all(|(known, _)| known != key));
        new.map(|(_, why)| format!("A change of the draft no longer applies to the book: {why}."))
            .collect()
    }

    /// The next step that the book's rules have yet to be asked about, with its client, and its revision among those
    /// of the workspace.
    pub fn next_unasked(&self, book: &Book) -> Option<(Step, Option<Rc<Who>>, Rc<Revision>)> {
        let mut state = self.state.borrow_mut();
        loop {
            let Unasked { key, who } = state.unasked.pop_front()?;
            let Some(at) = state.steps.iter().position(|step| step.key == key) else {
                continue;
            };
            let number = state.numbers.get(at).copied().flatten();
            let found = revisions(book, &[number]).into_iter().next();
            if let Some(revision) = found {
                return Some((state.steps[at].clone(), who, revision));
            }
        }
    }

    /// Whether the book has rules that accept operations.
    pub(super) fn is_ruled(&self) -> bool {
        let (name, arity) = RULES;
        let rules = Predicate {
            name: name.to_owned(),
            arity,
        };
        self.base.0.book.borrow().standing(&rules).clauses > 0
    }

    /// The keys of its steps, and the steps that no longer apply, with why.
    pub fn contents(&self) -> (Vec<Step>, Vec<(String, String)>) {
        let state = self.state.borrow();
        (state.steps.clone(), state.dropped.clone())
    }

    /// The revision of the book that it follows.
    pub fn seen(&self) -> u64 {
        self.state.borrow().seen
    }

    /// It has what the book has after this revision.
    pub(super) fn has_seen(&self, revision: u64) {
        self.state.borrow_mut().seen = revision;
    }

    /// The numbers of its steps among the revisions of the workspace.
    pub(super) fn numbers(&self) -> Vec<u64> {
        self.state.borrow().numbers.iter().flatten().copied().collect()
    }
}
