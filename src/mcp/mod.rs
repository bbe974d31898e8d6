//! The Model Context Protocol, spoken over any pipe that carries text.
//!
//! [`Server`] and [`Connection`] are the protocol: they read messages, answer them, and know both eras,
//! `initialize` (2024-11-05 to 2025-11-25) and per-request metadata (2026-07-28). They do no I/O: a host gives
//! a way to send text and a way to run futures. What is served stands behind [`Service`]:
//! [`PrologService`] is a workspace's tools, resources and prompts.

mod ask;
mod call;
mod changes;
mod connection;
mod dispatch;
mod dml;
mod era;
mod frames;
mod help;
mod jsonrpc;
mod prolog;
mod prompts;
mod resources;
mod sampling;
mod schema;
mod server;
mod service;
mod tools;

#[cfg(test)]
mod tests;

pub use ask::Question;
pub use call::Call;
pub use connection::Connection;
pub use dml::DmlTools;
pub use era::LogLevel;
pub use frames::{Frames, Window};
pub use jsonrpc::{Object, RpcError};
pub use prolog::{PrologService, Toolsets};
pub use server::{Server, Spawner};
pub use service::{About, Change, ChangeListener, Features, Reply, Service};
