//! The cells of a sheet, and the table that they are.

use std::cell::OnceCell;

use hornbook_base::{Fault, Pace, cut};

use super::super::header::{self, Top};
use super::super::names::{self, Asked};
use super::super::rows::{NO_HEADER, Reading, too_large, too_many_rows};
use super::super::{MOST_CELL_BYTES, MOST_COLUMNS, Most, Table, json, no_table, no_table_at};

/// The most rows of a sheet.
pub const MOST_ROWS: u32 = 1 << 20;
/// The most values of a workbook, which are in memory all at once.
const MOST_VALUES: usize = 10_000_000;
/// How many characters are told of an error in a cell.
const ERROR_CHARS: usize = 40;
/// How many bytes of the facts stand for a value that a row lacks.
const LACKING_BYTES: u64 = "null, ".len() as u64;
/// At most so many rows above a table are titles.
const MOST_TITLES: usize = 8;
/// How many cells are named of those that have no value.
const NAMED: usize = 3;

/// A cell that has a value: where it is, and where its JSON is in the text.
#[derive(Debug, Clone, Copy)]
struct Cell {
    row: u32,
    column: u32,
    start: usize,
    end: usize,
}

/// A sheet of a workbook. Rows and columns count from 0.
#[derive(Debug, Default)]
pub struct Sheet {
    pub name: String,
    pub is_hidden: bool,
    cells: Vec<Cell>,
    /// The JSON of all values.
    text: String,
    errors: Lacking,
    formulas: Lacking,
}

/// Cells that have no value though something is in them.
#[derive(Debug, Default)]
struct Lacking {
    count: usize,
    first: Vec<String>,
}

/// What a cell has.
#[derive(Debug)]
pub enum Value<'a> {
    Number(f64),
    Integer(i64),
    Text(&'a str),
    Boolean(bool),
    /// Such as `#DIV/0!`.
    Error(&'a str),
    /// A formula that was never computed.
    Formula,
}

/// What the sheets of a workbook may still have.
pub struct Room<'a> {
    filename: &'a str,
    most: Most,
    values: usize,
    bytes: usize,
}

impl<'a> Room<'a> {
    pub fn new(filename: &'a str, most: Most) -> Room<'a> {
        Room {
            filename,
            most,
            values: MOST_VALUES,
            bytes: most.bytes,
        }
    }

    /// Refuse more values than there is room for.
    pub fn check_values(&self, values: usize) -> Result<(), Fault> {
        if values <= self.values {
            return Ok(());
        }
        let why = format!("it has more than {MOST_VALUES} values, and a workbook may not");
        let next = "Save the sheet that you want as CSV, or a part of its rows and columns, and import that.";
        Err(no_table(self.filename, &why).with_next(next))
    }

    fn take(&mut self, bytes: usize) -> Result<(), Fault> {
        self.check_values(1)?;
        self.values -= 1;
        self.bytes = self
            .bytes
            .checked_sub(bytes)
            .ok_or_else(|| too_large(self.filename, self.most))?;
        Ok(())
    }
}

impl Sheet {
    pub fn new(name: &str, is_hidden: bool) -> Sheet {
        Sheet {
            name: name.to_owned(),
            is_hidden,
            ..Sheet::default()
        }
    }

    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Add a cell. An empty text is none, as in a spreadsheet.
    pub fn push(
        &mut self,
        (row, column): (u32, u32),
        value: Value<'_>,
        room: &mut Room<'_>,
    ) -> Result<(), Fault> {
        let filename = room.filename;
        let start = self.text.len();
        match value {
            Value::Number(number) => push_float(&mut self.text, number),
            Value::Integer(number) => self.text.push_str(&number.to_string()),
            Value::Boolean(value) => self.text.push_str(if value { "true" } else { "false" }),
            Value::Text("") => return Ok(()),
            Value::Text(text) if text.len() > MOST_CELL_BYTES => {
                let why = format!(
                    "cell {} of {} has more than {MOST_CELL_BYTES} bytes",
                    place(row, column),
                    self.name
                );
                return Err(no_table_at(filename, row as usize + 1, &why));
            }
            Value::Text(text) => self.text.push_str(&serde_json::Value::from(text).to_string()),
            Value::Error(error) => {
                self.errors
                    .push(format!("{} {}", place(row, column), cut(error, ERROR_CHARS)));
                self.text.push_str("null");
            }
            Value::Formula => {
                self.formulas.push(place(row, column));
                self.text.push_str("null");
            }
        }
        if row >= MOST_ROWS {
            let why = format!("sheet {} has a value in row {}", self.name, u64::from(row) + 1);
            return Err(no_table(filename, &why));
        }
        if column as usize >= MOST_COLUMNS {
            let why = format!(
                "sheet {} has a value in column {}, and a table may have {MOST_COLUMNS} columns",
                self.name,
                letters(column)
            );
            return Err(no_table_at(filename, row as usize + 1, &why));
        }
        room.take(self.text.len() - start)?;
        self.cells.push(Cell {
            row,
            column,
            start,
            end: self.text.len(),
        });
        Ok(())
    }

    fn json(&self, cell: &Cell) -> &str {
        &self.text[cell.start..cell.end]
    }

    /// The table of the sheet; none, if it has no rows but a header, and is not the only one.
    pub async fn read(
        &mut self,
        naming: Naming<'_>,
        most: Most,
        pace: &Pace,
    ) -> Result<Option<Table>, Fault> {
        self.cells.sort_by_key(|cell| (cell.row, cell.column));
        let cells = &self.cells;
        let mut rows: Vec<&[Cell]> = cells.chunk_by(|a, b| a.row == b.row).collect();
        let first = cells.iter().map(|cell| cell.column).min().unwrap_or_default();
        let last = cells.iter().map(|cell| cell.column).max().unwrap_or_default();
        // Who says what the first row is means the first.
        let titles = match naming.header {
            Some(_) => 0,
            None => self.titles(&rows, first),
        };
        rows.drain(..titles);
        let top = naming.header.is_none().then(|| self.top(&rows, first));
        let has_header = naming
            .header
            .or(top.as_ref().map(Top::is_header))
            .unwrap_or_default();
        let mut notes = Vec::new();
        notes.extend(
            self.is_hidden
                .then(|| format!("The sheet {} is hidden.", self.name)),
        );
        let mut found = names::columns((first..=last).map(|_| ""));
        if has_header && !rows.is_empty() {
            let header = rows.remove(0);
            let mut texts: Vec<String> = vec![String::new(); found.len()];
            for cell in header {
                texts[(cell.column - first) as usize] = plain(self.json(cell));
            }
            found = names::columns(texts.iter().map(String::as_str));
        }
        if rows.is_empty() && !(has_header && naming.is_only) {
            return Ok(None);
        }
        if rows.len() > most.rows {
            return Err(too_many_rows(naming.filename, most));
        }
        let width = u64::from(last - first + 1);
        let filled = rows.iter().map(|row| row.len()).sum::<usize>() as u64;
        if (width * rows.len() as u64 - filled) * LACKING_BYTES > most.bytes as u64 {
            return Err(too_large(naming.filename, most));
        }
        match titles {
            0 => {}
            1 => notes.push("The first row, a title, was left out.".to_owned()),
            _ => notes.push(format!("The first {titles} rows, titles, were left out.")),
        }
        notes.extend(top.filter(|_| !rows.is_empty()).and_then(|top| match has_header {
            false => Some(NO_HEADER.to_owned()),
            true => top.note(),
        }));
        let text = self.lines(&rows, first, last, pace).await;
        let reading = Reading {
            filename: naming.filename,
            text: &text,
            name: naming.name,
            asked: naming.asked.clone(),
            header: naming.header,
            found: Some(found),
            before: &[],
            read_as: OnceCell::new(),
            most,
            pace,
        };
        let mut table = json::read(&reading, true).await?;
        notes.extend(self.errors.note("an error", "errors"));
        let formulas = self.formulas.note(
            "a formula that was not computed",
            "formulas that were not computed",
        );
        notes.extend(formulas.map(|note| {
            format!("{note} Open the file in a spreadsheet program, save it, and import it again.")
        }));
        for about in &mut table.tables {
            notes.append(&mut about.notes);
            about.notes = std::mem::take(&mut notes);
        }
        Ok(Some(table))
    }

    /// The rows as arrays, each in its line.
    async fn lines(&self, rows: &[&[Cell]], first: u32, last: u32, pace: &Pace) -> String {
        let mut text = String::with_capacity(self.text.len() * 2);
        let mut line = 0;
        for (number, row) in rows.iter().enumerate() {
            let at = row.first().map_or(line, |cell| cell.row);
            text.extend(std::iter::repeat_n('\n', (at - line) as usize));
            line = at;
            text.push('[');
            // The first has all columns, also those that no row has.
            let end = if number == 0 {
                Some(last)
            } else {
                row.last().map(|cell| cell.column)
            };
            let mut cells = row.iter().peekable();
            for column in first..=end.unwrap_or(first) {
                text.push_str(if column > first { "," } else { "" });
                match cells.next_if(|cell| cell.column <= column) {
                    Some(cell) => text.push_str(self.json(cell)),
                    None => text.push_str("null"),
                }
            }
            text.push(']');
            if pace.is_over((last - first) as usize) {
                pace.rest().await;
            }
        }
        text
    }

    /// How many rows are above the table, whose first column is `first`: a few with one value, before a header and rows,
    /// if there are any, that mostly have more.
    fn titles(&self, rows: &[&[Cell]], first: u32) -> usize {
        let single = rows.iter().take_while(|row| row.len() == 1).count();
        let table = &rows[single..];
        let more = table.iter().skip(1).filter(|row| row.len() > 1).count();
        let is_table = match table {
            [] => false,
            // Below more than one they are a column of which one row has a second value.
            [_] => single == 1 && self.top(table, first).is_header(),
            [_, below @ ..] => more * 2 >= below.len() && self.top(table, first).is_header(),
        };
        if single <= MOST_TITLES && is_table {
            single
        } else {
            0
        }
    }

    /// The first rows, from the column `first` on.
    fn top(&self, rows: &[&[Cell]], first: u32) -> Top<'_> {
        let values = |row: &[Cell]| {
            let width = row.last().map_or(0, |cell| cell.column - first + 1);
            let mut values = vec![header::Value::of(""); width as usize];
            for cell in row {
                let json = self.json(cell);
                values[(cell.column - first) as usize] = header::Value {
                    text: plain(json).into(),
                    is_number: json.starts_with(|c: char| c == '-' || c.is_ascii_digit()),
                };
            }
            values
        };
        let [head, rows @ ..] = rows else {
            return Top::new(Vec::new());
        };
        let mut top = Top::new(values(head));
        for row in rows {
            if top.has_enough() {
                break;
            }
            top.take(&values(row));
        }
        top
    }
}

/// How a sheet is told of, and what was asked for.
pub struct Naming<'a> {
    pub filename: &'a str,
    /// The predicate of its rows.
    pub name: String,
    pub header: Option<bool>,
    pub asked: &'a Asked,
    /// Whether the workbook has no other sheet.
    pub is_only: bool,
}

impl Lacking {
    fn push(&mut self, place: String) {
        self.count += 1;
        if self.first.len() < NAMED {
            self.first.push(place);
        }
    }

    fn note(&self, what: &str, several: &str) -> Option<String> {
        let more = if self.count > self.first.len() {
            ", …"
        } else {
            ""
        };
        let named = self.first.join(", ");
        match self.count {
            0 => None,
            1 => Some(format!("A cell with {what} is null: {named}.")),
            count => Some(format!("{count} cells with {several} are null: {named}{more}.")),
        }
    }
}

/// Below it a float has each integer.
const MOST_EXACT: f64 = 9_007_199_254_740_992.0;

/// A number as JSON has it, with all digits that it needs.
fn push_float(text: &mut String, number: f64) {
    if !number.is_finite() {
        text.push_str("null");
    } else if number.fract() == 0.0 && number.abs() < MOST_EXACT {
        text.push_str(&format!("{}", number as i64));
    } else if (1e-5..1e15).contains(&number.abs()) {
        text.push_str(&format!("{number}"));
    } else {
        text.push_str(&format!("{number:e}"));
    }
}

/// The text of a value.
fn plain(json: &str) -> String {
    serde_json::from_str::<String>(json).map_or_else(|_| json.to_owned(), |text| text.trim().to_owned())
}

/// `B7`
fn place(row: u32, column: u32) -> String {
    format!("{}{}", letters(column), u64::from(row) + 1)
}

/// `A` to `Z`, `AA` and so on.
fn letters(column: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = u64::from(column) + 1;
    while rest > 0 {
        letters.push(char::from(b'A' + ((rest - 1) % 26) as u8));
        rest = (rest - 1) / 26;
    }
    letters.iter().rev().collect()
}
