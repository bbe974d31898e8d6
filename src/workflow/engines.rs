//! The engines of workflows: several, so that branches run concurrently. Each node has one to itself and
//! leaves nothing in it, so engines are reused.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use futures::channel::oneshot;

use hornbook_base::Limits;
use hornbook_engine::{Engine, Pool, Profile};

/// Cheap to clone: clones share the same engines.
#[derive(Clone)]
pub struct Engines(Rc<Shared>);

struct Shared {
    pool: Pool,
    profile: Profile,
    size: usize,
    idle: RefCell<Vec<Engine>>,
    /// Leased engines, including those being started.
    out: Cell<usize>,
    waiting: RefCell<VecDeque<oneshot::Sender<()>>>,
    closed: Cell<bool>,
}

impl Engines {
    /// At most `size` engines, each started when first needed.
    pub fn new(pool: Pool, limits: Limits, size: usize) -> Engines {
        Engines(Rc::new(Shared {
            pool,
            profile: Profile::program("workflow", limits),
            size: size.max(1),
            idle: RefCell::default(),
            out: Cell::default(),
            waiting: RefCell::default(),
            closed: Cell::default(),
        }))
    }

    pub fn pool(&self) -> &Pool {
        &self.0.pool
    }

    pub fn limits(&self) -> &Limits {
        &self.0.profile.limits
    }

    /// Lease an engine for exclusive use; the error is a plain sentence.
    pub async fn take(&self) -> Result<Lease, String> {
        loop {
            if self.0.closed.get() {
                return Err("The workflow's engines are closed.".into());
            }
            let idle = self.0.idle.borrow_mut().pop();
            match idle {
                Some(engine) if engine.is_dead() => {}
                Some(engine) => return Ok(Lease::of(&self.0, Some(engine))),
                None if self.0.out.get() < self.0.size => {
                    // If it cannot be started, dropping the lease frees its place.
                    let mut lease = Lease::of(&self.0, None);
                    let started = self.0.pool.start(&self.0.profile).await;
                    let (engine, _) =
                        started.map_err(|reason| format!("No Prolog engine could be started: {reason}."))?;
                    lease.engine = Some(engine);
                    return Ok(lease);
                }
                None => {
                    let (sender, turn) = oneshot::channel();
                    self.0.waiting.borrow_mut().push_back(sender);
                    // If the engines were closed meanwhile, the next iteration reports it.
                    let _ = turn.await;
                }
            }
        }
    }

    /// End all engines; leased ones end when they are returned.
    pub fn close(&self) {
        self.0.closed.set(true);
        self.0.idle.take();
        self.0.waiting.take();
    }
}

/// A leased engine. It ends with the lease, unless it was given back.
pub struct Lease {
    shared: Rc<Shared>,
    engine: Option<Engine>,
    sound: bool,
}

impl Lease {
    fn of(shared: &Rc<Shared>, engine: Option<Engine>) -> Lease {
        shared.out.set(shared.out.get() + 1);
        Lease {
            shared: shared.clone(),
            engine,
            sound: false,
        }
    }

    pub fn engine(&self) -> &Engine {
        self.engine
            .as_ref()
            .expect("a lease is given out with its engine")
    }

    /// Return the engine unchanged, for others to use.
    pub fn give_back(mut self) {
        self.sound = true;
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let shared = &self.shared;
        shared.out.set(shared.out.get() - 1);
        if let Some(engine) = self.engine.take() {
            if self.sound
                && !shared.closed.get()
                && !engine.is_dead()
                && engine.bytes() < shared.profile.limits.idle_engine_bytes
            {
                shared.idle.borrow_mut().push(engine);
            } else {
                drop(engine);
                replace(shared);
            }
        }
        wake(shared);
    }
}

fn wake(shared: &Shared) {
    let mut waiting = shared.waiting.borrow_mut();
    while let Some(next) = waiting.pop_front() {
        if next.send(()).is_ok() {
            break;
        }
    }
}

/// Start a replacement for an engine that ended, in the background, so that what follows need not wait for
/// it.
fn replace(shared: &Rc<Shared>) {
    if shared.closed.get() {
        return;
    }
    shared.out.set(shared.out.get() + 1);
    let (pool, profile) = (shared.pool.clone(), shared.profile.clone());
    // A weak reference, so that no engine is kept for a workflow that is gone.
    let shared_later = Rc::downgrade(shared);
    (shared.pool.spawner())(Box::pin(async move {
        let started = pool.start(&profile).await;
        if let Some(shared) = shared_later.upgrade() {
            shared.out.set(shared.out.get() - 1);
            // If it could not be started, whoever needs one next gets the reason.
            if let Ok((engine, _)) = started
                && !shared.closed.get()
            {
                shared.idle.borrow_mut().push(engine);
            }
            wake(&shared);
        }
    }));
}
