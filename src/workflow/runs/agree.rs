//! Whether a workflow's text still matches a run.

use super::kept::Kept;
use super::listed::Status;
use crate::json::Object;
use crate::model::Workflow;
use crate::state::{At, Did, Part, Refused, RefusedKind, Thread};

impl Kept {
    /// What resuming it with `updates` does, and to which thread: they answer the interrupt `id` or, if the run waits, its
    /// only one.
    pub fn resumed(
        &self,
        id: Option<&str>,
        updates: &Object,
        workflow: &Workflow,
    ) -> Result<(Vec<Part>, Did), Refused> {
        if self.header.status == Status::Cancelled {
            return Err(RefusedKind::Ended
                .because("The run was cancelled: begin a new one, or resume from one of its checkpoints."));
        }
        let idle = self.header.status == Status::Waiting || self.thread.waits_alone();
        let (path, did) = self.thread.resumed(id, updates, idle)?;
        check_answer(self, workflow, &path, &did).map_err(|why| RefusedKind::ChangedText.because(why))?;
        Ok((path, did))
    }

    /// Check that the workflow agrees with what the run has done; the error says where it departs.
    pub fn check_agrees(&self, workflow: &Workflow) -> Result<(), String> {
        check(self, workflow)
    }
}

/// A changed text may resume a run if everything the run went through is unchanged.
fn check(kept: &Kept, workflow: &Workflow) -> Result<(), String> {
    let header = &kept.header;
    if header.text == workflow.text_hash {
        return Ok(());
    }
    let departs = |number: u64, why: String| {
        let earlier = match number {
            0 | 1 => String::new(),
            number => format!("from checkpoint {}, or ", number - 1),
        };
        Err(format!(
            "The text departs from the run at checkpoint {number}: {why}. Go on {earlier}with the text that the run has."
        ))
    };
    if let Some((number, _)) = kept.through.first()
        && header.shared != workflow.shared_hash
    {
        let why =
            "what all nodes share was changed (language, book, variables, settings, data or state_schema)";
        return departs(*number, why.into());
    }
    for (number, name) in &kept.through {
        let now = workflow.nodes.iter().find(|node| node.name == *name);
        match now {
            None => return departs(*number, format!("it no longer has a node '{name}'")),
            Some(node) if header.nodes.get(name) != Some(&node.hash) => {
                return departs(*number, format!("node '{name}' was changed"));
            }
            Some(_) => {}
        }
    }
    match missing(&kept.thread, workflow) {
        Some(name) => departs(
            kept.number,
            format!("the run is at node '{name}', which it does not have"),
        ),
        None => Ok(()),
    }
}

/// An answer is for the text that asked: another may ask something else.
fn check_answer(kept: &Kept, workflow: &Workflow, path: &[Part], did: &Did) -> Result<(), String> {
    let Did::Answered { path: asks, .. } = did else {
        return Ok(());
    };
    let graph = path.iter().find_map(|part| match part {
        Part::Graph(path) => Some(path),
        Part::Branch(_) => None,
    });
    let Some(name) = kept.node_of(graph.unwrap_or(asks)) else {
        return Ok(());
    };
    let mut nodes = workflow.nodes.iter();
    let same = nodes.any(|node| node.name == name && kept.header.nodes.get(&name) == Some(&node.hash));
    match same {
        true => Ok(()),
        false => Err(format!(
            "Node '{name}' was changed, and the answer is for what it has asked before: answer with the text that the \
             run has. If the run then fails, continue with the changed text."
        )),
    }
}

/// A node that the workflow lacks, but that a thread is at or its branches meet in.
fn missing(thread: &Thread, workflow: &Workflow) -> Option<String> {
    let known = |name: &str| workflow.nodes.iter().any(|node| node.name == name);
    if let At::Before { node, .. } = &thread.at
        && !known(node)
    {
        return Some(node.clone());
    }
    let fork = thread.fork.as_ref()?;
    if !known(&fork.fan_in) {
        return Some(fork.fan_in.clone());
    }
    fork.branches.iter().find_map(|branch| missing(branch, workflow))
}
