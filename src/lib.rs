//! Hornbook: logic that agents can hold.
//!
//! The [`book`] is the truth: clauses as they were written, in order, with where they came from.
//! A Prolog [`engine`] is a worker that holds a projection of the book and may die at any moment.
//! A [`workspace`] is one book and one engine, and every operation on them; [`query`] keeps the open queries;
//! [`store`] keeps the book beyond the process; [`dml`] runs programs that call language models and tools; [`mcp`] serves
//! all of it to agents. Only `js` knows JavaScript.

pub mod book;
pub mod dml;
pub mod engine;
#[cfg(target_arch = "wasm32")]
mod js;
pub mod limits;
pub mod mcp;
pub mod options;
pub mod query;
pub mod store;
pub mod workspace;
