//! Engines: the protocol they speak, and their supervision.

mod capacity;
pub mod host;
mod numbered;
mod pool;
mod projection;
pub mod protocol;
mod queue;
mod reading;
pub mod reply;
#[cfg(any(test, feature = "testing"))]
pub mod scripted;
mod supervisor;
mod suspects;

pub use capacity::{Beside, Capacity};
pub use host::{DeathKind, EngineDeath, EngineHost, EngineProcess};
pub use numbered::Numbered;
pub use pool::{Engine, Failed, Pool, Profile, Standby};
pub use protocol::{Capability, Unknown};
pub use queue::{Permit, Queue};
pub use reading::{Misread, misread_of};
pub use supervisor::{Lost, Supervisor};
