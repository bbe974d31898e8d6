//! Nodes that are corrected.

use serde_json::json;

use crate::arguments::Arguments;
use crate::correct::learned_with;
use crate::draft::{Answer, Draft};
use crate::graph::details;
use crate::intel::learned_name;
use crate::record::{Experience, Life, Node, Record};
use crate::results::Rank;

/// Correct a node: it keeps its id and its edges. The experience that was learned with it says the same again.
pub(crate) fn update(draft: &mut Draft, arguments: &Arguments) -> Answer {
    let id = arguments.required("node_id");
    let own = ["name", "type", "description", "tags", "valid_from", "valid_to"];
    if !own.iter().any(|name| arguments.is_given(name)) {
        return Err(format!("Nothing to update: give {}", own.join(", ")));
    }
    let found = draft.memory.nodes.get(&id).filter(|node| node.life.is_current());
    let before = found.ok_or_else(|| format!("Node not found: {id}"))?;
    let learned = learned_with(draft.memory, before, Life::is_current);
    let (text, number) = (|name| arguments.text(name).map(str::to_owned), draft.number());
    let mut after = Node {
        number,
        kind: text("type").unwrap_or_else(|| before.kind.clone()),
        description: text("description").or_else(|| before.description.clone()),
        tags: arguments.texts("tags").or_else(|| before.tags.clone()),
        updated_at: Some(draft.now),
        ..before.clone()
    };
    after.life.valid_from = arguments.time("valid_from").or(after.life.valid_from);
    after.life.valid_to = arguments.time("valid_to").or(after.life.valid_to);
    if after.life.valid_to.is_some_and(|to| to <= after.life.begins()) {
        return Err("valid_to must be later than valid_from".into());
    }
    if let Some(one) = learned {
        if after.kind != before.kind {
            return Err(format!(
                "The type of {id} is that of what was learned: use supersedes to change it"
            ));
        }
        let changed = Experience {
            content: after.description.clone().unwrap_or_else(|| one.content.clone()),
            tags: after.tags.clone().unwrap_or_default(),
            life: Life {
                valid_from: after.life.valid_from,
                valid_to: after.life.valid_to,
                ..one.life.clone()
            },
            ..one.clone()
        };
        // Its name is the beginning of what was learned.
        if before.name == learned_name(one) {
            after.name = learned_name(&changed);
        }
        draft.replace(Record::Experience(one.clone()), Record::Experience(changed));
    }
    after.name = text("name").unwrap_or(after.name);
    draft.replace(Record::Node(before.clone()), Record::Node(after.clone()));
    Ok(json!(details(&after, Rank::default())))
}
