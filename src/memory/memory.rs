//! The memory: records and the indexes over them, updated change by change.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hasher;

use serde_json::Value;

use crate::around::Around;
use crate::decay::{Confidence, HalfLives, Sort};
use crate::kept::Kept;
use crate::record::{
    Change, Edge, EdgeId, EdgeName, Experience, Idea, LogEntry, Node, Project, Record, Status,
};

/// All that is remembered: a projection of its records that can be rebuilt from them at any time.
#[derive(Default)]
pub struct Memory {
    pub(crate) half_lives: HalfLives,
    pub(crate) nodes: Kept<Node>,
    pub(crate) experiences: Kept<Experience>,
    edges: HashMap<u64, Edge>,
    /// The edges of each name: their numbers by `since`.
    edge_numbers: HashMap<EdgeName, BTreeMap<Option<u64>, u64>>,
    /// Edges that are not removed.
    current_edges: usize,
    /// Edges by node, then by number: in total and by type, with current ones separate from the rest.
    around: HashMap<String, Around>,
    /// Current experiences, grouped by how fast they fade, then sorted by when they were learned.
    pub(crate) fading: BTreeMap<(Sort, Confidence), BTreeSet<(u64, u64)>>,
    pub(crate) projects: HashMap<String, Project>,
    pub(crate) projects_by_number: BTreeMap<u64, String>,
    pub(crate) active_project: Option<String>,
    pub(crate) logs: HashMap<String, BTreeMap<u64, LogEntry>>,
    log_entries: HashMap<String, (String, u64)>,
    pub(crate) ideas: HashMap<String, Idea>,
    /// Projects and ideas that were removed; the other fields do not have them.
    removed_projects: HashMap<String, Project>,
    removed_ideas: HashMap<String, Idea>,
    /// Ideas under each filter they pass, best first.
    ranked_ideas: HashMap<IdeaFilter, BTreeMap<IdeaRank, String>>,
    namespaces: BTreeMap<String, usize>,
    next_number: u64,
    latest: u64,
}

type IdeaFilter = (Option<Status>, Option<String>);
/// Higher scores first, unscored ones last; then the newer.
type IdeaRank = (i64, std::cmp::Reverse<u64>);

fn rank(idea: &Idea) -> IdeaRank {
    let score = idea.score.map_or(i64::MAX, |score| {
        let bits = score.to_bits() as i64;
        // Maps floats to integers in the same order.
        let order = bits ^ (((bits >> 63) as u64) >> 1) as i64;
        (!order).min(i64::MAX - 1)
    });
    (score, std::cmp::Reverse(idea.number))
}

fn filters(idea: &Idea) -> Vec<IdeaFilter> {
    let mut filters = vec![(None, None), (Some(idea.status), None)];
    if let Some(category) = &idea.category {
        filters.push((None, Some(category.clone())));
        filters.push((Some(idea.status), Some(category.clone())));
    }
    filters
}

impl std::hash::Hash for Status {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (*self as u8).hash(state);
    }
}

impl Memory {
    pub fn new(half_lives: HalfLives) -> Memory {
        Memory {
            half_lives,
            ..Memory::default()
        }
    }

    /// Load a record from its text; the error is a sentence if it is not a record.
    pub fn load(&mut self, key: &str, text: &str) -> Result<(), String> {
        self.put(key, Some(Record::read_text(key, text)?));
        Ok(())
    }

    /// Apply a change: from now on, the record under its key is `after`. Applying it again has no effect. If
    /// `after` is not a record, nothing changes and the error is a sentence.
    pub fn apply(&mut self, change: &Change) -> Result<(), String> {
        let after = match &change.after {
            Some(value) => Some(Record::read(&change.key, value)?),
            None => None,
        };
        self.put(&change.key, after);
        Ok(())
    }

    fn put(&mut self, key: &str, after: Option<Record>) {
        if let Some(record) = &after {
            self.next_number = self.next_number.max(record.number() + 1);
            self.latest = self.latest.max(record.touched_at());
        }
        let (kind, id) = key.split_once('/').unwrap_or((key, ""));
        match (kind, after) {
            ("node", after) => self.replace_node(id, after.and_then(Record::node)),
            ("experience", after) => self.replace_experience(id, after.and_then(Record::experience)),
            ("edge", after) => self.replace_edge(id, after.and_then(Record::edge)),
            ("project", after) => self.replace_project(id, after.and_then(Record::project)),
            ("log", after) => self.replace_log(id, after.and_then(Record::log)),
            ("idea", after) => self.replace_idea(id, after.and_then(Record::idea)),
            _ => {}
        }
    }

    fn replace_node(&mut self, id: &str, after: Option<Node>) {
        if let Some(node) = after.as_ref().filter(|node| node.life.is_current()) {
            *self.namespaces.entry(node.namespace.clone()).or_default() += 1;
        }
        let before = self.nodes.replace(id, after);
        if let Some(node) = before.filter(|node| node.life.is_current())
            && let Some(count) = self.namespaces.get_mut(&node.namespace)
        {
            *count -= 1;
            if *count == 0 {
                self.namespaces.remove(&node.namespace);
            }
        }
    }

    fn replace_experience(&mut self, id: &str, after: Option<Experience>) {
        if let Some(one) = after.as_ref().filter(|one| one.life.is_current()) {
            let fading = self.fading.entry((one.sort, one.confidence)).or_default();
            fading.insert((one.learned_at, one.number));
        }
        let kept = after.as_ref().filter(|one| one.life.is_current()).map(fades);
        let before = self.experiences.replace(id, after);
        if let Some(one) = before.filter(|one| one.life.is_current() && Some(fades(one)) != kept)
            && let Some(fading) = self.fading.get_mut(&(one.sort, one.confidence))
        {
            fading.remove(&(one.learned_at, one.number));
        }
    }

    fn replace_edge(&mut self, id: &str, after: Option<Edge>) {
        let EdgeId { name, since } = EdgeId::of(id);
        let numbers = self.edge_numbers.entry(name.clone()).or_default();
        let before = numbers
            .remove(&since)
            .and_then(|number| self.edges.remove(&number));
        if numbers.is_empty() && after.is_none() {
            self.edge_numbers.remove(&name);
        }
        if let Some(before) = before {
            self.current_edges -= usize::from(before.life.is_current());
            for end in [&before.source_id, &before.target_id] {
                if let Some(around) = self.around.get_mut(end) {
                    around.of(&before).remove(&before);
                }
            }
        }
        if let Some(after) = after {
            self.current_edges += usize::from(after.life.is_current());
            for end in [&after.source_id, &after.target_id] {
                self.around
                    .entry(end.clone())
                    .or_default()
                    .of(&after)
                    .insert(&after);
            }
            self.edge_numbers
                .entry(name)
                .or_default()
                .insert(since, after.number);
            self.edges.insert(after.number, after);
        }
    }

    fn replace_project(&mut self, id: &str, after: Option<Project>) {
        if let Some(before) = self.projects.remove(id) {
            self.projects_by_number.remove(&before.number);
            if self.active_project.as_deref() == Some(id) {
                self.active_project = None;
            }
        }
        self.removed_projects.remove(id);
        if let Some(after) = after {
            if after.removed_at.is_some() {
                self.removed_projects.insert(id.to_string(), after);
                return;
            }
            self.projects_by_number.insert(after.number, id.to_string());
            if after.active {
                self.active_project = Some(id.to_string());
            }
            self.projects.insert(id.to_string(), after);
        }
    }

    fn replace_log(&mut self, id: &str, after: Option<LogEntry>) {
        if let Some((project, number)) = self.log_entries.remove(id)
            && let Some(log) = self.logs.get_mut(&project)
        {
            log.remove(&number);
        }
        if let Some(after) = after {
            self.log_entries
                .insert(id.to_string(), (after.project_id.clone(), after.number));
            self.logs
                .entry(after.project_id.clone())
                .or_default()
                .insert(after.number, after);
        }
    }

    fn replace_idea(&mut self, id: &str, after: Option<Idea>) {
        if let Some(before) = self.ideas.remove(id) {
            for filter in filters(&before) {
                if let Some(ranked) = self.ranked_ideas.get_mut(&filter) {
                    ranked.remove(&rank(&before));
                    if ranked.is_empty() {
                        self.ranked_ideas.remove(&filter);
                    }
                }
            }
        }
        self.removed_ideas.remove(id);
        if let Some(after) = after {
            if after.removed_at.is_some() {
                self.removed_ideas.insert(id.to_string(), after);
                return;
            }
            for filter in filters(&after) {
                self.ranked_ideas
                    .entry(filter)
                    .or_default()
                    .insert(rank(&after), id.to_string());
            }
            self.ideas.insert(id.to_string(), after);
        }
    }

    /// A number that no record has.
    pub(crate) fn next_number(&self) -> u64 {
        self.next_number
    }

    /// The latest time in any record.
    pub(crate) fn latest(&self) -> u64 {
        self.latest
    }

    pub(crate) fn edge(&self, id: &EdgeId) -> Option<&Edge> {
        self.edges.get(self.edge_numbers.get(&id.name)?.get(&id.since)?)
    }

    /// The edges of a name: one for each interval at which the relation holds, and those that were removed.
    pub(crate) fn edges_named(&self, name: &EdgeName) -> impl Iterator<Item = &Edge> {
        let numbers = self.edge_numbers.get(name).into_iter();
        numbers
            .flat_map(BTreeMap::values)
            .filter_map(|number| self.edges.get(number))
    }

    pub(crate) fn current_edges(&self) -> usize {
        self.current_edges
    }

    /// The number of current nodes in each namespace.
    pub(crate) fn namespaces(&self) -> &BTreeMap<String, usize> {
        &self.namespaces
    }

    /// The edges at a node, of one type or of all, in order of creation; with `past`, removed ones too.
    pub(crate) fn edges_at(&self, id: &str, kind: Option<&str>, past: bool) -> impl Iterator<Item = &Edge> {
        let around = self.around.get(id);
        let current = around.and_then(|around| around.current.of(kind));
        let past = around.filter(|_| past).and_then(|around| around.past.of(kind));
        let numbers = current.into_iter().chain(past).flatten();
        numbers.filter_map(|number| self.edges.get(number))
    }

    /// Ideas that pass a filter, best first.
    pub(crate) fn ideas_by(
        &self,
        status: Option<Status>,
        category: Option<&str>,
    ) -> Option<&BTreeMap<IdeaRank, String>> {
        self.ranked_ideas.get(&(status, category.map(str::to_string)))
    }

    pub(crate) fn removed_project(&self, id: &str) -> Option<&Project> {
        self.removed_projects.get(id)
    }

    pub(crate) fn removed_idea(&self, id: &str) -> Option<&Idea> {
        self.removed_ideas.get(id)
    }

    pub(crate) fn record(&self, key: &str) -> Option<Record> {
        let (kind, id) = key.split_once('/')?;
        match kind {
            "node" => self.nodes.get(id).cloned().map(Record::Node),
            "experience" => self.experiences.get(id).cloned().map(Record::Experience),
            "edge" => self.edge(&EdgeId::of(id)).cloned().map(Record::Edge),
            "project" => {
                let project = self.projects.get(id).or_else(|| self.removed_project(id));
                project.cloned().map(Record::Project)
            }
            "log" => {
                let (project, number) = self.log_entries.get(id)?;
                self.logs.get(project)?.get(number).cloned().map(Record::Log)
            }
            "idea" => {
                let idea = self.ideas.get(id).or_else(|| self.removed_idea(id));
                idea.cloned().map(Record::Idea)
            }
            _ => None,
        }
    }

    /// Every record under its key, unordered.
    pub fn records(&self) -> impl Iterator<Item = (String, Value)> {
        let nodes = self.nodes.by_id.values().cloned().map(Record::Node);
        let edges = self.edges.values().cloned().map(Record::Edge);
        let experiences = self.experiences.by_id.values().cloned().map(Record::Experience);
        let projects = self
            .projects
            .values()
            .chain(self.removed_projects.values())
            .cloned()
            .map(Record::Project);
        let logs = self
            .logs
            .values()
            .flat_map(BTreeMap::values)
            .cloned()
            .map(Record::Log);
        let ideas = self
            .ideas
            .values()
            .chain(self.removed_ideas.values())
            .cloned()
            .map(Record::Idea);
        nodes
            .chain(edges)
            .chain(experiences)
            .chain(projects)
            .chain(logs)
            .chain(ideas)
            .map(|record| (record.key(), record.value()))
    }
}

fn fades(one: &Experience) -> (Sort, Confidence, u64, u64) {
    (one.sort, one.confidence, one.learned_at, one.number)
}

macro_rules! cast {
    ($($name:ident, $variant:ident, $type:ty;)*) => {
        impl Record {
            $(fn $name(self) -> Option<$type> {
                match self {
                    Record::$variant(record) => Some(record),
                    _ => None,
                }
            })*
        }
    };
}

cast! {
    node, Node, Node;
    edge, Edge, Edge;
    experience, Experience, Experience;
    project, Project, Project;
    log, Log, LogEntry;
    idea, Idea, Idea;
}
