//! The position of a run: a thread, containing the threads of its branches. Records change it in the same way
//! while it runs and when it is resumed.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::record::{Did, Ended};
use crate::difference::{Difference, Gave};
use crate::json::{Json, Object};

/// Where every run begins.
pub const START: &str = "__start__";
/// Where every run ends.
pub const END: &str = "__end__";

/// A thread of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Thread {
    pub state: Rc<Object>,
    pub at: At,
    /// For the next node, if it is where branches met.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub results: Option<Json>,
    /// How often it came to each node.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub visits: BTreeMap<String, u64>,
    /// What is already done of the current node.
    #[serde(default, skip_serializing_if = "Within::is_empty")]
    pub within: Within,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fork: Option<Fork>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum At {
    /// Before the node. `waits`: for someone; `passed`: no longer.
    Before {
        node: String,
        #[serde(default)]
        waits: bool,
        #[serde(default)]
        passed: bool,
    },
    /// The node is done and returned this; where to go next is not decided yet.
    After {
        node: String,
        #[serde(default)]
        gave: Object,
        #[serde(default)]
        waits: bool,
        /// Its error was handled by going to another node.
        #[serde(default)]
        fallback: bool,
    },
    End,
}

/// What is done of a node.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Within {
    /// What steps returned, by path.
    #[serde(default)]
    pub steps: BTreeMap<String, Gave>,
    /// Failed attempts by path: how many, and the state left by the last one.
    #[serde(default)]
    pub tried: BTreeMap<String, (u64, Option<Difference>)>,
}

impl Within {
    fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.tried.is_empty()
    }
}

/// The branches of a thread, which waits for them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fork {
    pub fan_in: String,
    /// The nodes where they began.
    pub starts: Vec<String>,
    pub branches: Vec<Thread>,
}

impl At {
    /// Before a node, or at the end.
    pub fn before(node: &str) -> At {
        match node {
            END => At::End,
            node => At::Before {
                node: node.to_owned(),
                waits: false,
                passed: false,
            },
        }
    }

    pub fn node(&self) -> &str {
        match self {
            At::Before { node, .. } | At::After { node, .. } => node,
            At::End => END,
        }
    }

    pub fn waits(&self) -> bool {
        matches!(
            self,
            At::Before { waits: true, .. } | At::After { waits: true, .. }
        )
    }
}

impl Thread {
    /// A thread with this state that has yet to leave the start.
    pub fn start(state: Object) -> Thread {
        let at = At::After {
            node: START.into(),
            gave: Object::new(),
            waits: false,
            fallback: false,
        };
        Thread::new(Rc::new(state), at)
    }

    fn new(state: Rc<Object>, at: At) -> Thread {
        Thread {
            state,
            at,
            results: None,
            visits: BTreeMap::new(),
            within: Within::default(),
            fork: None,
        }
    }

    /// The branch with this path.
    pub fn branch(&mut self, path: &[usize]) -> Option<&mut Thread> {
        match path {
            [] => Some(self),
            [first, rest @ ..] => self.fork.as_mut()?.branches.get_mut(*first)?.branch(rest),
        }
    }

    /// The state as the next node's Prolog sees it.
    pub fn seen(&self) -> Object {
        seen(&self.state, self.results.as_ref()).into_owned()
    }

    /// The node it is about to run, numbered if it has been there before: identifies its effects.
    pub fn visit(&self, node: &str) -> String {
        numbered(node, self.visits.get(node).map_or(1, |count| count + 1))
    }

    /// The same, once the node is done.
    pub fn visited(&self, node: &str) -> String {
        numbered(node, self.visits.get(node).copied().unwrap_or(1))
    }

    pub fn apply(&mut self, did: Did) {
        match did {
            Did::Base(thread) => *self = *thread,
            Did::Step { path, gave } => {
                self.within.steps.insert(path, gave);
            }
            Did::Tried { path, left, .. } => {
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
            } => {
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
            Did::Forked { fan_in, starts } => {
                let branches = starts
                    .iter()
                    .map(|node| Thread::new(self.state.clone(), At::before(node)))
                    .collect();
                self.fork = Some(Fork {
                    fan_in,
                    starts,
                    branches,
                });
            }
            Did::Joined { results } => {
                self.results = Some(results_of(&results, &self.state));
                if let Some(fork) = self.fork.take() {
                    for node in fork
                        .branches
                        .into_iter()
                        .flat_map(|branch| branch.visits.into_keys())
                    {
                        self.visits.entry(node).or_default();
                    }
                    self.at = At::before(&fork.fan_in);
                }
            }
            // On resuming, this settles where to go from the node before.
            Did::Waits { node } => {
                self.at = At::Before {
                    node,
                    waits: true,
                    passed: false,
                };
            }
            Did::Resumed { updates } => {
                updates.apply(Rc::make_mut(&mut self.state));
                match &mut self.at {
                    At::Before { waits, passed, .. } if *waits => (*waits, *passed) = (false, true),
                    At::After { waits, .. } => *waits = false,
                    _ => {}
                }
            }
            Did::Ended => self.at = At::End,
            Did::Failed { .. } => {}
        }
    }
}

fn numbered(node: &str, visit: u64) -> String {
    match visit {
        0 | 1 => node.to_owned(),
        visit => format!("{node}#{visit}"),
    }
}

/// The state as Prolog sees it: the results of branches are one of its keys.
pub fn seen<'a>(state: &'a Object, parallel_results: Option<&Json>) -> Cow<'a, Object> {
    match parallel_results {
        None => Cow::Borrowed(state),
        Some(results) => {
            let mut state = state.clone();
            let own = state.entry("parallel_results".into());
            own.or_insert_with(|| results.clone());
            Cow::Owned(state)
        }
    }
}

/// What a fan-in node gets from branches that began with this state.
pub fn results_of(results: &[Ended], state: &Object) -> Json {
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
