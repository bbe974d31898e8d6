//! Files of which nothing is left because their clauses were retracted: they stay imported, so that what was retracted stays
//! so when they are imported again.
//!
//! Each is a cell, so that undo, drafts, changes as one and snapshots carry it as they carry all cells. A revision that
//! retracts the last of a file sets it; one that imports or unimports the file takes it away.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use hornbook_base::Pace;
use serde::{Deserialize, Serialize};

use super::{Book, Cell, Entry, EntryId, Operation, Origin, Stood, code_at};

/// The room of files of which nothing is left: the key is the name, the value an [`Emptied`].
pub const EMPTIED: &str = "emptied";

/// A file of which nothing is left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Emptied<'a> {
    pub added_ms: u64,
    pub text: Cow<'a, str>,
    /// Where in the text entries were that were retracted.
    pub gone: Vec<(u32, u32)>,
    /// It came only because another file loads it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_needed: bool,
    /// Clauses that others had taken the place of before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaced: Vec<Stood>,
}

impl Emptied<'_> {
    /// The cell of a file that is no longer one of which nothing is left.
    pub fn forgotten(name: &str) -> Cell {
        cell(name, None)
    }

    /// The cell of a file of this name.
    pub fn cell(&self, name: &str) -> Cell {
        cell(name, serde_json::to_string(self).ok())
    }

    /// The code of what was retracted, in order.
    pub fn gone_code(&self) -> impl Iterator<Item = &str> {
        let range = |(start, end): &(u32, u32)| Range::<usize> {
            start: *start as usize,
            end: *end as usize,
        };
        let ranges = self.gone.iter().map(range);
        ranges.filter_map(|range| Some(code_at(range.start, self.text.get(range)?)))
    }
}

impl Book {
    /// A file of which nothing is left, by its name.
    pub fn emptied(&self, name: &str) -> Option<Emptied<'_>> {
        let value = self.cell(EMPTIED, name).filter(|_| self.file(name).is_none())?;
        serde_json::from_str(value).ok()
    }

    /// The files of which nothing is left, by their names.
    pub fn all_emptied(&self) -> impl Iterator<Item = (&str, Emptied<'_>)> {
        let names = self.cells_of(EMPTIED).map(|(name, _)| name);
        names.filter_map(|name| Some((name, self.emptied(name)?)))
    }

    /// The cells of files that an operation empties, brings or unimports. What reverses another brings its own, and so does
    /// what was made in a book of its own.
    pub(super) async fn emptied_by(
        &self,
        operation: &Operation,
        removed: &[(EntryId, Entry)],
        added: &[(EntryId, Entry)],
        pace: &Pace,
    ) -> Vec<Cell> {
        if matches!(
            operation,
            Operation::Undo(_)
                | Operation::Redo(_)
                | Operation::Change
                | Operation::Accept { .. }
                | Operation::Draft(_)
        ) {
            return Vec::new();
        }
        let mut gets = BTreeSet::new();
        let mut before = None;
        for (_, entry) in added {
            if before.replace(entry.source().number) != Some(entry.source().number) {
                gets.extend(entry.source().origin.file());
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        let mut cells: Vec<Cell> = match operation {
            Operation::Unimport(name) => vec![Emptied::forgotten(name)],
            Operation::Reset => {
                let names = self.cells_of(EMPTIED).map(|(name, _)| name);
                names.map(Emptied::forgotten).collect()
            }
            _ => gets.iter().map(|name| Emptied::forgotten(name)).collect(),
        };
        if matches!(operation, Operation::Unimport(_) | Operation::Reset) {
            return cells;
        }
        // How many entries go of each file, and where they are.
        let mut goes = BTreeMap::<&str, Vec<(u32, u32)>>::new();
        for (_, entry) in removed {
            if let Origin::File(name) = &entry.source().origin
                && !gets.contains(&**name)
            {
                let span = entry.span();
                let spans = goes.entry(name).or_default();
                spans.push((span.start as u32, span.end as u32));
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        for (name, mut spans) in goes {
            let Some(used) = self.file(name).filter(|used| used.entries == spans.len()) else {
                continue;
            };
            if let Operation::Import(imported) = operation {
                // A file that no other loads any more leaves with the import that says so.
                if used.source.is_needed && imported != name {
                    continue;
                }
                // What a new text leaves out of the old one was not retracted.
                spans.clear();
            }
            spans.extend(self.gone_in(used.source.number));
            spans.sort_unstable();
            spans.dedup();
            let emptied = Emptied {
                added_ms: used.source.added_ms,
                text: Cow::Borrowed(&used.source.text),
                gone: spans,
                is_needed: used.source.is_needed,
                replaced: used.source.replaced.clone(),
            };
            cells.push(emptied.cell(name));
        }
        cells
    }
}

fn cell(name: &str, value: Option<String>) -> Cell {
    Cell {
        room: EMPTIED.into(),
        key: name.into(),
        value: value.map(Into::into),
    }
}
