//! What engines know of the cells of a room: facts that goals of the book can use.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use hornbook_book::{Book, CellChange, Predicate};
use hornbook_engine::EngineProcess;
use hornbook_engine::protocol::Bounds;

/// A key and its value; `None` once the key is removed.
pub type CellValue = (Rc<str>, Option<Rc<str>>);

/// How a capability presents the cells of its room to engines.
pub trait Facts {
    /// The requests that tell an engine these values. A `new` engine knew none before.
    fn tell<'c>(&self, cells: &'c [CellValue], new: bool) -> Box<dyn Iterator<Item = String> + 'c>;
}

/// How rules of the book object to changes of a room.
pub trait Objectors {
    /// Predicates of the book whose clauses may object to a change.
    fn predicates(&self) -> &[Predicate];

    /// The request for the objections to what the engine knows. Its reply is [`Objections`](crate::Objections).
    fn objections(&self, asked: Asked<'_>, bounds: Bounds) -> String;
}

/// Which facts the engine knows when it is asked for objections to a change.
#[derive(Clone, Copy)]
pub enum Asked<'c> {
    /// Those after the change to these values.
    After(&'c [CellValue]),
    /// Those before it; the engine was asked about those after it last.
    Before,
}

/// A room whose cells engines know as facts.
pub(super) struct FactRoom {
    pub name: Rc<str>,
    pub facts: Rc<dyn Facts>,
    pub objectors: Option<Rc<dyn Objectors>>,
    /// The engines that know all but what is pending for them.
    known: RefCell<Vec<Known>>,
}

/// An engine that knows the facts, except those still pending for it.
struct Known {
    engine: Weak<dyn EngineProcess>,
    /// By key; with each, how many changes came before it.
    pending: BTreeMap<Rc<str>, (usize, Option<Rc<str>>)>,
    changes: usize,
}

impl Known {
    fn is(&self, engine: &Rc<dyn EngineProcess>) -> bool {
        self.engine
            .upgrade()
            .is_some_and(|known| Rc::ptr_eq(&known, engine))
    }
}

impl FactRoom {
    pub fn new(name: &str, facts: Rc<dyn Facts>, objectors: Option<Rc<dyn Objectors>>) -> FactRoom {
        FactRoom {
            name: name.into(),
            facts,
            objectors,
            known: RefCell::default(),
        }
    }

    /// What an engine has yet to be told; `None` if it knows none of the facts.
    pub(super) fn pending_for(&self, engine: &Rc<dyn EngineProcess>) -> Option<Vec<CellValue>> {
        let mut known = self.known.borrow_mut();
        let known = known.iter_mut().find(|known| known.is(engine))?;
        let mut pending: Vec<_> = std::mem::take(&mut known.pending).into_iter().collect();
        // The facts of an engine are in the order of the last changes, as the book's cells are.
        pending.sort_unstable_by_key(|(_, (before, _))| *before);
        Some(
            pending
                .into_iter()
                .map(|(key, (_, value))| (key, value))
                .collect(),
        )
    }

    /// An engine is being told all the facts.
    pub(super) fn is_told(&self, engine: &Rc<dyn EngineProcess>) {
        let mut known = self.known.borrow_mut();
        known.retain(|known| known.engine.upgrade().is_some_and(|engine| !engine.is_dead()));
        known.push(Known {
            engine: Rc::downgrade(engine),
            pending: BTreeMap::new(),
            changes: 0,
        });
    }

    /// Cells of this room have changed in the book.
    pub fn changed(&self, changes: &[CellChange]) {
        for known in self.known.borrow_mut().iter_mut() {
            for change in changes {
                let value = (known.changes, change.after.clone());
                known.pending.insert(change.key.clone(), value);
                known.changes += 1;
            }
        }
    }

    pub(super) fn all(&self, book: &Book) -> Vec<CellValue> {
        let cells = book.cells().filter(|(room, _, _)| **room == self.name);
        cells
            .map(|(_, key, value)| (key.clone(), Some(value.clone())))
            .collect()
    }
}
