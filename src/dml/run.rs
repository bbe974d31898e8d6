//! Runs: started, asked for their events one by one, aborted.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

use futures::future::LocalBoxFuture;
use serde_json::{Map, Value};

use super::asked::ProgramEngine;
use super::session::Session;
use hornbook_agent::{
    Budgets, Choice, Effects, Entry, Event, Events, Meter, Outages, Policy, Ports, Recorder, Sink, Start,
    Stop, Tool, ToolSet, Tracer, VERSION, readings_of, start_of,
};
use hornbook_base::{Clock, Limits};
use hornbook_engine::{Pool, Profile, Standby};

/// Runs programs. Each run has an engine of its own, so runs neither see nor wait for each other.
pub struct Dml {
    pub(super) engines: Rc<Standby>,
    clock: Rc<dyn Clock>,
    limits: Rc<Limits>,
    tools: RefCell<BTreeMap<String, Tool>>,
    policy: RefCell<Option<Policy>>,
    running: Rc<Cell<usize>>,
}

/// How to run a program.
#[derive(Clone, Default)]
pub struct RunOptions {
    /// By name, for `agent_main`, `param/2,3` and `{Name}`.
    pub parameters: Option<Map<String, Value>>,
    /// By position, for `agent_main`.
    pub arguments: Option<Vec<Value>>,
    /// Whether the models' text is reported in pieces, as `stream` events.
    pub streaming: bool,
    /// Whether the run is also reported as a tree, in `trace` events.
    pub trace: bool,
    pub budgets: Budgets,
    /// Which models to ask, and how, if the program does not say.
    pub choice: Choice,
    /// What an outage does; the program decides if absent.
    pub outages: Option<Outages>,
    /// The seed of the program's random numbers.
    pub seed: u32,
    /// A recording to replay first, without asking the model, the tools or the user again. It also determines
    /// what the run starts with, except for `parameters` and `arguments` that are given.
    pub replay: Option<Vec<Entry>>,
    /// Where to record the run, except for what is replayed.
    pub record: Option<Sink>,
}

impl Dml {
    /// Run programs in engines of this pool, within these limits.
    pub fn new(pool: Pool, limits: Limits) -> Dml {
        Dml {
            clock: pool.clock().clone(),
            limits: Rc::new(limits.clone()),
            engines: Rc::new(Standby::new(pool, Profile::program("dml", limits))),
            tools: RefCell::default(),
            policy: RefCell::default(),
            running: Rc::default(),
        }
    }

    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Applies to runs started from now on.
    pub fn register_tool(&self, name: &str, tool: Tool) {
        self.tools.borrow_mut().insert(name.into(), tool);
    }

    /// Applies to runs started from now on. `None`: every tool may be called.
    pub fn set_tool_policy(&self, policy: Option<Policy>) {
        *self.policy.borrow_mut() = policy;
    }

    /// The current tools and policy.
    pub(super) fn tool_set(&self) -> ToolSet {
        ToolSet {
            tools: self.tools.borrow().clone(),
            policy: self.policy.borrow().clone(),
            ..ToolSet::default()
        }
    }

    pub(super) fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()> {
        self.clock.sleep(ms)
    }

    /// End the standby engine.
    pub fn close(&self) {
        self.engines.close();
    }

    /// Start a run. It only makes progress while someone awaits its next event.
    pub fn run(&self, code: String, options: RunOptions, ports: Ports) -> Run {
        let events = Rc::new(Events::default());
        let limits = self.limits.clone();
        let most = limits.open_runs;
        let open = Open::new(&self.running, most);
        let tools = self.tool_set();
        let (engines, clock, sink) = (self.engines.clone(), self.clock.clone(), events.clone());
        let work = async move {
            let Some(_open) = open else {
                return sink.push(Event::error(format!(
                    "{most} programs run already; wait for one of them to end (limit: open_runs = {most})."
                )));
            };
            let engine = match engines.take().await {
                Ok(engine) => engine,
                Err(message) => return sink.push(Event::error(message)),
            };
            let begun = begin(code, &options, &ports);
            let (start, recorder) = match begun {
                Ok(begun) => begun,
                Err(message) => return sink.push(Event::error(message)),
            };
            let readings = readings_of(options.replay.as_deref().unwrap_or_default());
            let effects = Effects {
                ports,
                tools,
                meter: Meter::new(options.budgets, clock.clone()),
                recorder,
                tracer: Tracer::new(options.trace.then(|| sink.clone()), clock),
                events: sink,
                limits,
                streaming: options.streaming,
                files: start.files,
            };
            let session = Session::new(ProgramEngine::new(engine), effects);
            session.run(&start, &readings).await;
        };
        Run {
            events,
            work: RefCell::new(Some(Box::pin(work))),
            aborted: Cell::new(false),
        }
    }
}

/// What a run starts with, and its recorder; the error is a plain sentence.
fn begin(code: String, options: &RunOptions, ports: &Ports) -> Result<(Start, Recorder), String> {
    let sink = options.record.clone();
    let (parameters, arguments) = (options.parameters.clone(), options.arguments.clone());
    if let Some(entries) = &options.replay {
        let start = start_of(entries)?;
        let start = Start {
            code,
            params: parameters.unwrap_or(start.params),
            args: arguments.unwrap_or(start.args),
            choice: options.choice.or(&start.choice),
            outages: options.outages.or(start.outages),
            ..start
        };
        return Ok((start, Recorder::new(entries.clone(), sink)));
    }
    let start = Start {
        version: VERSION,
        code,
        params: parameters.unwrap_or_default(),
        args: arguments.unwrap_or_default(),
        seed: options.seed,
        asks: ports.user.can_answer(),
        files: ports.folder.is_some(),
        choice: options.choice.clone(),
        outages: options.outages,
    };
    let recorder = Recorder::new(Vec::new(), sink);
    match recorder.record(&Entry::Run(start.clone())) {
        Err(Stop::Unrecorded(message)) => Err(message),
        _ => Ok((start, recorder)),
    }
}

/// Counts an open run.
struct Open(Rc<Cell<usize>>);

impl Open {
    fn new(running: &Rc<Cell<usize>>, most: usize) -> Option<Open> {
        if running.get() >= most {
            return None;
        }
        running.set(running.get() + 1);
        Some(Open(running.clone()))
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

/// A run. Dropping it ends its engine.
pub struct Run {
    events: Rc<Events>,
    work: RefCell<Option<LocalBoxFuture<'static, ()>>>,
    aborted: Cell<bool>,
}

impl Run {
    /// The next event; `None` after the last. One caller at a time.
    pub async fn next(&self) -> Option<Event> {
        poll_fn(|context| {
            if let Some(event) = self.events.take(context.waker()) {
                return Poll::Ready(Some(event));
            }
            let work = self.work.take();
            let Some(mut work) = work else {
                return Poll::Ready(None);
            };
            if self.aborted.get() {
                drop(work);
                return Poll::Ready(Some(Event::error("Execution aborted.")));
            }
            if work.as_mut().poll(context).is_pending() {
                *self.work.borrow_mut() = Some(work);
            }
            match self.events.take(context.waker()) {
                Some(event) => Poll::Ready(Some(event)),
                None if self.work.borrow().is_none() => Poll::Ready(None),
                None => Poll::Pending,
            }
        })
        .await
    }

    /// Abort the run. Its last event is then an error that says so, unless it had already ended.
    pub fn abort(&self) {
        self.aborted.set(true);
        self.events.wake();
    }
}
