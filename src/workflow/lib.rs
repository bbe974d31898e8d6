//! Workflows: YAML graphs whose nodes think in Prolog.

pub mod code;
pub mod detect;
mod difference;
pub mod drawing;
mod engines;
pub mod explain;
pub mod fault;
mod fits;
pub mod follow;
pub mod json;
pub mod language;
pub mod load;
pub mod mermaid;
pub mod model;
mod number;
pub mod prolog;
pub mod run;
pub mod runs;
pub mod schedule;
mod signals;
pub mod state;
pub mod template;
pub mod time;
pub mod yaml;

#[cfg(test)]
mod tests;
