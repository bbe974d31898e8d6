//! One thread, virtual time, and an executor that polls the ready tasks in an order that the seed decides.

use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::rc::{Rc, Weak};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};

use futures::future::{FutureExt, LocalBoxFuture};
use hornbook_base::{Clock, Spawner};

use super::random::{Random, mixed};

/// Whose a task is: one life of a process. 0 is the world itself, which lives for ever.
pub type Owner = usize;

/// The owner of what belongs to no process.
pub const NOBODY: Owner = 0;

/// How many of the last events are kept.
const EVENTS: usize = 10_000;
/// The time at the start, in milliseconds since 1970.
const BEGIN_MS: u64 = 1_000_000_000_000;

/// Cheap to clone: clones are the same world.
#[derive(Clone)]
pub struct World(Rc<Inner>);

struct Inner {
    random: Random,
    now: Cell<u64>,
    /// How far the clock is set forward, or back.
    ahead: Cell<i64>,
    /// For how long the machine has slept.
    slept: Cell<u64>,
    tasks: RefCell<Vec<Option<Task>>>,
    free: RefCell<Vec<usize>>,
    ready: Ready,
    timers: RefCell<BinaryHeap<Reverse<Due>>>,
    timers_ever: Cell<u64>,
    /// Whether each owner lives.
    alive: RefCell<Vec<bool>>,
    steps: Cell<u64>,
    trace: Cell<u64>,
    is_calm: Cell<bool>,
    /// Set if events are kept.
    events: RefCell<Option<VecDeque<String>>>,
    /// The tasks that there may be at a time.
    most_tasks: usize,
    /// What went wrong first.
    wrong: RefCell<Option<String>>,
}

type Ready = Arc<Mutex<Vec<Arc<Handle>>>>;

struct Task {
    owner: Owner,
    /// `None` while it is polled.
    future: Option<LocalBoxFuture<'static, ()>>,
    handle: Arc<Handle>,
}

/// Makes a task ready.
struct Handle {
    slot: usize,
    is_queued: AtomicBool,
    is_over: AtomicBool,
    ready: Ready,
}

impl Wake for Handle {
    fn wake(self: Arc<Self>) {
        if !self.is_over.load(Ordering::Relaxed) && !self.is_queued.swap(true, Ordering::Relaxed) {
            let ready = self.ready.clone();
            ready.lock().expect("one thread").push(self);
        }
    }
}

#[derive(Default)]
struct Timer {
    has_fired: Cell<bool>,
    waker: RefCell<Option<Waker>>,
}

/// When a timer fires; those of the same time in the order they were made.
struct Due {
    at: u64,
    number: u64,
    timer: Weak<Timer>,
}

impl PartialEq for Due {
    fn eq(&self, other: &Due) -> bool {
        self.number == other.number
    }
}

impl Eq for Due {}

impl PartialOrd for Due {
    fn partial_cmp(&self, other: &Due) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Due {
    fn cmp(&self, other: &Due) -> std::cmp::Ordering {
        (self.at, self.number).cmp(&(other.at, other.number))
    }
}

impl World {
    /// With `tells`, the last events are kept. More than `most_tasks` at a time are a failure.
    pub fn new(random: Random, most_tasks: usize, tells: bool) -> World {
        World(Rc::new(Inner {
            random,
            now: Cell::new(BEGIN_MS),
            ahead: Cell::default(),
            slept: Cell::default(),
            tasks: RefCell::default(),
            free: RefCell::default(),
            ready: Ready::default(),
            timers: RefCell::default(),
            timers_ever: Cell::default(),
            alive: RefCell::new(vec![true]),
            steps: Cell::default(),
            trace: Cell::default(),
            is_calm: Cell::default(),
            events: RefCell::new(tells.then(VecDeque::new)),
            most_tasks,
            wrong: RefCell::default(),
        }))
    }

    pub fn random(&self) -> &Random {
        &self.0.random
    }

    /// How many tasks were polled so far: the order of everything that happens.
    pub fn steps(&self) -> u64 {
        self.0.steps.get()
    }

    /// A number that two runs share if the same happened in both.
    pub fn trace(&self) -> u64 {
        self.0.trace.get()
    }

    /// The most tasks that there were at a time.
    pub fn tasks(&self) -> usize {
        self.0.tasks.borrow().len()
    }

    /// Count something in the trace.
    pub fn note(&self, what: u64) {
        self.0.trace.set(mixed(self.0.trace.get() ^ what));
    }

    /// Whether no faults happen now.
    pub fn is_calm(&self) -> bool {
        self.0.is_calm.get()
    }

    pub fn calm(&self, is_calm: bool) {
        self.0.is_calm.set(is_calm);
    }

    /// True this often in 10,000 times, and never while the world is calm.
    pub fn strikes(&self, often: u32) -> bool {
        !self.is_calm() && self.random().chance(often)
    }

    /// Keep an event, if events are kept.
    pub fn tell(&self, event: impl FnOnce() -> String) {
        if let Some(events) = &mut *self.0.events.borrow_mut() {
            if events.len() == EVENTS {
                events.pop_front();
            }
            events.push_back(format!("{:>6} ms  {}", self.0.now.get() - BEGIN_MS, event()));
        }
    }

    pub fn take_events(&self) -> Vec<String> {
        let events = self.0.events.borrow_mut().take();
        events.map_or_else(Vec::new, Vec::from)
    }

    /// Something is wrong: the run ends.
    pub fn fail(&self, why: impl Into<String>) {
        self.0.wrong.borrow_mut().get_or_insert_with(|| why.into());
    }

    pub fn wrong(&self) -> Option<String> {
        self.0.wrong.borrow().clone()
    }

    /// A new owner of tasks.
    pub fn owner(&self) -> Owner {
        let mut alive = self.0.alive.borrow_mut();
        alive.push(true);
        alive.len() - 1
    }

    pub fn lives(&self, owner: Owner) -> bool {
        self.0.alive.borrow()[owner]
    }

    /// Start a task; one of a dead owner never runs.
    pub fn spawn(&self, owner: Owner, future: impl Future<Output = ()> + 'static) {
        self.spawn_boxed(owner, future.boxed_local());
    }

    fn spawn_boxed(&self, owner: Owner, future: LocalBoxFuture<'static, ()>) {
        if !self.lives(owner) {
            return;
        }
        let free = self.0.free.borrow_mut().pop();
        let mut tasks = self.0.tasks.borrow_mut();
        let slot = free.unwrap_or_else(|| {
            tasks.push(None);
            if tasks.len() > self.0.most_tasks {
                self.fail(format!(
                    "there are {} tasks: what waits has no bound",
                    tasks.len()
                ));
            }
            tasks.len() - 1
        });
        let handle = Arc::new(Handle {
            slot,
            is_queued: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
            ready: self.0.ready.clone(),
        });
        handle.clone().wake();
        tasks[slot] = Some(Task {
            owner,
            future: Some(future),
            handle,
        });
    }

    /// Starts tasks of an owner. More than `most` of them at a time are a failure.
    pub fn spawner(&self, owner: Owner, most: usize) -> Spawner {
        let (world, each) = (self.clone(), Rc::new(()));
        Rc::new(move |future| {
            let one = each.clone();
            let count = Rc::strong_count(&one) - 1;
            if count > most {
                world.fail(format!("a workspace has {count} tasks: what waits has no bound"));
            }
            let counted = future.map(move |()| drop(one));
            world.spawn_boxed(owner, counted.boxed_local());
        })
    }

    /// End an owner: its tasks are dropped wherever they wait.
    pub fn end(&self, owner: Owner) {
        self.0.alive.borrow_mut()[owner] = false;
        let mut dropped = Vec::new();
        for (slot, task) in self.0.tasks.borrow_mut().iter_mut().enumerate() {
            if task.as_ref().is_some_and(|task| task.owner == owner) {
                dropped.extend(task.take());
                self.0.free.borrow_mut().push(slot);
            }
        }
        for task in &dropped {
            task.handle.is_over.store(true, Ordering::Relaxed);
        }
        drop(dropped);
    }

    /// End all tasks, which keep the world alive.
    pub fn close(&self) {
        self.0.alive.borrow_mut().fill(false);
        let tasks = std::mem::take(&mut *self.0.tasks.borrow_mut());
        for task in tasks.iter().flatten() {
            task.handle.is_over.store(true, Ordering::Relaxed);
        }
        drop(tasks);
        self.0.ready.lock().expect("one thread").clear();
    }

    /// Poll one ready task. If there is none, time passes until the next timer. Returns whether anything can
    /// happen at all.
    pub fn step(&self) -> bool {
        loop {
            let handle = {
                let mut ready = self.0.ready.lock().expect("one thread");
                match ready.len() {
                    0 => None,
                    1 => ready.pop(),
                    count => Some(ready.swap_remove(self.0.random.below(count))),
                }
            };
            match handle {
                Some(handle) if handle.is_over.load(Ordering::Relaxed) => {}
                Some(handle) => {
                    self.poll(&handle);
                    return true;
                }
                None if self.pass_time() => {}
                None => return false,
            }
        }
    }

    fn poll(&self, handle: &Arc<Handle>) {
        handle.is_queued.store(false, Ordering::Relaxed);
        let slot = handle.slot;
        let future = self.0.tasks.borrow_mut()[slot]
            .as_mut()
            .and_then(|task| task.future.take());
        let mut future = future.expect("a task that is not over");
        self.0.steps.set(self.0.steps.get() + 1);
        self.note(slot as u64 ^ (self.0.now.get() << 16));
        let waker = Waker::from(handle.clone());
        let is_over = future.as_mut().poll(&mut Context::from_waker(&waker)).is_ready();
        if is_over {
            handle.is_over.store(true, Ordering::Relaxed);
            self.0.tasks.borrow_mut()[slot] = None;
            self.0.free.borrow_mut().push(slot);
        } else if let Some(task) = &mut self.0.tasks.borrow_mut()[slot] {
            task.future = Some(future);
        }
    }

    /// Fire the timers that are due next. Returns whether there are any.
    fn pass_time(&self) -> bool {
        let mut fired = false;
        loop {
            let mut timers = self.0.timers.borrow_mut();
            let Some(Reverse(due)) = timers.peek() else {
                return fired;
            };
            if fired && due.at > self.0.now.get() {
                return true;
            }
            let Reverse(due) = timers.pop().expect("there is one");
            drop(timers);
            // One that nobody waits for any more takes no time.
            if let Some(timer) = due.timer.upgrade() {
                self.0.now.set(self.0.now.get().max(due.at));
                timer.has_fired.set(true);
                if let Some(waker) = timer.waker.take() {
                    waker.wake();
                }
                fired = true;
            }
        }
    }

    /// Set the clock forward or back, to so many milliseconds from the right time. Timers do not follow it.
    pub fn set_clock(&self, ahead: i64) {
        self.tell(|| format!("the clock is set to {ahead} ms from the right time"));
        self.0.ahead.set(ahead);
    }

    /// Sleep: no task goes on for so long, and the timers that were due meanwhile are late.
    pub fn suspend(&self, ms: u64) {
        self.tell(|| format!("the machine sleeps for {ms} ms"));
        self.0.now.set(self.0.now.get() + ms);
        self.0.slept.set(self.0.slept.get() + ms);
    }

    /// The time for which the machine was awake, in milliseconds, whatever the clock says.
    pub fn awake_ms(&self) -> u64 {
        self.0.now.get() - self.0.slept.get()
    }

    /// Resolves after a time between these.
    pub fn pause(&self, least: u64, most: u64) -> LocalBoxFuture<'static, ()> {
        self.sleep(self.0.random.between(least, most))
    }
}

impl Clock for World {
    fn now_ms(&self) -> u64 {
        self.0.now.get().saturating_add_signed(self.0.ahead.get())
    }

    fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()> {
        let timer = Rc::new(Timer::default());
        let number = self.0.timers_ever.get();
        self.0.timers_ever.set(number + 1);
        self.0.timers.borrow_mut().push(Reverse(Due {
            at: self.0.now.get() + ms,
            number,
            timer: Rc::downgrade(&timer),
        }));
        std::future::poll_fn(move |context| {
            if timer.has_fired.get() {
                return Poll::Ready(());
            }
            timer.waker.replace(Some(context.waker().clone()));
            Poll::Pending
        })
        .boxed_local()
    }
}
