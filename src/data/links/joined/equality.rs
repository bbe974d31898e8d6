//! Which conditions of SQL say that values are equal, and whether they say it exactly as Prolog does.

use std::fmt::Write;

use super::super::source::{Column, DEFAULT_COLLATION, Kind, UNKNOWN_COLLATION};
use super::super::{Argument, Relation};
use crate::sql::{Dialect, quoted};

/// Whether a condition may hold of more values than are equal in Prolog.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Exactness {
    AtLeast,
    Exact,
}

impl Relation {
    /// The rows for which conditions hold, with columns named `v0`, `v1`, …
    pub(super) fn rows_that(&self, more: &str, conditions: &[String]) -> String {
        let columns: Vec<String> = { self.columns.iter().enumerate() }
            .map(|(at, column)| format!("{} AS v{at}", quoted(&column.name)))
            .collect();
        let mut sql = format!(
            "SELECT {}{more} FROM {}",
            columns.join(", "),
            self.from.source(&self.columns)
        );
        if !conditions.is_empty() {
            let _ = write!(sql, " WHERE {}", conditions.join(" AND "));
        }
        sql
    }

    /// Two columns have the same value; `None` if SQL cannot say so in a way that an engine joins by.
    pub(super) fn equal(
        &self,
        (one, left): (&Column, String),
        (two, right): (&Column, String),
        exactness: Exactness,
    ) -> Option<String> {
        let kind = self.kind(one);
        if kind != self.kind(two) {
            return None;
        }
        if self.dialect == Dialect::Sqlite {
            // The number of a row is an integer and no null.
            let is_key = one.is_key || two.is_key;
            return (is_key && exactness == Exactness::AtLeast).then(|| format!("{left} = {right}"));
        }
        let no_null = one.is_not_null || two.is_not_null;
        match kind {
            // `null` is also what the text null becomes.
            Kind::Text => {
                let [left, right] =
                    [(one, left), (two, right)].map(|(column, name)| match column.is_not_null {
                        true => name,
                        false => format!("coalesce({name}, 'null')"),
                    });
                let is_unknown = [one, two]
                    .iter()
                    .any(|column| column.collation == UNKNOWN_COLLATION);
                let by_bytes = exactness == Exactness::Exact || one.collation != two.collation;
                Some(match self.dialect {
                    Dialect::DuckDb if is_unknown => format!("encode({left}) = encode({right})"),
                    Dialect::Postgres if by_bytes => format!("{left} COLLATE \"C\" = {right} COLLATE \"C\""),
                    _ => format!("{left} = {right}"),
                })
            }
            Kind::Integer if one.type_name != two.type_name && (self.rounds(one) || self.rounds(two)) => {
                Some(format!(
                    "CAST({left} AS VARCHAR) IS NOT DISTINCT FROM CAST({right} AS VARCHAR)"
                ))
            }
            Kind::Integer | Kind::Boolean | Kind::Date if no_null => Some(format!("{left} = {right}")),
            Kind::Integer | Kind::Boolean | Kind::Date => Some(match self.dialect {
                // Postgres joins by no other equality of nulls.
                Dialect::Postgres => {
                    let [left, right] =
                        [left, right].map(|name| format!("coalesce(CAST({name} AS TEXT), 'null')"));
                    format!("{left} = {right}")
                }
                Dialect::DuckDb | Dialect::Sqlite => format!("{left} IS NOT DISTINCT FROM {right}"),
            }),
            _ => None,
        }
    }

    /// Whether `condition` says of exactly the values that are equal to `known` that they are.
    pub(super) fn is_exact(&self, column: &Column, known: &Argument) -> bool {
        match (self.kind(column), known) {
            (Kind::Any | Kind::Nested | Kind::Other, _) => false,
            (Kind::Text, Argument::Atom(atom)) => {
                atom != "null" && (self.dialect != Dialect::Postgres || column.collation == DEFAULT_COLLATION)
            }
            (Kind::Integer, Argument::Integer(digits)) => digits.parse::<i64>().is_ok(),
            (
                Kind::Boolean
                | Kind::Integer
                | Kind::Date
                | Kind::Decimal
                | Kind::Digits
                | Kind::Float
                | Kind::Time,
                Argument::Atom(atom),
            ) if atom == "null" => true,
            (Kind::Boolean, _) => true,
            _ => false,
        }
    }
}
