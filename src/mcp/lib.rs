//! The Model Context Protocol, over any pipe that carries text.
//!
//! [`Server`] and [`Connection`] are the protocol: they read messages, answer them, and know both eras,
//! `initialize` (2024-11-05 to 2025-11-25) and per-request metadata (2026-07-28). They do no I/O: the host
//! provides a way to send text and a way to run futures. [`Service`] is what they serve.

mod about;
mod ask;
mod call;
mod call_state;
mod changes;
mod client;
mod connection;
mod dispatch;
mod era;
mod flow;
mod frames;
mod inbox;
mod jsonrpc;
mod long;
mod parked;
mod rights;
mod route;
mod server;
mod service;
mod task;
mod tasks;

#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;

pub use about::{About, Features};
pub use ask::Question;
pub use call::Call;
pub use changes::{Change, ChangeListener};
pub use connection::Connection;
pub use era::LogLevel;
pub use frames::{Frames, Window};
pub use jsonrpc::{Object, RpcError, object};
pub use rights::Acting;
pub use server::Server;
pub use service::{Reply, Service, Subscription};
