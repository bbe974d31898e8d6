//! What a read call may see, and how it finds it.

use std::rc::Rc;

use crate::arguments::Arguments;
use crate::decay::{Confidence, relevance};
use crate::draft::Draft;
use crate::index::Filter;
use crate::kept::{Kept, namespace};
use crate::meaning::Near;
use crate::memory::Memory;
use crate::rank::{Candidate, NEAR, RANKED, add_near, fuse, with_neighbours};
use crate::record::{Edge, Experience, Life, Node};
use crate::terms::Query;
use crate::words::keywords;

/// How many nodes pass on their score, and to how many neighbors each.
const LINKED: usize = 32;
const NEIGHBOURS: usize = 16;
/// The share of its score that a node passes on along an edge of weight 1.
const BY_EDGE: f32 = 0.3;
/// The shares of the score that come from the entries before and after, by distance: what was said before
/// something tells more about it than what was said after.
const BEFORE: [f32; 2] = [0.6, 0.3];
const AFTER: [f32; 2] = [0.3, 0.3];
/// Entries recorded within this many milliseconds of each other belong together.
const TOGETHER_MS: u64 = 3_600_000;

/// The rate per day at which the recency of nodes falls (nodes themselves do not fade): by half in 200 days.
const FRESH: f64 = std::f64::consts::LN_2 / 200.0;

/// What a call sees: the memory at a time, in one namespace or in all.
pub(crate) struct View<'a> {
    pub memory: &'a Memory,
    pub at: u64,
    /// Whether superseded and no longer valid records are visible, too.
    stale: bool,
    /// Whether records that are not current must be examined.
    pub past: bool,
    namespace: Option<&'a str>,
    near: Option<Rc<Near>>,
}

impl<'a> View<'a> {
    pub fn new(draft: &Draft<'a, '_>, arguments: &'a Arguments) -> View<'a> {
        let (as_of, stale) = (arguments.time("as_of"), arguments.flag("stale"));
        View {
            memory: draft.memory,
            at: as_of.unwrap_or(draft.now),
            stale,
            past: stale || as_of.is_some(),
            namespace: arguments.text("namespace"),
            near: draft.near.clone(),
        }
    }

    /// Everything that is current.
    pub fn now(memory: &'a Memory, now_ms: u64) -> View<'a> {
        View {
            memory,
            at: now_ms.max(memory.latest()),
            stale: false,
            past: false,
            namespace: None,
            near: None,
        }
    }

    pub fn sees(&self, life: &Life) -> bool {
        life.seen_at(self.at, self.stale)
    }

    pub fn sees_node(&self, node: &Node) -> bool {
        self.sees(&node.life) && self.namespace.is_none_or(|name| name == node.namespace)
    }

    pub fn sees_experience(&self, experience: &Experience) -> bool {
        self.sees(&experience.life) && self.namespace.is_none_or(|name| name == experience.namespace)
    }

    pub fn node(&self, id: &str) -> Option<&'a Node> {
        self.memory.nodes.get(id).filter(|node| self.sees_node(node))
    }

    /// The visible edges at a node, with the nodes at their other ends.
    pub fn edges_at(&self, id: &'a str, kind: Option<&str>) -> impl Iterator<Item = (&'a Edge, &'a Node)> {
        let edges = self.memory.edges_at(id, kind, self.past);
        edges
            .filter(|edge| self.sees(&edge.life))
            .filter_map(move |edge| {
                let other = if edge.source_id == id {
                    &edge.target_id
                } else {
                    &edge.source_id
                };
                Some((edge, self.node(other)?))
            })
    }

    /// The filter for the namespace, and others.
    pub fn filters(&self, others: impl IntoIterator<Item = Filter>) -> Vec<Filter> {
        self.namespace.map(namespace).into_iter().chain(others).collect()
    }

    pub fn relevance(&self, experience: &Experience) -> f64 {
        let rate = self
            .memory
            .half_lives
            .rate(experience.sort, experience.confidence);
        // If it was recorded again after `at`, when it was learned before that is not known.
        relevance(rate, experience.learned_at.min(self.at), self.at)
    }

    /// The nodes that a search finds, best first, and whether those are all.
    pub fn find_nodes(&self, search: &Search, filters: &[Filter]) -> (Vec<Candidate>, bool) {
        let nodes = &self.memory.nodes;
        let plain = !self.past && nodes.timed == 0;
        let accept = |number| plain || nodes.numbered(number).is_some_and(|node| self.sees_node(node));
        let (entries, all) = self.find(nodes, search, filters, &accept);
        let mut candidates = with_neighbours(entries, LINKED, |number| self.linked(number));
        if let (Some(near), Search::About(_)) = (&self.near, search) {
            let seen = |number| nodes.numbered(number).is_some_and(|node| self.sees_node(node));
            add_near(&mut candidates, &near.nodes, seen);
        }
        for one in candidates.iter_mut().take(RANKED + NEAR) {
            let Some(node) = nodes.numbered(one.number) else {
                continue;
            };
            one.recency = relevance(FRESH, node.updated_at.unwrap_or(node.life.created_at), self.at);
            one.confidence = 1.0;
        }
        fuse(&mut candidates);
        self.put_over_last(&mut candidates, |number| {
            nodes.numbered(number).map(|node| &node.life)
        });
        (candidates, all)
    }

    /// Put what no longer holds behind what does.
    fn put_over_last<'l>(&self, candidates: &mut [Candidate], life: impl Fn(u64) -> Option<&'l Life>) {
        if self.stale {
            candidates.sort_by_key(|one| life(one.number).is_some_and(|life| self.is_over(life)));
        }
    }

    /// Whether it is superseded or no longer valid.
    pub fn is_over(&self, life: &Life) -> bool {
        !life.seen_at(self.at, false)
    }

    /// A node's neighbors, each with its share of the node's score.
    fn linked(&self, number: u64) -> Vec<(u64, f32)> {
        let Some(node) = self.memory.nodes.numbered(number) else {
            return Vec::new();
        };
        let edges = self.memory.edges_at(&node.id, None, self.past).take(NEIGHBOURS);
        edges
            .filter(|edge| self.sees(&edge.life) && edge.source_id != edge.target_id)
            .filter_map(|edge| {
                let other = if edge.source_id == node.id {
                    &edge.target_id
                } else {
                    &edge.source_id
                };
                Some((self.memory.nodes.get(other)?.number, BY_EDGE * edge.weight as f32))
            })
            .collect()
    }

    /// The experiences that a search finds, best first, and whether those are all.
    pub fn find_experiences(
        &self,
        search: &Search,
        filters: &[Filter],
        least: f64,
    ) -> (Vec<Candidate>, bool) {
        let experiences = &self.memory.experiences;
        let plain = !self.past && experiences.timed == 0 && least <= 0.0;
        let accept = |number| {
            let one = experiences.numbered(number);
            plain || one.is_some_and(|one| self.sees_experience(one) && self.relevance(one) >= least)
        };
        let (entries, all) = self.find(experiences, search, filters, &accept);
        let mut candidates = with_neighbours(entries, RANKED, |number| self.learned_beside(number));
        if let (Some(near), Search::About(_)) = (&self.near, search) {
            let seen = |one: &Experience| self.sees_experience(one) && self.relevance(one) >= least;
            let seen = |number| experiences.numbered(number).is_some_and(seen);
            add_near(&mut candidates, &near.experiences, seen);
        }
        for one in &mut candidates {
            let Some(experience) = experiences.numbered(one.number) else {
                continue;
            };
            one.recency = self.relevance(experience);
            one.confidence = match experience.confidence {
                Confidence::High => 1.0,
                Confidence::Medium => 0.5,
                Confidence::Low => 0.25,
            };
        }
        fuse(&mut candidates);
        self.put_over_last(&mut candidates, |number| {
            experiences.numbered(number).map(|one| &one.life)
        });
        (candidates, all)
    }

    /// The experiences recorded just before and after one.
    fn learned_beside(&self, number: u64) -> Vec<(u64, f32)> {
        let kept = &self.memory.experiences;
        let Some(one) = kept.numbered(number) else {
            return Vec::new();
        };
        let together = |(number, id): (&u64, &String)| {
            let other = kept.get(id)?;
            let near = other.life.created_at.abs_diff(one.life.created_at) <= TOGETHER_MS;
            (near && other.namespace == one.namespace).then_some(*number)
        };
        let later = kept.by_number.range(number + 1..).map_while(together).zip(BEFORE);
        let earlier = kept
            .by_number
            .range(..number)
            .rev()
            .map_while(together)
            .zip(AFTER);
        later.chain(earlier).collect()
    }

    fn find<R>(
        &self,
        kept: &Kept<R>,
        search: &Search,
        filters: &[Filter],
        accept: &dyn Fn(u64) -> bool,
    ) -> (Vec<(u64, f32)>, bool) {
        let mut found = search.on(&kept.current, filters, accept);
        if self.past {
            let past = search.on(&kept.past, filters, accept);
            found.entries.extend(past.entries);
            found.all &= past.all;
        }
        (found.entries, found.all)
    }
}

/// What to search for.
pub(crate) enum Search {
    /// Text that must match as a whole.
    Fitting(Query),
    /// Text of which any word may match.
    About(Vec<String>),
}

impl Search {
    pub fn fitting(text: &str) -> Search {
        Search::Fitting(Query::read(text))
    }

    pub fn about(text: &str) -> Search {
        Search::About(keywords(text))
    }

    fn on(
        &self,
        index: &crate::index::Index,
        filters: &[Filter],
        accept: &dyn Fn(u64) -> bool,
    ) -> crate::index::Found {
        match self {
            Search::Fitting(query) => index.matching(query, filters, accept),
            Search::About(stems) => index.any_of(stems, filters, accept),
        }
    }
}
