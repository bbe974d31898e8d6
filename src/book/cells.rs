//! Keyed values of capabilities, kept in the book beside its clauses: one history, one undo and one recovery
//! for all. Only its capability knows what a value means; to the book it is text, usually JSON.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::Book;
use super::leaves::Leaves;

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
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Cells {
    rooms: BTreeMap<Rc<str>, Leaves<Rc<str>, Rc<str>>>,
    bytes: usize,
}

impl Cells {
    /// The changes that setting these cells in order would make.
    pub fn plan(&self, cells: Vec<Cell>) -> Vec<CellChange> {
        // The last value for each key wins.
        let last: BTreeMap<_, _> = cells
            .into_iter()
            .map(|cell| ((cell.room, cell.key), cell.value))
            .collect();
        let mut changes = Vec::new();
        for ((room, key), after) in last {
            let before = self.get(&room, &key).cloned();
            if before != after {
                changes.push(CellChange {
                    room,
                    key,
                    before,
                    after,
                });
            }
        }
        changes
    }

    fn get(&self, room: &str, key: &str) -> Option<&Rc<str>> {
        self.rooms.get(room)?.get(key)
    }

    pub fn apply(&mut self, change: &CellChange) {
        let size = |value: &Rc<str>| change.key.len() + value.len();
        let room = self.rooms.entry(change.room.clone()).or_default();
        let gone = room.remove(&change.key);
        if let Some(value) = &change.after {
            self.bytes += size(value);
            room.insert(change.key.clone(), value.clone());
        }
        self.bytes -= gone.as_ref().map_or(0, size);
        if room.is_empty() {
            self.rooms.remove(&change.room);
        }
    }
}

impl Book {
    /// The value of a key in a room.
    pub fn cell(&self, room: &str, key: &str) -> Option<&str> {
        self.cells.get(room, key).map(|value| &**value)
    }

    /// All values of all rooms, as room, key and value, in order.
    pub fn cells(&self) -> impl Iterator<Item = (&Rc<str>, &Rc<str>, &Rc<str>)> {
        let values = |(room, cells)| {
            let of_room = move |(key, value)| (room, key, value);
            Leaves::iter(cells).map(of_room)
        };
        self.cells.rooms.iter().flat_map(values)
    }

    /// The keys and values of a room, in order of the keys.
    pub fn cells_of(&self, room: &str) -> impl Iterator<Item = (&str, &str)> {
        let cells = self.cells.rooms.get(room).into_iter().flat_map(Leaves::iter);
        cells.map(|(key, value)| (&**key, &**value))
    }

    /// The keys and values of a room whose keys start with `prefix`, in order.
    pub fn cells_from<'a>(&'a self, room: &str, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        let room = self.cells.rooms.get(room);
        let own = room.and_then(|room| room.get_key_value(prefix));
        let later = room.into_iter().flat_map(|room| room.after(Some(&prefix.into())));
        own.into_iter()
            .chain(later)
            .map(|(key, value)| (&**key, &**value))
            .take_while(move |(key, _)| key.starts_with(prefix))
    }

    /// The first key of a room after this one, and its value.
    pub fn cell_after(&self, room: &str, key: &str) -> Option<(&str, &str)> {
        let key: Rc<str> = key.into();
        let (key, value) = self.cells.rooms.get(room)?.after(Some(&key)).next()?;
        Some((key, value))
    }

    /// The size of all keys and values, in bytes.
    pub fn cell_bytes(&self) -> usize {
        self.cells.bytes
    }
}
