//! Hornbook: logic that agents can hold.
//!
//! The [`book`] is the truth: clauses as they were written, in order, with where they came from.
//! A Prolog [`engine`] is a worker that holds a projection of the book and may die at any moment.
//! A [`workspace`] is one book and one engine, and every operation on them; [`store`] keeps the book beyond the
//! process; [`agent`] is what runs that use language models stand on; [`dml`] runs programs that call models and tools, [`workflow`] graphs whose nodes think in Prolog;
//! [`memory`] is what agents remember; [`mcp`] speaks the protocol of agents, and [`service`] is what it serves them.
//!
//! Each is a crate of its own, on [`base`]. This one is the bindings: only `js` knows JavaScript.

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
#[cfg(feature = "full")]
pub use hornbook_workflow as workflow;
pub use hornbook_workspace as workspace;

#[cfg(target_arch = "wasm32")]
mod js;
