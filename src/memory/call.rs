//! A call of a tool: its answer and its changes.

use std::rc::Rc;

use serde_json::{Map, Value, json};

use crate::arguments::{self, Arguments, Object};
use crate::crossref::crossref;
use crate::meaning::Near;
use crate::memory::Memory;
use crate::record::{Change, Life, Record};
use crate::results::{Envelope, Failed};
use crate::{context, correct, experience, graph, idea, intel, project};

/// The version of the reply format.
pub const VERSION: &str = "1.0";

/// What a call gets besides its arguments.
pub struct CallContext<'a> {
    /// Milliseconds since 1970.
    pub now_ms: u64,
    /// Whether actions that change anything are refused.
    pub only_reading: bool,
    /// Makes a unique id of letters and digits.
    pub new_id: &'a mut (dyn FnMut() -> String + 'a),
    /// Entries near in meaning to the search text, if known.
    pub near: Option<Rc<Near>>,
}

/// The result of a call. The answer is valid once the changes are kept.
#[derive(Debug, Default, PartialEq)]
pub struct Outcome {
    pub reply: Object,
    /// In order; applying them one after the other leads to the state that the answer describes.
    pub changes: Vec<Change>,
}

/// An answer, or why there is none: a sentence without a period.
pub(crate) type Answer = Result<Value, String>;

/// Call a tool. An error is the message for [`error`].
pub fn call(memory: &Memory, tool: &str, arguments: Object, given: CallContext) -> Result<Outcome, String> {
    let (tool, action, arguments) = arguments::read(tool, arguments, given.only_reading)?;
    let mut draft = Draft::new(memory, given);
    let budget = arguments.budget();
    let reply = match (tool.name, action.name) {
        ("kn_graph", "add") => graph::add(&mut draft, &arguments),
        ("kn_graph", "connect") => graph::connect(&mut draft, &arguments),
        ("kn_graph", "query") => graph::query(&draft, &arguments),
        ("kn_graph", "remove") => correct::remove(&mut draft, &arguments),
        ("kn_graph", "restore") => correct::restore(&mut draft, &arguments),
        ("kn_graph", "status") => Ok(json!(graph::status(memory))),
        ("kn_project", "create") => project::create(&mut draft, &arguments),
        ("kn_project", "update") => project::update(&mut draft, &arguments),
        ("kn_project", "list") => project::list(&mut draft, &arguments),
        ("kn_project", "log") => project::log(&mut draft, &arguments),
        ("kn_experience", "save") => experience::save(&mut draft, &arguments),
        ("kn_experience", "search") => experience::search(&draft, &arguments),
        ("kn_experience", "prune") => experience::prune(&mut draft, &arguments),
        ("kn_experience", "remove") => experience::remove(&mut draft, &arguments),
        ("kn_experience", "restore") => experience::restore(&mut draft, &arguments),
        ("kn_idea", "create") => idea::create(&mut draft, &arguments),
        ("kn_idea", "update") => idea::update(&mut draft, &arguments),
        ("kn_idea", "list") => Ok(json!(idea::list(memory, &arguments))),
        ("kn_intel", "learn") => intel::learn(&mut draft, &arguments),
        ("kn_intel", "recall") => intel::recall(&draft, &arguments),
        ("kn_intel", "context") => context::context(&draft, &arguments),
        // The desk handles these, with an engine and with other books.
        ("kn_intel", "infer") => Err("infer needs a book with an engine".into()),
        ("kn_intel", "crossref") => Ok(json!(crossref(memory, &[], &arguments, draft.now))),
        ("kn_intel", "related") => intel::related(&draft, &arguments),
        (tool, action) => Err(format!("{tool} has no action {action}")),
    }?;
    Ok(Outcome {
        reply: envelope(crate::budget::fitted(reply, budget)),
        changes: draft.changes,
    })
}

/// The reply to a call that failed.
pub fn error(message: &str) -> Object {
    envelope(json!(Failed {
        error: message.to_owned()
    }))
}

pub(crate) fn envelope(reply: Value) -> Object {
    match json!(Envelope { _v: VERSION, reply }) {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// The changes of a call in progress.
pub(crate) struct Draft<'a, 'g> {
    pub memory: &'a Memory,
    /// The time of the call, later than everything in the memory, so that `as_of` can tell before from after.
    pub now: u64,
    pub changes: Vec<Change>,
    pub near: Option<Rc<Near>>,
    new_id: &'g mut (dyn FnMut() -> String + 'g),
    next_number: u64,
}

impl<'a, 'g> Draft<'a, 'g> {
    pub fn new(memory: &'a Memory, given: CallContext<'g>) -> Draft<'a, 'g> {
        Draft {
            memory,
            now: given.now_ms.max(memory.latest() + 1),
            changes: Vec::new(),
            near: given.near,
            new_id: given.new_id,
            next_number: memory.next_number(),
        }
    }

    pub fn new_id(&mut self) -> String {
        (self.new_id)()
    }

    pub fn number(&mut self) -> u64 {
        self.next_number += 1;
        self.next_number - 1
    }

    /// Add a new record.
    pub fn insert(&mut self, record: Record) {
        self.changes.push(Change {
            key: record.key(),
            before: None,
            after: Some(record.value()),
        });
    }

    /// Change a record. If this call has already changed it, the two changes become one.
    pub fn replace(&mut self, before: Record, after: Record) {
        let key = after.key();
        match self.changes.iter_mut().find(|change| change.key == key) {
            Some(change) => change.after = Some(after.value()),
            None => self.changes.push(Change {
                key,
                before: Some(before.value()),
                after: Some(after.value()),
            }),
        }
    }

    /// The life of a record that begins now.
    pub fn life(&self, arguments: &Arguments) -> Result<Life, String> {
        let (valid_from, valid_to) = (arguments.time("valid_from"), arguments.time("valid_to"));
        if let (Some(from), Some(to)) = (valid_from.or(Some(self.now)), valid_to)
            && valid_from.is_some()
            && to <= from
        {
            return Err("valid_to must be later than valid_from".into());
        }
        Ok(Life {
            created_at: self.now,
            valid_from,
            valid_to,
            ..Life::default()
        })
    }
}
