//! The replies of `kn_idea`.

use serde::Serialize;
use serde_json::Value;

use super::Counts;
use crate::record::Status;

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct IdeaList {
    #[cfg_attr(feature = "typescript", ts(as = "Vec<IdeaItem>"))]
    pub ideas: Vec<Value>,
    #[serde(flatten)]
    pub counts: Counts,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct IdeaItem {
    pub id: String,
    pub title: String,
    pub status: Status,
    pub category: Option<String>,
    pub score: Option<f64>,
}

/// An idea that was created or updated.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ChangedIdea {
    #[serde(flatten)]
    pub idea: IdeaItem,
    #[serde(flatten)]
    pub link: Link,
}

/// The result of `link_to`.
#[derive(Default, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct Link {
    /// The id of the node that the idea is linked to; `null` if there is no such node.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Option<String>>"))]
    pub linked_to: Option<Option<String>>,
    /// Why it is not linked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link_error: Option<String>,
}
