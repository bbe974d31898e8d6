//! Keyed values of capabilities, kept in the book beside its clauses: one history, one undo and one recovery
//! for all. Only its capability knows what a value means; to the book it is text, usually JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::Book;
use super::leaves::Leaves;

/// The room of drafts: what is proposed, and not in the book.
pub const DRAFTS: &str = "draft";

/// A key in a capability's room, and its value; `None` if there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    pub room: Rc<str>,
    pub key: Rc<str>,
    pub value: Option<Rc<str>>,
}

/// A value before and after a revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellChange {
    pub room: Rc<str>,
    pub key: Rc<str>,
    pub before: Option<Rc<str>>,
    pub after: Option<Rc<str>>,
}

impl CellChange {
    /// The cell that repeats this change.
    pub fn repeated(&self) -> Cell {
        Cell {
            room: self.room.clone(),
            key: self.key.clone(),
            value: self.after.clone(),
        }
    }

    /// The cell that reverses this change.
    pub fn reversed(&self) -> Cell {
        Cell {
            room: self.room.clone(),
            key: self.key.clone(),
            value: self.before.clone(),
        }
    }
}

/// The values of all rooms.
#[derive(Debug, Clone, Default)]
pub(super) struct Cells {
    rooms: BTreeMap<Rc<str>, Leaves<Rc<str>, Value>>,
    /// The room and key of each value, in the order in which the values were set.
    order: Leaves<u64, (Rc<str>, Rc<str>)>,
    /// The place in the order of the next value that is set.
    next: u64,
    bytes: usize,
}

#[derive(Debug, Clone)]
struct Value {
    text: Rc<str>,
    /// Its place in the order.
    place: u64,
    /// Whether an undo brought it back.
    undone: bool,
}

/// The same values, set in the same order.
impl PartialEq for Cells {
    fn eq(&self, other: &Cells) -> bool {
        self.in_order().eq(other.in_order())
    }
}

impl Cells {
    /// The changes that setting these cells in order would make.
    pub fn plan(&self, cells: Vec<Cell>) -> Vec<CellChange> {
        // The last value for each key wins.
        let mut seen = BTreeSet::new();
        let mut changes = Vec::new();
        for Cell { room, key, value } in cells.into_iter().rev() {
            if !seen.insert((room.clone(), key.clone())) {
                continue;
            }
            let before = self.get(&room, &key).cloned();
            if before != value {
                changes.push(CellChange {
                    room,
                    key,
                    before,
                    after: value,
                });
            }
        }
        changes.reverse();
        changes
    }

    fn get(&self, room: &str, key: &str) -> Option<&Rc<str>> {
        self.rooms.get(room)?.get(key).map(|value| &value.text)
    }

    /// Room, key and value of each, in the order in which they were set.
    fn in_order(&self) -> impl Iterator<Item = (&Rc<str>, &Rc<str>, &Rc<str>)> {
        self.order.values().filter_map(|(room, key)| {
            let (key, value) = self.rooms.get(room)?.get_key_value(key)?;
            Some((room, key, &value.text))
        })
    }

    /// `undone`: whether an undo makes this change.
    pub fn apply(&mut self, change: &CellChange, undone: bool) {
        let size = |text: &Rc<str>| change.key.len() + text.len();
        let room = self.rooms.entry(change.room.clone()).or_default();
        if let Some(gone) = room.remove(&change.key) {
            self.bytes -= size(&gone.text);
            self.order.remove(&gone.place);
        }
        if let Some(text) = &change.after {
            self.bytes += size(text);
            let value = Value {
                text: text.clone(),
                place: self.next,
                undone,
            };
            room.insert(change.key.clone(), value);
            self.order
                .insert(self.next, (change.room.clone(), change.key.clone()));
            self.next += 1;
        }
        if room.is_empty() {
            self.rooms.remove(&change.room);
        }
    }

    /// Note whether this change, which is already there, was made by an undo.
    pub fn note(&mut self, change: &CellChange, undone: bool) {
        let room = self.rooms.get_mut(&change.room);
        if let Some(value) = room.and_then(|room| room.get_mut(&change.key)) {
            value.undone = undone;
        }
    }
}

impl Book {
    /// The value of a key in a room.
    pub fn cell(&self, room: &str, key: &str) -> Option<&str> {
        self.cells.get(room, key).map(|value| &**value)
    }

    /// Whether an undo gave a key of a room the value that it has.
    pub fn is_undone_cell(&self, room: &str, key: &str) -> bool {
        let room = self.cells.rooms.get(room);
        room.and_then(|room| room.get(key))
            .is_some_and(|value| value.undone)
    }

    /// All values of all rooms, as room, key and value, in the order in which they were set.
    pub fn cells(&self) -> impl Iterator<Item = (&Rc<str>, &Rc<str>, &Rc<str>)> {
        self.cells.in_order()
    }

    /// The keys and values of a room, in order of the keys.
    pub fn cells_of(&self, room: &str) -> impl Iterator<Item = (&str, &str)> {
        let cells = self.cells.rooms.get(room).into_iter().flat_map(Leaves::iter);
        cells.map(|(key, value)| (&**key, &*value.text))
    }

    /// The keys and values of a room whose keys start with `prefix`, in order.
    pub fn cells_from<'a>(&'a self, room: &str, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        let room = self.cells.rooms.get(room);
        let own = room.and_then(|room| room.get_key_value(prefix));
        let later = room.into_iter().flat_map(|room| room.after(Some(&prefix.into())));
        own.into_iter()
            .chain(later)
            .map(|(key, value)| (&**key, &*value.text))
            .take_while(move |(key, _)| key.starts_with(prefix))
    }

    /// The first key of a room after this one, and its value.
    pub fn cell_after(&self, room: &str, key: &str) -> Option<(&str, &str)> {
        let key: Rc<str> = key.into();
        let (key, value) = self.cells.rooms.get(room)?.after(Some(&key)).next()?;
        Some((key, &value.text))
    }

    /// The size of the keys and values of a room, in bytes.
    pub fn bytes_of_room(&self, room: &str) -> usize {
        let cells = self.cells_of(room);
        cells.map(|(key, value)| key.len() + value.len()).sum()
    }

    /// The size of all keys and values, in bytes.
    pub fn cell_bytes(&self) -> usize {
        self.cells.bytes
    }
}
