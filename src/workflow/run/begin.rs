//! The beginning of a run, or of going on with it.

use super::done::Stop;
use super::runner::Runner;
use crate::fault::{WorkflowFault, WorkflowFaultKind};
use crate::model::Work;
use crate::state::{At, Begin, Did, END, Part, Record, START, Thread};

impl Runner {
    /// Where the run is when it begins to go on. Refuses to run at all rather than do half of it.
    pub(super) async fn begin(&self, begin: Begin) -> Result<Thread, Stop> {
        let (thread, did, path) = match begin {
            Begin::Start(given) => {
                let mut state = self.workflow.initial_state.clone();
                state.extend(given);
                let thread = Thread::start(state);
                let base = Did::Base(Box::new(thread.clone()));
                (thread, base, Vec::new())
            }
            Begin::Resume { thread, path, did } => (*thread, did, path),
            Begin::Wake { thread } => return Ok(*thread),
        };
        if thread.at == At::End {
            return Ok(thread);
        }
        let of_signal = self.workflow.nodes.iter().find(|node| node.awaits_signal());
        if let (None, Some(node)) = (&self.ledger, of_signal) {
            return Err(self.stop(&thread, WorkflowFault::no_signals(&node.name)));
        }
        let in_book = self.workflow.nodes.iter().find(|node| node.work.is_in_book());
        if let (None, Some(node)) = (&self.ledger, in_book) {
            return Err(self.stop(&thread, WorkflowFault::no_book(&node.name)));
        }
        let node = thread.at.node();
        if node != START && node != END && self.node_named(node).is_none() {
            let message = format!("The run is at node '{node}', which this workflow does not have.");
            return Err(self.stop(&thread, WorkflowFault::new(WorkflowFaultKind::Graph, message)));
        }
        // Do not begin with a state that does not match its schema.
        let mut next = thread.clone();
        next.take(&path, did.clone());
        self.check_resumed(&next, &path)
            .map_err(|fault| self.stop(&next, fault))?;
        if let Some(ledger) = &self.ledger {
            let record = Record {
                at_ms: self.means.clock.now_ms(),
                branch: path,
                did,
            };
            let recorded = ledger.append(&record).await;
            recorded.map_err(|fault| self.stop(&thread, fault))?;
        }
        Ok(next)
    }

    /// Check the state of a thread, and of the workflow within it that has this path.
    fn check_resumed(&self, thread: &Thread, path: &[Part]) -> Result<(), WorkflowFault> {
        self.check_state(&thread.state)?;
        let [Part::Graph(part), rest @ ..] = path else {
            return Ok(());
        };
        let mut nodes = self.workflow.nodes.iter();
        let node = nodes.find(|node| thread.visit(&node.name) == *part);
        let (Some(node), Some(inner)) = (node, thread.within.graphs.get(part)) else {
            return Ok(());
        };
        let Work::Graph { workflow, .. } = &node.work else {
            return Ok(());
        };
        let runner = Runner {
            workflow: workflow.clone(),
            names: format!("{}/", self.named(&node.name)),
            ..self.clone()
        };
        let checked = runner.check_resumed(inner, rest);
        checked.map_err(|fault| WorkflowFault {
            node: fault.node.or_else(|| Some(runner.named(inner.at.node()))),
            ..fault
        })
    }
}
