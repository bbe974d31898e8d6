//! The engines that evaluate rules.

use serde::{Deserialize, Serialize};

/// A data engine with temporary tables and recursion, and the dialect that it takes. SQLite has neither types nor
/// limits that hold.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    DuckDb,
    Postgres,
}
