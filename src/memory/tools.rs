//! The tools' arguments, declared once, for both the check of each call and the schemas that clients see.

use serde_json::{Map, Value};

use crate::decay::{Confidence, Sort};
use crate::record::{Phase, Status};

/// The fields of a JSON object.
pub type Object = Map<String, Value>;

/// A tool with its actions.
pub struct Tool {
    pub name: &'static str,
    actions: &'static [Action],
    pub(crate) parameters: &'static [(&'static str, Kind)],
}

pub struct Action {
    pub name: &'static str,
    /// Whether it changes nothing.
    pub reads: bool,
    pub(crate) required: &'static [&'static str],
    pub(crate) optional: &'static [&'static str],
    /// Further arguments, which make it change something.
    pub(crate) changing: &'static [&'static str],
}

/// The type of an argument.
pub enum Kind {
    Text,
    /// A list of texts.
    Texts,
    Flag,
    /// An integer from the first to the second, inclusive.
    Whole(i64, i64),
    Number(f64, f64),
    /// An ISO 8601 date or time.
    Time,
    /// One of the given values; the first field is the name used in error messages.
    Choice(&'static str, &'static [&'static str]),
}

const LIMIT: (&str, Kind) = ("limit", Kind::Whole(1, 50));
const OFFSET: (&str, Kind) = ("offset", Kind::Whole(0, 1_000_000));
/// The most tokens a reply may have.
const BUDGET: (&str, Kind) = ("budget", Kind::Whole(200, 100_000));
const AS_OF: (&str, Kind) = ("as_of", Kind::Time);
const STALE: (&str, Kind) = ("stale", Kind::Flag);
const VALID_FROM: (&str, Kind) = ("valid_from", Kind::Time);
const VALID_TO: (&str, Kind) = ("valid_to", Kind::Time);
const SUPERSEDES: (&str, Kind) = ("supersedes", Kind::Text);

const fn writes(
    name: &'static str,
    required: &'static [&'static str],
    optional: &'static [&'static str],
) -> Action {
    Action {
        name,
        reads: false,
        required,
        optional,
        changing: &[],
    }
}

const fn reads(
    name: &'static str,
    required: &'static [&'static str],
    optional: &'static [&'static str],
) -> Action {
    Action {
        reads: true,
        ..writes(name, required, optional)
    }
}

pub static TOOLS: [Tool; 5] = [
    Tool {
        name: "kn_graph",
        actions: &[
            writes(
                "add",
                &["name", "type"],
                &[
                    "namespace",
                    "description",
                    "tags",
                    "valid_from",
                    "valid_to",
                    "supersedes",
                ],
            ),
            writes(
                "connect",
                &["source_id", "target_id", "edge_type"],
                &["weight", "valid_from", "valid_to"],
            ),
            reads(
                "query",
                &[],
                &[
                    "text",
                    "node_type",
                    "tags",
                    "namespace",
                    "detail",
                    "limit",
                    "offset",
                    "as_of",
                    "stale",
                ],
            ),
            writes(
                "update",
                &["node_id"],
                &["name", "type", "description", "tags", "valid_from", "valid_to"],
            ),
            writes("remove", &[], &["node_id", "source_id", "target_id", "edge_type"]),
            writes(
                "restore",
                &[],
                &["node_id", "source_id", "target_id", "edge_type"],
            ),
            reads("status", &[], &[]),
        ],
        parameters: &[
            ("name", Kind::Text),
            ("type", Kind::Text),
            ("namespace", Kind::Text),
            ("description", Kind::Text),
            ("tags", Kind::Texts),
            ("source_id", Kind::Text),
            ("target_id", Kind::Text),
            ("edge_type", Kind::Text),
            ("weight", Kind::Number(0.0, 1.0)),
            ("node_id", Kind::Text),
            ("text", Kind::Text),
            ("node_type", Kind::Text),
            ("detail", Kind::Text),
            LIMIT,
            OFFSET,
            SUPERSEDES,
            VALID_FROM,
            VALID_TO,
            AS_OF,
            STALE,
            BUDGET,
        ],
    },
    Tool {
        name: "kn_project",
        actions: &[
            writes("create", &["name"], &["goals", "stakeholders", "success_metrics"]),
            writes(
                "update",
                &["project_id", "name"],
                &["phase", "goals", "stakeholders", "success_metrics"],
            ),
            Action {
                changing: &["set_active"],
                ..reads("list", &[], &["active_only", "project_id", "limit", "offset"])
            },
            writes(
                "log",
                &["project_id", "action_text"],
                &["type", "result", "next_step"],
            ),
            writes("remove", &["project_id"], &[]),
            writes("restore", &["project_id"], &[]),
        ],
        parameters: &[
            ("name", Kind::Text),
            ("project_id", Kind::Text),
            ("phase", Kind::Choice("phase", &Phase::NAMES)),
            ("goals", Kind::Texts),
            ("stakeholders", Kind::Texts),
            ("success_metrics", Kind::Texts),
            ("active_only", Kind::Flag),
            ("set_active", Kind::Text),
            ("action_text", Kind::Text),
            ("type", Kind::Choice("type", &["progress", "failure"])),
            ("result", Kind::Text),
            ("next_step", Kind::Text),
            LIMIT,
            OFFSET,
            BUDGET,
        ],
    },
    Tool {
        name: "kn_experience",
        actions: &[
            writes(
                "save",
                &["content", "type"],
                &[
                    "context",
                    "confidence",
                    "tags",
                    "namespace",
                    "valid_from",
                    "valid_to",
                    "supersedes",
                ],
            ),
            reads(
                "search",
                &[],
                &[
                    "text",
                    "type",
                    "namespace",
                    "min_relevance",
                    "detail",
                    "limit",
                    "offset",
                    "as_of",
                    "stale",
                ],
            ),
            writes("prune", &[], &["threshold"]),
            writes("remove", &["experience_id"], &[]),
            writes("restore", &["experience_id"], &[]),
        ],
        parameters: &[
            ("content", Kind::Text),
            ("type", Kind::Choice("experience type", &Sort::NAMES)),
            ("context", Kind::Text),
            ("confidence", Kind::Choice("confidence level", &Confidence::NAMES)),
            ("tags", Kind::Texts),
            ("namespace", Kind::Text),
            ("experience_id", Kind::Text),
            ("text", Kind::Text),
            ("min_relevance", Kind::Number(0.0, 1.0)),
            ("threshold", Kind::Number(0.0, 1.0)),
            ("detail", Kind::Text),
            LIMIT,
            OFFSET,
            SUPERSEDES,
            VALID_FROM,
            VALID_TO,
            AS_OF,
            STALE,
            BUDGET,
        ],
    },
    Tool {
        name: "kn_idea",
        actions: &[
            writes("create", &["title"], &["category", "score", "link_to"]),
            writes(
                "update",
                &["idea_id", "title"],
                &["category", "score", "status", "link_to"],
            ),
            reads("list", &[], &["status", "category", "limit", "offset"]),
            writes("remove", &["idea_id"], &[]),
            writes("restore", &["idea_id"], &[]),
        ],
        parameters: &[
            ("title", Kind::Text),
            ("idea_id", Kind::Text),
            ("category", Kind::Text),
            ("score", Kind::Number(f64::MIN, f64::MAX)),
            ("status", Kind::Choice("status", &Status::NAMES)),
            ("link_to", Kind::Text),
            LIMIT,
            OFFSET,
            BUDGET,
        ],
    },
    Tool {
        name: "kn_intel",
        actions: &[
            writes(
                "learn",
                &["content", "type"],
                &[
                    "context",
                    "confidence",
                    "tags",
                    "namespace",
                    "valid_from",
                    "valid_to",
                    "supersedes",
                ],
            ),
            reads(
                "recall",
                &[],
                &[
                    "topic",
                    "min_relevance",
                    "namespace",
                    "detail",
                    "limit",
                    "offset",
                    "as_of",
                    "stale",
                ],
            ),
            reads(
                "crossref",
                &["problem"],
                &["namespace", "detail", "limit", "offset", "as_of", "stale"],
            ),
            reads(
                "context",
                &["keywords"],
                &["namespace", "detail", "limit", "offset", "as_of", "stale"],
            ),
            reads("infer", &["goal"], &["assume", "limit", "offset", "as_of"]),
            reads(
                "related",
                &["node_id"],
                &[
                    "depth",
                    "edge_type",
                    "namespace",
                    "limit",
                    "offset",
                    "as_of",
                    "stale",
                ],
            ),
        ],
        parameters: &[
            ("content", Kind::Text),
            ("type", Kind::Choice("type", &Sort::NAMES)),
            ("context", Kind::Text),
            ("confidence", Kind::Choice("confidence", &Confidence::NAMES)),
            ("tags", Kind::Texts),
            ("namespace", Kind::Text),
            ("topic", Kind::Text),
            ("problem", Kind::Text),
            ("keywords", Kind::Text),
            ("goal", Kind::Text),
            ("assume", Kind::Texts),
            ("detail", Kind::Text),
            ("node_id", Kind::Text),
            ("depth", Kind::Whole(1, 5)),
            ("edge_type", Kind::Text),
            ("min_relevance", Kind::Number(0.0, 1.0)),
            LIMIT,
            OFFSET,
            SUPERSEDES,
            VALID_FROM,
            VALID_TO,
            AS_OF,
            STALE,
            BUDGET,
        ],
    },
];

impl Tool {
    /// All actions, or only those that read.
    pub fn actions(&self, only_reading: bool) -> impl Iterator<Item = &'static Action> {
        let actions = self.actions.iter();
        actions.filter(move |action| action.reads || !only_reading)
    }

    /// The arguments of these actions, besides the action's name.
    pub fn parameters(&self, only_reading: bool) -> impl Iterator<Item = &'static (&'static str, Kind)> {
        let taken: Vec<&str> = self
            .actions(only_reading)
            .flat_map(|action| {
                let changing = if only_reading { &[] } else { action.changing };
                [action.required, action.optional, changing].concat()
            })
            .collect();
        let parameters = self.parameters.iter();
        parameters.filter(move |(name, _)| *name == "budget" || taken.contains(name))
    }
}

impl Action {
    /// Whether a call with these arguments changes nothing.
    pub fn only_reads(&self, given: &Object) -> bool {
        self.reads && !self.changing.iter().any(|name| given.contains_key(*name))
    }
}
