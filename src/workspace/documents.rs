//! Documents: texts of the book that are no clauses.
//!
//! A document is a cell of the room [`ROOM`]: its key is its name, its value the time at which it was imported and
//! its text. Engines know documents as facts (`prolog/sandbox/files.pl`); what goals read beyond that is in
//! `reading.rs`.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::keeping::Kept;
use super::paths::FileText;
use super::telling::DocumentFacts;
use super::turn::Turn;
use super::types::*;
use super::{Inner, Workspace};
use hornbook_base::{Fault, FaultKind};
use hornbook_book::{Book, Cell, Delta, Operation};
use hornbook_tables::{Format, Wishes};

pub(super) const ROOM: &str = "documents";

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

/// A document of the book.
pub(super) struct Document<'b> {
    pub added_ms: u64,
    pub text: &'b str,
}

pub(super) fn parsed(value: &str) -> Option<Document<'_>> {
    let (added_ms, text) = value.split_once('\n')?;
    Some(Document {
        added_ms: added_ms.parse().ok()?,
        text,
    })
}

pub(super) fn document<'b>(book: &'b Book, name: &str) -> Option<Document<'b>> {
    book.cell(ROOM, name).and_then(parsed)
}

/// Cells without which the book has no documents.
pub(super) fn without_documents(book: &Book) -> Vec<Cell> {
    let removed = |(name, _): (&str, &str)| cell(name, None);
    book.cells_of(ROOM).map(removed).collect()
}

/// A document that differs between two revisions, with its text in each.
pub(super) struct ChangedDocument {
    pub name: Rc<str>,
    pub before: Option<Rc<str>>,
    pub after: Option<Rc<str>>,
}

impl ChangedDocument {
    /// The text before or after, empty if there is no document.
    pub fn text(value: &Option<Rc<str>>) -> &str {
        value
            .as_deref()
            .and_then(parsed)
            .map_or("", |document| document.text)
    }
}

/// The documents that differ between the book after these revisions, by name.
pub(super) fn changed_between(book: &Book, from: u64, to: u64) -> Vec<ChangedDocument> {
    let mut changed = BTreeMap::new();
    for number in from.min(to) + 1..=from.max(to) {
        let revision = book.get_revision(number);
        let cells = revision.iter().flat_map(|revision| &revision.cells);
        for change in cells.filter(|change| &*change.room == ROOM) {
            let first = || (change.before.clone(), None);
            changed.entry(change.key.clone()).or_insert_with(first).1 = change.after.clone();
        }
    }
    let in_order = |(name, (before, after))| match from <= to {
        true => ChangedDocument { name, before, after },
        false => ChangedDocument {
            name,
            before: after,
            after: before,
        },
    };
    let differs = |changed: &ChangedDocument| {
        changed.before.is_some() != changed.after.is_some()
            || ChangedDocument::text(&changed.before) != ChangedDocument::text(&changed.after)
    };
    changed.into_iter().map(in_order).filter(differs).collect()
}

fn cell(name: &str, value: Option<String>) -> Cell {
    Cell {
        room: ROOM.into(),
        key: name.into(),
        value: value.map(Into::into),
    }
}

impl Workspace {
    /// The text of a document.
    pub fn document(&self, name: &str) -> Option<String> {
        let book = self.0.book.borrow();
        document(&book, name).map(|document| document.text.to_owned())
    }

    /// Whether the book has this file as a document, or would have it if it were saved.
    pub fn is_document(&self, name: &str) -> bool {
        let is_new = self.0.book.borrow().file(name).is_none();
        self.0.is_document(name) || (is_new && FileFormat::of(name) == FileFormat::Document)
    }

    /// From now on, engines know the documents.
    pub(super) fn tell_documents(&self) {
        self.on_facts(ROOM, Rc::new(DocumentFacts::of(&self.0)), None);
    }
}

impl Inner {
    /// The documents, oldest first.
    pub(super) fn documents(&self) -> Vec<FileInfo> {
        let book = self.book.borrow();
        let info = |(name, value): (&str, &str)| {
            let Document { added_ms, text } = parsed(value)?;
            Some(FileInfo {
                filename: name.to_owned(),
                clause_count: 0,
                characters: Some(text.chars().count()),
                timestamp: added_ms,
            })
        };
        let mut documents: Vec<FileInfo> = book.cells_of(ROOM).filter_map(info).collect();
        documents.sort_by_key(|document| document.timestamp);
        documents
    }

    pub(super) fn is_document(&self, name: &str) -> bool {
        self.book.borrow().cell(ROOM, name).is_some()
    }

    /// Import a file as a document, or replace one. `text` gives the contents, if they are not to be read.
    pub(super) async fn import_document(
        &self,
        turn: &Turn<'_>,
        name: String,
        text: Option<String>,
    ) -> Result<ImportReport, Fault> {
        let FileText { text, notice } = match text {
            Some(text) => FileText { text, notice: None },
            None => self.roots.read(&name, self.limits.file_bytes).await?,
        };
        self.check_name_and_size(&name, &text)?;
        let before = document(&self.book.borrow(), &name).map(|document| document.text == text);
        let info = DocumentInfo {
            characters: text.chars().count(),
            lines: text.lines().count(),
            is_replaced: before.is_some(),
        };
        if before != Some(true) {
            self.check_cells(name.len() + text.len())?;
            turn.keep_document(Operation::Import(name.clone()), &name, Some(text))
                .await?;
        }
        Ok(ImportReport {
            document: Some(info),
            notices: notice.into_iter().chain(turn.notices()).collect(),
            ..ImportReport::of(name)
        })
    }

    /// Remove a document.
    pub(super) async fn unimport_document(
        &self,
        turn: &Turn<'_>,
        name: String,
    ) -> Result<UnimportReport, Fault> {
        turn.keep_document(Operation::Unimport(name.clone()), &name, None)
            .await?;
        Ok(UnimportReport {
            filename: name,
            clauses_removed: 0,
            is_document: true,
            notices: turn.notices(),
        })
    }
}

impl Turn<'_> {
    async fn keep_document(
        &self,
        operation: Operation,
        name: &str,
        text: Option<String>,
    ) -> Result<(), Fault> {
        let cell = self.cell_of(name, text.as_deref());
        while self.keep_cell(&operation, &cell).await? == IsKept::No {}
        Ok(())
    }

    /// Keep a document that a goal has read, if the book has no file of this name by now.
    pub(super) async fn keep_new_document(&self, name: &str, text: &str) -> Result<(), Fault> {
        let cell = self.cell_of(name, Some(text));
        while !self.workspace.has(name) {
            self.workspace.check_cells(name.len() + text.len())?;
            if self.keep_cell(&Operation::Import(name.to_owned()), &cell).await? == IsKept::Yes {
                break;
            }
        }
        Ok(())
    }

    fn cell_of(&self, name: &str, text: Option<&str>) -> Cell {
        let now = self.workspace.clock.now_ms();
        cell(name, text.map(|text| format!("{now}\n{text}")))
    }

    /// Record a cell. If another process has changed the book meanwhile, the book is up to date now, and has not
    /// kept it.
    async fn keep_cell(&self, operation: &Operation, cell: &Cell) -> Result<IsKept, Fault> {
        let delta = Delta {
            cells: vec![cell.clone()],
            ..Delta::default()
        };
        match self.record_once(operation.clone(), delta).await? {
            Some(Kept::Conflict(..)) => {
                self.catch_up().await;
                Ok(IsKept::No)
            }
            _ => Ok(IsKept::Yes),
        }
    }
}

#[derive(PartialEq)]
enum IsKept {
    Yes,
    No,
}
