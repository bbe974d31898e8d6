//! The memory: what clients have it remember and forget, and what must hold of it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use hornbook_base::{Control, Fault, FaultKind};
use hornbook_book::{Book, Revision};
use hornbook_memory::{CallContext, Desk, HalfLives, Memory, Object, call};
use serde_json::{Value, json};

use super::calls::{Heard, is_doubtful};
use super::random::Random;

/// How many of the records that were made last clients do something with.
const RECENT: usize = 8;
/// The room of the memory's cells.
const ROOM: &str = "memory";

/// The calls of readers, whose answers tell two memories apart.
const READS: [(&str, &str); 5] = [
    (
        "kn_graph",
        r#"{"action": "query", "limit": 50, "detail": "full", "budget": 100000}"#,
    ),
    ("kn_graph", r#"{"action": "query", "text": "alpha"}"#),
    ("kn_intel", r#"{"action": "recall", "topic": "beta gamma"}"#),
    ("kn_experience", r#"{"action": "search", "text": "alpha"}"#),
    ("kn_idea", r#"{"action": "list", "limit": 50}"#),
];

fn read(arguments: &str) -> Value {
    serde_json::from_str(arguments).expect("JSON")
}

/// The records that clients know.
#[derive(Default)]
pub struct Remembered {
    made: Rc<Cell<u64>>,
    recent: RefCell<Vec<String>>,
}

impl Remembered {
    /// A new id, which no other record has.
    pub fn ids(&self) -> impl Fn() -> String + use<> {
        let made = self.made.clone();
        move || {
            made.set(made.get() + 1);
            format!("m{}", made.get())
        }
    }

    /// A tool that a client calls next, and its arguments.
    pub fn call(&self, random: &Random) -> (&'static str, Value) {
        let word = || *random.pick(&["alpha", "beta", "gamma alpha", "alphas, beta!"]);
        let id = || self.known(random);
        let learned = |tool: &'static str, action: &str| {
            let sort = *random.pick(&["solution", "decision", "gotcha"]);
            let mut arguments = json!({ "action": action, "content": word(), "type": sort });
            if random.chance(3_000) {
                arguments["supersedes"] = json!(id());
            }
            (tool, arguments)
        };
        match random.below(100) {
            0..=19 => learned("kn_intel", "learn"),
            20..=29 => learned("kn_experience", "save"),
            30..=44 => (
                "kn_graph",
                json!({ "action": "add", "name": word(), "type": "thing" }),
            ),
            45..=56 => (
                "kn_graph",
                json!({ "action": "connect", "source_id": id(), "target_id": id(), "edge_type": "of" }),
            ),
            57..=61 => (
                "kn_graph",
                json!({ "action": "update", "node_id": id(), "description": word() }),
            ),
            62..=68 => ("kn_graph", json!({ "action": "remove", "node_id": id() })),
            69..=72 => ("kn_graph", json!({ "action": "restore", "node_id": id() })),
            73..=78 => (
                "kn_experience",
                json!({ "action": "remove", "experience_id": id() }),
            ),
            79..=81 => (
                "kn_experience",
                json!({ "action": "restore", "experience_id": id() }),
            ),
            82..=84 => ("kn_experience", json!({ "action": "prune", "threshold": 0.1 })),
            85..=87 => (
                "kn_idea",
                json!({ "action": "create", "title": word(), "link_to": id() }),
            ),
            88..=90 => ("kn_project", json!({ "action": "create", "name": word() })),
            91..=93 => (
                "kn_project",
                json!({ "action": "log", "project_id": id(), "action_text": word() }),
            ),
            _ => {
                let (tool, arguments) = *random.pick(&READS);
                (tool, read(arguments))
            }
        }
    }

    fn known(&self, random: &Random) -> String {
        let recent = self.recent.borrow();
        match recent.is_empty() {
            true => "m0".to_owned(),
            false => random.pick(&recent).clone(),
        }
    }

    /// Make a call of the memory's tools.
    pub async fn carry_out(
        &self,
        desk: &Rc<Desk>,
        (tool, arguments): (&str, &Value),
        control: &Control,
    ) -> Result<Heard, Fault> {
        let arguments = arguments.as_object().cloned().unwrap_or_default();
        match desk.call(tool, arguments, control.clone()).await {
            Ok(reply) => {
                let id = reply.get("id").and_then(Value::as_str).map(str::to_owned);
                let mut recent = self.recent.borrow_mut();
                recent.extend(id.clone());
                if recent.len() > RECENT {
                    recent.remove(0);
                }
                Ok(Heard::Remembered(id))
            }
            Err(why) if is_doubtful(&why) => Ok(Heard::Unknown),
            Err(_) => Ok(Heard::Refused(FaultKind::DomainError)),
        }
    }
}

/// Whether the revisions of a call have the record that its client was told of, which is there once.
pub fn was_remembered(id: Option<&str>, revisions: &[(u64, &Revision)]) -> Result<(), String> {
    let Some(id) = id else { return Ok(()) };
    let cells = revisions.iter().flat_map(|(_, revision)| &revision.cells);
    let own = cells.filter(|cell| cell.key.rsplit('/').next() == Some(id) && cell.after.is_some());
    match own.count() {
        0 => Err(format!("{id} is not in the log")),
        _ => Ok(()),
    }
}

/// What the memories of all processes must have, and answer.
pub struct Expected {
    built: Memory,
    records: BTreeMap<String, Value>,
    /// What they are asked.
    reads: Vec<(&'static str, Object)>,
}

impl Expected {
    /// What follows from the cells of a book. All reads take most of the time that a quiet point takes: with `whole`
    /// there are all, and otherwise one after the other.
    pub fn of(book: &Book, whole: bool) -> Expected {
        let mut built = Memory::new(HalfLives::default());
        for (key, value) in book.cells_of(ROOM) {
            // Other cells of the room are no records.
            let _ = built.load(key, value);
        }
        let turn = book.revision() as usize % READS.len();
        let chosen = READS.iter().enumerate().filter(|(at, _)| whole || *at == turn);
        let reads = chosen.map(|(_, (tool, arguments))| {
            let arguments = read(arguments).as_object().cloned();
            (*tool, arguments.unwrap_or_default())
        });
        Expected {
            records: built.records().collect(),
            reads: reads.collect(),
            built,
        }
    }

    /// Whether a memory is what the cells say, and answers as one that is made from them does.
    pub fn agrees(&self, desk: &Desk) -> Result<(), String> {
        let (memory, says) = (desk.memory(), &self.records);
        let has: BTreeMap<String, Value> = memory.records().collect();
        if has != *says {
            return Err(format!("it has {has:?}, and the book says {says:?}"));
        }
        for (tool, arguments) in &self.reads {
            let [own, anew] = [&*memory, &self.built].map(|memory| {
                let given = CallContext {
                    now_ms: desk.now_ms(),
                    only_reading: true,
                    new_id: &mut String::new,
                    near: None,
                };
                call(memory, tool, arguments.clone(), given).map(|outcome| Value::Object(outcome.reply))
            });
            // Mostly they are the same as they are.
            if own == anew {
                continue;
            }
            let [own, anew] = [own, anew].map(|told| sorted(json!(told.unwrap_or_else(Value::String))));
            if own != anew {
                return Err(format!("{tool} {arguments:?} answers {own}, and anew {anew}"));
            }
        }
        Ok(())
    }
}

/// Lists in an order that does not depend on that of equal ranks.
fn sorted(value: Value) -> Value {
    match value {
        Value::Array(items) => {
            let mut items: Vec<Value> = items.into_iter().map(sorted).collect();
            items.sort_by_key(Value::to_string);
            Value::Array(items)
        }
        Value::Object(members) => members
            .into_iter()
            .map(|(key, value)| (key, sorted(value)))
            .collect(),
        other => other,
    }
}
