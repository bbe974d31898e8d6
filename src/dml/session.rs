//! One run: the requests of the program's engines, served one after the other.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::Future;
use std::rc::Rc;
use std::task::Waker;

use futures::future::{Either, LocalBoxFuture, select};
use serde_json::Value;

use super::budget::{Budgets, Used, gas_exhausted};
use super::engine::{self, Answer};
use super::event::Event;
use super::program;
use super::record::{ENDED, Entry, Recorder, Start};
use super::replies::{Loaded, Next, RunError, Step, Stopped};
use super::run::{Ports, RunOptions};
use super::tools::ToolSet;
use super::trace::{Branch, StepId, Tracer};
use hornbook_base::{Clock, Limits};
use hornbook_engine::reply::Reply;
use hornbook_engine::{Engine, Failed};

/// The events that nobody has taken yet.
#[derive(Default)]
pub struct Events {
    queue: RefCell<VecDeque<Event>>,
    /// Of whoever waits for the next one: a model's text comes from outside of the run's own code.
    waker: RefCell<Option<Waker>>,
}

impl Events {
    pub fn push(&self, event: Event) {
        self.queue.borrow_mut().push_back(event);
        self.wake();
    }

    pub fn wake(&self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    pub fn take(&self, waker: &Waker) -> Option<Event> {
        *self.waker.borrow_mut() = Some(waker.clone());
        self.queue.borrow_mut().pop_front()
    }
}

/// Why a run ends before its program does.
pub enum Stop {
    /// The program gave its answer, which ends it whatever it is in the middle of.
    Answered,
    /// A plain sentence: a budget is spent.
    Broken(String),
    /// A plain sentence: the run took too long, or its engine is gone.
    Late(String),
    /// A plain sentence that is no part of the recording.
    Unrecorded(String),
}

/// How a goal of the program ended.
pub enum Outcome {
    True(Value),
    False,
    Error(RunError),
}

pub struct Session {
    pub engine: Engine,
    pub loaded: Loaded,
    /// Whether a model may ask the user.
    pub asks: bool,
    /// Whether it has a folder.
    pub files: bool,
    pub tools: ToolSet,
    pub ports: Ports,
    pub streaming: bool,
    pub budgets: Budgets,
    pub used: RefCell<Used>,
    pub events: Rc<Events>,
    pub recorder: Recorder,
    pub tracer: Tracer,
    pub clock: Rc<dyn Clock>,
    pub limits: Rc<Limits>,
    /// Milliseconds since 1970; later when a user was waited for.
    pub deadline: Cell<u64>,
    next_id: Cell<u64>,
    /// The number of the last request that the program made.
    last_asked: Cell<u64>,
}

impl Session {
    pub fn new(
        engine: Engine,
        (clock, limits): (Rc<dyn Clock>, Rc<Limits>),
        ports: Ports,
        tools: ToolSet,
        recorder: Recorder,
        events: Rc<Events>,
        options: &RunOptions,
    ) -> Session {
        let budgets = options.budgets.clone();
        let deadline = clock.now_ms() + budgets.time_ms;
        let tracer = Tracer::new(options.trace.then(|| events.clone()));
        Session {
            engine,
            loaded: Loaded::default(),
            asks: false,
            files: false,
            tools,
            ports,
            streaming: options.streaming,
            budgets,
            used: RefCell::default(),
            events,
            recorder,
            tracer,
            clock,
            limits,
            deadline: Cell::new(deadline),
            next_id: Cell::new(1),
            last_asked: Cell::new(0),
        }
    }

    /// Load the program and run it to its end. `readings` are what its clock says first.
    pub async fn run(mut self, start: &Start, readings: &[String]) {
        let last = match self.try_run(start, readings).await {
            Ok(last) => self.end(last),
            Err(Stop::Answered) => self.end(self.finished(true)),
            Err(Stop::Broken(message)) => self.end(Event::error(message)),
            Err(Stop::Late(message)) => match self.recorder.stop(&message) {
                Err(Stop::Unrecorded(message)) => Event::error(message),
                _ => Event::error(message),
            },
            Err(Stop::Unrecorded(message)) => Event::error(message),
        };
        self.events.push(last);
    }

    /// The last event, unless the recording goes on.
    fn end(&self, last: Event) -> Event {
        let ended = self
            .recorder
            .next(|| ENDED.into(), |entry| (*entry == Entry::End).then_some(()));
        let recorded = ended.and_then(|replayed| match replayed {
            Some(()) => Ok(()),
            None => self.recorder.record(&Entry::End),
        });
        match recorded {
            Err(Stop::Unrecorded(message)) => Event::error(message),
            _ => last,
        }
    }

    fn finished(&self, success: bool) -> Event {
        let usage = self.used.borrow().usage;
        Event::Finished { success, usage }
    }

    /// The last event.
    async fn try_run(&mut self, start: &Start, readings: &[String]) -> Result<Event, Stop> {
        (self.asks, self.files) = (start.asks, start.files);
        if start.files {
            self.tools.add_files();
        }
        let request = engine::load(&start.code, &start.params, start.seed, readings);
        let loaded: Loaded = self.ask(request).await?;
        if let Some(error) = program::load_error(&start.code, &loaded.errors) {
            return Ok(error);
        }
        let arguments = match program::main_arguments(&loaded, &start.args, &start.params) {
            Ok(arguments) => arguments,
            Err(message) => return Ok(Event::error(message)),
        };
        self.loaded = loaded;
        let id = self.fresh_id();
        let request = engine::main(id, &arguments, self.gas()?, self.budgets.step_ms);
        let step = self.ask_step(request).await?;
        Ok(match self.drive(id, step, Branch::new(0)).await? {
            Outcome::True(_) => self.finished(true),
            Outcome::False => self.finished(false),
            Outcome::Error(error) => Event::error(format!("Runtime error: {}", described(&error))),
        })
    }

    /// Serve the requests of one goal until it has ended.
    async fn drive(&self, id: u64, mut step: Step, mut branch: Branch) -> Result<Outcome, Stop> {
        let mut inferences = 0;
        loop {
            if !step.clock.is_empty() {
                let readings = std::mem::take(&mut step.clock);
                self.recorder.record(&Entry::Clock { readings })?;
            }
            if !step.output.is_empty() {
                self.output(step.output, branch.under);
            }
            for told in step.told {
                // Nobody waits for what comes of it.
                if let Answer::File(reply) = self.serve(told, &mut branch).await?
                    && let Err(message) = reply.into()
                {
                    self.failed(message);
                }
            }
            if let Some(used) = step.used {
                let mut all = self.used.borrow_mut();
                all.inferences += used.saturating_sub(inferences);
                inferences = used;
                if let Some(limit) = self.budgets.inferences
                    && all.inferences >= limit
                {
                    return Err(Stop::Broken(gas_exhausted(limit)));
                }
            }
            let answer = match step.next {
                Next::Request(asked) => self.serve(asked, &mut branch).await?,
                Next::True { value, after } => {
                    self.tracer.went_back(&mut branch, Some(after));
                    return Ok(Outcome::True(value));
                }
                Next::False => {
                    self.tracer.went_back(&mut branch, Some(0));
                    return Ok(Outcome::False);
                }
                Next::Error(error) => return self.ended(error),
            };
            let request = engine::next(id, &answer, self.budgets.step_ms);
            step = self.ask_step(request).await?;
        }
    }

    /// A goal ended with an error. Where a limit stopped it, the run ends.
    fn ended(&self, error: RunError) -> Result<Outcome, Stop> {
        match (error.stopped, self.budgets.inferences) {
            (None, _) => Ok(Outcome::Error(error)),
            (Some(Stopped::Gas), Some(limit)) => Err(Stop::Broken(gas_exhausted(limit))),
            (Some(Stopped::Time), _) => Err(Stop::Late(self.too_long())),
            (Some(_), _) => Err(Stop::Broken(error.message)),
        }
    }

    /// Run a tool of the program's for a model.
    pub fn call_program_tool<'a>(
        &'a self,
        name: &'a str,
        inputs: &'a [Value],
        running: &'a [String],
        under: StepId,
    ) -> LocalBoxFuture<'a, Result<Outcome, Stop>> {
        Box::pin(async move {
            let id = self.fresh_id();
            let request = engine::tool(id, name, inputs, running, self.gas()?, self.budgets.step_ms);
            let step = self.ask_step(request).await?;
            self.drive(id, step, Branch::new(under)).await
        })
    }

    pub fn spend(&self, spend: impl FnOnce(&Budgets, &mut Used) -> Result<(), String>) -> Result<(), Stop> {
        spend(&self.budgets, &mut self.used.borrow_mut()).map_err(Stop::Broken)
    }

    /// Wait, so that a model that failed may recover.
    pub async fn pause(&self, ms: u64) -> Result<(), Stop> {
        self.within_time(self.clock.sleep(ms)).await
    }

    /// Wait for something as long as the run may last.
    pub async fn within_time<T>(&self, future: impl Future<Output = T>) -> Result<T, Stop> {
        let left = self.deadline.get().saturating_sub(self.clock.now_ms());
        match select(Box::pin(future), self.clock.sleep(left)).await {
            Either::Left((value, _)) => Ok(value),
            Either::Right(_) => {
                let seconds = self.budgets.time_ms.div_ceil(1000);
                Err(Stop::Late(format!(
                    "The run took longer than its {seconds} seconds."
                )))
            }
        }
    }

    /// One request to the engine. It stops by itself when it computes too long; where it cannot, this ends it.
    async fn ask<T: Reply>(&self, request: String) -> Result<T, Stop> {
        self.recorder.begin_request()?;
        let late = self.clock.sleep(self.budgets.step_ms + self.limits.run_grace_ms);
        let reply = self
            .within_time(select(Box::pin(self.engine.ask(request)), late))
            .await?;
        match reply {
            Either::Left((Ok(reply), _)) => Ok(reply),
            Either::Left((Err(failed), _)) => Err(Stop::Late(engine::told(failed))),
            Either::Right(_) => Err(Stop::Late(self.too_long())),
        }
    }

    /// A request that runs a goal.
    async fn ask_step(&self, request: String) -> Result<Step, Stop> {
        let step: Step = self.ask(request).await?;
        let step = step
            .believed(self.last_asked.get())
            .map_err(|bad| Stop::Late(engine::told(Failed::BadReply(bad))))?;
        self.last_asked.set(step.asked().unwrap_or(self.last_asked.get()));
        Ok(step)
    }

    fn too_long(&self) -> String {
        let seconds = self.budgets.step_ms.div_ceil(1000);
        format!("The program computed longer than {seconds} seconds without a request to its host.")
    }

    fn gas(&self) -> Result<Option<u64>, Stop> {
        self.budgets.gas(&self.used.borrow()).map_err(Stop::Broken)
    }

    fn fresh_id(&self) -> u64 {
        self.next_id.replace(self.next_id.get() + 1)
    }
}

/// What an error says, with the term of the standard that programs catch it by.
pub fn described(error: &RunError) -> String {
    if error.term.is_empty() {
        error.message.clone()
    } else {
        format!("{} [{}]", error.message, error.term)
    }
}
