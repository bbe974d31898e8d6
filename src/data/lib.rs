//! Goals and rules over data that stays where it is: statements for the engine that has the data, made from what a
//! program says and never from its text.

mod links;
pub mod rules;
mod sql;

pub use links::{
    Aggregate, Argument, Called, Cell, Column, From, Joined, Literal, MOST_TABLES, Relation, columns, joined,
    tables,
};
pub use sql::{Dialect, Statement, Value, quoted};
