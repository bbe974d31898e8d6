//! The arguments of the tools, as their schemas show them. What each action takes, and which values, the memory checks.

use crate::schema::{Argument, Kind};

const fn argument(name: &'static str, kind: Kind) -> Argument {
    Argument {
        name,
        kind,
        required: false,
        operations: &[],
        description: "",
    }
}

const fn text(name: &'static str) -> Argument {
    argument(name, Kind::Text)
}

const fn list(name: &'static str) -> Argument {
    argument(name, Kind::List)
}

const fn number(name: &'static str) -> Argument {
    argument(name, Kind::Number)
}

const fn action(actions: &'static [&'static str]) -> Argument {
    Argument {
        name: "action",
        kind: Kind::choice(actions),
        required: true,
        operations: &[],
        description: "",
    }
}

const LIMIT: Argument = number("limit");
const OFFSET: Argument = number("offset");
const BUDGET: Argument = number("budget");
const TAGS: Argument = list("tags");
const STALE: Argument = argument("stale", Kind::Flag);
const SORT: Argument = argument(
    "type",
    Kind::choice(&["solution", "pattern", "decision", "workaround", "gotcha"]),
);
const CONFIDENCE: Argument = argument("confidence", Kind::choice(&["high", "medium", "low"]));

pub static GRAPH: &[Argument] = &[
    action(&["add", "connect", "query", "remove", "restore", "status"]),
    text("name"),
    text("type"),
    text("namespace"),
    text("description"),
    TAGS,
    text("source_id"),
    text("target_id"),
    text("edge_type"),
    number("weight"),
    text("node_id"),
    text("text"),
    text("node_type"),
    text("detail"),
    LIMIT,
    OFFSET,
    text("supersedes"),
    text("valid_from"),
    text("valid_to"),
    text("as_of"),
    STALE,
    BUDGET,
];

pub static READ_GRAPH: &[Argument] = &[
    action(&["query", "status"]),
    text("namespace"),
    TAGS,
    text("text"),
    text("node_type"),
    text("detail"),
    LIMIT,
    OFFSET,
    text("as_of"),
    STALE,
    BUDGET,
];

pub static PROJECT: &[Argument] = &[
    action(&["create", "update", "list", "log"]),
    text("name"),
    text("project_id"),
    argument("phase", Kind::choice(&["planning", "active", "paused", "done"])),
    list("goals"),
    list("stakeholders"),
    list("success_metrics"),
    argument("active_only", Kind::Flag),
    text("set_active"),
    text("action_text"),
    argument("type", Kind::choice(&["progress", "failure"])),
    text("result"),
    text("next_step"),
    LIMIT,
    OFFSET,
    BUDGET,
];

pub static READ_PROJECT: &[Argument] = &[
    action(&["list"]),
    text("project_id"),
    argument("active_only", Kind::Flag),
    LIMIT,
    OFFSET,
    BUDGET,
];

pub static EXPERIENCE: &[Argument] = &[
    action(&["save", "search", "prune", "remove", "restore"]),
    text("content"),
    SORT,
    text("context"),
    CONFIDENCE,
    TAGS,
    text("namespace"),
    text("experience_id"),
    text("text"),
    number("min_relevance"),
    number("threshold"),
    text("detail"),
    LIMIT,
    OFFSET,
    text("supersedes"),
    text("valid_from"),
    text("valid_to"),
    text("as_of"),
    STALE,
    BUDGET,
];

pub static READ_EXPERIENCE: &[Argument] = &[
    action(&["search"]),
    SORT,
    text("namespace"),
    text("text"),
    number("min_relevance"),
    text("detail"),
    LIMIT,
    OFFSET,
    text("as_of"),
    STALE,
    BUDGET,
];

pub static IDEA: &[Argument] = &[
    action(&["create", "update", "list"]),
    text("title"),
    text("idea_id"),
    text("category"),
    number("score"),
    STATUS,
    text("link_to"),
    LIMIT,
    OFFSET,
    BUDGET,
];

const STATUS: Argument = argument(
    "status",
    Kind::choice(&[
        "draft",
        "evaluating",
        "approved",
        "implementing",
        "done",
        "archived",
    ]),
);

pub static READ_IDEA: &[Argument] = &[action(&["list"]), text("category"), STATUS, LIMIT, OFFSET, BUDGET];

pub static INTEL: &[Argument] = &[
    action(&["learn", "recall", "crossref", "context", "infer", "related"]),
    text("content"),
    SORT,
    text("context"),
    CONFIDENCE,
    TAGS,
    text("namespace"),
    text("topic"),
    text("problem"),
    text("keywords"),
    text("goal"),
    list("assume"),
    text("detail"),
    text("node_id"),
    number("depth"),
    text("edge_type"),
    number("min_relevance"),
    LIMIT,
    OFFSET,
    text("supersedes"),
    text("valid_from"),
    text("valid_to"),
    text("as_of"),
    STALE,
    BUDGET,
];

pub static READ_INTEL: &[Argument] = &[
    action(&["recall", "crossref", "context", "infer", "related"]),
    text("namespace"),
    text("topic"),
    text("problem"),
    text("keywords"),
    text("goal"),
    list("assume"),
    text("detail"),
    text("node_id"),
    number("depth"),
    text("edge_type"),
    number("min_relevance"),
    LIMIT,
    OFFSET,
    text("as_of"),
    STALE,
    BUDGET,
];
