//! What a run tells, in order.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::task::Waker;

use serde::Serialize;
use serde_json::Value;

use super::model::Usage;
use super::trace::Traced;

/// One event of a run. Nothing follows `finished` or `error`. `output` is for the user, `log` for whoever watches;
/// `answer` is the result; `stream` has the text of a model in pieces, the last one empty and `done`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "DMLEvent"))]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Event {
    /// Text for the user: `yield/1`, `output/1`, what the program wrote, and what a model said.
    Output { content: String },
    /// A piece of what a model says, while it says it; the last is empty and `done`.
    Stream { content: String, done: bool },
    /// For whoever watches the run: `log/1`, and why a tool or a model failed.
    Log { content: String },
    /// The answer; the program has ended.
    Answer { content: String },
    /// The user is asked.
    InputRequired { prompt: String },
    /// A tool of the host is about to be called.
    ToolCall {
        tool: String,
        #[cfg_attr(feature = "typescript", ts(type = "Record<string, unknown>"))]
        args: Value,
    },
    /// What one call of the model took.
    Usage {
        #[serde(flatten)]
        usage: Usage,
        /// In dollars, where the model has a price.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        cost: Option<f64>,
    },
    /// What happened, as a tree; only where the run is to be watched.
    Trace(Traced),
    /// The run ended before its end; a plain sentence.
    Error {
        content: String,
        /// Line from 1 and column from 0, for what is wrong with the program's text.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        line: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        column: Option<u32>,
    },
    /// The program has come to its end. `success`: it answered, or `agent_main` was true.
    Finished {
        success: bool,
        usage: Usage,
        /// In dollars, where models have prices.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        cost: Option<f64>,
    },
}

impl Event {
    pub fn error(content: impl Into<String>) -> Event {
        Event::Error {
            content: content.into(),
            line: None,
            column: None,
        }
    }

    /// One line for whoever waits for the run; empty where there is nothing to say.
    pub fn progress(&self) -> String {
        match self {
            Event::Output { content } | Event::Log { content } | Event::Answer { content } => content.clone(),
            Event::InputRequired { prompt } => format!("asks the user: {prompt}"),
            Event::ToolCall { tool, .. } => format!("calls the tool {tool}"),
            Event::Error { content, .. } => content.clone(),
            Event::Stream { .. } | Event::Trace(_) | Event::Usage { .. } | Event::Finished { .. } => {
                String::new()
            }
        }
    }
}

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
