//! Where an engine differs from the book.

use std::collections::{BTreeMap, BTreeSet};

use super::super::term::Term;
use super::Engine;
use super::items::{first_clause, indicator_in, item, plain};

/// The ids and texts of clauses by their predicates.
type ByPredicate = BTreeMap<(String, u32), Vec<(i64, String)>>;

impl Engine {
    /// What differs from a book that knows these predicates and has these entries: the clauses of each
    /// predicate are compared in their order.
    pub(super) fn differences(&self, predicates: &Term, loads: &Term) -> Vec<String> {
        let known = predicates.list().iter().map(Term::indicator);
        let unknown = known.filter(|predicate| !self.known.contains(predicate));
        let mut differences: Vec<String> = unknown
            .map(|(name, arity)| format!("{name}/{arity} is not known"))
            .collect();
        let mut book: ByPredicate = BTreeMap::new();
        let mut constraints = BTreeMap::new();
        for load in loads.list() {
            let Term::Call(_, parts) = load else {
                panic!("not a load")
            };
            let (mut text, mut ids) = (parts[1].text(), parts[2].ids());
            while let Some(range) = first_clause(text) {
                let (clause, rest) = text.split_at(range.end);
                let id = ids.pop_front().expect("ids for all entries");
                let (tag, parts) = item(clause);
                if tag == "d" && parts[0] == "constraint" {
                    constraints.insert(id, plain(clause));
                }
                if matches!(tag, "f" | "r" | "g") {
                    let held = book.entry(indicator_in(&parts)).or_default();
                    held.push((id, plain(clause)));
                }
                text = rest;
            }
        }
        if constraints != self.constraints {
            differences.push(format!(
                "the constraints are {:?} in the engine and {constraints:?} in the book",
                self.constraints
            ));
        }
        let mut engine: ByPredicate = BTreeMap::new();
        for clause in self.store.iter() {
            let held = engine.entry((clause.name.clone(), clause.arity)).or_default();
            held.push((clause.id, plain(&clause.text)));
        }
        for predicate in book.keys().chain(engine.keys()).collect::<BTreeSet<_>>() {
            let (book, engine) = (book.get(predicate), engine.get(predicate));
            if book != engine {
                let (name, arity) = predicate;
                differences.push(format!(
                    "{name}/{arity} is {engine:?} in the engine and {book:?} in the book"
                ));
            }
        }
        differences
    }
}
