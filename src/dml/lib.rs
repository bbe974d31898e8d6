//! DML: Prolog programs that call language models and tools, and backtrack over both.
//!
//! A [`Run`] has an engine of its own, whose clauses are the program. The program's predicates for models,
//! tools and users become requests from the engine; `serve` answers them, and `agent` runs the loop of a
//! task. Effects outside the engine belong to `hornbook-agent`.

mod agent;
mod asked;
mod branch;
mod check;
mod concurrent;
mod engine;
mod loaded;
mod offer;
mod output;
mod program;
mod ranges;
mod replies;
mod run;
mod serve;
mod session;
mod settings;
mod term;
#[cfg(test)]
mod tests;

pub use check::{Finding, Inspected};
pub use program::Parameter;
pub use run::{Dml, Run, RunOptions};
pub use settings::RunSettings;
