//! Engines: what is said to them, and who watches over them.

pub mod host;
mod projection;
pub mod protocol;
mod queue;
pub mod reply;
#[cfg(test)]
pub mod scripted;
mod supervisor;

pub use host::{Clock, DeathKind, EngineDeath, EngineHost, EngineProcess, FileFault, Files};
pub use protocol::Unknown;
pub use queue::Permit;
pub use supervisor::{Lost, Spawner, Supervisor};
