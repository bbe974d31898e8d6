//! Tables read as Prolog facts: CSV, TSV, JSON, JSON Lines, YAML and workbooks.
//!
//! [`read`] turns a file into a text of facts, one a row, each in the line that its row has in the file, so that the
//! places of clauses are places of the file. The text begins with a comment that names the columns
//! ([`Known`]).

mod again;
mod column;
mod delimited;
mod dialect;
mod header;
mod json;
mod known;
mod marked;
mod names;
mod records;
mod rows;
mod ruled;
#[cfg(test)]
mod tests;
mod value;
mod workbook;
mod write;
mod yaml;

use std::cell::OnceCell;
use std::rc::Rc;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use serde::{Deserialize, Serialize};

pub use json::push_json;
pub use known::Known;
pub use names::stem;
pub use value::{Number, Point, number, push_atom, push_number};

use hornbook_base::{Clock, Fault, FaultKind, Pace};
use names::Asked;

/// The most columns of a table.
pub const MOST_COLUMNS: usize = 1_000;
/// The most bytes of a cell.
pub const MOST_CELL_BYTES: usize = 1 << 20;

/// How much of a file is looked at to see what it is.
const SAMPLE_BYTES: usize = 64 << 10;

/// How a file is read as a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Format {
    Csv,
    Tsv,
    Json,
    JsonLines,
    Yaml,
    /// Its text is base64.
    Workbook,
}

impl Format {
    /// The format that the extension of a file's name tells.
    pub fn of(filename: &str) -> Option<Format> {
        let (stem, extension) = filename.rsplit_once('.')?;
        Some(match &*extension.to_ascii_lowercase() {
            "csv" => Format::Csv,
            "tsv" | "tab" => Format::Tsv,
            "json" => Format::Json,
            "jsonl" | "ndjson" => Format::JsonLines,
            // A workflow is none.
            "yaml" | "yml" if !stem.to_ascii_lowercase().ends_with(".flow") => Format::Yaml,
            // Of the older ones it is said what to do.
            "xlsx" | "xlsm" | "xlsb" | "xls" | "ods" => Format::Workbook,
            _ => return None,
        })
    }
}

/// What the caller says of a table. All else is found out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wishes {
    /// The predicate, its columns and their types: `sales(id, amount: number, code: text)`. The name can stand alone,
    /// and so can the columns: `id, amount: number`. Without types these are found out. Columns with types may be named
    /// without the others: `amount: number`. It may end in `, header: false`.
    pub columns: Option<String>,
    /// Whether the first row names the columns.
    pub header: Option<bool>,
    /// The names that the columns had in the file when it was read before, in the order of `columns`, which was wished for
    /// then. Each wish goes to the column that has this name now, and a file without rows has these columns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<Vec<String>>,
    /// With `was`: the `columns` of now, which keep what was wished for the columns and the predicate that they do not name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<String>,
}

impl Wishes {
    /// These of now, after those for which the file was read before.
    pub fn after(self, before: Wishes) -> Wishes {
        let header = self.header.or(before.header);
        match before.was {
            Some(_) => Wishes {
                header,
                now: self.columns,
                ..before
            },
            None => Wishes { header, ..self },
        }
    }
}

/// The most that a table may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Most {
    /// For which the book has room.
    pub rows: usize,
    /// The limit of the book.
    pub entries: usize,
    /// Of the text of its facts.
    pub bytes: usize,
}

/// A file as facts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// The facts, and a comment that names the columns.
    pub text: String,
    /// One, or those of the sheets of a workbook.
    pub tables: Vec<About>,
}

/// What was found out about a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// The predicate of its rows.
    pub name: String,
    pub rows: usize,
    pub columns: Vec<Column>,
    /// What was assumed, and what did not fit, each a sentence.
    pub notes: Vec<String>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Column {
    pub name: String,
    pub kind: ColumnKind,
    /// How many of its values are missing.
    pub nulls: usize,
    /// Of a column of texts: the first that is no number, with its line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_number: Option<(usize, String)>,
    /// The first different values as they are written in the facts, at most two, each shortened.
    pub examples: Vec<String>,
}

/// What the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColumnKind {
    /// Integers and floats.
    Number,
    /// Atoms.
    Text,
    /// `true` and `false`.
    Boolean,
    /// Of JSON.
    List,
    /// Of JSON; a dict.
    Object,
    /// Of JSON; of several kinds.
    Mixed,
    /// There are none.
    Null,
}

impl ColumnKind {
    pub fn name(self) -> &'static str {
        match self {
            ColumnKind::Number => "number",
            ColumnKind::Text => "text",
            ColumnKind::Boolean => "boolean",
            ColumnKind::List => "list",
            ColumnKind::Object => "object",
            ColumnKind::Mixed => "mixed",
            ColumnKind::Null => "null",
        }
    }
}

/// What is read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// Its last part gives the predicate its name, unless that is asked for.
    pub filename: String,
    pub format: Format,
    pub wishes: Wishes,
    pub most: Most,
}

/// Reads tables, here or in another part of the program.
pub trait Reader {
    fn read(&self, request: Request, text: String) -> LocalBoxFuture<'static, Result<Table, Fault>>;
}

/// Reads tables here, in slices by this clock.
pub struct Here(pub Rc<dyn Clock>);

impl Reader for Here {
    fn read(&self, request: Request, text: String) -> LocalBoxFuture<'static, Result<Table, Fault>> {
        let pace = Pace::new(self.0.clone());
        async move { read(&request, &text, &pace).await }.boxed_local()
    }
}

/// Read a table. A fault names the line where the file stops being one, and nothing of it is lost silently: see
/// [`About::notes`].
pub async fn read(request: &Request, text: &str, pace: &Pace) -> Result<Table, Fault> {
    match &request.wishes.was {
        Some(was) => again::read(request, was, text, pace).await,
        None => match read_once(request, text, pace).await {
            Err(fault) => again::typed(request, text, pace).await.unwrap_or(Err(fault)),
            read => read,
        },
    }
}

async fn read_once(request: &Request, text: &str, pace: &Pace) -> Result<Table, Fault> {
    let Request {
        filename,
        format,
        wishes,
        most,
    } = request;
    let text = text.trim_start_matches('\u{feff}');
    // What is no text has them early.
    if text.bytes().take(SAMPLE_BYTES).any(|byte| byte == 0) {
        return Err(no_table(filename, "it has NUL characters, as a binary file"));
    }
    let asked = Asked::parse(wishes.columns.as_deref().unwrap_or_default())?;
    let rows = rows::Reading {
        filename,
        text,
        name: asked.name.clone().unwrap_or_else(|| stem(filename)),
        header: asked.header.or(wishes.header),
        asked,
        found: None,
        before: wishes.was.as_deref().unwrap_or_default(),
        read_as: OnceCell::new(),
        most: *most,
        pace,
    };
    match format {
        Format::Csv => delimited::read(&rows, None).await,
        Format::Tsv => delimited::read(&rows, Some(b'\t')).await,
        Format::Json => json::read(&rows, false).await,
        Format::JsonLines => json::read(&rows, true).await,
        Format::Yaml => yaml::read(&rows).await,
        Format::Workbook => workbook::read(request, text, &rows.asked, pace).await,
    }
}

/// The fault for a file that cannot be read as a table.
fn no_table(filename: &str, why: &str) -> Fault {
    let message = format!("{filename} cannot be read as a table: {why}.");
    Fault::new(FaultKind::FileError, message).with_next("Correct the file, and import it again.")
}

/// [`no_table`], for what stands in this line.
fn no_table_at(filename: &str, line: usize, why: &str) -> Fault {
    let why = format!("line {line}: {why}");
    Fault {
        line: u32::try_from(line).ok(),
        ..no_table(filename, &why)
    }
}
