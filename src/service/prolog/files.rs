//! The tool `files`: imports Prolog files as they are written, tables as facts, and other texts as documents.

use futures::FutureExt;

use super::names::quoted;
use super::results::{FileImport, FileList, FileUnimport, FilesResult, ImportStatus, UnimportStatus};
use crate::budget::{Fitted, fitted};
use crate::report::{Outcome, Report, count, failed_with, invalid_argument};
use crate::schema::{Argument, Arguments, Kind};
use crate::toolset::{Hints, Tool};
use hornbook_base::{Control, FaultKind, cut};
use hornbook_workspace::{
    About, Column, ColumnKind, DocumentInfo, FileFormat, FileInfo, ImportOptions, ImportReport, Replaced,
    Wishes, Workspace,
};

pub const TOOL: Tool<Workspace> = Tool {
    name: "files",
    title: "Files",
    description: "Import Prolog, csv/json, text.",
    arguments: &[
        Argument {
            name: "operation",
            kind: Kind::choice(&["import", "reload", "unimport", "list"]),
            required: true,
            operations: &[],
            description: "",
        },
        Argument {
            name: "filename",
            kind: Kind::Text,
            required: false,
            operations: &["import", "reload", "unimport"],
            description: "",
        },
        Argument {
            name: "text",
            kind: Kind::Text,
            required: false,
            operations: &["import", "reload"],
            description: "",
        },
        Argument {
            name: "format",
            kind: Kind::Text,
            required: false,
            operations: &["import", "reload"],
            // By default the extension says it; a fault names the formats.
            description: "",
        },
        Argument {
            name: "columns",
            kind: Kind::Text,
            required: false,
            operations: &["import", "reload"],
            // Faults and notes say how it is written; a description would cost every session its tokens.
            description: "",
        },
        Argument {
            name: "from",
            kind: Kind::Integer(0),
            required: false,
            operations: &["list"],
            description: "",
        },
    ],
    hints: Hints::Destructive,
    run: |workspace, arguments, call| {
        let workspace = workspace.with_reply_tokens(call.reply_tokens());
        run(workspace, arguments, call.control()).boxed_local()
    },
};

/// The most errors of a file that are listed, and the most characters of each.
const LISTED_ERRORS: usize = 50;
const ERROR_CHARS: usize = 300;
/// The most notes about a table.
const NOTES: usize = 20;
/// The most characters shown of what the file's goals wrote.
const OUTPUT_CHARS: usize = 4_000;

async fn run(workspace: Workspace, arguments: Arguments, control: Control) -> Outcome {
    let operation = arguments.text("operation").unwrap_or_default();
    if operation == "list" {
        let from = arguments.index("from");
        return Ok(render_list(&workspace.files(), from, workspace.reply_tokens()));
    }
    let Some(filename) = arguments.text("filename").filter(|name| !name.is_empty()) else {
        let next = "Give 'filename', the path or name of the file.";
        return Err(invalid_argument(
            format!("Argument 'filename' is required for {operation}."),
            next,
        ));
    };
    if operation == "import" || operation == "reload" {
        let text = arguments.text("text");
        let given = |name: &str| arguments.text(name).filter(|value| !value.trim().is_empty());
        let options = ImportOptions {
            format: given("format").map(|name| FileFormat::named(&name)).transpose()?,
            table: Wishes {
                columns: given("columns"),
                ..Wishes::default()
            },
            keeps_retracted: false,
        };
        let done = match &*operation {
            "import" => workspace.import_as(&filename, text, &options, &control).await,
            _ => workspace.reload_as(&filename, text, &options, &control).await,
        };
        return Ok(match done {
            Ok(report) => render_import(&report, workspace.reply_tokens()),
            Err(fault) => failed_with(fault, |fault| {
                FilesResult::Import(FileImport {
                    filename,
                    clauses_added: 0,
                    status: ImportStatus::Failed,
                    errors: vec![fault.message.clone()],
                    failed: None,
                    output: None,
                    columns: None,
                    notes: None,
                    characters: None,
                    error: Some(fault),
                })
            }),
        });
    }
    match workspace.unimport(&filename, &control).await {
        Ok(report) => {
            let removed = report.clauses_removed;
            let filename = &report.filename;
            let text = match report.is_document {
                true => format!("Successfully unimported the document {filename}"),
                false => format!(
                    "Successfully unimported {} from {filename}",
                    count(removed, "clause")
                ),
            };
            let structured = FilesResult::Unimport(FileUnimport {
                filename: report.filename,
                clauses_removed: removed,
                status: UnimportStatus::Success,
                error: None,
            });
            Ok(Report::new(text, structured).notices(&report.notices))
        }
        Err(fault) => {
            let status = match fault.kind {
                FaultKind::NotImported => UnimportStatus::NotFound,
                _ => UnimportStatus::Failed,
            };
            Ok(failed_with(fault, |fault| {
                FilesResult::Unimport(FileUnimport {
                    filename,
                    clauses_removed: 0,
                    status,
                    error: Some(fault),
                })
            }))
        }
    }
}

/// The report on a document that was imported.
fn render_document(report: &ImportReport, document: DocumentInfo) -> Report {
    let (filename, lines) = (&report.filename, count(document.lines, "line"));
    let done = if document.is_replaced {
        "reloaded"
    } else {
        "imported"
    };
    let text = format!(
        "Successfully {done} {filename} as a document: {lines}, {}. Goals read it: read_file_to_string({}, S, []), or \
         open/3, phrase_from_file/2 and the like.",
        count(document.characters, "character"),
        quoted(filename),
    );
    let structured = FilesResult::Import(FileImport {
        filename: filename.clone(),
        clauses_added: 0,
        status: ImportStatus::Success,
        errors: Vec::new(),
        failed: None,
        output: None,
        columns: None,
        notes: None,
        characters: Some(document.characters),
        error: None,
    });
    Report::new(text, structured).notices(&report.notices)
}

pub(super) fn render_import(report: &ImportReport, budget: usize) -> Report {
    if let Some(document) = report.document {
        return render_document(report, document);
    }
    let (added, failed) = (report.clauses_added, report.errors.len());
    let status = match (added, failed) {
        (_, 0) => ImportStatus::Success,
        (0, _) => ImportStatus::Failed,
        _ => ImportStatus::Partial,
    };
    let filename = &report.filename;
    let mut text = match status {
        ImportStatus::Success if report.replaced.is_some() => {
            let Replaced { kept, removed } = report.replaced.unwrap_or_default();
            let new = added.saturating_sub(kept);
            format!("Successfully reloaded {filename}: {new} added, {removed} removed, {kept} as before")
        }
        ImportStatus::Success => format!("Successfully imported {} from {filename}", count(added, "clause")),
        ImportStatus::Partial => format!(
            "Import partial: {added} succeeded, {failed} failed. What succeeded is in the workspace; to correct \
             the file, unimport {filename} and import it again."
        ),
        ImportStatus::Failed => format!(
            "Error: Import failed: 0 succeeded, {failed} failed. Correct {filename} and import it again."
        ),
    };
    let is_same = report
        .replaced
        .is_some_and(|Replaced { kept, removed }| removed == 0 && kept == added);
    // What its columns are was told when it was read.
    let tables: &[About] = if is_same { &[] } else { &report.tables };
    let several = tables.len() > 1;
    let mut lines = Vec::new();
    for table in tables {
        let columns = fitted(
            budget / 3 / tables.len(),
            table.columns.iter().map(|column| {
                let line = column_line(column);
                let named = if several {
                    format!("{}: {line}", table.name)
                } else {
                    line.clone()
                };
                (format!("\n{line}"), named)
            }),
        );
        text.push_str(&table_text(table, &columns));
        lines.extend(columns.data);
    }
    let is_table = !tables.is_empty();
    let columns = is_table.then_some(lines);
    let errors = report.errors.iter().take(LISTED_ERRORS).map(|error| {
        let error = cut(error, ERROR_CHARS);
        (format!("\n  {error}"), error)
    });
    let errors = fitted(budget / 3, errors);
    text.push_str(&errors.text);
    if errors.data.len() < failed {
        text.push_str(&format!("\n  … and {} more", failed - errors.data.len()));
    }
    let output = (!report.output.is_empty()).then(|| cut(&report.output, OUTPUT_CHARS));
    if let Some(output) = &output {
        text.push_str(&format!("\nOutput:\n{output}"));
    }
    let structured = FilesResult::Import(FileImport {
        filename: filename.clone(),
        clauses_added: added,
        status,
        errors: errors.data,
        failed: Some(failed),
        output,
        columns,
        notes: is_table.then(|| tables.iter().flat_map(notes).collect()),
        characters: None,
        error: None,
    });
    let rendered = Report {
        is_error: status == ImportStatus::Failed,
        ..Report::new(text, structured)
    };
    rendered.warnings(&report.warnings).notices(&report.notices)
}

/// `orders/6:`, its columns one a line, and what is to be known about them.
fn table_text(table: &About, columns: &Fitted<String>) -> String {
    let (name, arity) = (&table.name, table.columns.len());
    let mut text = format!("\n{name}/{arity}:{}", columns.text);
    if columns.data.len() < arity {
        let more = arity - columns.data.len();
        text.push_str(&format!("\n… and {more} more columns: list_symbols names them"));
    }
    for note in notes(table) {
        text.push_str(&format!("\n{note}"));
    }
    text
}

fn notes(table: &About) -> Vec<String> {
    let notes = table.notes.iter().take(NOTES);
    notes.map(|note| cut(note, ERROR_CHARS)).collect()
}

/// `amount number, 2 null: 12.5, 3`
fn column_line(column: &Column) -> String {
    let mut line = column.name.clone();
    if column.kind != ColumnKind::Null {
        line.push_str(&format!(" {}", column.kind.name()));
    }
    if column.nulls > 0 {
        line.push_str(&format!(", {} null", column.nulls));
    }
    if !column.examples.is_empty() {
        line.push_str(&format!(": {}", column.examples.join(", ")));
    }
    line
}

/// The files from index `from` on, as many as fit in a reply.
pub(super) fn render_list(files: &[FileInfo], from: usize, budget: usize) -> Report {
    let items = files.iter().skip(from).map(|file| {
        let size = match file.characters {
            Some(characters) => format!("document, {}", count(characters, "character")),
            None => count(file.clause_count, "clause"),
        };
        (format!("\n{}: {size}", file.filename), file.clone())
    });
    let shown = fitted(budget / 2, items);
    let next = from + shown.data.len();
    let mut text = match files {
        [] => "(no imported files)".to_string(),
        _ => format!("Imported files ({}):{}", files.len(), shown.text),
    };
    let next = (next < files.len()).then_some(next);
    if let Some(next) = next {
        text.push_str(&format!(
            "\n… and {} more: continue with from: {next}",
            files.len() - next
        ));
    }
    let structured = FilesResult::List(FileList {
        files: shown.data,
        count: files.len(),
        from: next,
    });
    Report::new(text, structured)
}
