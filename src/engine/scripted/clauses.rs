//! The clauses of a scripted engine, in the order it was given them.

use std::collections::BTreeMap;

#[derive(Debug, Clone)]
pub struct Clause {
    pub id: i64,
    pub text: String,
    pub name: String,
    pub arity: u32,
}

#[derive(Default, Clone)]
pub struct Clauses {
    /// By position in the order.
    all: BTreeMap<i64, Clause>,
    /// The position for each id.
    numbers: BTreeMap<i64, i64>,
}

impl Clauses {
    /// Put a clause at the front or the end. Returns whether another had its id.
    pub fn put(&mut self, clause: Clause, front: bool) -> bool {
        let had = self.remove(clause.id).is_some();
        let number = match front {
            true => self.all.first_key_value().map_or(0, |(first, _)| first - 1),
            false => self.all.last_key_value().map_or(0, |(last, _)| last + 1),
        };
        self.numbers.insert(clause.id, number);
        self.all.insert(number, clause);
        had
    }

    pub fn remove(&mut self, id: i64) -> Option<Clause> {
        self.all.remove(&self.numbers.remove(&id)?)
    }

    pub fn has(&self, id: i64) -> bool {
        self.numbers.contains_key(&id)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Clause> {
        self.all.values()
    }

    pub fn retain(&mut self, keep: impl Fn(&Clause) -> bool) {
        self.all.retain(|_, clause| keep(clause));
        let left = self.all.iter();
        self.numbers = left.map(|(number, clause)| (clause.id, *number)).collect();
    }
}
