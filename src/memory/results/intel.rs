//! The replies of `kn_intel`.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::{Counts, EdgeItem, Kept, NodeItem, Rank, Span};
use crate::decay::{Confidence, Sort};

/// What was learned.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Learned {
    pub stored_as: StoredAs,
    /// The node that stands for it, if it is stored as one.
    pub node_id: Option<String>,
    pub experience_id: String,
    #[serde(rename = "type")]
    pub sort: Sort,
    pub confidence: Confidence,
    #[serde(flatten)]
    pub kept: Kept,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum StoredAs {
    /// A node, and the experience behind it.
    Node,
    Experience,
}

/// What the memory has on a topic, alternating between nodes and experiences.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Recalled {
    #[cfg_attr(feature = "typescript", ts(as = "Vec<RecalledItem>"))]
    pub results: Vec<Value>,
    #[serde(flatten)]
    pub counts: Counts,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "source", rename_all = "snake_case")]
pub enum RecalledItem {
    Node(RecalledNode),
    Experience(RecalledExperience),
}

impl RecalledItem {
    /// Whether it no longer holds.
    pub fn is_over(&self) -> bool {
        match self {
            RecalledItem::Node(node) => node.over,
            RecalledItem::Experience(one) => one.over,
        }
    }
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RecalledNode {
    pub id: String,
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub description: Option<String>,
    /// 1: nodes do not fade.
    pub relevance: f64,
    #[serde(flatten)]
    pub span: Span,
    #[serde(flatten)]
    pub rank: Rank,
    /// Whether it no longer holds, so that it comes last.
    #[serde(skip)]
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub over: bool,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RecalledExperience {
    pub id: String,
    #[serde(rename = "type")]
    pub sort: Sort,
    pub content: String,
    pub confidence: Confidence,
    /// From 0 to 1, at the requested time.
    pub relevance: f64,
    #[serde(flatten)]
    pub span: Span,
    #[serde(flatten)]
    pub rank: Rank,
    /// Whether it no longer holds, so that it comes last.
    #[serde(skip)]
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub over: bool,
}

/// What this book and others have on a problem.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Crossref {
    #[cfg_attr(feature = "typescript", ts(as = "Vec<CrossrefItem>"))]
    pub results: Vec<Value>,
    #[serde(flatten)]
    pub unread: Unread,
    #[serde(flatten)]
    pub counts: Counts,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CrossrefItem {
    #[serde(flatten)]
    pub item: RecalledItem,
    /// The book's name; `default` is this one.
    pub workspace: String,
}

/// Books that could not be read.
#[derive(Default, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct Unread {
    /// How many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unread: Option<usize>,
    /// The first of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unread_books: Option<Vec<UnreadBook>>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct UnreadBook {
    pub workspace: String,
    pub why: String,
}

/// The part of the memory that the given words are about.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct Context {
    #[serde(flatten)]
    pub head: ContextHead,
    #[cfg_attr(feature = "typescript", ts(as = "Vec<ContextNode>"))]
    pub nodes: Vec<Value>,
    #[cfg_attr(feature = "typescript", ts(as = "Vec<ContextExperience>"))]
    pub experiences: Vec<Value>,
    /// The edges between the nodes, as many as fit; with `detail: full`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<EdgeItem>>"))]
    pub edges: Option<Vec<Value>>,
    #[serde(flatten)]
    pub counts: Counts,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ContextHead {
    /// The words asked about.
    pub query: String,
    pub detail: Detail,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Detail {
    Summary,
    Full,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ContextNode {
    pub id: String,
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub confidence: f64,
    #[serde(flatten)]
    pub details: ContextNodeDetails,
    #[serde(flatten)]
    pub span: Span,
    #[serde(flatten)]
    pub rank: Rank,
}

/// Additional fields with `detail: full`.
#[derive(Default, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ContextNodeDetails {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Option<String>>"))]
    pub description: Option<Option<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Option<Vec<String>>>"))]
    pub tags: Option<Option<Vec<String>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Option<Value>>"))]
    pub properties: Option<Option<Value>>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ContextExperience {
    pub id: String,
    #[serde(rename = "type")]
    pub sort: Sort,
    /// Its beginning; all of it with `detail: full`.
    pub content: String,
    /// From 0 to 1, at the requested time.
    pub relevance: f64,
    #[serde(flatten)]
    pub details: ContextExperienceDetails,
    #[serde(flatten)]
    pub span: Span,
    #[serde(flatten)]
    pub rank: Rank,
}

/// Additional fields with `detail: full`.
#[derive(Default, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ContextExperienceDetails {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Option<String>>"))]
    pub context: Option<Option<String>>,
}

/// The nodes around one, nearest first.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Related {
    #[cfg_attr(feature = "typescript", ts(as = "Vec<RelatedItem>"))]
    pub results: Vec<Value>,
    #[serde(flatten)]
    pub counts: Counts,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RelatedItem {
    pub node: NodeItem,
    /// Its distance in edges.
    pub depth: usize,
    /// The edge that led to it.
    pub edge: EdgeItem,
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
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct InferredAnswer {
    /// Prolog text, by variable name.
    pub bindings: BTreeMap<String, String>,
    /// True of an answer that is neither true nor false, by the well-founded semantics of tabled negation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined: Option<bool>,
    /// The confidence of the weakest fact, from 0 to 1.
    pub confidence: f64,
    /// One step per line, indented by two spaces per level: the goal, and why it holds.
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
    /// Its source, or its confidence.
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
    /// Its file and line, or other origin.
    pub from: String,
}
