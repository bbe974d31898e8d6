//! `.xlsx`, by calamine.

use std::fmt::Display;
use std::io::Cursor;

use calamine::{DataRef, ExcelDateTime, Reader, SheetType, SheetVisible, Xlsx, XlsxError};
use hornbook_base::Fault;

use super::super::no_table;
use super::sheet::{Room, Sheet, Value};
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
    let names: Vec<(String, bool)> = all
        .filter(|sheet| sheet.typ == SheetType::WorkSheet)
        .map(|sheet| (sheet.name.clone(), sheet.visible != SheetVisible::Visible))
        .collect();
    let is_1904 = book.has_1904_epoch();
    let (mut sheets, mut room) = (Vec::new(), Room::new(opened.filename, opened.most));
    for (name, is_hidden) in names {
        let mut sheet = Sheet::new(&name, is_hidden);
        let mut cells = match book.worksheet_cells_reader(&name) {
            Ok(cells) => cells,
            Err(XlsxError::NotAWorksheet(_)) => continue,
            Err(error) => return Err(wrong(error)),
        };
        while let Some(cell) = cells.next_cell_with_formula_metadata().map_err(wrong)? {
            let has_formula = cell.formula.is_some();
            let mut push = |value: Value<'_>| sheet.push(cell.pos, value, &mut room);
            match &cell.value {
                DataRef::Empty if has_formula => push(Value::Formula),
                DataRef::Empty => Ok(()),
                DataRef::Int(number) => push(Value::Integer(*number)),
                DataRef::Float(number) => push(Value::Number(*number)),
                DataRef::String(text) => push(Value::Text(text)),
                DataRef::SharedString(text) => push(Value::Text(text)),
                DataRef::Bool(value) => push(Value::Boolean(*value)),
                DataRef::DateTime(time) => match written(time, is_1904) {
                    Some(text) => push(Value::Text(&text)),
                    None => push(Value::Error(&format!("(no date: {})", time.as_f64()))),
                },
                DataRef::DateTimeIso(text) => push(Value::Text(&short(text))),
                DataRef::DurationIso(text) => push(Value::Text(text)),
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

/// An ISO date without a time that is midnight, and without zeros behind the seconds.
pub fn short(date: &str) -> String {
    let date = match date.split_once('.') {
        Some(_) => date.trim_end_matches('0').trim_end_matches('.'),
        None => date,
    };
    date.strip_suffix("T00:00:00").unwrap_or(date).to_owned()
}

pub fn damaged(filename: &str, why: &dyn Display) -> Fault {
    no_table(filename, &format!("it is damaged, or no workbook ({why})"))
}

/// `2026-01-31`, `2026-01-31T14:30:00`, `14:30:00`; and `PT36H30M00S` for a time of more than a day. Other programs
/// write dates before the first that Excel shows; after year 9999 there is none.
fn written(time: &ExcelDateTime, is_1904: bool) -> Option<String> {
    let days = time.as_f64();
    if time.is_duration() || (0.0..1.0).contains(&days) {
        return Some(duration(days * SECONDS_OF_A_DAY));
    }
    if days < 0.0 {
        let (whole, rest) = (days.floor(), days - days.floor());
        let (year, month, day) = before(whole, is_1904)?;
        let date = format!("{year:04}-{month:02}-{day:02}");
        let clock = duration(rest * SECONDS_OF_A_DAY);
        return Some(if rest == 0.0 {
            date
        } else {
            format!("{date}T{clock}")
        });
    }
    if days >= AFTER_LAST {
        return None;
    }
    let (year, month, day, hour, minute, second, milli) = time.to_ymd_hms_milli();
    let date = format!("{year:04}-{month:02}-{day:02}");
    Some(match (hour, minute, second, milli) {
        (0, 0, 0, 0) => date,
        _ => format!(
            "{date}T{}",
            clock(hour.into(), minute.into(), second.into(), milli.into())
        ),
    })
}

/// The number of the day after the last in the year 9999.
const AFTER_LAST: f64 = 2_958_466.0;
/// The days from 0000-03-01 to the day with number 0.
const TO_1899: f64 = 693_899.0;
const TO_1904: f64 = 695_361.0;

/// The date so many days, a negative number, after the first; none before the year 1.
fn before(days: f64, is_1904: bool) -> Option<(i64, i64, i64)> {
    let days = (days + if is_1904 { TO_1904 } else { TO_1899 }) as i64;
    if days < 306 {
        return None;
    }
    // Eras of 400 years, which begin in March.
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let date = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    Some((year + era * 400 + next, month, date))
}

/// A time as a clock shows it if it is less than a day, and else in ISO 8601.
pub fn duration(seconds: f64) -> String {
    let millis = (seconds.abs() * 1_000.0).round() as u64;
    let (hours, minutes, rest, milli) = (
        millis / 3_600_000,
        millis / 60_000 % 60,
        millis / 1_000 % 60,
        millis % 1_000,
    );
    if seconds >= 0.0 && hours < 24 {
        return clock(hours, minutes, rest, milli);
    }
    let sign = if seconds < 0.0 { "-" } else { "" };
    let fraction = fraction(milli);
    format!("{sign}PT{hours:02}H{minutes:02}M{rest:02}{fraction}S")
}

fn clock(hour: u64, minute: u64, second: u64, milli: u64) -> String {
    format!("{hour:02}:{minute:02}:{second:02}{}", fraction(milli))
}

fn fraction(milli: u64) -> String {
    if milli > 0 {
        format!(".{milli:03}")
    } else {
        String::new()
    }
}
