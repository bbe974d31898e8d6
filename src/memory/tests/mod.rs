//! The tools on a memory of their own.

mod exchange;
mod hostile;
mod random;
mod reading;
mod removing;
mod similar;
mod time;
mod writing;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::draft::CallContext;
use crate::time::DAY_MS;
use crate::{Change, Memory, Object, call, error};

/// A memory with a settable clock and consecutive ids.
struct Bench {
    memory: Memory,
    now_ms: u64,
    ids: u64,
    /// The changes of the last call.
    changes: Vec<Change>,
}

impl Bench {
    fn new() -> Bench {
        Bench {
            memory: Memory::default(),
            now_ms: 1_700_000_000_000,
            ids: 0,
            changes: Vec::new(),
        }
    }

    fn advance_days(&mut self, days: u64) {
        self.now_ms += days * DAY_MS;
    }

    /// Call a tool, apply its changes, and return its answer.
    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let ids = &mut self.ids;
        let given = CallContext {
            now_ms: self.now_ms,
            only_reading: false,
            new_id: &mut || {
                *ids += 1;
                format!("id{ids:06}")
            },
            near: None,
        };
        let outcome = call(&self.memory, tool, object(arguments), given);
        self.now_ms += 1;
        match outcome {
            Ok(outcome) => {
                for change in &outcome.changes {
                    self.memory
                        .apply(change)
                        .expect("a change that was made can be applied");
                }
                self.changes = outcome.changes;
                Value::Object(outcome.reply)
            }
            Err(message) => {
                self.changes.clear();
                Value::Object(error(&message))
            }
        }
    }

    /// The same, for an answer that must not be an error.
    fn ok(&mut self, tool: &str, arguments: Value) -> Value {
        let reply = self.call(tool, arguments);
        assert_eq!(reply.get("error"), None, "{reply}");
        reply
    }

    fn error(&mut self, tool: &str, arguments: Value) -> String {
        let reply = self.call(tool, arguments);
        reply["error"]
            .as_str()
            .unwrap_or_else(|| panic!("no error: {reply}"))
            .to_string()
    }

    fn graph(&mut self, arguments: Value) -> Value {
        self.ok("kn_graph", arguments)
    }

    fn intel(&mut self, arguments: Value) -> Value {
        self.ok("kn_intel", arguments)
    }

    fn experience(&mut self, arguments: Value) -> Value {
        self.ok("kn_experience", arguments)
    }

    /// Add a node and return its id.
    fn node(&mut self, name: &str) -> String {
        id(&self.graph(json!({ "action": "add", "name": name, "type": "thing" })))
    }

    fn connect(&mut self, source: &str, target: &str, kind: &str) {
        self.graph(
            json!({ "action": "connect", "source_id": source, "target_id": target, "edge_type": kind }),
        );
    }

    /// The names of the nodes that a query finds.
    fn names(&mut self, query: Value) -> Vec<String> {
        let mut query = query;
        query["action"] = json!("query");
        texts(&self.graph(query)["nodes"], "name")
    }

    /// All records, in order.
    fn state(&self) -> BTreeMap<String, Value> {
        self.memory.records().collect()
    }

    /// The answers of many read calls; equal answers mean that two memories show the same.
    fn answers(&mut self) -> Vec<Value> {
        let now = self.now_ms;
        let mut nodes: Vec<String> = self.memory.nodes.by_id.keys().cloned().collect();
        nodes.sort();
        let mut answers = vec![
            self.call("kn_graph", json!({ "action": "status" })),
            self.call(
                "kn_graph",
                json!({ "action": "query", "limit": 50, "detail": "full", "budget": 100_000 }),
            ),
            self.call("kn_project", json!({ "action": "list" })),
            self.call("kn_idea", json!({ "action": "list", "limit": 50 })),
            self.call(
                "kn_idea",
                json!({ "action": "list", "status": "draft", "category": "a" }),
            ),
        ];
        for text in ["alpha", "beta gamma", "al*"] {
            let detail = "full";
            answers.push(self.call(
                "kn_graph",
                json!({ "action": "query", "text": text, "detail": detail }),
            ));
            answers.push(self.call(
                "kn_intel",
                json!({ "action": "context", "keywords": text, "detail": detail }),
            ));
            self.now_ms = now;
            answers.push(self.call("kn_experience", json!({ "action": "search", "text": text })));
            self.now_ms = now;
            answers.push(self.call("kn_intel", json!({ "action": "recall", "topic": text })));
        }
        for node in nodes {
            answers.push(self.call(
                "kn_intel",
                json!({ "action": "related", "node_id": node, "depth": 3 }),
            ));
        }
        self.now_ms = now;
        answers
    }
}

fn object(value: Value) -> Object {
    match value {
        Value::Object(object) => object,
        other => panic!("no object: {other}"),
    }
}

fn id(reply: &Value) -> String {
    reply["id"]
        .as_str()
        .unwrap_or_else(|| panic!("no id: {reply}"))
        .to_string()
}

/// A field of each item.
fn texts(items: &Value, field: &str) -> Vec<String> {
    let items = items.as_array().unwrap_or_else(|| panic!("no list: {items}"));
    items
        .iter()
        .map(|item| item[field].as_str().unwrap_or_default().to_string())
        .collect()
}
