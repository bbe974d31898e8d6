//! Goals over one table of a source: the statement that answers a goal, and its rows as Prolog text.
//!
//! A statement returns at least the rows that match. The engine unifies each with the goal, so what a condition cannot
//! say exactly it leaves out.

mod cells;
mod joined;
mod numeric;
mod places;
mod source;
mod view;

pub use cells::Cell;
pub(crate) use cells::push_float;
pub use joined::{Aggregate, Called, Joined, Literal, MOST_TABLES, joined};
pub use source::{Column, From, columns, tables};

use std::fmt::Write;

use serde::Deserialize;

use hornbook_tables::{push_atom, push_json};

use super::sql::{Dialect, Statement, Value, quoted};
use cells::{
    END, is_date, is_integer, iso_time, plain_decimal, push_decimal, push_digits, push_typed, take_end,
};
use places::Placed;
use source::{Kind, UNKNOWN_COLLATION, kind, precise};

/// A table of a source.
#[derive(Clone, Debug)]
pub struct Relation {
    pub dialect: Dialect,
    pub from: From,
    pub columns: Vec<Column>,
}

/// An argument of a goal, which the engine gives as its kind and its text.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "(String, String)")]
pub enum Argument {
    /// Unbound; the same name is the same variable.
    Variable(String),
    Atom(String),
    /// In decimal digits.
    Integer(String),
    /// As Prolog writes it.
    Float(String),
    /// A string, which no value is.
    String,
    /// A list, a dict, or another term, perhaps with variables.
    Term,
}

impl TryFrom<(String, String)> for Argument {
    type Error = String;

    fn try_from((kind, text): (String, String)) -> Result<Self, String> {
        Ok(match &*kind {
            "variable" => Argument::Variable(text),
            "atom" => Argument::Atom(text),
            "integer" => Argument::Integer(text),
            "float" => Argument::Float(text),
            "string" => Argument::String,
            "term" => Argument::Term,
            other => return Err(format!("there is no argument of the kind {other}")),
        })
    }
}

impl Relation {
    /// The statement for a goal with these arguments, one for each column; `None` if no row can match. If `is_placed`, its
    /// rows are those that [`Relation::placed_rows`] takes.
    pub fn select(&self, row: &[Argument], is_placed: bool) -> Option<Statement> {
        let mut statement = Statement::default();
        let mut conditions = Vec::new();
        for (at, (column, argument)) in self.columns.iter().zip(row).enumerate() {
            match argument {
                Argument::Variable(_) => {
                    let same = row[..at].iter().position(|other| other == argument);
                    conditions.extend(same.and_then(|other| self.same(other, at)));
                }
                known => match self.condition(column, known, &mut statement) {
                    Condition::All => {}
                    Condition::None => return None,
                    Condition::If(text) => conditions.push(text),
                },
            }
        }
        let mut columns: Vec<String> = match self.dialect {
            // Read by other names, which are not numbers.
            Dialect::Sqlite => { self.columns.iter().enumerate() }
                .map(|(at, column)| format!("{} AS c{at}", self.read(column, &quoted(&column.name))))
                .collect(),
            Dialect::DuckDb | Dialect::Postgres => { self.columns.iter() }
                .map(|column| self.read(column, &quoted(&column.name)))
                .collect(),
        };
        let placed = match is_placed {
            true => self.placed(),
            false => Placed::default(),
        };
        columns.extend(placed.columns);
        let nulls = "NULL, ".repeat(columns.len());
        if self.has_end() {
            columns.push("NULL".to_owned());
        }
        let source = placed.source.unwrap_or_else(|| self.from.source(&self.columns));
        statement.sql = format!("SELECT {} FROM {source}", columns.join(", "));
        if !conditions.is_empty() {
            let _ = write!(statement.sql, " WHERE {}", conditions.join(" AND "));
        }
        if self.has_end() {
            let _ = write!(statement.sql, " UNION ALL SELECT {nulls}'{END}'");
        }
        Some(statement)
    }

    /// Whether a last row says that there are no more. DuckDB tells of an error in the middle as of the end.
    fn has_end(&self) -> bool {
        self.dialect == Dialect::DuckDb
    }

    /// Take the mark of the end off these rows, which `more` follow. Returns whether all are read.
    ///
    /// # Errors
    /// The rows end without it.
    pub fn take_end(&self, rows: &mut Vec<Vec<Cell>>, more: bool) -> Result<bool, String> {
        take_end(self.has_end(), rows, more)
    }

    /// The rows as the text of a list of lists of arguments.
    ///
    /// # Errors
    /// The value that cannot be read.
    pub fn rows(&self, rows: &[Vec<Cell>]) -> Result<String, String> {
        let mut out = String::from("[");
        for (at, row) in rows.iter().enumerate() {
            out.push_str(if at > 0 { "," } else { "" });
            self.push_row(&mut out, row)?;
        }
        out.push(']');
        Ok(out)
    }

    fn push_row(&self, out: &mut String, row: &[Cell]) -> Result<(), String> {
        out.push('[');
        for (at, (column, cell)) in self.columns.iter().zip(row).enumerate() {
            out.push_str(if at > 0 { "," } else { "" });
            self.push(out, column, cell)
                .map_err(|why| format!("a value of the column {} cannot be read: {why}", column.name))?;
        }
        out.push(']');
        Ok(())
    }

    fn kind(&self, column: &Column) -> Kind {
        kind(self.dialect, &column.type_name)
    }

    /// What reads a column, which is called `name`, as text unless its values have types of their own.
    fn read(&self, column: &Column, name: &str) -> String {
        match (self.dialect, self.kind(column)) {
            (_, Kind::Any | Kind::Digits) => name.to_owned(),
            (Dialect::DuckDb, Kind::Nested) => format!("CAST(to_json({name}) AS VARCHAR)"),
            (Dialect::DuckDb, Kind::Float) => format!("CAST(CAST({name} AS DOUBLE PRECISION) AS VARCHAR)"),
            (Dialect::DuckDb, _) => format!("CAST({name} AS VARCHAR)"),
            (Dialect::Postgres, Kind::Nested) => format!("CAST(to_jsonb({name}) AS TEXT)"),
            (Dialect::Postgres, Kind::Float) => format!("CAST(CAST({name} AS DOUBLE PRECISION) AS TEXT)"),
            (Dialect::Postgres | Dialect::Sqlite, _) => format!("CAST({name} AS TEXT)"),
        }
    }

    /// Both columns have the same value.
    fn same(&self, one: usize, other: usize) -> Option<String> {
        let [one, other] = [&self.columns[one], &self.columns[other]];
        let kind = self.kind(one);
        if kind != self.kind(other)
            || !matches!(kind, Kind::Integer | Kind::Text | Kind::Boolean | Kind::Date)
        {
            return None;
        }
        let is_one_type = one.type_name == other.type_name;
        let [one, other] = [one, other].map(|column| match (self.dialect, kind) {
            (Dialect::Postgres, Kind::Text) => format!("{} COLLATE \"C\"", quoted(&column.name)),
            // DuckDB compares no texts of two collations.
            (Dialect::DuckDb, Kind::Text) if column.collation == UNKNOWN_COLLATION => {
                format!("encode({})", quoted(&column.name))
            }
            // It converts one of two types of integers, which may have no room for the value.
            (Dialect::DuckDb, Kind::Integer) if !is_one_type => {
                format!("CAST({} AS VARCHAR)", quoted(&column.name))
            }
            _ => quoted(&column.name),
        });
        // `null` is also what the text null becomes.
        Some(format!("({one} = {other} OR {one} IS NULL OR {other} IS NULL)"))
    }

    fn condition(&self, column: &Column, known: &Argument, statement: &mut Statement) -> Condition {
        let kind = self.kind(column);
        let name = quoted(&column.name);
        match (kind, known) {
            (_, Argument::Variable(_)) => Condition::All,
            (_, Argument::String) => Condition::None,
            (_, Argument::Atom(atom)) if atom == "null" => match kind {
                Kind::Boolean
                | Kind::Integer
                | Kind::Decimal
                | Kind::Digits
                | Kind::Float
                | Kind::Date
                | Kind::Time => Condition::If(format!("{name} IS NULL")),
                // A text may be that word.
                Kind::Text | Kind::Other | Kind::Nested | Kind::Any => Condition::All,
            },
            (Kind::Nested, _) => Condition::All,
            (_, Argument::Term) => Condition::None,
            (Kind::Any, _) => self.equals_any(&name, known, statement),
            (Kind::Boolean, Argument::Atom(atom)) => match &**atom {
                "true" => Condition::If(name),
                "false" => Condition::If(format!("NOT {name}")),
                _ => Condition::None,
            },
            (Kind::Integer, Argument::Integer(digits)) => self.equals_integer(column, digits, statement),
            // What is no number, or has more digits than a float keeps, is an atom.
            (Kind::Decimal, Argument::Float(text) | Argument::Integer(text) | Argument::Atom(text)) => {
                self.equals_decimal(column, text, statement)
            }
            (Kind::Digits, Argument::Float(text)) => match text.parse::<f64>() {
                Ok(value) if value.is_finite() => {
                    let parameter = statement.parameter(Value::Float(value));
                    Condition::If(format!(
                        "TRY_CAST({name} AS DOUBLE) = CAST({parameter} AS DOUBLE)"
                    ))
                }
                _ => Condition::All,
            },
            (Kind::Digits, Argument::Atom(text)) => self.equals_text(&name, text, statement),
            (Kind::Float, Argument::Float(text)) => match text.parse::<f64>() {
                Ok(value) if value.is_finite() => {
                    let parameter = statement.parameter(Value::Float(value));
                    let double = "DOUBLE PRECISION";
                    Condition::If(format!(
                        "CAST({name} AS {double}) = CAST({parameter} AS {double})"
                    ))
                }
                _ => Condition::All,
            },
            (Kind::Text, Argument::Atom(text)) => match self.equals_text(&name, text, statement) {
                Condition::If(equal) if column.collation == UNKNOWN_COLLATION => {
                    let parameter = statement.parameters.len();
                    Condition::If(format!(
                        "({equal} AND encode({name}) = encode(CAST(${parameter} AS VARCHAR)))"
                    ))
                }
                condition => condition,
            },
            (Kind::Date, Argument::Atom(text)) if is_date(text) => {
                let parameter = statement.parameter(Value::Text(text.clone()));
                Condition::If(format!("{name} = CAST({parameter} AS DATE)"))
            }
            (Kind::Date | Kind::Other, Argument::Atom(text)) => {
                self.equals_text(&self.read(column, &name), text, statement)
            }
            (Kind::Time, Argument::Atom(_)) => Condition::All,
            _ => Condition::None,
        }
    }

    /// Of SQLite, where any value may be of any type.
    fn equals_any(&self, name: &str, known: &Argument, statement: &mut Statement) -> Condition {
        match known {
            Argument::Integer(digits) if digits.parse::<i64>().is_ok() => {
                let parameter = statement.parameter(Value::Integer(digits.clone()));
                // Some libraries give text for what a float does not hold.
                Condition::If(format!("{name} = CAST({parameter} AS INTEGER)"))
            }
            Argument::Integer(_) => Condition::None,
            Argument::Atom(text) => {
                let parameter = statement.parameter(Value::Text(text.clone()));
                // Without the cast a column of numbers would make one of the text.
                Condition::If(format!(
                    "(CAST({name} AS TEXT) = {parameter} OR typeof({name}) = 'blob')"
                ))
            }
            _ => Condition::All,
        }
    }

    fn equals_text(&self, expression: &str, text: &str, statement: &mut Statement) -> Condition {
        if text.contains('\0') {
            return Condition::None;
        }
        let parameter = statement.parameter(Value::Text(text.to_owned()));
        Condition::If(format!("{expression} = {parameter}"))
    }

    fn equals_integer(&self, column: &Column, digits: &str, statement: &mut Statement) -> Condition {
        let name = quoted(&column.name);
        match (self.dialect, digits.parse::<i64>()) {
            (Dialect::DuckDb | Dialect::Postgres, Ok(_)) if !self.rounds(column) => {
                let parameter = statement.parameter(Value::Integer(digits.to_owned()));
                Condition::If(format!("{name} = CAST({parameter} AS BIGINT)"))
            }
            // Beyond 64 bits the digits are compared, which are the same for the same integer.
            _ => self.equals_text(&self.read(column, &name), digits, statement),
        }
    }

    fn equals_decimal(&self, column: &Column, text: &str, statement: &mut Statement) -> Condition {
        let Some(plain) = plain_decimal(text) else {
            return Condition::All;
        };
        let name = quoted(&column.name);
        match (self.dialect, precise(&column.type_name)) {
            (Dialect::DuckDb, Some(type_name)) => {
                let parameter = statement.parameter(Value::Text(plain));
                Condition::If(format!("{name} = TRY_CAST({parameter} AS {type_name})"))
            }
            (Dialect::Postgres, _) => {
                let parameter = statement.parameter(Value::Text(plain));
                Condition::If(format!("{name} = CAST({parameter} AS NUMERIC)"))
            }
            _ => Condition::All,
        }
    }

    fn push(&self, out: &mut String, column: &Column, cell: &Cell) -> Result<(), String> {
        let text = match cell {
            Cell::Null | Cell::Typed(Value::Null) => {
                out.push_str("null");
                return Ok(());
            }
            Cell::Typed(value) => return push_typed(out, value),
            Cell::Text(text) => text,
        };
        match self.kind(column) {
            Kind::Integer if is_integer(text) => out.push_str(text),
            Kind::Decimal => push_decimal(out, text),
            Kind::Digits => push_digits(out, text),
            Kind::Float => push_float(out, text.parse().map_err(|_| "it is no number".to_owned())?),
            Kind::Boolean => out.push_str(match &**text {
                "true" | "t" | "1" => "true",
                _ => "false",
            }),
            Kind::Time => push_atom(out, &iso_time(text)),
            Kind::Nested => push_json(out, text)?,
            _ if text.contains('\0') => return Err("it has a NUL character".to_owned()),
            _ => push_atom(out, text),
        }
        Ok(())
    }
}

/// What is said of a value known.
enum Condition {
    /// Any row may match.
    All,
    /// No row matches.
    None,
    If(String),
}

#[cfg(test)]
mod tests;
