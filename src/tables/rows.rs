//! What all formats share.

use std::cell::OnceCell;

use hornbook_base::{Fault, Pace};

use super::names::{Asked, too_many_columns};
use super::{ColumnKind, MOST_COLUMNS, Most, no_table};

/// A file that is being read.
#[derive(Clone)]
pub struct Reading<'a> {
    pub filename: &'a str,
    pub text: &'a str,
    /// The predicate of the rows.
    pub name: String,
    pub asked: Asked,
    pub header: Option<bool>,
    /// The names of the columns, if they are known before the rows.
    pub found: Option<Vec<String>>,
    /// The names that the columns had in the file when the book read it, for one that has no rows now.
    pub before: &'a [String],
    /// The names that the columns have in the file, once they are known.
    pub read_as: OnceCell<Vec<String>>,
    pub most: Most,
    pub pace: &'a Pace,
}

/// The note on a table whose first row was taken for data, if nobody said so.
pub const NO_HEADER: &str =
    "No header was recognized; if the first row is one, import it with columns: \"header: true\".";

/// The note on a table that has a header and no rows.
pub fn header_alone(name: &str, columns: usize) -> String {
    format!(
        "It has a header and no rows: {name}/{columns} is there and fails. If the line is a row, import it with columns: \"header: false\"."
    )
}

/// The fault for facts that have more than the limit's bytes.
pub fn too_large(filename: &str, most: Most) -> Fault {
    let message = format!("The facts of {filename} are too large");
    let fault = Fault::limit(message, "file_bytes", most.bytes);
    fault.with_next("Import a part of its rows or columns. Nothing was imported.")
}

/// The fault for more rows than the book has room for.
pub fn too_many_rows(filename: &str, most: Most) -> Fault {
    let message = format!(
        "{filename} has more rows than the {} for which the book has room",
        most.rows
    );
    let fault = Fault::limit(message, "entries", most.entries);
    fault.with_next("Import a part of its rows, or raise the limit `entries`. Nothing was imported.")
}

impl Reading<'_> {
    /// The names of the columns, as asked for, or else as found.
    pub fn names(&self, found: Vec<String>) -> Result<Vec<String>, Fault> {
        let found = self.found.clone().unwrap_or(found);
        if found.len() > MOST_COLUMNS {
            return Err(too_many_columns(found.len()));
        }
        let _ = self.read_as.set(found.clone());
        if self.asked.columns.is_empty() {
            return Ok(found);
        }
        if self.asked.columns.len() != found.len() {
            let why = format!(
                "'columns' names {}, and it has {}: {}",
                self.asked.columns.len(),
                found.len(),
                hornbook_base::cut(&found.join(", "), 400)
            );
            return Err(no_table(self.filename, &why)
                .with_next("Name every column in the file's order, or only those whose type you say."));
        }
        Ok(self.asked.columns.iter().map(|(name, _)| name.clone()).collect())
    }

    /// The names of the columns before anything is read: those asked for and those that the book knows.
    pub fn known_columns(&self) -> Vec<String> {
        let asked = self.asked.columns.iter().map(|(name, _)| name);
        asked.chain(self.before).cloned().collect()
    }

    /// The type asked for a column.
    pub fn kind(&self, column: usize) -> Option<ColumnKind> {
        self.asked.columns.get(column).and_then(|(_, kind)| *kind)
    }

    /// Refuse more rows than there is room for.
    pub fn check_rows(&self, rows: usize) -> Result<(), Fault> {
        if rows <= self.most.rows {
            return Ok(());
        }
        Err(too_many_rows(self.filename, self.most))
    }
}
