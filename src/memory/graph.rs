//! `kn_graph`: nodes and edges.

use serde_json::json;

use crate::arguments::Arguments;
use crate::budget::{Page, Total, shown};
use crate::correct::{New, check_free, supersede};
use crate::draft::{Answer, Draft, VERSION};
use crate::index::Filter;
use crate::kept::namespace;
use crate::memory::Memory;
use crate::record::{Edge, EdgeName, Life, Node, Record};
use crate::results::{
    EdgeBase, EdgeDetails, GraphStatus, Hidden, ListedNode, NodeDetails, NodeItem, NodeList, Rank, Span,
};
use crate::search::{Search, View};
use crate::similar::like_node;
use crate::time::iso;
use crate::words::keywords;

pub(crate) const NAMESPACE: &str = "knowledge";
/// The most nodes that a new one is linked to automatically because they share words.
const AUTO_LINKS: usize = 4;
const AUTO_LINK: &str = "auto_related";
const AUTO_WEIGHT: f64 = 0.5;
/// The most words of a new node used to find nodes to link to.
const AUTO_WORDS: usize = 32;
/// The most namespaces listed in the status.
const NAMESPACES: usize = 30;

pub(crate) fn add(draft: &mut Draft, arguments: &Arguments) -> Answer {
    let life = draft.life(arguments)?;
    let mut node = Node {
        id: draft.new_id(),
        number: draft.number(),
        namespace: arguments.text("namespace").unwrap_or(NAMESPACE).to_string(),
        kind: arguments.required("type"),
        name: arguments.required("name"),
        description: arguments.text("description").map(str::to_string),
        properties: None,
        tags: arguments.texts("tags"),
        source_type: "manual".into(),
        updated_at: None,
        supersedes: None,
        life,
    };
    if let Some(old) = arguments.text("supersedes") {
        let new = New {
            node: &node.id,
            experience: &node.id,
        };
        supersede(draft, old, &new, arguments)?;
        node.supersedes = Some(old.to_string());
    }
    let about = format!(
        "{} {}",
        node.name,
        node.description.as_deref().unwrap_or_default()
    );
    auto_link(draft, &node, &about);
    draft.warnings = like_node(draft, &node);
    draft.insert(Record::Node(node.clone()));
    Ok(json!(NodeDetails {
        supersedes: node.supersedes.clone(),
        ..details(&node, Rank::default())
    }))
}

/// Link a new node to nodes of its namespace that share words with `about`.
pub(crate) fn auto_link(draft: &mut Draft, node: &Node, about: &str) {
    let mut words = keywords(about);
    words.retain(|word| word.chars().count() > 2 || !word.is_ascii());
    words.truncate(AUTO_WORDS);
    let nodes = &draft.memory.nodes;
    let now = draft.now;
    // What this call supersedes is no longer there.
    let gone: Vec<&String> = draft.changes.iter().map(|change| &change.key).collect();
    let mut found = nodes
        .current
        .any_of(&words, &[namespace(&node.namespace)], |number| {
            let seen = nodes
                .numbered(number)
                .filter(|other| other.life.seen_at(now, false));
            seen.is_some_and(|other| !gone.contains(&&format!("node/{}", other.id)))
        });
    found
        .entries
        .sort_by(|(one, score), (other, than)| than.total_cmp(score).then(other.cmp(one)));
    let linked: Vec<String> = found
        .entries
        .iter()
        .take(AUTO_LINKS)
        .filter_map(|(number, _)| nodes.numbered(*number))
        .map(|other| other.id.clone())
        .collect();
    for other in linked {
        let edge = Edge {
            source_id: node.id.clone(),
            target_id: other,
            kind: AUTO_LINK.into(),
            number: draft.number(),
            weight: AUTO_WEIGHT,
            properties: None,
            since: None,
            life: Life {
                created_at: draft.now,
                ..Life::default()
            },
        };
        draft.insert(Record::Edge(edge));
    }
}

pub(crate) fn connect(draft: &mut Draft, arguments: &Arguments) -> Answer {
    let name = EdgeName {
        source_id: arguments.required("source_id"),
        target_id: arguments.required("target_id"),
        kind: arguments.required("edge_type"),
    };
    for (end, id) in [("Source", &name.source_id), ("Target", &name.target_id)] {
        if node_now(draft, id).is_none() {
            return Err(format!("{end} node not found: {id}"));
        }
    }
    let weight = arguments.number("weight").unwrap_or(1.0);
    let life = draft.life(arguments)?;
    check_free(draft.memory, &name, &life)?;
    let later = later_ends(draft, &name, &life);
    let edge = make_edge(draft, name, weight, life);
    Ok(json!(EdgeDetails {
        edge: edge_base(&edge),
        properties: edge.properties,
        created_by: (),
        created_at: iso(edge.life.created_at),
        note: later,
    }))
}

/// What to know of an edge that begins before its nodes.
fn later_ends(draft: &Draft, name: &EdgeName, life: &Life) -> Option<String> {
    let ends = [&name.source_id, &name.target_id];
    let nodes = ends.iter().filter_map(|id| draft.memory.nodes.get(id));
    let last = nodes.max_by_key(|node| node.life.begins())?;
    let begins = last.life.begins();
    (begins > life.begins()).then(|| {
        format!(
            "as_of before {} does not show this edge: {} begins only then (add takes valid_from)",
            iso(begins),
            last.name
        )
    })
}

/// A new edge, beside earlier ones of the same name.
pub(crate) fn make_edge(draft: &mut Draft, name: EdgeName, weight: f64, life: Life) -> Edge {
    let since = next_since(draft.memory, &name, &life);
    let edge = Edge {
        source_id: name.source_id,
        target_id: name.target_id,
        kind: name.kind,
        number: draft.number(),
        weight,
        properties: None,
        since,
        life,
    };
    draft.insert(Record::Edge(edge.clone()));
    edge
}

/// What tells a new edge from the others of its name.
pub(crate) fn next_since(memory: &Memory, name: &EdgeName, life: &Life) -> Option<u64> {
    let taken: Vec<Option<u64>> = memory.edges_named(name).map(|edge| edge.since).collect();
    let mut times = (life.begins()..).map(Some);
    match taken.is_empty() {
        true => None,
        false => times.find(|since| !taken.contains(since)).flatten(),
    }
}

/// A node that is visible now.
pub(crate) fn node_now<'a>(draft: &Draft<'a, '_>, id: &str) -> Option<&'a Node> {
    draft
        .memory
        .nodes
        .get(id)
        .filter(|node| node.life.is_current() && node.life.begins() <= draft.now)
}

pub(crate) fn query(draft: &Draft, arguments: &Arguments) -> Answer {
    let view = View::new(draft, arguments);
    let (limit, offset) = page(arguments);
    let kind = arguments.text("node_type").map(|kind| Filter::new("type", kind));
    let tags = arguments.texts("tags").unwrap_or_default();
    let narrowed = filters(&view, kind, &tags);
    let item = |node: &Node, rank: Rank| {
        json!(match arguments.is_full() {
            true => ListedNode::Full(Box::new(details(node, rank))),
            false => ListedNode::Summary(summary(node)),
        })
    };
    let nodes = &draft.memory.nodes;
    let (items, total) = match arguments.text("text") {
        Some(text) => {
            let (found, all) = view.find_nodes(&Search::fitting(text), &narrowed);
            let total = if all {
                Total::Exactly(found.len())
            } else {
                Total::AtLeast(found.len())
            };
            let items = found.iter().skip(offset).take(limit);
            let items = items
                .filter_map(|one| Some(item(nodes.numbered(one.number)?, one.rank(arguments.is_full()))));
            (items.collect(), total)
        }
        None => {
            let (found, total) = newest(&view, &narrowed, offset + limit);
            let nodes = found
                .iter()
                .skip(offset)
                .filter_map(|number| nodes.numbered(*number));
            (nodes.map(|node| item(node, Rank::default())).collect(), total)
        }
    };
    let page = Page { items, offset, total };
    let (nodes, counts) = shown(&json!({}), page, arguments.budget());
    Ok(json!(NodeList { nodes, counts }))
}

/// The filters of a search, merged into as few as possible.
fn filters(view: &View, kind: Option<Filter>, tags: &[String]) -> Vec<Filter> {
    let tags = tags.iter().map(|tag| Filter::new("tag", tag));
    let mut filters = view.filters(None);
    match (filters.pop(), kind) {
        (Some(namespace), Some(kind)) => filters.push(Filter::both(&namespace, &kind)),
        (one, other) => filters.extend(one.or(other)),
    }
    filters.extend(tags);
    filters
}

/// The newest nodes, as many as wanted, and how many there are.
pub(crate) fn newest(view: &View, filters: &[Filter], wanted: usize) -> (Vec<u64>, Total) {
    let nodes = &view.memory.nodes;
    let accept = |number| nodes.numbered(number).is_some_and(|node| view.sees_node(node));
    if !view.past {
        let (found, all) = nodes.current.list(filters, wanted, accept);
        let total = match filters {
            _ if all => Total::Exactly(found.len()),
            [] if nodes.timed == 0 => Total::Exactly(nodes.current.len()),
            [one] if nodes.timed == 0 => Total::Exactly(nodes.current.count(one)),
            _ => Total::AtLeast(found.len() + 1),
        };
        return (found, total);
    }
    let (mut found, current) = nodes.current.list(filters, wanted, accept);
    let (past, all) = nodes.past.list(filters, wanted, accept);
    found.extend(past);
    found.sort_by(|one, other| other.cmp(one));
    let all = all && current && found.len() <= wanted;
    let total = if all {
        Total::Exactly(found.len())
    } else {
        Total::AtLeast(found.len())
    };
    found.truncate(wanted);
    (found, total)
}

pub(crate) fn page(arguments: &Arguments) -> (usize, usize) {
    (
        arguments.whole("limit").unwrap_or(10),
        arguments.whole("offset").unwrap_or(0),
    )
}

pub(crate) fn status(memory: &Memory) -> GraphStatus {
    let namespaces = memory.namespaces();
    let left_out = namespaces.len().saturating_sub(NAMESPACES);
    GraphStatus {
        nodes: memory.nodes.current.len(),
        edges: memory.current_edges(),
        experiences: memory.experiences.current.len(),
        projects: memory.projects.len(),
        ideas: memory.ideas.len(),
        namespaces: namespaces
            .iter()
            .take(NAMESPACES)
            .map(|(name, count)| (name.clone(), *count))
            .collect(),
        namespaces_left_out: Some(left_out).filter(|left_out| *left_out > 0),
        db_path: (),
        hidden: Hidden {
            nodes: memory.nodes.past.len(),
            experiences: memory.experiences.past.len(),
        },
    }
}

pub(crate) fn summary(node: &Node) -> NodeItem {
    NodeItem {
        _v: VERSION,
        id: node.id.clone(),
        name: node.name.clone(),
        kind: node.kind.clone(),
        span: Span::of(&node.life),
    }
}

pub(crate) fn details(node: &Node, rank: Rank) -> NodeDetails {
    NodeDetails {
        node: summary(node),
        namespace: node.namespace.clone(),
        description: node.description.clone(),
        properties: node.properties.clone(),
        tags: node.tags.clone(),
        visibility: "workspace",
        source_type: node.source_type.clone(),
        created_at: iso(node.life.created_at),
        updated_at: node.updated_at.map(iso),
        supersedes: None,
        rank,
    }
}

pub(crate) fn edge_base(edge: &Edge) -> EdgeBase {
    EdgeBase {
        source_id: edge.source_id.clone(),
        target_id: edge.target_id.clone(),
        kind: edge.kind.clone(),
        weight: edge.weight,
        span: Span::of(&edge.life),
    }
}
