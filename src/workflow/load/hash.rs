//! Hashes of a text and its parts, by which a run recognizes its own text.

use std::hash::Hasher;

use fnv::FnvHasher;

use super::keys::Keys;
use crate::fault::LoadFault;
use crate::json::Json;
use crate::model::{Target, Workflow};
use crate::yaml::{Tree, Yaml};

/// What all nodes share.
const SHARED: [&str; 6] = [
    "language",
    "book",
    "variables",
    "settings",
    "data",
    "state_schema",
];

pub fn fill(workflow: &mut Workflow, text: &str, items: &[Yaml], top: &Keys<'_>) -> Result<(), LoadFault> {
    let files = workflow.files.iter().flat_map(|(name, text)| [name, text]);
    workflow.text_hash = hash(std::iter::once(text.to_owned()).chain(files.cloned()));
    let shared = SHARED.map(|key| top.get(key).map(Yaml::to_json).unwrap_or_default().to_string());
    workflow.shared_hash = hash(shared);
    let edges = top.list("edges")?.unwrap_or_default();
    let names: Vec<String> = workflow.nodes.iter().map(|node| node.name.clone()).collect();
    for (node, item) in workflow.nodes.iter_mut().zip(items) {
        let own = edges.iter().filter(|edge| begins_at(edge, &node.name));
        let next = node.next.iter().map(|edge| match edge.to {
            Target::End => "__end__",
            Target::Node(index) => &names[index],
        });
        let used = super::uses::files(item, &workflow.files);
        let files = used.iter().filter_map(|name| workflow.files.get(name));
        let parts = std::iter::once(item.to_json().to_string())
            .chain(files.cloned())
            .chain(own.map(|edge| edge.to_json().to_string()))
            .chain(next.map(str::to_owned));
        node.hash = hash(parts);
    }
    Ok(())
}

fn begins_at(edge: &Yaml, name: &str) -> bool {
    let Tree::Map(entries) = &edge.tree else {
        return false;
    };
    let from = entries.iter().find(|entry| entry.key == "from");
    from.is_some_and(|from| from.value.tree == Tree::Scalar(Json::Text(name.to_owned())))
}

/// A hash of texts in their order.
pub(crate) fn hash(parts: impl IntoIterator<Item = String>) -> String {
    let mut hasher = FnvHasher::default();
    for part in parts {
        hasher.write(part.as_bytes());
        hasher.write_u8(0xff);
    }
    format!("{:016x}", hasher.finish())
}
