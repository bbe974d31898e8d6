//! Goals over one table of a source: the statement that answers a goal, and its rows as Prolog text.
//!
//! A statement returns at least the rows that match. The engine unifies each with the goal, so what a condition cannot
//! say exactly it leaves out.

mod joined;
mod numeric;
mod view;

pub use joined::{Aggregate, Called, Joined, Literal, MOST_TABLES, joined};

use std::fmt::Write;

use serde::Deserialize;

use hornbook_tables::{Number, Point, number, push_atom, push_json, push_number};

use super::sql::{Dialect, Statement, Value, quoted};

/// A table of a source.
#[derive(Clone, Debug)]
pub struct Relation {
    pub dialect: Dialect,
    pub from: From,
    pub columns: Vec<Column>,
}

/// Where the rows are.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum From {
    /// A table by the parts of its name, such as its schema and its own name.
    Table(Vec<String>),
    Parquet(Vec<String>),
    Csv(Vec<String>),
    /// JSON Lines.
    Json(Vec<String>),
}

impl From {
    /// What stands after FROM in a statement.
    fn source(&self, columns: &[Column]) -> String {
        match self {
            From::Table(parts) => parts
                .iter()
                .map(|part| quoted(part))
                .collect::<Vec<_>>()
                .join("."),
            From::Parquet(paths) => format!("read_parquet({}{})", literals(paths), of_several(paths)),
            From::Csv(paths) => {
                let digits = columns.iter().filter(|column| column.type_name == DIGITS);
                let digits: Vec<String> = digits
                    .map(|column| format!("{}: 'VARCHAR'", literal(&column.name)))
                    .collect();
                let types = match digits.is_empty() {
                    true => String::new(),
                    false => format!(", types = {{{}}}", digits.join(", ")),
                };
                format!(
                    "read_csv({}{AS_IMPORTED}{types}{})",
                    literals(paths),
                    of_several(paths)
                )
            }
            From::Json(paths) => format!(
                "read_json({}, format = 'newline_delimited'{})",
                literals(paths),
                of_several(paths)
            ),
        }
    }
}

/// Columns of CSV are numbers, ISO dates or text, as in tables that are imported.
const AS_IMPORTED: &str = ", auto_type_candidates = ['BIGINT', 'DOUBLE', 'DATE', 'VARCHAR'], dateformat = '%Y-%m-%d', \
                           allow_quoted_nulls = false";

/// The type of a column of CSV that has numbers: it is read as text, since a float does not keep all digits.
const DIGITS: &str = "digits";

/// Files may have columns that others lack, or numbers of another type.
fn of_several(paths: &[String]) -> &'static str {
    match paths.len() {
        0 | 1 => "",
        _ => ", union_by_name = true",
    }
}

impl Column {
    /// A column as the engine lists it.
    pub fn listed(from: &From, name: String, listed: &str) -> Column {
        let mut parts = listed.split(MARK);
        let type_name = parts.next().unwrap_or_default();
        let mut column = Column {
            name,
            type_name: match from {
                From::Csv(_) if type_name == "DOUBLE" => DIGITS.to_owned(),
                _ => type_name.to_owned(),
            },
            ..Column::default()
        };
        for part in parts {
            match part {
                "not null" => column.is_not_null = true,
                "key" => column.is_key = true,
                collation => column.collation = collation.to_owned(),
            }
        }
        column
    }
}

/// A column and its type, as the engine writes it.
#[derive(Clone, Debug, Default)]
pub struct Column {
    pub name: String,
    pub type_name: String,
    /// As far as it is known.
    pub is_not_null: bool,
    /// It is the number of a row of SQLite, and so an integer.
    pub is_key: bool,
    /// In Postgres its number. In a table of DuckDB, which does not tell it, `UNKNOWN_COLLATION`.
    pub collation: String,
}

/// The collation of Postgres that tells apart what has other bytes.
const DEFAULT_COLLATION: &str = "100";

/// A collation that may take values for equal that have other bytes.
const UNKNOWN_COLLATION: &str = "unknown";

/// Stands before what the engine says of a column besides its type.
const MARK: char = '\u{1}';

/// The statement that lists the tables of a database: the schema and the name of each.
pub fn tables(dialect: Dialect) -> Statement {
    let sql = match dialect {
        Dialect::DuckDb => {
            "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = 'linked' AND NOT internal \
             UNION ALL \
             SELECT schema_name, view_name FROM duckdb_views() WHERE database_name = 'linked' AND NOT internal \
             ORDER BY 1, 2"
        }
        Dialect::Postgres => {
            "SELECT n.nspname::text, c.relname::text FROM pg_catalog.pg_class c \
             JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
             WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p') AND n.nspname NOT LIKE 'pg\\_%' \
             AND n.nspname <> 'information_schema' AND has_table_privilege(c.oid, 'SELECT') ORDER BY 1, 2"
        }
        Dialect::Sqlite => {
            "SELECT 'main' AS c0, name AS c1 FROM sqlite_schema \
             WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
        }
    };
    Statement {
        sql: sql.to_owned(),
        parameters: Vec::new(),
    }
}

/// The statement that lists the columns of a table: the name and the type of each, in their order.
pub fn columns(dialect: Dialect, from: &From) -> Statement {
    let mut statement = Statement::default();
    let source = from.source(&[]);
    statement.sql = match (dialect, from) {
        (Dialect::DuckDb, from) => {
            let of_text = match from {
                From::Table(_) => {
                    format!(
                        "CASE column_type WHEN 'VARCHAR' THEN chr(1) || '{UNKNOWN_COLLATION}' ELSE '' END"
                    )
                }
                _ => "''".to_owned(),
            };
            format!("SELECT column_name, column_type || {of_text} FROM (DESCRIBE SELECT * FROM {source})")
        }
        (Dialect::Postgres, _) => {
            let table = statement.parameter(Value::Text(source));
            format!(
                "SELECT a.attname::text, \
                 pg_catalog.format_type(coalesce(nullif(t.typbasetype, 0), a.atttypid), a.atttypmod) \
                 || chr(1) || a.attcollation::text \
                 || CASE WHEN a.attnotnull THEN chr(1) || 'not null' ELSE '' END \
                 FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid \
                 WHERE a.attrelid = CAST({table} AS regclass) AND a.attnum > 0 AND NOT a.attisdropped \
                 ORDER BY a.attnum"
            )
        }
        (Dialect::Sqlite, from) => {
            let name = match from {
                From::Table(parts) => parts.last().cloned().unwrap_or_default(),
                _ => String::new(),
            };
            let table = statement.parameter(Value::Text(name));
            format!(
                // A primary key that has an index, as one that is descending, is not the number of a row.
                "SELECT name AS c0, type || CASE WHEN pk = 1 AND upper(type) = 'INTEGER' \
                 AND (SELECT count(*) FROM pragma_table_info({table}) WHERE pk > 0) = 1 \
                 AND NOT EXISTS (SELECT 1 FROM pragma_index_list({table}) WHERE origin = 'pk') \
                 THEN char(1) || 'key' ELSE '' END AS c1 \
                 FROM pragma_table_info({table}) ORDER BY cid"
            )
        }
    };
    statement
}

/// What the values of a column are in Prolog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The atoms `true` and `false`.
    Boolean,
    Integer,
    /// Exact, with digits after the point.
    Decimal,
    /// The text of a number.
    Digits,
    Float,
    Text,
    Date,
    /// An atom such as `'2026-01-31T14:30:00'`.
    Time,
    /// A list or a dict.
    Nested,
    /// An atom with the text of the value.
    Other,
    /// Each value has its own type.
    Any,
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

/// What the last row of a statement says.
const END: &str = "end";

/// A value in a row as the host gives it.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    Null,
    /// The text of a value of the column's type.
    Text(String),
    /// A value of its own type.
    Typed(Value),
}

impl Relation {
    /// The statement for a goal with these arguments, one for each column; `None` if no row can match.
    pub fn select(&self, row: &[Argument]) -> Option<Statement> {
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
        let nulls = "NULL, ".repeat(columns.len());
        if self.has_end() {
            columns.push("NULL".to_owned());
        }
        let source = self.from.source(&self.columns);
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
        let order = match (self.dialect, kind) {
            (Dialect::Postgres, Kind::Text) => " COLLATE \"C\"",
            _ => "",
        };
        let [one, other] = [quoted(&one.name), quoted(&other.name)].map(|name| name + order);
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
            (Kind::Float, Argument::Atom(atom)) => match &**atom {
                "nan" | "inf" | "-inf" => Condition::All,
                _ => Condition::None,
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

/// As `Relation::take_end`, if there is such a mark.
fn take_end(has_end: bool, rows: &mut Vec<Vec<Cell>>, more: bool) -> Result<bool, String> {
    if !has_end {
        return Ok(!more);
    }
    let is_end = |row: &Vec<Cell>| matches!(row.last(), Some(Cell::Text(text)) if text == END);
    if rows.last().is_some_and(is_end) {
        rows.pop();
        return Ok(true);
    }
    match more {
            true => Ok(false),
            false => Err(
                "only a part of the rows can be read: one does not fit the types of its columns, or the source is \
                 damaged".to_owned(),
            ),
        }
}

impl Cell {
    fn is_null(&self) -> bool {
        matches!(self, Cell::Null | Cell::Typed(Value::Null))
    }

    /// Its text, if it is one.
    pub fn into_text(self) -> Option<String> {
        match self {
            Cell::Text(text) | Cell::Typed(Value::Text(text)) => Some(text),
            _ => None,
        }
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

fn push_typed(out: &mut String, value: &Value) -> Result<(), String> {
    match value {
        Value::Null => out.push_str("null"),
        Value::Boolean(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Integer(digits) if is_integer(digits) => out.push_str(digits),
        Value::Integer(_) => return Err("it is no integer".to_owned()),
        Value::Decimal(text) => push_decimal(out, text),
        Value::Float(value) => push_float(out, *value),
        Value::Text(text) if text.contains('\0') => return Err("it has a NUL character".to_owned()),
        Value::Text(text) => push_atom(out, text),
    }
    Ok(())
}

fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit())
}

/// A number in a column of floats: an atom, if a float does not keep its digits.
fn push_digits(out: &mut String, text: &str) {
    match (number(text, Point::Dot), text.parse::<f64>()) {
        (Some(Number::Integer(_)), Ok(value)) if text.len() <= 15 => push_float(out, value),
        (Some(number @ Number::Decimal(..)), _) => push_number(out, number),
        _ => push_atom(out, text),
    }
}

fn push_decimal(out: &mut String, text: &str) {
    match number(text, Point::Dot) {
        Some(number @ (Number::Integer(_) | Number::Decimal(..))) => push_number(out, number),
        None if is_integer(text) => out.push_str(text),
        None => match text.parse::<f64>() {
            Ok(value) if !value.is_finite() => push_float(out, value),
            _ => push_atom(out, text),
        },
    }
}

/// Write a float as Prolog reads it.
pub(crate) fn push_float(out: &mut String, value: f64) {
    if value.is_nan() {
        out.push_str("nan");
        return;
    }
    if value.is_infinite() {
        out.push_str(if value < 0.0 { "'-inf'" } else { "inf" });
        return;
    }
    let text = format!("{value:?}");
    match text.split_once('e') {
        Some((digits, exponent)) if !digits.contains('.') => {
            let _ = write!(out, "{digits}.0e{exponent}");
        }
        _ => out.push_str(&text),
    }
}

/// The digits of a number without exponent; `None` if it has one, or is none.
fn plain_decimal(text: &str) -> Option<String> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    (all_digits(whole) && all_digits(decimals) && digits.len() < 1_000).then(|| text.to_owned())
}

/// The type of decimals with a precision and scale, as DuckDB writes it.
fn precise(type_name: &str) -> Option<&str> {
    let digits = type_name.strip_prefix("DECIMAL(")?.strip_suffix(')')?;
    digits
        .bytes()
        .all(|c| c.is_ascii_digit() || c == b',')
        .then_some(type_name)
}

/// Whether a text is a date that any engine reads, such as `2026-01-31`.
fn is_date(text: &str) -> bool {
    let Some([year, month, day]) = <[&str; 3]>::try_from(text.split('-').collect::<Vec<_>>()).ok() else {
        return false;
    };
    let value =
        |text: &str, length: usize| match text.len() == length && text.bytes().all(|c| c.is_ascii_digit()) {
            true => text.parse::<u32>().unwrap_or(0),
            false => 0,
        };
    let (year, month, day) = (value(year, 4), value(month, 2), value(day, 2));
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    year > 0 && (1..=days).contains(&day)
}

/// A time of an engine in UTC, such as `2026-01-31 14:30:00+00`, as ISO text.
fn iso_time(text: &str) -> String {
    let joined = text.replacen(' ', "T", 1);
    match joined.strip_suffix("+00") {
        Some(utc) => format!("{utc}Z"),
        None => joined,
    }
}

/// Texts as a list of literals: in single quotes, which are doubled within.
fn literals(texts: &[String]) -> String {
    let literals: Vec<String> = texts.iter().map(|text| literal(text)).collect();
    format!("[{}]", literals.join(", "))
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn kind(dialect: Dialect, type_name: &str) -> Kind {
    if dialect == Dialect::Sqlite {
        return Kind::Any;
    }
    let lower = type_name.to_ascii_lowercase();
    if lower.ends_with(']') || lower.starts_with("struct") || lower.starts_with("map") {
        return Kind::Nested;
    }
    let name = lower.split('(').next().unwrap_or_default().trim();
    match name {
        DIGITS => Kind::Digits,
        "boolean" | "bool" => Kind::Boolean,
        "tinyint" | "smallint" | "integer" | "bigint" | "hugeint" | "utinyint" | "usmallint" | "uinteger"
        | "ubigint" | "uhugeint" | "int2" | "int4" | "int8" | "bignum" => Kind::Integer,
        "decimal" | "numeric" => Kind::Decimal,
        "float" | "double" | "real" | "double precision" | "float4" | "float8" => Kind::Float,
        "varchar" | "text" | "character varying" => Kind::Text,
        "date" => Kind::Date,
        "timestamp"
        | "timestamp with time zone"
        | "timestamp without time zone"
        | "timestamp_s"
        | "timestamp_ms"
        | "timestamp_ns" => Kind::Time,
        "json" | "jsonb" | "union" => Kind::Nested,
        _ => Kind::Other,
    }
}

#[cfg(test)]
mod tests;
