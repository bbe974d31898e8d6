//! Whether the first row of a delimited file or a sheet names its columns.

use std::borrow::Cow;

use hornbook_base::cut;

use super::column::is_mark;
use super::marked::marked;
use super::value::{Point, is_date, is_time, number};

/// How many rows are looked at.
const LOOKED_AT: usize = 200;
/// Years that name columns are of these, and at most so far apart.
const YEARS: std::ops::RangeInclusive<i64> = 1800..=2200;
const MOST_APART: u64 = 10;
/// So many years one after another are no coincidence.
const MANY: usize = 3;
/// How many numbers are named.
const NAMED: usize = 3;

/// The note on a header that only its place tells from data.
pub const ONLY_FIRST: &str =
    "The first row was taken for the header; if it is data, import it with columns: \"header: false\".";
/// The note on a header that comes again, which other rows tell from data.
const REPEATED: &str = "The first row was taken for the header, and comes again below, where it was kept as a row; if it is data, import it with columns: \"header: false\".";

/// What is known of a column below its first value.
#[derive(Debug, Clone, Default)]
struct Below {
    values: usize,
    numbers: usize,
    /// Dates, truth values and the like, which are seldom names.
    data: usize,
}

/// A value, without the space around it. One that is missing is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value<'a> {
    pub text: Cow<'a, str>,
    pub is_number: bool,
}

impl<'a> Value<'a> {
    /// A value of a file whose values are all texts.
    pub fn of(text: &'a str) -> Value<'a> {
        let text = text.trim();
        Value {
            text: text.into(),
            is_number: is_number(text),
        }
    }

    pub fn into_owned(self) -> Value<'static> {
        Value {
            text: self.text.into_owned().into(),
            is_number: self.is_number,
        }
    }

    fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

/// The first row of a table, and what is known of the rows below.
pub struct Top<'a> {
    first: Vec<Value<'a>>,
    below: Vec<Below>,
    /// Those that are not as the first.
    rows: usize,
    /// Those that are: a header that comes again where files were joined, or data.
    repeats: usize,
    /// A value comes again in its column, in a row that is another.
    again: bool,
    /// A value of the first column looks like the first.
    are_like: bool,
    /// Numbers of a row could be years that name columns.
    have_years: bool,
    /// The first column counts the rows from 0 on.
    is_counted: bool,
}

impl<'a> Top<'a> {
    pub fn new(first: Vec<Value<'a>>) -> Self {
        Top {
            below: vec![Below::default(); first.len()],
            first,
            rows: 0,
            repeats: 0,
            again: false,
            are_like: false,
            have_years: false,
            is_counted: true,
        }
    }

    /// Whether further rows are of no use.
    pub fn has_enough(&self) -> bool {
        self.rows + self.repeats == LOOKED_AT
    }

    /// Take note of the next row.
    pub fn take(&mut self, row: &[Value<'_>]) {
        self.have_years |= years(row).is_some();
        let text = |at: usize| row.get(at).map_or("", |value| &*value.text);
        if self
            .first
            .iter()
            .enumerate()
            .all(|(at, first)| first.text == text(at))
        {
            self.repeats += 1;
            return;
        }
        for (at, (first, below)) in self.first.iter().zip(&mut self.below).enumerate() {
            let Some(value) = row.get(at).filter(|value| !value.is_empty()) else {
                continue;
            };
            if at == 0 {
                self.is_counted &= value.text.parse() == Ok(self.rows);
                self.are_like |= look(&value.text) == look(&first.text);
            }
            below.values += usize::from(!is_mark(&value.text));
            below.numbers += usize::from(value.is_number);
            below.data += usize::from(is_data(&value.text));
            self.again |= value.text == first.text;
        }
        self.rows += 1;
    }

    /// Whether a column has only numbers below a text. A lone text that comes again among numbers is data.
    pub fn is_above_numbers(&self) -> bool {
        let is_above = |(first, below): (&Value<'_>, &Below)| {
            let has_only_numbers = below.values > 0 && below.numbers == below.values;
            has_only_numbers && !first.is_empty() && !first.is_number && !is_mark(&first.text)
        };
        let named = self.first.iter().filter(|value| !value.is_empty()).count();
        let may_repeat = self.repeats == 0 || named > 1;
        may_repeat && self.first.iter().zip(&self.below).any(is_above)
    }

    /// Whether only the corner has no value, as above the names of rows.
    fn is_beside_names(&self) -> bool {
        let is_alone = |(at, value): (usize, &Value<'_>)| value.is_empty() == (at == 0);
        let has_corner = self.first.len() > 1 && self.first.iter().enumerate().all(is_alone);
        has_corner && self.rows > 0 && self.below[0].values == self.rows
    }

    /// Whether the first row names the columns. A row without numbers does if a column has numbers below a text, or only
    /// its corner has no value, or if no value is a date or a truth value, or comes again in its column. One
    /// with numbers does if they are years or count the columns, and something tells them from data. In doubt it does
    /// not.
    pub fn is_header(&self) -> bool {
        let Top { first, below, .. } = self;
        let (above_numbers, is_corner) = (self.is_above_numbers(), self.is_beside_names());
        let has_marks = first.iter().any(|value| is_mark(&value.text));
        let has_data = first.iter().any(|value| is_no_name(&value.text));
        let mut columns = first.iter().zip(below);
        if columns.any(|(first, below)| is_data(&first.text) && below.data > 0) {
            return false;
        }
        if !first.iter().any(|value| value.is_number) {
            return above_numbers
                || !has_marks && (is_corner || self.repeats == 0 && !self.again && !has_data);
        }
        if has_marks || self.have_years {
            return false;
        }
        let is_beside = is_corner && self.is_counted || above_numbers && first.len() > MANY;
        if is_beside && counts(&first[1..]) {
            return true;
        }
        match years(first) {
            Some((1, _)) => above_numbers,
            Some((count, apart)) => {
                let is_other = !self.are_like || count >= MANY && apart == 1;
                above_numbers || !first[0].is_number && is_other
            }
            None => false,
        }
    }

    /// The note on a row that was taken for the header, if it may be data.
    pub fn note(&self) -> Option<String> {
        if self.repeats > 0 {
            return Some(REPEATED.to_owned());
        }
        if self.first.iter().any(|value| value.is_number) {
            return self.numbers_as_names();
        }
        let has_only_data = |below: &Below| below.values > 0 && below.data == below.values;
        let is_above_data = self.below.iter().any(has_only_data);
        let is_told = self.is_above_numbers() || self.is_beside_names() || is_above_data;
        (!is_told).then(|| ONLY_FIRST.to_owned())
    }

    fn numbers_as_names(&self) -> Option<String> {
        let numbers: Vec<&str> = self
            .first
            .iter()
            .filter(|value| value.is_number)
            .map(|value| &*value.text)
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
}

fn is_number(text: &str) -> bool {
    let text = text.trim();
    number(text, Point::Dot).or(number(text, Point::Comma)).is_some()
}

/// Whether a text may name a column, in a row of JSON that says which values are texts.
pub fn is_name(text: &str) -> bool {
    !text.is_empty() && !is_mark(text) && !is_number(text) && !is_data(text)
}

/// Whether a text is data above data: a date, a time, a truth value, or a number with marks, as `10%`.
fn is_data(text: &str) -> bool {
    // A number in a cell that is text is a name, and `+49` may be one.
    let is_marked = |point| marked(text, point).is_some();
    let has_marks =
        !is_number(text) && !text.starts_with('+') && [Point::Dot, Point::Comma].into_iter().any(is_marked);
    has_marks || is_no_name(text)
}

/// Whether a text is data whatever is below it.
fn is_no_name(text: &str) -> bool {
    is_date(text) || is_time(text) || text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false")
}

/// How many numbers a row has, and how far they are apart, if all of them are years at the same distance.
fn years(row: &[Value<'_>]) -> Option<(usize, u64)> {
    let numbers = row.iter().filter(|value| value.is_number);
    let years: Option<Vec<i64>> = numbers
        .map(|value| value.text.parse().ok().filter(|year| YEARS.contains(year)))
        .collect();
    let years = years.filter(|years| !years.is_empty())?;
    let mut steps = years.windows(2).map(|pair| pair[1] - pair[0]);
    let step = steps.next().unwrap_or_default();
    let apart = step.unsigned_abs();
    let is_even = years.len() == 1 || (1..=MOST_APART).contains(&apart) && steps.all(|next| next == step);
    is_even.then_some((years.len(), apart))
}

/// Whether these are at least two numbers that count from 0 or 1 on.
fn counts(row: &[Value<'_>]) -> bool {
    let is_at = |(value, at): (&Value<'_>, usize)| value.is_number && value.text.parse() == Ok(at);
    let from = |start: usize| row.iter().zip(start..).all(is_at);
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
