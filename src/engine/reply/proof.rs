//! Proofs, and the ports of a run.

use serde::Deserialize;

use super::step::{TakenBack, TakenBackControl};
use super::{BadReply, Parts, Reply};

/// The reply to `prove`, to `refute` and to `trace`.
#[derive(Debug)]
pub struct Proof {
    /// In preorder.
    pub nodes: Vec<Node>,
    /// The number of answers: fewer than the one to prove, or some where there should be none.
    pub answers: Option<usize>,
    /// Whether there were more nodes than are reported.
    pub cut: bool,
    /// The answer is neither true nor false.
    pub undefined: bool,
    pub taken_back: TakenBack,
}

/// A step of a proof.
#[derive(Debug)]
pub struct Node {
    pub depth: usize,
    pub goal: String,
    /// How it was proved.
    pub how: String,
    /// The id of the clause.
    pub clause: Option<i64>,
    /// What it counts depends on `how`.
    pub count: usize,
    /// For a port: the goals around it, the innermost first.
    pub around: Vec<String>,
}

/// Goal, how, and the goals around it.
#[derive(Deserialize)]
struct GoalParts(String, String, #[serde(default)] Vec<String>);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProofControl {
    nodes: NodePlaces,
    cut: bool,
    #[serde(default)]
    undefined: bool,
    #[serde(default)]
    answers: Option<usize>,
    #[serde(flatten)]
    taken_back: TakenBackControl,
}

/// The depth, the id of the clause, and a count, for each step.
#[derive(Debug, Default, Deserialize)]
pub struct NodePlaces(Vec<(usize, Option<i64>, usize)>);

impl NodePlaces {
    pub fn assemble(self, parts: &mut Parts<'_>) -> Result<Vec<Node>, BadReply> {
        let nodes = self.0.into_iter().map(|(depth, clause, count)| {
            let GoalParts(goal, how, around) = parts.take()?;
            Ok(Node {
                depth,
                goal,
                how,
                clause,
                count,
                around,
            })
        });
        nodes.collect()
    }
}

impl Reply for Proof {
    type Control = ProofControl;

    fn assemble(control: ProofControl, parts: &mut Parts<'_>) -> Result<Self, BadReply> {
        Ok(Proof {
            nodes: control.nodes.assemble(parts)?,
            answers: control.answers,
            cut: control.cut,
            undefined: control.undefined,
            taken_back: TakenBack::assemble(control.taken_back, parts)?,
        })
    }
}
