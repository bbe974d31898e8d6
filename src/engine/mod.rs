//! Engines.

pub mod host;

pub use host::{Clock, EngineDeath, EngineHost, EngineProcess, FileFault, Files};
