//! The comment at the head of a table's facts, which names their columns.

use std::fmt::Write;

use super::Wishes;
use super::names::is_atom;
use super::rows::Reading;
use super::value::push_atom;

const BEGIN: &str = "/* table: ";
const ASKED: &str = "as asked";
const HEADER: &str = "header: ";
/// The names that the columns have in the file, if others are asked for.
const OF: &str = "of (";

/// What the facts of a table say about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known<'a> {
    /// The predicate, as an atom is written.
    pub name: &'a str,
    columns: &'a str,
    rest: &'a str,
}

impl<'a> Known<'a> {
    /// From the text of a source, if it begins as a table's facts do.
    pub fn of(text: &'a str) -> Option<Known<'a>> {
        let (comment, _) = text.strip_prefix(BEGIN)?.split_once("*/")?;
        let (name, rest) = comment.split_once('(')?;
        let (columns, rest) = rest.split_once(')')?;
        Some(Known { name, columns, rest })
    }

    /// All of them: a workbook has several in its first line.
    pub fn all(text: &'a str) -> impl Iterator<Item = Known<'a>> {
        let mut rest = text;
        std::iter::from_fn(move || {
            let known = Known::of(rest)?;
            rest = split(rest).1;
            Some(known)
        })
    }

    /// The predicate. It has no characters that need an escape.
    pub fn predicate(&self) -> String {
        self.name.trim_matches('\'').to_owned()
    }

    /// The names of the columns.
    pub fn columns(&self) -> impl Iterator<Item = &'a str> {
        let named = self.columns.split(", ");
        named.map(|column| column.split_once(':').map_or(column, |(name, _)| name))
    }

    /// What was asked for when it was read, and the columns that it had.
    pub fn wishes(&self) -> Wishes {
        let header = self
            .rest
            .split_once(HEADER)
            .map(|(_, header)| header.starts_with("true"));
        let of = self
            .rest
            .split_once(OF)
            .and_then(|(_, rest)| rest.split_once(')'));
        let was = match of {
            Some((names, _)) => names.split(", ").map(str::to_owned).collect(),
            None => self.columns().map(str::to_owned).collect(),
        };
        // One with quotes was not asked for.
        let name = if is_atom(self.name) { self.name } else { "" };
        let is_asked = self.rest.contains(ASKED);
        Wishes {
            columns: is_asked.then(|| format!("{name}({})", self.columns)),
            header,
            was: Some(was),
            now: None,
        }
    }
}

/// The comment at the head of a text, and what follows it.
pub fn split(text: &str) -> (&str, &str) {
    text.split_at(text.find("*/").map_or(0, |at| at + 2))
}

/// The comment for a table with these columns.
pub fn comment(reading: &Reading<'_>, names: &[String]) -> String {
    let mut text = BEGIN.to_owned();
    push_atom(&mut text, &reading.name);
    text.push('(');
    for (at, name) in names.iter().enumerate() {
        text.push_str(if at > 0 { ", " } else { "" });
        text.push_str(name);
        if let Some(kind) = reading.kind(at) {
            let _ = write!(text, ": {}", kind.name());
        }
    }
    text.push(')');
    // What is only named is found again under its name.
    if !reading.asked.columns.is_empty() || reading.asked.name.is_some() {
        let _ = write!(text, ", {ASKED}");
        if let Some(found) = reading.read_as.get().filter(|found| *found != names) {
            let _ = write!(text, " {OF}{})", found.join(", "));
        }
    }
    if let Some(header) = reading.header {
        let _ = write!(text, ", {HEADER}{header}");
    }
    text.push_str(" */");
    text
}
