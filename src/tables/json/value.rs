//! Values of JSON, written as Prolog.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use hornbook_base::{Fault, cut};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::super::marked::{Marked, marked};
use super::super::rows::Reading;
use super::super::value::{Point, number, push_atom, push_number};
use super::super::{ColumnKind, no_table_at};

/// How deep values may be nested in one another.
const MOST_DEPTH: usize = 64;

/// What is wrong in a part of the file.
pub struct Wrong<'a> {
    part: &'a str,
    /// Of the part.
    line: usize,
    pub why: String,
}

impl<'a> Wrong<'a> {
    pub fn new(part: &'a str, why: impl Into<String>) -> Wrong<'a> {
        Wrong {
            part,
            line: 1,
            why: why.into(),
        }
    }

    /// Parse a part.
    pub fn in_parsed<T: Deserialize<'a>>(part: &'a str) -> Result<T, Wrong<'a>> {
        serde_json::from_str(part).map_err(|error| Wrong {
            part,
            line: error.line().max(1),
            why: plain(&error),
        })
    }

    pub fn fault(&self, reading: &Reading<'_>) -> Fault {
        let start = self.part.as_ptr() as usize - reading.text.as_ptr() as usize;
        let before = reading.text.as_bytes()[..start].iter();
        let line = before.filter(|byte| **byte == b'\n').count() + self.line;
        no_table_at(reading.filename, line, &self.why)
    }
}

/// The message of an error, without its place, which is that within a value.
pub fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

/// The members of an object, in order. A key that comes again is an error.
pub struct Members<'a>(pub Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Members<'de>;

            fn expecting(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
                text.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members: Vec<(Cow<'de, str>, &'de RawValue)> = Vec::new();
                let mut keys = BTreeSet::new();
                while let Some(Key(key)) = map.next_key::<Key<'de>>()? {
                    if !keys.insert(key.clone()) {
                        let key = cut(&key, 40);
                        let why = format!("the key {key} stands twice in an object; rename or remove one");
                        return Err(A::Error::custom(why));
                    }
                    members.push((key, map.next_value::<&'de RawValue>()?));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

/// A key, borrowed where it has no escapes.
struct Key<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Key<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Key<'de>;

            fn expecting(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
                text.write_str("a key")
            }

            fn visit_borrowed_str<E>(self, key: &'de str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Borrowed(key)))
            }

            fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Owned(key.to_owned())))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

/// What a value is, by how it begins.
pub fn kind_of(value: &str) -> ColumnKind {
    match value.as_bytes().first() {
        Some(b'"') => ColumnKind::Text,
        Some(b't' | b'f') => ColumnKind::Boolean,
        Some(b'[') => ColumnKind::List,
        Some(b'{') => ColumnKind::Object,
        Some(b'n') => ColumnKind::Null,
        _ => ColumnKind::Number,
    }
}

/// Write a value: a text as an atom, an array as a list, an object as a dict. What is asked for makes numbers of texts,
/// with this decimal point, or texts of numbers. A number that a float does not hold stays as it is written, of which `beyond` is told.
pub fn push_value<'a>(
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
