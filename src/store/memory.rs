//! Stores in memory: one that fails when a test wants it to, and one that several processes share.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::task::{Poll, Waker};

use futures::FutureExt;
use futures::channel::oneshot;

use super::{Appended, Head, Heritage, Shared, Store, StoreFault, Stored};

#[derive(Default)]
pub struct MemoryStore {
    pub bytes: RefCell<Vec<u8>>,
    pub aside: RefCell<Vec<Vec<u8>>>,
    /// There is no space left after this many bytes.
    pub space: Cell<Option<usize>>,
    /// How often everything was replaced.
    pub replaced: Cell<usize>,
    /// Why it can only be read.
    pub read_only: RefCell<Option<String>>,
    /// The next request is answered when this resolves.
    pub gate: RefCell<Option<oneshot::Receiver<()>>>,
}

impl MemoryStore {
    pub fn holding(bytes: &[u8]) -> Self {
        let store = MemoryStore::default();
        store.bytes.borrow_mut().extend(bytes);
        store
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.bytes.borrow().clone()).expect("a journal is text")
    }

    fn answer<T: 'static>(&self, result: Result<T, StoreFault>) -> Stored<T> {
        let gate = self.gate.take();
        async move {
            if let Some(gate) = gate {
                gate.await.expect("the test opens it");
            }
            result
        }
        .boxed_local()
    }

    /// Write as many bytes as there is space for, and fail if not all of them fit.
    fn put(&self, bytes: &mut Vec<u8>, new: Vec<u8>) -> Result<(), StoreFault> {
        let wanted = bytes.len() + new.len();
        bytes.extend(new);
        match self.space.get() {
            Some(space) if wanted > space => {
                bytes.truncate(space);
                Err(StoreFault::new("no space is left on the device"))
            }
            _ => Ok(()),
        }
    }
}

impl Store for MemoryStore {
    fn name(&self) -> String {
        "memory".to_owned()
    }

    fn open(&self) -> Stored<u64> {
        self.answer(Ok(self.bytes.borrow().len() as u64))
    }

    fn read_only(&self) -> Option<String> {
        self.read_only.borrow().clone()
    }

    fn read(&self, from: u64, count: u64) -> Stored<Vec<u8>> {
        let bytes = self.bytes.borrow();
        let from = from as usize;
        // Return less than is asked for, as a store may, but more of a long journal, for speed.
        let most = 100.max(bytes.len() / 1_000);
        let end = (from + (count as usize).min(most)).min(bytes.len());
        self.answer(Ok(bytes[from..end].to_vec()))
    }

    fn append(&self, at: u64, new: Vec<u8>, head: Vec<u8>) -> Stored<()> {
        let mut bytes = self.bytes.borrow_mut();
        bytes.truncate(at as usize);
        let result = self.put(&mut bytes, new);
        if result.is_ok() {
            bytes[..head.len()].copy_from_slice(&head);
        }
        self.answer(result)
    }

    fn replace(&self, new: Vec<u8>) -> Stored<()> {
        let mut bytes = Vec::new();
        let result = self.put(&mut bytes, new);
        if result.is_ok() {
            self.bytes.replace(bytes);
            self.replaced.set(self.replaced.get() + 1);
        }
        self.answer(result)
    }

    fn set_aside(&self, bytes: Vec<u8>) -> Stored<String> {
        self.aside.borrow_mut().push(bytes);
        self.answer(Ok("memory.cut".to_owned()))
    }
}

/// A log in memory with several writers, each at a [`Seat`].
#[derive(Default)]
pub struct SharedMemory {
    /// Its contents before each rewrite, and its current contents last.
    generations: RefCell<Vec<Vec<u8>>>,
    seats: Cell<usize>,
    waiting: RefCell<Vec<Waker>>,
    /// How many appends came too late.
    pub conflicts: Cell<usize>,
    /// There is no space left after this many bytes.
    pub space: Cell<Option<usize>>,
    /// One in this many appends gets no reply: its writer has to look whether it was written.
    pub loses: Cell<Option<usize>>,
    /// Appends are written, but nobody is notified.
    pub is_silent: Cell<bool>,
    /// What others make of its contents while somebody opens it: once the length was told, before anything is
    /// read.
    pub meanwhile: RefCell<Option<Meanwhile>>,
    appends: Cell<usize>,
}

pub enum Meanwhile {
    /// These are the contents now.
    Written(Vec<u8>),
    /// The log was rewritten, and what was there is no longer kept.
    Rewritten(Vec<u8>),
}

/// One of those who share a log. The first one keeps it.
pub struct Seat {
    log: Rc<SharedMemory>,
    number: usize,
    generation: Cell<usize>,
    heritage: Heritage,
}

impl SharedMemory {
    pub fn seat(self: &Rc<Self>) -> Rc<Seat> {
        self.seat_after(Heritage::default())
    }

    /// A seat that takes this over from others.
    pub fn seat_after(self: &Rc<Self>, heritage: Heritage) -> Rc<Seat> {
        if self.generations.borrow().is_empty() {
            self.generations.borrow_mut().push(Vec::new());
        }
        self.seats.set(self.seats.get() + 1);
        Rc::new(Seat {
            log: self.clone(),
            number: self.seats.get(),
            generation: Cell::new(0),
            heritage,
        })
    }

    /// Its current contents.
    pub fn bytes(&self) -> Vec<u8> {
        self.generations.borrow().last().cloned().unwrap_or_default()
    }

    fn length(&self) -> u64 {
        self.bytes().len() as u64
    }

    fn last(&self) -> usize {
        self.generations.borrow().len() - 1
    }

    fn wake(&self) {
        self.waiting.take().into_iter().for_each(Waker::wake);
    }
}

impl Seat {
    fn is_current(&self, at: u64) -> bool {
        let current = self.generation.get() == self.log.last() && at == self.log.length();
        if !current {
            self.log.conflicts.set(self.log.conflicts.get() + 1);
        }
        current
    }

    fn head_now(&self) -> Head {
        let generations = self.log.generations.borrow();
        Head {
            length: generations[self.generation.get()].len() as u64,
            replaced: self.generation.get() + 1 < generations.len(),
        }
    }
}

fn at_once<T: 'static>(result: Result<T, StoreFault>) -> Stored<T> {
    async move { result }.boxed_local()
}

/// A seat as a store.
pub struct SeatStore(pub Rc<Seat>);

impl Store for SeatStore {
    fn name(&self) -> String {
        "shared memory".to_owned()
    }

    fn open(&self) -> Stored<u64> {
        let log = &self.0.log;
        let (last, length) = (log.last(), log.length());
        self.0.generation.set(last);
        match log.meanwhile.take() {
            Some(Meanwhile::Written(bytes)) => log.generations.borrow_mut()[last] = bytes,
            Some(Meanwhile::Rewritten(bytes)) => {
                log.generations.borrow_mut()[last].clear();
                log.generations.borrow_mut().push(bytes);
            }
            None => {}
        }
        at_once(Ok(length))
    }

    fn read_only(&self) -> Option<String> {
        None
    }

    fn shared(&self) -> Option<Rc<dyn Shared>> {
        Some(self.0.clone())
    }

    fn read(&self, from: u64, count: u64) -> Stored<Vec<u8>> {
        let generations = self.0.log.generations.borrow();
        let bytes = &generations[self.0.generation.get()];
        let end = (from + count).min(bytes.len() as u64) as usize;
        at_once(Ok(bytes.get(from as usize..end).unwrap_or_default().to_vec()))
    }

    /// Used only to settle a store after opening it.
    fn append(&self, at: u64, new: Vec<u8>, head: Vec<u8>) -> Stored<()> {
        let appended = Shared::append(&*self.0, at, vec![new], head);
        async move { appended.await.map(drop) }.boxed_local()
    }

    fn replace(&self, bytes: Vec<u8>) -> Stored<()> {
        *self
            .0
            .log
            .generations
            .borrow_mut()
            .last_mut()
            .expect("there is one") = bytes;
        at_once(Ok(()))
    }

    fn set_aside(&self, _: Vec<u8>) -> Stored<String> {
        at_once(Ok("memory.cut".to_owned()))
    }
}

impl Shared for Seat {
    fn connection(&self) -> Rc<str> {
        format!("seat-{}", self.number).into()
    }

    fn was_alone(&self) -> bool {
        self.number == 1
    }

    fn heritage(&self) -> Heritage {
        self.heritage.clone()
    }

    fn is_keeper(&self) -> bool {
        self.number == 1
    }

    fn settled(&self, _: u64) {}

    fn head(&self) -> Stored<Head> {
        at_once(Ok(self.head_now()))
    }

    fn tail(&self, from: u64) -> Stored<()> {
        let (log, generation) = (self.log.clone(), self.generation.get());
        std::future::poll_fn(move |context| {
            if log.last() > generation || log.length() > from {
                return Poll::Ready(Ok(()));
            }
            log.waiting.borrow_mut().push(context.waker().clone());
            Poll::Pending
        })
        .boxed_local()
    }

    fn append(&self, at: u64, pieces: Vec<Vec<u8>>, head: Vec<u8>) -> Stored<Appended> {
        if !self.is_current(at) {
            return at_once(Ok(Appended::Conflict));
        }
        let mut generations = self.log.generations.borrow_mut();
        let bytes = generations.last_mut().expect("there is one");
        let new = pieces.concat();
        if self
            .log
            .space
            .get()
            .is_some_and(|space| bytes.len() + new.len() > space)
        {
            return at_once(Err(StoreFault::new("no space is left on the device")));
        }
        bytes.extend(new);
        bytes[..head.len()].copy_from_slice(&head);
        drop(generations);
        self.log.wake();
        if self.log.is_silent.get() {
            return at_once(Err(StoreFault {
                why: "the memory does not answer".to_owned(),
                unanswered: true,
            }));
        }
        self.log.appends.set(self.log.appends.get() + 1);
        let is_lost = |loses| self.log.appends.get().is_multiple_of(loses);
        at_once(Ok(match self.log.loses.get().is_some_and(is_lost) {
            true => Appended::Conflict,
            false => Appended::Done,
        }))
    }

    fn replace(&self, at: u64, new: Vec<u8>) -> Stored<Appended> {
        if !self.is_current(at) {
            return at_once(Ok(Appended::Conflict));
        }
        self.log.generations.borrow_mut().push(new);
        self.generation.set(self.log.last());
        self.log.wake();
        at_once(Ok(Appended::Done))
    }
}
