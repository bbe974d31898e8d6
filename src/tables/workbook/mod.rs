//! Workbooks of spreadsheet programs: `.xlsx` and `.ods`.
//!
//! A workbook comes as base64. Each sheet that has rows is a table: its cells become lines of JSON, one a row, each in
//! the line that its row has in the sheet, and these are read as any JSON Lines are.

mod ods;
mod sheet;
mod xlsx;

use std::io::{Cursor, Read};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hornbook_base::{Fault, FaultKind, Pace};
use zip::ZipArchive;
use zip::result::ZipError;

use super::names::{self, Asked};
use super::rows::too_large;
use super::{Most, Request, Table, known, no_table, stem};
use sheet::Sheet;

/// How many times larger than the most that its facts may have a workbook may be, unpacked.
const UNPACKED: u64 = 2;
/// How much is unpacked at a time.
const CHUNK: usize = 64 << 10;

/// A workbook that is being read.
struct Opened<'a> {
    filename: &'a str,
    most: Most,
    pace: &'a Pace,
    zip: ZipArchive<Cursor<&'a [u8]>>,
}

/// Read the sheets of a workbook.
pub async fn read(request: &Request, text: &str, asked: &Asked, pace: &Pace) -> Result<Table, Fault> {
    let Request {
        filename,
        wishes,
        most,
        ..
    } = request;
    let packed: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let Ok(bytes) = BASE64_STANDARD.decode(packed) else {
        let fault = no_table(filename, "what was given is not base64");
        return Err(fault.with_next("Give the bytes of the workbook as base64, or only its path."));
    };
    let mut opened = opened(filename, &bytes, *most, pace)?;
    opened.check_size().await?;
    let sheets = match opened.zip.index_for_name("content.xml") {
        Some(_) => ods::sheets(&mut opened).await?,
        None => xlsx::sheets(&opened, &bytes).await?,
    };
    let header = asked.header.or(wishes.header);
    if sheets.len() > 1 && (asked.name.is_some() || !asked.columns.is_empty()) {
        let names: Vec<&str> = sheets.iter().map(|sheet| &*sheet.name).collect();
        let message = format!(
            "{filename} has several sheets ({}), which 'columns' cannot name.",
            hornbook_base::cut(&names.join(", "), 200)
        );
        let next = "Leave 'columns' out, or save the sheet that you want as CSV and import that.";
        return Err(Fault::new(FaultKind::InvalidArgument, message).with_next(next));
    }
    let mut tables = Tables::default();
    let mut without_rows = Vec::new();
    let is_only = sheets.len() == 1;
    let predicates = predicates(filename, asked, &sheets);
    for (mut sheet, name) in sheets.into_iter().zip(predicates) {
        let label = format!("{filename}, sheet {}", sheet.name);
        let room = Most {
            rows: most.rows.saturating_sub(tables.rows),
            bytes: most.bytes.saturating_sub(tables.bytes),
            ..*most
        };
        let naming = sheet::Naming {
            filename: &label,
            name,
            header,
            asked,
            is_only,
        };
        match sheet.read(naming, room, pace).await? {
            Some(table) => tables.push(sheet.name, table),
            None => without_rows.push(sheet.name),
        }
    }
    if tables.all.is_empty() {
        let why = match without_rows.first() {
            Some(sheet) => format!("its sheet {sheet} has no rows below the header"),
            None => "its sheets are empty".to_owned(),
        };
        return Err(no_table(filename, &why));
    }
    tables.joined(filename, *most, &without_rows)
}

/// The predicates of the sheets: the name asked for or that of the file if only one has cells, and else that of the file
/// with that of the sheet.
fn predicates(filename: &str, asked: &Asked, sheets: &[Sheet]) -> Vec<String> {
    let stem = stem(filename);
    if sheets.len() == 1 {
        return vec![asked.name.clone().unwrap_or(stem)];
    }
    let named = sheets
        .iter()
        .enumerate()
        .map(|(at, sheet)| match &*names::snake(&sheet.name) {
            "" => format!("sheet_{}", at + 1),
            name => name.to_owned(),
        });
    let named: Vec<String> = named.collect();
    let different = names::columns(named.iter().map(String::as_str));
    different
        .into_iter()
        .map(|name| format!("{stem}_{name}"))
        .collect()
}

fn opened<'a>(filename: &'a str, bytes: &'a [u8], most: Most, pace: &'a Pace) -> Result<Opened<'a>, Fault> {
    // What is encrypted is in a container of the older formats.
    if bytes.starts_with(&[0xd0, 0xcf, 0x11, 0xe0]) {
        let fault = no_table(filename, "it is protected by a password, or in an older format");
        return Err(fault.with_next("Save it as .xlsx without a password, and import it again."));
    }
    let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|_| no_table(filename, "it is no workbook"))?;
    if zip.index_for_name("xl/workbook.bin").is_some() {
        let fault = no_table(filename, "it is a binary workbook");
        return Err(fault.with_next("Save it as .xlsx, and import it again."));
    }
    Ok(Opened {
        filename,
        most,
        pace,
        zip,
    })
}

impl Opened<'_> {
    /// Refuse what unpacks to more than a workbook may have: what a file says of its size need not be true.
    async fn check_size(&mut self) -> Result<(), Fault> {
        let most = UNPACKED * self.most.bytes as u64;
        let mut size = 0;
        let mut chunk = vec![0; CHUNK];
        for at in 0..self.zip.len() {
            let mut entry = self.zip.by_index(at).map_err(|error| match error {
                ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => protected(self.filename),
                _ => no_table(self.filename, "it is damaged"),
            })?;
            loop {
                let read = entry.read(&mut chunk);
                let read = read.map_err(|_| no_table(self.filename, "it is damaged"))?;
                if read == 0 {
                    break;
                }
                size += read as u64;
                if size > most {
                    return Err(too_large(self.filename, self.most));
                }
                if self.pace.is_over(read / 64) {
                    self.pace.rest().await;
                }
            }
        }
        Ok(())
    }
}

fn protected(filename: &str) -> Fault {
    let fault = no_table(filename, "it is protected by a password");
    fault.with_next("Save it without a password, and import it again.")
}

/// The tables of the sheets so far.
#[derive(Default)]
struct Tables {
    all: Vec<(String, Table)>,
    rows: usize,
    bytes: usize,
}

impl Tables {
    fn push(&mut self, sheet: String, table: Table) {
        self.rows += table.tables.iter().map(|about| about.rows).sum::<usize>();
        self.bytes += table.text.len();
        self.all.push((sheet, table));
    }

    /// One text of all, whose first line names all columns. Row R of the first sheet is in line R, and that of each
    /// further one in line 100 + R, 200 + R and so on, or with 10, 1000 or more, as the longest sheet needs.
    fn joined(self, filename: &str, most: Most, without_rows: &[String]) -> Result<Table, Fault> {
        let several = self.all.len() > 1;
        let lines = |text: &str| text.bytes().filter(|byte| *byte == b'\n').count();
        let longest = self.all.iter().map(|(_, table)| lines(&table.text)).max();
        let step = (1..).map(|n| 10_usize.pow(n)).find(|step| Some(*step) > longest);
        let step = step.unwrap_or_default();
        // Sheets that begin far down are far apart.
        if (self.all.len() - 1).saturating_mul(step) > most.bytes {
            return Err(too_large(filename, most));
        }
        let (mut head, mut text, mut at) = (String::new(), String::new(), 0);
        let mut tables = Vec::new();
        for (number, (sheet, table)) in self.all.into_iter().enumerate() {
            let (comment, facts) = known::split(&table.text);
            head.push_str(comment);
            text.extend(std::iter::repeat_n('\n', number * step - at));
            text.push_str(facts);
            at = number * step + lines(facts);
            for mut about in table.tables {
                if several {
                    let place = match number {
                        0 => String::new(),
                        _ => format!("; its row 1 is line {}", number * step + 1),
                    };
                    about.notes.insert(0, format!("Sheet {sheet}{place}."));
                }
                tables.push(about);
            }
        }
        if let (Some(first), [_, ..]) = (tables.first_mut(), without_rows) {
            let note = format!("Without rows, and left out: {}.", without_rows.join(", "));
            first.notes.push(note);
        }
        Ok(Table {
            text: head + &text,
            tables,
        })
    }
}
