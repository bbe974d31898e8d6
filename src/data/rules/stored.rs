//! How values stand in tables, and how they are compared and converted in statements.

use super::engine::Engine;
use crate::sql::{Statement, Value};

use super::checked::Argument;
use super::kinds::{Kinds, tagged};
use super::program::{Column, Constant, Kind};

/// How a value stands in a statement.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Form {
    /// As the engine's own type.
    Native(Kind),
    /// The same, or null for the atom `null`. Never of atoms.
    Nullable(Kind),
    /// As text, with the tag of its kind.
    Tagged,
}

impl Form {
    /// Of a column of a derived table.
    pub fn of(kinds: Kinds) -> Form {
        super::kinds::stored(kinds).map_or(Form::Tagged, Form::Native)
    }

    /// The type of a column.
    pub fn sql(self) -> &'static str {
        match self {
            Form::Native(Kind::Integer) | Form::Nullable(Kind::Integer) => "bigint",
            Form::Native(Kind::Float) | Form::Nullable(Kind::Float) => "double precision",
            _ => "varchar",
        }
    }
}

/// A value in a statement.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub sql: String,
    pub form: Form,
}

/// A value in a statement, or a constant that is not yet in it.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    Expression(Expression),
    Constant(Constant),
}

impl Operand {
    /// What `argument` stands for, if it is bound.
    pub fn of(argument: &Argument, variables: &[Option<Expression>]) -> Option<Operand> {
        match argument {
            Argument::Variable(variable) => variables[*variable].clone().map(Operand::Expression),
            Argument::Constant(constant) => Some(Operand::Constant(constant.clone())),
        }
    }
}

/// The value of `column`, which `sql` reads.
pub(super) fn of_relation(sql: String, column: &Column) -> Expression {
    let form = match column.kinds.as_slice() {
        [Kind::Other] => Form::Tagged,
        [kind] if column.nullable && *kind != Kind::Atom => Form::Nullable(*kind),
        [kind] => Form::Native(*kind),
        _ => Form::Tagged,
    };
    let sql = match form {
        Form::Native(Kind::Atom) if column.nullable => format!("coalesce({sql}, 'null')"),
        Form::Tagged => {
            let sql = if column.nullable {
                format!("coalesce({sql}, 'anull')")
            } else {
                sql
            };
            // The same float has many texts: let the engine write it.
            if column.kinds.contains(&Kind::Float) {
                let float = format!("cast(substr({sql}, 2) as double precision)");
                format!(
                    "case when left({sql}, 1) = 'f' then {} else {sql} end",
                    tag(&float, Kind::Float)
                )
            } else {
                sql
            }
        }
        _ => sql,
    };
    let sql = if sql.starts_with("case ") {
        format!("({sql})")
    } else {
        sql
    };
    Expression { sql, form }
}

/// `sql`, a value of the engine's own type, as tagged text.
pub(super) fn tag(sql: &str, kind: Kind) -> String {
    match kind {
        Kind::Integer => format!("'i' || cast({sql} as varchar)"),
        // Negative zero becomes zero.
        Kind::Float => format!("'f' || cast({sql} + 0.0 as varchar)"),
        _ => format!("'{}' || {sql}", kind.tag()),
    }
}

impl Expression {
    pub fn tagged(&self) -> String {
        match self.form {
            Form::Tagged => self.sql.clone(),
            Form::Native(kind) => format!("({})", tag(&self.sql, kind)),
            Form::Nullable(kind) => format!("coalesce({}, 'anull')", tag(&self.sql, kind)),
        }
    }

    /// This value as one of `kind`, and the condition under which it is one.
    pub fn native(&self, kind: Kind) -> (String, Option<String>) {
        let sql = &self.sql;
        match self.form {
            Form::Native(_) => (sql.clone(), None),
            Form::Nullable(of) if of == kind => (sql.clone(), Some(format!("{sql} is not null"))),
            // Only its null is of another kind.
            Form::Nullable(_) => (
                "cast('null' as varchar)".to_string(),
                Some(format!("{sql} is null")),
            ),
            Form::Tagged => {
                let condition = format!("left({sql}, 1) = '{}'", kind.tag());
                let sql = format!("cast(substr({sql}, 2) as {})", Form::Native(kind).sql());
                (format!("case when {condition} then {sql} end"), Some(condition))
            }
        }
    }
}

/// `constant` as the engine's own type.
pub(super) fn constant(constant: &Constant, statement: &mut Statement) -> Expression {
    let form = Form::of(Kinds::of(constant.kind()));
    let value = match constant {
        Constant::Integer(digits) if form != Form::Tagged => Value::Integer(digits.clone()),
        Constant::Float(value) => Value::Float(value + 0.0),
        Constant::Atom(text) | Constant::String(text) => Value::Text(text.clone()),
        other => Value::Text(tagged(other).unwrap_or_default()),
    };
    let sql = format!("cast({} as {})", statement.parameter(value), form.sql());
    Expression { sql, form }
}

fn tagged_constant(value: &Constant, statement: &mut Statement) -> String {
    match tagged(value) {
        Some(text) => format!("cast({} as varchar)", statement.parameter(Value::Text(text))),
        None => constant(value, statement).tagged(),
    }
}

/// `operand` as a value of a column of `form`, and the condition under which it fits.
pub(super) fn convert(operand: &Operand, form: Form, statement: &mut Statement) -> (String, Option<String>) {
    match (operand, form) {
        (Operand::Constant(value), Form::Tagged) => (tagged_constant(value, statement), None),
        (Operand::Constant(value), _) => (constant(value, statement).sql, None),
        (Operand::Expression(expression), Form::Native(kind) | Form::Nullable(kind)) => {
            expression.native(kind)
        }
        (Operand::Expression(expression), Form::Tagged) => (expression.tagged(), None),
    }
}

/// A condition that two values are identical.
pub(super) enum Equal {
    Never,
    Always,
    When(String),
}

/// When `left` and `right` are identical in Prolog.
pub(super) fn equal(left: &Operand, right: &Operand, statement: &mut Statement) -> Equal {
    match (left, right) {
        (Operand::Constant(left), Operand::Constant(right)) => {
            if left == right {
                Equal::Always
            } else {
                Equal::Never
            }
        }
        (Operand::Expression(expression), Operand::Constant(value))
        | (Operand::Constant(value), Operand::Expression(expression)) => {
            let sql = &expression.sql;
            let is_null = *value == Constant::Atom("null".to_string());
            match expression.form {
                Form::Tagged => Equal::When(format!("{sql} = {}", tagged_constant(value, statement))),
                Form::Nullable(_) if is_null => Equal::When(format!("{sql} is null")),
                Form::Native(kind) | Form::Nullable(kind) if kind == value.kind() => {
                    Equal::When(format!("{sql} = {}", constant(value, statement).sql))
                }
                _ => Equal::Never,
            }
        }
        (Operand::Expression(left), Operand::Expression(right)) => {
            let (a, b) = (&left.sql, &right.sql);
            match (left.form, right.form) {
                (Form::Native(kind), Form::Native(other)) if kind != other => Equal::Never,
                (Form::Native(_), Form::Native(_)) => Equal::When(format!("{a} = {b}")),
                (Form::Nullable(kind), Form::Native(other)) if kind == other => {
                    Equal::When(format!("{a} = {b}"))
                }
                (Form::Native(kind), Form::Nullable(other)) if kind == other => {
                    Equal::When(format!("{a} = {b}"))
                }
                (Form::Nullable(kind), Form::Nullable(other)) if kind == other => {
                    Equal::When(format!("{a} is not distinct from {b}"))
                }
                _ => Equal::When(format!("{} = {}", left.tagged(), right.tagged())),
            }
        }
    }
}

/// `sql` as text that compares by the codes of its characters.
pub(super) fn by_codes(sql: String, kind: Kind, dialect: Engine) -> String {
    match (kind, dialect) {
        (Kind::Integer | Kind::Float, _) | (_, Engine::DuckDb) => sql,
        (_, Engine::Postgres) => format!("{sql} collate \"C\""),
    }
}
