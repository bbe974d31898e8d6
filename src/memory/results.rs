//! What the actions that list something give as data.
//!
//! Where there is little room, the texts and lists of an item are cut, and end in `…`: items are values that were made of
//! the structs here.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::decay::{Confidence, Sort};
use crate::record::{Life, Phase, Status};
use crate::time::iso;

/// What lists give, by the tool and the action.
#[cfg(feature = "typescript")]
#[derive(ts_rs::TS)]
#[ts(rename = "MemoryLists")]
pub struct Lists {
    #[ts(rename = "kn_graph query")]
    pub nodes: NodeList,
    #[ts(rename = "kn_project list")]
    pub projects: ProjectsResult,
    #[ts(rename = "kn_experience search")]
    pub experiences: ExperienceList,
    #[ts(rename = "kn_idea list")]
    pub ideas: IdeaList,
    #[ts(rename = "kn_intel infer")]
    pub answers: InferredAnswers,
}

/// How much of a list is shown, how long it is, and how to go on.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct Counts {
    pub count: usize,
    /// How many there are, where all were looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_at_least: Option<usize>,
    /// How many were asked for that the budget had no room for, and what to do then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Where the next page begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
}

/// When a record holds, where that is not simply from now on: times as ISO 8601.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct Span {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_to: Option<String>,
    /// The id of what says it better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<String>,
}

impl Span {
    pub fn of(life: &Life) -> Span {
        Span {
            valid_from: life.valid_from.map(iso),
            valid_to: life.valid_to.map(iso),
            superseded_by: life.superseded_by.as_ref().map(|(by, _)| by.clone()),
        }
    }
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NodeList {
    #[cfg_attr(feature = "typescript", ts(as = "Vec<NodeItem>"))]
    pub nodes: Vec<Value>,
    #[serde(flatten)]
    pub counts: Counts,
}

/// A node in a list; with `detail: full` it has more.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NodeItem {
    pub _v: &'static str,
    pub id: String,
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(flatten)]
    pub span: Span,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ExperienceList {
    #[cfg_attr(feature = "typescript", ts(as = "Vec<ExperienceItem>"))]
    pub experiences: Vec<Value>,
    #[serde(flatten)]
    pub counts: Counts,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ExperienceItem {
    pub id: String,
    #[serde(rename = "type")]
    pub sort: Sort,
    pub content: String,
    pub confidence: Confidence,
    /// From 0 to 1, at the time that was asked for.
    pub relevance: f64,
    pub tags: Vec<String>,
    /// With `detail: full`.
    #[serde(flatten)]
    pub details: ExperienceDetails,
    #[serde(flatten)]
    pub span: Span,
}

/// What `detail: full` has beside.
#[derive(Default, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ExperienceDetails {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Option<String>>"))]
    pub context: Option<Option<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub namespace: Option<String>,
    /// How often it was learned.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub times: Option<u64>,
    /// As ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub created_at: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct IdeaList {
    #[cfg_attr(feature = "typescript", ts(as = "Vec<IdeaItem>"))]
    pub ideas: Vec<Value>,
    #[serde(flatten)]
    pub counts: Counts,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct IdeaItem {
    pub id: String,
    pub title: String,
    pub status: Status,
    pub category: Option<String>,
    pub score: Option<f64>,
}

/// All of one project where `project_id` was given.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum ProjectsResult {
    All(ProjectList),
    /// With the members of [`ProjectHead`].
    One(#[cfg_attr(feature = "typescript", ts(type = "ProjectHead & ProjectDetails"))] ProjectDetails),
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ProjectList {
    #[cfg_attr(feature = "typescript", ts(as = "Vec<ProjectItem>"))]
    pub projects: Vec<Value>,
    #[serde(flatten)]
    pub counts: Counts,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ProjectItem {
    pub id: String,
    pub name: String,
    pub phase: Phase,
    /// Whether it is the one that is worked on.
    pub active: bool,
}

/// One project, with its log, the newest entry first.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ProjectDetails {
    #[serde(flatten)]
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub head: Value,
    #[cfg_attr(feature = "typescript", ts(as = "Vec<LogItem>"))]
    pub log: Vec<Value>,
    #[serde(flatten)]
    pub counts: Counts,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ProjectHead {
    #[serde(flatten)]
    pub project: ProjectItem,
    pub goals: Vec<String>,
    pub stakeholders: Vec<String>,
    pub success_metrics: Vec<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct LogItem {
    pub id: String,
    #[serde(rename = "type")]
    #[cfg_attr(feature = "typescript", ts(type = "\"progress\" | \"failure\""))]
    pub kind: &'static str,
    pub action: String,
    /// As ISO 8601.
    pub created_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_step: Option<String>,
}

/// What follows from the memory: the answers to a goal.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct InferredAnswers {
    pub goal: String,
    #[cfg_attr(feature = "typescript", ts(as = "Vec<InferredAnswer>"))]
    pub answers: Vec<Value>,
    #[serde(flatten)]
    pub counts: Counts,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct InferredAnswer {
    /// Prolog text, by the names of the variables.
    pub bindings: BTreeMap<String, String>,
    /// That of the weakest fact, from 0 to 1.
    pub confidence: f64,
    /// A step a line, indented by two spaces: the goal, and by what it holds.
    pub proof: Vec<String>,
    pub facts: Vec<FactItem>,
    pub rules: Vec<RuleItem>,
}

/// A record that an answer rests on.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct FactItem {
    /// Its key.
    pub fact: String,
    /// As ISO 8601.
    pub told: String,
    pub confidence: f64,
    /// Where it is from, or how sure it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// A rule of the book that an answer rests on.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RuleItem {
    /// The id of its clause.
    pub rule: i64,
    pub text: String,
    /// Its file and line, or whence it came.
    pub from: String,
}
