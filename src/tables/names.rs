//! Names of predicates and columns.

use std::collections::BTreeSet;

use hornbook_base::{Fault, FaultKind, cut};

use super::{ColumnKind, MOST_COLUMNS};

/// The most characters of a name made from a header.
const NAME_CHARS: usize = 60;

/// A name in snake case: letters, digits and underscores. Empty if there is nothing to make one of.
pub fn snake(text: &str) -> String {
    let mut name = String::new();
    let mut before_is_lower = false;
    for c in text.chars().take(NAME_CHARS) {
        if !c.is_alphanumeric() {
            before_is_lower = false;
            if !name.ends_with('_') && !name.is_empty() {
                name.push('_');
            }
            continue;
        }
        if c.is_uppercase() && before_is_lower {
            name.push('_');
        }
        before_is_lower = c.is_lowercase() || c.is_numeric();
        name.extend(c.to_lowercase().filter(|c| c.is_alphanumeric()));
    }
    name.truncate(name.trim_end_matches('_').len());
    name
}

/// The predicate for a file: its name without folder and extension. `Sales 2026.csv` is `sales_2026`, and
/// `2026.csv` is `t_2026`.
pub fn stem(filename: &str) -> String {
    let last = filename.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
    let name = snake(stem);
    match name.chars().next() {
        None => "table_1".to_owned(),
        Some(c) if c.is_lowercase() || !c.is_ascii() && c.is_alphabetic() => name,
        Some(_) => format!("t_{name}"),
    }
}

/// The names of columns, all different, from the header. A column without a header is named after its number.
pub fn columns<'a>(headers: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    for (at, header) in headers.enumerate() {
        let mut name = snake(header);
        if name.is_empty() {
            name = format!("column_{}", at + 1);
        }
        let mut different = name.clone();
        let mut number = 2;
        while !seen.insert(different.clone()) {
            different = format!("{name}_{number}");
            number += 1;
        }
        names.push(different);
    }
    names
}

/// The predicate and the columns that a caller asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asked {
    pub name: Option<String>,
    /// Their names, and types if given.
    pub columns: Vec<(String, Option<ColumnKind>)>,
    /// Whether the first row names the columns.
    pub header: Option<bool>,
}

impl Asked {
    /// From `sales(id, amount: number)`, `sales`, or `id, amount: number`. Any of them may end in `, header: false`.
    pub fn parse(text: &str) -> Result<Asked, Fault> {
        let mut text = text.trim().trim_end_matches('.').trim_end();
        let mut header = None;
        for said in [true, false] {
            if let Some(rest) = text.strip_suffix(&format!("header: {said}"))
                && (rest.is_empty() || rest.ends_with([' ', ',', ';']))
            {
                header = Some(said);
                text = rest.trim_end_matches([' ', ',', ';']);
                break;
            }
        }
        if text.is_empty() {
            return Ok(Asked {
                header,
                ..Asked::default()
            });
        }
        let (name, columns) = match text.split_once('(') {
            Some((name, rest)) => {
                let Some(columns) = rest.strip_suffix(')') else {
                    return Err(unclear(text));
                };
                (Some(name), columns)
            }
            None if !text.contains([',', ':']) => (Some(text), ""),
            None => (None, text),
        };
        let name = name.map(str::trim).filter(|name| !name.is_empty());
        if name.is_some_and(|name| !is_atom(name)) {
            return Err(unclear(text));
        }
        let mut asked = Asked {
            name: name.map(str::to_owned),
            columns: Vec::new(),
            header,
        };
        let mut seen = BTreeSet::new();
        for column in columns.split(',').filter(|_| !columns.trim().is_empty()) {
            let (name, kind) = match column.split_once(':') {
                Some((name, kind)) => (name.trim(), Some(kind.trim())),
                None => (column.trim(), None),
            };
            let kind = match kind {
                None => None,
                Some("number") => Some(ColumnKind::Number),
                Some("text") => Some(ColumnKind::Text),
                Some(_) => return Err(unclear(column.trim())),
            };
            if !is_column(name) || !seen.insert(name) {
                return Err(unclear(column.trim()));
            }
            asked.columns.push((name.to_owned(), kind));
        }
        if asked.columns.len() > MOST_COLUMNS {
            return Err(too_many_columns(asked.columns.len()));
        }
        Ok(asked)
    }
}

fn unclear(text: &str) -> Fault {
    let message = format!("Argument 'columns' cannot be read at `{}`.", cut(text, 60));
    let next = "Write it as `sales(id, amount: number, code: text)`: names begin with a small letter and differ, types are number and text; `header: false` after them says that the first row is data.";
    Fault::new(FaultKind::InvalidArgument, message).with_next(next)
}

pub fn too_many_columns(count: usize) -> Fault {
    let message = format!("A table may have {MOST_COLUMNS} columns, and this one has {count}.");
    Fault::new(FaultKind::LimitReached, message).with_next("Leave out columns that are not needed.")
}

/// Whether a name needs no quotes as an atom.
pub fn is_atom(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase()) && is_word(name)
}

fn is_column(name: &str) -> bool {
    name.starts_with(char::is_alphabetic) && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn is_word(name: &str) -> bool {
    name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_')
}
