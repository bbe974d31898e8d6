//! Documents: texts of the book that are no clauses.
//!
//! A document is a cell of the room [`ROOM`]: its key is its name, its value the time at which it was imported and
//! its text. Engines know documents as facts (`prolog/sandbox/files.pl`); what goals read beyond that is in
//! `reading.rs`.

use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use super::facts::{CellValue, Facts};
use super::formats::FileFormat;
use super::keeping::Kept;
use super::paths::FileText;
use super::telling::{begun, telling};
use super::turn::Turn;
use super::types::*;
use super::{Inner, Workspace};
use hornbook_base::Fault;
use hornbook_book::{Book, Cell, Delta, Operation};
use hornbook_engine::protocol::{list, quote};

pub(super) const ROOM: &str = "documents";

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

/// Tells engines the documents.
struct DocumentFacts(Weak<Inner>);

impl DocumentFacts {
    fn of(workspace: &Rc<Inner>) -> Self {
        DocumentFacts(Rc::downgrade(workspace))
    }
}

impl Facts for DocumentFacts {
    fn tell<'c>(&self, cells: &'c [CellValue], _new: bool) -> Box<dyn Iterator<Item = String> + 'c> {
        let root = self.0.upgrade().and_then(|workspace| workspace.roots.first());
        let removed = cells.iter().filter(|(_, value)| value.is_none());
        let removed: Vec<_> = removed.collect();
        let forget = (!removed.is_empty()).then(|| {
            let mut forget = begun(root.as_deref());
            list(&mut forget, removed, |out, (name, _)| quote(out, name, '\''));
            forget.push_str(",[])\n");
            forget
        });
        let kept = cells
            .iter()
            .filter_map(|(name, value)| Some((&**name, parsed(value.as_deref()?)?.text)));
        let told = telling(root, "kept", kept);
        Box::new(forget.into_iter().chain(told))
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
