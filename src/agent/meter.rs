//! What a run has used, and how long it may still last.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::rc::Rc;

use futures::future::{Either, select};

use super::budget::{Budgets, TooDear, Used, gas_exhausted};
use super::model::{ModelRequest, Turn, Usage};
use super::stop::Stop;
use hornbook_base::Clock;

/// The budgets of one run, what it has used of them, and its deadline.
pub struct Meter {
    budgets: Budgets,
    used: RefCell<Used>,
    clock: Rc<dyn Clock>,
    /// Milliseconds since 1970.
    deadline: Cell<u64>,
}

impl Meter {
    /// The run's time starts now.
    pub fn new(budgets: Budgets, clock: Rc<dyn Clock>) -> Meter {
        let deadline = clock.now_ms() + budgets.time_ms;
        Meter {
            budgets,
            used: RefCell::default(),
            clock,
            deadline: Cell::new(deadline),
        }
    }

    pub fn budgets(&self) -> &Budgets {
        &self.budgets
    }

    pub fn clock(&self) -> &dyn Clock {
        &*self.clock
    }

    /// The tokens that the models used.
    pub fn usage(&self) -> Usage {
        self.used.borrow().usage
    }

    /// The models' cost in dollars, if they have prices.
    pub fn cost(&self) -> Option<f64> {
        (!self.budgets.prices.is_empty()).then(|| self.used.borrow().cost)
    }

    /// Whether the cost budget allows the request.
    pub fn affords(&self, request: &ModelRequest) -> Result<(), TooDear> {
        self.budgets.affords(request, &mut self.used.borrow_mut())
    }

    /// In the recording, a call was refused for its cost.
    pub fn was_too_dear(&self) {
        self.used.borrow_mut().too_dear = true;
    }

    /// Add a turn's usage. Returns its cost in dollars, if usage and price are known.
    pub fn spend(&self, request: &ModelRequest, turn: &Turn) -> Option<f64> {
        let mut used = self.used.borrow_mut();
        if turn.cached {
            return None;
        }
        match turn.usage {
            Some(usage) => self.budgets.add_usage(request.model.as_deref(), usage, &mut used),
            None => {
                let calls = turn.calls.iter().map(|call| call.args.to_string().len());
                let length = turn.text.len() + calls.sum::<usize>();
                self.budgets.add_unsaid(request, length, &mut used);
                None
            }
        }
    }

    /// The inferences left, all of which an engine may use; `None` if unbounded.
    pub fn gas(&self) -> Result<Option<u64>, Stop> {
        self.budgets.gas(&self.used.borrow()).map_err(Stop::Broken)
    }

    /// Count inferences.
    pub fn add_inferences(&self, inferences: u64) -> Result<(), Stop> {
        let mut used = self.used.borrow_mut();
        used.inferences += inferences;
        match self.budgets.inferences {
            Some(limit) if used.inferences >= limit => Err(Stop::Broken(gas_exhausted(limit))),
            _ => Ok(()),
        }
    }

    /// Count a model call.
    pub fn model_call(&self) -> Result<(), Stop> {
        let called = self.budgets.model_call(&mut self.used.borrow_mut());
        called.map_err(Stop::Broken)
    }

    /// Count a tool call.
    pub fn tool_call(&self) -> Result<(), Stop> {
        let called = self.budgets.tool_call(&mut self.used.borrow_mut());
        called.map_err(Stop::Broken)
    }

    /// Await something whose time does not count as the run's.
    pub async fn uncounted<T>(&self, future: impl Future<Output = T>) -> T {
        let started = self.clock.now_ms();
        let value = future.await;
        let waited = self.clock.now_ms().saturating_sub(started);
        self.deadline.set(self.deadline.get() + waited);
        value
    }

    /// Await something for as long as the run may last.
    pub async fn within_time<T>(&self, future: impl Future<Output = T>) -> Result<T, Stop> {
        match select(Box::pin(future), self.clock.sleep(self.left_ms())).await {
            Either::Left((value, _)) => Ok(value),
            Either::Right(_) => {
                let seconds = self.budgets.time_ms.div_ceil(1000);
                Err(Stop::Late(format!(
                    "The run took longer than its {seconds} seconds."
                )))
            }
        }
    }

    /// Await a call of a model or a tool; `None` if it takes longer than `call_ms`.
    pub async fn within_call<T>(
        &self,
        call_ms: Option<u64>,
        future: impl Future<Output = T>,
    ) -> Result<Option<T>, Stop> {
        let Some(ms) = call_ms else {
            return self.within_time(future).await.map(Some);
        };
        let call = select(Box::pin(future), self.clock.sleep(ms));
        Ok(match self.within_time(call).await? {
            Either::Left((value, _)) => Some(value),
            Either::Right(_) => None,
        })
    }

    /// Milliseconds that the run may still last.
    pub fn left_ms(&self) -> u64 {
        self.deadline.get().saturating_sub(self.clock.now_ms())
    }

    /// Wait, so that a model that failed may recover.
    pub async fn pause(&self, ms: u64) -> Result<(), Stop> {
        self.within_time(self.clock.sleep(ms)).await
    }
}
