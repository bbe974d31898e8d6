//! Scripted engines that are slow, die and hang.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::task::{Poll, Waker};

use futures::FutureExt;
use futures::future::{Either, LocalBoxFuture, select};
use hornbook_engine::scripted::ScriptedHost;
use hornbook_engine::{DeathKind, EngineDeath, EngineHost, EngineProcess};

use super::log::SIMULATED;
use super::plan::Faults;
use super::world::World;

/// The most milliseconds that an engine needs when it is late.
const LATE_MS: u64 = 3_000;

/// The most milliseconds that an engine needs to fill its memory.
const FILL_MS: u64 = 30_000;

pub struct Engines {
    pub world: World,
    pub faults: Faults,
    pub scripted: Rc<ScriptedHost>,
}

impl EngineHost for Engines {
    fn spawn(&self, first: bool) -> LocalBoxFuture<'static, Result<Rc<dyn EngineProcess>, String>> {
        let (world, faults) = (self.world.clone(), self.faults.clone());
        let scripted = self.scripted.clone();
        async move {
            world.pause(1, 20).await;
            if world.strikes(faults.spawn) {
                world.tell(|| "an engine cannot be started".to_owned());
                return Err(format!("{SIMULATED}: no worker"));
            }
            let process = scripted.spawn(first).await?;
            let process: Rc<dyn EngineProcess> = Rc::new(Engine(Rc::new(Inner {
                world,
                faults,
                scripted,
                process,
                waiting: RefCell::default(),
                is_dead: Cell::default(),
            })));
            Ok(process)
        }
        .boxed_local()
    }
}

struct Engine(Rc<Inner>);

struct Inner {
    world: World,
    faults: Faults,
    scripted: Rc<ScriptedHost>,
    process: Rc<dyn EngineProcess>,
    /// Requests that end with the engine.
    waiting: RefCell<Vec<Waker>>,
    is_dead: Cell<bool>,
}

impl Inner {
    fn end(&self) {
        self.is_dead.set(true);
        self.process.end();
        self.waiting.take().into_iter().for_each(Waker::wake);
    }

    /// Resolves when the engine has ended.
    fn ended(self: &Rc<Self>) -> impl Future<Output = ()> + use<> {
        let inner = self.clone();
        std::future::poll_fn(move |context| {
            if inner.is_dead.get() {
                return Poll::Ready(());
            }
            let mut waiting = inner.waiting.borrow_mut();
            // Whoever asks is polled often while it waits.
            if !waiting.last().is_some_and(|last| last.will_wake(context.waker())) {
                waiting.push(context.waker().clone());
            }
            Poll::Pending
        })
    }

    async fn answer(self: Rc<Self>, text: String) -> Result<String, EngineDeath> {
        let (world, faults) = (&self.world, &self.faults);
        let name = || text.split('(').next().unwrap_or_default().to_owned();
        let most = if world.strikes(faults.late) { LATE_MS } else { 2 };
        world.pause(0, most).await;
        if world.strikes(faults.hang) {
            world.tell(|| format!("an engine hangs at {}", name()));
            std::future::pending::<()>().await;
        }
        if world.strikes(faults.fill) {
            world.tell(|| format!("an engine fills its memory with {}", name()));
            world.pause(1_000, FILL_MS).await;
            self.end();
            return Err(death(DeathKind::Memory));
        }
        let dies = world.strikes(faults.die);
        if dies && world.random().chance(5_000) {
            world.tell(|| format!("an engine dies before {}", name()));
            self.end();
            return Err(death(DeathKind::Memory));
        }
        let reply = self.process.request(text.clone()).await;
        self.scripted.requests.borrow_mut().clear();
        if dies {
            world.tell(|| format!("an engine dies after {}", name()));
            self.end();
            return Err(death(DeathKind::Memory));
        }
        world.pause(0, 1).await;
        reply
    }
}

fn death(kind: DeathKind) -> EngineDeath {
    EngineDeath {
        kind,
        reason: format!("{SIMULATED}: out of memory"),
    }
}

impl EngineProcess for Engine {
    fn request(&self, text: String) -> LocalBoxFuture<'static, Result<String, EngineDeath>> {
        let (answered, ended) = (self.0.clone().answer(text).boxed_local(), self.0.ended());
        async move {
            match select(answered, ended).await {
                Either::Left((reply, _)) => reply,
                Either::Right(_) => Err(death(DeathKind::Ended)),
            }
        }
        .boxed_local()
    }

    fn end(&self) {
        self.0.end();
    }

    fn is_dead(&self) -> bool {
        self.0.is_dead.get()
    }

    fn bytes(&self) -> usize {
        self.0.process.bytes()
    }
}
