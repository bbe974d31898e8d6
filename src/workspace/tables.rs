//! Tables: files that are read as facts.

use std::rc::Rc;

use super::documents::{FileFormat, ImportOptions};
use super::paths::FileText;
use super::types::ImportReport;
use super::{Inner, Workspace};
use hornbook_base::{Control, Fault, FaultKind, cut};
use hornbook_book::Book;
use hornbook_tables::{About, Format, Known, Most, Reader, Request, Wishes};

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
                let before = wishes_of(&used.source.text);
                if wishes == Wishes::default() {
                    wishes = before.unwrap_or_default();
                }
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
        self.note_other_columns(name, &mut table.tables);
        let file = FileText {
            text: table.text,
            notice,
        };
        Ok(Contents {
            file,
            tables: table.tables,
        })
    }
}

impl Inner {
    /// Tell of tables whose columns are not those that the book had under their name: goals that named columns are
    /// kept by the places of their arguments.
    fn note_other_columns(&self, filename: &str, tables: &mut [About]) {
        let book = self.book.borrow();
        for (name, used) in book.files() {
            for known in Known::all(&used.source.text) {
                let predicate = known.predicate();
                let Some(about) = tables.iter_mut().find(|about| about.name == predicate) else {
                    continue;
                };
                let before: Vec<&str> = known.columns().collect();
                if about
                    .columns
                    .iter()
                    .map(|column| &*column.name)
                    .eq(before.iter().copied())
                {
                    continue;
                }
                let before = cut(&before.join(", "), 200);
                let note = match *name == *filename {
                    true => format!("Its columns were {before}: look at the rules that use {predicate}."),
                    false => format!("{name} has {predicate}, too, with other columns: {before}."),
                };
                about.notes.push(note);
            }
        }
    }
}

/// What was asked for when a table was read. Of several in a workbook nothing can be but the header.
fn wishes_of(text: &str) -> Option<Wishes> {
    let mut known = Known::all(text);
    let wishes = known.next()?.wishes();
    Some(match known.next() {
        None => wishes,
        Some(_) => Wishes {
            columns: None,
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
