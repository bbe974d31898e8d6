//! The goals that the client of a draft has asked, as far as they are known: those in the log, and those that are yet
//! to be written.

use std::cell::RefCell;

use futures::channel::oneshot;

use super::{ROOM, asked_prefix, key, steps_prefix};
use hornbook_book::Book;

/// The most goals of a draft that are kept.
pub(super) const MOST: usize = 20;
/// A goal of more characters than this is not kept.
const MOST_CHARS: usize = 500;

/// A change of a cell.
pub(super) type Change = (String, Option<String>);

/// Goals that are not in the log yet.
#[derive(Default)]
pub(super) struct Noted {
    goals: RefCell<Vec<String>>,
    /// Whoever waits to write them ends when this is dropped.
    waits: RefCell<Option<oneshot::Sender<()>>>,
}

impl Noted {
    /// For whoever waits to write them; `None` if somebody waits already.
    pub fn waits(&self) -> Option<oneshot::Receiver<()>> {
        let mut waits = self.waits.borrow_mut();
        if waits.as_ref().is_some_and(|waits| !waits.is_canceled()) {
            return None;
        }
        let (sender, receiver) = oneshot::channel();
        *waits = Some(sender);
        Some(receiver)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.goals.borrow().len()
    }

    /// The goals that the client of a draft has asked, the newest last.
    pub fn all(&self, book: &Book, draft: &str) -> Vec<String> {
        let kept = kept(book, draft).into_iter().map(|(_, goal)| goal);
        let mut goals: Vec<String> = kept.chain(self.goals.borrow().iter().cloned()).collect();
        goals.drain(..goals.len().saturating_sub(MOST));
        goals
    }

    /// Note a goal. Returns whether it is new.
    pub fn add(&self, goal: &str, book: &Book, draft: &str) -> bool {
        let goal = goal.trim();
        if goal.is_empty() || !is_short(goal) {
            return false;
        }
        let mut noted = self.goals.borrow_mut();
        let is_known = kept(book, draft).iter().any(|(_, known)| known == goal);
        if is_known || noted.iter().any(|known| known == goal) {
            return false;
        }
        noted.push(goal.to_owned());
        let over = noted.len().saturating_sub(MOST);
        noted.drain(..over);
        true
    }

    /// What the revision after `seen` changes to keep them: the oldest make room for them.
    pub fn cells(&self, book: &Book, draft: &str, seen: u64) -> Vec<Change> {
        let noted = self.goals.borrow();
        let kept = kept(book, draft);
        let over = (kept.len() + noted.len()).saturating_sub(MOST);
        let gone = kept.iter().take(over).map(|(key, _)| (key.clone(), None));
        let first = key(&asked_prefix(draft), seen + 1);
        let new = noted.iter().enumerate();
        let new = new.map(|(at, goal)| (format!("{first}-{at:02}"), Some(goal.clone())));
        gone.chain(new).collect()
    }

    /// These were written.
    pub fn forget(&self, written: &[Change]) {
        let written: Vec<&str> = written.iter().filter_map(|(_, goal)| goal.as_deref()).collect();
        self.goals.borrow_mut().retain(|goal| !written.contains(&&**goal));
    }
}

/// The goals of a draft that its book has, with their keys, the newest last.
pub(super) fn kept(book: &Book, draft: &str) -> Vec<(String, String)> {
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
