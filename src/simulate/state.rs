//! The bytes of the log, and who has them.

use std::cell::Cell;
use std::rc::Rc;
use std::task::Waker;

use hornbook_base::{Limits, Pace, at_once};
use hornbook_book::{Cell as BookCell, Delta, Operation};
use hornbook_store::memory::MemoryStore;
use hornbook_store::{Appended, Journal, Opened};

use super::plan::Kind;
use super::world::Owner;

/// The bytes of the first line of a log.
pub const HEAD: usize = 46;

/// Where somebody reads and writes.
#[derive(Clone)]
pub struct Place {
    pub owner: Owner,
    /// The contents that were opened last.
    pub generation: Rc<Cell<usize>>,
}

/// What a write follows.
#[derive(Clone)]
pub struct After {
    pub(super) place: Place,
    pub(super) generation: usize,
    pub(super) length: usize,
}

impl Place {
    /// The end of the contents that are open now.
    pub fn at(&self, length: usize) -> After {
        After {
            place: self.clone(),
            generation: self.generation.get(),
            length,
        }
    }
}

#[derive(Default)]
pub struct State {
    /// The contents before each rewrite, and the current ones last.
    pub generations: Vec<Generation>,
    /// Of a file: who keeps it, and whether the others may have it.
    pub keeper: Option<Owner>,
    pub is_served: bool,
    /// Those who have it open.
    pub seats: Vec<Owner>,
    pub connections: usize,
    /// What the keeper is writing.
    pub writing: Option<Writing>,
    /// The first line that is durable; the one in the file may be newer.
    pub durable_head: Vec<u8>,
    /// How many revisions are in the log.
    pub revisions: u64,
    pub waiting: Vec<Waker>,
    /// The log of another book, once somebody is shown it in the place of this one, and who is.
    pub other: Option<Generation>,
    pub astray: Vec<Owner>,
}

#[derive(Default)]
pub struct Generation {
    pub bytes: Vec<u8>,
    /// How far it is valid. What a failed write has left may follow.
    pub length: usize,
}

pub struct Writing {
    pub at: usize,
    pub bytes: Vec<u8>,
    pub head: Vec<u8>,
}

impl State {
    pub fn new() -> State {
        State {
            generations: vec![Generation::default()],
            ..State::default()
        }
    }

    /// Open the log: its length, and whether this is the keeper of a file that nobody else has; `None` while a
    /// file is not served.
    pub fn open(&mut self, owner: Owner, kind: Kind) -> Option<(usize, bool)> {
        let (all, valid) = (self.current().bytes.len(), self.current().length);
        let has_it = self.seats.contains(&owner);
        let found = match (kind, self.keeper) {
            (Kind::File, None) if !has_it => {
                self.keeper = Some(owner);
                (all, true)
            }
            (Kind::File, Some(keeper)) if !self.is_served && keeper == owner => (all, false),
            (Kind::File, _) if !self.is_served => return None,
            _ => (valid, false),
        };
        if !has_it {
            self.seats.push(owner);
        }
        Some(found)
    }

    /// Replace the contents, before anybody else has them.
    pub fn replace(&mut self, bytes: Vec<u8>) {
        self.durable_head = head_of(&bytes);
        let current = self.generations.last_mut().expect("there is one");
        current.length = bytes.len();
        current.bytes = bytes;
    }

    /// The log of another book, if this process is shown that.
    pub fn other_of(&self, owner: Owner) -> Option<&Generation> {
        self.other.as_ref().filter(|_| self.astray.contains(&owner))
    }

    pub fn current(&self) -> &Generation {
        self.generations.last().expect("there is one")
    }

    pub fn is_current(&self, after: &After) -> bool {
        after.generation + 1 == self.generations.len() && self.current().length == after.length
    }

    /// The log is valid up to there.
    pub fn extend_to(&mut self, end: usize) {
        let current = self.generations.last_mut().expect("there is one");
        let new = current.bytes.get(current.length..end).unwrap_or_default();
        // The first line of a new log is no record.
        let lines = new.iter().filter(|byte| **byte == b'\n').count();
        self.revisions += (lines - usize::from(current.length == 0 && lines > 0)) as u64;
        current.length = end;
    }

    pub fn put(&mut self, Writing { at, bytes, head }: Writing, is_alone: bool) {
        let current = self.generations.last_mut().expect("there is one");
        self.durable_head = head_of(&current.bytes);
        current.bytes.truncate(at);
        current.bytes.extend(&bytes);
        current.bytes[..head.len()].copy_from_slice(&head);
        if !is_alone {
            self.extend_to(at + bytes.len());
        }
    }

    pub fn begin_generation(&mut self, bytes: &[u8]) {
        self.durable_head = head_of(bytes);
        self.generations.push(Generation {
            bytes: bytes.to_vec(),
            length: bytes.len(),
        });
    }
}

/// The log of another book with so many revisions.
pub fn another(revisions: usize) -> Generation {
    let (store, pace) = (Rc::<MemoryStore>::default(), Pace::unbroken());
    let opened = at_once(Journal::open(store.clone(), &Limits::default(), &pace));
    let Opened {
        journal, mut book, ..
    } = opened.expect("a new log");
    for number in 1..=revisions as u64 {
        let cell = BookCell {
            room: "memory".into(),
            key: "another".into(),
            value: Some(number.to_string().into()),
        };
        let delta = Delta {
            cells: vec![cell],
            ..Delta::default()
        };
        let planned = book.plan(Operation::Change, number, delta).expect("a change");
        let written = at_once(journal.append(number, &planned, &pace));
        assert_eq!(written.expect("there is space"), Appended::Done);
        book.apply(planned);
    }
    let bytes = store.bytes.take();
    Generation {
        length: bytes.len(),
        bytes,
    }
}

fn head_of(bytes: &[u8]) -> Vec<u8> {
    bytes[..bytes.len().min(HEAD)].to_vec()
}
