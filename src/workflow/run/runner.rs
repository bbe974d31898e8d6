//! Takes a run from node to node.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use futures::channel::mpsc::UnboundedSender;
use futures::future::LocalBoxFuture;

use hornbook_base::Limits;

use super::done::{Done, Stop};
use super::{Event, Kind, Means};
use crate::difference::Gave;
use crate::fault::{WorkflowFault, WorkflowFaultKind};
use crate::json::{Json, Object};
use crate::model::{Edge, Node, Workflow};
use crate::runs::Ledger;
use crate::state::{Added, At, Begin, Did, Part, Record, START, Thread};

/// Takes a run, or a workflow within it, from node to node.
#[derive(Clone)]
pub(super) struct Runner {
    pub workflow: Rc<Workflow>,
    pub means: Rc<Means>,
    /// How long a node's code may run, in milliseconds.
    pub timeout_ms: u64,
    pub events: UnboundedSender<Event>,
    pub id: Rc<str>,
    pub ledger: Option<Rc<Ledger>>,
    /// Nodes gone through so far.
    pub nodes: Rc<Cell<u64>>,
    /// The nodes in progress, the one that began last at the end.
    pub running: Rc<RefCell<Vec<String>>>,
    /// The prefix for the names of its nodes: those of the nodes whose workflows it is within.
    pub names: String,
}

/// Why a node is not done, or not left.
enum Halt {
    Fault(WorkflowFault),
    Waits,
}

/// Identifies a branch.
#[derive(Clone, Copy)]
pub(super) struct Branch<'a> {
    pub name: Option<&'a str>,
    /// The node where it ends.
    pub until: Option<&'a str>,
    /// The path of its thread.
    pub path: &'a [Part],
    /// The prefix for the names of its effects.
    pub prefix: &'a str,
    /// In a workflow that gives its state to the one around it: the keys that have reducers there.
    pub passes: &'a [String],
}

impl Branch<'_> {
    /// The values that are combined elsewhere, too: where its branches meet, or around its workflow.
    pub fn kept(&self, added: &Added, updates: &Object) -> Added {
        let of_branch = matches!(self.path, [.., Part::Branch(_)]);
        let kept = added
            .iter()
            .filter(|(key, _)| of_branch || self.passes.contains(key));
        // What a node returns by itself, such as how its loop ended.
        let own = self.passes.iter().filter_map(|key| updates.get_key_value(key));
        let own = own.filter(|(key, _)| !added.iter().any(|(known, _)| known == *key));
        let own = own.map(|(key, value)| (key.clone(), value.clone()));
        kept.cloned().chain(own).collect()
    }
}

impl Runner {
    pub async fn run(&self, begin: Begin) {
        let whole = Branch {
            name: None,
            until: None,
            path: &[],
            prefix: "",
            passes: &[],
        };
        let mut thread = match self.begin(begin).await {
            Ok(thread) => thread,
            Err(stop) => return self.stopped(stop, None).await,
        };
        let start = Kind::Start {
            run: self.id.to_string(),
            state: (*thread.state).clone(),
        };
        self.tell(None, start);
        let over = thread.at == At::End;
        let mut ended = self.go(&mut thread, whole).await;
        if ended.is_ok() && !over {
            let recorded = self.record(&mut thread, whole, Did::Ended).await;
            ended = recorded.map(drop).map_err(|fault| self.stop(&thread, fault));
        }
        match ended {
            Ok(()) => {
                let state = (*thread.state).clone();
                self.tell(None, Kind::Final { state });
            }
            Err(stop) => self.stopped(stop, Some(&mut thread)).await,
        }
    }

    /// Continue to the end, or to the end of the branch.
    pub fn go<'a>(
        &'a self,
        thread: &'a mut Thread,
        branch: Branch<'a>,
    ) -> LocalBoxFuture<'a, Result<(), Stop>> {
        Box::pin(async move {
            loop {
                if thread.fork.is_some() {
                    self.join(thread, branch).await?;
                    continue;
                }
                if thread.at.waits() {
                    match self.arrived(thread, branch).await {
                        Ok(true) => continue,
                        Ok(false) => return Err(Stop::Waits),
                        Err(fault) => return Err(self.stop(thread, fault)),
                    }
                }
                let done = match &thread.at {
                    At::End => return Ok(()),
                    At::Before { node, .. } if branch.until == Some(node) => return Ok(()),
                    At::Before { node, passed, .. } => {
                        let (node, passed) = (node.clone(), *passed);
                        self.step(&node, passed, thread, branch).await
                    }
                    At::After { .. } => self.leave(thread, branch).await,
                };
                match done {
                    Ok(()) => {}
                    Err(Halt::Waits) => return Err(Stop::Waits),
                    Err(Halt::Fault(fault)) => return Err(self.stop(thread, fault)),
                }
            }
        })
    }

    /// Execute one node.
    async fn step(
        &self,
        name: &str,
        passed: bool,
        thread: &mut Thread,
        branch: Branch<'_>,
    ) -> Result<(), Halt> {
        let Some(node) = self.node_named(name) else {
            let message = format!("The run is at node '{name}', which this workflow does not have.");
            return Err(WorkflowFault::new(WorkflowFaultKind::Graph, message).into());
        };
        let awaits = match &node.wait {
            Some(wait) if !passed => Some(self.awaits(wait, name, thread)?),
            _ => None,
        };
        if (node.interrupt_before && !passed) || awaits.is_some() {
            let node = name.to_owned();
            self.record(thread, branch, Did::Waits { node, awaits }).await?;
            return Ok(());
        }
        self.count_node()?;
        let named = self.named(name);
        let in_progress = InProgress::of(&self.running, &named);
        let node_start = Kind::NodeStart { node: named.clone() };
        self.tell(branch.name, node_start);
        let before = thread.state.clone();
        let effect = |done: &Done| {
            let mut state = (*before).clone();
            state.extend(done.updates.clone());
            self.check_state(&state)?;
            Ok(Did::Node {
                node: name.to_owned(),
                gave: Gave::of(&before, &done.updates),
                waits: node.interrupt_after,
                fallback: done.fallback,
                results: done.results.clone(),
                added: branch.kept(&done.added, &done.updates),
            })
        };
        let noted = RefCell::default();
        let done = self.node(node, thread, branch, &effect, &noted).await?;
        drop(in_progress);
        if done.waits {
            drop(before);
            wait_at(name, thread, noted.into_inner(), done);
            return Err(Halt::Waits);
        }
        let did = effect(&done);
        // Holding it would force a copy when the state changes.
        drop(before);
        let (checkpoint, fits) = match (did, done.recorded) {
            (Ok(did), Some(number)) => {
                thread.apply(did);
                (Some(number), Ok(()))
            }
            (Ok(did), None) => (self.record(thread, branch, did).await?, Ok(())),
            (Err(fault), _) => (None, Err(fault)),
        };
        let node_end = Kind::NodeEnd {
            node: named,
            updates: done.updates,
            output: done.output,
            failed: done.failed,
            ended_by: done.ended_by,
            checkpoint,
        };
        self.tell(branch.name, node_end);
        Ok(fits?)
    }

    /// Count one more node: a graph may loop forever.
    fn count_node(&self) -> Result<(), WorkflowFault> {
        self.nodes.set(self.nodes.get() + 1);
        let most = Limits::DEFAULT.workflow_nodes;
        if self.nodes.get() <= most {
            return Ok(());
        }
        let message =
            format!("The run went through {most} nodes and came to no end (limit: workflow_nodes = {most}).");
        Err(WorkflowFault::new(WorkflowFaultKind::Graph, message))
    }

    /// Go from a finished node to the next one, or into branches.
    async fn leave(&self, thread: &mut Thread, branch: Branch<'_>) -> Result<(), Halt> {
        let At::After {
            node, gave, fallback, ..
        } = thread.at.clone()
        else {
            return Ok(());
        };
        let (edges, to): (&[Edge], _) = match self.node_named(&node) {
            Some(known) => (&known.next, known.on_error.fallback.filter(|_| fallback)),
            None => (&self.workflow.start, None),
        };
        if let Some(to) = to {
            thread.results = None;
            thread.at = At::before(&self.workflow.nodes[to].name);
            return Ok(());
        }
        // A run that has just begun has returned nothing yet.
        let result = (node != START).then_some(Json::Object(gave));
        if thread.results.is_none()
            && let Some((fan_in, starts)) = self.branches(edges, &thread.state, result.as_ref()).await?
        {
            self.record(thread, branch, Did::Forked { fan_in, starts })
                .await?;
            return Ok(());
        }
        let to = self.route(edges, &node, &thread.state, result.as_ref()).await?;
        thread.at = At::before(self.target_name(to));
        Ok(())
    }

    /// Record what happened: first in the ledger, then in the thread. Returns the record's number, if the run
    /// is stored.
    pub async fn record(
        &self,
        thread: &mut Thread,
        branch: Branch<'_>,
        did: Did,
    ) -> Result<Option<u64>, WorkflowFault> {
        let Some(ledger) = &self.ledger else {
            thread.apply(did);
            return Ok(None);
        };
        let record = Record {
            at_ms: self.means.clock.now_ms(),
            branch: branch.path.to_vec(),
            did,
        };
        let number = ledger.append(&record).await?;
        thread.apply(record.did);
        Ok(Some(number))
    }

    /// The name of one of its nodes, for events and errors.
    pub fn named(&self, node: &str) -> String {
        format!("{}{node}", self.names)
    }

    pub fn stop(&self, thread: &Thread, mut fault: WorkflowFault) -> Stop {
        let node = fault.node.take();
        Stop::Fault {
            node: node.unwrap_or_else(|| self.named(thread.at.node())),
            state: thread.state.clone(),
            fault,
        }
    }

    pub fn node_named(&self, name: &str) -> Option<&Node> {
        self.workflow.nodes.iter().find(|node| node.name == name)
    }

    pub fn check_state(&self, state: &Object) -> Result<(), WorkflowFault> {
        let checked = state
            .iter()
            .try_for_each(|(key, value)| self.workflow.check_value(key, value));
        checked.map_err(|message| WorkflowFault::new(WorkflowFaultKind::State, message))
    }

    pub fn tell(&self, branch: Option<&str>, kind: Kind) {
        let event = Event {
            kind,
            branch: branch.map(str::to_owned),
        };
        // If nobody listens any more, the run is being dropped.
        let _ = self.events.unbounded_send(event);
    }
}

/// A node is in progress while this lives.
struct InProgress<'r> {
    running: &'r RefCell<Vec<String>>,
    node: &'r str,
}

impl<'r> InProgress<'r> {
    fn of(running: &'r RefCell<Vec<String>>, node: &'r str) -> Self {
        running.borrow_mut().push(node.to_owned());
        InProgress { running, node }
    }
}

impl Drop for InProgress<'_> {
    fn drop(&mut self) {
        let mut running = self.running.borrow_mut();
        if let Some(at) = running.iter().rposition(|node| node == self.node) {
            running.remove(at);
        }
    }
}

/// Let a thread wait at a node that is not done, having done so much of it.
fn wait_at(node: &str, thread: &mut Thread, noted: Vec<Did>, done: Done) {
    if let At::After { .. } = thread.at {
        thread.at = At::before(node);
    }
    for did in noted {
        thread.apply(did);
    }
    thread.within.graphs.extend(done.graphs);
}

impl From<WorkflowFault> for Halt {
    fn from(fault: WorkflowFault) -> Halt {
        Halt::Fault(fault)
    }
}
