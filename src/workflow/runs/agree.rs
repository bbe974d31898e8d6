//! Whether a workflow's text still matches a run.

use super::Kept;
use crate::model::Workflow;
use crate::run::{At, Thread};

/// A changed text may resume a run if everything the run went through is unchanged.
pub fn check(kept: &Kept, workflow: &Workflow) -> Result<(), String> {
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
