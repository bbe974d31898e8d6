//! `kn_intel`: learning and recalling across the whole memory.

use std::collections::{HashSet, VecDeque};

use serde_json::json;

use crate::arguments::Arguments;
use crate::budget::{Page, Total, shown};
use crate::correct::{New, supersede};
use crate::decay::Confidence;
use crate::draft::{Answer, Draft};
use crate::experience::{add_tags, browse, draft_of, how_kept, keep, twin};
use crate::graph::{auto_link, edge_base, newest, page, summary};
use crate::kept::normalized;
use crate::rank::{Candidate, round};
use crate::record::{Edge, Experience, Life, Node, Record};
use crate::results::{
    EdgeItem, Learned, Rank, Recalled, RecalledExperience, RecalledItem, RecalledNode, Related, RelatedItem,
    Span, StoredAs,
};
use crate::search::{Search, View};
use crate::similar::like_experience;

/// The name of a learned node is its content cut to this many letters.
const NAMED: usize = 60;
/// Less relevant experiences are left out, unless the call sets a relevance.
pub(crate) const LEAST: f64 = 0.1;
/// The most edges that a traversal examines.
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
    // The experience refers to its node, so the node's id is assigned first.
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
    if twin.is_none() {
        draft.warnings = like_experience(draft, &kept, "learn");
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
    Ok(json!(Learned {
        stored_as: match node_id {
            Some(_) => StoredAs::Node,
            None => StoredAs::Experience,
        },
        node_id,
        sort: kept.sort,
        confidence: kept.confidence,
        kept: how_kept(&kept, old),
        experience_id: kept.id,
    }))
}

/// The current node that says the same as an experience, if any.
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
    // The node's experience may have been pruned.
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

/// The name of the node for what was learned.
pub(crate) fn learned_name(experience: &Experience) -> String {
    let mut kind = experience.sort.name().to_string();
    kind[..1].make_ascii_uppercase();
    let begin: String = experience.content.chars().take(NAMED).collect();
    format!("{kind}: {begin}")
}

/// The node for what was learned.
fn learned(draft: &mut Draft, id: &str, kept: &Experience, old: Option<&str>) -> Node {
    Node {
        id: id.to_string(),
        number: draft.number(),
        namespace: kept.namespace.clone(),
        kind: learned_kind(kept),
        name: learned_name(kept),
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
    let (limit, offset) = page(arguments);
    // So that neither crowds out the other.
    let items = by_turns(vec![found.nodes, found.experiences], RecalledItem::is_over);
    let page = Page {
        items: items.skip(offset).take(limit).map(|item| json!(item)).collect(),
        offset,
        total: found.total,
    };
    let (results, counts) = shown(&json!({}), page, arguments.budget());
    Ok(json!(Recalled { results, counts }))
}

/// What a text is about, or everything if there is no text: nodes and experiences, each best first, and how
/// many.
pub(crate) struct Both {
    pub nodes: Vec<RecalledItem>,
    pub experiences: Vec<RecalledItem>,
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
            // A node stands for the experience that was learned with it.
            let told = |one: &Experience| one.node_id.as_deref().is_some_and(|id| view.node(id).is_some());
            let (found, all) = browse(&view, None, least, wanted, told);
            Both {
                nodes: found_nodes
                    .iter()
                    .filter_map(|number| {
                        Some(recalled_node(&view, nodes.numbered(*number)?, Rank::default()))
                    })
                    .collect(),
                experiences: found
                    .iter()
                    .filter_map(|number| {
                        let one = experiences.numbered(*number)?;
                        Some(recalled_experience(&view, one, Rank::default()))
                    })
                    .collect(),
                total: sum(total, all),
            }
        }
        Some(text) => {
            let search = Search::about(text);
            let (found_nodes, all_nodes) = view.find_nodes(&search, &view.filters(None));
            let (mut found, all) = view.find_experiences(&search, &view.filters(None), least);
            told_once(&view, &found_nodes, &mut found);
            let count = found_nodes.len() + found.len();
            Both {
                nodes: found_nodes
                    .iter()
                    .take(wanted)
                    .filter_map(|one| Some(recalled_node(&view, nodes.numbered(one.number)?, one.rank(full))))
                    .collect(),
                experiences: found
                    .iter()
                    .take(wanted)
                    .filter_map(|found| {
                        let one = experiences.numbered(found.number)?;
                        Some(recalled_experience(&view, one, found.rank(full)))
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

/// Leave out the experiences whose nodes are found, too: both say the same.
fn told_once(view: &View, nodes: &[Candidate], experiences: &mut Vec<Candidate>) {
    let ids = nodes
        .iter()
        .filter_map(|one| Some(view.memory.nodes.numbered(one.number)?.id.as_str()));
    let ids: HashSet<&str> = ids.collect();
    experiences.retain(|one| {
        let experience = view.memory.experiences.numbered(one.number);
        let node = experience.and_then(|one| one.node_id.as_deref());
        !node.is_some_and(|id| ids.contains(id))
    });
}

pub(crate) fn sum(one: Total, other: Total) -> Total {
    match (one, other) {
        (Total::Exactly(one), Total::Exactly(other)) => Total::Exactly(one + other),
        (Total::Exactly(one) | Total::AtLeast(one), Total::Exactly(other) | Total::AtLeast(other)) => {
            Total::AtLeast(one + other)
        }
    }
}

/// Interleave: the first of each list, then the second of each, and so on. What is over comes after all that is not.
pub(crate) fn by_turns<T>(lists: Vec<Vec<T>>, is_over: impl Fn(&T) -> bool) -> impl Iterator<Item = T> {
    let mut lists: Vec<_> = lists.into_iter().map(Vec::into_iter).collect();
    let round = move || {
        let round: Vec<T> = lists.iter_mut().filter_map(Iterator::next).collect();
        (!round.is_empty()).then_some(round)
    };
    let (over, holding): (Vec<T>, Vec<T>) = std::iter::from_fn(round).flatten().partition(is_over);
    holding.into_iter().chain(over)
}

fn recalled_node(view: &View, node: &Node, rank: Rank) -> RecalledItem {
    RecalledItem::Node(RecalledNode {
        id: node.id.clone(),
        name: node.name.clone(),
        kind: node.kind.clone(),
        description: node.description.clone(),
        relevance: 1.0,
        over: view.is_over(&node.life),
        span: Span::of(&node.life),
        rank,
    })
}

fn recalled_experience(view: &View, one: &Experience, rank: Rank) -> RecalledItem {
    RecalledItem::Experience(RecalledExperience {
        id: one.id.clone(),
        sort: one.sort,
        content: one.content.clone(),
        confidence: one.confidence,
        relevance: round(view.relevance(one)),
        over: view.is_over(&one.life),
        span: Span::of(&one.life),
        rank,
    })
}

/// The nodes around one, nearest first, each with the edge that led to it.
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
    // One more than wanted, to know whether there are more.
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
            items.push(RelatedItem {
                node: summary(other),
                depth: at + 1,
                edge: edge_item(edge),
            });
            if items.len() > offset + limit {
                all = false;
                break 'walk;
            }
            queue.push_back((other, at + 1));
        }
    }
    let total = if all {
        Total::Exactly(items.len())
    } else {
        Total::AtLeast(items.len())
    };
    let items = items.into_iter().skip(offset).take(limit);
    let page = Page {
        items: items.map(|item| json!(item)).collect(),
        offset,
        total,
    };
    let (results, counts) = shown(&json!({}), page, arguments.budget());
    Ok(json!(Related { results, counts }))
}

pub(crate) fn edge_item(edge: &Edge) -> EdgeItem {
    EdgeItem {
        edge: edge_base(edge),
        properties: edge.properties.clone(),
    }
}
