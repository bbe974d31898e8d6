//! Supervises one engine at a time: starts it, loads the book, ends it when it is late, and replaces it when
//! it is gone.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::future::Future;
use std::rc::Rc;

use futures::future::{Either, select};

use super::capacity::Capacity;
use super::host::{EngineDeath, EngineProcess};
use super::pool::{Pool, Profile};
use super::projection::{Loader, NotLoaded, Projection};
use super::queue::{Permit, Queue};
use super::reply::Boot;
use hornbook_base::Priority;
use hornbook_book::{Book, EntryId};

/// Why a request got no reply. The engine is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lost {
    /// It did not reply in time.
    Late,
    Cancelled,
    Died(EngineDeath),
}

/// Supervises an engine. Cheap to clone: clones supervise the same engine.
#[derive(Clone)]
pub struct Supervisor(Rc<Inner>);

struct Inner {
    all: Rc<All>,
    queue: Queue,
    current: RefCell<Option<Rc<dyn EngineProcess>>>,
    /// The size of its memory once the book was loaded, in bytes.
    ready_bytes: Cell<usize>,
    /// Not the first engine of its book: it is built on demand, by [`Supervisor::start_beside`].
    beside: bool,
    /// If so, what was set aside when it was built.
    aside: RefCell<BTreeSet<EntryId>>,
}

/// What the engines of one book share.
struct All {
    pool: Pool,
    profile: Profile,
    loader: Loader,
    /// The next engine, with the book as it was a moment ago.
    standby: RefCell<Option<Projection>>,
    /// Set once an engine was lost, since others may follow: from then on one stands by. Before, it would
    /// only take memory.
    standby_wanted: Cell<bool>,
    /// Held while preparing or taking the standby.
    standby_queue: Queue,
    standby_awaited: Cell<bool>,
    boot: RefCell<Option<Rc<Boot>>>,
    remarks: RefCell<Vec<String>>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        if let Some(process) = self.current.take() {
            process.end();
        }
    }
}

impl Supervisor {
    pub fn new(pool: Pool, profile: Profile, book: Rc<RefCell<Book>>) -> Self {
        let (clock, limits) = (pool.clock().clone(), profile.limits.clone());
        let all = All {
            pool,
            profile,
            loader: Loader {
                book,
                clock,
                limits,
                suspects: RefCell::default(),
            },
            standby: RefCell::default(),
            standby_wanted: Cell::new(false),
            standby_queue: Queue::default(),
            standby_awaited: Cell::new(false),
            boot: RefCell::default(),
            remarks: RefCell::default(),
        };
        Supervisor::of(Rc::new(all), false)
    }

    fn of(all: Rc<All>, beside: bool) -> Self {
        Supervisor(Rc::new(Inner {
            all,
            queue: Queue::default(),
            current: RefCell::default(),
            ready_bytes: Cell::new(0),
            beside,
            aside: RefCell::default(),
        }))
    }

    /// A supervisor for another engine of the same book, which only [`Supervisor::start_beside`] starts.
    pub fn beside(&self) -> Supervisor {
        Supervisor::of(self.0.all.clone(), true)
    }

    /// Start this supervisor's engine with the book as it is now. The caller holds the permit, and from then
    /// on passes changes on to the engine. The error says why there is no engine.
    pub async fn start_beside(&self) -> Result<(), String> {
        let all = &self.0.all;
        let book = all.loader.book.borrow().clone();
        let mut engine = self.boot_one().await?;
        let mut aside = book.aside().clone();
        aside.retain(|id, _| book.get(*id).is_some());
        let loader = Loader {
            book: Rc::new(RefCell::new(book)),
            clock: all.loader.clock.clone(),
            limits: all.loader.limits.clone(),
            suspects: RefCell::new(all.loader.suspects.borrow().convicted()),
        };
        loader
            .update(&mut engine)
            .await
            .map_err(|not_loaded| not_loaded.reason)?;
        if *engine.refused() != aside {
            return Err("it does not accept the same entries as the first engine".to_owned());
        }
        *self.0.aside.borrow_mut() = aside.into_keys().collect();
        let process = engine.own();
        self.0.ready_bytes.set(process.bytes());
        *self.0.current.borrow_mut() = Some(process);
        Ok(())
    }

    /// Whether the engine, which is beside the first, was built without the entries that are set aside now. Another
    /// first engine may have come to refuse one since, or to take one.
    pub fn agrees_with_first(&self) -> bool {
        let (book, then) = (self.0.all.loader.book.borrow(), self.0.aside.borrow());
        let is_there = |id: &&EntryId| book.get(**id).is_some();
        book.aside()
            .keys()
            .filter(is_there)
            .eq(then.iter().filter(is_there))
    }

    /// End the engine, which must not be in use.
    pub fn end(&self) {
        if let Some(process) = self.0.current.take() {
            process.end();
        }
    }

    /// The permit, if it is free.
    pub fn turn_now(&self) -> Option<Permit> {
        self.0.queue.acquire_now()
    }

    /// Wait for the turn. Whatever uses the engine or changes the book holds the permit.
    pub async fn turn(&self, priority: Priority) -> Permit {
        self.0.queue.acquire(priority).await
    }

    /// Shared by all engines of the process.
    pub fn capacity(&self) -> &Capacity {
        self.0.all.pool.capacity()
    }

    /// What the first engine reported about itself; `None` before it was ready.
    pub fn boot(&self) -> Option<Rc<Boot>> {
        self.0.all.boot.borrow().clone()
    }

    /// Drain the notices for users: what happened in the background.
    pub fn take_remarks(&self) -> Vec<String> {
        self.0.all.remarks.take()
    }

    /// Add something that users should know.
    pub fn remark(&self, remark: String) {
        self.0.all.remarks.borrow_mut().push(remark);
    }

    /// The engine in use, if it is alive.
    pub fn current(&self) -> Option<Rc<dyn EngineProcess>> {
        let current = self.0.current.borrow().clone()?;
        if !current.is_dead() {
            return Some(current);
        }
        self.0.current.take();
        if self.0.beside {
            return None;
        }
        let remark = "The engine had ended; a new one was built, and the workspace is intact.";
        self.0.all.remarks.borrow_mut().push(remark.to_owned());
        None
    }

    /// The engine, with the book loaded. The caller holds the permit. The error says why there is no engine.
    pub async fn ready(&self) -> Result<Rc<dyn EngineProcess>, String> {
        if let Some(process) = self.current() {
            return Ok(process);
        }
        if self.0.beside {
            return Err("it has ended".to_owned());
        }
        let first = self.boot().is_none();
        let mut left = 2;
        loop {
            match self.build().await {
                Ok(process) => {
                    self.0.ready_bytes.set(process.bytes());
                    *self.0.current.borrow_mut() = Some(process.clone());
                    if !first {
                        self.0.all.standby_wanted.set(true);
                        self.prepare_standby(0);
                    }
                    return Ok(process);
                }
                // An engine died of what it was sent: send the next one less.
                Err(NotLoaded { of: Some(_), .. }) => {}
                Err(NotLoaded { reason, of: None }) => {
                    left -= 1;
                    if left == 0 {
                        return Err(reason);
                    }
                }
            }
        }
    }

    /// Whether engines die of this entry.
    pub fn is_fatal(&self, id: EntryId) -> bool {
        self.0.all.loader.suspects.borrow().fatal().contains_key(&id)
    }

    /// Build an engine in the background, when the turn comes.
    pub fn build_soon(&self) {
        let supervisor = self.clone();
        (self.0.all.pool.spawner())(Box::pin(async move {
            let _permit = supervisor.turn(Priority::Normal).await;
            // If this fails, the next operation tries again and reports it.
            let _ = supervisor.ready().await;
        }));
    }

    /// End the engine in use, because it is late or disagrees with the book, and build another.
    pub fn discard(&self) {
        if let Some(process) = self.0.current.take() {
            process.end();
            if !self.0.beside {
                self.build_soon();
            }
        }
    }

    /// Call when no query is open: replaces an engine whose memory has grown large, since it never shrinks.
    /// The bound allows for indexes, which may take more than the book does and would only be built again.
    pub fn relieve(&self) {
        let needed = self.0.ready_bytes.get();
        let limit = self.0.all.loader.limits.idle_engine_bytes.max(4 * needed);
        if self.current().is_some_and(|process| process.bytes() > limit) {
            self.discard();
        }
    }

    /// Send one request and return its reply. The engine is ended if there is none within `limit_ms`, if
    /// `cancelled` resolves, or if the future is dropped before the reply.
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
        let stopped = select(self.0.all.pool.clock().sleep(limit_ms), Box::pin(cancelled));
        let lost = match select(process.request(text), stopped).await {
            Either::Left((Ok(reply), _)) => {
                pending.answered();
                return Ok(reply);
            }
            Either::Left((Err(death), _)) => Lost::Died(death),
            Either::Right((Either::Left(_), _)) => Lost::Late,
            Either::Right((Either::Right(_), _)) => Lost::Cancelled,
        };
        drop(pending);
        Err(lost)
    }

    /// The book has changed: update the standby once things are quiet.
    pub fn book_changed(&self) {
        if self.0.all.standby_wanted.get() {
            self.prepare_standby(self.0.all.loader.limits.standby_after_ms);
        }
    }

    async fn build(&self) -> Result<Rc<dyn EngineProcess>, NotLoaded> {
        let mut engine = self.standby_or_new().await?;
        let loader = &self.0.all.loader;
        let begun = loader.clock.now_ms();
        if let Err(not_loaded) = loader.update(&mut engine).await {
            if let NotLoaded {
                reason,
                of: Some(sent),
            } = &not_loaded
            {
                let lost_ms = loader.clock.now_ms().saturating_sub(begun);
                let book = loader.book.borrow();
                let later = book.spots_after(sent.last()).map(|spot| spot.id);
                let mut suspects = loader.suspects.borrow_mut();
                suspects.died(sent.clone(), later, reason.clone(), lost_ms);
            }
            return Err(not_loaded);
        }
        self.set_aside(&engine);
        Ok(engine.own())
    }

    /// Tell the book what the engine does not hold, and the users what is new about that.
    fn set_aside(&self, engine: &Projection) {
        let mut book = self.0.all.loader.book.borrow_mut();
        let refused = engine.refused();
        if refused != book.aside()
            && let Some((id, why)) = refused.first_key_value()
        {
            let more = match refused.len() {
                1 => String::new(),
                2 => " The same holds for one other entry.".to_owned(),
                n => format!(" The same holds for {} other entries.", n - 1),
            };
            self.remark(format!(
                "{} could not be loaded and is set aside; the engine runs without it: {}.{more} Entries that are set \
                 aside stay in the book and are comments in a snapshot. To repair one, retract it by its exact text, or \
                 unimport its file, or undo what added it; then add it as it should be.",
                book.described(*id),
                why.trim_end_matches('.'),
            ));
        }
        book.set_aside(refused.clone());
    }

    async fn standby_or_new(&self) -> Result<Projection, String> {
        let permit = self.0.all.standby_queue.acquire(Priority::Normal).await;
        let standby = self.0.all.standby.take();
        drop(permit);
        match standby {
            Some(engine) if !engine.is_dead() => Ok(engine),
            _ => self.boot_one().await,
        }
    }

    async fn boot_one(&self) -> Result<Projection, String> {
        let all = &self.0.all;
        let (engine, boot) = match self.0.beside {
            true => all.pool.start(&all.profile.beside()).await?,
            false => all.pool.start(&all.profile).await?,
        };
        let engine = Projection::new(engine);
        if self.0.all.boot.borrow().is_none() {
            if !boot.refused.is_empty() {
                let names = boot.refused.join(", ");
                self.0
                    .all
                    .remarks
                    .borrow_mut()
                    .push(format!("Libraries that are not allowed or not known: {names}."));
            }
            *self.0.all.boot.borrow_mut() = Some(Rc::new(boot));
        }
        Ok(engine)
    }

    /// Prepare a standby that holds the book, in the background.
    fn prepare_standby(&self, after_ms: u64) {
        if self.0.all.standby_awaited.replace(true) {
            return;
        }
        let weak = Rc::downgrade(&self.0);
        let pause = self.0.all.pool.clock().sleep(after_ms);
        (self.0.all.pool.spawner())(Box::pin(async move {
            pause.await;
            let Some(supervisor) = weak.upgrade().map(Supervisor) else {
                return;
            };
            supervisor.0.all.standby_awaited.set(false);
            let _permit = supervisor.0.all.standby_queue.acquire(Priority::Normal).await;
            // Without a standby, an engine is started when needed.
            let prepared = supervisor.prepared_standby().await;
            *supervisor.0.all.standby.borrow_mut() = prepared.ok();
        }));
    }

    async fn prepared_standby(&self) -> Result<Projection, String> {
        let standby = self.0.all.standby.take().filter(|engine| !engine.is_dead());
        let mut engine = match standby {
            Some(engine) => engine,
            None => self.boot_one().await?,
        };
        let loader = &self.0.all.loader;
        if loader.book.borrow().bytes() <= loader.limits.standby_bytes {
            let loaded = loader.update(&mut engine).await;
            loaded.map_err(|not_loaded| not_loaded.reason)?;
        }
        Ok(engine)
    }
}

/// A request that has been sent.
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
