//! The Model Context Protocol, over any pipe that carries text.
//!
//! [`Server`] and [`Connection`] are the protocol: they read messages, answer them, and know both eras,
//! `initialize` (2024-11-05 to 2025-11-25) and per-request metadata (2026-07-28). They do no I/O: the host
//! provides a way to send text and a way to run futures. [`Service`] is what they serve.

mod ask;
mod call;
mod changes;
mod connection;
mod dispatch;
mod era;
mod flow;
mod frames;
mod jsonrpc;
mod long;
mod rights;
mod server;
mod service;
mod tasks;

#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;

pub use ask::Question;
pub use call::Call;
pub use connection::Connection;
pub use era::LogLevel;
pub use frames::{Frames, Window};
pub use jsonrpc::{Object, RpcError, object};
pub use rights::Acting;
pub use server::Server;
pub use service::{About, Change, ChangeListener, Features, Reply, Service, Subscription};
