//! The order in which predicates are evaluated: components of predicates that call one another, each after what it
//! calls.

use std::collections::VecDeque;

use super::checked::{Program, What};
use super::error::RuleError;

/// Predicates that depend on one another, or one that does not depend on itself.
#[derive(Clone, Debug)]
pub(super) struct Component {
    pub predicates: Vec<usize>,
    pub is_recursive: bool,
}

/// The components of the derived predicates that `goal` reaches. Negation and aggregates must not go through their own
/// recursion.
pub(super) fn components(program: &Program, goal: usize) -> Result<Vec<Component>, RuleError> {
    let mut paths = vec![Vec::new(); program.predicates.len()];
    let mut left = closure(program, goal);
    left[goal] = true;
    let mut left: Vec<usize> = (0..left.len())
        .filter(|&p| left[p] && program.predicates[p].is_derived())
        .collect();
    for &predicate in &left {
        paths[predicate] = closure(program, predicate);
    }
    // Those that reach fewer come first: a predicate reaches all that what it calls reaches.
    left.sort_by_key(|&predicate| {
        let others = paths[predicate]
            .iter()
            .enumerate()
            .filter(|&(other, &reaches)| reaches && other != predicate);
        others.count()
    });
    let mut components = Vec::new();
    while let Some(&first) = left.first() {
        let same = |&p: &usize| p == first || paths[first][p] && paths[p][first];
        let predicates: Vec<usize> = left.iter().copied().filter(same).collect();
        left.retain(|predicate| !predicates.contains(predicate));
        let is_recursive = paths[first][first];
        components.push(Component {
            predicates,
            is_recursive,
        });
    }
    for component in &components {
        for &predicate in &component.predicates {
            check(program, component, predicate)?;
        }
    }
    Ok(components)
}

/// The predicates that `from` calls, and those that they call.
pub(super) fn closure(program: &Program, from: usize) -> Vec<bool> {
    let mut reaches = vec![false; program.predicates.len()];
    let mut open = vec![from];
    while let Some(predicate) = open.pop() {
        for (called, _) in program.predicates[predicate]
            .clauses()
            .iter()
            .flat_map(|clause| clause.calls())
        {
            if !std::mem::replace(&mut reaches[called], true) {
                open.push(called);
            }
        }
    }
    reaches
}

fn check(program: &Program, component: &Component, predicate: usize) -> Result<(), RuleError> {
    for clause in program.predicates[predicate].clauses() {
        for (called, is_strict) in clause.calls() {
            if !is_strict || !component.predicates.contains(&called) || !component.is_recursive {
                continue;
            }
            let mut cycle = vec![program.predicates[predicate].indicator()];
            cycle.extend(
                path(program, called, predicate)
                    .into_iter()
                    .map(|p| program.predicates[p].indicator()),
            );
            let what = if clause.has_aggregate() {
                "an aggregate"
            } else {
                "a negation"
            };
            let message = format!(
                "depends on itself through {what}: {}. Let the {} depend only on predicates that do not call this one",
                cycle.join(" → "),
                if clause.has_aggregate() {
                    "aggregate"
                } else {
                    "negated goal"
                },
            );
            let error =
                RuleError::of(program.predicates[predicate].indicator(), message).in_rule(clause.number);
            let literal = clause
                .body
                .iter()
                .find(|literal| matches!(&literal.what, What::Goal(p, _) | What::Not(p, _) if *p == called));
            return Err(match literal {
                Some(literal) => error.at(&literal.text),
                None => error,
            });
        }
    }
    Ok(())
}

/// The shortest way from `from` to `to`, with both.
fn path(program: &Program, from: usize, to: usize) -> Vec<usize> {
    let mut before = vec![None; program.predicates.len()];
    let mut open = VecDeque::from([from]);
    while let Some(predicate) = open.pop_front() {
        if predicate == to {
            break;
        }
        for (called, _) in program.predicates[predicate]
            .clauses()
            .iter()
            .flat_map(|clause| clause.calls())
        {
            if called != from && before[called].is_none() {
                before[called] = Some(predicate);
                open.push_back(called);
            }
        }
    }
    let mut path = vec![to];
    while let Some(predicate) = before[path[path.len() - 1]] {
        path.push(predicate);
    }
    path.reverse();
    path
}
