//! Tables: files that are read as facts.

mod kinds;

use std::collections::BTreeMap;
use std::rc::Rc;

use super::formats::{FileFormat, ImportOptions};
use super::paths::FileText;
use super::types::{ImportReport, Notice};
use super::{Inner, Workspace};
use hornbook_base::{Control, Fault, FaultKind, cut};
use hornbook_book::Book;
use hornbook_tables::{About, Format, Known, Most, Reader, Request, Table, Wishes};

/// How many times larger than a file the text of its facts may be.
const LARGER: usize = 3;

impl Workspace {
    /// From now on `reader` reads tables. Without one they cannot be imported.
    pub fn read_tables_by(&self, reader: Rc<dyn Reader>) {
        // One that has a reader keeps it.
        let _ = self.0.tables.set(reader);
    }
}

/// What a file has, as Prolog text.
pub(super) struct Contents {
    pub file: FileText,
    /// Of a table: what was found out about it, or about each of a workbook.
    pub tables: Vec<About>,
}

impl Inner {
    /// The contents of a file of clauses or of a table as given, or read. What is wished for a table that the book has
    /// is what was wished for it before. A fault if they are too large, nested too deeply, or no table.
    pub(super) async fn contents(
        &self,
        name: &str,
        text: Option<String>,
        options: &ImportOptions,
        control: &Control,
    ) -> Result<Contents, Fault> {
        let most = self.limits.file_bytes;
        let format = options.format_of(name)?;
        let is_workbook = format == FileFormat::Table(Format::Workbook);
        let FileText { text, notice } = match text {
            Some(text) => FileText { text, notice: None },
            None if is_workbook => self.roots.read_base64(name, most).await?,
            None => self.roots.read(name, most).await?,
        };
        let FileFormat::Table(format) = format else {
            self.check_file(name, &text).await?;
            let (text, wrong) = self.plain_own(text).await;
            let notice = notice.or(wrong);
            let file = FileText { text, notice };
            return Ok(Contents {
                file,
                tables: Vec::new(),
            });
        };
        let bytes = if is_workbook {
            text.len() / 4 * 3
        } else {
            text.len()
        };
        if bytes > most {
            let message = format!("File {name} is too large: {bytes} bytes");
            return Err(Fault::limit(message, "file_bytes", most));
        }
        let Some(reader) = self.tables.get() else {
            return Err(Fault::new(FaultKind::FileError, "This host reads no tables."));
        };
        let (mut wishes, mut room) = (options.table.clone(), self.limits.entries);
        {
            let book = self.book.borrow();
            room = room.saturating_sub(book.len());
            if let Some(used) = book.file(name) {
                room += used.entries;
                wishes = wishes.after(wishes_of(&used.source.text).unwrap_or_default());
            } else if let Some(emptied) = book.emptied(name) {
                wishes = wishes.after(wishes_of(&emptied.text).unwrap_or_default());
            }
        }
        let request = Request {
            filename: name.to_owned(),
            format,
            wishes,
            most: Most {
                rows: room,
                entries: self.limits.entries,
                bytes: LARGER * most,
            },
        };
        let mut table = control.unless_cancelled(reader.read(request, text)).await??;
        self.note_others(name, &mut table);
        if let (Some(Notice(doubt)), Some(first)) = (notice, table.tables.first_mut()) {
            first.notes.insert(0, doubt);
        }
        let file = FileText {
            text: table.text,
            notice: None,
        };
        Ok(Contents {
            file,
            tables: table.tables,
        })
    }
}

impl Inner {
    /// Tell of what the book has under the names of these tables: the file as it was before, and rows of other files.
    /// Goals that named columns are kept by the places of their arguments.
    fn note_others(&self, filename: &str, table: &mut Table) {
        let book = self.book.borrow();
        for (name, used) in book.files() {
            let text = &used.source.text;
            for known in Known::all(text) {
                let predicate = known.predicate();
                let Some(about) = table.tables.iter_mut().find(|about| about.name == predicate) else {
                    if *name == *filename
                        && let [about] = &mut table.tables[..]
                    {
                        let (now, was) = (&about.name, predicate);
                        about.notes.push(format!(
                            "Its rows were {was} and are {now} now: look at the rules that use {was}."
                        ));
                    }
                    continue;
                };
                let before: Vec<&str> = known.columns().collect();
                let now = about.columns.iter().map(|column| &*column.name);
                let (is_own, has_same) = (*name == *filename, now.eq(before.iter().copied()));
                let before = cut(&before.join(", "), 200);
                match (is_own, has_same) {
                    (true, true) => {
                        let changed = kinds::changed(text, &predicate, &about.columns);
                        about.notes.extend(changed);
                    }
                    (true, false) => about
                        .notes
                        .push(format!("Its columns were {before}: look at the rules that use {predicate}.")),
                    (false, true) if about.rows > 0 && facts(text) == facts(&table.text) => about.notes.insert(
                        0,
                        format!("{name} has the same rows: every row is in the book twice now. Unimport one of the two files."),
                    ),
                    (false, true) => about
                        .notes
                        .insert(0, format!("These rows are added to those of {name}.")),
                    (false, false) => about.notes.push(format!(
                        "{name} has {predicate}, too, with other columns: {before}. To keep them apart, unimport this file and import it with another name, as columns: \"{predicate}_2\"."
                    )),
                }
            }
        }
    }
}

/// The text of a table without the comment that names its columns.
fn facts(text: &str) -> &str {
    text.split_once("*/").map_or(text, |(_, facts)| facts)
}

/// What was asked for when a table was read. Of several in a workbook nothing can be but the header.
fn wishes_of(text: &str) -> Option<Wishes> {
    let mut known = Known::all(text);
    let wishes = known.next()?.wishes();
    Some(match known.next() {
        None => wishes,
        Some(_) => Wishes {
            columns: None,
            was: None,
            ..wishes
        },
    })
}

/// Nothing of a table is added if one of its facts cannot be.
pub(super) fn only_whole(name: &str, text: &str, errors: &[String]) -> Result<(), Fault> {
    let (Some(first), Some(_)) = (errors.first(), Known::of(text)) else {
        return Ok(());
    };
    let message = format!("{name} was not imported, since its rows cannot be added: {first}");
    let next = "Give them another predicate, as columns: \"my_table\".";
    Err(Fault::new(FaultKind::PermissionError, message).with_next(next))
}

/// How many rows are named of those that a file has no longer, and of those that are new.
const NAMED_ROWS: usize = 3;
const ROW_CHARS: usize = 80;

/// Which rows a file that is read again has no longer, and which are new; each with how often it was there.
pub(super) fn changed_rows(
    before: &BTreeMap<Box<str>, usize>,
    after: &BTreeMap<Box<str>, usize>,
) -> Option<String> {
    let only_in = |these: &BTreeMap<Box<str>, usize>, others: &BTreeMap<Box<str>, usize>| {
        let only = these
            .iter()
            .filter(|(row, count)| others.get(&***row).is_none_or(|other| other < *count));
        let mut only = only.map(|(row, _)| cut(row, ROW_CHARS));
        let mut named: Vec<String> = only.by_ref().take(NAMED_ROWS).collect();
        named.extend(only.next().map(|_| "…".to_owned()));
        named.join(" ")
    };
    match (&*only_in(before, after), &*only_in(after, before)) {
        ("", "") => None,
        ("", new) => Some(format!("New: {new}")),
        (gone, "") => Some(format!("Gone: {gone}")),
        (gone, new) => Some(format!("Gone: {gone} New: {new}")),
    }
}

/// Tell in a report what was found out about tables.
pub(super) fn told(mut report: ImportReport, tables: Vec<About>) -> ImportReport {
    report.tables = tables;
    report
}

/// The tables of the book.
pub(super) fn known(book: &Book) -> impl Iterator<Item = Known<'_>> {
    book.files().flat_map(|(_, used)| Known::all(&used.source.text))
}

impl Workspace {
    /// The names of the columns of a table, or nothing if the book has none of this name.
    pub fn columns(&self, table: &str) -> Vec<String> {
        let book = self.0.book.borrow();
        let named = known(&book).find(|known| known.predicate() == table);
        named.map_or(Vec::new(), |known| known.columns().map(str::to_owned).collect())
    }
}

/// The columns of the tables with this name, as `orders/6: id, customer, …`.
pub(super) fn columns_of(book: &Book, name: &str) -> Option<String> {
    let mut named = known(book).filter(|known| known.predicate() == name);
    let columns: Vec<&str> = named.next()?.columns().collect();
    Some(format!("{name}/{}: {}", columns.len(), columns.join(", ")))
}
