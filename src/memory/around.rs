//! The edges at a node.

use std::collections::{BTreeSet, HashMap};

use crate::record::Edge;

#[derive(Default)]
pub struct Around {
    pub current: ByType,
    pub past: ByType,
}

#[derive(Default)]
pub struct ByType {
    every: BTreeSet<u64>,
    each: HashMap<String, BTreeSet<u64>>,
}

impl ByType {
    pub fn insert(&mut self, edge: &Edge) {
        self.every.insert(edge.number);
        self.each
            .entry(edge.kind.clone())
            .or_default()
            .insert(edge.number);
    }

    pub fn remove(&mut self, edge: &Edge) {
        self.every.remove(&edge.number);
        if let Some(each) = self.each.get_mut(&edge.kind) {
            each.remove(&edge.number);
            if each.is_empty() {
                self.each.remove(&edge.kind);
            }
        }
    }

    pub fn of(&self, kind: Option<&str>) -> Option<&BTreeSet<u64>> {
        match kind {
            None => Some(&self.every),
            Some(kind) => self.each.get(kind),
        }
    }
}

impl Around {
    pub fn of(&mut self, edge: &Edge) -> &mut ByType {
        match edge.life.is_current() {
            true => &mut self.current,
            false => &mut self.past,
        }
    }
}
