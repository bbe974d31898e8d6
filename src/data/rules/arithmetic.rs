//! Arithmetic as SQL. Where Prolog would raise an error, since a divisor is zero, it is null, which no table of tuples
//! admits: so the engine refuses the statement, unless the solution fails for another reason.

use super::engine::Engine;
use crate::sql::Statement;

use super::checked::Expression;
use super::kinds::{Kinds, expression_kinds};
use super::program::{Comparison, Kind, Operation};
use super::stored::{self, Form};

/// What an expression is rendered with.
pub(super) struct Arithmetic<'a> {
    pub dialect: Engine,
    pub kinds: &'a [Kinds],
    pub variables: &'a [Option<stored::Expression>],
    pub statement: &'a mut Statement,
    /// Which variables may be null, since they come from a division.
    pub divides: &'a [bool],
    /// Conditions under which the variables are numbers.
    pub conditions: &'a mut Vec<String>,
}

impl Arithmetic<'_> {
    /// The value of `expression`.
    pub fn value(&mut self, expression: &Expression) -> stored::Expression {
        let kinds = expression_kinds(expression, self.kinds);
        if let Expression::Operation(Operation::Divide, arguments) = expression
            && kinds == Kinds::NUMBERS
        {
            let sql = self.quotient(&arguments[0], &arguments[1]);
            return stored::Expression {
                sql,
                form: Form::Tagged,
            };
        }
        let kind = if kinds.has(Kind::Integer) {
            Kind::Integer
        } else {
            Kind::Float
        };
        stored::Expression {
            sql: self.number(expression),
            form: Form::Native(kind),
        }
    }

    /// The condition that a comparison holds.
    pub fn comparison(&mut self, operator: Comparison, left: &Expression, right: &Expression) -> String {
        let operator = match operator {
            Comparison::Equal => "=",
            Comparison::NotEqual => "<>",
            Comparison::Less => "<",
            Comparison::AtMost => "<=",
            Comparison::Greater => ">",
            Comparison::AtLeast => ">=",
        };
        let condition = format!("{} {operator} {}", self.number(left), self.number(right));
        if may_be_null(left, self.divides) || may_be_null(right, self.divides) {
            format!("({condition}) is not false")
        } else {
            condition
        }
    }

    fn number(&mut self, expression: &Expression) -> String {
        match expression {
            Expression::Variable(variable) => {
                let kind = self.kinds[*variable].single().unwrap_or(Kind::Integer);
                let Some(value) = &self.variables[*variable] else {
                    return "null".to_string();
                };
                let (sql, condition) = value.native(kind);
                self.conditions.extend(condition);
                format!("cast({sql} as {})", Form::Native(kind).sql())
            }
            Expression::Constant(value) => stored::constant(value, self.statement).sql,
            Expression::Operation(operation, arguments) => {
                let of: Vec<String> = arguments.iter().map(|argument| self.number(argument)).collect();
                self.operation(*operation, expression, &of)
            }
        }
    }

    fn operation(&self, operation: Operation, expression: &Expression, of: &[String]) -> String {
        let is_float = expression_kinds(expression, self.kinds) == Kinds::of(Kind::Float);
        match (operation, of) {
            (Operation::Subtract, [a]) => format!("(-{a})"),
            (Operation::Abs, [a]) => format!("abs({a})"),
            (Operation::Add, [a, b]) => format!("({a} + {b})"),
            (Operation::Subtract, [a, b]) => format!("({a} - {b})"),
            (Operation::Multiply, [a, b]) => format!("({a} * {b})"),
            (Operation::IntegerDivide, [a, b]) => format!("({a} {} nullif({b}, 0))", self.truncating()),
            (Operation::Modulo, [a, b]) => format!("((({a} % nullif({b}, 0)) + {b}) % nullif({b}, 0))"),
            (Operation::Divide, [a, b]) if is_float => {
                format!("(cast({a} as double precision) / nullif(cast({b} as double precision), 0))")
            }
            (Operation::Min, [a, b]) => format!("least({a}, {b})"),
            (Operation::Max, [a, b]) => format!("greatest({a}, {b})"),
            // The check admits nothing else.
            _ => "null".to_string(),
        }
    }

    /// The quotient of two integers, tagged: an integer where it is whole.
    fn quotient(&mut self, left: &Expression, right: &Expression) -> String {
        let (a, b) = (self.number(left), self.number(right));
        let whole = stored::tag(&format!("({a} {} {b})", self.truncating()), Kind::Integer);
        let part = stored::tag(
            &format!("cast({a} as double precision) / cast({b} as double precision)"),
            Kind::Float,
        );
        format!("(case when {b} = 0 then null when {a} % {b} = 0 then {whole} else {part} end)")
    }

    fn truncating(&self) -> &'static str {
        match self.dialect {
            Engine::DuckDb => "//",
            Engine::Postgres => "/",
        }
    }
}

/// Whether `expression` may be null.
pub(super) fn may_be_null(expression: &Expression, divides: &[bool]) -> bool {
    match expression {
        Expression::Operation(Operation::Divide | Operation::IntegerDivide | Operation::Modulo, _) => true,
        Expression::Operation(_, arguments) => {
            arguments.iter().any(|argument| may_be_null(argument, divides))
        }
        Expression::Variable(variable) => divides[*variable],
        Expression::Constant(_) => false,
    }
}
