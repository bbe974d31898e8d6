//! The picture of a workflow: its nodes, and the edges between them.

use serde::Serialize;

use crate::model::{self, Condition, Goal, Target, Work, Workflow};

/// The ids of the points where every run begins and ends.
pub const START: &str = "start";
pub const FINISH: &str = "finish";

/// The picture of a workflow.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Drawing {
    /// In the order of the text, without the start and the end.
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "DrawnNode"))]
pub struct Node {
    /// `n0`, `n1` and so on.
    pub id: String,
    pub name: String,
    /// Its language or its action; null if it has neither.
    pub does: Option<String>,
    pub shape: Shape,
    /// The line where it begins, from 1.
    pub line: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "DrawnShape"))]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    Plain,
    /// Runs again while a condition holds.
    Loop,
    /// Runs once for each item of a list.
    Each,
    /// Is a workflow of its own.
    Graph,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "DrawnEdge"))]
pub struct Edge {
    /// The id of a node, or `start`.
    pub from: String,
    /// The id of a node, or `finish`.
    pub to: String,
    /// Its condition; empty if it has none.
    pub label: String,
    pub kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "DrawnEdgeKind"))]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Next,
    /// Begins one of several branches.
    Branch,
    /// Followed after an error.
    Error,
}

impl Drawing {
    pub fn of(workflow: &Workflow) -> Drawing {
        let nodes = workflow.nodes.iter().enumerate().map(|(index, node)| Node {
            id: id(index),
            name: node.name.clone(),
            does: match &node.work {
                Work::Code { language, .. } => Some(language.word().to_owned()),
                Work::InBook { book: None, .. } => Some("prolog, book".to_owned()),
                Work::InBook { book: Some(name), .. } => Some(format!("prolog, book {name}")),
                Work::Action { name, .. } => Some(name.clone()),
                Work::Program { .. } => Some("dml".to_owned()),
                Work::Graph { file, .. } => Some(file.clone().unwrap_or_else(|| "workflow".to_owned())),
                _ => None,
            },
            shape: match node.work {
                Work::Loop { .. } => Shape::Loop,
                Work::Each(_) => Shape::Each,
                Work::Graph { .. } => Shape::Graph,
                _ => Shape::Plain,
            },
            line: node.at.0,
        });
        let mut edges: Vec<Edge> = workflow.start.iter().map(|one| edge(START, one)).collect();
        for (index, node) in workflow.nodes.iter().enumerate() {
            let from = id(index);
            edges.extend(node.next.iter().map(|one| edge(&from, one)));
            if let Some(fallback) = node.on_error.fallback {
                edges.push(Edge {
                    from,
                    to: id(fallback),
                    label: "on error".into(),
                    kind: Kind::Error,
                });
            }
        }
        Drawing {
            nodes: nodes.collect(),
            edges,
        }
    }
}

fn id(index: usize) -> String {
    format!("n{index}")
}

fn edge(from: &str, edge: &model::Edge) -> Edge {
    Edge {
        from: from.to_owned(),
        to: match edge.to {
            Target::End => FINISH.to_owned(),
            Target::Node(index) => id(index),
        },
        label: label(&edge.condition),
        kind: if edge.fan_in.is_some() {
            Kind::Branch
        } else {
            Kind::Next
        },
    }
}

fn label(condition: &Condition) -> String {
    match condition {
        Condition::Always(true) => String::new(),
        Condition::Always(false) => "never".into(),
        Condition::Key { key, negated } => format!("{}{key}", if *negated { "not " } else { "" }),
        Condition::Template(text) | Condition::Prolog(Goal { code: text, .. }) => text.trim().to_owned(),
        Condition::Is(condition, value) => format!("{} is {value}", label(condition)),
    }
}
