//! The values of rows as an engine gives them, and their text in Prolog.

use std::fmt::Write;

use hornbook_tables::{Number, Point, number, push_atom, push_number};
use serde::Deserialize;

use crate::sql::Value;

/// What the last row of a statement says.
pub(super) const END: &str = "end";

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

/// As `Relation::take_end`, if there is such a mark.
pub(super) fn take_end(has_end: bool, rows: &mut Vec<Vec<Cell>>, more: bool) -> Result<bool, String> {
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
    pub(super) fn is_null(&self) -> bool {
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

pub(super) fn push_typed(out: &mut String, value: &Value) -> Result<(), String> {
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

pub(super) fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit())
}

/// A number in a column of floats: an atom, if a float does not keep its digits.
pub(super) fn push_digits(out: &mut String, text: &str) {
    match (number(text, Point::Dot), text.parse::<f64>()) {
        (Some(Number::Integer(_)), Ok(value)) if text.len() <= 15 => push_float(out, value),
        (Some(number @ Number::Decimal(..)), _) => push_number(out, number),
        _ => push_atom(out, text),
    }
}

pub(super) fn push_decimal(out: &mut String, text: &str) {
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
    if !value.is_finite() {
        out.push_str(match value {
            _ if value.is_nan() => "1.5NaN",
            _ if value < 0.0 => "-1.0Inf",
            _ => "1.0Inf",
        });
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
pub(super) fn plain_decimal(text: &str) -> Option<String> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    (all_digits(whole) && all_digits(decimals) && digits.len() < 1_000).then(|| text.to_owned())
}

/// Whether a text is a date that any engine reads, such as `2026-01-31`.
pub(super) fn is_date(text: &str) -> bool {
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
pub(super) fn iso_time(text: &str) -> String {
    let joined = text.replacen(' ', "T", 1);
    match joined.strip_suffix("+00") {
        Some(utc) => format!("{utc}Z"),
        None => joined,
    }
}
