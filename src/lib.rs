//! Hornbook: logic that agents can hold.
//!
//! The [`book`] is the truth: clauses as written, in order, with their origins. A Prolog [`engine`] is a
//! worker that holds a projection of the book and may die at any moment. A [`workspace`] is one book and one
//! engine, with every operation on them. [`store`] keeps the book beyond the process. [`agent`] is the base
//! for runs that use language models: [`dml`] runs programs that call models and tools, [`workflow`] runs
//! graphs whose nodes think in Prolog. [`memory`] is what agents remember. [`mcp`] speaks the agents'
//! protocol, and [`service`] is what it serves.
//!
//! Each is a crate of its own on top of [`base`]. This crate is the bindings: only `js` knows JavaScript.

pub use hornbook_agent as agent;
pub use hornbook_base as base;
pub use hornbook_book as book;
#[cfg(feature = "full")]
pub use hornbook_dml as dml;
pub use hornbook_engine as engine;
pub use hornbook_mcp as mcp;
pub use hornbook_memory as memory;
pub use hornbook_service as service;
pub use hornbook_store as store;
pub use hornbook_tables as tables;
#[cfg(feature = "full")]
pub use hornbook_workflow as workflow;
pub use hornbook_workspace as workspace;

#[cfg(target_arch = "wasm32")]
mod js;
