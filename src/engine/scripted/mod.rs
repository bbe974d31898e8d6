//! An engine for tests: a tiny clause store that speaks the engine protocol, and a host that starts it.

mod clauses;
mod host;
mod reply;
mod rules;
mod store;
mod term;

pub use host::{Script, ScriptedHost};
pub use reply::written;
pub use rules::{answers, violations};
