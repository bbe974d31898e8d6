//! `.ods`, by quick-xml (OpenDocument 1.3, part 3, 9 and 19).

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::ops::Range;

use hornbook_base::Fault;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::super::rows::{too_large, too_many_rows};
use super::super::{MOST_CELL_BYTES, MOST_COLUMNS, no_table};
use super::sheet::{MOST_ROWS, Room, Sheet, Value};
use super::xlsx::{damaged, duration, short};
use super::{Opened, protected};

/// The sheets that have cells, in their order.
pub async fn sheets(opened: &mut Opened<'_>) -> Result<Vec<Sheet>, Fault> {
    let (filename, most, pace) = (opened.filename, opened.most, opened.pace);
    let mut room = Room::new(filename, most);
    if is_protected(opened) {
        return Err(protected(filename));
    }
    let wrong = |error: quick_xml::Error| damaged(filename, &error);
    let content = opened.zip.by_name("content.xml");
    let content = content.map_err(|_| no_table(filename, "it is damaged"))?;
    let mut reader = Reader::from_reader(BufReader::new(content));
    reader.config_mut().expand_empty_elements = true;
    let (mut sheets, mut sheet, mut buffer) = (Vec::new(), Sheet::default(), Vec::new());
    let (mut row, mut rows, mut cells, mut is_other) = (0_u32, 1, Cells::default(), false);
    // Styles come before the sheets.
    let (mut style, mut hidden) = (None, BTreeSet::new());
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).map_err(wrong)? {
            Event::Start(start) => match start.name().as_ref() {
                // What a formula took from another file.
                "table:table-source" => is_other = true,
                "style:style" => style = attribute(&start, "style:name"),
                "style:table-properties"
                    if attribute(&start, "table:display").is_some_and(|display| display == "false") =>
                {
                    hidden.extend(style.take());
                }
                "table:table" => {
                    is_other = false;
                    let style = attribute(&start, "table:style-name");
                    let is_hidden = style.is_some_and(|style| hidden.contains(&style));
                    sheet = Sheet::new(&attribute(&start, "table:name").unwrap_or_default(), is_hidden);
                    row = 0;
                }
                "table:table-row" => {
                    rows = count(&start, "table:number-rows-repeated");
                    cells = Cells::default();
                }
                "table:table-cell" | "table:covered-table-cell" => {
                    let start = start.to_owned();
                    let text = text_of(&mut reader).map_err(wrong)?;
                    cells.push(&start, text);
                }
                _ => {}
            },
            Event::End(end) => match end.name().as_ref() {
                "table:table-row" => {
                    let next = row.saturating_add(rows);
                    // Sheets end with a million empty rows.
                    let filled = if cells.count == 0 { row } else { next };
                    if filled > MOST_ROWS {
                        return Err(too_large(filename, most));
                    }
                    // A few bytes may repeat a row a million times, so this is asked before it is done.
                    if rows > 1 && (filled - row) as usize > most.rows {
                        return Err(too_many_rows(filename, most));
                    }
                    room.check_values(cells.count.saturating_mul(rows as usize))?;
                    for row in row..filled {
                        for (columns, value) in &cells.runs {
                            for column in columns.clone() {
                                sheet.push((row, column), value.as_value(), &mut room)?;
                            }
                        }
                        if pace.is_over(cells.count * 4) {
                            pace.rest().await;
                        }
                    }
                    row = next;
                }
                "table:table" => {
                    let ended = std::mem::take(&mut sheet);
                    sheets.extend((!ended.is_empty() && !is_other).then_some(ended));
                }
                _ => {}
            },
            Event::Eof => return Ok(sheets),
            _ => {}
        }
        if pace.is_over(4) {
            pace.rest().await;
        }
    }
}

fn is_protected(opened: &mut Opened<'_>) -> bool {
    let mut manifest = Vec::new();
    let Ok(entry) = opened.zip.by_name("META-INF/manifest.xml") else {
        return false;
    };
    let read = entry.take(1 << 20).read_to_end(&mut manifest);
    read.is_ok() && String::from_utf8_lossy(&manifest).contains("encryption-data")
}

/// The cells of a row.
#[derive(Default)]
struct Cells {
    /// The number of columns so far.
    columns: u32,
    /// Those with a value: the columns of each.
    runs: Vec<(Range<u32>, Filled)>,
    /// How many have one.
    count: usize,
}

enum Filled {
    Number(f64),
    Text(String),
    Boolean(bool),
    Error(String),
    Formula,
}

impl Filled {
    fn as_value(&self) -> Value<'_> {
        match self {
            Filled::Number(number) => Value::Number(*number),
            Filled::Text(text) => Value::Text(text),
            Filled::Boolean(value) => Value::Boolean(*value),
            Filled::Error(error) => Value::Error(error),
            Filled::Formula => Value::Formula,
        }
    }
}

impl Cells {
    /// Add a cell as often as it says.
    fn push(&mut self, start: &BytesStart<'_>, text: String) {
        let repeated = count(start, "table:number-columns-repeated");
        // What another covers has no value.
        let is_covered = start.name().as_ref() == "table:covered-table-cell";
        if let Some(value) = filled(start, text).filter(|_| !is_covered) {
            // One column more than a table may have is enough to be told of.
            let last = self.columns.saturating_add(repeated).min(MOST_COLUMNS as u32 + 1);
            let columns = self.columns..last.max(self.columns.saturating_add(1));
            self.count += columns.len();
            self.runs.push((columns, value));
        }
        self.columns = self.columns.saturating_add(repeated);
    }
}

/// The value of a cell with this element and this text.
fn filled(start: &BytesStart<'_>, text: String) -> Option<Filled> {
    let named = |name: &str| attribute(start, name);
    if named("calcext:value-type").is_some_and(|kind| kind == "error") {
        return Some(Filled::Error(text));
    }
    let kind = named("office:value-type").unwrap_or_default();
    let value = match &*kind {
        "float" | "percentage" | "currency" => named("office:value")?.parse().ok().map(Filled::Number),
        "boolean" => named("office:boolean-value").map(|value| Filled::Boolean(value == "true")),
        "date" => named("office:date-value").map(|date| Filled::Text(short(&date))),
        "time" => named("office:time-value").map(|value| Filled::Text(time(&value).unwrap_or(value))),
        "string" => Some(Filled::Text(named("office:string-value").unwrap_or(text))),
        _ => None,
    };
    match value {
        None if named("table:formula").is_some() => Some(Filled::Formula),
        Some(Filled::Text(text)) if text.is_empty() => None,
        value => value,
    }
}

/// A duration (XML Schema, part 2, 3.2.6) of days, hours, minutes and seconds as it is written of workbooks: `PT14H30M00S` is
/// `14:30:00`. One of months or years has no length.
fn time(text: &str) -> Option<String> {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text),
    };
    // One without numbers is none.
    if rest.ends_with(['P', 'T']) {
        return None;
    }
    let (days, times) = match rest.strip_prefix('P')?.split_once('T') {
        Some((days, times)) => (days, times),
        None => (rest.strip_prefix('P')?, ""),
    };
    let (days, rest) = part(days, 'D')?;
    let (hours, times) = part(times, 'H')?;
    let (minutes, times) = part(times, 'M')?;
    let (seconds, times) = part(times, 'S')?;
    let seconds = days * 86_400.0 + hours * 3_600.0 + minutes * 60.0 + seconds;
    (rest.is_empty() && times.is_empty() && seconds < MOST_SECONDS).then(|| duration(sign * seconds))
}

/// A thousand years; beyond them, a duration is as it is written.
const MOST_SECONDS: f64 = 1_000.0 * 366.0 * 86_400.0;

/// The number before this designator, 0 if it is not there, and what follows.
fn part(text: &str, designator: char) -> Option<(f64, &str)> {
    let Some((number, rest)) = text.split_once(designator) else {
        return Some((0.0, text));
    };
    let is_number = number
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b',');
    let number = number.replace(',', ".").parse().ok().filter(|_| is_number)?;
    Some((number, rest))
}

/// The text of a cell up to its end: its paragraphs, without comments. At most a byte more than a cell may have.
fn text_of(reader: &mut Reader<impl BufRead>) -> Result<String, quick_xml::Error> {
    let (mut text, mut buffer) = (String::new(), Vec::new());
    let (mut paragraphs, mut depth, mut comment, mut paragraph) = (0, 0_usize, None, None);
    loop {
        buffer.clear();
        let mut push = |more: &str| {
            if comment.is_none() && paragraph.is_some() && text.len() <= MOST_CELL_BYTES {
                text.push_str(more);
            }
        };
        match reader.read_event_into(&mut buffer)? {
            Event::Text(more) => push(&more.xml10_content()),
            Event::CData(more) => push(&more.xml10_content()),
            Event::GeneralRef(entity) => push(&resolved(&entity)?),
            Event::Start(start) => {
                depth += 1;
                match start.name().as_ref() {
                    "office:annotation" => comment = comment.or(Some(depth)),
                    "text:p" if comment.is_none() => {
                        paragraph = paragraph.or(Some(depth));
                        if paragraphs > 0 && text.len() <= MOST_CELL_BYTES {
                            text.push('\n');
                        }
                        paragraphs += 1;
                    }
                    "text:s" => {
                        let spaces = count(&start, "text:c") as usize;
                        push(&" ".repeat(spaces.min(MOST_CELL_BYTES + 1)));
                    }
                    "text:tab" => push("\t"),
                    "text:line-break" => push("\n"),
                    _ => {}
                }
            }
            Event::End(_) => match depth.checked_sub(1) {
                // The reader checks that it is the end of the cell.
                None => return Ok(text),
                Some(outer) => {
                    comment = comment.filter(|begun| *begun != depth);
                    paragraph = paragraph.filter(|begun| *begun != depth);
                    depth = outer;
                }
            },
            Event::Eof => return Ok(text),
            _ => {}
        }
    }
}

/// What an entity stands for; one that nothing defines, itself.
fn resolved(entity: &BytesRef<'_>) -> Result<String, quick_xml::Error> {
    if let Some(c) = entity.resolve_char_ref()? {
        return Ok(c.to_string());
    }
    let name: &str = entity;
    Ok(resolve_predefined_entity(name).map_or_else(|| format!("&{name};"), str::to_owned))
}

fn attribute(start: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = start.try_get_attribute(name).ok().flatten()?;
    found
        .normalized_value(XmlVersion::Implicit1_0)
        .ok()
        .map(|value| value.into_owned())
}

/// How often something comes; at least once.
fn count(start: &BytesStart<'_>, name: &str) -> u32 {
    let said = attribute(start, name).unwrap_or_default();
    let is_number = !said.is_empty() && said.bytes().all(|byte| byte.is_ascii_digit());
    let count = if is_number {
        said.parse().unwrap_or(u32::MAX)
    } else {
        1
    };
    count.clamp(1, u32::MAX / 2)
}
