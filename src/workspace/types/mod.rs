//! The arguments and results of a workspace's operations.

mod checks;
mod clauses;
mod history;
mod proofs;
mod queries;

use hornbook_book::Effect;
use serde::Serialize;

pub use checks::*;
pub use clauses::*;
pub use history::*;
pub use proofs::*;
pub use queries::*;

/// Something the caller should know beside the result: an engine was restarted, queries were closed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Notice(pub String);

impl AsRef<str> for Notice {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// What changed, for `resources/updated` and `list_changed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Changed {
    pub clauses: bool,
    pub symbols: bool,
    /// Cells of any capability.
    pub cells: bool,
}

impl From<Effect> for Changed {
    fn from(effect: Effect) -> Changed {
        let Effect {
            clauses,
            symbols,
            cells,
        } = effect;
        Changed {
            clauses,
            symbols,
            cells,
        }
    }
}
