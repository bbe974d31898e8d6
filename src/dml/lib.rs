//! DML: Prolog programs that call language models and tools, and backtrack over both.
//!
//! A [`Run`] has an engine of its own, whose clauses are the program. The program's predicates for models, tools and
//! users are requests that its engine hands out; [`serve`] answers them, [`agent`] runs the loop of a task.

mod agent;
mod budget;
mod check;
mod engine;
mod event;
mod files;
mod model;
mod offer;
mod output;
mod plain;
mod program;
mod record;
mod replies;
mod run;
mod serve;
mod session;
mod settings;
mod term;
#[cfg(test)]
mod tests;
mod tools;
mod trace;

pub use budget::Budgets;
pub use check::{Finding, Inspected};
pub use event::Event;
pub use files::{FileOperation, Folder};
pub use model::{
    Call, LanguageModel, Message, ModelFailure, ModelRequest, ModelTool, Role, ToolHost, Turn, Usage, User,
};
pub use plain::{PlainMessage, PlainRequest, plain_turn};
pub use program::Parameter;
pub use record::{Entry, Sink, Start};
pub use replies::WantedOutput;
pub use run::{Dml, Ports, Run, RunOptions};
pub use settings::RunSettings;
pub use tools::{Policy, PolicyMode, Tool};
pub use trace::{StepId, Trace};
