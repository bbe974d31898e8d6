//! What is reported about the constraints of the book.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::{BadReply, EngineError, Node, NodePlaces, Parts, Reply};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CountControl {
    answers: usize,
}

/// The reply to `constraints`: what violates each of them.
#[derive(Debug)]
pub struct Violations(pub Vec<Violated>);

/// What violates one constraint: its messages, each once.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Violated(
    pub Vec<String>,
    /// There are more.
    pub bool,
    /// Why they are not all known.
    pub Option<EngineError>,
    /// That a predicate it calls does not exist; for its answers, it has no clauses.
    pub Option<EngineError>,
);

impl Reply for Violations {
    type Control = CountControl;

    fn assemble(control: CountControl, parts: &mut Parts<'_>) -> Result<Self, BadReply> {
        Ok(Violations(parts.several(control.answers)?))
    }
}

/// The reply to `reaches`: what each constraint depends on.
#[derive(Debug)]
pub struct Reaches(pub Vec<Reach>);

/// What the answers of a constraint depend on.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Reach(
    /// Perhaps on any clause.
    pub bool,
    /// On facts of a capability.
    pub bool,
    /// The names of predicates whose clauses it depends on are among these.
    pub BTreeSet<String>,
);

impl Reply for Reaches {
    type Control = CountControl;

    fn assemble(control: CountControl, parts: &mut Parts<'_>) -> Result<Self, BadReply> {
        Ok(Reaches(parts.several(control.answers)?))
    }
}

/// The reply to `violation`: the first answer of a constraint with one message, and why it holds.
#[derive(Debug)]
pub struct Violation {
    /// Variables, and their values as text.
    pub bindings: Vec<(String, String)>,
    /// In preorder.
    pub nodes: Vec<Node>,
    /// Whether there were more nodes than are reported.
    pub cut: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ViolationControl {
    nodes: NodePlaces,
    cut: bool,
    #[serde(default)]
    error: bool,
}

impl Reply for Violation {
    type Control = ViolationControl;

    fn assemble(control: ViolationControl, parts: &mut Parts<'_>) -> Result<Self, BadReply> {
        let found = Violation {
            bindings: parts.take()?,
            nodes: control.nodes.assemble(parts)?,
            cut: control.cut,
        };
        parts.take_if::<EngineError>(control.error)?;
        Ok(found)
    }
}
