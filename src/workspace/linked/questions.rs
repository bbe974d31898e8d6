//! What the engine of Prolog says of sets.

use serde::Deserialize;

use hornbook_data::rules::{Goal, Program, Term};

/// What the engine says of sets.
#[derive(Deserialize)]
#[serde(untagged)]
pub enum Question {
    Program {
        set: Given,
    },
    Facts {
        set: u64,
        facts: String,
        rows: Vec<Vec<String>>,
    },
    Proof {
        set: u64,
        prove: Proved,
    },
    Check {
        set: u64,
        check: Goal,
    },
    Count {
        set: u64,
        count: Goal,
    },
    Goal {
        set: u64,
        goal: Goal,
    },
}

#[derive(Deserialize)]
pub struct Given {
    pub program: Program,
    pub links: Vec<Link>,
}

/// A predicate whose rows are linked data.
#[derive(Deserialize)]
pub struct Link {
    pub name: String,
    pub arity: usize,
    pub data: Vec<String>,
    /// Each row has one more argument, its number.
    pub numbered: bool,
}

/// A tuple whose step is asked for.
#[derive(Deserialize)]
pub struct Proved {
    /// What was asked, whose tables have the tuple.
    pub goal: Goal,
    /// The tuple; otherwise that of the goal itself.
    pub at: Option<At>,
}

#[derive(Deserialize)]
pub struct At {
    pub predicate: usize,
    pub round: u64,
    pub rule: usize,
    pub tuple: Vec<Term>,
}
