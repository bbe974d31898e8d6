//! `files`: Prolog files, imported as they are written.

use futures::FutureExt;
use serde_json::json;

use crate::budget::fitted;
use crate::report::{Outcome, Report, advised, count, failed, invalid_argument};
use crate::schema::{Argument, Arguments, Kind};
use crate::toolset::{Hints, Tool};
use hornbook_base::{Control, FaultKind, cut};
use hornbook_workspace::{FileInfo, ImportReport, Workspace};

pub const TOOL: Tool<Workspace> = Tool {
    name: "files",
    title: "Files",
    description: "Import a Prolog file, remove an imported file's clauses (unimport), or list imports.",
    arguments: &[
        Argument {
            name: "operation",
            kind: Kind::choice(&["import", "unimport", "list"]),
            required: true,
            operations: &[],
            description: "",
        },
        Argument {
            name: "filename",
            kind: Kind::Text,
            required: false,
            operations: &["import", "unimport"],
            description: "",
        },
        Argument {
            name: "text",
            kind: Kind::Text,
            required: false,
            operations: &["import"],
            description: "import: contents",
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

/// How many errors of a file are told, and characters of one.
const TOLD_ERRORS: usize = 50;
const ERROR_CHARS: usize = 300;
/// Characters of what the file's goals wrote.
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
    if operation == "import" {
        return Ok(
            match workspace
                .import(&filename, arguments.text("text"), &control)
                .await
            {
                Ok(report) => render_import(&report, workspace.reply_tokens()),
                Err(fault) => {
                    let fault = advised(fault);
                    let message = fault.message.clone();
                    let structured = json!({
                        "type": "file_import",
                        "filename": filename,
                        "clausesAdded": 0,
                        "errors": [message],
                        "status": "failed",
                    });
                    failed(fault, structured)
                }
            },
        );
    }
    match workspace.unimport(&filename, &control).await {
        Ok(report) => {
            let removed = report.clauses_removed;
            let text = format!(
                "Successfully unimported {} from {}",
                count(removed, "clause"),
                report.filename
            );
            let structured = json!({
                "type": "file_unimport",
                "filename": report.filename,
                "clausesRemoved": removed,
                "status": "success",
            });
            Ok(Report::new(text, structured).notices(&report.notices))
        }
        Err(fault) => {
            let status = match fault.kind {
                FaultKind::NotImported => "not_found",
                _ => "failed",
            };
            let structured = json!({
                "type": "file_unimport",
                "filename": filename,
                "clausesRemoved": 0,
                "status": status,
            });
            Ok(failed(fault, structured))
        }
    }
}

pub(super) fn render_import(report: &ImportReport, budget: usize) -> Report {
    let (added, failed) = (report.clauses_added, report.errors.len());
    let status = match (added, failed) {
        (_, 0) => "success",
        (0, _) => "failed",
        _ => "partial",
    };
    let filename = &report.filename;
    let mut text = match status {
        "success" => format!("Successfully imported {} from {filename}", count(added, "clause")),
        "partial" => format!(
            "Import partial: {added} succeeded, {failed} failed. What succeeded is in the workspace; to correct \
             the file, unimport {filename} and import it again."
        ),
        _ => format!(
            "Error: Import failed: 0 succeeded, {failed} failed. Correct {filename} and import it again."
        ),
    };
    let errors = report.errors.iter().take(TOLD_ERRORS).map(|error| {
        let error = cut(error, ERROR_CHARS);
        (format!("\n  {error}"), json!(error))
    });
    let told = fitted(budget / 3, errors);
    text.push_str(&told.text);
    if told.data.len() < failed {
        text.push_str(&format!("\n  … and {} more", failed - told.data.len()));
    }
    let mut structured = json!({
        "type": "file_import",
        "filename": filename,
        "clausesAdded": added,
        "errors": told.data,
        "failed": failed,
        "status": status,
    });
    if !report.output.is_empty() {
        let output = cut(&report.output, OUTPUT_CHARS);
        text.push_str(&format!("\nOutput:\n{output}"));
        structured["output"] = json!(output);
    }
    let rendered = Report {
        is_error: status == "failed",
        ..Report::new(text, structured)
    };
    rendered.warnings(&report.warnings).notices(&report.notices)
}

/// The files from the one with this number on, as many as a reply has room for.
pub(super) fn render_list(files: &[FileInfo], from: usize, budget: usize) -> Report {
    let items = files.iter().skip(from).map(|file| {
        let clauses = count(file.clause_count, "clause");
        (format!("\n{}: {clauses}", file.filename), json!(file))
    });
    let told = fitted(budget / 2, items);
    let next = from + told.data.len();
    let mut text = match files {
        [] => "(no imported files)".to_string(),
        _ => format!("Imported files ({}):{}", files.len(), told.text),
    };
    let mut structured = json!({ "type": "files_list", "files": told.data, "count": files.len() });
    if next < files.len() {
        structured["from"] = json!(next);
        text.push_str(&format!(
            "\n… and {} more: go on with from: {next}",
            files.len() - next
        ));
    }
    Report::new(text, structured)
}
