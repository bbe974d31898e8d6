//! A book in a Rust program whose engines are separate processes. It implements no more than a host of the
//! crate must.
//!
//! `cargo run -p hornbook-workspace --example process -- pkg`, where `pkg` is the folder of the npm package.
//! Its engine, SWI-Prolog in WebAssembly, runs in `node` and gets its requests over pipes (`engine.mjs`,
//! `docs/engine-protocol.md`).

mod engine;

use std::rc::Rc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures::FutureExt;
use futures::channel::oneshot;
use futures::executor::LocalPool;
use futures::future::LocalBoxFuture;
use futures::task::LocalSpawnExt;

use hornbook_base::{Clock, Control, Fault, FileFault, Files, Spawner};
use hornbook_engine::{Capacity, Pool};
use hornbook_workspace::{Options, QueryStart, Workspace};

/// The time of this machine.
struct SystemClock;

impl Clock for SystemClock {
    fn now_ms(&self) -> u64 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        now.unwrap_or_default().as_millis() as u64
    }

    fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()> {
        let (sender, receiver) = oneshot::channel();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(ms));
            sender.send(())
        });
        receiver.map(|_| ()).boxed_local()
    }
}

/// This program provides no files.
struct NoFiles;

impl Files for NoFiles {
    fn resolve(&self, _path: String) -> LocalBoxFuture<'static, Result<String, FileFault>> {
        async { Err(FileFault::NotSupported) }.boxed_local()
    }

    fn read(&self, _path: String, _most: usize) -> LocalBoxFuture<'static, Result<Vec<u8>, FileFault>> {
        async { Err(FileFault::NotSupported) }.boxed_local()
    }

    fn list(&self, _directory: String) -> LocalBoxFuture<'static, Result<Vec<String>, FileFault>> {
        async { Err(FileFault::NotSupported) }.boxed_local()
    }
}

fn main() -> Result<(), String> {
    let package = std::env::args().nth(1).ok_or("usage: process PACKAGE")?;
    let mut executor = LocalPool::new();
    let tasks = executor.spawner();
    let spawner: Spawner = Rc::new(move |task| {
        // Once the executor is gone, nothing runs any more.
        let _ = tasks.spawn_local(task);
    });
    let engines = Pool::new(
        Rc::new(engine::Processes::new(package)),
        Rc::new(SystemClock),
        spawner,
        Capacity::default(),
    );
    let workspace = Workspace::open(engines, Rc::new(NoFiles), Options::default(), None);
    executor
        .run_until(tell(&workspace))
        .map_err(|fault| fault.message)
}

async fn tell(workspace: &Workspace) -> Result<(), Fault> {
    let clauses = [
        "parent(tom, bob). parent(bob, ann).",
        "ancestor(X, Y) :- parent(X, Y).",
        "ancestor(X, Z) :- parent(X, Y), ancestor(Y, Z).",
        "forever :- forever.",
    ];
    let clauses = clauses.map(str::to_owned).to_vec();
    workspace.assert_clauses(clauses, &Control::default()).await?;
    ask(workspace, "ancestor(tom, Who)").await?;
    // A process that does not reply in time is ended, and another is built from the book.
    if let Err(fault) = ask(workspace, "forever").await {
        println!("{}", fault.message);
    }
    ask(workspace, "ancestor(tom, Who)").await
}

/// Ask for all answers, and print them.
async fn ask(workspace: &Workspace, query: &str) -> Result<(), Fault> {
    println!("?- {query}.");
    let start = QueryStart {
        query: query.to_owned(),
        take: Some(10),
        timeout_ms: Some(500),
        ..QueryStart::default()
    };
    let started = workspace.query_start(start, &Control::default()).await?;
    let Some(answers) = started.answers else {
        return Ok(());
    };
    for answer in answers.answers {
        let bindings = answer.bindings.iter();
        let bindings: Vec<String> = bindings
            .map(|binding| format!("{} = {}", binding.name, binding.text))
            .collect();
        println!("{}", bindings.join(", "));
    }
    if let Some(fault) = answers.fault {
        println!("{}", fault.message);
    }
    Ok(())
}
