//! A program that derives only what a goal with known arguments needs.
//!
//! Each predicate that is called with known arguments gets a copy for that pattern, and a table of the arguments that
//! it is called with (its magic set): the rules of the copy begin with a goal of that table. Where each recursive rule
//! of the goal's predicate ends in a call that passes the other arguments on, the table suffices, and no tuples of the
//! calls between are derived.

use std::collections::{BTreeMap, BTreeSet};

use super::checked::{Argument, Clause, Expression, Head, Literal, Program, What};
use super::linear;
use super::narrowed::{Narrowed, added, calling, fact, is_bound, plain, variables};
use super::strata::closure;

/// Narrow `program` to what the goal needs that `answers` calls; none if that is not less.
pub(super) fn narrowed(program: &Program, goal: usize, answers: &Clause, proofs: bool) -> Option<Narrowed> {
    let arguments = answers.body.first()?.what.arguments();
    if !arguments.iter().any(is_bound) || !program.predicates[goal].is_derived() {
        return None;
    }
    let pattern: Vec<bool> = arguments.iter().map(is_bound).collect();
    let is_forward = forward(program, goal, &pattern) == pattern;
    if !proofs
        && is_forward
        && let Some(narrowed) = linear::narrowed(program, goal, answers)
    {
        return Some(narrowed);
    }
    let mut full = BTreeSet::new();
    loop {
        let before = full.len();
        let narrowed = attempt(program, goal, answers, &mut full)?;
        if full.len() == before {
            return Some(narrowed);
        }
    }
}

/// The part of `pattern` that a recursion is to use. In `up(X, Y) :- up(X, Z), step(Z, Y)`, called with both known, it is the
/// first: from there the recursion goes forward, and the other argument would make it go back from the end.
fn forward(program: &Program, predicate: usize, pattern: &[bool]) -> Vec<bool> {
    let clauses = program.predicates[predicate].clauses();
    let is_recursive = |called| called != predicate && closure(program, called)[predicate];
    let mut calls = clauses.iter().flat_map(Clause::calls);
    if calls.any(|(called, _)| is_recursive(called)) {
        return pattern.to_vec();
    }
    let mut is_called = false;
    let mut kept = vec![true; pattern.len()];
    for clause in clauses {
        for (_, called, arguments) in clause.goals() {
            if called == predicate {
                is_called = true;
                for ((kept, head), argument) in kept.iter_mut().zip(plain(&clause.head)).zip(arguments) {
                    *kept &= head == *argument;
                }
            }
        }
    }
    let Some(last) = kept.iter().rposition(|&kept| kept) else {
        return pattern.to_vec();
    };
    let is_behind =
        |(at, (&kept, &known)): (usize, (&bool, &bool))| if kept { known } else { !known || at > last };
    match is_called && kept.iter().zip(pattern).enumerate().all(is_behind) {
        true => kept,
        false => pattern.to_vec(),
    }
}

/// With more patterns of calls, everything is derived instead.
const MOST_COPIES: usize = 100;

fn attempt(program: &Program, goal: usize, answers: &Clause, full: &mut BTreeSet<usize>) -> Option<Narrowed> {
    let arguments = answers.body.first()?.what.arguments();
    let mut copies = Copies {
        program: program.clone(),
        known: BTreeMap::new(),
        open: Vec::new(),
        full,
    };
    let pattern = arguments.iter().map(is_bound).collect();
    let (copy, magic, pattern) = copies.copy(goal, pattern)?;
    copies.program.add(magic, fact(select(arguments, &pattern)));
    while let Some((predicate, pattern)) = copies.open.pop() {
        if copies.known.len() > MOST_COPIES {
            return None;
        }
        copies.rules(predicate, &pattern);
    }
    Some((copies.program, copy, calling(answers, copy)))
}

/// Those of `arguments` that `pattern` has.
fn select(arguments: &[Argument], pattern: &[bool]) -> Vec<Argument> {
    arguments
        .iter()
        .zip(pattern)
        .filter(|&(_, &bound)| bound)
        .map(|(argument, _)| argument.clone())
        .collect()
}

/// The copies that have been made.
struct Copies<'a> {
    program: Program,
    /// By predicate and pattern: the copy and its magic set.
    known: BTreeMap<(usize, Vec<bool>), (usize, usize)>,
    /// Copies whose rules are still to be made.
    open: Vec<(usize, Vec<bool>)>,
    /// Predicates that are needed in full.
    full: &'a mut BTreeSet<usize>,
}

impl Copies<'_> {
    /// The copy of `predicate` for calls of `pattern`, its magic set, and the part of the pattern that it uses; none if
    /// it is needed in full.
    fn copy(&mut self, predicate: usize, pattern: Vec<bool>) -> Option<(usize, usize, Vec<bool>)> {
        let mut pattern = forward(&self.program, predicate, &pattern);
        for clause in self.program.predicates[predicate].clauses() {
            for (bound, head) in pattern.iter_mut().zip(&clause.head) {
                *bound &= matches!(head, Head::Plain(_));
            }
        }
        if self.full.contains(&predicate) {
            return None;
        }
        if !pattern.contains(&true) {
            self.need(predicate);
            return None;
        }
        if let Some(&(copy, magic)) = self.known.get(&(predicate, pattern.clone())) {
            return Some((copy, magic, pattern));
        }
        let arity = self.program.predicates[predicate].arity;
        let copy = self.program.derive(predicate, arity, false);
        let magic = self
            .program
            .derive(predicate, pattern.iter().filter(|&&bound| bound).count(), true);
        self.known.insert((predicate, pattern.clone()), (copy, magic));
        self.open.push((predicate, pattern.clone()));
        Some((copy, magic, pattern))
    }

    /// Note that `predicate` and what it calls are needed in full.
    fn need(&mut self, predicate: usize) {
        if self.program.predicates[predicate].is_derived() && self.full.insert(predicate) {
            let calls = self.program.predicates[predicate]
                .clauses()
                .iter()
                .flat_map(|clause| clause.calls());
            for (called, _) in calls.collect::<Vec<_>>() {
                self.need(called);
            }
        }
    }

    fn rules(&mut self, predicate: usize, pattern: &[bool]) {
        let (copy, magic) = self.known[&(predicate, pattern.to_vec())];
        for clause in self.program.predicates[predicate].clauses().to_vec() {
            let given = added(magic, select(&plain(&clause.head), pattern));
            let copied = self.rule(&clause, &given);
            self.program.add(copy, copied);
        }
    }

    /// The copy of `clause` that begins with `given`, while the magic sets get what it calls.
    fn rule(&mut self, clause: &Clause, given: &Literal) -> Clause {
        let mut bound: BTreeSet<usize> = variables(given.what.arguments());
        let mut body = clause.body.clone();
        // What a call may rely on: what was given, and the goals before it.
        let mut before = vec![given.clone()];
        for literal in &clause.body {
            match &literal.what {
                What::Member(Argument::Variable(variable), _) => {
                    bound.insert(*variable);
                    before.push(literal.clone());
                }
                What::Not(called, _) => self.need(*called),
                _ => {}
            }
        }
        let mut left: Vec<(usize, usize)> =
            clause.goals().map(|(place, called, _)| (place, called)).collect();
        while let Some(next) = self.next(&left, clause, &bound) {
            let (place, called) = left.remove(next);
            let arguments = clause.body[place].what.arguments();
            let known = |argument: &Argument| match argument {
                Argument::Variable(variable) => bound.contains(variable),
                Argument::Constant(_) => true,
            };
            let pattern = arguments.iter().map(known).collect();
            if self.program.predicates[called].is_derived()
                && let Some((copy, magic, pattern)) = self.copy(called, pattern)
            {
                self.call(clause, magic, select(arguments, &pattern), &before, &bound);
                if let What::Goal(predicate, _) = &mut body[place].what {
                    *predicate = copy;
                }
            }
            before.push(body[place].clone());
            bound.extend(variables(arguments));
        }
        body.insert(0, given.clone());
        Clause {
            body,
            ..clause.clone()
        }
    }

    /// The goal to solve next: one with a known argument, of a relation rather than of rules.
    fn next(&self, left: &[(usize, usize)], clause: &Clause, bound: &BTreeSet<usize>) -> Option<usize> {
        let score = |&(place, called): &(usize, usize)| {
            let known = |argument: &&Argument| match argument {
                Argument::Variable(variable) => bound.contains(variable),
                Argument::Constant(_) => true,
            };
            let known = clause.body[place].what.arguments().iter().filter(known).count();
            (known > 0, !self.program.predicates[called].is_derived(), known)
        };
        let indexes = 0..left.len();
        indexes.rev().max_by_key(|&index| score(&left[index]))
    }

    /// Add `arguments` to `magic` where the goals `before` hold.
    fn call(
        &mut self,
        clause: &Clause,
        magic: usize,
        arguments: Vec<Argument>,
        before: &[Literal],
        bound: &BTreeSet<usize>,
    ) {
        let is_same =
            |literal: &Literal| matches!(&literal.what, What::Goal(p, a) if *p == magic && *a == arguments);
        if before.iter().any(is_same) {
            return;
        }
        let mut body = before.to_vec();
        body.extend(
            clause
                .body
                .iter()
                .filter(|literal| filters(&literal.what, bound))
                .cloned(),
        );
        self.program.add(
            magic,
            Clause {
                number: 0,
                head: arguments.into_iter().map(Head::Plain).collect(),
                body,
                variables: clause.variables.clone(),
            },
        );
    }
}

/// Whether `what` is a comparison of what is bound.
fn filters(what: &What, bound: &BTreeSet<usize>) -> bool {
    let all = |expression: &Expression| {
        let mut all = true;
        expression.each_variable(&mut |variable| all &= bound.contains(&variable));
        all
    };
    match what {
        What::Compare(_, left, right) => all(left) && all(right),
        What::Different(left, right) | What::Order(_, left, right) => {
            variables(&[left.clone(), right.clone()]).is_subset(bound)
        }
        _ => false,
    }
}
