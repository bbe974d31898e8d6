//! Corrections: remove, restore, supersede.

use serde_json::json;

use crate::arguments::Arguments;
use crate::call::{Answer, Draft};
use crate::memory::Memory;
use crate::record::{EdgeName, Experience, Life, Node, Record};
use crate::results::{Removed, Restored};

pub(crate) fn remove(draft: &mut Draft, arguments: &Arguments) -> Answer {
    match target(arguments)? {
        Target::Node(id) => {
            let found = draft
                .memory
                .nodes
                .get(id)
                .filter(|node| node.life.removed_at.is_none());
            let before = found.ok_or_else(|| format!("Node not found: {id}"))?;
            let mut after = before.clone();
            after.life.removed_at = Some(draft.now);
            draft.replace(Record::Node(before.clone()), Record::Node(after));
            Ok(json!(Removed::Node { id: id.to_string() }))
        }
        Target::Edge(name) => {
            let found = draft
                .memory
                .edge(&name)
                .filter(|edge| edge.life.removed_at.is_none());
            let before = found.ok_or("Edge not found")?;
            let mut after = before.clone();
            after.life.removed_at = Some(draft.now);
            draft.replace(Record::Edge(before.clone()), Record::Edge(after));
            Ok(json!(Removed::Edge {
                source_id: name.source_id,
                target_id: name.target_id
            }))
        }
    }
}

/// Bring back what was removed or superseded.
pub(crate) fn restore(draft: &mut Draft, arguments: &Arguments) -> Answer {
    match target(arguments)? {
        Target::Node(id) => {
            let before = draft
                .memory
                .nodes
                .get(id)
                .ok_or_else(|| format!("Node not found: {id}"))?;
            let mut after = before.clone();
            if !revive(&mut after.life) {
                return Err(format!("Node is not removed: {id}"));
            }
            draft.replace(Record::Node(before.clone()), Record::Node(after));
            Ok(json!(Restored::Node { id: id.to_string() }))
        }
        Target::Edge(name) => {
            let before = draft.memory.edge(&name).ok_or("Edge not found")?;
            let mut after = before.clone();
            if !revive(&mut after.life) {
                return Err("Edge is not removed".into());
            }
            draft.replace(Record::Edge(before.clone()), Record::Edge(after));
            Ok(json!(Restored::Edge {
                source_id: name.source_id,
                target_id: name.target_id
            }))
        }
    }
}

/// Undo the removal, or else the supersession; false if there is neither.
pub(crate) fn revive(life: &mut Life) -> bool {
    life.removed_at.take().is_some() || life.superseded_by.take().is_some()
}

enum Target<'a> {
    Node(&'a str),
    Edge(EdgeName),
}

fn target(arguments: &Arguments) -> Result<Target<'_>, String> {
    let text = |name| arguments.text(name);
    match (
        text("node_id"),
        text("source_id"),
        text("target_id"),
        text("edge_type"),
    ) {
        (Some(id), ..) => Ok(Target::Node(id)),
        (None, Some(source), Some(target), Some(kind)) => Ok(Target::Edge(EdgeName {
            source_id: source.into(),
            target_id: target.into(),
            kind: kind.into(),
        })),
        _ => Err("Provide node_id or (source_id + target_id + edge_type)".into()),
    }
}

/// The ids that replace a node and an experience.
pub(crate) struct New<'a> {
    pub node: &'a str,
    pub experience: &'a str,
}

/// Hide what `new` supersedes, from the time at which `new` becomes valid: a node or an experience, and the
/// one learned with it.
pub(crate) fn supersede(
    draft: &mut Draft,
    old: &str,
    new: &New,
    arguments: &Arguments,
) -> Result<(), String> {
    let since = arguments.time("valid_from").unwrap_or(draft.now);
    if since > draft.now {
        return Err("What supersedes something must hold now: valid_from is later".into());
    }
    let memory = draft.memory;
    let (node, experience) = match (memory.nodes.get(old), memory.experiences.get(old)) {
        (Some(node), _) => (Some(node), learned_with(memory, node)),
        (None, Some(experience)) => {
            let node = experience.node_id.as_deref().and_then(|id| memory.nodes.get(id));
            (node, Some(experience))
        }
        (None, None) => {
            return Err(format!(
                "Nothing to supersede: there is no node or experience {old}"
            ));
        }
    };
    let current =
        node.is_some_and(|one| one.life.is_current()) || experience.is_some_and(|one| one.life.is_current());
    if !current {
        return Err(format!("Nothing to supersede: {old} is removed or superseded"));
    }
    if let Some(before) = node.filter(|one| one.life.is_current()) {
        let mut after = before.clone();
        after.life.superseded_by = Some((new.node.to_string(), since));
        draft.replace(Record::Node(before.clone()), Record::Node(after));
    }
    if let Some(before) = experience.filter(|one| one.life.is_current()) {
        let mut after = before.clone();
        after.life.superseded_by = Some((new.experience.to_string(), since));
        draft.replace(Record::Experience(before.clone()), Record::Experience(after));
    }
    Ok(())
}

/// The experience that was learned together with a node.
fn learned_with<'a>(memory: &'a Memory, node: &Node) -> Option<&'a Experience> {
    let sort = node.kind.strip_prefix("learned_")?;
    let mut same = memory.experiences.same(sort, node.description.as_deref()?);
    same.find(|one| one.node_id.as_deref() == Some(&node.id))
}
