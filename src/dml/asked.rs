//! Requests to the engine of one run, within the run's time.

use std::cell::Cell;

use futures::future::{Either, select};

use super::engine::why_no_reply;
use super::replies::Step;
use hornbook_agent::{Effects, Stop};
use hornbook_base::Priority;
use hornbook_engine::reply::Reply;
use hornbook_engine::{Engine, Failed, Permit, Queue};

/// Sends one request at a time, first come, first served.
pub struct ProgramEngine {
    engine: Engine,
    turns: Queue,
    next_id: Cell<u64>,
    /// The number of the program's last request.
    last_asked: Cell<u64>,
}

impl ProgramEngine {
    pub fn new(engine: Engine) -> ProgramEngine {
        ProgramEngine {
            engine,
            turns: Queue::default(),
            next_id: Cell::new(1),
            last_asked: Cell::new(0),
        }
    }

    /// An id that no goal in the engine has.
    pub fn fresh_id(&self) -> u64 {
        self.next_id.replace(self.next_id.get() + 1)
    }

    /// While this is held, no request is sent to the engine.
    pub async fn quiet(&self) -> Permit {
        self.turns.acquire(Priority::Normal).await
    }

    /// Send a request. The engine stops by itself if it computes for too long; if it fails to, this ends it.
    pub async fn ask<T: Reply>(&self, request: String, effects: &Effects) -> Result<T, Stop> {
        let _turn = self.turns.acquire(Priority::Normal).await;
        self.ask_now(request, effects).await
    }

    async fn ask_now<T: Reply>(&self, request: String, effects: &Effects) -> Result<T, Stop> {
        effects.recorder.begin_request()?;
        let meter = &effects.meter;
        let late_ms = meter.budgets().step_ms + effects.limits.run_grace_ms;
        let late = meter.clock().sleep(late_ms);
        let reply = meter
            .within_time(select(Box::pin(self.engine.ask(request)), late))
            .await?;
        match reply {
            Either::Left((Ok(reply), _)) => Ok(reply),
            Either::Left((Err(failed), _)) => Err(Stop::Late(why_no_reply(failed))),
            Either::Right(_) => Err(too_long(effects)),
        }
    }

    /// Send a request that runs a goal.
    pub async fn ask_step(&self, request: String, effects: &Effects) -> Result<Step, Stop> {
        let _turn = self.turns.acquire(Priority::Normal).await;
        let step: Step = self.ask_now(request, effects).await?;
        let step = step
            .believed(self.last_asked.get())
            .map_err(|bad| Stop::Late(why_no_reply(Failed::BadReply(bad))))?;
        self.last_asked.set(step.asked().unwrap_or(self.last_asked.get()));
        Ok(step)
    }
}

/// The program computed for too long.
pub fn too_long(effects: &Effects) -> Stop {
    let seconds = effects.meter.budgets().step_ms.div_ceil(1000);
    Stop::Late(format!(
        "The program computed longer than {seconds} seconds without a request to its host."
    ))
}
