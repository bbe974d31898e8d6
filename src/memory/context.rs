//! `kn_intel context`: the part of the memory that some words are about.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::budget::{BESIDE, Total, room, say_total, tokens, within};
use crate::call::{Answer, Draft};
use crate::graph::{page, say_life};
use crate::intel::{LEAST, short_edge};
use crate::rank::{Candidate, round};
use crate::record::{Experience, Node};
use crate::search::{Search, View, with_rank};

/// Letters of the content in a summary.
const TOLD: usize = 200;
/// Edges of one node that are looked at.
const AROUND: usize = 64;
/// What a node that is found by its words is worth as context.
const ROUTED: f64 = 0.5;

pub(crate) fn context(draft: &Draft, arguments: &Arguments) -> Answer {
    let view = View::new(draft, arguments);
    let (limit, offset) = page(arguments);
    let full = arguments.is_full();
    let keywords = arguments.required("keywords");
    let search = Search::about(&keywords);
    let (found_nodes, all_nodes) = view.find_nodes(&search, &view.filters(None));
    let (found, all) = view.find_experiences(&search, &view.filters(None), LEAST);
    let nodes: Vec<(&Node, &Candidate)> = found_nodes
        .iter()
        .skip(offset)
        .take(limit)
        .filter_map(|one| Some((draft.memory.nodes.numbered(one.number)?, one)))
        .collect();
    let experiences = found.iter().skip(offset).take(limit).filter_map(|one| {
        let value = context_experience(&view, draft.memory.experiences.numbered(one.number)?, full);
        Some(if full { with_rank(value, one) } else { value })
    });
    let shown: Vec<Value> = nodes
        .iter()
        .map(|(node, one)| context_node(node, one, full))
        .collect();
    let experiences: Vec<Value> = experiences.collect();
    let mut reply = json!({
        "query": keywords,
        "detail": if full { "full" } else { "summary" },
    });
    let asked = shown.len() + experiences.len();
    let budget = arguments.budget();
    let mut left = budget.saturating_sub(tokens(&reply.to_string()));
    // Half of it for either; what one does not need is the other's.
    let wanted: usize = experiences.iter().map(|one| tokens(&one.to_string())).sum();
    let shown = room(shown, left.saturating_sub(wanted.min(left / 2)));
    left = left.saturating_sub(tokens(&json!(shown).to_string()));
    // Where there is hardly room for one more, nodes alone are shown.
    let experiences = if left > 2 * BESIDE || shown.is_empty() {
        room(experiences, left)
    } else {
        Vec::new()
    };
    left = left.saturating_sub(tokens(&json!(experiences).to_string()));
    let count = shown.len() + experiences.len();
    reply["count"] = json!(count);
    let total = found_nodes.len() + found.len();
    say_total(
        &mut reply,
        if all && all_nodes {
            Total::Exactly(total)
        } else {
            Total::AtLeast(total)
        },
    );
    if count < asked {
        reply["left_out"] = json!(asked - count);
        reply["hint"] = json!(format!(
            "The budget of {budget} tokens is used up: give a larger one, or limit and offset."
        ));
    } else if found_nodes.len().max(found.len()) > offset + limit {
        reply["next_offset"] = json!(offset + limit);
    }
    if full {
        let edges = between(&view, &nodes[..shown.len()]);
        reply["edges"] = json!(within(edges, left));
    }
    reply["nodes"] = json!(shown);
    reply["experiences"] = json!(experiences);
    Ok(reply)
}

/// The edges between the nodes that are shown.
fn between(view: &View, nodes: &[(&Node, &Candidate)]) -> Vec<Value> {
    let ids: HashSet<&str> = nodes.iter().map(|(node, _)| node.id.as_str()).collect();
    let edges = nodes.iter().flat_map(|(node, _)| {
        let edges = view.memory.edges_at(&node.id, None, view.past).take(AROUND);
        // Each once: at the node where it begins.
        edges.filter(|edge| {
            edge.source_id == node.id && ids.contains(edge.target_id.as_str()) && view.sees(&edge.life)
        })
    });
    edges.map(short_edge).collect()
}

fn context_node(node: &Node, one: &Candidate, full: bool) -> Value {
    let mut value = json!({ "id": node.id, "name": node.name, "type": node.kind, "confidence": ROUTED });
    if full {
        value["description"] = json!(node.description);
        value["tags"] = json!(node.tags);
        value["properties"] = json!(node.properties);
        value = with_rank(value, one);
    }
    say_life(&mut value, &node.life);
    value
}

fn context_experience(view: &View, one: &Experience, full: bool) -> Value {
    let content: String = if full {
        one.content.clone()
    } else {
        one.content.chars().take(TOLD).collect()
    };
    let mut value = json!({
        "id": one.id,
        "type": one.sort,
        "content": content,
        "relevance": round(view.relevance(one)),
    });
    if full {
        value["confidence"] = json!(one.confidence);
        value["tags"] = json!(one.tags);
        value["context"] = json!(one.context);
    }
    say_life(&mut value, &one.life);
    value
}
