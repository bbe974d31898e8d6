//! The pool starts every engine, whatever its purpose, with the limits of its user and within a time limit.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use futures::channel::oneshot;
use futures::future::{Either, select};
use hornbook_base::{Clock, Limits, Spawner};
use hornbook_book::Predicate;

use super::capacity::Capacity;
use super::host::{DeathKind, EngineDeath, EngineHost, EngineProcess};
use super::protocol::{self, BootOptions, Capability, Unknown};
use super::reply::{self, BadReply, Boot, Refusal, Reply};

/// The purpose of an engine, and the limits that it enforces.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    pub limits: Limits,
    purpose: Purpose,
    /// Changes of a book wait for it.
    first: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum Purpose {
    Book {
        unknown: Unknown,
        libraries: Vec<String>,
        capabilities: Vec<Capability>,
        host: Vec<Predicate>,
    },
    /// A program with the predicates of this capability.
    Program(Capability),
}

impl Profile {
    /// An engine that holds a book, whose goals may use the predicates of the capabilities.
    pub fn book(
        unknown: Unknown,
        libraries: Vec<String>,
        capabilities: Vec<Capability>,
        limits: Limits,
    ) -> Profile {
        let purpose = Purpose::Book {
            unknown,
            libraries,
            capabilities,
            host: Vec::new(),
        };
        Profile {
            limits,
            purpose,
            first: true,
        }
    }

    /// The same for an engine beside the first of a book.
    pub fn beside(&self) -> Profile {
        Profile {
            first: false,
            ..self.clone()
        }
    }

    /// Goals may also call these predicates, which the host answers.
    pub fn with_host(mut self, predicates: Vec<Predicate>) -> Profile {
        if let Purpose::Book {
            host, capabilities, ..
        } = &mut self.purpose
            && !predicates.is_empty()
        {
            capabilities.push(Capability::new("host"));
            *host = predicates;
        }
        self
    }

    /// An engine that runs or checks one program, which may use the predicates of the capability.
    pub fn program(capability: &'static str, limits: Limits) -> Profile {
        let limits = Limits {
            stack_bytes: limits.run_stack_bytes,
            ..limits
        };
        Profile {
            limits,
            purpose: Purpose::Program(Capability::new(capability)),
            first: false,
        }
    }

    fn boot(&self) -> String {
        let (unknown, libraries, capabilities, host) = match &self.purpose {
            Purpose::Book {
                unknown,
                libraries,
                capabilities,
                host,
            } => (*unknown, &libraries[..], &capabilities[..], &host[..]),
            Purpose::Program(capability) => {
                (Unknown::Error, &[][..], std::slice::from_ref(capability), &[][..])
            }
        };
        protocol::boot(&BootOptions {
            unknown,
            libraries,
            limits: &self.limits,
            capabilities,
            host,
        })
    }
}

/// Starts engines. Cheap to clone: clones are the same pool.
#[derive(Clone)]
pub struct Pool(Rc<Inner>);

struct Inner {
    host: Rc<dyn EngineHost>,
    clock: Rc<dyn Clock>,
    spawner: Spawner,
    capacity: Capacity,
}

impl Pool {
    /// A pool that may share its capacity with others.
    pub fn new(host: Rc<dyn EngineHost>, clock: Rc<dyn Clock>, spawner: Spawner, capacity: Capacity) -> Pool {
        Pool(Rc::new(Inner {
            host,
            clock,
            spawner,
            capacity,
        }))
    }

    pub fn capacity(&self) -> &Capacity {
        &self.0.capacity
    }

    pub fn clock(&self) -> &Rc<dyn Clock> {
        &self.0.clock
    }

    pub fn spawner(&self) -> &Spawner {
        &self.0.spawner
    }

    /// Start an engine, once there is capacity for it. If it then takes too long it is given up. The error
    /// says why there is no engine, as part of a sentence.
    pub async fn start(&self, profile: &Profile) -> Result<(Engine, Boot), String> {
        let _permit = self.0.capacity.start(profile.first).await;
        let starting = async {
            let engine = Engine::new(self.0.host.spawn(profile.first).await?);
            let boot = engine.ask(profile.boot()).await;
            boot.map(|boot| (engine, boot)).map_err(|failed| failed.reason())
        };
        let limit_ms = profile.limits.step_ms;
        match select(Box::pin(starting), self.0.clock.sleep(limit_ms)).await {
            Either::Left((started, _)) => started,
            Either::Right(_) => Err(format!("it was not ready within {limit_ms} ms")),
        }
    }
}

/// An engine that ends with its owner.
pub struct Engine(Option<Rc<dyn EngineProcess>>);

impl Engine {
    pub fn new(process: Rc<dyn EngineProcess>) -> Engine {
        Engine(Some(process))
    }

    /// Whether the engine has died.
    pub fn is_dead(&self) -> bool {
        self.0.as_ref().is_none_or(|process| process.is_dead())
    }

    /// The size of its memory at its last reply, in bytes.
    pub fn bytes(&self) -> usize {
        self.0.as_ref().map_or(0, |process| process.bytes())
    }

    /// Stop the engine from ending with its owner.
    pub fn release(mut self) -> Rc<dyn EngineProcess> {
        self.0.take().expect("released once")
    }

    /// Send one request and decode its reply.
    pub async fn ask<T: Reply>(&self, request: String) -> Result<T, Failed> {
        let process = self.0.as_ref().expect("it was not released");
        let text = process.request(request).await.map_err(Failed::Died)?;
        let reply = reply::decode(&text).map_err(Failed::BadReply)?;
        reply.map_err(Failed::Refused)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Some(process) = &self.0 {
            process.end();
        }
    }
}

/// Why there is no intelligible reply.
#[derive(Debug)]
pub enum Failed {
    Died(EngineDeath),
    Refused(Refusal),
    BadReply(BadReply),
}

impl Failed {
    /// Whether the engine died by itself, rather than being ended.
    pub fn is_death(&self) -> bool {
        match self {
            Failed::Died(death) => death.kind != DeathKind::Ended,
            Failed::Refused(refusal) => matches!(refusal, Refusal::Died(_)),
            Failed::BadReply(_) => true,
        }
    }

    /// Part of a sentence, or the engine's own message.
    pub fn reason(self) -> String {
        match self {
            Failed::Died(death) => death.reason,
            Failed::Refused(Refusal::Refused(error)) => error.message,
            Failed::Refused(Refusal::Died(reason)) => reason,
            Failed::BadReply(BadReply(why)) => format!("its reply was malformed: {why}"),
        }
    }
}

/// Engines of one profile, each used once. From the second on one stands by, so that its user need not wait
/// for it to start.
pub struct Standby {
    pool: Pool,
    profile: Profile,
    /// The next engine, ready or starting.
    next: RefCell<Option<oneshot::Receiver<Engine>>>,
    taken: Cell<bool>,
    closed: Cell<bool>,
}

impl Standby {
    pub fn new(pool: Pool, profile: Profile) -> Standby {
        Standby {
            pool,
            profile,
            next: RefCell::default(),
            taken: Cell::default(),
            closed: Cell::default(),
        }
    }

    /// An unused engine; the error is a plain sentence.
    pub async fn take(&self) -> Result<Engine, String> {
        let first = !self.taken.replace(true);
        let next = self.next.take();
        let ready = match next {
            // If it could not be started, try another.
            Some(next) => next.await.ok().filter(|engine| !engine.is_dead()),
            None => None,
        };
        let engine = match ready {
            Some(engine) => engine,
            None => {
                let started = self.pool.start(&self.profile).await;
                let (engine, _) =
                    started.map_err(|reason| format!("No Prolog engine could be started: {reason}."))?;
                engine
            }
        };
        // The first user may be the only one.
        if !first && !self.closed.get() {
            self.prepare();
        }
        Ok(engine)
    }

    /// End the engine that stands by, and keep none from now on.
    pub fn close(&self) {
        self.closed.set(true);
        self.next.take();
    }

    fn prepare(&self) {
        let mut next = self.next.borrow_mut();
        if next.is_some() {
            return;
        }
        let (ready, coming) = oneshot::channel();
        *next = Some(coming);
        let (pool, profile) = (self.pool.clone(), self.profile.clone());
        (self.pool.spawner())(Box::pin(async move {
            if let Ok((engine, _)) = pool.start(&profile).await {
                // If nobody is waiting for it any more, it ends here.
                let _ = ready.send(engine);
            }
        }));
    }
}

#[cfg(test)]
mod tests;
