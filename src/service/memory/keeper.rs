//! A memory in the book of a workspace: its records are cells, so that they are kept, undone and told as clauses are.

use std::rc::{Rc, Weak};

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use hornbook_base::{Clock, Control, Fault};
use hornbook_book::CellChange;
use hornbook_memory::{Change, Desk, Keeper, Memory, Plan};
use hornbook_workspace::{CellEdit, Workspace};
use serde_json::Value;

/// The name of the memory's cells.
const ROOM: &str = "memory";

/// The memory in this workspace's book. It follows what undo and others do to it.
pub fn open(workspace: &Workspace, clock: Rc<dyn Clock>, new_id: impl Fn() -> String + 'static) -> Rc<Desk> {
    let mut memory = Memory::default();
    for (key, value) in workspace.cells(ROOM) {
        // A record of a later version stays in the book, and is not seen.
        let _ = memory.load(&key, &value);
    }
    let keeper = Rc::new(Book(workspace.clone()));
    let desk = Rc::new(Desk::new(memory, keeper, clock, new_id));
    let follower: Weak<Desk> = Rc::downgrade(&desk);
    workspace.on_cells(
        ROOM,
        Rc::new(move |changes| {
            if let Some(desk) = follower.upgrade() {
                let changes: Vec<Change> = changes.iter().map(change).collect();
                desk.take(&changes);
            }
        }),
    );
    desk
}

struct Book(Workspace);

impl Keeper for Book {
    fn edit(
        &self,
        operation: String,
        plan: Plan,
        control: Control,
    ) -> LocalBoxFuture<'static, Result<(), Fault>> {
        let workspace = self.0.clone();
        async move {
            let plan = || {
                let cells = plan()
                    .into_iter()
                    .map(|change| (change.key, change.after.as_ref().map(Value::to_string)));
                let edit = CellEdit {
                    action: operation,
                    cells: cells.collect(),
                };
                (edit, ())
            };
            workspace.edit_cells(ROOM, &control, plan).await
        }
        .boxed_local()
    }
}

fn change(cell: &CellChange) -> Change {
    Change {
        key: cell.key.to_string(),
        before: cell.before.as_deref().and_then(read),
        after: cell.after.as_deref().and_then(read),
    }
}

/// The book keeps what it was given: JSON.
fn read(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}
