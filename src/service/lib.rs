//! What Hornbook serves over MCP. A [`Toolset`] is one capability as clients see it: its tools, resources,
//! prompts and help. [`Hornbook`] serves any number of them together.

mod advice;
mod budget;
pub mod dml;
mod help;
pub mod memory;
pub mod package;
mod person;
pub mod prolog;
mod prompt;
mod reference;
mod report;
mod resource;
pub mod results;
mod schema;
mod server;
mod toolset;
pub mod workflow;

#[cfg(test)]
mod tests;

pub use advice::next_step;
pub use prompt::{Prompt, Subject, Text};
pub use report::{Outcome, Report};
pub use resource::{Contents, Resource};
pub use schema::{Argument, Arguments, Kind};
pub use server::Hornbook;
pub use toolset::{Hints, Served, Tool, Toolset, Topic};

/// The declarations of all tools, as `tools/list` returns them when every toolset is served.
pub fn declarations() -> Vec<serde_json::Value> {
    fn of<C>(tools: &[&Tool<C>]) -> Vec<serde_json::Value> {
        tools.iter().map(|tool| tool.declaration()).collect()
    }
    [
        of(&prolog::TOOLS),
        of(&[&dml::RUN]),
        of(&*memory::TOOLS),
        of(&workflow::TOOLS),
    ]
    .concat()
}
