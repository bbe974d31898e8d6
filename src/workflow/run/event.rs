//! What a run tells.

use crate::fault::Fault;
use crate::json::{Json, Object};

#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub kind: Kind,
    /// The node it is about.
    pub node: Option<String>,
    /// The branch of a parallel part that the node runs in.
    pub branch: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// The state that the run begins with.
    Start {
        run: String,
        state: Object,
    },
    NodeStart,
    /// What the node gave; `failed` is the goal of its Prolog that failed, so that it gave nothing.
    NodeEnd {
        updates: Object,
        output: String,
        failed: Option<(u32, String)>,
        /// The number of its record, where the run is kept.
        checkpoint: Option<u64>,
    },
    /// It is tried again after so many milliseconds.
    Retry {
        attempt: u64,
        delay_ms: u64,
        fault: Fault,
    },
    /// `on_error` holds the error: the run goes on.
    Held {
        fault: Fault,
    },
    BranchesStart {
        branches: Vec<String>,
    },
    BranchesEnd,
    /// The run waits. `checkpoint` is its [`Thread`](super::Thread): all that resuming it takes.
    Interrupt {
        after: bool,
        state: Object,
        checkpoint: Json,
    },
    /// The run is over. `raises`: whether the text wants it thrown.
    Error {
        fault: Fault,
        state: Object,
        raises: bool,
    },
    Final {
        state: Object,
    },
}

impl Event {
    /// As hosts get it.
    pub fn to_json(&self) -> Json {
        let mut out = Object::new();
        let mut put = |key: &str, value: Json| {
            out.insert(key.to_owned(), value);
        };
        let word = match &self.kind {
            Kind::Start { run, state } => {
                put("run", Json::Text(run.clone()));
                put("state", Json::Object(state.clone()));
                "start"
            }
            Kind::NodeStart => "node_start",
            Kind::NodeEnd {
                updates,
                output,
                failed,
                checkpoint,
            } => {
                if let Some(number) = checkpoint {
                    put("checkpoint", Json::Int(*number as i64));
                }
                put("updates", Json::Object(updates.clone()));
                if !output.is_empty() {
                    put("output", Json::Text(output.clone()));
                }
                if let Some((line, goal)) = failed {
                    let failed = [
                        ("line".to_owned(), Json::Int((*line).into())),
                        ("goal".to_owned(), Json::Text(goal.clone())),
                    ];
                    put("failed", Json::from_iter(failed));
                }
                "node_end"
            }
            Kind::Retry {
                attempt,
                delay_ms,
                fault,
            } => {
                put("attempt", Json::Int(*attempt as i64));
                put("delay_ms", Json::Int(*delay_ms as i64));
                put_fault(&mut put, fault);
                "retry"
            }
            Kind::Held { fault } => {
                put_fault(&mut put, fault);
                "error_held"
            }
            Kind::BranchesStart { branches } => {
                put(
                    "branches",
                    Json::Array(branches.iter().cloned().map(Json::Text).collect()),
                );
                "branches_start"
            }
            Kind::BranchesEnd => "branches_end",
            Kind::Interrupt {
                after,
                state,
                checkpoint,
            } => {
                let when = if *after { "after" } else { "before" };
                put("when", Json::Text(when.into()));
                put("state", Json::Object(state.clone()));
                put("checkpoint", checkpoint.clone());
                "interrupt"
            }
            Kind::Error { fault, state, raises } => {
                put_fault(&mut put, fault);
                put("state", Json::Object(state.clone()));
                put("raises", Json::Bool(*raises));
                "error"
            }
            Kind::Final { state } => {
                put("state", Json::Object(state.clone()));
                "final"
            }
        };
        put("type", Json::Text(word.into()));
        if let Some(node) = &self.node {
            put("node", Json::Text(node.clone()));
        }
        if let Some(branch) = &self.branch {
            put("branch", Json::Text(branch.clone()));
        }
        Json::Object(out)
    }
}

fn put_fault(put: &mut impl FnMut(&str, Json), fault: &Fault) {
    put("error", Json::Text(fault.message.clone()));
    put("kind", Json::Text(fault.kind.word().into()));
    if let Some(line) = fault.line {
        put("line", Json::Int(line.into()));
    }
}
