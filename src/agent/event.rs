//! The events of a run, in order.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::task::Waker;

use serde::Serialize;
use serde_json::Value;

use super::model::Usage;
use super::trace::Traced;

/// An event of a run. Nothing follows `finished` or `error`. `output` is for the user, `log` for those who
/// watch the run; `answer` is the result; `stream` is a piece of a model's text, the last one empty and
/// `done`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "DMLEvent"))]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Event {
    /// Text for the user: from `yield/1` and `output/1`, what the program wrote, and what a model said.
    Output { content: String },
    /// A piece of a model's text as it arrives; the last is empty and `done`.
    Stream {
        content: String,
        done: bool,
        /// The turn failed and is tried again: forget its pieces so far.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
        void: bool,
    },
    /// For those who watch the run: from `log/1`, and why a tool or a model failed.
    Log { content: String },
    /// The answer; the program has ended.
    Answer {
        content: String,
        /// The answer itself, if it is a list or a dict.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(type = "unknown", optional))]
        value: Option<Value>,
    },
    /// The user is being asked.
    InputRequired { prompt: String },
    /// A tool of the host is about to be called.
    ToolCall {
        tool: String,
        #[cfg_attr(feature = "typescript", ts(type = "Record<string, unknown>"))]
        args: Value,
    },
    /// The usage of one model call.
    Usage {
        #[serde(flatten)]
        usage: Usage,
        /// In dollars, if the model has a price.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        cost: Option<f64>,
    },
    /// A step of the run's tree; only if tracing is on.
    Trace(Traced),
    /// The run was ended early; a plain sentence.
    Error {
        content: String,
        /// Line from 1 and column from 0, for errors in the program's text.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        line: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        column: Option<u32>,
    },
    /// The program has ended. `success`: it answered, or `agent_main` was true.
    Finished {
        success: bool,
        usage: Usage,
        /// In dollars, if models have prices.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        cost: Option<f64>,
        /// Without success: `agent_main` may have failed because of this outage, a plain sentence.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        outage: Option<String>,
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

    /// A piece of a model's text.
    pub fn stream(content: String) -> Event {
        Event::Stream {
            content,
            done: false,
            void: false,
        }
    }

    /// The pieces of a turn end, and do not count.
    pub fn void_stream() -> Event {
        Event::Stream {
            content: String::new(),
            done: true,
            void: true,
        }
    }

    /// One line of progress; empty if there is nothing to say.
    pub fn progress(&self) -> String {
        match self {
            Event::Output { content } | Event::Log { content } | Event::Answer { content, .. } => {
                content.clone()
            }
            Event::InputRequired { prompt } => format!("asks the user: {prompt}"),
            Event::ToolCall { tool, .. } => format!("calls the tool {tool}"),
            Event::Error { content, .. } => content.clone(),
            Event::Stream { .. } | Event::Trace(_) | Event::Usage { .. } | Event::Finished { .. } => {
                String::new()
            }
        }
    }
}

/// A queue of events not taken yet.
#[derive(Default)]
pub struct Events {
    queue: RefCell<VecDeque<Event>>,
    /// The waiter for the next event: a model's text arrives from outside the run's own code.
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
