//! The log that the processes share: bytes that outlive them, in a file that one of them keeps or in a table of
//! a database. It does whatever the contracts of [`hornbook_store`] permit.

use std::cell::RefCell;
use std::rc::Rc;
use std::task::Waker;

use hornbook_base::Clock;
use hornbook_store::{Appended, StoreFault};

use super::plan::{Faults, Kind};
use super::state::{After, HEAD, Place, State, Writing, another};
use super::world::{NOBODY, Owner, World};

/// What every message of an injected fault contains.
pub const SIMULATED: &str = "simulated";

/// Milliseconds between two attempts to find who keeps the file.
const AGAIN_MS: u64 = 5;

/// The most milliseconds that a slow disk needs.
const STALL_MS: u64 = 6_000;

/// Cheap to clone: clones are the same log.
#[derive(Clone)]
pub struct Log(pub(super) Rc<Inner>);

pub(super) struct Inner {
    pub(super) world: World,
    kind: Kind,
    faults: Faults,
    pub(super) state: RefCell<State>,
}

/// What is written to a log that ends at a place.
#[derive(Clone)]
pub enum Change {
    /// The bytes after it, and those at the start.
    Append(Vec<u8>, Vec<u8>),
    /// Everything.
    Replace(Vec<u8>),
}

pub fn fault(why: &str) -> StoreFault {
    StoreFault::new(format!("{SIMULATED}: {why}"))
}

fn unanswered() -> StoreFault {
    StoreFault {
        unanswered: true,
        ..fault("the connection was lost")
    }
}

impl Log {
    pub fn new(world: World, kind: Kind, faults: Faults) -> Log {
        Log(Rc::new(Inner {
            world,
            kind,
            faults,
            state: RefCell::new(State::new()),
        }))
    }

    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    pub fn world(&self) -> &World {
        &self.0.world
    }

    pub fn faults(&self) -> &Faults {
        &self.0.faults
    }

    /// How many revisions are in it.
    pub fn revisions(&self) -> u64 {
        self.0.state.borrow().revisions
    }

    /// Whether the keeper is writing to the file.
    pub fn is_writing(&self) -> bool {
        self.0.state.borrow().writing.is_some()
    }

    /// How often it was rewritten.
    pub fn rewritten(&self) -> usize {
        self.0.state.borrow().generations.len() - 1
    }

    /// Add what is valid of it after `seen`, which it must begin with, except for its first line; `false` if it does not.
    pub fn extend(&self, seen: &mut Vec<u8>) -> bool {
        let state = self.0.state.borrow();
        let current = state.current();
        let bytes = &current.bytes[..current.length];
        let end = seen.len();
        let first = HEAD.min(end);
        let is_same = bytes.get(first..end) == Some(&seen[first..]);
        seen.extend(bytes.get(end..).unwrap_or_default());
        is_same
    }

    /// The time that a message takes.
    pub async fn travel(&self) {
        let most = if self.0.world.strikes(self.0.faults.slow) {
            400
        } else if self.0.world.strikes(self.0.faults.stall) {
            STALL_MS
        } else {
            2
        };
        self.0.world.pause(0, most).await;
    }

    /// Open it: who has the file then, or waits for it to be served. Returns its length, and whether this is the
    /// keeper of a file that nobody else has.
    pub async fn open(&self, place: &Place) -> (usize, bool) {
        loop {
            self.travel().await;
            let found = self.0.state.borrow_mut().open(place.owner, self.0.kind);
            if let Some(found) = found {
                place.generation.set(self.0.state.borrow().generations.len() - 1);
                return found;
            }
            self.0.world.sleep(AGAIN_MS).await;
        }
    }

    /// From now on this process is shown the log of another book, as if somebody had put that in the place of this one.
    pub fn lead_astray(&self, owner: Owner) -> usize {
        let mut state = self.0.state.borrow_mut();
        let revisions = 1 + self.0.world.random().below(2 * state.revisions as usize + 10);
        self.0.world.tell(|| format!("life {owner} is shown another log"));
        state.astray.push(owner);
        state.other.get_or_insert_with(|| another(revisions)).length
    }

    pub fn is_astray(&self, owner: Owner) -> bool {
        self.0.state.borrow().astray.contains(&owner)
    }

    /// The id of a new connection.
    pub fn connection(&self) -> usize {
        let mut state = self.0.state.borrow_mut();
        state.connections += 1;
        state.connections
    }

    /// The keeper has repaired what it opened, up to `length`.
    pub fn serve(&self, owner: Owner, length: usize) {
        let mut state = self.0.state.borrow_mut();
        if state.keeper == Some(owner) && !state.is_served {
            state.is_served = true;
            state.extend_to(length);
        }
    }

    pub fn is_keeper(&self, owner: Owner) -> bool {
        self.0.state.borrow().keeper == Some(owner)
    }

    /// How far the contents extend that were opened at this place, and whether others have replaced them.
    pub fn head(&self, place: &Place) -> (usize, bool) {
        let state = self.0.state.borrow();
        if let Some(other) = state.other_of(place.owner) {
            return (other.length, false);
        }
        let generation = place.generation.get();
        let is_last = generation + 1 == state.generations.len();
        (state.generations[generation].length, !is_last)
    }

    /// Bytes from `from` on, as far as there are any.
    pub fn read(&self, place: &Place, from: usize, count: usize) -> Vec<u8> {
        let state = self.0.state.borrow();
        let own = &state.generations[place.generation.get()];
        let bytes = &state.other_of(place.owner).unwrap_or(own).bytes;
        let end = (from + count).min(bytes.len());
        bytes.get(from..end).unwrap_or_default().to_vec()
    }

    /// Wake this when the log changes.
    pub fn wait(&self, waker: Waker) {
        self.0.state.borrow_mut().waiting.push(waker);
    }

    pub(super) fn wake(&self) {
        let waiting = std::mem::take(&mut self.0.state.borrow_mut().waiting);
        waiting.into_iter().for_each(Waker::wake);
    }

    /// Wait until this process has the file, or another serves it.
    pub async fn served(&self, owner: Owner) {
        let has = |state: &State| state.is_served || state.keeper == Some(owner);
        while self.0.kind == Kind::File && !has(&self.0.state.borrow()) {
            self.0.world.sleep(AGAIN_MS).await;
        }
    }

    /// Write by the process that keeps the file alone, before others may have it.
    pub async fn write_alone(&self, at: usize, change: Change) -> Result<(), StoreFault> {
        self.travel().await;
        match change {
            Change::Replace(bytes) => {
                self.0.state.borrow_mut().replace(bytes);
                Ok(())
            }
            Change::Append(bytes, head) => self.put(at, bytes, head, true).await.map(drop),
        }
    }

    /// Write to the log if it ends there, for a process that may have died since.
    pub async fn write(&self, after: After, change: Change) -> Result<Appended, StoreFault> {
        let (world, faults) = (&self.0.world, &self.0.faults);
        if let Some(other) = self.0.state.borrow().other_of(after.place.owner) {
            return Ok(match other.length == after.length {
                true => Appended::Done,
                false => Appended::Conflict,
            });
        }
        loop {
            self.travel().await;
            // What a process sends in its last moment may arrive.
            if !world.lives(after.place.owner) && world.random().chance(5_000) {
                return Err(unanswered());
            }
            let done = match self.0.kind {
                Kind::Table => self.write_table(&after, &change).await?,
                Kind::File => {
                    self.served(after.place.owner).await;
                    let writing = match &change {
                        Change::Append(bytes, head) => self.append_file(&after, bytes, head).await,
                        Change::Replace(_) => self.replace_file(&after, &change).await,
                    };
                    match writing? {
                        Some(done) => done,
                        // Who kept the file has died: ask the next.
                        None => continue,
                    }
                }
            };
            self.travel().await;
            if done == Appended::Done && world.strikes(faults.lost) {
                world.tell(|| "a reply of the log is lost".to_owned());
                // Who asks again finds its own record in the way.
                return match self.0.kind == Kind::Table && world.random().chance(5_000) {
                    true => Err(unanswered()),
                    false => Ok(Appended::Conflict),
                };
            }
            if done == Appended::Done && matches!(change, Change::Replace(_)) {
                self.follow(&after);
            }
            return Ok(done);
        }
    }

    /// Who has replaced the contents itself reads the new ones from then on.
    fn follow(&self, after: &After) {
        let itself = self.0.kind == Kind::Table || self.is_keeper(after.place.owner);
        if itself && after.place.generation.get() == after.generation {
            after.place.generation.set(after.generation + 1);
        }
    }

    async fn write_table(&self, after: &After, change: &Change) -> Result<Appended, StoreFault> {
        let (world, faults) = (&self.0.world, &self.0.faults);
        if let Change::Append(bytes, _) = change
            && bytes.is_empty()
        {
            return Ok(Appended::Done);
        }
        if world.strikes(faults.append) {
            if world.random().chance(5_000) {
                return Err(fault("the database refuses it"));
            }
            // It arrives after its sender has given it up, or never.
            if world.random().chance(5_000) {
                let (log, after, late) = (self.clone(), after.clone(), change.clone());
                world.spawn(NOBODY, async move {
                    log.0.world.pause(0, 300).await;
                    let is_there = log.commit(&after, &late);
                    log.0
                        .world
                        .tell(|| format!("what was given up arrives: {is_there:?}"));
                });
            }
            return Err(unanswered());
        }
        Ok(self.commit(after, change))
    }

    /// Carry out a change at once, if the log still ends there.
    fn commit(&self, after: &After, change: &Change) -> Appended {
        let mut state = self.0.state.borrow_mut();
        if !state.is_current(after) {
            return Appended::Conflict;
        }
        match change {
            Change::Append(bytes, _) => {
                let current = state.generations.last_mut().expect("there is one");
                current.bytes.extend(bytes);
                state.extend_to(after.length + bytes.len());
            }
            Change::Replace(bytes) => state.begin_generation(bytes),
        }
        let (length, generation) = (state.current().length, state.generations.len());
        self.0
            .world
            .tell(|| format!("the log has {length} bytes, rewritten {} times", generation - 1));
        drop(state);
        self.wake();
        Appended::Done
    }

    /// Append to the file, through the process that keeps it. `None` if that has died meanwhile.
    async fn append_file(
        &self,
        after: &After,
        bytes: &[u8],
        head: &[u8],
    ) -> Result<Option<Appended>, StoreFault> {
        if self.turn_of_keeper().await.is_none() {
            return Ok(None);
        }
        if !self.0.state.borrow().is_current(after) {
            return Ok(Some(Appended::Conflict));
        }
        self.put(after.length, bytes.to_vec(), head.to_vec(), false).await
    }

    /// Write to the file after its first `at` bytes. `None` if who keeps it dies meanwhile.
    async fn put(
        &self,
        at: usize,
        bytes: Vec<u8>,
        head: Vec<u8>,
        is_alone: bool,
    ) -> Result<Option<Appended>, StoreFault> {
        let (world, faults) = (&self.0.world, &self.0.faults);
        let keeper = self.0.state.borrow().keeper;
        {
            let mut state = self.0.state.borrow_mut();
            let current = state.generations.last_mut().expect("there is one");
            current.bytes.truncate(at);
            if world.strikes(faults.append) {
                let left = self.part_of(bytes.len());
                current.bytes.extend(&bytes[..left]);
                world.tell(|| {
                    format!(
                        "an append at {at} fails and leaves {left} of {} bytes",
                        bytes.len()
                    )
                });
                return Err(fault("no space is left on the device"));
            }
            state.writing = Some(Writing { at, bytes, head });
        }
        self.travel().await;
        let mut state = self.0.state.borrow_mut();
        if state.keeper != keeper {
            return Ok(None);
        }
        let written = state.writing.take().expect("the keeper lives");
        state.put(written, is_alone);
        drop(state);
        self.wake();
        Ok(Some(Appended::Done))
    }

    /// How much of a write is there that did not come to its end: nothing, everything, or a part.
    pub(super) fn part_of(&self, length: usize) -> usize {
        match self.0.world.random().below(3) {
            0 => 0,
            1 => length,
            _ => self.0.world.random().below(length + 1),
        }
    }

    async fn replace_file(&self, after: &After, change: &Change) -> Result<Option<Appended>, StoreFault> {
        if self.turn_of_keeper().await.is_none() {
            return Ok(None);
        }
        if self.0.world.strikes(self.0.faults.append) {
            return Err(fault("no space is left on the device"));
        }
        Ok(Some(self.commit(after, change)))
    }

    /// Wait until the keeper of the file writes nothing else; `None` if it ends before: what it was asked goes with it.
    async fn turn_of_keeper(&self) -> Option<Owner> {
        let keeper = self.0.state.borrow().keeper;
        while self.0.state.borrow().writing.is_some() {
            self.0.world.sleep(1).await;
        }
        keeper.filter(|_| self.0.state.borrow().keeper == keeper)
    }
}
