//! The position of a run: a thread, containing the threads of its branches. Records change it in the same way
//! while it runs and when it is resumed.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::key;
use crate::difference::{Difference, Gave};
use crate::json::{Json, Object};

/// Where every run begins.
pub const START: &str = "__start__";
/// Where every run ends.
pub const END: &str = "__end__";

/// What nodes returned for keys with reducers, in order.
pub type Added = Vec<(String, Json)>;

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
    /// In a branch, or a workflow within a node: what its nodes returned for keys with reducers there and around it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub added: Added,
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
        /// What comes by itself, if it waits for that.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        awaits: Option<Awaits>,
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

/// What a run waits for that is nobody's answer: a time or a signal.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Awaits {
    /// Milliseconds since 1970.
    #[serde(
        default,
        deserialize_with = "crate::time::stored",
        skip_serializing_if = "Option::is_none"
    )]
    pub until_ms: Option<u64>,
    /// The name of the signal, and the key for what it brings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<(String, String)>,
}

/// A question of a node's Prolog, and the answer once there is one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    pub question: Json,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Json>,
    /// The run failed with this answer: another may take its place.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
}

/// What is done of a node.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Within {
    /// What steps returned, by path.
    #[serde(default)]
    pub steps: BTreeMap<String, Gave>,
    /// Of that, the values of keys with reducers.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub added: BTreeMap<String, Added>,
    /// Failed attempts by path: how many, and the state left by the last one.
    #[serde(default)]
    pub tried: BTreeMap<String, (u64, Option<Difference>)>,
    /// What its Prolog has asked, by path.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub asked: BTreeMap<String, Vec<Asked>>,
    /// How far workflows within it have come, by path.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub graphs: BTreeMap<String, Thread>,
}

impl Within {
    fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.tried.is_empty() && self.asked.is_empty() && self.graphs.is_empty()
    }

    /// Forget the workflows of the node or the step with this path.
    pub(crate) fn forget_graphs(&mut self, path: &str) {
        let within = |known: &str| {
            let rest = known.strip_prefix(path);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '(', '[']))
        };
        self.graphs.retain(|known, _| !within(known));
    }

    /// The Prolog of the node or the step with this path asks somebody.
    pub(super) fn ask(&mut self, path: String, question: Json) {
        self.asked.entry(path).or_default().push(Asked {
            question,
            answer: None,
            failed: false,
        });
    }

    /// Somebody answers what it has asked last.
    pub(super) fn answer(&mut self, path: &str, answer: Json) {
        if let Some(asked) = self.asked.get_mut(path).and_then(|all| all.last_mut()) {
            (asked.answer, asked.failed) = (Some(answer), false);
        }
    }
}

/// A part of the path to a thread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Part {
    /// The branch with this index.
    Branch(usize),
    /// The workflow of the node or the step with this path.
    Graph(String),
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
                awaits: None,
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

    /// Wait for nobody any more.
    pub(super) fn resume(&mut self) {
        match self {
            // What comes by itself is still waited for.
            At::Before { awaits: Some(_), .. } => {}
            At::Before { waits, passed, .. } if *waits => (*waits, *passed) = (false, true),
            At::After { waits, .. } => *waits = false,
            _ => {}
        }
    }

    /// What it waits for that comes by itself has come.
    pub(super) fn arrive(&mut self) {
        if let At::Before {
            waits,
            passed,
            awaits,
            ..
        } = self
        {
            (*waits, *passed, *awaits) = (false, true, None);
        }
    }
}

impl Thread {
    /// Branches begin at these nodes.
    pub(super) fn divide(&mut self, fan_in: String, starts: Vec<String>) {
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

    /// The branches have met. The nodes to which they came have been visited.
    pub(super) fn unite(&mut self) {
        let Some(fork) = self.fork.take() else {
            return;
        };
        let branches = fork.branches.into_iter();
        for node in branches.flat_map(|branch| branch.visits.into_keys()) {
            self.visits.entry(node).or_default();
        }
        self.at = At::before(&fork.fan_in);
    }

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

    pub(crate) fn new(state: Rc<Object>, at: At) -> Thread {
        Thread {
            state,
            at,
            results: None,
            visits: BTreeMap::new(),
            within: Within::default(),
            fork: None,
            added: Added::new(),
        }
    }

    /// The thread with this path.
    pub fn branch(&mut self, path: &[Part]) -> Option<&mut Thread> {
        match path {
            [] => Some(self),
            [Part::Branch(index), rest @ ..] => self.fork.as_mut()?.branches.get_mut(*index)?.branch(rest),
            [Part::Graph(path), rest @ ..] => self.within.graphs.get_mut(path)?.branch(rest),
        }
    }

    /// Whether the run has failed: what is answered, but not done, may be answered again then.
    pub(crate) fn set_failed(&mut self, failed: bool) {
        for asked in self.within.asked.values_mut().filter_map(|all| all.last_mut()) {
            asked.failed = failed && asked.answer.is_some();
        }
        let branches = self.fork.iter_mut().flat_map(|fork| &mut fork.branches);
        for inner in self.within.graphs.values_mut().chain(branches) {
            inner.set_failed(failed);
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
}

fn numbered(node: &str, visit: u64) -> String {
    let node = key::part(node);
    match visit {
        0 | 1 => node.into_owned(),
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
