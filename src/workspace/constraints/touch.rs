//! What a change may alter, and whether a goal can see it.

use std::collections::BTreeSet;
use std::rc::Rc;

use hornbook_book::{Entry, Kind, Revision};
use hornbook_engine::reply::Reach;

/// What a change may alter.
#[derive(Debug, Default)]
pub struct Touch {
    /// Names of predicates.
    names: BTreeSet<String>,
    /// Whether rules are among their clauses.
    rules: bool,
    /// How any goal is understood.
    all: bool,
    /// Facts of a capability.
    facts: bool,
}

impl Touch {
    /// What a revision touches; `facts` says whether it changes facts of a capability.
    pub fn of(revision: &Revision, facts: bool) -> Touch {
        let mut touch = Touch {
            facts,
            ..Touch::default()
        };
        let mut before = None;
        for (_, entry) in revision.added.iter().chain(&revision.removed) {
            let predicate = entry.predicate();
            if entry.is_clause() {
                touch.rules |= entry.kind() != Kind::Fact;
                // Clauses of a predicate are usually adjacent.
                if before
                    .replace(predicate)
                    .is_none_or(|before| !Rc::ptr_eq(before, predicate))
                {
                    touch.names.insert(predicate.name.clone());
                }
            } else if !is_apart(entry) {
                touch.all = true;
            }
        }
        let known = revision.known.iter().map(|change| change.predicate.name.clone());
        touch.names.extend(known);
        touch
    }

    /// Facts of a capability.
    pub fn of_facts() -> Touch {
        Touch {
            facts: true,
            ..Touch::default()
        }
    }

    pub fn join(&mut self, other: &Touch) {
        self.names.extend(other.names.iter().cloned());
        self.rules |= other.rules;
        self.all |= other.all;
        self.facts |= other.facts;
    }

    pub fn is_nothing(&self) -> bool {
        self.names.is_empty() && !self.all && !self.facts
    }

    /// Whether it may alter what a goal depends on.
    pub fn changes_reach(&self) -> bool {
        self.rules || self.all
    }

    /// Whether it may alter the answers of a goal that depends on this.
    pub fn meets(&self, Reach(all, given, names): &Reach) -> bool {
        let (few, many) = match self.names.len() < names.len() {
            true => (&self.names, names),
            false => (names, &self.names),
        };
        self.all
            || (*all && !self.is_nothing())
            || (*given && self.facts)
            || few.iter().any(|name| many.contains(name))
    }
}

/// Whether a directive alters the answers of no goal.
fn is_apart(entry: &Entry) -> bool {
    const APART: [&str; 5] = [
        "constraint",
        "begin_tests",
        "end_tests",
        "initialization",
        "discontiguous",
    ];
    APART.contains(&&*entry.predicate().name)
}
