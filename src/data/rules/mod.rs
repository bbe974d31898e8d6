//! Rules as sets: a program without compound terms in its rules becomes statements that a data engine carries out round
//! by round until nothing new follows. `docs/rules-as-sets.md` says what the fragment is.

mod answers;
mod arithmetic;
mod check;
mod checked;
mod conditions;
mod engine;
mod equations;
mod error;
mod facts;
mod fixpoint;
mod groups;
mod kinds;
mod linear;
mod magic;
mod named;
mod narrowed;
mod parameters;
mod plan;
mod program;
mod proof;
mod renamed;
mod select;
mod stored;
mod strata;
#[cfg(test)]
mod tests;
mod typed;
mod write;

pub use answers::answer_rows;
pub use engine::Engine;
pub use error::RuleError;
pub use facts::Facts;
pub use fixpoint::{Fixpoint, Limits, Outcome, Step, Stopped};
pub use plan::{Plan, Query, Settings};
pub use program::{
    Column, Comparison, Constant, Expression, Goal, HeadArgument, Kind, Literal, Operation, Predicate,
    Program, Relation, Rule, Source, Term, ValueComparison,
};
pub use proof::{Derived, Premise, Step as ProofStep, Value as ProofValue};
