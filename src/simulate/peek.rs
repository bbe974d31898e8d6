//! A look at the log that nobody notices: at once, and without faults.

use std::rc::Rc;

use futures::FutureExt;
use futures::future::ready;
use hornbook_store::{Appended, Head, Shared, Store, StoreFault, Stored};

use super::log::Log;
use super::state::Place;
use super::world::NOBODY;

/// Cheap to clone: clones look at the same contents.
#[derive(Clone)]
pub struct Peek {
    log: Log,
    place: Place,
}

fn done<T: 'static>(value: T) -> Stored<T> {
    ready(Ok(value)).boxed_local()
}

fn refused<T: 'static>() -> Stored<T> {
    ready(Err(StoreFault::new("it is only looked at"))).boxed_local()
}

impl Peek {
    /// The contents that the log has now.
    pub fn at(log: &Log) -> Peek {
        let place = Place {
            owner: NOBODY,
            generation: Rc::default(),
        };
        place.generation.set(log.rewritten());
        Peek {
            log: log.clone(),
            place,
        }
    }
}

impl Store for Peek {
    fn name(&self) -> String {
        "the log".to_owned()
    }

    fn open(&self) -> Stored<u64> {
        done(self.log.head(&self.place).0 as u64)
    }

    fn read_only(&self) -> Option<String> {
        None
    }

    fn shared(&self) -> Option<Rc<dyn Shared>> {
        Some(Rc::new(self.clone()))
    }

    fn read(&self, from: u64, count: u64) -> Stored<Vec<u8>> {
        done(self.log.read(&self.place, from as usize, count as usize))
    }

    /// The mark of a table is only moved when it is rewritten: nothing needs to be repaired.
    fn append(&self, _: u64, _: Vec<u8>, _: Vec<u8>) -> Stored<()> {
        done(())
    }

    /// Nobody has begun the log yet: it will begin like this.
    fn replace(&self, _: Vec<u8>) -> Stored<()> {
        done(())
    }

    fn set_aside(&self, _: Vec<u8>) -> Stored<String> {
        refused()
    }
}

impl Shared for Peek {
    fn connection(&self) -> Rc<str> {
        "nobody".into()
    }

    fn was_alone(&self) -> bool {
        true
    }

    /// All that is acknowledged must be there, as for who repairs it.
    fn is_keeper(&self) -> bool {
        true
    }

    fn settled(&self, _: u64) {}

    fn head(&self) -> Stored<Head> {
        let (length, replaced) = self.log.head(&self.place);
        done(Head {
            length: length as u64,
            replaced,
        })
    }

    fn tail(&self, _: u64) -> Stored<()> {
        std::future::pending().boxed_local()
    }

    fn append(&self, _: u64, _: Vec<Vec<u8>>, _: Vec<u8>) -> Stored<Appended> {
        refused()
    }

    fn replace(&self, _: u64, _: Vec<u8>) -> Stored<Appended> {
        refused()
    }
}
