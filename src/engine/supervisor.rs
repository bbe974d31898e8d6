//! One engine at a time: started, given the book, watched, ended when it is late, replaced when it is gone.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::future::Future;
use std::rc::Rc;

use futures::future::{Either, LocalBoxFuture, select};

use super::host::{Clock, EngineHost, EngineProcess};
use super::protocol;
use super::queue::{Permit, Queue};
use super::reply::{self, Boot, Found};
use crate::book::{Batch, Book, EntryId, Predicate, runs};
use crate::limits::Limits;

/// Runs a future to its end in the background.
pub type Spawner = Rc<dyn Fn(LocalBoxFuture<'static, ()>)>;

/// Why a request got no reply. The engine is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lost {
    /// It did not answer in time.
    Late,
    Cancelled,
    /// The reason is the host's.
    Died(String),
}

/// Cheap to clone: clones watch over the same engine.
#[derive(Clone)]
pub struct Supervisor(Rc<Inner>);

struct Inner {
    host: Rc<dyn EngineHost>,
    clock: Rc<dyn Clock>,
    spawner: Spawner,
    boot_request: String,
    limits: Limits,
    book: Rc<RefCell<Book>>,
    queue: Queue,
    current: RefCell<Option<Rc<dyn EngineProcess>>>,
    standby: RefCell<Option<Rc<dyn EngineProcess>>>,
    standby_awaited: Cell<bool>,
    boot: RefCell<Option<Rc<Boot>>>,
    remarks: RefCell<Vec<String>>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        for process in [self.current.take(), self.standby.take()].into_iter().flatten() {
            process.end();
        }
    }
}

/// Ends an engine that nobody came to own.
struct Unowned(Option<Rc<dyn EngineProcess>>);

impl Unowned {
    fn own(mut self) -> Rc<dyn EngineProcess> {
        self.0.take().expect("owned once")
    }
}

impl Drop for Unowned {
    fn drop(&mut self) {
        if let Some(process) = self.0.take() {
            process.end();
        }
    }
}

impl Supervisor {
    pub fn new(
        host: Rc<dyn EngineHost>,
        clock: Rc<dyn Clock>,
        spawner: Spawner,
        boot_request: String,
        limits: Limits,
        book: Rc<RefCell<Book>>,
    ) -> Self {
        Supervisor(Rc::new(Inner {
            host,
            clock,
            spawner,
            boot_request,
            limits,
            book,
            queue: Queue::default(),
            current: RefCell::default(),
            standby: RefCell::default(),
            standby_awaited: Cell::new(false),
            boot: RefCell::default(),
            remarks: RefCell::default(),
        }))
    }

    /// Wait for one's turn. What uses the engine or changes the book holds the permit.
    pub async fn turn(&self) -> Permit {
        self.0.queue.acquire().await
    }

    /// What the first engine said of itself; `None` before it was ready.
    pub fn boot(&self) -> Option<Rc<Boot>> {
        self.0.boot.borrow().clone()
    }

    /// What happened in the background and users should know; each is given once.
    pub fn take_remarks(&self) -> Vec<String> {
        self.0.remarks.take()
    }

    /// Something that users should know.
    pub fn remark(&self, remark: String) {
        self.0.remarks.borrow_mut().push(remark);
    }

    /// The engine in use, if there is one.
    pub fn current(&self) -> Option<Rc<dyn EngineProcess>> {
        self.0.current.borrow().clone()
    }

    /// The engine, with the book in it. The caller holds the permit. The error says why there is none.
    pub async fn ready(&self) -> Result<Rc<dyn EngineProcess>, String> {
        if let Some(process) = self.current() {
            return Ok(process);
        }
        let mut reason = String::new();
        for _ in 0..2 {
            match self.build().await {
                Ok(process) => {
                    *self.0.current.borrow_mut() = Some(process.clone());
                    self.await_standby();
                    return Ok(process);
                }
                Err(why) => reason = why,
            }
        }
        Err(reason)
    }

    /// Start to build an engine in the background, in turn.
    pub fn build_soon(&self) {
        let supervisor = self.clone();
        (self.0.spawner)(Box::pin(async move {
            let _permit = supervisor.turn().await;
            // Where this fails, the next operation tries again and tells.
            let _ = supervisor.ready().await;
        }));
    }

    /// End the engine in use, because it is late or does not agree with the book, and build another.
    pub fn discard(&self) {
        if let Some(process) = self.0.current.take() {
            process.end();
            self.build_soon();
        }
    }

    /// One request and its reply, within `limit_ms` and until `cancelled`; else the engine is ended.
    /// So it is when the future is dropped before the reply.
    pub async fn request(
        &self,
        process: &Rc<dyn EngineProcess>,
        text: String,
        limit_ms: u64,
        cancelled: impl Future<Output = ()>,
    ) -> Result<String, Lost> {
        let pending = Pending {
            supervisor: self,
            answered: false,
        };
        let stopped = select(self.0.clock.sleep(limit_ms), Box::pin(cancelled));
        let lost = match select(process.request(text), stopped).await {
            Either::Left((Ok(reply), _)) => {
                pending.answered();
                return Ok(reply);
            }
            Either::Left((Err(death), _)) => Lost::Died(death.reason),
            Either::Right((Either::Left(_), _)) => Lost::Late,
            Either::Right((Either::Right(_), _)) => Lost::Cancelled,
        };
        drop(pending);
        Err(lost)
    }

    async fn build(&self) -> Result<Rc<dyn EngineProcess>, String> {
        let standby = self.0.standby.take();
        let process = match standby {
            Some(process) => Unowned(Some(process)),
            None => self.boot_one().await?,
        };
        self.load(&process).await?;
        Ok(process.own())
    }

    async fn boot_one(&self) -> Result<Unowned, String> {
        let process = Unowned(Some(self.0.host.spawn().await?));
        let boot: Boot = self.ask(&process, self.0.boot_request.clone()).await?;
        if self.0.boot.borrow().is_none() {
            if !boot.refused.is_empty() {
                let names = boot.refused.join(", ");
                self.0
                    .remarks
                    .borrow_mut()
                    .push(format!("Libraries that are not allowed or not known: {names}."));
            }
            *self.0.boot.borrow_mut() = Some(Rc::new(boot));
        }
        Ok(process)
    }

    fn await_standby(&self) {
        if self.0.standby_awaited.replace(true) {
            return;
        }
        let weak = Rc::downgrade(&self.0);
        let pause = self.0.clock.sleep(self.0.limits.standby_after_ms);
        (self.0.spawner)(Box::pin(async move {
            pause.await;
            let Some(supervisor) = weak.upgrade().map(Supervisor) else {
                return;
            };
            // Without a standby an engine is started when it is needed.
            let booted = supervisor.boot_one().await;
            supervisor.0.standby_awaited.set(false);
            *supervisor.0.standby.borrow_mut() = booted.ok().map(Unowned::own);
        }));
    }

    /// A request to an engine that is not in use yet.
    async fn ask<T: serde::de::DeserializeOwned>(
        &self,
        process: &Unowned,
        request: String,
    ) -> Result<T, String> {
        let process = process.0.as_ref().ok_or("ended")?;
        let limit_ms = self.0.limits.load_ms(request.len());
        let late = self.0.clock.sleep(limit_ms);
        let text = match select(process.request(request), late).await {
            Either::Left((reply, _)) => reply.map_err(|death| death.reason)?,
            Either::Right(_) => return Err(format!("no answer within {limit_ms} ms")),
        };
        let reply =
            reply::decode(&text).map_err(|error| format!("a reply that is not understood: {error}"))?;
        reply.map_err(|error| error.message)
    }

    /// Give an engine the book. A clause that was accepted once may be refused now; the others are loaded all the
    /// same, and the users hear of it.
    async fn load(&self, process: &Unowned) -> Result<(), String> {
        let known: Vec<Predicate> = self
            .0
            .book
            .borrow()
            .predicates()
            .map(|(predicate, _)| predicate.clone())
            .collect();
        if !known.is_empty() {
            let reply::Done {} = self.ask(process, protocol::declare(&known)).await?;
        }
        let mut refused: BTreeMap<EntryId, String> = BTreeMap::new();
        let mut after = None;
        loop {
            let skip = |id: &EntryId| refused.contains_key(id);
            let batches = self
                .0
                .book
                .borrow()
                .batches_after(after, self.0.limits.load_bytes, skip);
            let ids: Vec<EntryId> = batches
                .iter()
                .flat_map(|batch| batch.ids.iter().copied())
                .collect();
            if ids.is_empty() {
                break;
            }
            let problems = self.load_batches(process, &batches, &ids).await?;
            if problems.is_empty() {
                after = ids.last().copied();
                continue;
            }
            // The ids went to the wrong clauses: once more, without those that are refused.
            let reply::Done {} = self.ask(process, protocol::remove(&runs(&ids))).await?;
            refused.extend(problems);
        }
        if let Some((_, why)) = refused.first_key_value() {
            let remark = format!(
                "The new engine refused entries of the book, {} in all: {why}",
                refused.len()
            );
            self.0.remarks.borrow_mut().push(remark);
        }
        Ok(())
    }

    /// The entries that were refused, and why.
    async fn load_batches(
        &self,
        process: &Unowned,
        batches: &[Batch],
        ids: &[EntryId],
    ) -> Result<Vec<(EntryId, String)>, String> {
        let reply: reply::Reloaded = self.ask(process, protocol::reload(&[], batches)).await?;
        if reply.items.len() != ids.len() {
            let (read, expected) = (reply.items.len(), ids.len());
            return Err(format!("it read {read} clauses where the book has {expected}"));
        }
        let refused = |(item, id): (reply::Item, &EntryId)| match item.found {
            Found::Refused(error) => Some((*id, error.message)),
            _ => None,
        };
        Ok(reply.items.into_iter().zip(ids).filter_map(refused).collect())
    }
}

/// A request that was handed over.
struct Pending<'a> {
    supervisor: &'a Supervisor,
    answered: bool,
}

impl Pending<'_> {
    fn answered(mut self) {
        self.answered = true;
    }
}

impl Drop for Pending<'_> {
    fn drop(&mut self) {
        if !self.answered {
            self.supervisor.discard();
        }
    }
}
