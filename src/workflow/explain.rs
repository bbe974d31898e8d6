//! Explains how a node's Prolog reached its decision.

use std::fmt::Write;

use serde::Deserialize;

use super::fault::{WorkflowFault, WorkflowFaultKind};
use super::json::Object;
use super::language::Language;
use super::load::nearest;
use super::model::{Each, Step, Work, Workflow};
use super::prolog::{EndWord, Prolog, Reusable, fault, write_run};
use hornbook_engine::protocol::seconds;
use hornbook_engine::reply::{self, BadReply, EngineError, NodePlaces, Parts, Reply};

/// The tree of a block that was run again: its proof, or why one of its goals fails.
#[derive(Debug)]
pub struct Explained {
    pub holds: bool,
    /// In preorder; the block's own goals have depth 0.
    pub nodes: Vec<reply::Node>,
    /// The block's clauses that the nodes refer to.
    pub clauses: Vec<Clause>,
    /// Whether the tree has more nodes than these.
    pub cut: bool,
}

/// A clause of a block.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(from = "(i64, usize, String)")]
pub struct Clause {
    /// The id by which nodes refer to it.
    pub id: i64,
    /// From 1.
    pub line: usize,
    pub text: String,
}

impl From<(i64, usize, String)> for Clause {
    fn from((id, line, text): (i64, usize, String)) -> Clause {
        Clause { id, line, text }
    }
}

impl Prolog {
    /// Run a block again in isolation, and explain its outcome.
    pub async fn explain(
        &self,
        code: &str,
        state: &Object,
        timeout_ms: u64,
    ) -> Result<Explained, WorkflowFault> {
        let mut request = String::with_capacity(code.len() + 256);
        request.push_str("node_proof(");
        write_run(&mut request, code, state)?;
        let _ = write!(request, ",{})", seconds(timeout_ms));
        let told: Told = self.ask(request, timeout_ms).await?;
        told.explained.map_err(|error| fault(error, timeout_ms))
    }
}

impl Workflow {
    /// The Prolog of a node, or of a step in it, `NODE.STEP`; within the workflow of a node, `NODE/INNER`.
    pub fn decision(&self, name: &str) -> Result<&str, WorkflowFault> {
        let inner = name.split_once('/').and_then(|(outer, inner)| {
            let node = self.nodes.iter().find(|node| node.name == outer)?;
            match &node.work {
                Work::Graph { workflow, .. } => Some((workflow, inner)),
                _ => None,
            }
        });
        if let Some((workflow, inner)) = inner {
            return workflow.decision(inner);
        }
        let found = self
            .nodes
            .iter()
            .find_map(|node| named(name, &node.name, &node.work));
        match found {
            Some(Work::Code {
                language: Language::Prolog,
                code,
                ..
            }) => Ok(code),
            Some(Work::InBook { .. }) => Err(WorkflowFault::new(
                WorkflowFaultKind::Book,
                format!(
                    "'{name}' uses a book, which may have changed since: its decision cannot be explained."
                ),
            )),
            Some(work) => {
                let steps = steps_of(work)
                    .iter()
                    .map(|step| format!("'{name}.{}'", step.name));
                let steps: Vec<String> = steps.collect();
                let hint = match steps.is_empty() {
                    true => String::new(),
                    false => format!(" Its steps are {}.", steps.join(", ")),
                };
                let message = format!("'{name}' has no code in Prolog that could be explained.{hint}");
                Err(WorkflowFault::new(WorkflowFaultKind::Graph, message))
            }
            None => {
                let names = self.nodes.iter().map(|node| node.name.as_str());
                let hint = match nearest(name, names) {
                    Some(near) => format!(" Did you mean '{near}'?"),
                    None => String::new(),
                };
                Err(WorkflowFault::new(
                    WorkflowFaultKind::Graph,
                    format!("There is no node '{name}'.{hint}"),
                ))
            }
        }
    }
}

/// The work with this name, which is `own` or begins with it.
fn named<'a>(name: &str, own: &str, work: &'a Work) -> Option<&'a Work> {
    if name == own {
        return Some(work);
    }
    let within = name.strip_prefix(own)?.strip_prefix('.')?;
    steps_of(work)
        .iter()
        .find_map(|step| named(within, &step.name, &step.work))
}

fn steps_of(work: &Work) -> &[Step] {
    match work {
        Work::Steps(steps) | Work::Loop { body: steps, .. } | Work::Each(Each { body: steps, .. }) => steps,
        _ => &[],
    }
}

/// The reply to `node_proof`.
struct Told {
    worn: bool,
    explained: Result<Explained, EngineError>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Control {
    end: EndWord,
    worn: bool,
    #[serde(default)]
    nodes: NodePlaces,
    #[serde(default)]
    cut: bool,
}

impl Reply for Told {
    type Control = Control;

    fn assemble(control: Control, parts: &mut Parts<'_>) -> Result<Self, BadReply> {
        let explained = match control.end {
            EndWord::Truth(holds) => Ok(Explained {
                holds,
                clauses: parts.take()?,
                nodes: control.nodes.assemble(parts)?,
                cut: control.cut,
            }),
            EndWord::Word(_) => Err(parts.take()?),
        };
        Ok(Told {
            worn: control.worn,
            explained,
        })
    }
}

impl Reusable for Told {
    fn worn(&self) -> bool {
        self.worn
    }
}
