//! JSON and JSON Lines.

mod header;
mod hints;
mod rows;

use std::collections::BTreeMap;

use hornbook_base::{Fault, cut};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::marked::{Marked, Marks, marked};
use super::names;
use super::rows::Reading;
use super::value::{Point, number, push_atom, push_number};
use super::write::{Facts, without_rows};
use super::{About, Column, ColumnKind, MOST_CELL_BYTES, Table, no_table, no_table_at};
use rows::{Element, Elements, Members, Rows, column, row_of, rows_of};

/// How deep values may be nested in one another.
const MOST_DEPTH: usize = 64;
const EXAMPLES: usize = 2;
const EXAMPLE_CHARS: usize = 24;

/// What is wrong in a part of the file.
struct Wrong<'a> {
    part: &'a str,
    /// Of the part.
    line: usize,
    why: String,
}

impl<'a> Wrong<'a> {
    fn new(part: &'a str, why: impl Into<String>) -> Wrong<'a> {
        Wrong {
            part,
            line: 1,
            why: why.into(),
        }
    }

    /// Parse a part.
    fn in_parsed<T: Deserialize<'a>>(part: &'a str) -> Result<T, Wrong<'a>> {
        serde_json::from_str(part).map_err(|error| Wrong {
            part,
            line: error.line().max(1),
            why: plain(&error),
        })
    }

    fn fault(&self, reading: &Reading<'_>) -> Fault {
        let start = self.part.as_ptr() as usize - reading.text.as_ptr() as usize;
        let before = reading.text.as_bytes()[..start].iter();
        let line = before.filter(|byte| **byte == b'\n').count() + self.line;
        no_table_at(reading.filename, line, &self.why)
    }
}

/// Numbers that a float does not hold, which stay as they are written, as atoms.
#[derive(Default)]
struct Beyond {
    count: usize,
    /// The first, with their lines.
    first: Vec<String>,
}

impl Beyond {
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

/// The message of an error, without its place, which is that within a value.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

/// What is known of a column while its values pass.
#[derive(Default)]
struct Seen {
    /// How many of each kind.
    kinds: BTreeMap<&'static str, usize>,
    values: usize,
    /// Rows that have the column, with null or not.
    rows: usize,
    nulls: usize,
    /// How its texts are written, if numbers are asked for.
    marks: Marks,
    examples: Vec<String>,
    /// The first text, with its line.
    no_number: Option<(usize, String)>,
    /// The first that are not of the type asked for, with their lines.
    others: Vec<String>,
    other: usize,
}

fn kind_of(value: &str) -> ColumnKind {
    match value.as_bytes().first() {
        Some(b'"') => ColumnKind::Text,
        Some(b't' | b'f') => ColumnKind::Boolean,
        Some(b'[') => ColumnKind::List,
        Some(b'{') => ColumnKind::Object,
        Some(b'n') => ColumnKind::Null,
        _ => ColumnKind::Number,
    }
}

const KINDS: [ColumnKind; 5] = [
    ColumnKind::Number,
    ColumnKind::Text,
    ColumnKind::Boolean,
    ColumnKind::List,
    ColumnKind::Object,
];

impl Seen {
    fn take(&mut self, value: &RawValue, asked: Option<ColumnKind>, line: usize) {
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

    fn column(&self, name: String, rows: usize, asked: Option<ColumnKind>) -> (Column, Option<String>) {
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
        let column = Column {
            name,
            kind,
            nulls: rows - self.rows + self.nulls,
            no_number: self.no_number.clone(),
            examples: self.examples.clone(),
        };
        (column, (!notes.is_empty()).then(|| notes.join(" ")))
    }
}

/// Read a file, as lines or as one value.
pub async fn read(reading: &Reading<'_>, is_lines: bool) -> Result<Table, Fault> {
    if reading.text.trim().is_empty() {
        return without_rows(reading, "it is empty");
    }
    let Rows { span, shape, note } = rows_of(reading, is_lines)?;
    let named = header::of(reading, span, shape).await?;
    let begun = || -> Result<Elements<'_>, Fault> {
        let mut elements = Elements::new(reading, span, shape);
        if named.names.is_some() {
            elements.next()?;
        }
        Ok(elements)
    };
    let mut at_key: BTreeMap<String, usize> = BTreeMap::new();
    let mut keys: Vec<String> = Vec::new();
    let mut seen: Vec<Seen> = Vec::new();
    for at in 0..named.names.as_ref().map_or(0, Vec::len) {
        at_key.insert(column(at), at);
        keys.push(column(at));
        seen.push(Seen::default());
    }
    let mut elements = begun()?;
    let mut rows = 0;
    while let Some(element) = elements.next()? {
        let Element { value, line, .. } = element;
        rows += 1;
        reading.check_rows(rows)?;
        let wrong = |wrong: Wrong<'_>| wrong.fault(reading);
        let row = row_of(&element).map_err(wrong)?;
        let mut count = row.len();
        for (key, value) in row {
            if value.get().len() > MOST_CELL_BYTES {
                let why = format!("`{}` has more than {MOST_CELL_BYTES} bytes", cut(&key, 40));
                return Err(no_table_at(reading.filename, line, &why));
            }
            let at = match at_key.get(&*key) {
                Some(at) => *at,
                None => {
                    let at = seen.len();
                    if at >= super::MOST_COLUMNS {
                        count += at;
                        let fault = names::too_many_columns(count);
                        return Err(match rows {
                            1 => fault.with_next("If each member is a row, give an array of objects."),
                            _ => fault,
                        });
                    }
                    at_key.insert(key.to_string(), at);
                    keys.push(key.into_owned());
                    seen.push(Seen::default());
                    at
                }
            };
            seen[at].take(value, reading.kind(at), line);
        }
        if reading.pace.is_over(count + value.get().len() / 64) {
            reading.pace.rest().await;
        }
    }
    if rows == 0 && named.names.is_none() {
        return without_rows(reading, "it has no rows, which would tell its columns");
    }
    if keys.is_empty() {
        return Err(no_table(reading.filename, "its rows have no values"));
    }
    let of_header = named.names.iter().flatten();
    let others = keys.iter().skip(of_header.clone().count());
    let names = reading.names(names::columns(of_header.chain(others).map(String::as_str)))?;
    let mut facts = Facts::new(reading, &names);
    let mut beyond: Vec<Beyond> = names.iter().map(|_| Beyond::default()).collect();
    let mut elements = begun()?;
    while let Some(element) = elements.next()? {
        let Element { value, line, .. } = element;
        let wrong = |wrong: Wrong<'_>| wrong.fault(reading);
        let mut values: Vec<Option<&RawValue>> = vec![None; names.len()];
        for (key, value) in row_of(&element).map_err(wrong)? {
            if let Some(at) = at_key.get(&*key) {
                values[*at] = Some(value);
            }
        }
        facts.begin(line, "");
        for (at, value) in values.into_iter().enumerate() {
            facts.text.push_str(if at > 0 { ", " } else { "" });
            match value {
                Some(value) => {
                    let beyond = &mut beyond[at];
                    let mut note = |text: &str| {
                        beyond.count += 1;
                        if beyond.first.len() < EXAMPLES {
                            beyond
                                .first
                                .push(format!("line {line} ({})", cut(text, EXAMPLE_CHARS)));
                        }
                    };
                    let (start, asked) = (facts.text.len(), reading.kind(at));
                    let how = asked.map(|asked| (asked, seen[at].marks.point()));
                    push_value(&mut facts.text, value, how, 0, &mut note).map_err(wrong)?;
                    seen[at].wrote(&facts.text[start..], asked, line);
                }
                None => facts.text.push_str("null"),
            }
        }
        facts.end()?;
        if reading.pace.is_over(names.len() + value.get().len() / 64) {
            reading.pace.rest().await;
        }
    }
    let mut notes: Vec<String> = note.into_iter().chain(named.note.map(str::to_owned)).collect();
    let mut columns = Vec::with_capacity(names.len());
    for (at, (name, seen)) in names.into_iter().zip(&seen).enumerate() {
        // Among numbers that were asked for they are told of with what is no number.
        if reading.kind(at) != Some(ColumnKind::Number) {
            notes.extend(beyond[at].note(&name));
        }
        let (column, note) = seen.column(name, rows, reading.kind(at));
        columns.push(column);
        notes.extend(note);
    }
    Ok(Table {
        text: facts.finish(),
        tables: vec![About {
            name: reading.name.clone(),
            rows,
            columns,
            notes,
        }],
    })
}

/// Write a JSON text as Prolog: texts as atoms, arrays as lists, objects as dicts.
///
/// # Errors
/// Why it cannot be read.
pub fn push_json(out: &mut String, text: &str) -> Result<(), String> {
    let written = Wrong::in_parsed(text).and_then(|value| push_value(out, value, None, 0, &mut |_| {}));
    written.map_err(|wrong| wrong.why)
}

/// Write a value: a text as an atom, an array as a list, an object as a dict. What is asked for makes numbers of texts,
/// with this decimal point, or texts of numbers. A number that a float does not hold stays as it is written, of which `beyond` is told.
fn push_value<'a>(
    out: &mut String,
    value: &'a RawValue,
    asked: Option<(ColumnKind, Point)>,
    depth: usize,
    beyond: &mut dyn FnMut(&str),
) -> Result<(), Wrong<'a>> {
    if depth > MOST_DEPTH {
        return Err(Wrong::new(
            value.get(),
            format!("values are nested deeper than {MOST_DEPTH}"),
        ));
    }
    let text = value.get();
    let kind = kind_of(text);
    match kind {
        ColumnKind::Text => {
            let part = text;
            let text: String = Wrong::in_parsed(part)?;
            if text.contains('\0') {
                return Err(Wrong::new(part, "a text has a NUL character"));
            }
            let point = asked.and_then(|(kind, point)| (kind == ColumnKind::Number).then_some(point));
            let plain = point.and_then(|point| number(text.trim(), point));
            let written = point.and_then(|point| marked(&text, point));
            match plain.or(written.as_ref().and_then(Marked::number)) {
                Some(number) => push_number(out, number),
                None => push_atom(out, &text),
            }
        }
        ColumnKind::Number if asked.is_some_and(|(kind, _)| kind == ColumnKind::Text) => push_atom(out, text),
        ColumnKind::Number => match number(text, Point::Dot) {
            Some(number) => push_number(out, number),
            None => {
                beyond(text);
                push_atom(out, text);
            }
        },
        ColumnKind::List => {
            out.push('[');
            let values: Vec<&RawValue> = Wrong::in_parsed(text)?;
            for (at, value) in values.into_iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                push_value(out, value, None, depth + 1, beyond)?;
            }
            out.push(']');
        }
        ColumnKind::Object => {
            out.push_str("_{");
            let Members(members) = Wrong::in_parsed(text)?;
            for (at, (key, value)) in members.into_iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                push_atom(out, &key);
                out.push_str(": ");
                push_value(out, value, None, depth + 1, beyond)?;
            }
            out.push('}');
        }
        _ => out.push_str(text),
    }
    Ok(())
}
