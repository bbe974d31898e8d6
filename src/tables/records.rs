//! The records of a delimited file.

use csv::StringRecord;
use hornbook_base::Fault;

use super::dialect::Dialect;
use super::names;
use super::rows::Reading;
use super::{MOST_CELL_BYTES, MOST_COLUMNS, no_table_at};

const NOT_CLOSED: &str = "a quote is opened and not closed";

/// The records of a file one by one, each with its line.
pub struct Records<'a> {
    reading: &'a Reading<'a>,
    dialect: Dialect,
    reader: csv::Reader<&'a [u8]>,
    pub record: StringRecord,
    /// Where the record begins and ends.
    span: (usize, usize),
    pub line: usize,
    /// The byte up to which lines are counted, and the line there.
    counted: (usize, usize),
}

impl<'a> Records<'a> {
    pub fn new(reading: &'a Reading<'a>, dialect: Dialect) -> Records<'a> {
        Records {
            reading,
            dialect,
            reader: dialect.reader(reading.text),
            record: StringRecord::new(),
            span: (0, 0),
            line: 1,
            counted: (0, 1),
        }
    }

    /// Read the next record. Returns whether there is one.
    pub fn next(&mut self) -> Result<bool, Fault> {
        let bytes = self.reading.text.as_bytes();
        let mut start = self.reader.position().byte() as usize;
        match self.reader.read_record(&mut self.record) {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(error) => return Err(no_table_at(self.reading.filename, self.line, &error.to_string())),
        }
        // The position before a record is that of the end of the one before.
        loop {
            match bytes.get(start) {
                Some(b'\n' | b'\r') => start += 1,
                Some(byte) if Some(*byte) == self.dialect.comment => {
                    let rest = &bytes[start..];
                    start += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
                }
                _ => break,
            }
        }
        let (from, line) = self.counted;
        let ends = bytes[from.min(start)..start]
            .iter()
            .filter(|byte| **byte == b'\n');
        self.line = line + ends.count();
        self.counted = (start, self.line);
        self.span = (start, (self.reader.position().byte() as usize).max(start));
        if self.record.len() > MOST_COLUMNS {
            return Err(Fault {
                line: u32::try_from(self.line).ok(),
                ..names::too_many_columns(self.record.len())
            });
        }
        if self.record.as_slice().len() > MOST_CELL_BYTES
            && let Some(large) = self.record.iter().position(|value| value.len() > MOST_CELL_BYTES)
        {
            let (quoted, closed) = self.quoted();
            let why = match closed || !quoted.contains(&true) {
                true => format!("value {} has more than {MOST_CELL_BYTES} bytes", large + 1),
                false => NOT_CLOSED.to_owned(),
            };
            return Err(no_table_at(self.reading.filename, self.line, &why));
        }
        // A quote that is not closed takes all the rest of the file.
        if self.span.1 >= bytes.len() && !self.quoted().1 {
            return Err(no_table_at(self.reading.filename, self.line, NOT_CLOSED));
        }
        Ok(true)
    }

    fn quoted(&self) -> (Vec<bool>, bool) {
        let raw = &self.reading.text.as_bytes()[self.span.0..self.span.1];
        self.dialect.quoted(raw)
    }

    /// The values, of which an empty one is missing unless it is quoted.
    pub fn values(&self) -> impl Iterator<Item = Option<&str>> {
        let two = [self.dialect.quote; 2];
        let raw = &self.reading.text.as_bytes()[self.span.0..self.span.1];
        let has_empty = self.record.iter().any(str::is_empty);
        let quoted = match has_empty && raw.windows(2).any(|pair| pair == two) {
            true => self.quoted().0,
            false => Vec::new(),
        };
        self.record.iter().enumerate().map(move |(at, value)| {
            let value = if self.dialect.spaced { value.trim() } else { value };
            let is_missing = value.is_empty() && quoted.get(at) != Some(&true);
            (!is_missing).then_some(value)
        })
    }

    /// Let the host do other work, if it is time to.
    pub async fn rest(&self) {
        if self.reading.pace.is_over(self.record.len()) {
            self.reading.pace.rest().await;
        }
    }
}
