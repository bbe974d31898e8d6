//! What Hornbook serves over MCP: the tools, resources, prompts and help of a workspace, and of DML.

mod advice;
mod dml;
mod help;
mod prolog;
mod prompts;
mod resources;
mod sampling;
mod schema;
mod tools;

#[cfg(test)]
mod tests;

pub use advice::next_step;
pub use dml::DmlTools;
pub use prolog::{PrologService, Toolsets};
