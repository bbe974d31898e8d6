//! The replies of `kn_experience`.

use serde::Serialize;
use serde_json::Value;

use super::{Counts, Rank, Span};
use crate::decay::{Confidence, Sort};

/// A saved experience.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SavedExperience {
    pub id: String,
    #[serde(rename = "type")]
    pub sort: Sort,
    pub confidence: Confidence,
    /// The decay rate: the natural logarithm of 2, divided by the half-life in days.
    pub decay_rate: f64,
    /// Its relevance: 1, since it is new.
    pub score: f64,
    #[serde(flatten)]
    pub kept: Kept,
}

/// For something saved that was already known, or that supersedes something.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct Kept {
    /// It was already known, and is now as fresh as if it were new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strengthened: Option<bool>,
    /// How often it was learned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<u64>,
    /// The id of what it supersedes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ExperienceList {
    #[cfg_attr(feature = "typescript", ts(as = "Vec<ExperienceItem>"))]
    pub experiences: Vec<Value>,
    #[serde(flatten)]
    pub counts: Counts,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ExperienceItem {
    pub id: String,
    #[serde(rename = "type")]
    pub sort: Sort,
    pub content: String,
    pub confidence: Confidence,
    /// From 0 to 1, at the requested time.
    pub relevance: f64,
    pub tags: Vec<String>,
    #[serde(flatten)]
    pub details: ExperienceDetails,
    #[serde(flatten)]
    pub span: Span,
    #[serde(flatten)]
    pub rank: Rank,
}

/// Additional fields with `detail: full`.
#[derive(Default, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ExperienceDetails {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Option<String>>"))]
    pub context: Option<Option<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// How often it was learned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<u64>,
    /// As ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<String>,
}

/// What had faded and was removed.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Pruned {
    pub pruned_count: usize,
    pub pruned_ids: Vec<String>,
}
