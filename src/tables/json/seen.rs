//! What is known of a column of JSON while its values pass.

use std::collections::BTreeMap;

use hornbook_base::cut;
use serde_json::value::RawValue;

use super::super::marked::Marks;
use super::super::value::{Point, number};
use super::super::{Column, ColumnKind};
use super::value::{Wrong, kind_of, push_value};

const EXAMPLES: usize = 2;
const EXAMPLE_CHARS: usize = 24;

/// Numbers that a float does not hold, which stay as they are written, as atoms.
#[derive(Default)]
struct Beyond {
    count: usize,
    /// The first, with their lines.
    first: Vec<String>,
}

impl Beyond {
    fn take(&mut self, text: &str, line: usize) {
        self.count += 1;
        if self.first.len() < EXAMPLES {
            self.first
                .push(format!("line {line} ({})", cut(text, EXAMPLE_CHARS)));
        }
    }

    fn note(&self, name: &str) -> Option<String> {
        let more = if self.count > self.first.len() {
            ", …"
        } else {
            ""
        };
        let first = self.first.join(", ");
        let (what, are, they) = match self.count {
            0 => return None,
            1 => ("a number".to_owned(), "is", "it is a number"),
            count => (format!("{count} numbers"), "are", "they are numbers"),
        };
        Some(format!(
            "{name}: {what} that a float does not hold exactly {are} text: {first}{more}. Rounded to 15 digits and below 1.8e308 {they}."
        ))
    }
}

/// What is known of a column while its values pass.
#[derive(Default)]
pub struct Seen {
    /// How many of each kind.
    kinds: BTreeMap<&'static str, usize>,
    values: usize,
    /// Rows that have the column, with null or not.
    rows: usize,
    nulls: usize,
    /// How its texts are written, if numbers are asked for.
    marks: Marks,
    beyond: Beyond,
    examples: Vec<String>,
    /// The first text, with its line.
    no_number: Option<(usize, String)>,
    /// The first that are not of the type asked for, with their lines.
    others: Vec<String>,
    other: usize,
}

const KINDS: [ColumnKind; 5] = [
    ColumnKind::Number,
    ColumnKind::Text,
    ColumnKind::Boolean,
    ColumnKind::List,
    ColumnKind::Object,
];

impl Seen {
    /// Take note of a value, and of how it is written.
    pub fn take(&mut self, value: &RawValue, asked: Option<ColumnKind>, line: usize) {
        self.rows += 1;
        let kind = match kind_of(value.get()) {
            ColumnKind::Number if number(value.get(), Point::Dot).is_none() => ColumnKind::Text,
            kind => kind,
        };
        if kind == ColumnKind::Null {
            self.nulls += 1;
            return;
        }
        self.values += 1;
        *self.kinds.entry(kind.name()).or_default() += 1;
        let is_asked = asked == Some(ColumnKind::Number);
        if kind == ColumnKind::Text && (is_asked || self.no_number.is_none()) {
            let text = serde_json::from_str::<String>(value.get()).unwrap_or_default();
            if is_asked {
                self.marks.take(text.trim(), line);
            }
            self.no_number
                .get_or_insert_with(|| (line, cut(&text, EXAMPLE_CHARS)));
        }
    }

    /// Write a value in a fact.
    pub fn write<'a>(
        &mut self,
        text: &mut String,
        value: &'a RawValue,
        asked: Option<ColumnKind>,
        line: usize,
    ) -> Result<(), Wrong<'a>> {
        let start = text.len();
        let how = asked.map(|asked| (asked, self.marks.point()));
        push_value(text, value, how, 0, &mut |text| self.beyond.take(text, line))?;
        self.wrote(&text[start..], asked, line);
        Ok(())
    }

    /// Take note of how a value is written in a fact.
    fn wrote(&mut self, written: &str, asked: Option<ColumnKind>, line: usize) {
        let is_example = written != "null" && self.examples.len() < EXAMPLES;
        let is_number = written.starts_with(|c: char| c == '-' || c.is_ascii_digit());
        let is_other = asked == Some(ColumnKind::Number) && written != "null" && !is_number;
        if !is_example && !is_other {
            return;
        }
        let shown = cut(written, EXAMPLE_CHARS);
        if is_example && !self.examples.contains(&shown) {
            self.examples.push(shown.clone());
        }
        if is_other {
            self.other += 1;
            if self.others.len() < EXAMPLES {
                self.others.push(format!("line {line} ({shown})"));
            }
        }
    }

    /// The column, of so many rows, and the notes on it.
    pub fn column(&self, name: String, rows: usize, asked: Option<ColumnKind>) -> (Column, Vec<String>) {
        let mut kinds = KINDS
            .into_iter()
            .filter(|kind| self.kinds.contains_key(kind.name()));
        let kind = match (asked, kinds.next(), kinds.next()) {
            (Some(asked), ..) => asked,
            (None, None, _) => ColumnKind::Null,
            (None, Some(kind), None) => kind,
            _ => ColumnKind::Mixed,
        };
        let more = if self.other > self.others.len() {
            ", …"
        } else {
            ""
        };
        let mut notes = Vec::new();
        notes.extend((self.other > 0).then(|| {
            let (other, values, others) = (self.other, self.values, self.others.join(", "));
            format!("{name}: {other} of {values} are no numbers and stay as they are: {others}{more}.")
        }));
        notes.extend(self.marks.told(&name));
        let joined = (!notes.is_empty()).then(|| notes.join(" "));
        // Among numbers that were asked for they are told of with what is no number.
        let beyond = (asked != Some(ColumnKind::Number)).then(|| self.beyond.note(&name));
        let notes = beyond.flatten().into_iter().chain(joined).collect();
        let column = Column {
            name,
            kind,
            nulls: rows - self.rows + self.nulls,
            no_number: self.no_number.clone(),
            examples: self.examples.clone(),
        };
        (column, notes)
    }
}
