//! Columns in comparisons of numbers: what SQL decides as Prolog does, and which rows Prolog must decide.

use super::source::{Column, Kind};
use super::view::digits;
use super::{Argument, Relation};
use crate::sql::{Dialect, Statement, Value};

/// Floats hold each integer up to this one.
const EXACT: i64 = 1 << 53;

/// A column as a number.
pub(super) struct Numeric {
    value: String,
    class: Class,
    /// Says of which rows Prolog decides: those where the value is no number, or one that SQL would round. `None` if of
    /// none.
    pub undecided: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Integer,
    Float,
    /// Each value has its own type.
    Any,
}

/// The operator of SQL for one of Prolog's.
pub(super) fn operator(name: &str) -> Option<&'static str> {
    Some(match name {
        "=:=" => "=",
        "=\\=" => "<>",
        "<" => "<",
        "=<" => "<=",
        ">" => ">",
        ">=" => ">=",
        _ => return None,
    })
}

impl Relation {
    /// The column, which `expression` reads, as a number; `None` if its values are none.
    pub(super) fn numeric(&self, column: &Column, expression: &str) -> Option<Numeric> {
        let duckdb = self.dialect == Dialect::DuckDb;
        let null = (!column.is_not_null).then(|| format!("{expression} IS NULL"));
        let or = |other: String| {
            Some(format!(
                "({})",
                Vec::from_iter(null.clone().into_iter().chain([other])).join(" OR ")
            ))
        };
        Some(match self.kind(column) {
            Kind::Integer if self.rounds(column) => {
                // As an integer that others are compared with exactly, if it is none of the largest.
                let value = format!("TRY_CAST(CAST({expression} AS VARCHAR) AS HUGEINT)");
                Numeric {
                    undecided: Some(format!("{value} IS NULL")),
                    value,
                    class: Class::Integer,
                }
            }
            Kind::Integer => Numeric {
                value: expression.to_owned(),
                class: Class::Integer,
                undecided: null,
            },
            Kind::Float => {
                let value = format!("CAST({expression} AS DOUBLE PRECISION)");
                let not_finite = match duckdb {
                    true => format!("NOT isfinite({value})"),
                    false => format!("{value} IN ('NaN', 'Infinity', '-Infinity')"),
                };
                Numeric {
                    value,
                    class: Class::Float,
                    undecided: or(not_finite),
                }
            }
            Kind::Decimal if digits(&column.type_name).is_some_and(|(all, _)| all <= 15) => Numeric {
                value: format!("CAST({expression} AS DOUBLE PRECISION)"),
                class: Class::Float,
                undecided: null,
            },
            Kind::Decimal | Kind::Digits => {
                // What is written otherwise, or with more digits than a float keeps, may be an atom.
                let text = format!("CAST({expression} AS VARCHAR)");
                let plain = r"^((0|-?[1-9][0-9]*)([.][0-9]+)?|-0[.][0-9]+)$";
                let (matches, cast) = match duckdb {
                    true => (format!("regexp_matches({text}, '{plain}')"), "TRY_CAST"),
                    false => (format!("{text} ~ '{plain}'"), "CAST"),
                };
                let is_plain = format!("(length({text}) <= 15 AND {matches})");
                Numeric {
                    value: format!("CASE WHEN {is_plain} THEN {cast}({expression} AS DOUBLE PRECISION) END"),
                    class: Class::Float,
                    undecided: or(format!("NOT {is_plain}")),
                }
            }
            Kind::Any => Numeric {
                value: expression.to_owned(),
                class: Class::Any,
                undecided: Some(format!(
                    "(typeof({expression}) NOT IN ('integer', 'real') \
                     OR {expression} NOT BETWEEN -{EXACT} AND {EXACT})"
                )),
            },
            Kind::Boolean | Kind::Text | Kind::Date | Kind::Time | Kind::Nested | Kind::Other => return None,
        })
    }
}

impl Numeric {
    /// What compares it with a number that is known, or leaves that to Prolog; `None` if SQL might round.
    pub fn with(&self, operator: &str, known: &Argument, statement: &mut Statement) -> Option<String> {
        let Numeric { value, class, .. } = self;
        let (parameter, number_type) = match known {
            Argument::Integer(digits) => {
                let number: i64 = digits.parse().ok()?;
                if number.unsigned_abs() > EXACT.unsigned_abs() && *class != Class::Integer {
                    return None;
                }
                (Value::Integer(digits.clone()), "BIGINT")
            }
            Argument::Float(text) => {
                let number: f64 = text.parse().ok()?;
                if number.is_nan() || number.abs() > EXACT as f64 {
                    return None;
                }
                (Value::Float(number), "DOUBLE PRECISION")
            }
            _ => return None,
        };
        let is_float = matches!(parameter, Value::Float(_));
        let parameter = statement.parameter(parameter);
        let compared = match class {
            Class::Any => {
                let number_type = if is_float { "REAL" } else { "INTEGER" };
                format!("{value} {operator} CAST({parameter} AS {number_type})")
            }
            Class::Integer if is_float => {
                format!("CAST({value} AS DOUBLE PRECISION) {operator} CAST({parameter} AS DOUBLE PRECISION)")
            }
            Class::Integer => format!("{value} {operator} CAST({parameter} AS BIGINT)"),
            Class::Float => {
                format!("{value} {operator} CAST(CAST({parameter} AS {number_type}) AS DOUBLE PRECISION)")
            }
        };
        Some(either(compared, self.undecided.as_deref()))
    }

    /// What compares two columns, or leaves that to Prolog, and when.
    pub fn beside(&self, operator: &str, other: &Numeric) -> (String, Option<String>) {
        let both = [self, other];
        let mut undecided: Vec<String> = both.iter().filter_map(|one| one.undecided.clone()).collect();
        let values = match self.class == other.class {
            true => both.map(|one| one.value.clone()),
            false => both.map(|one| match one.class {
                Class::Float | Class::Any => one.value.clone(),
                Class::Integer => {
                    undecided.push(format!("{} NOT BETWEEN -{EXACT} AND {EXACT}", one.value));
                    format!("CAST({} AS DOUBLE PRECISION)", one.value)
                }
            }),
        };
        let undecided = (!undecided.is_empty()).then(|| format!("({})", undecided.join(" OR ")));
        let compared = format!("{} {operator} {}", values[0], values[1]);
        (either(compared, undecided.as_deref()), undecided)
    }
}

fn either(condition: String, undecided: Option<&str>) -> String {
    match undecided {
        Some(undecided) => format!("({condition} OR {undecided})"),
        None => condition,
    }
}
