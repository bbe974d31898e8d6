//! Books that several processes share, in a simulated world: one thread, virtual time, and a seed that decides
//! everything that is left to chance. Stores fail, engines die and hang, processes are killed and start again;
//! then everything is compared with what the clients have heard.

mod acts;
mod calls;
mod check;
mod crash;
mod drafts;
mod engine;
mod life;
mod log;
mod memories;
mod peek;
mod plan;
mod random;
mod replay;
mod rules;
mod run;
mod seat;
mod shrink;
mod state;
#[cfg(test)]
mod tests;
mod watch;
mod workflows;
mod world;

pub use plan::{Faults, Kind, Plan, Work};
pub use replay::replay;
pub use run::{Outcome, run};
pub use shrink::shrink;
