//! One run: the requests of the program's engines, served one after the other.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::Future;
use std::rc::Rc;
use std::task::Waker;

use futures::future::{Either, LocalBoxFuture, select};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::budget::{Budgets, Used, gas_exhausted};
use super::engine::{self, Answer, End, Engine, Loaded, Request, RunError, Step};
use super::event::Event;
use super::program;
use super::run::Ports;
use super::tools::{ToolSet, named_arguments};
use crate::engine::Clock;

/// How long after its own limit an engine may still answer, before it is ended.
const GRACE_MS: u64 = 1_000;

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
    /// A plain sentence: a budget is spent, the engine is gone.
    Broken(String),
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
    pub tools: ToolSet,
    pub ports: Ports,
    pub streaming: bool,
    pub budgets: Budgets,
    pub used: RefCell<Used>,
    pub events: Rc<Events>,
    clock: Rc<dyn Clock>,
    /// Milliseconds since 1970; later when a user was waited for.
    deadline: Cell<u64>,
    next_id: Cell<u64>,
}

impl Session {
    pub fn new(
        engine: Engine,
        clock: Rc<dyn Clock>,
        ports: Ports,
        tools: ToolSet,
        budgets: Budgets,
        streaming: bool,
        events: Rc<Events>,
    ) -> Session {
        let deadline = clock.now_ms() + budgets.time_ms;
        Session {
            engine,
            loaded: Loaded::default(),
            tools,
            ports,
            streaming,
            budgets,
            used: RefCell::default(),
            events,
            clock,
            deadline: Cell::new(deadline),
            next_id: Cell::new(1),
        }
    }

    /// Load the program and run it to its end.
    pub async fn run(mut self, code: &str, arguments: &[Value], parameters: &Map<String, Value>) {
        let success = match self.try_run(code, arguments, parameters).await {
            Ok(success) => success,
            Err(Stop::Answered) => Some(true),
            Err(Stop::Broken(message)) => return self.events.push(Event::error(message)),
        };
        if let Some(success) = success {
            let usage = self.used.borrow().usage;
            self.events.push(Event::Finished { success, usage });
        }
    }

    /// Whether `agent_main` was true; `None` where an error was told.
    async fn try_run(
        &mut self,
        code: &str,
        arguments: &[Value],
        parameters: &Map<String, Value>,
    ) -> Result<Option<bool>, Stop> {
        let loaded: Loaded = self.ask(engine::load(code, parameters)).await?;
        if let Some(error) = program::load_error(code, &loaded.errors) {
            self.events.push(error);
            return Ok(None);
        }
        let arguments = program::main_arguments(&loaded, arguments, parameters).map_err(Stop::Broken)?;
        self.loaded = loaded;
        let id = self.fresh_id();
        let step = self
            .ask(engine::main(id, &arguments, self.gas()?, self.budgets.step_ms))
            .await?;
        match self.drive(id, step).await? {
            Outcome::True(_) => Ok(Some(true)),
            Outcome::False => Ok(Some(false)),
            Outcome::Error(error) => {
                self.events
                    .push(Event::error(format!("Runtime error: {}", described(&error))));
                Ok(None)
            }
        }
    }

    /// Serve the requests of one engine until its goal has ended.
    async fn drive(&self, id: u64, mut step: Step) -> Result<Outcome, Stop> {
        let mut inferences = 0;
        loop {
            if !step.output.is_empty() {
                self.events.push(Event::Output { content: step.output });
            }
            for told in step.told {
                self.serve(told).await?;
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
            let answer = match (step.request, step.end) {
                (Some(request), _) => self.serve(request).await?,
                (None, Some(End::Truth(true))) => return Ok(Outcome::True(step.value)),
                (None, Some(End::Truth(false))) => return Ok(Outcome::False),
                (None, _) => return self.ended(step.error),
            };
            step = self.ask(engine::next(id, &answer, self.budgets.step_ms)).await?;
        }
    }

    /// A goal ended with an error. Where a limit stopped it, the run ends.
    fn ended(&self, error: Option<RunError>) -> Result<Outcome, Stop> {
        let error = error.unwrap_or_else(|| RunError {
            message: "The engine did not say how the program ended.".into(),
            stopped: None,
            term: String::new(),
        });
        match (error.stopped.as_deref(), self.budgets.inferences) {
            (None, _) => Ok(Outcome::Error(error)),
            (Some("gas"), Some(limit)) => Err(Stop::Broken(gas_exhausted(limit))),
            (Some("time"), _) => Err(Stop::Broken(self.too_long())),
            (Some(_), _) => Err(Stop::Broken(error.message)),
        }
    }

    async fn serve(&self, request: Request) -> Result<Answer, Stop> {
        match request {
            Request::Output { text } => self.tell(Event::Output { content: text }),
            Request::Log { text } => self.tell(Event::Log { content: text }),
            Request::Answer { text } => {
                self.events.push(Event::Answer { content: text });
                return Err(Stop::Answered);
            }
            Request::Input { text } => {
                let answer = self.ask_user(&text).await;
                return Ok(match answer {
                    Ok(answer) => Answer::Done(Value::String(answer)),
                    Err(message) => self.failed(message),
                });
            }
            Request::Exec { tool, arguments } => {
                let result = match self.tools.find(&tool) {
                    Ok(known) => match named_arguments(&tool, known, arguments) {
                        Ok(arguments) => self.call_tool(&tool, arguments).await?,
                        Err(message) => Err(message),
                    },
                    Err(message) => Err(message),
                };
                return Ok(match result {
                    Ok(value) => Answer::Done(value),
                    Err(message) => self.failed(message),
                });
            }
            Request::File(request) => return self.file(request).await,
            Request::Task(task) => return self.task(task, true).await,
            Request::Prompt(task) => return self.task(task, false).await,
        }
        Ok(Answer::Done(Value::Null))
    }

    /// Events without text are not told.
    pub fn tell(&self, event: Event) {
        if let Event::Output { content } | Event::Log { content } = &event
            && content.is_empty()
        {
            return;
        }
        self.events.push(event);
    }

    /// A request of the host failed: the goal fails, and the reason is told.
    pub fn failed(&self, message: String) -> Answer {
        self.tell(Event::Log { content: message });
        Answer::Failed
    }

    /// The user's answer, or why there is none. The time is the user's.
    pub async fn ask_user(&self, prompt: &str) -> Result<String, String> {
        self.events.push(Event::InputRequired {
            prompt: prompt.into(),
        });
        let started = self.clock.now_ms();
        let answer = self.ports.user.ask(prompt).await;
        let waited = self.clock.now_ms().saturating_sub(started);
        self.deadline.set(self.deadline.get() + waited);
        match answer {
            Ok(Some(answer)) => Ok(answer),
            Ok(None) => Err(format!("Nobody answered the question “{prompt}”.")),
            Err(message) => Err(format!("The question “{prompt}” could not be asked: {message}")),
        }
    }

    /// Call a tool of the host's that the policy allows; what goes wrong in it is an error to be told.
    pub async fn call_tool(&self, tool: &str, args: Value) -> Result<Result<Value, String>, Stop> {
        self.spend(|budgets, used| budgets.tool_call(used))?;
        self.events.push(Event::ToolCall {
            tool: tool.into(),
            args: args.clone(),
        });
        let result = self.within_time(self.ports.tools.call(tool, args)).await?;
        Ok(result.map_err(|message| format!("The tool {tool} failed: {message}")))
    }

    /// Run a tool of the program's for a model.
    pub fn call_program_tool<'a>(
        &'a self,
        name: &'a str,
        inputs: &'a [Value],
        running: &'a [String],
    ) -> LocalBoxFuture<'a, Result<Outcome, Stop>> {
        Box::pin(async move {
            let id = self.fresh_id();
            let request = engine::tool(id, name, inputs, running, self.gas()?, self.budgets.step_ms);
            let step = self.ask(request).await?;
            self.drive(id, step).await
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
                Err(Stop::Broken(format!(
                    "The run took longer than its {seconds} seconds."
                )))
            }
        }
    }

    /// One request to the engine. It stops by itself when it computes too long; where it cannot, this ends it.
    async fn ask<T: DeserializeOwned>(&self, request: String) -> Result<T, Stop> {
        let late = self.clock.sleep(self.budgets.step_ms + GRACE_MS);
        let reply = self
            .within_time(select(Box::pin(self.engine.ask(request)), late))
            .await?;
        match reply {
            Either::Left((Ok(reply), _)) => Ok(reply),
            Either::Left((Err(failed), _)) => Err(Stop::Broken(failed.told())),
            Either::Right(_) => Err(Stop::Broken(self.too_long())),
        }
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
