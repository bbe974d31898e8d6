//! The records a memory keeps, each under its own key, and changes of records.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};

use crate::decay::{Confidence, Sort};

/// A change of one record. Reversed, it is a change too.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// The kind of record, `/`, and its name.
    pub key: String,
    /// The record before; `None` if there was none.
    pub before: Option<Value>,
    /// The record after; `None` if it was removed.
    pub after: Option<Value>,
}

impl Change {
    pub fn reversed(&self) -> Change {
        Change {
            key: self.key.clone(),
            before: self.after.clone(),
            after: self.before.clone(),
        }
    }
}

/// When something holds. Times are milliseconds since 1970.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "RecordLife"))]
pub struct Life {
    pub created_at: u64,
    /// When it became true, if other than when it was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub valid_from: Option<u64>,
    /// When it stops being true.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub valid_to: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub removed_at: Option<u64>,
    /// The id of what supersedes it, and since when.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub superseded_by: Option<(String, u64)>,
}

impl Life {
    /// When it becomes visible.
    pub fn begins(&self) -> u64 {
        self.valid_from.unwrap_or(self.created_at)
    }

    /// Whether both would hold at some time, disregarding what was removed.
    pub fn overlaps(&self, other: &Life) -> bool {
        let before = |one: &Life, than: &Life| one.valid_to.is_some_and(|to| to <= than.begins());
        !(before(self, other) || before(other, self))
    }

    /// Whether it is visible now, disregarding times.
    pub fn is_current(&self) -> bool {
        self.removed_at.is_none() && self.superseded_by.is_none()
    }

    /// Whether it is visible at a time; with `stale`, also if it no longer holds.
    pub fn seen_at(&self, at: u64, stale: bool) -> bool {
        let past = |time: Option<u64>| time.is_some_and(|time| time <= at);
        self.begins() <= at
            && !past(self.removed_at)
            && (stale || !(past(self.valid_to) || past(self.superseded_by.as_ref().map(|(_, when)| *when))))
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "NodeRecord"))]
pub struct Node {
    pub id: String,
    /// Higher for later records; unique among nodes.
    pub number: u64,
    pub namespace: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub name: String,
    pub description: Option<String>,
    pub properties: Option<Value>,
    pub tags: Option<Vec<String>>,
    /// `manual`, `learn` or `import`.
    pub source_type: String,
    pub updated_at: Option<u64>,
    /// The node that this one supersedes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub supersedes: Option<String>,
    pub life: Life,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "EdgeRecord"))]
pub struct Edge {
    pub source_id: String,
    pub target_id: String,
    #[serde(rename = "type")]
    pub kind: String,
    /// Unique among edges.
    pub number: u64,
    pub weight: f64,
    pub properties: Option<Value>,
    /// What tells it from the first edge of the same name: when it begins, in milliseconds since 1970, or a
    /// little later if another one begins at the same time. The first edge has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub since: Option<u64>,
    pub life: Life,
}

/// The ends and the type of a relation, which may hold at several intervals: each is an edge of its own.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EdgeName {
    pub source_id: String,
    pub target_id: String,
    pub kind: String,
}

/// What identifies an edge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EdgeId {
    pub name: EdgeName,
    pub since: Option<u64>,
}

impl EdgeId {
    /// Parse the part of an edge's key after the kind. No id of a node is empty, so a `/` at the beginning
    /// precedes `since`.
    pub fn of(id: &str) -> EdgeId {
        let dated = id.strip_prefix('/').and_then(|rest| rest.split_once('/'));
        let dated = dated.and_then(|(since, rest)| Some((since.parse().ok()?, rest)));
        let (since, rest) = match dated {
            Some((since, rest)) => (Some(since), rest),
            None => (None, id),
        };
        let mut parts = rest.splitn(3, '/').map(str::to_string);
        let mut part = || parts.next().unwrap_or_default();
        let name = EdgeName {
            source_id: part(),
            target_id: part(),
            kind: part(),
        };
        EdgeId { name, since }
    }
}

impl Edge {
    pub fn name(&self) -> EdgeName {
        EdgeName {
            source_id: self.source_id.clone(),
            target_id: self.target_id.clone(),
            kind: self.kind.clone(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ExperienceRecord"))]
pub struct Experience {
    pub id: String,
    /// Unique among experiences.
    pub number: u64,
    pub namespace: String,
    #[serde(rename = "type")]
    pub sort: Sort,
    pub content: String,
    pub context: Option<String>,
    pub confidence: Confidence,
    pub tags: Vec<String>,
    /// When it was last recorded; it fades from then on.
    pub learned_at: u64,
    /// How often it was recorded.
    pub times: u64,
    /// The node that was learned with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub node_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub supersedes: Option<String>,
    pub life: Life,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ProjectPhase"))]
pub enum Phase {
    Planning,
    Active,
    Paused,
    Done,
}

impl Phase {
    pub const ALL: [Phase; 4] = [Phase::Planning, Phase::Active, Phase::Paused, Phase::Done];
    pub const NAMES: [&str; 4] = ["planning", "active", "paused", "done"];

    pub fn name(self) -> &'static str {
        Phase::NAMES[self as usize]
    }

    pub fn read(name: &str) -> Option<Phase> {
        Phase::ALL.into_iter().find(|phase| phase.name() == name)
    }

    pub fn may_become(self, next: Phase) -> bool {
        use Phase::*;
        self == next
            || matches!(
                (self, next),
                (Planning, Active) | (Active, Paused | Done) | (Paused, Active | Done)
            )
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Project {
    pub id: String,
    /// Higher for later changes; unique among projects.
    pub number: u64,
    pub name: String,
    pub phase: Phase,
    /// Whether it is the active project.
    pub active: bool,
    pub goals: Vec<String>,
    pub stakeholders: Vec<String>,
    pub success_metrics: Vec<String>,
    pub created_at: u64,
    /// When it was removed; it can be restored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removed_at: Option<u64>,
}

/// What was done for a project, or what failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogEntry {
    pub id: String,
    /// Unique among log entries.
    pub number: u64,
    pub project_id: String,
    pub failed: bool,
    pub action: String,
    pub result: Option<String>,
    pub next_step: Option<String>,
    pub created_at: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "IdeaStatus"))]
pub enum Status {
    Draft,
    Evaluating,
    Approved,
    Implementing,
    Done,
    Archived,
}

impl Status {
    pub const ALL: [Status; 6] = [
        Status::Draft,
        Status::Evaluating,
        Status::Approved,
        Status::Implementing,
        Status::Done,
        Status::Archived,
    ];
    pub const NAMES: [&str; 6] = [
        "draft",
        "evaluating",
        "approved",
        "implementing",
        "done",
        "archived",
    ];

    pub fn name(self) -> &'static str {
        Status::NAMES[self as usize]
    }

    pub fn read(name: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.name() == name)
    }

    /// The statuses that may follow this one.
    pub fn next(self) -> &'static [Status] {
        use Status::*;
        match self {
            Draft => &[Evaluating],
            Evaluating => &[Approved, Archived],
            Approved => &[Implementing, Archived],
            Implementing => &[Done, Archived],
            Done => &[Archived],
            Archived => &[Draft],
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Idea {
    pub id: String,
    /// Unique among ideas.
    pub number: u64,
    pub title: String,
    pub status: Status,
    pub category: Option<String>,
    pub score: Option<f64>,
    pub created_at: u64,
    /// When it was removed; it can be restored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removed_at: Option<u64>,
}

/// A record of any kind.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    Node(Node),
    Edge(Edge),
    Experience(Experience),
    Project(Project),
    Log(LogEntry),
    Idea(Idea),
}

impl Record {
    /// An edge's key is its ends and its type, after its `since` if it has one; the type comes last because it
    /// may contain any character.
    pub fn key(&self) -> String {
        match self {
            Record::Node(node) => format!("node/{}", node.id),
            Record::Edge(edge) => {
                let since = edge.since.map(|since| format!("/{since}/")).unwrap_or_default();
                format!("edge/{since}{}/{}/{}", edge.source_id, edge.target_id, edge.kind)
            }
            Record::Experience(experience) => format!("experience/{}", experience.id),
            Record::Project(project) => format!("project/{}", project.id),
            Record::Log(entry) => format!("log/{}", entry.id),
            Record::Idea(idea) => format!("idea/{}", idea.id),
        }
    }

    pub fn value(&self) -> Value {
        match self {
            Record::Node(node) => json!(node),
            Record::Edge(edge) => json!(edge),
            Record::Experience(experience) => json!(experience),
            Record::Project(project) => json!(project),
            Record::Log(entry) => json!(entry),
            Record::Idea(idea) => json!(idea),
        }
    }

    /// Read the record of a key. The error is a sentence: it is not a record, or it belongs to another key.
    pub fn read(key: &str, value: &Value) -> Result<Record, String> {
        Record::of(key, value)
    }

    /// The same, from text.
    pub fn read_text(key: &str, text: &str) -> Result<Record, String> {
        Record::of(key, &mut serde_json::Deserializer::from_str(text))
    }

    fn of<'a>(key: &str, value: impl Deserializer<'a, Error = serde_json::Error>) -> Result<Record, String> {
        let kind = key.split_once('/').map_or(key, |(kind, _)| kind);
        let record = Record::of_kind(kind, value, key)?;
        if record.key() != key {
            return Err(format!("The record `{key}` says that it is `{}`.", record.key()));
        }
        Ok(record)
    }

    /// Read a record of a given kind. The error is part of a sentence.
    pub fn named(kind: &str, value: &Value) -> Result<Record, String> {
        let record = Record::of_kind(kind, value, kind)?;
        let ids = match &record {
            Record::Edge(edge) => [&edge.source_id, &edge.target_id],
            Record::Node(node) => [&node.id; 2],
            Record::Experience(experience) => [&experience.id; 2],
            Record::Project(project) => [&project.id; 2],
            Record::Log(entry) => [&entry.id; 2],
            Record::Idea(idea) => [&idea.id; 2],
        };
        match ids.iter().find(|id| id.is_empty() || id.contains('/')) {
            Some(id) => Err(format!("`{id}` is no id")),
            None => Ok(record),
        }
    }

    fn of_kind<'a>(
        kind: &str,
        value: impl Deserializer<'a, Error = serde_json::Error>,
        called: &str,
    ) -> Result<Record, String> {
        let record = match kind {
            "node" => Node::deserialize(value).map(Record::Node),
            "edge" => Edge::deserialize(value).map(Record::Edge),
            "experience" => Experience::deserialize(value).map(Record::Experience),
            "project" => Project::deserialize(value).map(Record::Project),
            "log" => LogEntry::deserialize(value).map(Record::Log),
            "idea" => Idea::deserialize(value).map(Record::Idea),
            _ => return Err(format!("There is no kind of record `{kind}`.")),
        };
        record.map_err(|error| format!("The record `{called}` cannot be read: {error}."))
    }

    pub(crate) fn set_number(&mut self, new: u64) {
        match self {
            Record::Node(node) => node.number = new,
            Record::Edge(edge) => edge.number = new,
            Record::Experience(experience) => experience.number = new,
            Record::Project(project) => project.number = new,
            Record::Log(entry) => entry.number = new,
            Record::Idea(idea) => idea.number = new,
        }
    }

    pub fn number(&self) -> u64 {
        match self {
            Record::Node(node) => node.number,
            Record::Edge(edge) => edge.number,
            Record::Experience(experience) => experience.number,
            Record::Project(project) => project.number,
            Record::Log(entry) => entry.number,
            Record::Idea(idea) => idea.number,
        }
    }

    /// The latest time at which anything happened to it.
    pub fn touched_at(&self) -> u64 {
        let of = |life: &Life| {
            let superseded = life.superseded_by.as_ref().map(|(_, when)| *when);
            life.created_at
                .max(life.removed_at.unwrap_or(0))
                .max(superseded.unwrap_or(0))
        };
        match self {
            Record::Node(node) => of(&node.life).max(node.updated_at.unwrap_or(0)),
            Record::Edge(edge) => of(&edge.life),
            Record::Experience(experience) => of(&experience.life).max(experience.learned_at),
            Record::Project(project) => project.created_at.max(project.removed_at.unwrap_or(0)),
            Record::Log(entry) => entry.created_at,
            Record::Idea(idea) => idea.created_at.max(idea.removed_at.unwrap_or(0)),
        }
    }
}
