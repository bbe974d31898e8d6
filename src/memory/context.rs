//! `kn_intel context`: the part of the memory that given words are about.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::budget::{BESIDE, Total, room, tokens, within};
use crate::draft::{Answer, Draft};
use crate::graph::page;
use crate::intel::{LEAST, edge_item};
use crate::rank::{Candidate, round};
use crate::record::{Experience, Node};
use crate::results::{
    Context, ContextExperience, ContextExperienceDetails, ContextHead, ContextNode, ContextNodeDetails,
    Counts, Detail, Rank, Span,
};
use crate::search::{Search, View};

/// A summary cuts the content to this many letters.
const SUMMARY: usize = 200;
/// The most edges of one node that are examined.
const AROUND: usize = 64;
/// The confidence of a node found by its words.
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
        let experience = draft.memory.experiences.numbered(one.number)?;
        Some(json!(context_experience(&view, experience, full, one.rank(full))))
    });
    let shown: Vec<Value> = nodes
        .iter()
        .map(|(node, one)| json!(context_node(node, full, one.rank(full))))
        .collect();
    let experiences: Vec<Value> = experiences.collect();
    let head = ContextHead {
        query: keywords,
        detail: if full { Detail::Full } else { Detail::Summary },
    };
    let asked = shown.len() + experiences.len();
    let budget = arguments.budget();
    let mut left = budget.saturating_sub(tokens(&json!(head).to_string()));
    // Nodes and experiences get half each; what one does not need goes to the other.
    let wanted: usize = experiences.iter().map(|one| tokens(&one.to_string())).sum();
    let shown = room(shown, left.saturating_sub(wanted.min(left / 2)));
    left = left.saturating_sub(tokens(&json!(shown).to_string()));
    // If there is hardly room for one more item, show nodes only.
    let experiences = if left > 2 * BESIDE || shown.is_empty() {
        room(experiences, left)
    } else {
        Vec::new()
    };
    left = left.saturating_sub(tokens(&json!(experiences).to_string()));
    let count = shown.len() + experiences.len();
    let total = match found_nodes.len() + found.len() {
        total if all && all_nodes => Total::Exactly(total),
        total => Total::AtLeast(total),
    };
    let left_out = Some(asked - count).filter(|left_out| *left_out > 0);
    let more = left_out.is_none() && found_nodes.len().max(found.len()) > offset + limit;
    let counts = Counts {
        count,
        total: total.exactly(),
        total_at_least: total.at_least(),
        left_out,
        hint: left_out.map(|_| {
            format!("The budget of {budget} tokens is used up: give a larger one, or limit and offset.")
        }),
        next_offset: more.then_some(offset + limit),
    };
    let edges = full.then(|| within(between(&view, &nodes[..shown.len()]), left));
    Ok(json!(Context {
        head,
        nodes: shown,
        experiences,
        edges,
        counts,
    }))
}

/// The edges between the nodes shown.
fn between(view: &View, nodes: &[(&Node, &Candidate)]) -> Vec<Value> {
    let ids: HashSet<&str> = nodes.iter().map(|(node, _)| node.id.as_str()).collect();
    let edges = nodes.iter().flat_map(|(node, _)| {
        let edges = view.memory.edges_at(&node.id, None, view.past).take(AROUND);
        // List each edge once, at its source.
        edges.filter(|edge| {
            edge.source_id == node.id && ids.contains(edge.target_id.as_str()) && view.sees(&edge.life)
        })
    });
    edges.map(|edge| json!(edge_item(edge))).collect()
}

fn context_node(node: &Node, full: bool, rank: Rank) -> ContextNode {
    let details = full.then(|| ContextNodeDetails {
        description: Some(node.description.clone()),
        tags: Some(node.tags.clone()),
        properties: Some(node.properties.clone()),
    });
    ContextNode {
        id: node.id.clone(),
        name: node.name.clone(),
        kind: node.kind.clone(),
        confidence: ROUTED,
        details: details.unwrap_or_default(),
        span: Span::of(&node.life),
        rank,
    }
}

fn context_experience(view: &View, one: &Experience, full: bool, rank: Rank) -> ContextExperience {
    let content = match full {
        true => one.content.clone(),
        false => one.content.chars().take(SUMMARY).collect(),
    };
    let details = full.then(|| ContextExperienceDetails {
        confidence: Some(one.confidence),
        tags: Some(one.tags.clone()),
        context: Some(one.context.clone()),
    });
    ContextExperience {
        id: one.id.clone(),
        sort: one.sort,
        content,
        relevance: round(view.relevance(one)),
        details: details.unwrap_or_default(),
        span: Span::of(&one.life),
        rank,
    }
}
