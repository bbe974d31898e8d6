//! Starts scripted engines, and lets tests make them fail.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use futures::FutureExt;
use futures::channel::oneshot;
use futures::future::LocalBoxFuture;

use super::reply::written;
use super::store::{Act, Engine};
use super::term::Reader;
use crate::host::{DeathKind, EngineDeath, EngineHost, EngineProcess};

/// Faults that tests can turn on.
#[derive(Default)]
pub struct Script {
    /// The number of engines yet to die while loading the book.
    pub die_loading: Cell<usize>,
    /// Engines die when they load a text that contains one of these.
    pub die_of: RefCell<Vec<String>>,
    /// The number of engines yet to fail to start.
    pub fail_spawning: Cell<usize>,
    /// An engine dies at its n-th `add_more`.
    pub die_at_more: Cell<Option<usize>>,
    /// The memory that every engine reports, in bytes.
    pub bytes: Cell<usize>,
    /// Engines that load the book refuse clauses that begin with this.
    pub refuse_loading: RefCell<Option<String>>,
    /// Alters replies on their way.
    pub alter: RefCell<Option<Alter>>,
}

/// From a request and its reply, makes the reply that is delivered.
pub type Alter = Box<dyn FnMut(&str, String) -> String>;

/// Starts scripted engines, and records their requests.
#[derive(Default)]
pub struct ScriptedHost {
    pub script: Rc<Script>,
    pub requests: Rc<RefCell<Vec<String>>>,
    pub spawned: Cell<usize>,
    /// How many of them are the first of a book.
    pub firsts: Cell<usize>,
    pub alive: Rc<Cell<usize>>,
    current: Rc<RefCell<Vec<Rc<ScriptedProcess>>>>,
}

impl ScriptedHost {
    /// The texts in the engine in use, in order. That is the oldest one alive, since a standby is younger.
    pub fn clauses(&self) -> Vec<String> {
        let process = self.last_used();
        let engine = process.engine.borrow();
        engine
            .store
            .iter()
            .map(|clause| clause.text.trim_end_matches('.').to_owned())
            .collect()
    }

    /// The predicates known to the engine that replied last.
    pub fn known(&self) -> Vec<String> {
        let process = self.last_used();
        let engine = process.engine.borrow();
        engine
            .known
            .iter()
            .map(|(name, arity)| format!("{name}/{arity}"))
            .collect()
    }

    fn last_used(&self) -> Rc<ScriptedProcess> {
        let processes = self.current.borrow();
        let used = |process: &&Rc<ScriptedProcess>| process.used.get() && !process.ended.get();
        processes.iter().find(used).expect("an engine").clone()
    }

    /// End all engines from outside.
    pub fn end_all(&self) {
        for process in self.current.borrow().iter() {
            process.end();
        }
    }

    /// End all engines but the newest from outside.
    pub fn end_all_but_standby(&self) {
        let processes = self.current.borrow();
        for process in &processes[..processes.len() - 1] {
            process.end();
        }
    }

    /// The number of requests with this name.
    pub fn count(&self, name: &str) -> usize {
        self.requests
            .borrow()
            .iter()
            .filter(|request| request.starts_with(name))
            .count()
    }
}

impl EngineHost for ScriptedHost {
    fn spawn(&self, first: bool) -> LocalBoxFuture<'static, Result<Rc<dyn EngineProcess>, String>> {
        self.spawned.set(self.spawned.get() + 1);
        self.firsts.set(self.firsts.get() + usize::from(first));
        if let Some(left) = self.script.fail_spawning.get().checked_sub(1) {
            self.script.fail_spawning.set(left);
            return async { Err("no worker".to_owned()) }.boxed_local();
        }
        self.alive.set(self.alive.get() + 1);
        let process = Rc::new(ScriptedProcess {
            script: self.script.clone(),
            requests: self.requests.clone(),
            alive: self.alive.clone(),
            engine: RefCell::default(),
            hanging: RefCell::default(),
            ended: Cell::new(false),
            used: Cell::new(false),
            more: Cell::new(0),
        });
        self.current.borrow_mut().push(process.clone());
        let process: Rc<dyn EngineProcess> = process;
        async { Ok(process) }.boxed_local()
    }
}

struct ScriptedProcess {
    script: Rc<Script>,
    requests: Rc<RefCell<Vec<String>>>,
    alive: Rc<Cell<usize>>,
    engine: RefCell<Engine>,
    hanging: RefCell<Option<oneshot::Sender<()>>>,
    ended: Cell<bool>,
    used: Cell<bool>,
    more: Cell<usize>,
}

impl ScriptedProcess {
    fn dies(&self, text: &str) -> bool {
        if text.starts_with("add_more") {
            self.more.set(self.more.get() + 1);
            return self.script.die_at_more.get() == Some(self.more.get());
        }
        if !text.starts_with("reload([],") {
            return false;
        }
        let loading = self.script.die_loading.get();
        self.script.die_loading.set(loading.saturating_sub(1));
        let deadly = self.script.die_of.borrow();
        loading > 0 || deadly.iter().any(|deadly| text.contains(deadly))
    }

    fn act(&self, text: &str) -> Act {
        if self.dies(text) {
            return Act::Die;
        }
        if !text.starts_with("boot") {
            self.used.set(true);
        }
        let refused = self.script.refuse_loading.borrow().clone();
        let mut engine = self.engine.borrow_mut();
        let act = match refused.filter(|_| text.starts_with("reload([],")) {
            Some(begin) => engine.handle(&Reader::read(&text.replace(&begin, "bad"))),
            None => engine.handle(&Reader::read(text)),
        };
        // An id is given twice only if an altered reply misreported which ids are taken.
        if self.script.alter.borrow().is_none() {
            assert_eq!(engine.given_twice, None, "an id was given twice");
        }
        act
    }
}

fn death(kind: DeathKind, reason: &str) -> EngineDeath {
    EngineDeath {
        kind,
        reason: reason.to_owned(),
    }
}

impl EngineProcess for ScriptedProcess {
    fn request(&self, text: String) -> LocalBoxFuture<'static, Result<String, EngineDeath>> {
        self.requests.borrow_mut().push(text.clone());
        if self.ended.get() {
            return async { Err(death(DeathKind::Ended, "it was ended")) }.boxed_local();
        }
        match self.act(&text) {
            Act::Reply(reply) => {
                let reply = written(reply);
                let reply = match &mut *self.script.alter.borrow_mut() {
                    Some(alter) => alter(&text, reply),
                    None => reply,
                };
                async move { Ok(reply) }.boxed_local()
            }
            Act::Die => {
                self.end();
                async { Err(death(DeathKind::Memory, "out of memory")) }.boxed_local()
            }
            Act::Hang => {
                let (sender, receiver) = oneshot::channel();
                *self.hanging.borrow_mut() = Some(sender);
                receiver
                    .map(|_| Err(death(DeathKind::Ended, "it was ended")))
                    .boxed_local()
            }
        }
    }

    fn end(&self) {
        if !self.ended.replace(true) {
            self.alive.set(self.alive.get() - 1);
            self.hanging.take();
        }
    }

    fn is_dead(&self) -> bool {
        self.ended.get()
    }

    fn bytes(&self) -> usize {
        self.script.bytes.get()
    }
}
