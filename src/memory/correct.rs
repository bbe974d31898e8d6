//! Corrections: remove, restore, supersede.

use serde_json::json;

use crate::arguments::Arguments;
use crate::draft::{Answer, Draft};
use crate::memory::Memory;
use crate::record::{Edge, EdgeName, Experience, Life, Node, Record};
use crate::results::{Removed, Restored};
use crate::time::iso;

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
            let learned = learned_with(draft.memory, before, |life| life.removed_at.is_none());
            if let Some(one) = learned {
                take_out(draft, one);
            }
            Ok(json!(Removed::Node {
                id: id.to_string(),
                experience_id: learned.map(|one| one.id.clone()),
            }))
        }
        Target::Edge(name) => {
            let edges = draft.memory.edges_named(&name);
            let kept: Vec<&Edge> = edges.filter(|edge| edge.life.removed_at.is_none()).collect();
            // The one that holds now, or else the latest.
            let holds = |edge: &&&Edge| (edge.life.seen_at(draft.now, false), edge.life.begins());
            let before = kept.iter().max_by_key(holds).ok_or("Edge not found")?;
            let mut after = (*before).clone();
            after.life.removed_at = Some(draft.now);
            draft.replace(Record::Edge((*before).clone()), Record::Edge(after));
            Ok(json!(Removed::Edge {
                source_id: name.source_id,
                target_id: name.target_id,
                left: Some(kept.len() - 1).filter(|left| *left > 0),
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
            let together = |life: &Life| went_together(life, &before.life);
            let learned = learned_with(draft.memory, before, together);
            if let Some(one) = learned {
                bring_back(draft, one);
            }
            Ok(json!(Restored::Node {
                id: id.to_string(),
                experience_id: learned.map(|one| one.id.clone()),
            }))
        }
        Target::Edge(name) => {
            let edges = draft.memory.edges_named(&name);
            // The one that was removed last.
            let last = edges.max_by_key(|edge| edge.life.removed_at);
            let before = last.ok_or("Edge not found")?;
            let mut after = before.clone();
            if !revive(&mut after.life) {
                return Err("Edge is not removed".into());
            }
            check_free(draft.memory, &name, &after.life)?;
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
        (Some(node), _) => (Some(node), learned_with(memory, node, Life::is_current)),
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

/// Remove an experience, or restore it.
pub(crate) fn take_out(draft: &mut Draft, before: &Experience) {
    let mut after = before.clone();
    after.life.removed_at = Some(draft.now);
    draft.replace(Record::Experience(before.clone()), Record::Experience(after));
}

fn bring_back(draft: &mut Draft, before: &Experience) {
    let mut after = before.clone();
    revive(&mut after.life);
    draft.replace(Record::Experience(before.clone()), Record::Experience(after));
}

/// Whether one call removed or superseded both.
pub(crate) fn went_together(one: &Life, other: &Life) -> bool {
    let superseded = |life: &Life| life.superseded_by.as_ref().map(|(_, since)| *since);
    match (one.removed_at, other.removed_at) {
        (None, None) => superseded(one).is_some() && superseded(one) == superseded(other),
        (one, other) => one == other,
    }
}

/// The experience that was learned together with a node, if its life is such.
pub(crate) fn learned_with<'a>(
    memory: &'a Memory,
    node: &Node,
    is_such: impl Fn(&Life) -> bool,
) -> Option<&'a Experience> {
    let sort = node.kind.strip_prefix("learned_")?;
    let mut same = memory.experiences.same(sort, node.description.as_deref()?);
    same.find(|one| one.node_id.as_deref() == Some(&node.id) && is_such(&one.life))
}

/// Check that the relation does not hold at any time of `life` yet.
pub(crate) fn check_free(memory: &Memory, name: &EdgeName, life: &Life) -> Result<(), String> {
    let mut kept = memory
        .edges_named(name)
        .filter(|edge| edge.life.removed_at.is_none());
    let Some(edge) = kept.find(|edge| edge.life.overlaps(life)) else {
        return Ok(());
    };
    let at = |word: &str, time: Option<u64>| time.map(|time| format!(", {word} {}", iso(time)));
    Err(format!(
        "Edge already exists: {} -[{}]-> {}, weight {}{}{}. Remove it first to change it",
        name.source_id,
        name.kind,
        name.target_id,
        edge.weight,
        at("from", edge.life.valid_from).unwrap_or_default(),
        at("to", edge.life.valid_to).unwrap_or_default(),
    ))
}
