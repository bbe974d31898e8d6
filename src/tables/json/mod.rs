//! JSON and JSON Lines.

mod header;
mod hints;
mod rows;
mod seen;
mod value;

use std::collections::BTreeMap;

use hornbook_base::{Fault, cut};
use serde_json::value::RawValue;

use super::names;
use super::rows::Reading;
use super::write::{Facts, without_rows};
use super::{About, MOST_CELL_BYTES, MOST_COLUMNS, Table, no_table, no_table_at};
use rows::{Element, Elements, Rows, column, row_of, rows_of};
use seen::Seen;
use value::{Wrong, push_value};

/// The columns, in the order in which the rows first have them.
#[derive(Default)]
struct Columns {
    at_key: BTreeMap<String, usize>,
    keys: Vec<String>,
    seen: Vec<Seen>,
    rows: usize,
}

impl Columns {
    fn add(&mut self, key: String) -> usize {
        let at = self.keys.len();
        self.at_key.insert(key.clone(), at);
        self.keys.push(key);
        self.seen.push(Seen::default());
        at
    }

    /// Take note of the rows.
    async fn take(&mut self, reading: &Reading<'_>, mut elements: Elements<'_>) -> Result<(), Fault> {
        while let Some(element) = elements.next()? {
            self.rows += 1;
            reading.check_rows(self.rows)?;
            let count = self.take_row(reading, &element)?;
            if reading.pace.is_over(count + element.value.get().len() / 64) {
                reading.pace.rest().await;
            }
        }
        Ok(())
    }

    /// Returns how many values the row has.
    fn take_row(&mut self, reading: &Reading<'_>, element: &Element<'_>) -> Result<usize, Fault> {
        let row = row_of(element).map_err(|wrong| wrong.fault(reading))?;
        let count = row.len();
        for (key, value) in row {
            if value.get().len() > MOST_CELL_BYTES {
                let why = format!("`{}` has more than {MOST_CELL_BYTES} bytes", cut(&key, 40));
                return Err(no_table_at(reading.filename, element.line, &why));
            }
            let at = match self.at_key.get(&*key) {
                Some(at) => *at,
                None if self.keys.len() >= MOST_COLUMNS => {
                    let fault = names::too_many_columns(count + self.keys.len());
                    return Err(match self.rows {
                        1 => fault.with_next("If each member is a row, give an array of objects."),
                        _ => fault,
                    });
                }
                None => self.add(key.into_owned()),
            };
            self.seen[at].take(value, reading.kind(at), element.line);
        }
        Ok(count)
    }

    /// Write the rows as facts with these names of the columns.
    async fn write(
        &mut self,
        reading: &Reading<'_>,
        names: &[String],
        mut elements: Elements<'_>,
    ) -> Result<String, Fault> {
        let mut facts = Facts::new(reading, names);
        while let Some(element) = elements.next()? {
            let wrong = |wrong: Wrong<'_>| wrong.fault(reading);
            let mut values: Vec<Option<&RawValue>> = vec![None; names.len()];
            for (key, value) in row_of(&element).map_err(wrong)? {
                if let Some(at) = self.at_key.get(&*key) {
                    values[*at] = Some(value);
                }
            }
            facts.begin(element.line, "");
            for (at, value) in values.into_iter().enumerate() {
                facts.text.push_str(if at > 0 { ", " } else { "" });
                match value {
                    Some(value) => self.seen[at]
                        .write(&mut facts.text, value, reading.kind(at), element.line)
                        .map_err(wrong)?,
                    None => facts.text.push_str("null"),
                }
            }
            facts.end()?;
            if reading.pace.is_over(names.len() + element.value.get().len() / 64) {
                reading.pace.rest().await;
            }
        }
        Ok(facts.finish())
    }

    fn about(&self, reading: &Reading<'_>, names: Vec<String>, mut notes: Vec<String>) -> About {
        let mut columns = Vec::with_capacity(names.len());
        for (at, (name, seen)) in names.into_iter().zip(&self.seen).enumerate() {
            let (column, told) = seen.column(name, self.rows, reading.kind(at));
            columns.push(column);
            notes.extend(told);
        }
        About {
            name: reading.name.clone(),
            rows: self.rows,
            columns,
            notes,
        }
    }
}

/// Read a file, as lines or as one value.
pub async fn read(reading: &Reading<'_>, is_lines: bool) -> Result<Table, Fault> {
    if reading.text.trim().is_empty() {
        return without_rows(reading, "it is empty");
    }
    let Rows { span, shape, note } = rows_of(reading, is_lines)?;
    let named = header::of(reading, span, shape).await?;
    let below_header = || -> Result<Elements<'_>, Fault> {
        let mut elements = Elements::new(reading, span, shape);
        if named.names.is_some() {
            elements.next()?;
        }
        Ok(elements)
    };
    let of_header = named.names.as_deref().unwrap_or_default();
    let mut columns = Columns::default();
    for at in 0..of_header.len() {
        columns.add(column(at));
    }
    columns.take(reading, below_header()?).await?;
    if columns.rows == 0 && named.names.is_none() {
        return without_rows(reading, "it has no rows, which would tell its columns");
    }
    if columns.keys.is_empty() {
        return Err(no_table(reading.filename, "its rows have no values"));
    }
    let others = columns.keys.iter().skip(of_header.len());
    let found = names::columns(of_header.iter().chain(others).map(String::as_str));
    let names = reading.names(found)?;
    let text = columns.write(reading, &names, below_header()?).await?;
    let notes = note.into_iter().chain(named.note.map(str::to_owned)).collect();
    Ok(Table {
        text,
        tables: vec![columns.about(reading, names, notes)],
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
