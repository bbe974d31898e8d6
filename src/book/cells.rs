//! Keyed values of capabilities, kept in the book beside its clauses: one history, one undo, one recovery for all.
//! What a value means only its capability knows; to the book it is a text, JSON as a rule.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::Book;
use super::leaves::Leaves;

/// A value by its key, in the room of a capability; `None` where there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    pub room: Rc<str>,
    pub key: Rc<str>,
    pub value: Option<Rc<str>>,
}

/// A value before a revision, and after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellChange {
    pub room: Rc<str>,
    pub key: Rc<str>,
    pub before: Option<Rc<str>>,
    pub after: Option<Rc<str>>,
}

impl CellChange {
    /// What does it again.
    pub fn repeated(&self) -> Cell {
        Cell {
            room: self.room.clone(),
            key: self.key.clone(),
            value: self.after.clone(),
        }
    }

    /// What takes it back.
    pub fn reversed(&self) -> Cell {
        Cell {
            room: self.room.clone(),
            key: self.key.clone(),
            value: self.before.clone(),
        }
    }
}

/// All values that there are.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Cells {
    rooms: BTreeMap<Rc<str>, Leaves<Rc<str>, Rc<str>>>,
    bytes: usize,
}

impl Cells {
    /// What setting these cells, one after the other, would change.
    pub fn plan(&self, cells: Vec<Cell>) -> Vec<CellChange> {
        // The last word on each key counts.
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

    /// All values of all rooms: room, key and value, in their order.
    pub fn cells(&self) -> impl Iterator<Item = (&Rc<str>, &Rc<str>, &Rc<str>)> {
        let values = |(room, cells)| {
            let of_room = move |(key, value)| (room, key, value);
            Leaves::iter(cells).map(of_room)
        };
        self.cells.rooms.iter().flat_map(values)
    }

    /// The values of a room, by their keys in order.
    pub fn cells_of(&self, room: &str) -> impl Iterator<Item = (&str, &str)> {
        let cells = self.cells.rooms.get(room).into_iter().flat_map(Leaves::iter);
        cells.map(|(key, value)| (&**key, &**value))
    }

    /// Those of a room whose keys begin so, in order.
    pub fn cells_from<'a>(&'a self, room: &str, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        let room = self.cells.rooms.get(room);
        let own = room.and_then(|room| room.get_key_value(prefix));
        let later = room.into_iter().flat_map(|room| room.after(Some(&prefix.into())));
        own.into_iter()
            .chain(later)
            .map(|(key, value)| (&**key, &**value))
            .take_while(move |(key, _)| key.starts_with(prefix))
    }

    /// The first value of a room with a key after this one, and its key.
    pub fn cell_after(&self, room: &str, key: &str) -> Option<(&str, &str)> {
        let key: Rc<str> = key.into();
        let (key, value) = self.cells.rooms.get(room)?.after(Some(&key)).next()?;
        Some((key, value))
    }

    /// Bytes of all keys and values.
    pub fn cell_bytes(&self) -> usize {
        self.cells.bytes
    }
}
