//! An engine for tests: a tiny clause store that speaks the engine protocol, and a host, a clock, files and an
//! executor around it. Time is virtual: it passes when nothing else can happen.

mod bench;
mod host;
mod store;
mod term;

pub use bench::{Bench, MemoryFiles, VirtualClock};
pub use host::{Script, ScriptedHost, ok_first};
