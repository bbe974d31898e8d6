//! A run as a tree, for whoever watches it: what happened within what, and what the program has undone.

use std::cell::Cell;
use std::rc::Rc;

use serde::Serialize;
use serde_json::Value;

use super::event::Event;
use super::model::{Call, Message, Usage};
use super::replies::WantedOutput;
use super::session::Events;

/// The number of a step, from 1. 0 is the program itself.
pub type StepId = u64;

/// One thing that happened. `under` is the step within which it happened: a task, a call of a tool of the program's, or 0,
/// the program itself. A step with an `id` has `ended` later, with a result or with a failure. `undone`: the program went
/// back to before these steps; what they bound and what is remembered of them is gone, what they did outside stays done.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "step", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Trace {
    /// A model is given a task.
    Task {
        id: StepId,
        under: StepId,
        text: String,
        outputs: Vec<WantedOutput>,
        /// The conversation that the model gets first: what the program remembers, and the task.
        messages: Vec<Message>,
    },
    /// What the model said.
    Turn {
        under: StepId,
        text: String,
        #[cfg_attr(feature = "typescript", ts(type = "Required<ToolCall>[]"))]
        calls: Vec<Call>,
        usage: Option<Usage>,
    },
    /// A tool is called, by the program or by a model.
    Call {
        id: StepId,
        under: StepId,
        tool: String,
        args: Value,
    },
    /// The program asks the user.
    Input {
        id: StepId,
        under: StepId,
        prompt: String,
    },
    /// The program tells something.
    Output {
        under: StepId,
        content: String,
    },
    Log {
        under: StepId,
        content: String,
    },
    Answer {
        under: StepId,
        content: String,
    },
    /// A step has ended.
    Ended {
        id: StepId,
        #[serde(flatten)]
        end: StepEnd,
    },
    /// The program went back to before these steps, to try something else or since it no longer needs them: what they
    /// bound and what is remembered of them is gone. What they did outside stays done.
    Undone {
        ids: Vec<StepId>,
    },
}

/// How a step has ended: with a result, or with why there is none.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum StepEnd {
    Result(Value),
    Failure(String),
}

/// Numbers the steps, and tells them where somebody watches.
pub struct Tracer {
    events: Option<Rc<Events>>,
    last: Cell<StepId>,
}

impl Tracer {
    /// `events`: where it is told, if it is.
    pub fn new(events: Option<Rc<Events>>) -> Tracer {
        Tracer {
            events,
            last: Cell::new(0),
        }
    }

    /// A step begins; `trace` makes it of its number.
    pub fn begin(&self, trace: impl FnOnce(StepId) -> Trace) -> StepId {
        self.last.set(self.last.get() + 1);
        let id = self.last.get();
        self.tell(|| trace(id));
        id
    }

    pub fn end(&self, id: StepId, outcome: Result<&Value, &str>) {
        self.tell(|| Trace::Ended {
            id,
            end: match outcome {
                Ok(value) => StepEnd::Result(value.clone()),
                Err(why) => StepEnd::Failure(why.to_owned()),
            },
        });
    }

    pub fn tell(&self, trace: impl FnOnce() -> Trace) {
        if let Some(events) = &self.events {
            events.push(Event::Trace(trace()));
        }
    }

    /// The goal is where it was after its request `after`, if the engine says so.
    pub fn went_back(&self, branch: &mut Branch, after: Option<u64>) {
        let Some(after) = after else { return };
        let kept = branch.steps.partition_point(|(request, _)| *request <= after);
        let ids: Vec<StepId> = branch.steps.drain(kept..).map(|(_, id)| id).collect();
        if !ids.is_empty() {
            self.tell(|| Trace::Undone { ids });
        }
    }
}

/// The requests, by the engine's numbers, that have brought a goal to where it is, and their steps.
pub struct Branch {
    pub under: StepId,
    steps: Vec<(u64, StepId)>,
}

impl Branch {
    /// Of a goal that begins within the step `under`.
    pub fn new(under: StepId) -> Branch {
        Branch {
            under,
            steps: Vec::new(),
        }
    }

    /// A request was answered, so that the goal goes on after it.
    pub fn passed(&mut self, request: Option<u64>, step: StepId) {
        self.steps.extend(request.map(|request| (request, step)));
    }
}
