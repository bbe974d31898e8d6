//! What a run has used, and how long it may still last.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::rc::Rc;

use futures::future::{Either, select};

use super::budget::{Budgets, TooDear, Used, gas_exhausted};
use super::model::{ModelRequest, Turn, Usage};
use super::stop::Stop;
use hornbook_base::Clock;

/// The budgets of one run, what was used of them, and its deadline.
pub struct Meter {
    budgets: Budgets,
    used: RefCell<Used>,
    clock: Rc<dyn Clock>,
    /// Milliseconds since 1970.
    deadline: Cell<u64>,
}

impl Meter {
    /// Its time begins now.
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

    /// The tokens that the models took.
    pub fn usage(&self) -> Usage {
        self.used.borrow().usage
    }

    /// What the models took in dollars, where they have prices.
    pub fn cost(&self) -> Option<f64> {
        (!self.budgets.prices.is_empty()).then(|| self.used.borrow().cost)
    }

    /// Whether the model may be asked, for what it costs.
    pub fn affords(&self, request: &ModelRequest) -> Result<(), TooDear> {
        self.budgets.affords(request, &mut self.used.borrow_mut())
    }

    /// A call was refused for its cost, in the recording.
    pub fn was_too_dear(&self) {
        self.used.borrow_mut().too_dear = true;
    }

    /// What a turn took: its cost in dollars, where both are known.
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

    /// The inferences that are left, of which an engine may take all; none where they are not bounded.
    pub fn gas(&self) -> Result<Option<u64>, Stop> {
        self.budgets.gas(&self.used.borrow()).map_err(Stop::Broken)
    }

    /// So many more inferences were made.
    pub fn add_inferences(&self, inferences: u64) -> Result<(), Stop> {
        let mut used = self.used.borrow_mut();
        used.inferences += inferences;
        match self.budgets.inferences {
            Some(limit) if used.inferences >= limit => Err(Stop::Broken(gas_exhausted(limit))),
            _ => Ok(()),
        }
    }

    /// One more call of the model.
    pub fn model_call(&self) -> Result<(), Stop> {
        let called = self.budgets.model_call(&mut self.used.borrow_mut());
        called.map_err(Stop::Broken)
    }

    /// One more call of a tool.
    pub fn tool_call(&self) -> Result<(), Stop> {
        let called = self.budgets.tool_call(&mut self.used.borrow_mut());
        called.map_err(Stop::Broken)
    }

    /// Wait for something that takes none of the run's time.
    pub async fn beside<T>(&self, future: impl Future<Output = T>) -> T {
        let started = self.clock.now_ms();
        let value = future.await;
        let waited = self.clock.now_ms().saturating_sub(started);
        self.deadline.set(self.deadline.get() + waited);
        value
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

    /// Wait, so that a model that failed may recover.
    pub async fn pause(&self, ms: u64) -> Result<(), Stop> {
        self.within_time(self.clock.sleep(ms)).await
    }
}
