//! Cells: what a capability keeps in the book beside the clauses.

use std::rc::Rc;

use hornbook_base::{Control, Fault, FaultKind, Who};
use hornbook_book::{Cell, CellChange, Clash, Delta, Operation, Revision, Stamp};
use hornbook_engine::protocol::Bounds;
use hornbook_engine::reply::{Changing, MayAsk};

use super::facts::CellValue;
use super::keeping::Kept;
use super::request::Watch;
use super::rooms::{CellListener, Room};
use super::sharing::on_the_newest;
use super::{Inner, Workspace, believed, changes, review};

/// A change to the cells of a room.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CellEdit {
    /// What is done, for the history.
    pub action: String,
    /// Keys with their new values; `None` removes the key.
    pub cells: Vec<(String, Option<String>)>,
}

impl CellEdit {
    /// The bytes of what it sets.
    fn bytes(&self) -> usize {
        let size = |(key, value): &(String, Option<String>)| {
            value.as_ref().map_or(0, |value| key.len() + value.len())
        };
        self.cells.iter().map(size).sum()
    }
}

impl Workspace {
    /// The keys and values of a room, in order of the keys.
    pub fn cells(&self, room: &str) -> Vec<(String, String)> {
        let book = self.0.book.borrow();
        book.cells_of(room)
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect()
    }

    /// The value of a key in a room.
    pub fn cell(&self, room: &str, key: &str) -> Option<String> {
        self.0.book.borrow().cell(room, key).map(str::to_owned)
    }

    /// Whether an undo gave a key of a room the value that it has.
    pub fn is_undone_cell(&self, room: &str, key: &str) -> bool {
        self.0.book.borrow().is_undone_cell(room, key)
    }

    /// The keys and values of a room whose keys start with `prefix`, in order.
    pub fn cells_from(&self, room: &str, prefix: &str) -> Vec<(String, String)> {
        let book = self.0.book.borrow();
        book.cells_from(room, prefix)
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect()
    }

    /// The first key of a room after this one, and its value.
    pub fn cell_after(&self, room: &str, key: &str) -> Option<(String, String)> {
        let book = self.0.book.borrow();
        let (key, value) = book.cell_after(room, key)?;
        Some((key.to_owned(), value.to_owned()))
    }

    /// `listener` hears every later change to the room's cells, undo included, once the change is in the book
    /// and before anything else happens to the book.
    pub fn on_cells(&self, room: &str, listener: CellListener) {
        let name = room.into();
        self.0.rooms.listeners.borrow_mut().push(Room { name, listener });
    }

    /// Change the cells of a room as one revision. `plan` is called while nothing else in this process can
    /// change the book, and returns the edit and a value to hand back. If another process was faster, it is
    /// called again. If it changes nothing, there is no revision. On a fault, for instance when a rule
    /// refuses the change, the book is unchanged.
    ///
    /// Returns the plan's value and the warnings of the book's rules.
    pub async fn edit_cells<T>(
        &self,
        room: &str,
        control: &Control,
        mut plan: impl FnMut() -> (CellEdit, T),
    ) -> Result<(T, Vec<String>), Fault> {
        let workspace = &*self.0;
        let turn = workspace.wait(control).await?;
        let room: Rc<str> = room.into();
        loop {
            let (edit, given) = plan();
            workspace.check_cells(edit.bytes())?;
            let operation = Operation::Cells {
                room: room.to_string(),
                action: edit.action,
            };
            let cells: Vec<CellValue> = edit
                .cells
                .into_iter()
                .map(|(key, value)| (key.into(), value.map(Into::into)))
                .collect();
            let objecting = match cells.is_empty() {
                true => None,
                false => workspace.objecting(&room),
            };
            let checked = match objecting {
                Some(objecting) => Some(turn.objections(&objecting, &cells, control).await?),
                None => None,
            };
            let cell = |(key, value)| Cell {
                room: room.clone(),
                key,
                value,
            };
            let delta = Delta {
                cells: cells.into_iter().map(cell).collect(),
                ..Delta::default()
            };
            let number = workspace.book.borrow().revision() + 1;
            let kept = turn.record_once(operation, delta).await?;
            if let Some(Kept::Conflict(..)) = kept {
                // The engine that checked this change is discarded; another checks the next plan.
                drop(checked);
                turn.catch_up().await;
                continue;
            }
            let Some((edit, mut warnings, mut met)) = checked else {
                return Ok((given, Vec::new()));
            };
            edit.keep();
            warnings.append(&mut met.warnings);
            turn.learn(met, number);
            return Ok((given, warnings));
        }
    }
}

impl Workspace {
    /// Check that the rules of the book let the requester change cells of this room.
    ///
    /// # Errors
    /// [`FaultKind::PermissionError`] if they do not.
    pub async fn permits_room(&self, room: &str, control: &Control) -> Result<(), Fault> {
        let change = Revision {
            operation: Operation::Cells {
                room: room.to_owned(),
                action: String::new(),
            },
            stamp: Stamp { at_ms: 0, by: None },
            removed: Vec::new(),
            added: Vec::new(),
            known: Vec::new(),
            cells: vec![CellChange {
                room: room.into(),
                key: "".into(),
                before: None,
                after: None,
            }],
        };
        self.0.permit(control.who.as_deref(), &change).await
    }
}

impl Workspace {
    /// Check that the requester may go on with a run that these clients have begun or resumed, or, if there are none,
    /// the host: then what it gives the run stands for nobody who may change more.
    ///
    /// # Errors
    /// [`FaultKind::PermissionError`] if all of them may change more.
    pub fn permits_to_carry_on(&self, run: &str, others: &[Who], control: &Control) -> Result<(), Fault> {
        let Some(who) = control.who.as_deref() else {
            return Ok(());
        };
        let book = self.0.ruling();
        if who.each().all(|who| book.is_as_free(&who, others)) {
            return Ok(());
        }
        let by = match others {
            [] => "the host of the book",
            [first, ..] => &first.name,
        };
        let message = format!(
            "The run {run} is that of {by}, who may change more than {}; nothing was run.",
            who.name
        );
        let fault = Fault::new(FaultKind::PermissionError, message);
        Err(fault.with_next("Start a run of your own, or ask a person to resume this one."))
    }

    /// Run the user's goals in the book's engine by a request of a capability, and change cells of the room:
    /// what the goals did to the clauses and the change of the cells are one revision. `request` is given the
    /// time they may take, and `plan` their result. If it plans nothing, or refuses, the book is unchanged.
    /// If another process was faster, `plan` is called again; if it refuses then, or the other has changed what the goals
    /// used, they run again on the new book.
    pub async fn run_with_cells<T: Changing, E: From<Fault>>(
        &self,
        room: &str,
        control: &Control,
        timeout_ms: u64,
        request: impl Fn(Bounds) -> String,
        mut plan: impl FnMut(&T) -> Result<CellEdit, E>,
    ) -> Result<T, E> {
        let ran = on_the_newest(async || {
            let run = self.run_with_cells_once(room, control, timeout_ms, &request, &mut plan);
            run.await
        });
        ran.await?
    }

    /// The outer fault is the book's or the engine's; the inner error is the plan's refusal.
    async fn run_with_cells_once<T: Changing, E>(
        &self,
        room: &str,
        control: &Control,
        timeout_ms: u64,
        request: impl Fn(Bounds) -> String,
        mut plan: impl FnMut(&T) -> Result<CellEdit, E>,
    ) -> Result<Result<T, E>, Fault> {
        let workspace = &*self.0;
        let turn = workspace.turn(control).await?;
        let bounds = Bounds {
            take: 1,
            soft_ms: timeout_ms,
            next: turn.next_ids(),
        };
        let watch = Watch::goal("node", timeout_ms, control);
        let believe = |mut reply: T| {
            let changes = reply.take_changes();
            believed::changed(&turn, bounds, &changes)?;
            Ok((reply, changes))
        };
        let within = (bounds, workspace.clock.now_ms() + timeout_ms);
        let first = |reply: MayAsk<T>| reply.believed(believe);
        let (begun, edit) = turn.step(request(bounds), watch, first).await?;
        let (reply, changes) = turn
            .answer_explanation(begun, within, watch, control, believe)
            .await?;
        let planned = match plan(&reply) {
            Ok(planned) => workspace.check_cells(planned.bytes()).map(|()| Ok(planned)),
            Err(refused) => Ok(Err(refused)),
        };
        let CellEdit { action, cells } = match planned {
            Ok(Ok(planned)) => planned,
            not_done => {
                // The engine may have changes that the book will not get: then rebuild it.
                if !changes.kept() && changes::give_back(&turn, &changes.reload).await? {
                    edit.keep();
                }
                return not_done.map(|refused| refused.map(|_| reply));
            }
        };
        let room: Rc<str> = room.into();
        let operation = Operation::Cells {
            room: room.to_string(),
            action,
        };
        let cell = |(key, value): (String, Option<String>)| Cell {
            room: room.clone(),
            key: key.into(),
            value: value.map(Into::into),
        };
        let of_room = |cells: Vec<_>| cells.into_iter().map(cell).collect();
        let anew = |_| {
            let refused = |_| Clash("what the change of the cells depends on has changed".to_owned());
            let planned = plan(&reply).map_err(refused)?;
            Ok(of_room(planned.cells))
        };
        changes::take_with(&turn, edit, changes, operation, of_room(cells), anew).await?;
        Ok(Ok(reply))
    }
}

impl Inner {
    /// The bytes of the book that count for its limit: what is proposed is not in the book yet.
    pub(super) fn used_bytes(&self) -> usize {
        let book = self.book.borrow();
        book.bytes() + book.cell_bytes() - book.bytes_of_room(review::ROOM)
    }

    /// Check that the book has room for this many more bytes of cells.
    pub(super) fn check_cells(&self, added: usize) -> Result<(), Fault> {
        if self.used_bytes() + added > self.limits.bytes {
            let message = "The book has no room for this";
            return Err(Fault::limit(message, "bytes", self.limits.bytes));
        }
        Ok(())
    }
}
