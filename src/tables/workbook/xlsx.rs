//! `.xlsx`, by calamine.

use std::fmt::Display;
use std::io::Cursor;

use calamine::{DataRef, ExcelDateTime, Reader, SheetType, Xlsx, XlsxError};
use hornbook_base::Fault;

use super::super::no_table;
use super::sheet::{Sheet, Value};
use super::{Opened, protected};

const SECONDS_OF_A_DAY: f64 = 86_400.0;

/// The sheets that have cells, in their order.
pub async fn sheets(opened: &Opened<'_>, bytes: &[u8]) -> Result<Vec<Sheet>, Fault> {
    let wrong = |error: XlsxError| match error {
        XlsxError::Password => protected(opened.filename),
        error => damaged(opened.filename, &error),
    };
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(wrong)?;
    let all = book.sheets_metadata().iter();
    let names: Vec<String> = all
        .filter(|sheet| sheet.typ == SheetType::WorkSheet)
        .map(|sheet| sheet.name.clone())
        .collect();
    let mut sheets = Vec::new();
    for name in names {
        let mut sheet = Sheet::new(&name);
        let mut cells = match book.worksheet_cells_reader(&name) {
            Ok(cells) => cells,
            Err(XlsxError::NotAWorksheet(_)) => continue,
            Err(error) => return Err(wrong(error)),
        };
        while let Some(cell) = cells.next_cell_with_formula_metadata().map_err(wrong)? {
            let has_formula = cell.formula.is_some();
            let mut push = |value: Value<'_>| sheet.push(opened.filename, cell.pos, value, opened.most);
            match &cell.value {
                DataRef::Empty if has_formula => push(Value::Formula),
                DataRef::Empty => Ok(()),
                DataRef::Int(number) => push(Value::Integer(*number)),
                DataRef::Float(number) => push(Value::Number(*number)),
                DataRef::String(text) => push(Value::Text(text)),
                DataRef::SharedString(text) => push(Value::Text(text)),
                DataRef::Bool(value) => push(Value::Boolean(*value)),
                DataRef::DateTime(time) => push(Value::Text(&written(time))),
                DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => push(Value::Text(text)),
                DataRef::Error(error) => push(Value::Error(&error.to_string())),
            }?;
            if opened.pace.is_over(4) {
                opened.pace.rest().await;
            }
        }
        if !sheet.is_empty() {
            sheets.push(sheet);
        }
    }
    Ok(sheets)
}

pub fn damaged(filename: &str, why: &dyn Display) -> Fault {
    no_table(filename, &format!("it is damaged, or no workbook ({why})"))
}

/// `2026-01-31`, `2026-01-31T14:30:00`, `14:30:00`; and `PT36H30M00S` for a time of more than a day.
fn written(time: &ExcelDateTime) -> String {
    let days = time.as_f64();
    if time.is_duration() || (0.0..1.0).contains(&days) {
        return duration(days * SECONDS_OF_A_DAY);
    }
    let (year, month, day, hour, minute, second, milli) = time.to_ymd_hms_milli();
    let date = format!("{year:04}-{month:02}-{day:02}");
    match (hour, minute, second, milli) {
        (0, 0, 0, 0) => date,
        (.., 0) => format!("{date}T{hour:02}:{minute:02}:{second:02}"),
        _ => format!("{date}T{hour:02}:{minute:02}:{second:02}.{milli:03}"),
    }
}

/// A time as a clock shows it if it is less than a day, and else in ISO 8601.
pub fn duration(seconds: f64) -> String {
    let whole = seconds.abs().round() as u64;
    let (hours, minutes, rest) = (whole / 3_600, whole / 60 % 60, whole % 60);
    match seconds < 0.0 || hours > 23 {
        false => format!("{hours:02}:{minutes:02}:{rest:02}"),
        true => {
            let sign = if seconds < 0.0 { "-" } else { "" };
            format!("{sign}PT{hours:02}H{minutes:02}M{rest:02}S")
        }
    }
}
