//! The text of the facts.

use hornbook_base::Fault;

use super::known;
use super::rows::{Reading, header_alone, too_large};
use super::value::push_atom;
use super::{About, Column, ColumnKind, Table, no_table};

/// The text of the facts, each in the line that its row has in the file.
pub struct Facts<'a> {
    reading: &'a Reading<'a>,
    pub text: String,
    head: String,
    line: usize,
    columns: usize,
    rows: usize,
    /// No fact is one of the table's own predicate.
    is_bare: bool,
}

impl<'a> Facts<'a> {
    pub fn new(reading: &'a Reading<'a>, names: &[String]) -> Facts<'a> {
        let mut head = String::new();
        push_atom(&mut head, &reading.name);
        // To grow it would copy it.
        let mut text = String::with_capacity(reading.text.len() / 2 * 3);
        text.push_str(&known::comment(reading, names));
        Facts {
            reading,
            text,
            head,
            line: 1,
            columns: names.len(),
            rows: 0,
            is_bare: true,
        }
    }

    /// Begin a fact in this line, or in the next if there is one in it. `suffix` is that of the predicate.
    pub fn begin(&mut self, line: usize, suffix: &str) {
        match line.checked_sub(self.line) {
            None | Some(0) if self.rows == 0 => self.text.push(' '),
            None | Some(0) => {
                self.text.push('\n');
                self.line += 1;
            }
            Some(lines) => {
                self.text.extend(std::iter::repeat_n('\n', lines));
                self.line = line;
            }
        }
        self.rows += 1;
        self.is_bare &= !suffix.is_empty();
        match (suffix, self.head.strip_suffix('\'')) {
            ("", _) => self.text.push_str(&self.head),
            (suffix, Some(quoted)) => {
                self.text.push_str(quoted);
                self.text.push_str(suffix);
                self.text.push('\'');
            }
            (suffix, None) => {
                self.text.push_str(&self.head);
                self.text.push_str(suffix);
            }
        }
        self.text.push('(');
    }

    /// End the fact.
    pub fn end(&mut self) -> Result<(), Fault> {
        self.text.push_str(").");
        if self.text.len() <= self.reading.most.bytes {
            return Ok(());
        }
        Err(too_large(self.reading.filename, self.reading.most))
    }

    /// Without facts of it the predicate is declared, so that a call of it fails.
    pub fn finish(mut self) -> String {
        if self.is_bare {
            let (head, columns) = (&self.head, self.columns);
            let space = if self.rows == 0 { ' ' } else { '\n' };
            self.text
                .push_str(&format!("{space}:- dynamic({head}/{columns})."));
        }
        self.text.push('\n');
        self.text.shrink_to_fit();
        self.text
    }
}

/// The table without rows, as an export without answers is, of columns that are found, asked for, or known to the book. `why`
/// there are no rows is the fault if nothing tells the columns.
pub fn without_rows(reading: &Reading<'_>, why: &str) -> Result<Table, Fault> {
    let asked: Vec<String> = { reading.asked.columns.iter() }
        .map(|(name, _)| name.clone())
        .collect();
    let found = reading.found.clone().unwrap_or_else(|| match reading.before {
        before if asked.is_empty() || asked.len() == before.len() => before.to_vec(),
        _ => asked,
    });
    if found.is_empty() {
        let next = format!(
            "To have it without rows, say which columns they would have, as columns: \"{}(…)\" with their names.",
            reading.name
        );
        return Err(no_table(reading.filename, why).with_next(next));
    }
    let names = reading.names(found)?;
    let notes = reading
        .found
        .iter()
        .map(|_| header_alone(&reading.name, names.len()));
    let columns = names.iter().enumerate().map(|(at, name)| Column {
        name: name.clone(),
        kind: reading.kind(at).unwrap_or(ColumnKind::Null),
        nulls: 0,
        no_number: None,
        examples: Vec::new(),
    });
    let about = About {
        name: reading.name.clone(),
        rows: 0,
        columns: columns.collect(),
        notes: notes.collect(),
    };
    Ok(Table {
        text: Facts::new(reading, &names).finish(),
        tables: vec![about],
    })
}
