//! A workspace for tests: a scripted engine, files, an executor, and time that passes only when nothing else
//! can happen.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use futures::FutureExt;
use futures::channel::oneshot;
use futures::executor::LocalPool;
use futures::future::LocalBoxFuture;
use futures::task::LocalSpawnExt;

use hornbook_base::{Clock, FileFault, Files, Spawner};
use hornbook_book::Book;
use hornbook_engine::scripted::ScriptedHost;
use hornbook_engine::{Capacity, Pool};
use hornbook_store::Opened;

use crate::{Options, Workspace};

/// Virtual time.
#[derive(Default)]
pub struct VirtualClock {
    now: Cell<u64>,
    /// Milliseconds that pass each time the clock is read.
    pub step: Cell<u64>,
    /// How often a task has yielded to others.
    pub rests: Cell<usize>,
    timers: RefCell<Vec<(u64, oneshot::Sender<()>)>>,
}

impl VirtualClock {
    /// Advance to the next timer; false if there is none.
    fn advance(&self) -> bool {
        let mut timers = self.timers.borrow_mut();
        timers.retain(|(_, timer)| !timer.is_canceled());
        let Some(next) = (0..timers.len()).min_by_key(|at| timers[*at].0) else {
            return false;
        };
        let (at, timer) = timers.remove(next);
        self.now.set(self.now.get().max(at));
        timer.send(()).is_ok()
    }
}

impl Clock for VirtualClock {
    fn now_ms(&self) -> u64 {
        self.now.set(self.now.get() + self.step.get());
        self.now.get()
    }

    fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()> {
        self.rests.set(self.rests.get() + usize::from(ms == 0));
        let (sender, receiver) = oneshot::channel();
        self.timers.borrow_mut().push((self.now.get() + ms, sender));
        receiver.map(|_| ()).boxed_local()
    }
}

/// Files by path; a link maps to another path.
#[derive(Default)]
pub struct MemoryFiles {
    pub files: RefCell<BTreeMap<String, Result<Vec<u8>, FileFault>>>,
    pub links: RefCell<BTreeMap<String, String>>,
}

impl MemoryFiles {
    pub fn put(&self, path: &str, text: &str) {
        self.files.borrow_mut().insert(path.to_owned(), Ok(text.into()));
    }
}

impl Files for MemoryFiles {
    fn resolve(&self, path: String) -> LocalBoxFuture<'static, Result<String, FileFault>> {
        let mut parts: Vec<&str> = Vec::new();
        for part in path.split('/').filter(|part| !part.is_empty()) {
            match part {
                ".." => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        let path = format!("/{}", parts.join("/"));
        let path = self.links.borrow().get(&path).cloned().unwrap_or(path);
        let known = self
            .files
            .borrow()
            .keys()
            .any(|file| *file == path || file.starts_with(&format!("{path}/")));
        let found = if known { Ok(path) } else { Err(FileFault::NotFound) };
        async { found }.boxed_local()
    }

    fn read(&self, path: String, most: usize) -> LocalBoxFuture<'static, Result<Vec<u8>, FileFault>> {
        let found = self
            .files
            .borrow()
            .get(&path)
            .cloned()
            .unwrap_or(Err(FileFault::NotAFile));
        let found = match found {
            Ok(bytes) if bytes.len() > most => Err(FileFault::TooLarge),
            found => found,
        };
        async { found }.boxed_local()
    }

    fn list(&self, directory: String) -> LocalBoxFuture<'static, Result<Vec<String>, FileFault>> {
        let begin = format!("{}/", directory.trim_end_matches('/'));
        let name = |path: &String| {
            let rest = path.strip_prefix(&begin)?;
            Some(
                rest.split_once('/')
                    .map_or(rest.to_owned(), |(name, _)| format!("{name}/")),
            )
        };
        let names = self.files.borrow().keys().filter_map(name).collect();
        async { Ok(names) }.boxed_local()
    }
}

impl Workspace {
    /// The book as it is now.
    pub fn book(&self) -> Book {
        self.0.book()
    }
}

/// An executor with virtual time.
#[derive(Default)]
pub struct Bench {
    pool: LocalPool,
    pub clock: Rc<VirtualClock>,
    pub host: Rc<ScriptedHost>,
    pub files: Rc<MemoryFiles>,
    /// Shared by the workspaces.
    pub capacity: Capacity,
}

impl Bench {
    pub fn new() -> Self {
        Self::default()
    }

    /// A workspace on this bench.
    pub fn open(&self, options: Options) -> Workspace {
        self.open_with(options, None)
    }

    /// A workspace with a stored book.
    pub fn open_with(&self, options: Options, opened: Option<Opened>) -> Workspace {
        self.open_on(self.host.clone(), options, opened)
    }

    /// A workspace with its own engines.
    pub fn open_on(&self, host: Rc<ScriptedHost>, options: Options, opened: Option<Opened>) -> Workspace {
        Workspace::open(self.engines(host), self.files.clone(), options, opened)
    }

    /// The draft of a workspace with this name, with its own engines.
    pub fn draft(&mut self, base: &Workspace, host: Rc<ScriptedHost>, name: &str) -> Workspace {
        let (pool, files) = (self.engines(host), self.files.clone());
        let (base, name) = (base.clone(), name.to_owned());
        let opened = self.run(async move { base.draft(&name, None, pool, files, Options::default()).await });
        opened.expect("a draft")
    }

    /// A pool of engines of this host.
    pub fn engines(&self, host: Rc<ScriptedHost>) -> Pool {
        Pool::new(host, self.clock.clone(), self.spawner(), self.capacity.clone())
    }

    /// What starts tasks on this bench.
    pub fn spawner(&self) -> Spawner {
        let spawner = self.pool.spawner();
        Rc::new(move |future| {
            // Once the pool is gone, nothing runs any more.
            let _ = spawner.spawn_local(future);
        })
    }

    /// Run a future to completion; time passes only when everything else waits.
    pub fn run<T: 'static>(&mut self, future: impl Future<Output = T> + 'static) -> T {
        let result = self.start(future);
        loop {
            self.pool.run_until_stalled();
            if let Some(value) = result.take() {
                return value;
            }
            assert!(self.clock.advance(), "nothing can happen any more");
        }
    }

    /// Start a future; the cell receives its value.
    pub fn start<T: 'static>(&mut self, future: impl Future<Output = T> + 'static) -> Rc<Cell<Option<T>>> {
        let cell = Rc::new(Cell::new(None));
        let result = cell.clone();
        let spawned = self
            .pool
            .spawner()
            .spawn_local(async move { result.set(Some(future.await)) });
        spawned.expect("the pool lives");
        cell
    }

    /// Do all that can be done without time passing.
    pub fn settle(&mut self) {
        self.pool.run_until_stalled();
    }

    /// Do all that can be done, then fire the next timer.
    pub fn step(&mut self) {
        self.pool.run_until_stalled();
        self.clock.advance();
    }

    /// Let all timers fire.
    pub fn wait(&mut self) {
        self.pool.run_until_stalled();
        while self.clock.advance() {
            self.pool.run_until_stalled();
        }
    }
}
