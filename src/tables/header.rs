//! Whether the first row of a delimited file names its columns.

use hornbook_base::{Fault, cut};

use super::column::is_mark;
use super::dialect::Dialect;
use super::records::Records;
use super::rows::Reading;
use super::value::{Point, is_date, number};

/// How many rows are looked at.
const LOOKED_AT: usize = 200;
/// Years that name columns are of these, and at most so far apart.
const YEARS: std::ops::RangeInclusive<i64> = 1800..=2200;
const MOST_APART: u64 = 10;
/// So many years one after another are no coincidence.
const MANY: usize = 3;
/// How many numbers are named.
const NAMED: usize = 3;

/// What is known of a column below its first value.
#[derive(Debug, Clone, Default)]
struct Below {
    values: usize,
    numbers: usize,
    dates: usize,
}

/// Whether the first row names the columns. A row without numbers does if a column has numbers below a text, or only its
/// corner has no value, as above the names of rows, or if no value is a date or comes again in its column. One with
/// numbers does if they are years or count the columns, and something tells them from data. In doubt it does not.
pub async fn is_header(reading: &Reading<'_>, dialect: Dialect) -> Result<bool, Fault> {
    let mut records = Records::new(reading, dialect);
    if !records.next()? {
        return Ok(true);
    }
    let first = texts(&records);
    let mut below = vec![Below::default(); first.len()];
    let (mut again, mut rows, mut are_like, mut have_years) = (false, 0, false, false);
    // The first column counts the rows from 0 on.
    let mut is_counted = true;
    for _ in 0..LOOKED_AT {
        if !records.next()? {
            break;
        }
        have_years |= years(&texts(&records)).is_some();
        let mut same = 0;
        for ((at, value), first) in records.values().enumerate().zip(&first) {
            let Some(value) = value else { continue };
            if at == 0 {
                is_counted &= value.parse() == Ok(rows);
                are_like |= look(value) == look(first);
            }
            let is_value = !value.is_empty() && !is_mark(value);
            below[at].values += usize::from(is_value);
            below[at].numbers += usize::from(is_number(value));
            below[at].dates += usize::from(is_date(value));
            same += usize::from(value == first);
        }
        rows += 1;
        records.rest().await;
        again |= same > 0 && same < first.len().min(records.record.len());
    }
    let is_above_numbers = |(first, below): (&String, &Below)| {
        let has_only_numbers = below.values > 0 && below.numbers == below.values;
        has_only_numbers && !first.is_empty() && !is_number(first) && !is_mark(first)
    };
    let above_numbers = first.iter().zip(&below).any(is_above_numbers);
    let has_corner = first.len() > 1
        && first
            .iter()
            .enumerate()
            .all(|(at, text)| text.is_empty() == (at == 0));
    let is_corner = has_corner && rows > 0 && below[0].values == rows;
    let has_marks = first.iter().any(|text| is_mark(text));
    let has_dates = first.iter().any(|text| is_date(text));
    let mut columns = first.iter().zip(&below);
    if columns.any(|(first, below)| is_date(first) && below.dates > 0) {
        return Ok(false);
    }
    if !first.iter().any(|text| is_number(text)) {
        return Ok(above_numbers || !has_marks && (is_corner || !again && !has_dates));
    }
    if has_marks || have_years {
        return Ok(false);
    }
    let is_beside = is_corner && is_counted || above_numbers && first.len() > MANY;
    if is_beside && counts(&first[1..]) {
        return Ok(true);
    }
    Ok(match years(&first) {
        Some((1, _)) => above_numbers,
        Some((count, apart)) => {
            let is_other = !are_like || count >= MANY && apart == 1;
            above_numbers || !is_number(&first[0]) && is_other
        }
        None => false,
    })
}

/// The note on numbers that were taken for names.
pub fn numbers_as_names(header: &[String]) -> Option<String> {
    let numbers: Vec<&str> = header
        .iter()
        .map(String::as_str)
        .filter(|text| is_number(text))
        .collect();
    let more = if numbers.len() > NAMED { ", …" } else { "" };
    let named: Vec<String> = numbers.iter().take(NAMED).map(|text| cut(text, 24)).collect();
    (!numbers.is_empty()).then(|| {
        format!(
            "{}{more} in the first row were taken as names of columns; if they are data, import it with columns: \"header: false\".",
            named.join(", ")
        )
    })
}

fn texts(records: &Records<'_>) -> Vec<String> {
    let values = records.values().map(Option::unwrap_or_default);
    values.map(|text| text.trim().to_owned()).collect()
}

fn is_number(text: &str) -> bool {
    let text = text.trim();
    number(text, Point::Dot).or(number(text, Point::Comma)).is_some()
}

/// How many numbers a row has, and how far they are apart, if all of them are years at the same distance.
fn years(row: &[String]) -> Option<(usize, u64)> {
    let numbers = row.iter().filter(|text| is_number(text));
    let years: Option<Vec<i64>> = numbers
        .map(|text| text.parse().ok().filter(|year| YEARS.contains(year)))
        .collect();
    let years = years.filter(|years| !years.is_empty())?;
    let mut steps = years.windows(2).map(|pair| pair[1] - pair[0]);
    let step = steps.next().unwrap_or_default();
    let apart = step.unsigned_abs();
    let is_even = years.len() == 1 || (1..=MOST_APART).contains(&apart) && steps.all(|next| next == step);
    is_even.then_some((years.len(), apart))
}

/// Whether these are at least two numbers that count from 0 or 1 on.
fn counts(row: &[String]) -> bool {
    let from = |start: usize| row.iter().zip(start..).all(|(text, at)| text.parse() == Ok(at));
    row.len() > 1 && (from(0) || from(1))
}

/// What a text looks like: `B 12` and `A 7` look alike.
fn look(text: &str) -> String {
    let kind = |c: char| match c {
        c if c.is_numeric() => '0',
        c if c.is_uppercase() => 'A',
        c if c.is_alphabetic() => 'a',
        c => c,
    };
    let mut look: Vec<char> = text.trim().chars().map(kind).collect();
    look.dedup();
    look.into_iter().collect()
}
