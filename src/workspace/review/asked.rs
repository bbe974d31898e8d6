//! The goals that the client of a draft has asked meanwhile, for the person who decides: somebody cares about their
//! answers. They are kept in cells of the draft.

use std::cell::RefCell;
use std::pin::pin;
use std::rc::Weak;

use futures::channel::oneshot;
use futures::future::{Either, select};

use super::branch::Branch;
use super::decide::TRIES;
use super::upstream::Upstream;
use super::{ROOM, asked_prefix, bytes_of, cell, check_room, key, steps_prefix};
use crate::turn::Turn;
use crate::{Inner, Workspace};
use hornbook_base::Control;
use hornbook_book::{Book, Cell};

/// The most goals of a draft that are kept.
const MOST: usize = 20;
/// A goal of more characters than this is not kept.
const MOST_CHARS: usize = 500;

/// Goals that a client asked wait at most so long until they are in the log, in milliseconds.
const NOTED_MS: u64 = 30_000;
/// How long a draft that is closed waits for its turn to write them.
const CLOSING_MS: u64 = 2_000;

/// Goals that are not in the log yet.
#[derive(Default)]
pub(super) struct Noted {
    goals: RefCell<Vec<String>>,
    /// Whoever waits to write them ends when this is dropped.
    waits: RefCell<Option<oneshot::Sender<()>>>,
}

impl Noted {
    /// For whoever waits to write them; `None` if somebody waits already.
    fn waits(&self) -> Option<oneshot::Receiver<()>> {
        let mut waits = self.waits.borrow_mut();
        if waits.as_ref().is_some_and(|waits| !waits.is_canceled()) {
            return None;
        }
        let (sender, receiver) = oneshot::channel();
        *waits = Some(sender);
        Some(receiver)
    }
}

/// A change of a cell.
type Change = (String, Option<String>);

/// The goals of a draft that its book has, with their keys, the newest last.
fn kept(book: &Book, draft: &str) -> Vec<(String, String)> {
    let prefix = asked_prefix(draft);
    let cells = book.cells_from(ROOM, &prefix);
    let cells = cells.filter(|(_, goal)| is_short(goal));
    cells
        .map(|(key, goal)| (key.to_owned(), goal.to_owned()))
        .collect()
}

fn is_short(goal: &str) -> bool {
    goal.chars().count() <= MOST_CHARS
}

/// The keys under which the book has goals of a draft that proposes only operations which are decided now: these go
/// with them.
pub(super) fn done_with(book: &Book, draft: &str, decided: usize) -> Vec<String> {
    if book.cells_from(ROOM, &steps_prefix(draft)).count() > decided {
        return Vec::new();
    }
    let prefix = asked_prefix(draft);
    let cells = book.cells_from(ROOM, &prefix);
    cells.map(|(key, _)| key.to_owned()).collect()
}

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
        let Ok(_drafted) = self.wait(&Control::default()).await else {
            return true;
        };
        match branch.base.0.wait(&Control::default()).await {
            Ok(turn) => branch.write_noted_goals(&turn, due).await,
            Err(_) => true,
        }
    }
}

impl Branch {
    /// The goals that its client has asked, the newest last.
    pub fn asked(&self, book: &Book) -> Vec<String> {
        let kept = kept(book, &self.name);
        let kept = kept.into_iter().map(|(_, goal)| goal);
        let mut goals: Vec<String> = kept.chain(self.noted.goals.borrow().iter().cloned()).collect();
        goals.drain(..goals.len().saturating_sub(MOST));
        goals
    }

    /// Note a goal of the client. Returns whether it is new.
    pub(super) fn note_goal(&self, goal: &str) -> bool {
        let goal = goal.trim();
        if !self.is_kept() || self.is_chosen() || goal.is_empty() || !is_short(goal) {
            return false;
        }
        let book = self.base.0.book();
        let mut noted = self.noted.goals.borrow_mut();
        let is_known = kept(&book, &self.name).iter().any(|(_, known)| known == goal);
        if is_known || noted.iter().any(|known| known == goal) {
            return false;
        }
        noted.push(goal.to_owned());
        let over = noted.len().saturating_sub(MOST);
        noted.drain(..over);
        true
    }

    /// What the revision after `seen` changes to keep the goals that were noted: the oldest make room for them.
    pub(super) fn noted_cells(&self, book: &Book, seen: u64) -> Vec<Change> {
        let noted = self.noted.goals.borrow();
        let kept = kept(book, &self.name);
        let over = (kept.len() + noted.len()).saturating_sub(MOST);
        let gone = kept.iter().take(over).map(|(key, _)| (key.clone(), None));
        let first = key(&asked_prefix(&self.name), seen + 1);
        let new = noted.iter().enumerate();
        let new = new.map(|(at, goal)| (format!("{first}-{at:02}"), Some(goal.clone())));
        gone.chain(new).collect()
    }

    /// These were written.
    pub(super) fn forget_noted(&self, written: &[Change]) {
        let written: Vec<&str> = written.iter().filter_map(|(_, goal)| goal.as_deref()).collect();
        self.noted
            .goals
            .borrow_mut()
            .retain(|goal| !written.contains(&&**goal));
    }

    /// Write what was noted, at once only while few goals are kept: a client that asks on and on does not fill the log.
    /// Returns whether something is left, which is written when it is `due`, or with the next operation. Call within a
    /// turn of the draft, with that of its book.
    async fn write_noted_goals(&self, turn: &Turn<'_>, due: bool) -> bool {
        // Other processes may be faster.
        for _ in 0..TRIES {
            let book = turn.book();
            let proposes = book.cells_from(ROOM, &steps_prefix(&self.name)).next().is_some();
            let noted = self.noted.goals.borrow().len();
            if !proposes || noted == 0 {
                return false;
            }
            let has_room = kept(&book, &self.name).len() + noted <= MOST;
            if !(due || has_room) {
                return true;
            }
            let now = book.revision();
            let changes = self.noted_cells(&book, now);
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
                    self.forget_noted(&changes);
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
