//! What is done with runs of workflows, and what clients are told of them.

use hornbook_workflow::fault::WorkflowFault;

use super::log::SIMULATED;

/// What is done with runs.
#[derive(Debug, Clone)]
pub enum Act {
    /// Begin a run of this shape, with this name.
    Begin(usize, String),
    /// Say that it may go on, or answer what it asks.
    Resume(String),
    Signal(String),
    /// Let all go on whose time has come, as a server does.
    Wake,
    Cancel(String),
    /// Let all go on that can, once all is quiet.
    Tend,
}

/// What a client was told of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    pub run: String,
    /// The records of the nodes that are done.
    pub nodes: Vec<u64>,
    /// How it ended, for now.
    pub end: Ending,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Ending {
    Final,
    Waits,
    Failed(WorkflowFault),
    /// The client did not listen to the end.
    Left,
}

impl Told {
    /// What should not have gone wrong, if anything did.
    pub fn unexpected(&self, calm: bool) -> Option<String> {
        let Ending::Failed(fault) = &self.end else {
            return None;
        };
        let known = [
            "violat",
            "Another process has resumed the run",
            "Another process has started a run",
            "was undone while it ran",
            "was cancelled, so it ends here",
        ];
        let in_storm = [
            SIMULATED,
            "engine",
            "longer than",
            "memory",
            "cancelled",
            "It is not known whether",
            "a restart may",
            "was replaced by another book",
        ];
        let is = |words: &[&str]| words.iter().any(|word| fault.message.contains(word));
        let comes = is(&known) || !calm && is(&in_storm);
        (!comes).then(|| format!("{} ended with {fault:?}", self.run))
    }
}
