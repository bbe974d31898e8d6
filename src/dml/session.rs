//! One run: serves the requests of the program's engine one after the other.

use futures::future::LocalBoxFuture;
use serde_json::Value;

use super::asked::{ProgramEngine, too_long};
use super::branch::Branch;
use super::engine::{self, Answer};
use super::loaded::Loaded;
use super::program;
use super::replies::{Next, RunError, Step, Stopped};
use hornbook_agent::{
    Choice, ENDED, Effects, Entry, Event, HostReply, Start, StepId, Stop as Ended, gas_exhausted,
};
use hornbook_engine::Permit;
use hornbook_engine::reply::Done;

/// Why a run ends before its program does.
pub enum Stop {
    /// The program gave its answer, which ends it no matter what it is doing.
    Answered,
    Ended(Ended),
}

impl From<Ended> for Stop {
    fn from(ended: Ended) -> Stop {
        Stop::Ended(ended)
    }
}

/// How a goal of the program ended.
pub enum Outcome {
    True(Value),
    False,
    Error(RunError),
}

/// A running program: its engine, and its effects outside.
pub struct Session {
    engine: ProgramEngine,
    pub effects: Effects,
    pub loaded: Loaded,
    /// The program's text.
    code: String,
    /// Whether a model may ask the user.
    pub asks: bool,
    /// Which models to ask, and how, if the program does not say.
    pub choice: Choice,
}

impl Session {
    pub fn new(engine: ProgramEngine, effects: Effects) -> Session {
        Session {
            engine,
            effects,
            loaded: Loaded::default(),
            code: String::new(),
            asks: false,
            choice: Choice::default(),
        }
    }

    /// Load the program and run it to its end. Its clock returns `readings` first.
    pub async fn run(mut self, start: &Start, readings: &[String]) {
        let last = match self.try_run(start, readings).await {
            Ok(last) => self.end(last).await,
            Err(Stop::Answered) => self.end(self.finished(true, None)).await,
            Err(Stop::Ended(Ended::Broken(message))) => self.end(Event::error(message)).await,
            Err(Stop::Ended(Ended::Late(message))) => match self.effects.recorder.stop(&message) {
                Err(Ended::Unrecorded(message)) => Event::error(message),
                _ => Event::error(message),
            },
            Err(Stop::Ended(Ended::Unrecorded(message))) => Event::error(message),
        };
        self.effects.events.push(last);
    }

    /// The last event, or an error if the recording continues.
    async fn end(&self, last: Event) -> Event {
        let recorder = &self.effects.recorder;
        let ended = recorder
            .next(|| ENDED.into(), |entry| (*entry == Entry::End).then_some(()))
            .await;
        let recorded = ended.and_then(|replayed| match replayed {
            Some(()) => Ok(()),
            None => recorder.record(&Entry::End),
        });
        match recorded {
            Err(Ended::Unrecorded(message)) => Event::error(message),
            _ => last,
        }
    }

    fn finished(&self, success: bool, outage: Option<String>) -> Event {
        let meter = &self.effects.meter;
        Event::Finished {
            success,
            usage: meter.usage(),
            cost: meter.cost(),
            outage,
        }
    }

    /// Run to the last event.
    async fn try_run(&mut self, start: &Start, readings: &[String]) -> Result<Event, Stop> {
        (self.asks, self.effects.files) = (start.asks, start.files);
        self.choice = start.choice.clone();
        self.code = start.code.clone();
        if start.files {
            self.effects.tools.add_files();
        }
        self.effects.tools.add_user();
        let request = engine::load(&start.code, &start.params, start.outages, start.seed, readings);
        let loaded: Loaded = self.engine.ask(request, &self.effects).await?;
        if let Some(error) = program::load_error(&start.code, &loaded.errors) {
            return Ok(error);
        }
        let arguments = match program::main_arguments(&loaded, &start.args, &start.params) {
            Ok(arguments) => arguments,
            Err(message) => return Ok(Event::error(message)),
        };
        self.loaded = loaded;
        let id = self.engine.fresh_id();
        let (gas, step_ms) = self.bounds()?;
        let request = engine::main(id, &arguments, gas, step_ms);
        let step = self.engine.ask_step(request, &self.effects).await?;
        Ok(match self.drive(id, step, Branch::new(0)).await? {
            Outcome::True(Value::String(outage)) => self.finished(false, Some(outage)),
            Outcome::True(_) => self.finished(true, None),
            Outcome::False => self.finished(false, None),
            Outcome::Error(error) => program::runtime_error(&start.code, &error),
        })
    }

    /// Serve the requests of one goal until it ends.
    pub async fn drive(&self, id: u64, mut step: Step, mut branch: Branch) -> Result<Outcome, Stop> {
        let effects = &self.effects;
        let mut inferences = 0;
        loop {
            if !step.clock.is_empty() {
                let readings = std::mem::take(&mut step.clock);
                effects.recorder.record(&Entry::Clock { readings })?;
            }
            if !step.output.is_empty() {
                let line = step.written_at.map(|offset| self.line(offset));
                effects.output(step.output, branch.under, line);
            }
            for told in step.told {
                // Nobody waits for the result.
                if let Answer::File(reply) = self.serve(told, &mut branch).await?
                    && let Err(message) = HostReply::from(reply).result()
                {
                    self.failed(message);
                }
            }
            if let Some(used) = step.used {
                effects.meter.add_inferences(used.saturating_sub(inferences))?;
                inferences = used;
            }
            let answer = match step.next {
                Next::Request(asked) => self.serve(asked, &mut branch).await?,
                Next::True { value, after } => {
                    branch.went_back(&effects.tracer, Some(after));
                    return Ok(Outcome::True(value));
                }
                Next::False => {
                    branch.went_back(&effects.tracer, Some(0));
                    return Ok(Outcome::False);
                }
                Next::Error(error) => return self.ended(error),
            };
            let request = engine::next(id, &answer, effects.meter.budgets().step_ms);
            step = self.engine.ask_step(request, effects).await?;
        }
    }

    /// A goal ended with an error. If a limit stopped it, so does the run.
    fn ended(&self, error: RunError) -> Result<Outcome, Stop> {
        let stop = match (error.stopped, self.effects.meter.budgets().inferences) {
            (None, _) => return Ok(Outcome::Error(error)),
            (Some(Stopped::Gas), Some(limit)) => Ended::Broken(gas_exhausted(limit)),
            (Some(Stopped::Time), _) => too_long(&self.effects),
            (Some(_), _) => Ended::Broken(error.message),
        };
        Err(stop.into())
    }

    /// Run one of the program's tools for a model.
    pub fn call_program_tool<'a>(
        &'a self,
        name: &'a str,
        inputs: &'a [Value],
        running: &'a [String],
        under: StepId,
    ) -> LocalBoxFuture<'a, Result<Outcome, Stop>> {
        Box::pin(async move {
            let id = self.engine.fresh_id();
            let (gas, step_ms) = self.bounds()?;
            let request = engine::tool(id, name, inputs, running, gas, step_ms);
            let step = self.engine.ask_step(request, &self.effects).await?;
            self.drive(id, step, Branch::new(under)).await
        })
    }

    /// The line of an offset in the program, from 1.
    pub fn line(&self, offset: usize) -> u32 {
        program::place(&self.code, offset).0
    }

    /// An id that no goal in the engine has.
    pub fn fresh_id(&self) -> u64 {
        self.engine.fresh_id()
    }

    /// Send a request that runs a goal.
    pub async fn ask_step(&self, request: String) -> Result<Step, Stop> {
        Ok(self.engine.ask_step(request, &self.effects).await?)
    }

    /// Send a request whose reply carries nothing.
    pub async fn tell_engine(&self, request: String) -> Result<(), Stop> {
        let _: Done = self.engine.ask(request, &self.effects).await?;
        Ok(())
    }

    /// While this is held, no request is sent to the engine.
    pub async fn quiet(&self) -> Permit {
        self.engine.quiet().await
    }

    /// The inferences left, and the time allowed between two requests.
    pub fn bounds(&self) -> Result<(Option<u64>, u64), Stop> {
        let meter = &self.effects.meter;
        Ok((meter.gas()?, meter.budgets().step_ms))
    }
}
