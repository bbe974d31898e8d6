//! CSV and TSV.

use csv::StringRecord;
use hornbook_base::{Fault, cut};

use super::column::{Reading as How, Seen, push_text};
use super::dialect::{self, Dialect};
use super::header::{Top, Value};
use super::names;
use super::records::Records;
use super::rows::{NO_HEADER, Reading, header_alone};
use super::ruled;
use super::write::{Facts, without_rows};
use super::{About, Table, no_table};

/// How many lines of ragged rows are named, and of those that are left out.
const LINES: usize = 5;

/// Read a file whose delimiter may be known.
pub async fn read(reading: &Reading<'_>, delimiter: Option<u8>) -> Result<Table, Fault> {
    if reading.text.trim_start().starts_with('<') {
        return Err(no_table(reading.filename, "it is HTML or XML"));
    }
    if let Some(found) = ruled::table(reading.text) {
        return read_ruled(reading, &found).await;
    }
    if let Some((said, rest)) = said_delimiter(reading.text) {
        let below = Reading {
            text: rest,
            ..reading.clone()
        };
        return read_table(&below, Some(said)).await;
    }
    if reading.header.is_none() {
        if let Some(table) = below_titles(reading, delimiter).await? {
            return Ok(table);
        }
        if let Some(table) = beside_names(reading, delimiter).await? {
            return Ok(table);
        }
    }
    read_table(reading, delimiter).await
}

async fn read_ruled(reading: &Reading<'_>, found: &ruled::Found<'_>) -> Result<Table, Fault> {
    if let Some(why) = &found.why_not {
        return Err(no_table(reading.filename, why));
    }
    let rows = Reading {
        text: &found.rows,
        header: reading.header.or(Some(true)),
        ..reading.clone()
    };
    let mut table = read_table(&rows, Some(b'|')).await?;
    let mut note = match found.is_printed {
        true => "It is a table as psql and MySQL print it.".to_owned(),
        false => "It is a table of Markdown.".to_owned(),
    };
    if !found.left_out.is_empty() {
        let named = found.left_out.iter().take(LINES);
        let named: Vec<String> = named
            .map(|(at, line)| format!("line {at} ({})", cut(line.trim(), 60)))
            .collect();
        note.push_str(&format!(" Left out, as no row of it: {}", named.join(", ")));
        match found.left_out.len() - named.len() {
            0 => note.push('.'),
            more => note.push_str(&format!(", and {more} more.")),
        }
    }
    table.tables[0].notes.insert(0, note);
    Ok(table)
}

/// The table below lines that are none of its rows, if there are such. In doubt the first line is one.
async fn below_titles(reading: &Reading<'_>, delimiter: Option<u8>) -> Result<Option<Table>, Fault> {
    let Some(above) = dialect::above(reading.text, delimiter) else {
        return Ok(None);
    };
    // Rows keep their lines.
    let (left_out, rest) = reading.text.split_at(above.bytes);
    let text = "\n".repeat(left_out.matches('\n').count()) + rest;
    let below = Reading {
        text: &text,
        ..reading.clone()
    };
    let top = top(&below, Dialect::of(&text, delimiter)).await?;
    let is_sure = |top: &Top<'_>| top.is_header() && (!above.is_divided || top.note().is_none());
    if !top.as_ref().is_some_and(is_sure) {
        return Ok(None);
    }
    let mut table = read_table(&below, delimiter).await?;
    let first = cut(left_out.trim().lines().next().unwrap_or_default(), 60);
    let note = match above.lines {
        1 => format!("The first line, which is no row of the table, was left out: {first}."),
        lines => format!(
            "The first {lines} lines, which are no rows of the table, were left out: {first} and so on."
        ),
    };
    table.tables[0].notes.insert(0, note);
    Ok(Some(table))
}

/// The table whose header has no value above the names of its rows, as R writes it.
async fn beside_names(reading: &Reading<'_>, delimiter: Option<u8>) -> Result<Option<Table>, Fault> {
    let Some(found) = dialect::beside_names(reading.text, delimiter) else {
        return Ok(None);
    };
    let text = format!("{}{}", char::from(found), reading.text);
    let whole = Reading {
        text: &text,
        ..reading.clone()
    };
    let top = top(&whole, Dialect::of(&text, delimiter)).await?;
    if !top.is_some_and(|top| top.is_header() && top.is_above_numbers()) {
        return Ok(None);
    }
    let mut table = read_table(&whole, delimiter).await?;
    let note =
        "The header has one value less than the rows: the first column, the names of the rows, is column_1.";
    table.tables[0].notes.insert(0, note.to_owned());
    Ok(Some(table))
}

/// What Excel takes from a first line `sep=;`: the delimiter, and the rest of the text with the end of that line.
fn said_delimiter(text: &str) -> Option<(u8, &str)> {
    let end = text.find(['\r', '\n'])?;
    let (line, rest) = text.split_at(end);
    let line = line.trim_matches([' ', '"']);
    let (said, delimiter) = line.split_at_checked("sep=".len())?;
    match delimiter.as_bytes() {
        _ if !said.eq_ignore_ascii_case("sep=") => None,
        [delimiter] if *delimiter == b'\t' || delimiter.is_ascii_punctuation() => Some((*delimiter, rest)),
        _ => None,
    }
}

async fn read_table(reading: &Reading<'_>, delimiter: Option<u8>) -> Result<Table, Fault> {
    let dialect = Dialect::of(reading.text, delimiter);
    if !dialect.spaced || !reading.text.as_bytes().contains(&dialect.quote) {
        return read_as(reading, delimiter, dialect).await;
    }
    let text = dialect.unspaced(reading.text, reading.pace).await;
    let unspaced = Reading {
        text: &text,
        ..reading.clone()
    };
    read_as(&unspaced, delimiter, dialect).await
}

async fn read_as(reading: &Reading<'_>, delimiter: Option<u8>, dialect: Dialect) -> Result<Table, Fault> {
    let top = match reading.header {
        Some(_) => None,
        None => top(reading, dialect).await?,
    };
    let has_header = reading
        .header
        .or(top.as_ref().map(Top::is_header))
        .unwrap_or(true);
    let mut records = Records::new(reading, dialect);
    if !records.next()? {
        return without_rows(reading, "it is empty");
    }
    let found = match has_header {
        true => names::columns(records.record.iter().map(str::trim)),
        false => names::columns(records.record.iter().map(|_| "")),
    };
    let names = reading.names(found)?;
    if !has_header {
        records = Records::new(reading, dialect);
    }
    let rows = Rows::read(reading, &mut records, names.len(), dialect).await?;
    rows.check(reading)?;
    let text = write(reading, dialect, has_header, &names, &rows.seen).await?;
    let mut notes = Vec::new();
    if rows.count == 0 {
        notes.push(header_alone(&reading.name, names.len()));
    }
    notes.extend(top.filter(|_| rows.count > 0).and_then(|top| match has_header {
        false => Some(NO_HEADER.to_owned()),
        true => top.note(),
    }));
    notes.extend(notes_of(dialect, delimiter.is_some()));
    notes.extend(rows.notes(&reading.name));
    let mut columns = Vec::with_capacity(names.len());
    for (at, (name, seen)) in names.into_iter().zip(&rows.seen).enumerate() {
        let (column, note) = seen.column(name, reading.kind(at));
        columns.push(column);
        notes.extend(note);
    }
    Ok(Table {
        text,
        tables: vec![About {
            name: reading.name.clone(),
            rows: rows.count - rows.long.rows,
            columns,
            notes,
        }],
    })
}

/// What was assumed of how the values are divided.
fn notes_of(dialect: Dialect, is_said: bool) -> impl Iterator<Item = String> {
    let divided = dialect
        .delimiter_name()
        .filter(|_| !is_said)
        .map(|name| format!("Values are separated by {name}."));
    let whole = dialect
        .whole
        .then(|| "Each line is one value: a colon does not divide it.".to_owned());
    let comment = dialect
        .comment
        .map(|_| "Lines that begin with # were left out.".to_owned());
    divided.into_iter().chain(whole).chain(comment)
}

/// The rows below the header, once all have passed.
struct Rows {
    seen: Vec<Seen>,
    count: usize,
    short: Ragged,
    long: Ragged,
}

impl Rows {
    async fn read(
        reading: &Reading<'_>,
        records: &mut Records<'_>,
        columns: usize,
        dialect: Dialect,
    ) -> Result<Rows, Fault> {
        let mut rows = Rows {
            seen: (0..columns).map(|_| Seen::new()).collect(),
            count: 0,
            short: Ragged::default(),
            long: Ragged::default(),
        };
        let may_be_comma = dialect.delimiter != b',';
        while records.next()? {
            rows.count += 1;
            reading.check_rows(rows.count)?;
            match records.record.len() {
                fewer if fewer < columns => rows.short.take(records.line),
                _ if is_too_long(&records.record, columns) => {
                    rows.long.take(records.line);
                    records.rest().await;
                    continue;
                }
                _ => {}
            }
            let mut values = records.values();
            for (at, column) in rows.seen.iter_mut().enumerate() {
                match values.next().flatten() {
                    Some(value) => column.take(value, records.line, may_be_comma, reading.kind(at)),
                    None => column.nulls += 1,
                }
            }
            records.rest().await;
        }
        if rows.seen.iter().any(Seen::has_decimal_commas) {
            for column in &mut rows.seen {
                column.put_beside_commas();
            }
        }
        Ok(rows)
    }

    /// Refuse what is no table, as most rows have another number of values.
    fn check(&self, reading: &Reading<'_>) -> Result<(), Fault> {
        if (self.short.rows + self.long.rows) * 2 <= self.count || self.count <= 1 {
            return Ok(());
        }
        let first = if self.long.lines.is_empty() {
            &self.short.lines
        } else {
            &self.long.lines
        };
        let why = format!(
            "its first line has {} values, and most others have another number (line {})",
            self.seen.len(),
            first[0]
        );
        Err(no_table(reading.filename, &why))
    }

    fn notes(&self, name: &str) -> impl Iterator<Item = String> {
        let short = self
            .short
            .note("fewer values than columns: what is missing is null");
        let kept = format!("more values than columns: kept as {name}_ragged(Line, Values)");
        short.into_iter().chain(self.long.note(&kept))
    }
}

/// The first rows, unless there is none.
async fn top(reading: &Reading<'_>, dialect: Dialect) -> Result<Option<Top<'static>>, Fault> {
    let mut records = Records::new(reading, dialect);
    if !records.next()? {
        return Ok(None);
    }
    let first = records
        .values()
        .map(|value| Value::of(value.unwrap_or_default()).into_owned());
    let mut top = Top::new(first.collect());
    while !top.has_enough() && records.next()? {
        let row: Vec<Value<'_>> = records
            .values()
            .map(|value| Value::of(value.unwrap_or_default()))
            .collect();
        top.take(&row);
        drop(row);
        records.rest().await;
    }
    Ok(Some(top))
}

/// Whether a record has values for which there is no column.
fn is_too_long(record: &StringRecord, columns: usize) -> bool {
    record.len() > columns && record.iter().skip(columns).any(|value| !value.is_empty())
}

/// Write the facts.
async fn write(
    reading: &Reading<'_>,
    dialect: Dialect,
    has_header: bool,
    names: &[String],
    seen: &[Seen],
) -> Result<String, Fault> {
    let hows = seen
        .iter()
        .enumerate()
        .map(|(at, seen)| seen.reading(reading.kind(at)));
    let hows: Vec<How> = hows.collect();
    let mut records = Records::new(reading, dialect);
    if has_header {
        records.next()?;
    }
    let mut facts = Facts::new(reading, names);
    while records.next()? {
        if is_too_long(&records.record, names.len()) {
            facts.begin(records.line, "_ragged");
            facts.text.push_str(&format!("{}, [", records.line));
            for (at, value) in records.values().enumerate() {
                facts.text.push_str(if at > 0 { ", " } else { "" });
                push_or_null(&mut facts.text, value, How::Texts);
            }
            facts.text.push(']');
        } else {
            facts.begin(records.line, "");
            let mut values = records.values();
            for (at, how) in hows.iter().enumerate() {
                facts.text.push_str(if at > 0 { ", " } else { "" });
                push_or_null(&mut facts.text, values.next().flatten(), *how);
            }
        }
        facts.end()?;
        records.rest().await;
    }
    Ok(facts.finish())
}

fn push_or_null(text: &mut String, value: Option<&str>, how: How) {
    match value {
        Some(value) => push_text(text, value, how),
        None => text.push_str("null"),
    }
}

/// Rows with another number of values than there are columns.
#[derive(Debug, Default)]
struct Ragged {
    rows: usize,
    /// The first of their lines.
    lines: Vec<usize>,
}

impl Ragged {
    fn take(&mut self, line: usize) {
        self.rows += 1;
        if self.lines.len() < LINES {
            self.lines.push(line);
        }
    }

    fn note(&self, what: &str) -> Option<String> {
        let lines: Vec<String> = self.lines.iter().map(usize::to_string).collect();
        let more = if self.rows > lines.len() { ", …" } else { "" };
        let (rows, have) = if self.rows == 1 {
            ("row", "has")
        } else {
            ("rows", "have")
        };
        let of = if self.rows == 1 { "line" } else { "lines" };
        let text = format!(
            "{} {rows} ({of} {}{more}) {have} {what}.",
            self.rows,
            lines.join(", ")
        );
        (self.rows > 0).then_some(text)
    }
}
