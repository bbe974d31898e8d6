//! The records of a journal, one per line: a checksum and JSON.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use hornbook_base::Pace;
use hornbook_book::{Author, EntryId, Kind, Known, Operation, Origin, Place, Stood};

/// The format that is written, and the newest that can be read. It is raised with every new kind of record or
/// operation, so that an older Hornbook reports that it cannot read a book. Old formats remain readable:
/// format 2 lacks the operation `replace` of 3, format 3 the places of 4, format 4 the modules of sources of 5, and
/// format 5 the operations `change`, `draft` and `accept` of 6.
pub const FORMAT: u32 = 6;
/// The first format with a mark.
const MARKED: u32 = 2;

/// How far a journal was acknowledged: everything before this must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// The length in bytes, including the first line.
    pub length: u64,
    /// The checksum of the last record; 0 if there is none.
    pub checksum: u32,
}

impl Mark {
    /// The mark of a journal without records.
    pub const EMPTY: Mark = Mark {
        length: 46,
        checksum: 0,
    };

    /// The first line of a journal, which always has the same length.
    pub fn header(self) -> String {
        self.header_of(FORMAT)
    }

    fn header_of(self, format: u32) -> String {
        let Mark { length, checksum } = self;
        let marked = format!("hornbook {format} {length:016} {checksum:08x}");
        format!("{marked} {:08x}\n", crc32fast::hash(marked.as_bytes()))
    }

    /// The mark after one more record, made of these pieces.
    pub fn followed_by(self, pieces: &[Vec<u8>], checksum: u32) -> Mark {
        let length: usize = pieces.iter().map(Vec::len).sum();
        Mark {
            length: self.length + length as u64,
            checksum,
        }
    }
}

/// The contents of a journal's first line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    pub format: u32,
    /// Missing in format 1, and in a journal that somebody has repaired by hand.
    pub mark: Option<Mark>,
}

impl Header {
    /// The initial value for the checksum of a record that follows one with the checksum `before`.
    pub fn seed(self, before: u32) -> u32 {
        match self.format {
            1 => 0,
            _ => before,
        }
    }
}

/// Parse a first line without its mark, which is overwritten while it is read.
pub fn read_format(line: &[u8]) -> Result<Header, NoHeader> {
    let second = line.iter().enumerate().filter(|(_, byte)| **byte == b' ').nth(1);
    read_header(second.map_or(line, |(end, _)| &line[..end]))
}

/// Why a first line is invalid.
#[derive(Debug, PartialEq, Eq)]
pub enum NoHeader {
    Damaged,
    /// Completes "It …".
    Other(String),
}

/// Parse a first line, without its line end.
pub fn read_header(line: &[u8]) -> Result<Header, NoHeader> {
    let other = || NoHeader::Other("is not a Hornbook book".to_owned());
    let line = std::str::from_utf8(line).map_err(|_| other())?;
    let rest = line.strip_prefix("hornbook ").ok_or_else(other)?;
    let (format, mark) = match rest.split_once(' ') {
        None => (rest, None),
        Some((format, mark)) => (format, Some(mark)),
    };
    match (format.parse::<u32>().map_err(|_| other())?, mark) {
        (0, _) => Err(other()),
        (format @ 1..=FORMAT, None) => Ok(Header { format, mark: None }),
        (format @ MARKED..=FORMAT, Some(mark)) => read_mark(format, line, mark)
            .map(|mark| Header {
                format,
                mark: Some(mark),
            })
            .ok_or(NoHeader::Damaged),
        (1..MARKED, Some(_)) => Err(NoHeader::Damaged),
        (newer, _) => Err(NoHeader::Other(format!(
            "was written by a newer Hornbook: its format is {newer}, and this one reads {FORMAT}; update this one"
        ))),
    }
}

/// The mark of a first line, if that is exactly the line written for this mark in this format.
fn read_mark(format: u32, line: &str, mark: &str) -> Option<Mark> {
    let mut parts = mark.split(' ');
    let mark = Mark {
        length: parts.next()?.parse().ok()?,
        checksum: u32::from_str_radix(parts.next()?, 16).ok()?,
    };
    (mark.length >= Mark::EMPTY.length && mark.header_of(format).strip_suffix('\n') == Some(line))
        .then_some(mark)
}

/// Parse a line of a journal; the error completes "it is invalid: ".
pub fn read_record(json: &[u8]) -> Result<Record<'_>, String> {
    serde_json::from_slice(json).map_err(|error| {
        let error = error.to_string();
        let unknown = error
            .strip_prefix("unknown variant `")
            .and_then(|rest| rest.split_once('`'));
        match unknown {
            Some((what, _)) => format!("it has `{what}`, which only a newer Hornbook can know"),
            None => error,
        }
    })
}

/// A line of a journal. Parts that may be long are left unparsed, to be read in slices.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Record<'a> {
    /// One operation on the book that results from the lines before.
    #[serde(borrow)]
    Revision(Change<'a>),
    /// An operation from before the book that follows.
    Past(Change<'a>),
    /// The whole book.
    Book(Snapshot<'a>),
}

/// One operation. Removed entries are given as runs of ids if the book is known, otherwise as entries.
#[derive(Debug, Deserialize)]
pub struct Change<'a> {
    /// Its number, from 1.
    pub number: u64,
    pub operation: Operation,
    /// The fields of its [`Stamp`](hornbook_book::Stamp).
    pub at_ms: u64,
    #[serde(default)]
    pub by: Option<Author>,
    /// The sources that are new in this line.
    #[serde(default, borrow)]
    pub sources: Vec<SourceRecord<'a>>,
    /// A list of runs, `(EntryId, usize)`, or of [`EntryRecord`]s.
    #[serde(borrow)]
    pub removed: &'a RawValue,
    /// A list of [`EntryRecord`]s.
    #[serde(borrow)]
    pub added: &'a RawValue,
    /// Predicates, each with how it was known before and is known now.
    #[serde(default)]
    pub known: Vec<(String, u32, Known, Known)>,
    /// Cells: room, key, old value and new value.
    #[serde(default)]
    pub cells: Vec<CellValues>,
}

pub type CellValues = (String, String, Option<String>, Option<String>);

#[derive(Debug, Deserialize)]
pub struct Snapshot<'a> {
    /// The number of the last revision.
    pub revision: u64,
    #[serde(borrow)]
    pub sources: Vec<SourceRecord<'a>>,
    /// A list of [`EntryRecord`]s.
    #[serde(borrow)]
    pub entries: &'a RawValue,
    pub known: Vec<(String, u32, Known)>,
    /// Every cell: room, key and value.
    #[serde(default)]
    pub cells: Vec<(String, String, String)>,
    /// The cells whose values an undo brought back: room and key.
    #[serde(default)]
    pub undone: Vec<(String, String)>,
    /// The directives whose goals have changed entries.
    #[serde(default)]
    pub initialized: Vec<EntryId>,
    /// What was removed from the files that have entries, in order.
    /// A list of [`GoneSpan`](hornbook_book::GoneSpan)s.
    #[serde(default, borrow)]
    pub gone: Option<&'a RawValue>,
    pub last: i64,
    pub first: i64,
    pub last_source: u32,
}

/// A [`Source`](hornbook_book::Source).
#[derive(Debug, Deserialize)]
pub struct SourceRecord<'a> {
    pub number: u32,
    pub origin: Origin,
    pub added_ms: u64,
    #[serde(borrow)]
    pub text: &'a RawValue,
    pub tail: u32,
    pub restores: Vec<(u32, Box<str>)>,
    #[serde(default)]
    pub module: Option<Box<str>>,
    #[serde(default)]
    pub gone: Vec<(u32, u32)>,
    #[serde(default)]
    pub is_needed: bool,
    #[serde(default)]
    pub replaced: Vec<Stood>,
}

/// An entry. If it differs from the previous one only in its position it is written as its end alone: it has
/// the next id, its place is as far from its id as that of the previous entry, and it starts where that one
/// ends.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum EntryRecord<'a> {
    End(u32),
    /// Kind, id, number of the source, start and end in it, name and arity of the predicate. It is at the
    /// place that its id implies.
    Whole(Kind, EntryId, u32, u32, u32, Cow<'a, str>, u32),
    /// Like `Whole`, with its place.
    Placed(Kind, EntryId, u32, u32, u32, Cow<'a, str>, u32, Place),
}

/// The forms are told apart by how they begin: trying one after the other takes several times as long.
impl<'de> Deserialize<'de> for EntryRecord<'_> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(OfEntry)
    }
}

struct OfEntry;

impl<'de> Visitor<'de> for OfEntry {
    type Value = EntryRecord<'static>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the end of an entry, or an entry")
    }

    fn visit_u64<E: Error>(self, end: u64) -> Result<Self::Value, E> {
        u32::try_from(end).map(EntryRecord::End).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        let kind = field(&mut fields)?;
        let id = field(&mut fields)?;
        let source = field(&mut fields)?;
        let (start, end) = (field(&mut fields)?, field(&mut fields)?);
        let (name, arity) = (Cow::Owned(field(&mut fields)?), field(&mut fields)?);
        Ok(match fields.next_element()? {
            None => EntryRecord::Whole(kind, id, source, start, end, name, arity),
            Some(place) => EntryRecord::Placed(kind, id, source, start, end, name, arity, place),
        })
    }
}

fn field<'de, A: SeqAccess<'de>, T: Deserialize<'de>>(fields: &mut A) -> Result<T, A::Error> {
    let field = fields.next_element()?;
    field.ok_or_else(|| A::Error::custom("an entry has seven values at least"))
}

/// The record of a line without its line end, and its checksum; `None` if the checksum does not match.
pub async fn unseal<'a>(line: &'a [u8], before: u32, pace: &Pace) -> Option<(&'a [u8], u32)> {
    let (stated, json) = line.split_at_checked(9)?;
    let stated = std::str::from_utf8(stated).ok()?.strip_suffix(' ')?;
    let stated = u32::from_str_radix(stated, 16).ok()?;
    let mut hasher = crc32fast::Hasher::new_with_initial(before);
    for stretch in json.chunks(64 << 10) {
        hasher.update(stretch);
        if pace.is_over(stretch.len() / 1024) {
            pace.rest().await;
        }
    }
    (stated == hasher.finalize()).then_some((json, stated))
}
