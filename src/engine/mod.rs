//! Engines: what is said to them, and who watches over them.

pub mod host;
pub mod protocol;
mod queue;
pub mod reply;
#[cfg(test)]
pub mod scripted;
mod supervisor;

pub use host::{Clock, EngineDeath, EngineHost, EngineProcess, FileFault, Files};
pub use protocol::Unknown;
pub use queue::Permit;
pub use supervisor::{Lost, Spawner, Supervisor};
