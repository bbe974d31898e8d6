//! Why an answer holds, and how a goal ran.

use std::collections::BTreeMap;

use serde::Serialize;

/// How an answer came to be, or why there is none.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Proof {
    /// Whether the goal holds. Else the tree tells why it fails.
    pub holds: bool,
    /// Whether it only holds because it is undefined: neither true nor false.
    pub undefined: bool,
    /// The tree in preorder.
    pub nodes: Vec<ProofNode>,
    /// The clauses that the nodes name, by their ids.
    pub clauses: BTreeMap<String, ProofClause>,
    /// Whether the tree has more nodes than are told.
    pub cut: bool,
    /// The tree as indented lines.
    pub text: String,
}

/// One step of a proof.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ProofNode {
    /// 0 for the goals of the query.
    pub depth: usize,
    /// With the bindings of the answer.
    pub goal: String,
    /// Of what holds `clause`, `builtin`, `library(NAME)`, `negation`, `constraint`, `tabled`, `cut`, `neither` of what is undefined,
    /// neither true nor false, or `call` of a goal that others below it prove. Of what fails `fails`, with the clauses of the user's below it, or `fails(WHY)`: one of
    /// the words above, or `deep` where it was not looked into, or `undefined`. Below it `tried`, a clause with the goals
    /// at which it stops; `unmatched`, clauses whose heads do not match; `nearest`, one of these that comes near;
    /// `untried`, clauses that a cut kept from being tried; `also`, a later goal of the clause that fails, too; `reason`, the case
    /// or the result for which a goal of the system fails; `undefined`, with near names.
    pub how: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<i64>,
    /// For `fails` in how many ways its clause comes to such a goal, for `tried` which clause of its predicate it is, from
    /// 1, or without a clause how many more were tried, for `unmatched` and `untried` how many clauses there are.
    pub count: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ProofClause {
    pub text: String,
    /// `inline`, `file` or `run`; or `node`: it stands in the code of a workflow's node.
    #[cfg_attr(
        feature = "typescript",
        ts(type = "\"inline\" | \"file\" | \"run\" | \"node\"")
    )]
    pub origin: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filename: Option<String>,
    /// In the file, or in the code of the node, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

/// A port that a goal goes through.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct Port {
    /// `call`, `unify` (with the head of a clause), `exit`, `redo`, `fail` or `exception`; or `answer`, whose goal is the
    /// query; or `error`, whose goal is the message.
    pub port: String,
    /// 0 for the goals of the query.
    pub depth: usize,
    /// With the values that it has at this port.
    pub goal: String,
    /// The goals around it with the values that they have at this port, the innermost first; at most eight.
    pub around: Vec<String>,
    /// The goal's clause; for `call` and `fail`, and goals not looked into, the calling clause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<i64>,
}

/// A run of a query with all its answers, port by port.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Replay {
    /// In the order of the run.
    pub steps: Vec<Port>,
    /// The clauses that the steps name, by their ids.
    pub clauses: BTreeMap<String, ProofClause>,
    /// Whether the trace was truncated at the step limit.
    pub cut: bool,
}
