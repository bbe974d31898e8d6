//! How files are taken into the book: as clauses, as facts or as they are.

use hornbook_base::{Fault, FaultKind};
use hornbook_tables::{Format, Wishes};

/// How a file is taken into the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileFormat {
    /// As clauses.
    Prolog,
    /// As facts.
    Table(Format),
    /// As it is.
    Document,
}

/// What callers say of a file that they import; all else is found out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ImportOptions {
    /// By default what the extension of the file says.
    pub format: Option<FileFormat>,
    /// How a table is read.
    pub table: Wishes,
    /// Of a file that is loaded again: clauses that were retracted since stay retracted, where the text has them as
    /// before. Otherwise they come back.
    pub keeps_retracted: bool,
}

impl ImportOptions {
    /// The format in which a file is taken. A fault if they say how to read a table that is none.
    pub(super) fn format_of(&self, name: &str) -> Result<FileFormat, Fault> {
        let format = self.format.unwrap_or_else(|| FileFormat::of(name));
        if self.table != Wishes::default() && !matches!(format, FileFormat::Table(_)) {
            let message = format!("{name} is not read as a table, so it has no columns.");
            let next = "Say its format, such as csv, or give it a name that ends in .csv, .tsv, .json, .jsonl, .yaml, .xlsx or .ods.";
            return Err(Fault::new(FaultKind::InvalidArgument, message).with_next(next));
        }
        Ok(format)
    }
}

/// The extensions of texts that are no clauses.
const TEXTS: [&str; 20] = [
    "txt", "text", "md", "markdown", "rst", "org", "adoc", "tex", "log", "html", "htm", "xml", "svg", "yaml",
    "yml", "toml", "ini", "cfg", "conf", "sql",
];

impl FileFormat {
    /// What the extension of a file's name says; clauses, if it says nothing.
    pub fn of(filename: &str) -> FileFormat {
        if let Some(format) = Format::of(filename) {
            return FileFormat::Table(format);
        }
        let extension = filename
            .rsplit_once('.')
            .map(|(_, extension)| extension.to_ascii_lowercase());
        match extension.is_some_and(|extension| TEXTS.contains(&&*extension)) {
            true => FileFormat::Document,
            false => FileFormat::Prolog,
        }
    }

    /// A format by its name: `prolog`, `document`, or the extension of a table.
    pub fn named(name: &str) -> Result<FileFormat, Fault> {
        match name {
            "prolog" => Ok(FileFormat::Prolog),
            "document" => Ok(FileFormat::Document),
            _ => Format::of(&format!(".{name}"))
                .map(FileFormat::Table)
                .ok_or_else(|| {
                    let message = format!("Unknown format: {name}.");
                    let next = "The formats are prolog, csv, tsv, json, jsonl, yaml, xlsx, ods and document.";
                    Fault::new(FaultKind::InvalidArgument, message).with_next(next)
                }),
        }
    }
}
