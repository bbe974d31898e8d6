//! Cells: what a capability keeps in the book beside the clauses.

use std::cell::RefCell;
use std::rc::Rc;

use hornbook_base::{Control, Fault, Pace};
use hornbook_book::{Book, Cell, CellChange, Delta, Effect, Operation, Revision};

use super::{Inner, Workspace};

/// What a capability makes of a change to its cells.
pub type CellListener = Rc<dyn Fn(&[CellChange])>;

/// Those who hear of changes to the cells of a room, by its name.
#[derive(Clone, Default)]
pub(super) struct Rooms(Rc<RefCell<Vec<Room>>>);

#[derive(Clone)]
struct Room {
    name: Rc<str>,
    listener: CellListener,
}

/// What is to be done to the cells of a room.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CellEdit {
    /// What is done, for the history.
    pub action: String,
    /// Keys with their new values; `None` takes the value away.
    pub cells: Vec<(String, Option<String>)>,
}

impl Workspace {
    /// The values of a room, by their keys in order.
    pub fn cells(&self, room: &str) -> Vec<(String, String)> {
        let book = self.0.book.borrow();
        book.cells_of(room)
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect()
    }

    /// `listener` hears every change of the room's cells from now on, also by undo, once the book has it and before
    /// anything else happens to the book.
    pub fn on_cells(&self, room: &str, listener: CellListener) {
        let name = room.into();
        self.0.rooms.0.borrow_mut().push(Room { name, listener });
    }

    /// Change the cells of a room as one revision. `plan` is called when nobody else can change the book, and says
    /// what to do, beside what is given back. Where it changes nothing there is no revision. On a fault the book is
    /// as it was.
    pub async fn edit_cells<T>(
        &self,
        room: &str,
        control: &Control,
        plan: impl FnOnce() -> (CellEdit, T),
    ) -> Result<T, Fault> {
        let workspace = &*self.0;
        let turn = workspace.wait(control).await?;
        let (edit, given) = plan();
        workspace.check_cells(&edit)?;
        let room: Rc<str> = room.into();
        let cell = |(key, value): (String, Option<String>)| Cell {
            room: room.clone(),
            key: key.into(),
            value: value.map(Into::into),
        };
        let delta = Delta {
            cells: edit.cells.into_iter().map(cell).collect(),
            ..Delta::default()
        };
        let operation = Operation::Cells {
            room: room.to_string(),
            action: edit.action,
        };
        turn.record(operation, delta).await?;
        Ok(given)
    }
}

impl Inner {
    fn check_cells(&self, edit: &CellEdit) -> Result<(), Fault> {
        let added: usize = edit
            .cells
            .iter()
            .map(|(key, value)| value.as_ref().map_or(0, |value| key.len() + value.len()))
            .sum();
        let book = self.book.borrow();
        if book.bytes() + book.cell_bytes() + added > self.limits.bytes {
            let message = "The book has no room for this";
            return Err(Fault::limit(message, "bytes", self.limits.bytes));
        }
        Ok(())
    }
}

impl Rooms {
    /// Carry out a revision, within a turn, and tell the rooms whose cells it changes. Whoever looks at the book meanwhile
    /// sees it as it was before.
    pub async fn apply(&self, book: &RefCell<Book>, revision: Rc<Revision>, pace: &Pace) -> Effect {
        let changes = revision.cells.clone();
        let mut next = book.borrow().clone();
        let effect = next.apply_in_slices(revision, pace).await;
        *book.borrow_mut() = next;
        if !changes.is_empty() {
            let listeners = self.0.borrow().clone();
            for Room { name, listener } in listeners {
                let own: Vec<CellChange> = changes
                    .iter()
                    .filter(|change| change.room == name)
                    .cloned()
                    .collect();
                if !own.is_empty() {
                    listener(&own);
                }
            }
        }
        effect
    }
}
