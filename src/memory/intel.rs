//! `kn_intel`: learning and recalling over all that is remembered.

use std::collections::{HashSet, VecDeque};

use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::budget::{Page, Total, list};
use crate::call::{Answer, Draft};
use crate::correct::{New, supersede};
use crate::decay::Confidence;
use crate::experience::{add_tags, browse, draft_of, keep, say_kept, twin};
use crate::graph::{auto_link, edge_value, newest, page, say_life, summary};
use crate::kept::normalized;
use crate::rank::{Candidate, round};
use crate::record::{Edge, Experience, Life, Node, Record};
use crate::search::{Search, View, with_rank};

/// Letters of the content in the name of a node that is learned.
const NAMED: usize = 60;
/// Experiences less relevant than this are not told where none were asked for by their relevance.
pub(crate) const LEAST: f64 = 0.1;
/// Edges that a traversal looks at.
const WALKED: usize = 20_000;

pub(crate) fn learn(draft: &mut Draft, arguments: &Arguments) -> Answer {
    let new = draft_of(draft, arguments)?;
    let old = arguments.text("supersedes");
    let twin = twin(draft, &new, old, |_| true);
    let sure =
        new.confidence == Confidence::High || twin.is_some_and(|twin| twin.confidence == Confidence::High);
    let known = if sure {
        node_of(draft, &new, twin, old)
    } else {
        None
    };
    // A node gets its id before the experience is kept, which names it.
    let node_id = match known {
        Some(node) => Some(node.id.clone()),
        None => sure.then(|| draft.new_id()),
    };
    let mut kept = keep(draft, new, twin, old)?;
    if kept.node_id != node_id && node_id.is_some() {
        let before = kept.clone();
        kept.node_id = node_id.clone();
        draft.replace(Record::Experience(before), Record::Experience(kept.clone()));
    }
    if let Some(old) = old {
        let new = New {
            node: node_id.as_deref().unwrap_or(&kept.id),
            experience: &kept.id,
        };
        supersede(draft, old, &new, arguments)?;
    }
    match (known, &node_id) {
        (Some(node), _) => strengthen(draft, node, &kept),
        (None, Some(id)) => {
            let node = learned(draft, id, &kept, old);
            auto_link(draft, &node, &kept.content);
            draft.insert(Record::Node(node));
        }
        (None, None) => {}
    }
    let mut reply = json!({
        "stored_as": if node_id.is_some() { "node" } else { "experience" },
        "node_id": node_id,
        "experience_id": kept.id,
        "type": kept.sort,
        "confidence": kept.confidence,
    });
    say_kept(&mut reply, &kept, old);
    Ok(reply)
}

/// The node that says the same as an experience, if there is one now.
fn node_of<'a>(
    draft: &Draft<'a, '_>,
    new: &Experience,
    twin: Option<&Experience>,
    old: Option<&str>,
) -> Option<&'a Node> {
    let nodes = &draft.memory.nodes;
    let there = |node: &&Node| node.life.seen_at(draft.now, false) && Some(node.id.as_str()) != old;
    let of_twin = twin
        .and_then(|twin| nodes.get(twin.node_id.as_deref()?))
        .filter(there);
    // The experience of a node may have been pruned.
    let replaced = old.and_then(|old| draft.memory.experiences.get(old)?.node_id.as_deref());
    let kind = learned_kind(new);
    of_twin.or_else(|| {
        let mut same = nodes.same(&kind, &new.content).filter(there);
        same.find(|node| {
            let description = node.description.as_deref().unwrap_or_default();
            node.kind == kind
                && node.namespace == new.namespace
                && normalized(description) == normalized(&new.content)
                && Some(node.id.as_str()) != replaced
        })
    })
}

fn learned_kind(experience: &Experience) -> String {
    format!("learned_{}", experience.sort.name())
}

/// The node for what was learned.
fn learned(draft: &mut Draft, id: &str, kept: &Experience, old: Option<&str>) -> Node {
    let mut kind = kept.sort.name().to_string();
    kind[..1].make_ascii_uppercase();
    let begin: String = kept.content.chars().take(NAMED).collect();
    Node {
        id: id.to_string(),
        number: draft.number(),
        namespace: kept.namespace.clone(),
        kind: learned_kind(kept),
        name: format!("{kind}: {begin}"),
        description: Some(kept.content.clone()),
        properties: None,
        tags: (!kept.tags.is_empty()).then(|| kept.tags.clone()),
        source_type: "learn".into(),
        updated_at: None,
        supersedes: old.map(str::to_string),
        life: Life {
            created_at: draft.now,
            valid_from: kept.life.valid_from,
            valid_to: kept.life.valid_to,
            ..Life::default()
        },
    }
}

fn strengthen(draft: &mut Draft, node: &Node, kept: &Experience) {
    let mut after = node.clone();
    after.number = draft.number();
    after.updated_at = Some(draft.now);
    let mut tags = after.tags.take().unwrap_or_default();
    add_tags(&mut tags, kept.tags.clone());
    after.tags = (!tags.is_empty()).then_some(tags);
    after.life.valid_from = kept.life.valid_from.or(after.life.valid_from);
    after.life.valid_to = kept.life.valid_to.or(after.life.valid_to);
    draft.replace(Record::Node(node.clone()), Record::Node(after));
}

pub(crate) fn recall(draft: &Draft, arguments: &Arguments) -> Answer {
    let least = arguments.number("min_relevance").unwrap_or(0.0);
    let found = find(draft, arguments, arguments.text("topic"), least);
    Ok(merged(arguments, found))
}

/// What a text is about, or all where there is none: nodes and experiences, the best of each first, and how many.
pub(crate) struct Both {
    pub nodes: Vec<Value>,
    pub experiences: Vec<Value>,
    pub total: Total,
}

pub(crate) fn find(draft: &Draft, arguments: &Arguments, about: Option<&str>, least: f64) -> Both {
    let view = View::new(draft, arguments);
    let (limit, offset) = page(arguments);
    let wanted = offset + limit;
    let (nodes, experiences) = (&draft.memory.nodes, &draft.memory.experiences);
    let full = arguments.is_full();
    match about {
        None => {
            let (found_nodes, total) = newest(&view, &view.filters(None), wanted);
            let (found, all) = browse(&view, None, least, wanted);
            Both {
                nodes: found_nodes
                    .iter()
                    .filter_map(|number| Some(node_result(nodes.numbered(*number)?)))
                    .collect(),
                experiences: found
                    .iter()
                    .filter_map(|number| Some(experience_result(&view, experiences.numbered(*number)?)))
                    .collect(),
                total: sum(total, all),
            }
        }
        Some(text) => {
            let search = Search::about(text);
            let (found_nodes, all_nodes) = view.find_nodes(&search, &view.filters(None));
            let (found, all) = view.find_experiences(&search, &view.filters(None), least);
            let count = found_nodes.len() + found.len();
            let ranked = |value: Value, one: &Candidate| if full { with_rank(value, one) } else { value };
            Both {
                nodes: found_nodes
                    .iter()
                    .take(wanted)
                    .filter_map(|one| Some(ranked(node_result(nodes.numbered(one.number)?), one)))
                    .collect(),
                experiences: found
                    .iter()
                    .take(wanted)
                    .filter_map(|one| {
                        Some(ranked(
                            experience_result(&view, experiences.numbered(one.number)?),
                            one,
                        ))
                    })
                    .collect(),
                total: if all && all_nodes {
                    Total::Exactly(count)
                } else {
                    Total::AtLeast(count)
                },
            }
        }
    }
}

pub(crate) fn sum(one: Total, other: Total) -> Total {
    match (one, other) {
        (Total::Exactly(one), Total::Exactly(other)) => Total::Exactly(one + other),
        (Total::Exactly(one) | Total::AtLeast(one), Total::Exactly(other) | Total::AtLeast(other)) => {
            Total::AtLeast(one + other)
        }
    }
}

/// Nodes and experiences by turns, so that neither crowd the others out.
fn merged(arguments: &Arguments, found: Both) -> Value {
    let (limit, offset) = page(arguments);
    let items = by_turns(vec![found.nodes, found.experiences]);
    let page = Page {
        items: items.into_iter().skip(offset).take(limit).collect(),
        offset,
        total: found.total,
    };
    list(json!({}), "results", page, arguments.budget())
}

/// The first of each, then the second of each, and so on.
pub(crate) fn by_turns(lists: Vec<Vec<Value>>) -> Vec<Value> {
    let mut lists: Vec<_> = lists.into_iter().map(Vec::into_iter).collect();
    let mut turns = Vec::new();
    loop {
        let round: Vec<Value> = lists.iter_mut().filter_map(Iterator::next).collect();
        if round.is_empty() {
            return turns;
        }
        turns.extend(round);
    }
}

fn node_result(node: &Node) -> Value {
    let mut value = json!({
        "source": "node",
        "id": node.id,
        "name": node.name,
        "type": node.kind,
        "description": node.description,
        "relevance": 1.0,
    });
    say_life(&mut value, &node.life);
    value
}

fn experience_result(view: &View, one: &Experience) -> Value {
    let mut value = json!({
        "source": "experience",
        "id": one.id,
        "type": one.sort,
        "content": one.content,
        "confidence": one.confidence,
        "relevance": round(view.relevance(one)),
    });
    say_life(&mut value, &one.life);
    value
}

/// The nodes around one, the nearest first, each with the edge by which it was reached.
pub(crate) fn related(draft: &Draft, arguments: &Arguments) -> Answer {
    let view = View::new(draft, arguments);
    let (limit, offset) = page(arguments);
    let depth = arguments.whole("depth").unwrap_or(1);
    let (start, kind) = (arguments.required("node_id"), arguments.text("edge_type"));
    let mut items = Vec::new();
    let mut reached: HashSet<&str> = HashSet::new();
    let mut queue = VecDeque::new();
    if let Some(node) = view.node(&start) {
        reached.insert(&node.id);
        queue.push_back((node, 0));
    }
    let (mut walked, mut all) = (0, true);
    'walk: while let Some((node, at)) = queue.pop_front() {
        if at == depth {
            continue;
        }
        for (edge, other) in view.edges_at(&node.id, kind) {
            walked += 1;
            if walked > WALKED {
                all = false;
                break 'walk;
            }
            if !reached.insert(&other.id) {
                continue;
            }
            if items.len() == offset + limit {
                all = false;
                items.push(Value::Null);
                break 'walk;
            }
            items.push(json!({ "node": summary(other), "depth": at + 1, "edge": short_edge(edge) }));
            queue.push_back((other, at + 1));
        }
    }
    let total = if all {
        Total::Exactly(items.len())
    } else {
        Total::AtLeast(items.len())
    };
    let items = items.into_iter().skip(offset).take(limit).collect();
    Ok(list(
        json!({}),
        "results",
        Page { items, offset, total },
        arguments.budget(),
    ))
}

pub(crate) fn short_edge(edge: &Edge) -> Value {
    let mut value = edge_value(edge);
    if let Value::Object(fields) = &mut value {
        fields.retain(|name, value| !(value.is_null() || name == "created_at"));
    }
    value
}
