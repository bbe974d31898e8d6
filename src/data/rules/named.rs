//! The variables that rules name.

use super::program::{Expression, HeadArgument, Literal, Term};

/// The variables that must be bound before `literal`, which is arithmetic.
pub(super) fn needed(literal: &Literal) -> Vec<&str> {
    let mut found = Vec::new();
    match literal {
        Literal::Is { expression, .. } => in_expression(expression, &mut found),
        Literal::Compare { left, right, .. } => {
            in_expression(left, &mut found);
            in_expression(right, &mut found);
        }
        _ => {}
    }
    found
}

/// All variables of `literal`.
pub(super) fn variables(literal: &Literal) -> Vec<&str> {
    let mut found = needed(literal);
    match literal {
        Literal::Goal(goal) | Literal::Not(goal) => found.extend(goal.arguments.iter().filter_map(name)),
        Literal::Values { left, right, .. } => found.extend([left, right].into_iter().filter_map(name)),
        Literal::Is { result, .. } => found.extend(name(result)),
        Literal::Member { element, .. } => found.extend(name(element)),
        Literal::True | Literal::Compare { .. } => {}
    }
    found
}

fn in_expression<'a>(expression: &'a Expression, found: &mut Vec<&'a str>) {
    match expression {
        Expression::Term(term) => found.extend(name(term)),
        Expression::Operation { arguments, .. } => {
            for argument in arguments {
                in_expression(argument, found);
            }
        }
    }
}

fn name(term: &Term) -> Option<&str> {
    match term {
        Term::Variable(name) => Some(name),
        Term::Constant(_) => None,
    }
}

/// The variable of an argument of a head.
pub(super) fn head_variable(argument: &HeadArgument) -> Option<&str> {
    match argument {
        HeadArgument::Count => None,
        HeadArgument::Sum(name) | HeadArgument::Min(name) | HeadArgument::Max(name) => Some(name),
        HeadArgument::Term(term) => name(term),
    }
}
