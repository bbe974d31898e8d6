//! The replies of `kn_graph`.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::{Counts, Rank, Span};

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NodeList {
    #[cfg_attr(feature = "typescript", ts(as = "Vec<ListedNode>"))]
    pub nodes: Vec<Value>,
    #[serde(flatten)]
    pub counts: Counts,
}

/// A node in a list: in full with `detail: full`.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum ListedNode {
    Summary(NodeItem),
    Full(Box<NodeDetails>),
}

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

/// A node in full.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NodeDetails {
    #[serde(flatten)]
    pub node: NodeItem,
    pub namespace: String,
    pub description: Option<String>,
    pub properties: Option<Value>,
    pub tags: Option<Vec<String>>,
    #[cfg_attr(feature = "typescript", ts(type = "\"workspace\""))]
    pub visibility: &'static str,
    /// `manual`, `learn` or `import`.
    pub source_type: String,
    /// As ISO 8601.
    pub created_at: String,
    pub updated_at: Option<String>,
    /// The id of what it supersedes; only when it is added.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub supersedes: Option<String>,
    #[serde(flatten)]
    pub rank: Rank,
}

/// The fields common to all forms of an edge.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct EdgeBase {
    pub source_id: String,
    pub target_id: String,
    #[serde(rename = "type")]
    pub kind: String,
    /// From 0 to 1.
    pub weight: f64,
    #[serde(flatten)]
    pub span: Span,
}

/// An edge in a list.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct EdgeItem {
    #[serde(flatten)]
    pub edge: EdgeBase,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub properties: Option<Value>,
}

/// A new edge.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct EdgeDetails {
    #[serde(flatten)]
    pub edge: EdgeBase,
    pub properties: Option<Value>,
    pub created_by: (),
    /// As ISO 8601.
    pub created_at: String,
    /// What to know of it, if its nodes begin later than it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub note: Option<String>,
}

/// The size of the memory.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct GraphStatus {
    pub nodes: usize,
    pub edges: usize,
    pub experiences: usize,
    pub projects: usize,
    pub ideas: usize,
    /// The number of nodes in each of the first thirty namespaces.
    pub namespaces: BTreeMap<String, usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespaces_left_out: Option<usize>,
    /// The memory is in the book.
    pub db_path: (),
    pub hidden: Hidden,
}

/// How many are removed or superseded.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Hidden {
    pub nodes: usize,
    pub experiences: usize,
}
