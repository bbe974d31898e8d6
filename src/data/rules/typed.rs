//! Refuses what would compare or compute with values of kinds that have no common meaning.

use super::checked::{Aggregate, Argument, Clause, Expression, Head, Program, What};
use super::error::RuleError;
use super::kinds::{Columns, Kinds, argument_kinds, expression_kinds, variables};
use super::program::{Kind, Operation};

/// Check all rules.
pub(super) fn check(program: &Program, columns: &Columns) -> Result<(), RuleError> {
    for predicate in &program.predicates {
        for clause in predicate.clauses() {
            check_clause(clause, columns).map_err(|(goal, message)| {
                let error = RuleError::of(predicate.indicator(), message).in_rule(clause.number);
                match goal {
                    Some(goal) => error.at(goal),
                    None => error,
                }
            })?;
        }
    }
    Ok(())
}

type Complaint = (Option<String>, String);

fn check_clause(clause: &Clause, columns: &Columns) -> Result<(), Complaint> {
    let without_arithmetic = Clause {
        body: clause
            .body
            .iter()
            .filter(|literal| !matches!(literal.what, What::Compare(..) | What::Is(..)))
            .cloned()
            .collect(),
        ..clause.clone()
    };
    let Some(plain) = variables(&without_arithmetic, columns) else {
        return Ok(());
    };
    for literal in &clause.body {
        let at = |message: String| (Some(literal.text.clone()), message);
        match &literal.what {
            What::Compare(_, left, right) => {
                are_numbers(clause, left, &plain).map_err(at)?;
                are_numbers(clause, right, &plain).map_err(at)?;
            }
            What::Is(_, expression) => are_numbers(clause, expression, &plain).map_err(at)?,
            _ => {}
        }
    }
    let Some(kinds) = variables(clause, columns) else {
        return Ok(());
    };
    check_length(clause)?;
    for literal in &clause.body {
        let at = |message: String| (Some(literal.text.clone()), message);
        match &literal.what {
            What::Compare(_, left, right) => {
                one_number(clause, left, &kinds).map_err(at)?;
                one_number(clause, right, &kinds).map_err(at)?;
            }
            What::Is(_, Expression::Operation(operation, arguments)) => {
                for argument in arguments {
                    one_number(clause, argument, &kinds).map_err(at)?;
                }
                operation_fits(*operation, arguments, &kinds).map_err(at)?;
            }
            What::Is(_, expression) => one_number(clause, expression, &kinds).map_err(at)?,
            What::Order(_, left, right) => {
                let (left, right) = (argument_kinds(left, &kinds), argument_kinds(right, &kinds));
                let comparable = match (left.single(), right.single()) {
                    (Some(Kind::Other), _) | (_, Some(Kind::Other)) | (None, _) | (_, None) => false,
                    (Some(a), Some(b)) => a == b || !(Kinds::NUMBERS.has(a) && Kinds::NUMBERS.has(b)),
                };
                if !comparable {
                    return Err(at(format!(
                        "compares {} with {}: the standard order needs one kind on each side, and no compound terms",
                        left.text(),
                        right.text()
                    )));
                }
            }
            _ => {}
        }
    }
    for head in &clause.head {
        let Head::Aggregate(aggregate, Some(argument)) = head else {
            continue;
        };
        let all = argument_kinds(argument, &kinds);
        let (of, wanted) = match aggregate {
            Aggregate::Sum => (all.and(Kinds::NUMBERS), "integers alone or floats alone"),
            _ => (all, "integers, floats, atoms or strings alone"),
        };
        if of.single().is_none_or(|kind| kind == Kind::Other) {
            let message = format!("its aggregate is over {}: give it {wanted}", all.text());
            return Err((None, message));
        }
    }
    Ok(())
}

/// Results stand in statements as their expressions, so that results of results may grow without bound.
fn check_length(clause: &Clause) -> Result<(), Complaint> {
    const MOST: usize = 1000;
    let mut lengths = vec![1; clause.variables.len()];
    for literal in &clause.body {
        if let What::Is(result, expression) = &literal.what {
            let length = length(expression, &lengths);
            if length > MOST {
                let message =
                    "is too long with the results that it uses: compute them in a rule of their own";
                return Err((Some(literal.text.clone()), message.to_string()));
            }
            if let Argument::Variable(variable) = result {
                lengths[*variable] = length;
            }
        }
    }
    Ok(())
}

fn length(expression: &Expression, lengths: &[usize]) -> usize {
    match expression {
        Expression::Variable(variable) => lengths[*variable],
        Expression::Constant(_) => 1,
        Expression::Operation(operation, arguments) => {
            let repeated = match operation {
                Operation::Divide | Operation::Modulo => 3,
                _ => 1,
            };
            let of = arguments.iter().map(|argument| length(argument, lengths));
            of.fold(1, usize::saturating_add).saturating_mul(repeated)
        }
    }
}

fn are_numbers(clause: &Clause, expression: &Expression, kinds: &[Kinds]) -> Result<(), String> {
    match expression {
        Expression::Variable(variable) if kinds[*variable].and(Kinds::NUMBERS).is_empty() => Err(format!(
            "{} has {}, not numbers: compare values by `==` or `@<`",
            clause.variables[*variable],
            kinds[*variable].text()
        )),
        Expression::Constant(constant) if !Kinds::NUMBERS.has(constant.kind()) => Err(format!(
            "{constant} is not a number of 64 bits: compare values by `==` or `@<`"
        )),
        Expression::Operation(_, arguments) => arguments
            .iter()
            .try_for_each(|argument| are_numbers(clause, argument, kinds)),
        _ => Ok(()),
    }
}

fn one_number(clause: &Clause, expression: &Expression, kinds: &[Kinds]) -> Result<(), String> {
    match expression {
        Expression::Variable(variable) if kinds[*variable].single().is_none() => Err(format!(
            "{} may be an integer or a float: give it one kind where it is made, as in `X is Y * 1.0`",
            clause.variables[*variable]
        )),
        Expression::Operation(operation, arguments) => {
            for argument in arguments {
                one_number(clause, argument, kinds)?;
            }
            if expression_kinds(expression, kinds) == Kinds::NUMBERS {
                return Err(
                    "the quotient of two integers is an integer or a float: write `//`, or make one a float, as in \
                     `X * 1.0 / Y`"
                        .to_string(),
                );
            }
            operation_fits(*operation, arguments, kinds)
        }
        _ => Ok(()),
    }
}

fn operation_fits(operation: Operation, arguments: &[Expression], kinds: &[Kinds]) -> Result<(), String> {
    let of: Vec<Kinds> = arguments
        .iter()
        .map(|argument| expression_kinds(argument, kinds))
        .collect();
    match operation {
        Operation::IntegerDivide | Operation::Modulo if of.iter().any(|kinds| kinds.has(Kind::Float)) => {
            Err(format!("{operation} takes integers, not floats: use `/`"))
        }
        Operation::Min | Operation::Max if of[0] != of[1] => Err(format!(
            "{operation} of an integer and a float may be either: make both floats, as in `X * 1.0`"
        )),
        _ => Ok(()),
    }
}
