//! Goals over rules whose recursion is a last call, such as `path(X, Y) :- edge(X, Z), path(Z, Y)` called with `X`
//! known: which arguments are called is all that must be derived.

use std::collections::BTreeSet;

use super::checked::{Argument, Clause, Head, Program, What};
use super::narrowed::{Narrowed, added, calling, fact, is_bound, plain, variables};
use super::strata::closure;

/// Narrow `program` to what the goal needs that `answers` calls; none if the rules are of another shape.
pub(super) fn narrowed(program: &Program, goal: usize, answers: &Clause) -> Option<Narrowed> {
    let arguments = answers.body.first()?.what.arguments();
    let pattern: Vec<bool> = arguments.iter().map(is_bound).collect();
    let clauses = program.predicates[goal].clauses();
    let mut is_recursive = false;
    for clause in clauses {
        if clause.has_aggregate() {
            return None;
        }
        for (called, _) in clause.calls() {
            // Not through others.
            if called != goal && closure(program, called)[goal] {
                return None;
            }
        }
        if let Some(place) = recursion(clause, goal)? {
            is_recursive = true;
            if !is_last_call(clause, place, &pattern) {
                return None;
            }
        }
    }
    if !is_recursive {
        return None;
    }
    let mut program = program.clone();
    let known = pattern.iter().filter(|&&bound| bound).count();
    let called = program.derive(goal, known, true);
    let result = program.derive(goal, arguments.len(), false);
    let select = |of: &[Argument]| -> Vec<Argument> {
        of.iter()
            .zip(&pattern)
            .filter(|&(_, &bound)| bound)
            .map(|(argument, _)| argument.clone())
            .collect()
    };
    program.add(called, fact(select(arguments)));
    for clause in program.predicates[goal].clauses().to_vec() {
        let head = plain(&clause.head);
        let mut copy = clause.clone();
        let to = match recursion(&clause, goal)? {
            Some(place) => {
                let next = select(copy.body.remove(place).what.arguments());
                copy.head = next.into_iter().map(Head::Plain).collect();
                called
            }
            None => {
                let value = |index: usize| {
                    if pattern[index] {
                        &arguments[index]
                    } else {
                        &head[index]
                    }
                };
                copy.head = (0..head.len())
                    .map(|index| Head::Plain(value(index).clone()))
                    .collect();
                result
            }
        };
        copy.body.insert(0, added(called, select(&head)));
        program.add(to, copy);
    }
    Some((program, result, calling(answers, result)))
}

/// Where `clause` calls `goal`, if it does; none if that is more than once or negated.
fn recursion(clause: &Clause, goal: usize) -> Option<Option<usize>> {
    if clause.calls().filter(|&(called, _)| called == goal).count() > 1 {
        return None;
    }
    if clause
        .calls()
        .any(|(called, is_strict)| called == goal && is_strict)
    {
        return None;
    }
    Some(
        clause
            .goals()
            .find(|&(_, called, _)| called == goal)
            .map(|(place, ..)| place),
    )
}

/// Whether the goal at `place` passes on those arguments of the head that are not known, and nothing else uses them.
fn is_last_call(clause: &Clause, place: usize, pattern: &[bool]) -> bool {
    let head = plain(&clause.head);
    let arguments = clause.body[place].what.arguments();
    let of = |arguments: &[Argument], known: bool| -> Vec<Argument> {
        arguments
            .iter()
            .zip(pattern)
            .filter(|&(_, &bound)| bound == known)
            .map(|(argument, _)| argument.clone())
            .collect()
    };
    let passed = of(arguments, false);
    let free = variables(&passed);
    if passed != of(&head, false) || free.len() != passed.len() {
        return false;
    }
    let mut used = variables(&of(&head, true));
    used.extend(variables(&of(arguments, true)));
    let mut bound: BTreeSet<usize> = variables(&of(&head, true));
    for (other, literal) in clause.body.iter().enumerate() {
        if other == place {
            continue;
        }
        used.extend(literal.what.variables());
        match &literal.what {
            What::Goal(_, arguments) => bound.extend(variables(arguments)),
            What::Member(element, _) => bound.extend(variables(std::slice::from_ref(element))),
            _ => {}
        }
    }
    let next = variables(&of(arguments, true));
    used.is_disjoint(&free) && next.is_subset(&bound)
}
