//! What an agent remembers: a graph of nodes and edges, experiences that fade, projects with their logs,
//! ideas.
//!
//! A [`Memory`] is a projection of records. [`call`] reads it and returns the answer and the records to
//! change; the owner of the store applies the changes afterwards, so that no answer describes something that
//! was not stored. Time and ids are injected.

mod arguments;
mod around;
mod budget;
mod call;
mod context;
mod correct;
mod crossref;
mod decay;
mod desk;
mod draft;
mod exchange;
mod experience;
mod facts;
mod graph;
mod idea;
mod index;
mod infer;
mod intel;
mod kept;
mod meaning;
mod memory;
mod others;
mod overview;
mod project;
mod rank;
pub mod record;
pub mod results;
mod search;
mod similar;
mod terms;
mod time;
mod tools;
mod update;
mod words;

#[cfg(test)]
mod tests;

pub use budget::tokens;
pub use call::{Outcome, call, error};
pub use decay::HalfLives;
pub use desk::{Desk, Keeper, Plan, Rules};
pub use draft::{CallContext, VERSION};
pub use exchange::{Import, Problem, Report, import};
pub use facts::{edges, tell};
pub use infer::{Inferred, Question, Rule};
pub use meaning::{Embed, Near};
pub use memory::Memory;
pub use others::{Other, Others};
pub use overview::{bootup, memories, project_names, projects, review, status};
pub use record::{Change, Record};
pub use tools::{Action, Kind, Object, TOOLS, Tool};
