//! A run: processes with clients share a log, are killed and come back; at quiet points everything is compared.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use hornbook_base::{Clock, Control};
use hornbook_book::Book;

use super::calls::{Names, Record, Records};
use super::check::Observer;
use super::life::{Client, Process, Shared};
use super::log::Log;
use super::memories::{Expected, Remembered};
use super::plan::{Faults, Plan};
use super::random::Random;
use super::workflows::Known;
use super::world::World;

/// The longest that a call may take, in milliseconds of virtual time.
const BOUND_MS: u64 = 120_000;
/// How long whatever is still under way gets before a quiet point, in milliseconds.
const SETTLE_MS: u64 = 2_000;
/// The same where goals are watched: one that got no answer is asked again after a rest.
const SETTLE_WATCHED_MS: u64 = 10_000;
/// How far the clock is set forward or back at most, in milliseconds.
const JUMP_MS: u64 = 3_600_000;
/// How long the machine sleeps at most, in milliseconds.
const NIGHT_MS: u64 = 8 * 3_600_000;
/// Steps between two looks at how long calls take.
const LOOK: u64 = 512;

/// What came of a run.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// The calls that were made.
    pub operations: usize,
    /// How often a task was polled.
    pub steps: u64,
    /// The most tasks that there were at a time.
    pub tasks: usize,
    /// Equal for two runs in which the same happened.
    pub trace: u64,
    pub wrong: Option<String>,
    /// The last events, if they were asked for.
    pub events: Vec<String>,
}

/// Carry out a plan. With `tells`, the outcome has the last events.
pub fn run(plan: &Plan, tells: bool) -> Outcome {
    let world = World::new(Random::of(plan.seed, 2), plan.most_tasks(), tells);
    let mut simulation = Simulation::new(plan, &world);
    let ran = catch_unwind(AssertUnwindSafe(|| simulation.run()));
    if let Err(panic) = ran {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        world.fail(format!("a panic: {}", text.unwrap_or_default()));
    }
    let outcome = Outcome {
        operations: simulation.shared.calls.get(),
        steps: world.steps(),
        tasks: world.tasks(),
        trace: world.trace(),
        wrong: world.wrong(),
        events: world.take_events(),
    };
    // What has panicked may be in any state; it is left behind.
    match ran_whole(&outcome) {
        true => simulation.close(),
        false => std::mem::forget(simulation),
    }
    outcome
}

/// The calls of a run of one round, and the book after each of its revisions.
pub fn recorded(plan: &Plan) -> Result<(Vec<Rc<Record>>, Vec<Book>), String> {
    let world = World::new(Random::of(plan.seed, 2), plan.most_tasks(), false);
    let mut simulation = Simulation::new(plan, &world);
    for process in &simulation.processes {
        simulation.shared.begin_life(process);
    }
    simulation.round(plan.operations);
    let records = simulation.shared.records.borrow().clone();
    if world.wrong().is_none() {
        simulation.quiet(true);
    }
    let states = simulation.observer.states().to_vec();
    simulation.close();
    match world.wrong() {
        Some(wrong) => Err(wrong),
        None => Ok((records, states)),
    }
}

fn ran_whole(outcome: &Outcome) -> bool {
    !outcome
        .wrong
        .as_ref()
        .is_some_and(|wrong| wrong.starts_with("a panic"))
}

struct Simulation {
    plan: Plan,
    shared: Rc<Shared>,
    processes: Vec<Rc<Process>>,
    observer: Observer,
}

impl Simulation {
    fn new(plan: &Plan, world: &World) -> Simulation {
        let log = Log::new(world.clone(), plan.kind, plan.faults.clone());
        let client = |number: usize| {
            Rc::new(Client {
                number,
                random: Random::of(plan.seed, 100 + number as u64),
                left: Cell::default(),
                calls: Cell::default(),
                since: Cell::default(),
            })
        };
        let process = |number: usize| {
            let clients = number * plan.clients..(number + 1) * plan.clients;
            Rc::new(Process {
                number,
                life: Cell::default(),
                desk: RefCell::default(),
                has_failed: Cell::default(),
                clients: clients.map(client).collect(),
            })
        };
        Simulation {
            plan: plan.clone(),
            shared: Rc::new(Shared {
                world: world.clone(),
                log,
                plan: plan.clone(),
                names: Names::default(),
                records: Records::default(),
                calls: Cell::default(),
                flows: Known::default(),
                remembered: Remembered::default(),
            }),
            processes: (0..plan.processes).map(process).collect(),
            observer: Observer::default(),
        }
    }

    fn world(&self) -> &World {
        &self.shared.world
    }

    fn run(&mut self) {
        for process in &self.processes {
            self.shared.begin_life(process);
        }
        let mut left = self.plan.operations;
        while left > 0 && self.world().wrong().is_none() {
            let round = self.plan.round.min(left);
            left -= round;
            self.round(round);
            if self.world().wrong().is_none() {
                self.quiet(left == 0);
            }
        }
    }

    /// End everything.
    fn close(self) {
        for process in &self.processes {
            self.world().end(process.life.get());
            process.desk.take();
        }
        self.world().close();
    }

    /// Let the clients make so many calls while the world is hostile.
    fn round(&self, calls: usize) {
        let clients: Vec<_> = self
            .processes
            .iter()
            .flat_map(|process| &process.clients)
            .collect();
        for at in 0..calls {
            let client = clients[at % clients.len()];
            client.left.set(client.left.get() + 1);
        }
        self.world().calm(false);
        for process in &self.processes {
            if let Some(desk) = process.desk.borrow().clone() {
                self.shared.begin_clients(process, &desk);
            }
        }
        let faults = self.plan.faults.clone();
        self.until("the calls", || {
            if self.world().random().chance(faults.kill) && self.world().random().chance(1_000) {
                self.kill(faults.power);
            }
            self.turn_time(&faults);
            if self.shared.log.is_writing() && self.world().random().chance(faults.tear) {
                self.kill(10_000);
            }
            clients
                .iter()
                .all(|client| client.left.get() == 0 && client.since.get().is_none())
        });
    }

    /// Go on until this holds, or something is wrong.
    fn until(&self, what: &str, mut is_done: impl FnMut() -> bool) {
        let world = self.world();
        let begun = world.awake_ms();
        while !is_done() && world.wrong().is_none() {
            if !world.step() {
                world.fail(format!("nothing can happen any more, and {what} are not done"));
            }
            for process in &self.processes {
                if process.has_failed.take() {
                    self.end_life(process, false);
                    self.shared.begin_life(process);
                }
            }
            if world.steps().is_multiple_of(LOOK) {
                self.check_time(what, begun);
            }
        }
    }

    /// Now and then the clock jumps, or the machine sleeps.
    fn turn_time(&self, faults: &Faults) {
        let random = self.world().random();
        if random.chance(faults.jump) && random.chance(1_000) {
            let ahead = random.between(0, 2 * JUMP_MS) as i64 - JUMP_MS as i64;
            self.world().set_clock(ahead);
        }
        if random.chance(faults.sleep) && random.chance(1_000) {
            self.world().suspend(random.between(1_000, NIGHT_MS));
        }
    }

    fn check_time(&self, what: &str, begun: u64) {
        let now = self.world().awake_ms();
        for client in self.processes.iter().flat_map(|process| &process.clients) {
            if client.since.get().is_some_and(|since| now - since > BOUND_MS) {
                self.world()
                    .fail(format!("a call of client {} takes for ever", client.number));
            }
        }
        if now - begun > BOUND_MS * 20 {
            self.world().fail(format!("{what} take for ever"));
        }
    }

    fn kill(&self, power: u32) {
        let world = self.world();
        let is_all = world.random().chance(power);
        let one = world.random().below(self.processes.len());
        for process in &self.processes {
            if is_all || process.number == one {
                self.end_life(process, is_all);
            }
        }
        for process in &self.processes {
            if is_all || process.number == one {
                self.shared.begin_life(process);
            }
        }
    }

    fn end_life(&self, process: &Process, power: bool) {
        let life = process.life.get();
        self.world()
            .tell(|| format!("process {} is killed, in life {life}", process.number));
        self.world().end(life);
        process.desk.take();
        for client in &process.clients {
            client.since.set(None);
        }
        self.shared.log.ended(life, power);
    }

    /// Wait until everything has come to rest, and compare; with `whole`, all of the log.
    fn quiet(&mut self, whole: bool) {
        self.world().calm(true);
        for process in &self.processes {
            // As its message asks, what was shown another log is started again.
            if self.shared.log.is_astray(process.life.get()) {
                self.end_life(process, false);
                self.shared.begin_life(process);
            }
        }
        self.until("the processes", || {
            self.processes
                .iter()
                .all(|process| process.desk.borrow().is_some())
        });
        if self.plan.work.workflows > 0 {
            self.tend();
        }
        let asked = Rc::new(Cell::new(self.processes.len()));
        let settle = match self.plan.work.watches_goals() {
            true => SETTLE_WATCHED_MS,
            false => SETTLE_MS,
        };
        for process in &self.processes {
            let desk = process.desk.borrow().clone();
            let (shared, asked, number) = (self.shared.clone(), asked.clone(), process.number);
            let Some(desk) = desk else { return };
            self.world().spawn(process.life.get(), async move {
                shared.world.sleep(settle).await;
                // Whatever is still under way ends before its turn comes.
                for workspace in desk.workspaces() {
                    let _ = workspace.differences().await;
                }
                shared.world.sleep(settle).await;
                if let Err(what) = shared.at_rest(number, &desk).await {
                    shared.world.fail(format!("process {number}: {what}"));
                }
                asked.set(asked.get() - 1);
            });
        }
        self.until("the comparisons", || asked.get() == 0);
        if self.world().wrong().is_none()
            && let Err(what) = self.compare(whole)
        {
            self.world().fail(what);
        }
        self.shared.records.borrow_mut().clear();
    }

    /// One of the processes lets the runs go on that can.
    fn tend(&self) {
        let process = self.world().random().pick(&self.processes).clone();
        let Some(desk) = process.desk.borrow().clone() else {
            return;
        };
        let (shared, is_done) = (self.shared.clone(), Rc::new(Cell::new(false)));
        let done = is_done.clone();
        self.world().spawn(process.life.get(), async move {
            shared.world.sleep(SETTLE_MS).await;
            let _ = desk.workspace.differences().await;
            shared.tend(process.number, &process.clients[0], &desk).await;
            done.set(true);
        });
        self.until("the runs", || is_done.get());
    }

    fn compare(&mut self, whole: bool) -> Result<(), String> {
        self.observer.read(&self.shared.log, &self.plan.limits, whole)?;
        let remembers = self.plan.work.memory > 0;
        let memory = remembers.then(|| Expected::of(self.observer.book(), whole));
        for process in &self.processes {
            let desk = process.desk.borrow().clone().ok_or("a process is gone")?;
            let workspace = &desk.workspace;
            let same = self.observer.equals(&workspace.book());
            same.map_err(|what| format!("the book of process {}: {what}", process.number))?;
            if let Some(memory) = &memory {
                let agrees = memory.agrees(&desk.memory);
                agrees.map_err(|what| format!("the memory of process {}: {what}", process.number))?;
            }
            let open = workspace.open_queries(&Control::default()).len();
            if open > self.plan.limits.open_queries {
                return Err(format!("process {} has {open} open queries", process.number));
            }
            for watch in desk.watches.borrow().iter() {
                let told = watch.check(self.observer.states(), desk.is_aside());
                told.map_err(|what| format!("process {}: {what}", process.number))?;
            }
        }
        self.observer
            .compare(&self.shared.records.borrow(), &self.shared.flows)
    }
}
