//! The records of a run: every effect, as a difference, and what each does to a thread.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::thread::{At, Awaits, Part, Thread, Within};
use super::{Added, key};
use crate::difference::{Difference, Gave};
use crate::json::{Json, Object};

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// The path of its thread; empty for the run itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub branch: Vec<Part>,
    pub did: Did,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Did {
    /// The starting point: the run or a workflow within it begins, it is a fork, or earlier records were pruned.
    Base(Box<Thread>),
    /// A step of the current node returned this.
    Step {
        path: String,
        gave: Gave,
        /// What it returned for keys with reducers.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        added: Added,
    },
    /// An attempt of the node or one of its steps failed; `left` is the state for the next attempt.
    Tried {
        path: String,
        error: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left: Option<Difference>,
        /// Another attempt follows, which begins workflows within it anew.
        #[serde(default, skip_serializing_if = "is_false")]
        again: bool,
    },
    /// A node is done.
    Node {
        node: String,
        #[serde(default)]
        gave: Gave,
        #[serde(default, skip_serializing_if = "is_false")]
        waits: bool,
        #[serde(default, skip_serializing_if = "is_false")]
        fallback: bool,
        /// From the same steps for every item.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        results: Option<Vec<Ended>>,
        /// In a branch, or a workflow within a node: what it returned for keys with reducers there and around it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        added: Added,
    },
    /// Branches begin at these nodes.
    Forked {
        fan_in: String,
        starts: Vec<String>,
    },
    Joined {
        results: Vec<Ended>,
        /// What their values of keys with reducers come to.
        #[serde(default, skip_serializing_if = "Gave::is_empty")]
        gave: Gave,
        /// Within another branch: these values, in the order of the branches.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        added: Added,
    },
    /// The run waits before its node: for someone, or for what comes by itself.
    Waits {
        node: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        awaits: Option<Awaits>,
    },
    /// The Prolog of the node or of one of its steps asks somebody.
    Asks {
        node: String,
        path: String,
        question: Json,
    },
    /// Everything that can go on has done so: the run waits.
    Paused {
        /// Where, or one of the places.
        node: String,
        /// When the first time comes that it waits for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until_ms: Option<u64>,
        /// The signals that it waits for.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        signals: Vec<String>,
    },
    /// It continues, with this added to its state.
    Resumed {
        updates: Gave,
    },
    /// Somebody answers what its Prolog has asked.
    Answered {
        path: String,
        answer: Json,
    },
    /// The time or the signal that it waits for has come, with this for its state.
    Arrived {
        updates: Gave,
    },
    Failed {
        node: String,
        error: String,
    },
    Ended,
    Cancelled,
}

/// A finished branch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ended {
    pub branch: String,
    /// Relative to the state that all branches began with; `None` if it was cut off.
    pub gave: Option<Gave>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    pub timing_ms: u64,
}

impl Record {
    /// The name of a node, with those of the nodes whose workflows it is within.
    pub fn named(&self, node: &str) -> String {
        let outer = self.branch.iter().filter_map(|part| match part {
            Part::Graph(path) => Some(key::shown(path)),
            Part::Branch(_) => None,
        });
        let names: Vec<String> = outer.chain([node.to_owned()]).collect();
        names.join("/")
    }

    /// Whether it belongs to a parallel branch.
    pub fn in_branch(&self) -> bool {
        self.branch.iter().any(|part| matches!(part, Part::Branch(_)))
    }

    /// Whether nothing else of the run goes on beside it.
    pub fn alone(&self) -> bool {
        let beside = |part: &Part| match part {
            Part::Branch(_) => true,
            Part::Graph(path) => key::of_item(path),
        };
        let own = match &self.did {
            Did::Asks { path, .. } => key::of_item(path),
            _ => false,
        };
        !own && !self.branch.iter().any(beside)
    }

    /// The path of the outermost workflow within a node whose record this is.
    pub fn graph(&self) -> Option<&str> {
        self.branch.iter().find_map(|part| match part {
            Part::Graph(path) => Some(path.as_str()),
            Part::Branch(_) => None,
        })
    }
}

impl Thread {
    /// What a record of the thread with this path says happens; `None` if there is no such thread.
    pub fn take(&mut self, path: &[Part], did: Did) -> Option<()> {
        match (path, did) {
            ([outer @ .., Part::Graph(path)], Did::Base(thread)) => {
                self.branch(outer)?.within.graphs.insert(path.clone(), *thread);
            }
            (path, did) => {
                let thread = self.branch(path)?;
                if let ([.., _], Did::Resumed { updates } | Did::Arrived { updates }) = (path, &did) {
                    let answered = updates.updates(&thread.state);
                    thread.added.extend(answered);
                }
                thread.apply(did);
            }
        }
        Some(())
    }

    /// What the thread with this path waited for has come.
    pub(crate) fn arrive(&mut self, path: &[Part], did: Did) {
        if let (false, Did::Arrived { updates }) = (path.is_empty(), &did) {
            let brought = updates.updates(&self.state);
            self.added.extend(brought);
        }
        self.apply(did);
    }

    /// What this record says happens to it.
    pub fn apply(&mut self, did: Did) {
        match did {
            Did::Base(thread) => *self = *thread,
            Did::Step { path, gave, added } => {
                if !added.is_empty() {
                    self.within.added.insert(path.clone(), added);
                }
                self.within.graphs.remove(&path);
                self.within.asked.remove(&path);
                self.within.steps.insert(path, gave);
            }
            Did::Tried {
                path, left, again, ..
            } => {
                if again {
                    self.within.forget_graphs(&path);
                }
                let tried = self.within.tried.entry(path).or_default();
                tried.0 += 1;
                if left.is_some() {
                    tried.1 = left;
                }
            }
            Did::Node {
                node,
                gave,
                waits,
                fallback,
                results,
                added,
            } => {
                self.added.extend(added);
                self.results = results.map(|results| results_of(&results, &self.state));
                let updates = gave.updates(&self.state);
                gave.apply(Rc::make_mut(&mut self.state));
                self.within = Within::default();
                *self.visits.entry(node.clone()).or_default() += 1;
                self.at = At::After {
                    node,
                    gave: updates,
                    waits,
                    fallback,
                };
            }
            Did::Forked { fan_in, starts } => self.divide(fan_in, starts),
            Did::Joined { results, gave, added } => {
                self.results = Some(results_of(&results, &self.state));
                gave.apply(Rc::make_mut(&mut self.state));
                self.added.extend(added);
                self.unite();
            }
            // On resuming, this settles where to go from the node before.
            Did::Waits { node, awaits } => {
                self.at = At::Before {
                    node,
                    waits: true,
                    passed: false,
                    awaits,
                };
            }
            Did::Asks { node, path, question } => {
                self.at = At::Before {
                    node,
                    waits: false,
                    passed: true,
                    awaits: None,
                };
                self.within.ask(path, question);
            }
            Did::Answered { path, answer } => self.within.answer(&path, answer),
            Did::Resumed { updates } => {
                self.set_failed(false);
                updates.apply(Rc::make_mut(&mut self.state));
                self.at.resume();
            }
            Did::Arrived { updates } => {
                updates.apply(Rc::make_mut(&mut self.state));
                self.at.arrive();
            }
            Did::Ended => self.at = At::End,
            Did::Failed { .. } => self.set_failed(true),
            Did::Paused { .. } | Did::Cancelled => {}
        }
    }
}

/// What a fan-in node gets from branches that began with this state.
fn results_of(results: &[Ended], state: &Object) -> Json {
    let result = |ended: &Ended| {
        let state = match &ended.gave {
            Some(gave) => {
                let mut state = state.clone();
                gave.apply(&mut state);
                state
            }
            None => Object::new(),
        };
        [
            ("branch", Json::Text(ended.branch.clone())),
            ("success", Json::Bool(ended.error.is_none())),
            ("state", Json::Object(state)),
            ("error", ended.error.clone().map_or(Json::Null, Json::Text)),
            ("timing_ms", Json::Int(ended.timing_ms as i64)),
            ("retry_count", Json::Int(0)),
        ]
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
    };
    Json::Array(results.iter().map(result).collect())
}

fn is_false(truth: &bool) -> bool {
    !truth
}
