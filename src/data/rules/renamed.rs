//! Predicates that only call another one with their own arguments: that one is called instead, and they need no table.

use super::checked::{Argument, Clause, Head, Program, What};

/// Call what such predicates call.
pub(super) fn without_renamings(program: &mut Program) {
    let names: Vec<Option<usize>> = (0..program.predicates.len())
        .map(|predicate| renamed(program, predicate))
        .collect();
    // Those that call one another in a circle stay.
    let meant = |predicate: usize| {
        let mut last = predicate;
        for _ in 0..names.len() {
            match names[last] {
                Some(next) => last = next,
                None => return last,
            }
        }
        predicate
    };
    for predicate in &mut program.predicates {
        for literal in predicate
            .clauses_mut()
            .iter_mut()
            .flat_map(|clause| &mut clause.body)
        {
            if let What::Goal(called, _) | What::Not(called, _) = &mut literal.what {
                *called = meant(*called);
            }
        }
    }
}

/// The derived predicate whose tuples `predicate` has, if its only clause says just that.
fn renamed(program: &Program, predicate: usize) -> Option<usize> {
    let [Clause { head, body, .. }] = program.predicates[predicate].clauses() else {
        return None;
    };
    let [literal] = body.as_slice() else {
        return None;
    };
    let What::Goal(called, arguments) = &literal.what else {
        return None;
    };
    let is_variable = |at: usize, argument: &Argument| {
        matches!(argument, Argument::Variable(_)) && !arguments[..at].contains(argument)
    };
    let is_same = head.len() == arguments.len() && { head.iter().zip(arguments).enumerate() }.all(
        |(at, (head, argument))| {
            is_variable(at, argument) && matches!(head, Head::Plain(head) if head == argument)
        },
    );
    (is_same && program.predicates[*called].is_derived()).then_some(*called)
}
