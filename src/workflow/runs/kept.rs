//! A run as its records tell it.

use super::cells::unreadable;
use super::header::Header;
use super::listed::Status;
use crate::state::{Did, Interrupt, Record, Thread, key};

/// A run as reconstructed from its records.
pub struct Kept {
    pub thread: Thread,
    /// The number of the last record used.
    pub number: u64,
    /// The nodes it went through, each with the record of the first time.
    pub(super) through: Vec<(u64, String)>,
    pub(super) header: Header,
}

impl Kept {
    pub(super) fn take(&mut self, run: &str, number: u64, record: Record) -> Result<(), String> {
        self.number = number;
        if let (None, Did::Base(thread)) = (record.graph(), &record.did) {
            self.pass(number, thread);
        }
        let node = match (record.graph(), &record.did) {
            // A workflow within a node belongs to the node's text.
            (Some(path), _) => self.node_of(path),
            (None, Did::Node { node, .. }) => Some(node.clone()),
            _ => None,
        };
        if let Some(node) = node
            && !self.through.iter().any(|(_, known)| *known == node)
        {
            self.through.push((number, node));
        }
        let taken = self.thread.take(&record.branch, record.did);
        taken.ok_or_else(|| unreadable(run))
    }

    /// What a thread went through before it was written as a whole.
    fn pass(&mut self, number: u64, thread: &Thread) {
        let within = thread.within.graphs.keys().filter_map(|path| self.node_of(path));
        let nodes: Vec<String> = thread.visits.keys().cloned().chain(within).collect();
        for node in nodes {
            self.through.push((number, node));
        }
        for branch in thread.fork.iter().flat_map(|fork| &fork.branches) {
            self.pass(number, branch);
        }
    }

    /// The node that the path of a workflow within it begins with.
    pub(super) fn node_of(&self, path: &str) -> Option<String> {
        let names = self.header.nodes.keys();
        let begins = |name: &&String| {
            path.strip_prefix(&*key::part(name))
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['#', '.', '(', '[']))
        };
        names.filter(begins).max_by_key(|name| name.len()).cloned()
    }

    /// What the run waits for; nothing if it is over.
    pub fn interrupts(&self) -> Vec<Interrupt> {
        match self.header.status {
            Status::Ended | Status::Cancelled => Vec::new(),
            Status::Running | Status::Waiting | Status::Failed => self.thread.interrupts(),
        }
    }
}
