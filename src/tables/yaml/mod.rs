//! YAML, read as the JSON that it is, whose rows are in the lines of the file.

mod parts;
mod tree;

use std::collections::BTreeSet;

use hornbook_base::Fault;
use serde_json::value::RawValue;
use serde_saphyr::budget::BudgetBreach;
use serde_saphyr::{Error, Location, NonFiniteFloatPolicy, Spanned};

use super::rows::{Reading, too_large};
use super::write::without_rows;
use super::{Table, json, no_table, no_table_at};
use parts::{Parts, is_between, parts};
use tree::Tree;

/// The most values that aliases may add to those that a file has itself.
const ALIASED: usize = 250_000;
const TOO_DEEP: &str = "values are nested too deeply; make it flatter";

/// Read a file: a list of maps, or what else JSON of the same shape would be.
pub async fn read(reading: &Reading<'_>) -> Result<Table, Fault> {
    if reading.text.lines().all(is_between) {
        return without_rows(reading, "it is empty");
    }
    let mut out = Json {
        reading,
        text: String::with_capacity(reading.text.len()),
        line: 1,
    };
    let whole = match parts(reading.text) {
        Some(parts) => !out.parts(&parts).await?,
        None => true,
    };
    if whole {
        (out.text, out.line) = (String::new(), 1);
        let whole = parse(reading, reading.text, 1)?;
        out.value(&whole, reading.text, 1)?;
    }
    let text = out.text;
    let json = Reading {
        text: &text,
        ..reading.clone()
    };
    json::read(&json, false).await
}

fn parse(reading: &Reading<'_>, text: &str, first_line: usize) -> Result<Spanned<Tree>, Fault> {
    let most = text.len() + ALIASED;
    let options = serde_saphyr::options! {
        with_snippet: false,
        strict_booleans: true,
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
        budget: serde_saphyr::budget! { max_nodes: most, max_events: 2 * most },
    };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let why = why(&error);
        match error.location() {
            Some(place) => no_table_at(reading.filename, line_of(&place, first_line), &why),
            None => no_table(reading.filename, &why),
        }
    })
}

/// What is wrong with a file, and how to correct it.
fn why(error: &Error) -> String {
    match error.without_snippet() {
        Error::AliasError { error, .. } => why(error),
        Error::MultipleDocuments { .. } => {
            "another document begins after the first; put each into a file of its own".to_owned()
        }
        Error::DuplicateMappingKey { key: Some(key), .. } => {
            format!("the key {key} stands twice in a map; rename or remove one")
        }
        Error::DuplicateMappingKey { .. } => "a key stands twice in a map; rename or remove one".to_owned(),
        Error::UnknownAnchor { .. } => {
            "an alias has no anchor before it; define it, or put the text in quotes".to_owned()
        }
        Error::RecursiveReferencesRequireWeakTypes { .. } => {
            "an alias refers to what it is part of; write the value instead".to_owned()
        }
        Error::Budget {
            breach: BudgetBreach::Depth { .. },
            ..
        } => TOO_DEEP.to_owned(),
        Error::Budget { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. } => {
            "its aliases stand for too many values; use fewer of them".to_owned()
        }
        Error::Unexpected {
            expected: "string scalar",
            ..
        } => "a key is a list or a map; make it text".to_owned(),
        Error::UnsupportedTag { tag, .. } => format!("the tag {tag} is not known; remove it"),
        other => {
            let message = other.to_string();
            if message.contains("recursion limit exceeded") {
                return TOO_DEEP.to_owned();
            }
            let message = message.lines().next().unwrap_or_default();
            message.split(" at line ").next().unwrap_or(message).to_owned()
        }
    }
}

fn line_of(place: &Location, first_line: usize) -> usize {
    usize::try_from(place.line()).unwrap_or(usize::MAX).max(1) - 1 + first_line
}

/// The JSON as it is written.
struct Json<'a> {
    reading: &'a Reading<'a>,
    text: String,
    line: usize,
}

impl Json<'_> {
    /// Write the parts of a file. Returns whether they are what they looked like.
    async fn parts(&mut self, parts: &Parts<'_>) -> Result<bool, Fault> {
        let mut keys = BTreeSet::new();
        let mut close = None;
        if let Some(line) = parts.key {
            // Of a list that is the only member.
            match parse(self.reading, line, 1)?.value {
                Tree::Map(members) if members.len() == 1 => {
                    self.text.push('{');
                    self.string(&members[0].0.value);
                    self.text.push(':');
                }
                _ => return Ok(false),
            }
        }
        for (line, text) in &parts.all {
            let parsed = parse(self.reading, text, *line)?;
            let end = match parsed.value {
                Tree::List(_) => ']',
                Tree::Map(_) if parts.key.is_none() => '}',
                // It has nothing but comments.
                Tree::Null if close.is_some() => continue,
                _ => return Ok(false),
            };
            match close {
                None => self.text.push(if end == ']' { '[' } else { '{' }),
                Some(before) if before == end => self.text.push(','),
                Some(_) => return Ok(false),
            }
            close = Some(end);
            match &parsed.value {
                Tree::Map(members) => {
                    // A key that stands twice is told of with its line when all are read at once.
                    if !members.iter().all(|(key, _)| keys.insert(key.value.clone())) {
                        return Ok(false);
                    }
                    self.members(members, text, *line)?;
                }
                Tree::List(items) => self.items(items, text, *line)?,
                _ => {}
            }
            if self.reading.pace.is_over(text.len() / 8) {
                self.reading.pace.rest().await;
            }
        }
        self.text.extend(close);
        self.text.push_str(if parts.key.is_some() { "}" } else { "" });
        Ok(true)
    }

    fn items(&mut self, items: &[Spanned<Tree>], source: &str, first_line: usize) -> Result<(), Fault> {
        for (at, item) in items.iter().enumerate() {
            self.text.push_str(if at > 0 { "," } else { "" });
            self.value(item, source, first_line)?;
        }
        Ok(())
    }

    fn members(
        &mut self,
        members: &[(Spanned<String>, Spanned<Tree>)],
        source: &str,
        first_line: usize,
    ) -> Result<(), Fault> {
        for (at, (key, value)) in members.iter().enumerate() {
            self.text.push_str(if at > 0 { "," } else { "" });
            self.go_to(&key.referenced, first_line);
            self.string(&key.value);
            self.text.push(':');
            self.value(value, source, first_line)?;
        }
        Ok(())
    }

    /// Write a value of `source`, whose first line in the file is `first_line`.
    fn value(&mut self, value: &Spanned<Tree>, source: &str, first_line: usize) -> Result<(), Fault> {
        self.go_to(&value.referenced, first_line);
        match &value.value {
            Tree::Null => self.text.push_str("null"),
            Tree::Bool(truth) => self.text.push_str(if *truth { "true" } else { "false" }),
            Tree::Text(text) => self.string(text),
            // What no float holds is told of with other JSON.
            Tree::Number => match token(source, &value.defined) {
                written if serde_json::from_str::<&RawValue>(written).is_ok() => self.text.push_str(written),
                written => self.string(written),
            },
            Tree::List(items) => {
                self.text.push('[');
                self.items(items, source, first_line)?;
                self.text.push(']');
            }
            Tree::Map(members) => {
                self.text.push('{');
                self.members(members, source, first_line)?;
                self.text.push('}');
            }
        }
        match self.text.len() <= self.reading.most.bytes {
            true => Ok(()),
            false => Err(too_large(self.reading.filename, self.reading.most)),
        }
    }

    /// Go on in the line of this place, as far as lines go forwards.
    fn go_to(&mut self, place: &Location, first_line: usize) {
        let line = line_of(place, first_line);
        if let Some(lines) = line.checked_sub(self.line) {
            self.text.extend(std::iter::repeat_n('\n', lines));
            self.line = line;
        }
    }

    fn string(&mut self, text: &str) {
        // A text is always JSON.
        self.text
            .push_str(&serde_json::to_string(text).unwrap_or_default());
    }
}

/// What the file has at a place.
fn token<'a>(source: &'a str, place: &Location) -> &'a str {
    let span = place.span();
    let (Some(from), Some(length)) = (span.byte_offset(), span.byte_len()) else {
        return "";
    };
    let from = usize::try_from(from).unwrap_or(usize::MAX);
    let to = from.saturating_add(usize::try_from(length).unwrap_or(usize::MAX));
    source.get(from..to).unwrap_or_default().trim()
}
