//! `files`: Prolog files, imported as they are written.

use futures::FutureExt;
use serde_json::json;

use crate::report::{Failure, Outcome, Report, count, cut};
use crate::schema::{Argument, Arguments, Kind};
use crate::toolset::{Hints, Tool};
use hornbook_base::{Control, FaultKind};
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
    ],
    hints: Hints::Destructive,
    run: |workspace, arguments, call| run(workspace, arguments, call.control()).boxed_local(),
};

/// How many errors of a file are told in the text, and how many in the data.
const TOLD_ERRORS: usize = 20;
const KEPT_ERRORS: usize = 1000;

async fn run(workspace: Workspace, arguments: Arguments, control: Control) -> Outcome {
    let operation = arguments.text("operation").unwrap_or_default();
    if operation == "list" {
        return Ok(render_list(&workspace.files()));
    }
    let Some(filename) = arguments.text("filename").filter(|name| !name.is_empty()) else {
        let next = "Give 'filename', the path or name of the file.";
        return Err(Failure::invalid_argument(
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
                Ok(report) => render_import(&report),
                Err(fault) => {
                    let failure = Failure::from(fault);
                    failure.report(json!({
                        "type": "file_import",
                        "filename": filename,
                        "clausesAdded": 0,
                        "errors": [failure.message],
                        "status": "failed",
                    }))
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
            let failure = Failure::from(fault);
            let status = if failure.is(FaultKind::NotImported) {
                "not_found"
            } else {
                "failed"
            };
            Ok(failure.report(json!({
                "type": "file_unimport",
                "filename": filename,
                "clausesRemoved": 0,
                "status": status,
            })))
        }
    }
}

pub(super) fn render_import(report: &ImportReport) -> Report {
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
    for error in report.errors.iter().take(TOLD_ERRORS) {
        text.push_str(&format!("\n  {}", cut(error, 200)));
    }
    if failed > TOLD_ERRORS {
        text.push_str(&format!("\n  … and {} more", failed - TOLD_ERRORS));
    }
    if !report.output.is_empty() {
        text.push_str(&format!("\nOutput:\n{}", report.output));
    }
    let errors: Vec<String> = report
        .errors
        .iter()
        .take(KEPT_ERRORS)
        .map(|error| cut(error, 300))
        .collect();
    let mut structured = json!({
        "type": "file_import",
        "filename": filename,
        "clausesAdded": added,
        "errors": errors,
        "status": status,
    });
    if !report.output.is_empty() {
        structured["output"] = json!(report.output);
    }
    let rendered = Report {
        is_error: status == "failed",
        ..Report::new(text, structured)
    };
    rendered.notices(&report.notices)
}

pub(super) fn render_list(files: &[FileInfo]) -> Report {
    let text = if files.is_empty() {
        "(no imported files)".to_string()
    } else {
        let lines = files
            .iter()
            .map(|file| format!("\n{}: {}", file.filename, count(file.clause_count, "clause")));
        format!("Imported files ({}):{}", files.len(), lines.collect::<String>())
    };
    Report::new(
        text,
        json!({ "type": "files_list", "files": files, "count": files.len() }),
    )
}
