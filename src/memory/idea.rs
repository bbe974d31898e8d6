//! `kn_idea`: ideas and their status.

use serde_json::json;

use crate::arguments::Arguments;
use crate::budget::{Page, Total, shown};
use crate::draft::{Answer, Draft};
use crate::graph::{make_edge, node_now, page};
use crate::memory::Memory;
use crate::record::{EdgeName, Idea, Life, Node, Record, Status};
use crate::results::{ChangedIdea, IdeaItem, IdeaList, Link, Removed, Restored};

/// The namespace of the nodes that stand for ideas, and the type of their edges.
const NAMESPACE: &str = "idea";
const LINK: &str = "idea_relates_to";

pub(crate) fn create(draft: &mut Draft, arguments: &Arguments) -> Answer {
    let idea = Idea {
        id: draft.new_id(),
        number: draft.number(),
        title: arguments.required("title"),
        status: Status::Draft,
        category: arguments.text("category").map(str::to_string),
        score: arguments.number("score"),
        created_at: draft.now,
        removed_at: None,
    };
    draft.insert(Record::Idea(idea.clone()));
    let link = link(draft, &idea, arguments);
    Ok(json!(ChangedIdea {
        idea: item(&idea),
        link
    }))
}

fn known<'a>(memory: &'a Memory, id: &str) -> Result<&'a Idea, String> {
    let found = memory.ideas.get(id);
    found.ok_or_else(|| format!("Idea not found: {id}"))
}

pub(crate) fn update(draft: &mut Draft, arguments: &Arguments) -> Answer {
    let id = arguments.required("idea_id");
    let before = known(draft.memory, &id)?;
    let status = arguments
        .text("status")
        .and_then(Status::read)
        .unwrap_or(before.status);
    if status != before.status && !before.status.next().contains(&status) {
        let mut allowed: Vec<String> = before
            .status
            .next()
            .iter()
            .map(|next| format!("'{}'", next.name()))
            .collect();
        allowed.sort();
        return Err(format!(
            "Invalid status transition from '{}' to '{}'. Allowed transitions: [{}]",
            before.status.name(),
            status.name(),
            allowed.join(", ")
        ));
    }
    let after = Idea {
        title: arguments.required("title"),
        status,
        category: arguments
            .text("category")
            .map(str::to_string)
            .or(before.category.clone()),
        score: arguments.number("score").or(before.score),
        ..before.clone()
    };
    draft.replace(Record::Idea(before.clone()), Record::Idea(after.clone()));
    if after.title != before.title
        && let Some(node) = draft.memory.nodes.get(&id)
    {
        let renamed = Node {
            name: after.title.clone(),
            updated_at: Some(draft.now),
            number: draft.number(),
            ..node.clone()
        };
        draft.replace(Record::Node(node.clone()), Record::Node(renamed));
    }
    let link = link(draft, &after, arguments);
    Ok(json!(ChangedIdea {
        idea: item(&after),
        link
    }))
}

/// Remove an idea, and the node that stands for it.
pub(crate) fn remove(draft: &mut Draft, arguments: &Arguments) -> Answer {
    let id = arguments.required("idea_id");
    let before = known(draft.memory, &id)?;
    let after = Idea {
        removed_at: Some(draft.now),
        ..before.clone()
    };
    draft.replace(Record::Idea(before.clone()), Record::Idea(after));
    let node = draft.memory.nodes.get(&id);
    if let Some(node) = node.filter(|node| node.life.removed_at.is_none()) {
        let mut gone = node.clone();
        gone.life.removed_at = Some(draft.now);
        draft.replace(Record::Node(node.clone()), Record::Node(gone));
    }
    Ok(json!(Removed::Idea { id }))
}

/// Bring back an idea, and the node that was removed with it.
pub(crate) fn restore(draft: &mut Draft, arguments: &Arguments) -> Answer {
    let id = arguments.required("idea_id");
    let Some(before) = draft.memory.removed_idea(&id) else {
        return Err(match draft.memory.ideas.contains_key(&id) {
            true => format!("Idea is not removed: {id}"),
            false => format!("Idea not found: {id}"),
        });
    };
    let after = Idea {
        removed_at: None,
        ..before.clone()
    };
    draft.replace(Record::Idea(before.clone()), Record::Idea(after));
    let node = draft.memory.nodes.get(&id);
    if let Some(node) = node.filter(|node| node.life.removed_at == before.removed_at) {
        let mut back = node.clone();
        back.life.removed_at = None;
        draft.replace(Record::Node(node.clone()), Record::Node(back));
    }
    Ok(json!(Restored::Idea { id }))
}

/// Link an idea to the node that the call names, through a node with the idea's id. If there is no such node,
/// the idea is kept unlinked and the reply says so.
fn link(draft: &mut Draft, idea: &Idea, arguments: &Arguments) -> Link {
    let Some(target) = arguments.text("link_to") else {
        return Link::default();
    };
    if node_now(draft, target).is_none() || target == idea.id {
        return Link {
            linked_to: Some(None),
            link_error: Some(format!("Node not found: {target}")),
        };
    }
    let life = Life {
        created_at: draft.now,
        ..Life::default()
    };
    match draft.memory.nodes.get(&idea.id) {
        None => {
            let node = Node {
                id: idea.id.clone(),
                number: draft.number(),
                namespace: NAMESPACE.into(),
                kind: "idea".into(),
                name: idea.title.clone(),
                description: None,
                properties: None,
                tags: None,
                source_type: "manual".into(),
                updated_at: None,
                supersedes: None,
                life: life.clone(),
            };
            draft.insert(Record::Node(node));
        }
        Some(node) if !node.life.is_current() => {
            let mut back = node.clone();
            back.name = idea.title.clone();
            back.life.removed_at = None;
            back.life.superseded_by = None;
            draft.replace(Record::Node(node.clone()), Record::Node(back));
        }
        Some(_) => {}
    }
    let name = EdgeName {
        source_id: idea.id.clone(),
        target_id: target.to_string(),
        kind: LINK.into(),
    };
    let linked = draft
        .memory
        .edges_named(&name)
        .any(|edge| edge.life.seen_at(draft.now, false));
    if !linked {
        make_edge(draft, name, 1.0, life);
    }
    Link {
        linked_to: Some(Some(target.to_string())),
        link_error: None,
    }
}

pub(crate) fn list(memory: &Memory, arguments: &Arguments) -> IdeaList {
    let (limit, offset) = page(arguments);
    let status = arguments.text("status").and_then(Status::read);
    let ranked = memory.ideas_by(status, arguments.text("category"));
    let ideas = ranked.into_iter().flat_map(|ranked| ranked.values());
    let items = ideas
        .skip(offset)
        .take(limit)
        .filter_map(|id| memory.ideas.get(id))
        .map(|idea| json!(item(idea)))
        .collect();
    let page = Page {
        items,
        offset,
        total: Total::Exactly(ranked.map_or(0, |ranked| ranked.len())),
    };
    let (ideas, counts) = shown(&json!({}), page, arguments.budget());
    IdeaList { ideas, counts }
}

fn item(idea: &Idea) -> IdeaItem {
    IdeaItem {
        id: idea.id.clone(),
        title: idea.title.clone(),
        status: idea.status,
        category: idea.category.clone(),
        score: idea.score,
    }
}
