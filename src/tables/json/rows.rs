//! Where the rows of JSON are, one by one.

use std::borrow::Cow;

use hornbook_base::{Fault, cut};
use serde_json::value::RawValue;

use super::super::names::snake;
use super::super::rows::Reading;
use super::super::{no_table, no_table_at};
use super::hints::{instead, likely, missing};
use super::value::{Members, Wrong, plain};

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Lines,
    Array,
    /// Of an object: each row has a key.
    Members,
}

/// A value that is a row.
pub struct Element<'a> {
    /// Of a member.
    key: Option<&'a RawValue>,
    pub value: &'a RawValue,
    pub line: usize,
}

/// The elements of an array, the members of an object, or the values of JSON Lines, one by one with their lines.
pub struct Elements<'a> {
    reading: &'a Reading<'a>,
    at: usize,
    /// The end of the text that has them.
    end: usize,
    shape: Shape,
    is_first: bool,
    counted: (usize, usize),
}

impl<'a> Elements<'a> {
    /// Those of the text between two bytes.
    pub fn new(reading: &'a Reading<'a>, (at, end): (usize, usize), shape: Shape) -> Elements<'a> {
        Elements {
            reading,
            at,
            end,
            shape,
            is_first: true,
            counted: (0, 1),
        }
    }

    fn line(&mut self, at: usize) -> usize {
        let (from, line) = self.counted;
        let ends = self.reading.text.as_bytes()[from..at]
            .iter()
            .filter(|byte| **byte == b'\n');
        let line = line + ends.count();
        self.counted = (at, line);
        line
    }

    fn skip_spaces(&mut self) {
        let rest = &self.reading.text[self.at..self.end];
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
    }

    fn wrong(&mut self, why: &str) -> Fault {
        let line = self.line(self.at);
        no_table_at(self.reading.filename, line, why)
    }

    pub fn next(&mut self) -> Result<Option<Element<'a>>, Fault> {
        self.skip_spaces();
        let rest = &self.reading.text[self.at..self.end];
        let (open, close) = match self.shape {
            Shape::Lines if rest.is_empty() => return Ok(None),
            Shape::Lines => {
                return self.value().map(|(value, line)| {
                    Some(Element {
                        key: None,
                        value,
                        line,
                    })
                });
            }
            Shape::Array => (b'[', b']'),
            Shape::Members => (b'{', b'}'),
        };
        let is_first = std::mem::replace(&mut self.is_first, false);
        match rest.as_bytes().first() {
            Some(byte) if is_first && *byte == open => {
                self.at += 1;
                self.skip_spaces();
                if self.reading.text.as_bytes()[..self.end].get(self.at) == Some(&close) {
                    return self.next();
                }
            }
            Some(b',') if !is_first => self.at += 1,
            Some(byte) if !is_first && *byte == close => {
                self.at += 1;
                self.skip_spaces();
                return match self.at == self.end {
                    true => Ok(None),
                    false => Err(self.wrong("something follows the end of the JSON")),
                };
            }
            _ => {
                let text = &self.reading.text[..self.end];
                let why =
                    likely(text, self.at).unwrap_or_else(|| missing(&text[self.at..], char::from(close)));
                return Err(self.wrong(&why));
            }
        }
        let key = match self.shape {
            Shape::Members => Some(self.value()?),
            _ => None,
        };
        if key.is_some() {
            self.skip_spaces();
            // It was read before, when the members were looked at.
            self.at += 1;
        }
        let (value, line) = self.value()?;
        Ok(Some(Element {
            key: key.map(|(key, _)| key),
            value,
            line: key.map_or(line, |(_, line)| line),
        }))
    }

    /// The value that begins here, and its line.
    fn value(&mut self) -> Result<(&'a RawValue, usize), Fault> {
        self.skip_spaces();
        let line = self.line(self.at);
        let rest = &self.reading.text[self.at..self.end];
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<&'a RawValue>();
        match values.next() {
            Some(Ok(value)) => {
                self.at += values.byte_offset();
                Ok((value, line))
            }
            Some(Err(error)) => {
                let lines = error.line().saturating_sub(1);
                let start = rest
                    .split_inclusive('\n')
                    .take(lines)
                    .map(str::len)
                    .sum::<usize>();
                let at = self.at + (start + error.column().saturating_sub(1)).min(rest.len());
                let text = &self.reading.text[..self.end];
                let why = instead(plain(&error), text, at);
                Err(no_table_at(self.reading.filename, line + lines, &why))
            }
            None => Err(self.wrong("a value is missing")),
        }
    }
}

/// Where the rows are, and how they are written.
pub struct Rows {
    pub span: (usize, usize),
    pub shape: Shape,
    pub note: Option<String>,
}

/// Find the rows: the elements of an array, those of an array in an object ([`array_in`]), the members of an object that are
/// all objects (or null, if there are several objects), or the object itself.
pub fn rows_of(reading: &Reading<'_>, is_lines: bool) -> Result<Rows, Fault> {
    let text = reading.text;
    let start = text.trim_start();
    let whole = |shape, note| Rows {
        span: (0, text.len()),
        shape,
        note,
    };
    if is_lines {
        return Ok(whole(Shape::Lines, None));
    }
    if start.starts_with('[') {
        return Ok(whole(Shape::Array, None));
    }
    if !start.starts_with('{') {
        let at = text.len() - start.len();
        if let Some(why) = likely(text, at) {
            let line = text[..at].matches('\n').count() + 1;
            return Err(no_table_at(reading.filename, line, &why));
        }
        let why = "it begins neither with an array nor with an object";
        return Err(no_table(reading.filename, why).with_next("Give an array of objects, each a row."));
    }
    // What is wrong with several values in one file is said when they are read.
    let Ok(Members(members)) = serde_json::from_str::<Members<'_>>(text) else {
        return Ok(whole(Shape::Lines, None));
    };
    let known = reading.known_columns();
    if let Some((path, array)) = array_in(&members, &known, 0) {
        let more = match members.len() {
            1 => "",
            _ => "; the other members were left out",
        };
        return Ok(Rows {
            span: span_of(text, array),
            shape: Shape::Array,
            note: Some(format!("The rows are those of `{path}`{more}.")),
        });
    }
    let count = |first| {
        members
            .iter()
            .filter(|(_, value)| value.get().starts_with(first))
            .count()
    };
    let (objects, nulls) = (count('{'), count('n'));
    // Without members it is as what has rows, without them.
    if members.is_empty() || objects > 0 && objects + nulls == members.len() {
        let null = members.iter().find(|(_, value)| value.get() == "null");
        let null = null.map(|(key, _)| cut(key, 40));
        let keyed = "The rows are the members of the object; the first column has their keys.";
        return Ok(match null {
            None => whole(Shape::Members, Some(keyed.to_owned())),
            Some(key) if objects > 1 => {
                let more = if nulls > 1 { " or another" } else { "" };
                let note = format!("{keyed} `{key}`{more} is null: its row has only the key.");
                whole(Shape::Members, Some(note))
            }
            Some(key) => {
                let note = format!(
                    "The object is one row, as `{key}` is null. If its members are rows, write `{{}}` for null."
                );
                whole(Shape::Lines, Some(note))
            }
        });
    }
    Ok(whole(Shape::Lines, None))
}

/// Members in which services wrap what they answer.
const WRAPS: [&str; 5] = ["data", "result", "results", "response", "payload"];
/// In how many of them, one in another, rows are looked for.
const MOST_WRAPS: usize = 2;

/// The array among the members of an object whose elements are the rows, with its path: one that wraps by its name, or
/// the only one of objects, or one within an object that wraps. Without elements it has rows if it wraps, is the only member,
/// or the only empty array beside other members than the columns that are `known`.
fn array_in<'a>(
    members: &[(Cow<'a, str>, &'a RawValue)],
    known: &[String],
    wraps: usize,
) -> Option<(String, &'a RawValue)> {
    let is_known = |key: &str| known.contains(&snake(key));
    let may_be_empty = !members.iter().any(|(key, _)| is_known(key));
    let wrap = |key: &str| WRAPS.contains(&key);
    let only = |is_meant: &dyn Fn(&str, &RawValue) -> bool| {
        let mut meant = members.iter().filter(|(key, value)| is_meant(key, value));
        let first = meant.next()?;
        meant.next().is_none().then(|| (cut(&first.0, 40), first.1))
    };
    let has_rows = |value: &RawValue| has_objects(value) || may_be_empty && is_empty_array(value);
    let found =
        only(&|key, value| wrap(key) && has_rows(value)).or_else(|| only(&|_, value| has_objects(value)));
    if found.is_some() {
        return found;
    }
    let mut arrays = members.iter().filter(|(_, value)| has_objects(value));
    if arrays.next().is_none() && may_be_empty && (members.len() == 1 || !known.is_empty()) {
        let empty = only(&|_, value| is_empty_array(value));
        if empty.is_some() {
            return empty;
        }
    }
    let within = members
        .iter()
        .filter(|(key, value)| wraps < MOST_WRAPS && wrap(key) && value.get().starts_with('{'));
    let mut within = within.filter_map(|(key, value)| {
        let Members(inner) = serde_json::from_str::<Members<'a>>(value.get()).ok()?;
        let (path, array) = array_in(&inner, known, wraps + 1)?;
        Some((format!("{key}.{path}"), array))
    });
    within.next().filter(|_| within.next().is_none())
}

/// Whether a value is an array whose first element is an object.
fn has_objects(value: &RawValue) -> bool {
    let elements = value.get().strip_prefix('[');
    elements.is_some_and(|rest| rest.trim_start().starts_with('{'))
}

/// Where a value is in the text.
fn span_of(text: &str, value: &RawValue) -> (usize, usize) {
    let from = value.get().as_ptr() as usize - text.as_ptr() as usize;
    (from, from + value.get().len())
}

fn is_empty_array(value: &RawValue) -> bool {
    let elements = value.get().strip_prefix('[');
    elements.is_some_and(|rest| rest.trim_start() == "]")
}

/// Stands for the keys of members, and is none of an object.
const KEY: &str = "key\0";

/// The values of a row, after its own key: of an object by key, of an array by place, or one.
pub fn row_of<'a>(
    Element { key, value, .. }: &Element<'a>,
) -> Result<Vec<(Cow<'a, str>, &'a RawValue)>, Wrong<'a>> {
    let values = match key {
        Some(_) if value.get() == "null" => Vec::new(),
        _ => values_of(value)?,
    };
    let own = key.map(|key| (Cow::Borrowed(KEY), key));
    Ok(own.into_iter().chain(values).collect())
}

/// The key of a value in a row that is an array.
pub fn column(at: usize) -> String {
    format!("column_{}", at + 1)
}

fn values_of(value: &RawValue) -> Result<Vec<(Cow<'_, str>, &RawValue)>, Wrong<'_>> {
    let text = value.get();
    match text.as_bytes().first() {
        Some(b'{') => Ok(Wrong::in_parsed::<Members<'_>>(text)?.0),
        Some(b'[') => {
            let values = Wrong::in_parsed::<Vec<&RawValue>>(text)?;
            let named = values.into_iter().enumerate();
            Ok(named.map(|(at, value)| (column(at).into(), value)).collect())
        }
        _ => Ok(vec![("value".into(), value)]),
    }
}
