//! Processes: how they begin, and what their clients do.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use futures::future::{Either, select};
use hornbook_base::{CancelToken, Clock, Control, Fault, FaultKind, Pace};
use hornbook_engine::scripted::ScriptedHost;
use hornbook_engine::{Capacity, Pool};
use hornbook_memory::HalfLives;
use hornbook_service::{memory, workflow};
use hornbook_store::Journal;
use hornbook_workflow::runs::Runs;
use hornbook_workspace::bench::MemoryFiles;
use hornbook_workspace::{Options, Workspace};

use super::acts::Act;
use super::calls::{Call, Heard, Names, Record, Records, carry_out, heard};
use super::drafts::{self, decide};
use super::engine::Engines;
use super::log::{Log, SIMULATED};
use super::memories::Remembered;
use super::plan::{MOST_OF_WORKSPACE, Plan};
use super::random::{Random, mixed};
use super::rules::{self, standing};
use super::seat::Seat;
use super::watch::{self, Watch};
use super::workflows::{Known, Worker};
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
    pub flows: Known,
    pub remembered: Remembered,
}

pub struct Process {
    pub number: usize,
    /// Its present life.
    pub life: Cell<Owner>,
    pub desk: RefCell<Option<Desk>>,
    /// Its life ended before it had the book.
    pub has_failed: Cell<bool>,
    pub clients: Vec<Rc<Client>>,
}

/// What a process has while it lives. Cheap to clone.
#[derive(Clone)]
pub struct Desk {
    pub workspace: Workspace,
    /// The draft of its clients, if they use one.
    pub draft: Option<Workspace>,
    pub watches: Rc<RefCell<Vec<Watch>>>,
    pub memory: Rc<hornbook_memory::Desk>,
    runs: Runs,
    life: Owner,
    capacity: Capacity,
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

impl Desk {
    /// Its book, and its draft.
    pub fn workspaces(&self) -> impl Iterator<Item = &Workspace> {
        std::iter::once(&self.workspace).chain(&self.draft)
    }

    /// Whether its engines hold back clauses that have killed others.
    pub fn is_aside(&self) -> bool {
        self.workspaces().any(|one| !one.book().aside().is_empty())
    }
}

impl Shared {
    /// Start a process, now or a little later.
    pub fn begin_life(self: &Rc<Self>, process: &Rc<Process>) {
        let life = self.world.owner();
        process.life.set(life);
        let (shared, process) = (self.clone(), process.clone());
        self.world.spawn(life, async move {
            shared.world.pause(0, 200).await;
            let limits = &shared.plan.limits;
            let clock: Rc<dyn Clock> = Rc::new(shared.world.clone());
            let seat = Rc::new(Seat::new(shared.log.clone(), life));
            let opened = match Journal::open(seat, limits, &Pace::new(clock)).await {
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
            let capacity = Capacity::of(2 + usize::from(shared.plan.work.drafts > 0));
            let pool = shared.engines(life, &capacity);
            let files = Rc::<MemoryFiles>::default();
            let workspace = Workspace::open(pool, files, shared.options(), Some(opened));
            let mut desk = Desk {
                memory: memory::open(
                    &workspace,
                    Rc::new(shared.world.clone()),
                    shared.remembered.ids(),
                    HalfLives::default(),
                    None,
                    None,
                ),
                runs: workflow::open(&workspace),
                workspace,
                draft: None,
                watches: Rc::default(),
                life,
                capacity,
            };
            if shared.plan.work.drafts > 0 {
                match shared.draft(&desk, &drafts::name(process.number), None).await {
                    Ok(draft) => {
                        draft.serve();
                        desk.draft = Some(draft);
                    }
                    Err(fault) => shared.world.fail(format!("no draft can be opened: {fault:?}")),
                }
            }
            process.desk.replace(Some(desk.clone()));
            shared.begin_clients(&process, &desk);
        });
    }

    fn engines(&self, life: Owner, capacity: &Capacity) -> Pool {
        let host = Rc::new(Engines {
            world: self.world.clone(),
            faults: self.plan.faults.clone(),
            scripted: Rc::<ScriptedHost>::default(),
        });
        Pool::new(
            host,
            Rc::new(self.world.clone()),
            self.world.spawner(life, MOST_OF_WORKSPACE),
            capacity.clone(),
        )
    }

    fn options(&self) -> Options {
        Options {
            timeout_ms: TIMEOUT_MS,
            engines: self.plan.engines,
            limits: self.plan.limits.clone(),
            ..Options::default()
        }
    }

    /// Open a draft, or some operations of it.
    pub async fn draft(
        &self,
        desk: &Desk,
        name: &str,
        only: Option<Vec<String>>,
    ) -> Result<Workspace, Fault> {
        let pool = self.engines(desk.life, &desk.capacity);
        let files = Rc::<MemoryFiles>::default();
        desk.workspace
            .draft(name, only, pool, files, self.options())
            .await
    }

    /// Let the clients of a process make the calls that they have left.
    pub fn begin_clients(self: &Rc<Self>, process: &Process, desk: &Desk) {
        for client in &process.clients {
            let (shared, client, desk) = (self.clone(), client.clone(), desk.clone());
            let number = process.number;
            self.world.spawn(process.life.get(), async move {
                while client.left.get() > 0 {
                    client.left.set(client.left.get() - 1);
                    client.since.set(Some(shared.world.awake_ms()));
                    shared.call(number, &client, &desk).await;
                    client.since.set(None);
                    shared.world.pause(0, 3).await;
                }
            });
        }
    }

    /// What must hold of a process when all is quiet.
    pub async fn at_rest(&self, process: usize, desk: &Desk) -> Result<(), String> {
        for workspace in desk.workspaces() {
            let found = workspace.differences().await;
            let differences = found.map_err(|fault| format!("there is no engine: {fault}"))?;
            if !differences.is_empty() {
                return Err(format!("the engine: {differences:?}"));
            }
            let told = workspace.constraints(&Control::default()).await;
            let told = told.map_err(|fault| format!("the constraints: {fault}"))?;
            let told: Vec<_> = told.into_iter().map(|one| (one.text, one.violated)).collect();
            let standing = standing(&workspace.book());
            if told != standing && !desk.is_aside() {
                return Err(format!(
                    "what violates the constraints is said to be {told:?}, and is {standing:?}"
                ));
            }
        }
        let Some(draft) = &desk.draft else { return Ok(()) };
        let anew = self.draft(desk, &drafts::name(process), None).await;
        let anew = anew.map_err(|fault| format!("the draft cannot be opened: {fault}"))?;
        drafts::are_equal(&draft.book(), &anew.book()).map_err(|what| format!("the draft: {what}"))
    }

    fn now(&self) -> (u64, u64) {
        (self.world.steps(), self.log.revisions())
    }

    /// What a client does next.
    fn next_call(&self, random: &Random) -> Call {
        let work = &self.plan.work;
        if random.chance(work.drafts) {
            return drafts::call(&self.names, random);
        }
        if random.chance(work.constraints) {
            return rules::call(random);
        }
        if random.chance(work.watches) {
            return match random.chance(3_000) {
                true => Call::Unwatch,
                false => Call::Watch(watch::goal(random)),
            };
        }
        if random.chance(work.workflows) {
            return Call::Flow(self.flows.act(random));
        }
        if random.chance(work.memory) {
            let (tool, arguments) = self.remembered.call(random);
            return Call::Remember(tool, arguments);
        }
        if random.chance(work.rules) {
            return rules::call_of_watched(random);
        }
        self.names.call(random)
    }

    /// Let all runs go on that can, once all is quiet.
    pub async fn tend(&self, process: usize, client: &Client, desk: &Desk) {
        self.make(process, client, desk, Call::Flow(Act::Tend)).await;
    }

    /// Make one call.
    async fn call(&self, process: usize, client: &Client, desk: &Desk) {
        self.calls.set(self.calls.get() + 1);
        let call = self.next_call(&client.random);
        self.make(process, client, desk, call).await;
    }

    async fn make(&self, process: usize, client: &Client, desk: &Desk, call: Call) {
        let workspace = &desk.workspace;
        let count = client.calls.get() + 1;
        client.calls.set(count);
        let is_aside = || desk.is_aside();
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
            .watched(self.carry_out(process, desk, &call, &control), &control.cancel)
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

    async fn carry_out(
        &self,
        process: usize,
        desk: &Desk,
        call: &Call,
        control: &Control,
    ) -> Result<Heard, Fault> {
        let nothing = Ok(Heard::Done { least: 0, most: 0 });
        match (call, &desk.draft) {
            (Call::Watch(goal), _) => {
                watch::begin(&mut desk.watches.borrow_mut(), goal, &desk.workspace);
                nothing
            }
            (Call::Unwatch, _) => {
                let mut watches = desk.watches.borrow_mut();
                let first = (!watches.is_empty()).then(|| watches.remove(0));
                drop(watches);
                drop(first);
                nothing
            }
            (Call::Propose(proposed), Some(draft)) => match carry_out(draft, proposed, control).await? {
                // Whether they are those of the draft is compared once all is quiet.
                Heard::Clauses(_) => nothing,
                heard => Ok(heard),
            },
            (Call::Decide(decision), Some(draft)) => {
                let name = drafts::name(process);
                let open = async |keys| self.draft(desk, &name, Some(keys)).await;
                heard(call, decide(draft, *decision, open, control).await)
            }
            (Call::Remember(tool, arguments), _) => {
                let call = (*tool, arguments);
                self.remembered.carry_out(&desk.memory, call, control).await
            }
            (Call::Flow(act), _) => self.flow(desk, act, control).await,
            _ => carry_out(&desk.workspace, call, control).await,
        }
    }

    async fn flow(&self, desk: &Desk, act: &Act, control: &Control) -> Result<Heard, Fault> {
        let worker = Worker {
            world: &self.world,
            known: &self.flows,
            workspace: &desk.workspace,
            runs: &desk.runs,
            control,
            fails: self.plan.faults.late,
        };
        let heard = worker.carry_out(act).await?;
        if let Heard::Ran(told) = &heard {
            let wrong = told.iter().find_map(|one| one.unexpected(self.world.is_calm()));
            if let Some(wrong) = wrong {
                return Err(Fault::new(FaultKind::DomainError, wrong));
            }
        }
        Ok(heard)
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
