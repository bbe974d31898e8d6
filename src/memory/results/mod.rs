//! The tools' results: a struct for each reply, and for each item of a list.
//!
//! Where space is short, texts and lists are cut and end in `…`, so items are JSON values made from the
//! structs here.

mod experience;
mod graph;
mod idea;
mod intel;
mod project;

use serde::Serialize;
use serde_json::Value;

pub use experience::*;
pub use graph::*;
pub use idea::*;
pub use intel::*;
pub use project::*;

use crate::record::Life;
use crate::time::iso;

/// The reply of each action, by tool and action.
#[cfg(feature = "typescript")]
#[derive(ts_rs::TS)]
#[ts(rename = "MemoryReplies")]
pub struct Replies {
    #[ts(rename = "kn_graph add")]
    pub graph_add: NodeDetails,
    #[ts(rename = "kn_graph connect")]
    pub graph_connect: EdgeDetails,
    #[ts(rename = "kn_graph query")]
    pub graph_query: NodeList,
    #[ts(rename = "kn_graph update")]
    pub graph_update: NodeDetails,
    #[ts(rename = "kn_graph remove")]
    pub graph_remove: Removed,
    #[ts(rename = "kn_graph restore")]
    pub graph_restore: Restored,
    #[ts(rename = "kn_graph status")]
    pub graph_status: GraphStatus,
    #[ts(rename = "kn_project create")]
    pub project_create: ProjectSummary,
    #[ts(rename = "kn_project update")]
    pub project_update: ProjectSummary,
    #[ts(rename = "kn_project remove")]
    pub project_remove: Removed,
    #[ts(rename = "kn_project restore")]
    pub project_restore: Restored,
    #[ts(rename = "kn_project list")]
    pub project_list: ProjectsResult,
    #[ts(rename = "kn_project log")]
    pub project_log: Logged,
    #[ts(rename = "kn_experience save")]
    pub experience_save: SavedExperience,
    #[ts(rename = "kn_experience search")]
    pub experience_search: ExperienceList,
    #[ts(rename = "kn_experience prune")]
    pub experience_prune: Pruned,
    #[ts(rename = "kn_experience remove")]
    pub experience_remove: Removed,
    #[ts(rename = "kn_experience restore")]
    pub experience_restore: Restored,
    #[ts(rename = "kn_idea create")]
    pub idea_create: ChangedIdea,
    #[ts(rename = "kn_idea update")]
    pub idea_update: ChangedIdea,
    #[ts(rename = "kn_idea remove")]
    pub idea_remove: Removed,
    #[ts(rename = "kn_idea restore")]
    pub idea_restore: Restored,
    #[ts(rename = "kn_idea list")]
    pub idea_list: IdeaList,
    #[ts(rename = "kn_intel learn")]
    pub intel_learn: Learned,
    #[ts(rename = "kn_intel recall")]
    pub intel_recall: Recalled,
    #[ts(rename = "kn_intel crossref")]
    pub intel_crossref: Crossref,
    #[ts(rename = "kn_intel context")]
    pub intel_context: Context,
    #[ts(rename = "kn_intel infer")]
    pub intel_infer: InferredAnswers,
    #[ts(rename = "kn_intel related")]
    pub intel_related: Related,
}

/// The fields that every reply has besides its own.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "MemoryEnvelope"))]
pub struct Envelope {
    /// The version of the reply format.
    pub _v: &'static str,
    #[serde(flatten)]
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub reply: Value,
}

/// The reply to a call that failed.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "MemoryFailed"))]
pub struct Failed {
    /// Why, as a sentence.
    pub error: String,
}

/// How much of a list is shown, how long it is, and how to continue.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct Counts {
    pub count: usize,
    /// How many there are, if all were examined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_at_least: Option<usize>,
    /// How many requested items did not fit in the budget, and what to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Where the next page begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
}

/// When a record holds, if not simply from now on; times in ISO 8601.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct Span {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_to: Option<String>,
    /// The id of what supersedes it.
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

/// How an item got its rank: for searches with `detail: full`.
#[derive(Default, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct Rank {
    /// From 0 to 1; results are sorted by it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranked_by: Option<RankedBy>,
}

/// What the rank of an item depends on.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct RankedBy {
    /// How well its own words match.
    pub text: f64,
    /// How well its neighbors in the graph or in time match.
    pub near: f64,
    /// From 0 to 1: higher for what is newer, and for what has faded less.
    pub recency: f64,
    pub confidence: f64,
    /// How near its meaning is, from 0 to 1, if texts are compared by meaning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meaning: Option<f64>,
}

/// What was removed.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "removed", rename_all = "snake_case")]
pub enum Removed {
    Node {
        id: String,
        /// The experience that was learned with it, and is removed, too.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        experience_id: Option<String>,
    },
    Edge {
        source_id: String,
        target_id: String,
        /// How many other intervals of the relation are left, if any.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        left: Option<usize>,
    },
    Experience {
        id: String,
        /// The node that was learned with it, and is removed, too.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        node_id: Option<String>,
    },
    Project {
        id: String,
    },
    /// The node that stands for it is removed, too.
    Idea {
        id: String,
    },
}

/// What was restored after it was removed or superseded.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "restored", rename_all = "snake_case")]
pub enum Restored {
    Node {
        id: String,
        /// The experience that was removed with it, and is restored, too.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        experience_id: Option<String>,
    },
    Edge {
        source_id: String,
        target_id: String,
    },
    Experience {
        id: String,
        /// The node that was removed with it, and is restored, too.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        node_id: Option<String>,
    },
    Project {
        id: String,
    },
    Idea {
        id: String,
    },
}
