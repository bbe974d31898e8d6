//! The goals that the client of a draft has asked meanwhile, for the person who decides: somebody cares about their
//! answers. They are kept in cells of the draft.

use std::pin::pin;
use std::rc::Weak;

use futures::future::{Either, select};

use super::branch::Branch;
use super::noted::{MOST, kept};
use super::{ROOM, TRIES, bytes_of, cell, check_room, steps_prefix};
use crate::turn::Turn;
use crate::{Inner, Workspace};
use hornbook_base::Control;
use hornbook_book::Cell;

/// Goals that a client asked wait at most so long until they are in the log, in milliseconds.
const NOTED_MS: u64 = 30_000;
/// How long a draft that is closed waits for its turn to write them.
const CLOSING_MS: u64 = 2_000;

/// Write what the client of a draft has asked: at once, or after a while if it asks much.
pub(super) async fn write_soon(draft: Weak<Inner>) {
    let Some(inner) = draft.upgrade() else { return };
    if !inner.write_noted(false).await {
        return;
    }
    let waits = inner.draft.as_ref().and_then(|branch| branch.noted.waits());
    let Some(mut closed) = waits else { return };
    let clock = inner.clock.clone();
    drop(inner);
    while let Either::Left(_) = select(clock.sleep(NOTED_MS), &mut closed).await
        && let Some(inner) = draft.upgrade()
        && inner.write_noted(true).await
    {}
}

impl Workspace {
    /// Write the goals that the client has asked and that are not in the log yet: this draft is about to be closed.
    pub async fn keep_asked(&self) {
        let late = self.0.clock.sleep(CLOSING_MS);
        drop(select(pin!(self.0.write_noted(true)), late).await);
    }
}

impl Inner {
    /// Write the goals that the client of this draft has asked. Returns whether some are left.
    async fn write_noted(&self, due: bool) -> bool {
        let Some(branch) = &self.draft else {
            return false;
        };
        // In this order, as operations of the draft take them.
        let Ok(drafted) = self.wait(&Control::default()).await else {
            return true;
        };
        match branch.turn_of_base(&drafted, &Control::default()).await {
            Ok(turn) => branch.write_noted_goals(&turn, due).await,
            Err(_) => true,
        }
    }
}

impl Branch {
    /// Write what was noted, at once only while few goals are kept: a client that asks on and on does not fill the log.
    /// Returns whether something is left, which is written when it is `due`, or with the next operation. Call within a
    /// turn of the draft, with that of its book.
    async fn write_noted_goals(&self, turn: &Turn<'_>, due: bool) -> bool {
        // Other processes may be faster.
        for _ in 0..TRIES {
            let book = turn.book();
            let proposes = book.cells_from(ROOM, &steps_prefix(&self.name)).next().is_some();
            let noted = self.noted.len();
            if !proposes || noted == 0 {
                return false;
            }
            let has_room = kept(&book, &self.name).len() + noted <= MOST;
            if !(due || has_room) {
                return true;
            }
            let now = book.revision();
            let changes = self.noted.cells(&book, &self.name, now);
            let cells: Vec<Cell> = changes
                .iter()
                .cloned()
                .map(|(key, goal)| cell(key, goal))
                .collect();
            if check_room(turn.workspace, bytes_of(&cells)).is_err() {
                return true;
            }
            match turn.write_draft(self, cells).await {
                Ok(true) => {
                    self.noted.forget(&changes);
                    if self.seen() == now {
                        self.has_seen(now + 1);
                    }
                    return false;
                }
                Ok(false) => {}
                Err(_) => return true,
            }
        }
        true
    }
}
