//! Literals that are conditions on what the goals of a body read.

use crate::sql::Statement;

use super::arithmetic::may_be_null;
use super::checked::{Argument, Expression as Formula};
use super::kinds::{Kinds, argument_kinds};
use super::program::{Kind, ValueComparison};
use super::select::{Body, Context};
use super::stored::{Equal, Expression, Form, Operand, by_codes, convert, equal};

impl Context {
    pub(super) fn is(
        &self,
        result: &Argument,
        formula: &Formula,
        kinds: &[Kinds],
        divides: &mut [bool],
        body: &mut Body,
        statement: &mut Statement,
    ) -> bool {
        let value = self
            .arithmetic(kinds, &body.variables, divides, statement, &mut body.conditions)
            .value(formula);
        let is_nullable = may_be_null(formula, divides);
        match Operand::of(result, &body.variables) {
            Some(known) => match equal(&known, &Operand::Expression(value), statement) {
                Equal::Never => return false,
                Equal::Always => {}
                Equal::When(condition) if is_nullable => {
                    body.conditions.push(format!("({condition}) is not false"))
                }
                Equal::When(condition) => body.conditions.push(condition),
            },
            None => {
                if let Argument::Variable(variable) = result {
                    body.variables[*variable] = Some(value);
                    divides[*variable] = is_nullable;
                }
            }
        }
        true
    }

    pub(super) fn not(
        &self,
        place: usize,
        predicate: usize,
        arguments: &[Argument],
        body: &mut Body,
        statement: &mut Statement,
    ) -> bool {
        let alias = format!("n{}", place + 1);
        let mut local: Vec<(usize, Expression)> = Vec::new();
        let mut conditions = Vec::new();
        let mut attempt = statement.clone();
        for (index, argument) in arguments.iter().enumerate() {
            let column = self.column(predicate, index, &alias);
            let other = match argument {
                Argument::Variable(variable) if body.variables[*variable].is_none() => {
                    let before = local.iter().find(|(known, _)| known == variable);
                    match before {
                        Some((_, first)) => Operand::Expression(first.clone()),
                        None => {
                            local.push((*variable, column));
                            continue;
                        }
                    }
                }
                argument => match Operand::of(argument, &body.variables) {
                    Some(operand) => operand,
                    None => continue,
                },
            };
            match equal(&Operand::Expression(column), &other, &mut attempt) {
                // It has no such tuple, so its negation holds.
                Equal::Never => return true,
                Equal::Always => {}
                Equal::When(condition) => conditions.push(condition),
            }
        }
        *statement = attempt;
        let table = self.table(predicate);
        let filter = if conditions.is_empty() {
            String::new()
        } else {
            format!(" where {}", conditions.join(" and "))
        };
        body.conditions
            .push(format!("not exists (select 1 from {table} as {alias}{filter})"));
        true
    }

    pub(super) fn order(
        &self,
        operator: ValueComparison,
        left: &Argument,
        right: &Argument,
        kinds: &[Kinds],
        body: &mut Body,
        statement: &mut Statement,
    ) -> bool {
        let (Some(a), Some(b)) = (
            argument_kinds(left, kinds).single(),
            argument_kinds(right, kinds).single(),
        ) else {
            return false;
        };
        if a != b {
            let place = |kind| match kind {
                Kind::Integer | Kind::Float => 0,
                Kind::String => 1,
                Kind::Atom => 2,
                Kind::Other => 3,
            };
            let is_before = place(a) < place(b);
            return is_before == matches!(operator, ValueComparison::Before | ValueComparison::NotAfter);
        }
        let operator = match operator {
            ValueComparison::Before => "<",
            ValueComparison::NotAfter => "<=",
            ValueComparison::After => ">",
            _ => ">=",
        };
        let Some((left, right)) = body.both(left, right) else {
            return false;
        };
        let (left, first) = convert(&left, Form::Native(a), statement);
        let (right, second) = convert(&right, Form::Native(a), statement);
        body.conditions.extend(first.into_iter().chain(second));
        body.conditions
            .push(format!("{left} {operator} {}", by_codes(right, a, self.dialect)));
        true
    }
}
