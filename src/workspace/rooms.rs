//! What follows the book: the engines, and what is known of the cells of each room.

use std::cell::RefCell;
use std::rc::Rc;

use super::constraints::known::Constraints;
use super::constraints::touch::Touch;
use super::facts::FactRoom;
use super::lanes::Lane;
use super::watchers::Watchers;
use hornbook_base::Pace;
use hornbook_book::{Book, CellChange, Effect, Revision};

/// Called with changes to the cells of a room.
pub type CellListener = Rc<dyn Fn(&[CellChange])>;

/// The listeners of each room, and the rooms whose cells engines know as facts.
#[derive(Clone)]
pub(super) struct Rooms {
    /// The engines that follow the book.
    lanes: Rc<[Rc<Lane>]>,
    pub listeners: Rc<RefCell<Vec<Room>>>,
    facts: Rc<RefCell<Vec<Rc<FactRoom>>>>,
    pub constraints: Rc<Constraints>,
    pub watchers: Rc<Watchers>,
}

#[derive(Clone)]
pub(super) struct Room {
    pub name: Rc<str>,
    pub listener: CellListener,
}

fn of_room(changes: &[CellChange], room: &str) -> Vec<CellChange> {
    let own = changes.iter().filter(|change| &*change.room == room);
    own.cloned().collect()
}

impl Rooms {
    pub fn new(lanes: Rc<[Rc<Lane>]>) -> Rooms {
        Rooms {
            lanes,
            listeners: Rc::default(),
            facts: Rc::default(),
            constraints: Rc::default(),
            watchers: Rc::default(),
        }
    }

    pub fn add_facts(&self, room: Rc<FactRoom>) {
        self.facts.borrow_mut().push(room);
    }

    pub fn facts(&self) -> Vec<Rc<FactRoom>> {
        self.facts.borrow().clone()
    }

    pub fn facts_of(&self, room: &str) -> Option<Rc<FactRoom>> {
        let facts = self.facts.borrow();
        facts.iter().find(|known| &*known.name == room).cloned()
    }

    /// Whether a revision changes facts that engines know.
    pub fn has_facts(&self, revision: &Revision) -> bool {
        let mut cells = revision.cells.iter();
        cells.any(|change| self.facts_of(&change.room).is_some())
    }

    /// Carry out a revision, within a turn, and notify the rooms whose cells it changes. Until it is done,
    /// readers see the book as it was before.
    pub async fn apply(&self, book: &RefCell<Book>, revision: Rc<Revision>, pace: &Pace) -> Effect {
        let mut next = book.borrow().clone();
        let effect = next.apply_in_slices(revision.clone(), pace).await;
        self.replace(book, next, revision);
        effect
    }

    /// Replace the book by `next`, to which `revision` leads, and notify the rooms whose cells that changes.
    pub fn replace(&self, book: &RefCell<Book>, next: Book, revision: Rc<Revision>) {
        let changes = revision.cells.clone();
        *book.borrow_mut() = next;
        self.note(&revision);
        // Without a pause in between: whoever takes an engine's turn sees the book together with what the
        // engine lacks of it.
        for lane in self.lanes.iter() {
            lane.follows(&revision);
        }
        if !changes.is_empty() {
            for room in self.facts() {
                room.changed(&of_room(&changes, &room.name));
            }
            let listeners = self.listeners.borrow().clone();
            for Room { name, listener } in listeners {
                let own = of_room(&changes, &name);
                if !own.is_empty() {
                    listener(&own);
                }
            }
        }
    }
    /// Tell constraints and watched goals of a revision that has come into the book.
    fn note(&self, revision: &Revision) {
        if self.constraints.is_empty() && self.watchers.is_empty() {
            return;
        }
        let touch = Touch::of(revision, self.has_facts(revision));
        self.constraints.note(revision, &touch);
        self.watchers.note(&touch);
    }
}
