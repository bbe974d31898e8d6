//! Processes: how they begin, and what their clients do.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use futures::future::{Either, select};
use hornbook_base::{CancelToken, Clock, Control, Pace};
use hornbook_engine::scripted::ScriptedHost;
use hornbook_engine::{Capacity, Pool};
use hornbook_store::Journal;
use hornbook_workspace::bench::MemoryFiles;
use hornbook_workspace::{Options, Workspace};

use super::calls::{Heard, Names, Record, Records, carry_out};
use super::engine::Engines;
use super::log::{Log, SIMULATED};
use super::plan::Plan;
use super::random::{Random, mixed};
use super::seat::Seat;
use super::world::{Owner, World};

/// The time limit of a query, in milliseconds.
const TIMEOUT_MS: u64 = 400;

/// What all tasks use.
pub struct Shared {
    pub world: World,
    pub log: Log,
    pub plan: Plan,
    pub names: Names,
    pub records: Records,
    pub calls: Cell<usize>,
}

pub struct Process {
    pub number: usize,
    /// Its present life.
    pub life: Cell<Owner>,
    pub workspace: RefCell<Option<Workspace>>,
    /// Its life ended before it had the book.
    pub has_failed: Cell<bool>,
    pub clients: Vec<Rc<Client>>,
}

pub struct Client {
    pub number: usize,
    pub random: Random,
    /// The calls still to make in this round.
    pub left: Cell<usize>,
    pub calls: Cell<usize>,
    /// When the present call began.
    pub since: Cell<Option<u64>>,
}

impl Shared {
    /// Start a process, now or a little later.
    pub fn begin_life(self: &Rc<Self>, process: &Rc<Process>) {
        let life = self.world.owner();
        process.life.set(life);
        let (shared, process) = (self.clone(), process.clone());
        self.world.spawn(life, async move {
            shared.world.pause(0, 200).await;
            let limits = shared.plan.limits.clone();
            let clock: Rc<dyn Clock> = Rc::new(shared.world.clone());
            let seat = Rc::new(Seat::new(shared.log.clone(), life));
            let opened = match Journal::open(seat, &limits, &Pace::new(clock.clone())).await {
                Ok(opened) => opened,
                Err(fault) => {
                    shared
                        .world
                        .tell(|| format!("process {} cannot open the book: {fault}", process.number));
                    if !fault.why.contains(SIMULATED) {
                        shared.world.fail(format!(
                            "process {} cannot open the book: {fault}",
                            process.number
                        ));
                    }
                    process.has_failed.set(true);
                    return;
                }
            };
            shared.world.tell(|| {
                let revision = opened.book.revision();
                format!(
                    "process {} has the book, revision {revision}, in life {life}",
                    process.number
                )
            });
            let host = Rc::new(Engines {
                world: shared.world.clone(),
                faults: shared.plan.faults.clone(),
                scripted: Rc::<ScriptedHost>::default(),
            });
            let options = Options {
                timeout_ms: TIMEOUT_MS,
                engines: shared.plan.engines,
                limits,
                ..Options::default()
            };
            let pool = Pool::new(host, clock, shared.world.spawner(life), Capacity::of(2));
            let workspace = Workspace::open(pool, Rc::<MemoryFiles>::default(), options, Some(opened));
            process.workspace.replace(Some(workspace.clone()));
            shared.begin_clients(&process, &workspace);
        });
    }

    /// Let the clients of a process make the calls that they have left.
    pub fn begin_clients(self: &Rc<Self>, process: &Process, workspace: &Workspace) {
        for client in &process.clients {
            let (shared, client, workspace) = (self.clone(), client.clone(), workspace.clone());
            let number = process.number;
            self.world.spawn(process.life.get(), async move {
                while client.left.get() > 0 {
                    client.left.set(client.left.get() - 1);
                    client.since.set(Some(shared.world.now_ms()));
                    shared.call(number, &client, &workspace).await;
                    client.since.set(None);
                    shared.world.pause(0, 3).await;
                }
            });
        }
    }

    fn now(&self) -> (u64, u64) {
        (self.world.steps(), self.log.revisions())
    }

    /// Make one call.
    async fn call(&self, process: usize, client: &Client, workspace: &Workspace) {
        let count = client.calls.get() + 1;
        client.calls.set(count);
        self.calls.set(self.calls.get() + 1);
        let call = self.names.call(&client.random);
        let is_aside = || !workspace.book().aside().is_empty();
        let record = Rc::new(Record {
            name: format!("client-{}.{count}", client.number),
            call: call.clone(),
            called: self.now(),
            book: workspace.book().revision(),
            replied: Cell::default(),
            heard: RefCell::new(Heard::Unknown),
            is_aside: Cell::new(is_aside()),
        });
        self.records.borrow_mut().push(record.clone());
        self.world
            .tell(|| format!("{} of process {process}: {call:?}", record.name));
        let control = Control {
            client: client.number as u64 + 1,
            client_name: Some(record.name.as_str().into()),
            ..Control::default()
        };
        let heard = self
            .watched(carry_out(workspace, &call, &control), &control.cancel)
            .await;
        match heard {
            Some(Ok(heard)) => {
                self.world.note(mixed(format!("{heard:?}").len() as u64));
                self.world.tell(|| format!("{} heard {heard:?}", record.name));
                record.heard.replace(heard);
                record.is_aside.set(record.is_aside.get() || is_aside());
                record.replied.set(Some(self.now()));
            }
            Some(Err(fault)) => self.world.fail(format!("{} {call:?}: {fault:?}", record.name)),
            None => self.world.tell(|| format!("{} went away", record.name)),
        }
    }

    /// Wait for a call, which its client may cancel; `None` if the client goes away.
    async fn watched<T>(&self, call: impl Future<Output = T>, cancel: &CancelToken) -> Option<T> {
        let (cancels, leaves) = (
            self.world.strikes(self.plan.faults.cancel),
            self.world.strikes(self.plan.faults.leave),
        );
        if !cancels && !leaves {
            return Some(call.await);
        }
        match select(Box::pin(call), self.world.pause(0, 30)).await {
            Either::Left((heard, _)) => Some(heard),
            Either::Right(_) if leaves => None,
            Either::Right((_, call)) => {
                cancel.cancel();
                Some(call.await)
            }
        }
    }
}
