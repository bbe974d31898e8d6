//! The basis of runs that use language models: models, tools and their policy, the user, files, budgets,
//! recordings, events and their tree.
//!
//! [`Effects`] is everything such a run does outside of itself: each effect is checked against the budgets,
//! recorded or replayed, and reported to those who watch.

mod book;
mod budget;
mod effects;
mod entry;
mod event;
mod files;
mod meter;
mod model;
mod outage;
mod plain;
mod recorder;
mod stop;
mod tools;
mod trace;
mod tracer;
mod turn;

pub use book::{BookError, BookReply, BookUse, ProgramBook};
pub use budget::{Budgets, Price, Prices, Used, gas_exhausted};
pub use effects::{Effects, Ports};
pub use entry::{ENDED, Entry, HostReply, Start, VERSION, readings_of, start_of};
pub use event::{Event, Events};
pub use files::{FileOperation, FileReply, FileUse, Folder, is_for_files};
pub use meter::Meter;
pub use model::{
    Call, Choice, Cut, LanguageModel, Message, ModelFailure, ModelRequest, ModelTool, Remedy, Role, ToolHost,
    Trouble, Turn, Usage, User,
};
pub use outage::{Outage, Outages, Party};
pub use plain::{PlainMessage, PlainRequest, plain_turn};
pub use recorder::{Branches, Recorder, Sink};
pub use stop::Stop;
pub use tools::{ASK_USER, Argument, Policy, PolicyMode, Tool, ToolSet, matches, named_arguments};
pub use trace::{StepEnd, StepId, Trace, Traced, WantedOutput};
pub use tracer::Tracer;
pub use turn::NoTurn;
