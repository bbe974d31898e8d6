//! A store in memory that fails where a test wants it to.

use std::cell::{Cell, RefCell};

use futures::FutureExt;
use futures::channel::oneshot;

use super::{Store, StoreFault, Stored};

#[derive(Default)]
pub struct MemoryStore {
    pub bytes: RefCell<Vec<u8>>,
    pub aside: RefCell<Vec<Vec<u8>>>,
    /// After so many bytes there is no space left.
    pub space: Cell<Option<usize>>,
    /// How often all was replaced.
    pub replaced: Cell<usize>,
    /// Why it can only be read.
    pub read_only: RefCell<Option<String>>,
    /// What is asked next is answered when this comes.
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

    /// Put bytes where there is space, and say whether there was for all.
    fn put(&self, bytes: &mut Vec<u8>, new: Vec<u8>) -> Result<(), StoreFault> {
        let wanted = bytes.len() + new.len();
        bytes.extend(new);
        match self.space.get() {
            Some(space) if wanted > space => {
                bytes.truncate(space);
                Err(StoreFault("no space is left on the device".to_owned()))
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

    /// Less than is asked for, as a store may.
    fn read_only(&self) -> Option<String> {
        self.read_only.borrow().clone()
    }

    fn read(&self, from: u64, count: u64) -> Stored<Vec<u8>> {
        let bytes = self.bytes.borrow();
        let from = from as usize;
        // A long journal is read in longer parts, to be quick.
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
