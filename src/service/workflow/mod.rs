//! Workflows for clients.

mod keeper;

pub use keeper::open;
