//! A process's access to the log, as its store.

use std::cell::Cell;
use std::rc::Rc;
use std::task::Poll;

use futures::FutureExt;
use futures::channel::oneshot;
use futures::future::select;
use hornbook_base::Clock;
use hornbook_store::{Appended, Head, Shared, Store, StoreFault, Stored};

use super::log::{Change, Log, fault};
use super::plan::Kind;
use super::state::{HEAD, Place};
use super::world::{NOBODY, Owner};

/// How long it takes at most until news come that are none, in milliseconds.
const SPURIOUS_MS: u64 = 500;

/// Cheap to clone: clones are the same seat.
#[derive(Clone)]
pub struct Seat(Rc<Inner>);

struct Inner {
    log: Log,
    place: Place,
    connection: Rc<str>,
    was_opened: Cell<bool>,
    was_alone: Cell<bool>,
    is_settled: Cell<bool>,
    /// There were revisions when it was opened.
    has_some: Cell<bool>,
}

impl Seat {
    pub fn new(log: Log, owner: Owner) -> Seat {
        let connection = format!("connection-{}", log.connection()).into();
        Seat(Rc::new(Inner {
            log,
            place: Place {
                owner,
                generation: Rc::default(),
            },
            connection,
            was_opened: Cell::default(),
            was_alone: Cell::default(),
            is_settled: Cell::default(),
            has_some: Cell::default(),
        }))
    }

    /// Fail now and then.
    fn look(&self) -> Result<(), StoreFault> {
        match self.0.log.world().strikes(self.0.log.faults().read) {
            true => Err(fault("it cannot be read")),
            false => Ok(()),
        }
    }

    /// Change the log, even if the process that wants it ends meanwhile.
    fn write(&self, at: u64, change: Change) -> Stored<Appended> {
        let (done, awaited) = oneshot::channel();
        let (log, after) = (self.0.log.clone(), self.0.place.at(at as usize));
        self.0.log.world().spawn(NOBODY, async move {
            let written = log.write(after, change).await;
            // If its sender has gone away, nobody hears of it.
            let _ = done.send(written);
        });
        async move { awaited.await.unwrap_or_else(|_| Err(fault("the world ends"))) }.boxed_local()
    }
}

impl Store for Seat {
    fn name(&self) -> String {
        "the book".to_owned()
    }

    fn open(&self) -> Stored<u64> {
        let seat = self.clone();
        async move {
            seat.look()?;
            let (log, place) = (&seat.0.log, &seat.0.place);
            let (length, is_alone) = log.open(place).await;
            // Who has an empty book cannot tell its log from another.
            if seat.0.has_some.get() && log.world().strikes(log.faults().astray) {
                return Ok(log.lead_astray(place.owner) as u64);
            }
            if !seat.0.was_opened.replace(true) {
                seat.0.was_alone.set(is_alone);
            }
            Ok(length as u64)
        }
        .boxed_local()
    }

    fn read_only(&self) -> Option<String> {
        None
    }

    fn shared(&self) -> Option<Rc<dyn Shared>> {
        Some(Rc::new(self.clone()))
    }

    fn read(&self, from: u64, count: u64) -> Stored<Vec<u8>> {
        let seat = self.clone();
        async move {
            let log = &seat.0.log;
            log.travel().await;
            seat.look()?;
            let world = log.world();
            let count = match world.strikes(3_000) {
                true => world.random().between(1, count.max(1)),
                false => count,
            };
            Ok(log.read(&seat.0.place, from as usize, count as usize))
        }
        .boxed_local()
    }

    fn append(&self, at: u64, bytes: Vec<u8>, head: Vec<u8>) -> Stored<()> {
        let seat = self.clone();
        async move {
            let log = &seat.0.log;
            match log.kind() {
                // Each append is whole: there is nothing to repair.
                Kind::Table => Ok(()),
                Kind::File if !log.is_keeper(seat.0.place.owner) => Err(fault("another process has it open")),
                Kind::File => log.write_alone(at as usize, Change::Append(bytes, head)).await,
            }
        }
        .boxed_local()
    }

    fn replace(&self, bytes: Vec<u8>) -> Stored<()> {
        let seat = self.clone();
        async move {
            let log = &seat.0.log;
            match log.kind() {
                Kind::Table => {
                    let begun = seat.write(0, Change::Append(bytes.clone(), Vec::new())).await?;
                    let is_there = || log.read(&seat.0.place, 0, bytes.len()) == bytes;
                    match begun == Appended::Done || is_there() {
                        true => Ok(()),
                        false => Err(fault("another process has begun it")),
                    }
                }
                Kind::File if !log.is_keeper(seat.0.place.owner) => Err(fault("another process has it open")),
                Kind::File => log.write_alone(0, Change::Replace(bytes)).await,
            }
        }
        .boxed_local()
    }

    fn set_aside(&self, _: Vec<u8>) -> Stored<String> {
        let seat = self.clone();
        async move {
            seat.0.log.travel().await;
            Ok("the book.cut".to_owned())
        }
        .boxed_local()
    }
}

impl Shared for Seat {
    fn connection(&self) -> Rc<str> {
        self.0.connection.clone()
    }

    fn was_alone(&self) -> bool {
        self.0.was_alone.get()
    }

    fn is_keeper(&self) -> bool {
        match self.0.log.kind() {
            Kind::Table => true,
            Kind::File if self.0.is_settled.get() => self.0.log.is_keeper(self.0.place.owner),
            Kind::File => self.0.was_alone.get(),
        }
    }

    fn settled(&self, length: u64) {
        self.0.is_settled.set(true);
        self.0.has_some.set(length as usize > HEAD);
        if self.0.was_alone.get() {
            self.0.log.serve(self.0.place.owner, length as usize);
        }
    }

    fn head(&self) -> Stored<Head> {
        let seat = self.clone();
        async move {
            let log = &seat.0.log;
            log.travel().await;
            log.served(seat.0.place.owner).await;
            seat.look()?;
            let (length, replaced) = log.head(&seat.0.place);
            Ok(Head {
                length: length as u64,
                replaced,
            })
        }
        .boxed_local()
    }

    fn tail(&self, from: u64) -> Stored<()> {
        let (log, place) = (self.0.log.clone(), self.0.place.clone());
        async move {
            let news = std::future::poll_fn(|context| {
                let (length, replaced) = log.head(&place);
                if replaced || length as u64 > from {
                    return Poll::Ready(());
                }
                log.wait(context.waker().clone());
                Poll::Pending
            });
            let world = log.world();
            if world.strikes(log.faults().spurious) {
                select(news, world.sleep(world.random().between(1, SPURIOUS_MS))).await;
            } else {
                news.await;
            }
            log.travel().await;
            Ok(())
        }
        .boxed_local()
    }

    fn append(&self, at: u64, pieces: Vec<Vec<u8>>, head: Vec<u8>) -> Stored<Appended> {
        self.write(at, Change::Append(pieces.concat(), head))
    }

    fn replace(&self, at: u64, bytes: Vec<u8>) -> Stored<Appended> {
        self.write(at, Change::Replace(bytes))
    }
}
