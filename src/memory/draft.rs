//! What a call has to work with, and what it changes.

use std::rc::Rc;

use serde_json::{Map, Value, json};

use crate::arguments::Arguments;
use crate::meaning::Near;
use crate::memory::Memory;
use crate::record::{Change, Life, Record};
use crate::results::Envelope;
use crate::tools::Object;

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

/// An answer, or why there is none: a sentence without a period.
pub(crate) type Answer = Result<Value, String>;

pub(crate) fn envelope(reply: Value) -> Object {
    match json!(Envelope { _v: VERSION, reply }) {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// Add warnings to a reply.
pub(crate) fn warn(reply: &mut Object, more: Vec<String>) {
    if more.is_empty() {
        return;
    }
    let warnings = reply
        .entry("warnings")
        .or_insert_with(|| Value::Array(Vec::new()));
    if let Value::Array(warnings) = warnings {
        warnings.extend(more.into_iter().map(Value::from));
    }
}

/// The changes of a call in progress.
pub(crate) struct Draft<'a, 'g> {
    pub memory: &'a Memory,
    /// The time of the call, later than everything in the memory, so that `as_of` can tell before from after.
    pub now: u64,
    pub changes: Vec<Change>,
    /// What the caller should know besides the answer.
    pub warnings: Vec<String>,
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
            warnings: Vec::new(),
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
