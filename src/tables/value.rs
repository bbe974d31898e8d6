//! Which texts are numbers, and numbers and atoms as Prolog writes them.

use std::fmt::Write;

use super::names::is_atom;

/// More digits than this are text.
const MOST_DIGITS: usize = 1_000;

/// The mark before the decimals of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    Dot,
    Comma,
}

/// A number, exactly as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number<'a> {
    Integer(&'a str),
    /// Sign and digits before the point, those after it, and the exponent without `e`.
    Decimal(&'a str, &'a str, &'a str),
}

/// The number that a text is: an integer without leading zeros, or a decimal that a float holds without loss of
/// digits. `+1`, `007`, `1,000`, `.5`, `1e999` and `0x1F` are none.
pub fn number(text: &str, point: Point) -> Option<Number<'_>> {
    if text.len() > MOST_DIGITS {
        return None;
    }
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(unsigned);
    if whole == 0 || whole > 1 && unsigned.starts_with('0') {
        return None;
    }
    let (before, mut rest) = text.split_at(text.len() - unsigned.len() + whole);
    if rest.is_empty() {
        // There is no integer -0.
        return Some(Number::Integer(if text == "-0" { "0" } else { text }));
    }
    let mark = match point {
        Point::Dot => '.',
        Point::Comma => ',',
    };
    let mut decimals = "";
    if let Some(after) = rest.strip_prefix(mark) {
        let count = digits(after);
        if count == 0 {
            return None;
        }
        (decimals, rest) = after.split_at(count);
    }
    let exponent = match rest.strip_prefix(['e', 'E']) {
        Some(exponent) => {
            let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            if unsigned.is_empty() || digits(unsigned) != unsigned.len() {
                return None;
            }
            exponent
        }
        None if rest.is_empty() => "",
        None => return None,
    };
    let number = Number::Decimal(before, decimals, exponent);
    is_held(number).then_some(number)
}

/// Whether a float keeps all significant digits of a decimal.
fn is_held(number: Number<'_>) -> bool {
    let mut text = String::new();
    push_number(&mut text, number);
    let Ok(value) = text.parse::<f64>() else {
        return false;
    };
    if !value.is_finite() {
        return false;
    }
    let significant = significant(&text);
    if value == 0.0 {
        return significant.is_empty();
    }
    // A float keeps 15 digits always, except of the least numbers; more if it is written with them.
    // Two texts may be equally near: then both are as short as the one that is printed.
    significant.len() <= 15 && value.abs() >= f64::MIN_POSITIVE
        || significant.len() <= self::significant(&format!("{value:e}")).len()
        // Some programs write every float with 17.
        || significant == self::significant(&format!("{value:.16e}"))
}

/// The digits of a number without its exponent, and without zeros at either end.
fn significant(text: &str) -> String {
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    digits.trim_matches('0').to_owned()
}

/// Write a number as Prolog reads it: a float has digits on both sides of its point.
pub fn push_number(text: &mut String, number: Number<'_>) {
    match number {
        Number::Integer(digits) => text.push_str(digits),
        Number::Decimal(before, after, exponent) => {
            text.push_str(before);
            text.push('.');
            text.push_str(if after.is_empty() { "0" } else { after });
            if !exponent.is_empty() {
                text.push('e');
                text.push_str(exponent);
            }
        }
    }
}

/// Write an atom, with quotes where they are needed, in one line.
pub fn push_atom(text: &mut String, atom: &str) {
    if is_atom(atom) {
        text.push_str(atom);
        return;
    }
    text.push('\'');
    for c in atom.chars() {
        match c {
            '\'' => text.push_str("\\'"),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            // Controls, and what some programs take for the end of a line.
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                let _ = write!(text, "\\x{:x}\\", c as u32);
            }
            c => text.push(c),
        }
    }
    text.push('\'');
}

/// Whether a text begins as a date, `2026-01-31`, or is one as people write it, `31.1.2026` or `1/31/26`.
pub fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_iso = bytes.len() >= 10
        && bytes[..10].iter().enumerate().all(|(at, c)| {
            if at == 4 || at == 7 {
                *c == b'-'
            } else {
                c.is_ascii_digit()
            }
        });
    is_iso
        || ['.', '/']
            .into_iter()
            .any(|mark| are_digits(text, mark, &[1..=2, 1..=2, 2..=4]))
}

/// Whether a text is a time of the day: `8:30`, `08:30:00`.
pub fn is_time(text: &str) -> bool {
    are_digits(text, ':', &[1..=2, 2..=2]) || are_digits(text, ':', &[1..=2, 2..=2, 2..=2])
}

/// Whether a text is so many groups of digits with a mark between them, each of so many digits.
fn are_digits(text: &str, mark: char, groups: &[std::ops::RangeInclusive<usize>]) -> bool {
    let mut found = text.split(mark);
    let fits = |group: &str, lengths: &std::ops::RangeInclusive<usize>| {
        lengths.contains(&group.len()) && group.bytes().all(|byte| byte.is_ascii_digit())
    };
    groups
        .iter()
        .all(|lengths| found.next().is_some_and(|group| fits(group, lengths)))
        && found.next().is_none()
}
