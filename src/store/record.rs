//! The records of a journal: one a line, a checksum and JSON.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use hornbook_book::{EntryId, Kind, Known, Operation, Source};

/// The format that is written here, and the newest that is read.
const FORMAT: u32 = 1;

/// The first line of a journal.
pub fn header() -> String {
    format!("hornbook {FORMAT}\n")
}

/// Whether a first line is that of a journal that can be read; the error completes "It …".
pub fn check_header(line: &[u8]) -> Result<(), String> {
    let format = std::str::from_utf8(line)
        .ok()
        .and_then(|line| line.strip_prefix("hornbook "))
        .and_then(|format| format.parse::<u32>().ok());
    match format {
        Some(FORMAT) => Ok(()),
        Some(newer @ FORMAT..) => Err(format!(
            "was written by a newer Hornbook: its format is {newer}, and this one reads {FORMAT}"
        )),
        _ => Err("is not a book of Hornbook".to_owned()),
    }
}

/// A line of a journal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Record<'a> {
    /// One operation on the book as the lines before it made it.
    Revision(Change<'a, Vec<(EntryId, usize)>>),
    /// An operation from before the book that follows.
    Past(Change<'a, Vec<Place<'a>>>),
    /// The whole book.
    Book(Snapshot<'a>),
}

/// One operation. What is gone is told by runs of ids where the book is known, else by entries.
#[derive(Debug, Serialize, Deserialize)]
pub struct Change<'a, Removed> {
    /// Its number, from 1.
    pub number: u64,
    pub operation: Cow<'a, Operation>,
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// The sources that no line before has.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Kept<'a>>,
    pub removed: Removed,
    pub added: Vec<Place<'a>>,
    /// Predicates, each with how it was known before and how it is known now.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<(Cow<'a, str>, u32, Known, Known)>,
    /// Cells: room, key, value before and value now.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<CellValues<'a>>,
}

pub type CellValues<'a> = (
    Cow<'a, str>,
    Cow<'a, str>,
    Option<Cow<'a, str>>,
    Option<Cow<'a, str>>,
);

#[derive(Debug, Serialize, Deserialize)]
pub struct Snapshot<'a> {
    /// The number of the last revision.
    pub revision: u64,
    pub sources: Vec<Kept<'a>>,
    pub entries: Vec<Place<'a>>,
    pub known: Vec<(Cow<'a, str>, u32, Known)>,
    /// Every cell: room, key and value.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<(Cow<'a, str>, Cow<'a, str>, Cow<'a, str>)>,
    /// The directives whose goal has changed entries.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub initialized: Vec<EntryId>,
    pub last: i64,
    pub first: i64,
    pub last_source: u32,
}

/// A source that is written, or was read.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Kept<'a> {
    #[serde(skip_deserializing)]
    Written(&'a Source),
    Read(Source),
}

/// An entry. One that differs from the entry before only in its place is its end alone: its id is the next, and it
/// starts where the one before ends.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Place<'a> {
    End(u32),
    /// Kind, id, number of the source, start and end in it, name and arity of the predicate.
    Whole(Kind, EntryId, u32, u32, u32, Cow<'a, str>, u32),
}

/// A record as its line.
pub fn seal(record: &Record<'_>) -> String {
    let json = serde_json::to_string(record).expect("every record is JSON");
    let checksum = crc32fast::hash(json.as_bytes());
    format!("{checksum:08x} {json}\n")
}

/// The record of a line without its end; `None` where the checksum is not that of the rest.
pub fn unseal(line: &[u8]) -> Option<&[u8]> {
    let (checksum, json) = line.split_at_checked(9)?;
    let checksum = std::str::from_utf8(checksum).ok()?.strip_suffix(' ')?;
    let stated = u32::from_str_radix(checksum, 16).ok()?;
    (stated == crc32fast::hash(json)).then_some(json)
}
