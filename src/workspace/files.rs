//! Files of clauses: import, unimport, list.

use std::rc::Rc;

use super::adding::{self, Added};
use super::changes::initialize;
use super::mark::shown_error;
use super::needs::Wanted;
use super::parts::Before;
use super::paths::FileText;
use super::request::Watch;
use super::sharing::on_the_newest;
use super::turn::Turn;
use super::types::*;
use super::{Inner, Workspace, doubts, follow};
use hornbook_base::{Control, Fault, FaultKind};
use hornbook_book::lexer::Lexer;
use hornbook_book::text::line_nested_deeper_in_slices;
use hornbook_book::{Delta, Known, Operation, SourceUse};
use hornbook_engine::protocol::{self, AddKind};
use hornbook_engine::reply::Done;

impl Workspace {
    /// Read a file and add its clauses, after those of the files that it loads. `text` gives the contents,
    /// for hosts without files; `filename` is then only a name. Clauses that cannot be added are reported;
    /// the others are imported all the same.
    pub async fn import(
        &self,
        filename: &str,
        text: Option<String>,
        control: &Control,
    ) -> Result<ImportReport, Fault> {
        on_the_newest(async || self.import_once(filename, text.clone(), control).await).await
    }

    async fn import_once(
        &self,
        filename: &str,
        text: Option<String>,
        control: &Control,
    ) -> Result<ImportReport, Fault> {
        let workspace = &*self.0;
        // Take the turn before reading: a request sent later then finds the file imported.
        let turn = workspace.turn(control).await?;
        let name = match &text {
            Some(_) => filename.to_owned(),
            None => workspace.roots.find(filename).await?,
        };
        workspace.check_not_imported(&name)?;
        let FileText { text, notice } = match text {
            Some(text) => FileText { text, notice: None },
            None => workspace.roots.read(&name, workspace.limits.file_bytes).await?,
        };
        workspace.check_file(&name, &text).await?;
        let (first, warnings) = workspace.at_home(Wanted::alone(name, text, notice)).await;
        let (mut wanted, errors) = workspace.with_needs(first).await?;
        let last = wanted.pop().expect("the file itself is wanted");
        let mut before = Before::default();
        (before.errors, before.warnings) = (errors, warnings);
        for wanted in wanted {
            workspace.check_file(&wanted.name, &wanted.text).await?;
            let (name, notice) = (wanted.name.clone(), wanted.notice.clone());
            let parts = workspace.take_parts(&turn, &wanted, control).await?;
            let mut needed = workspace.import_one(&turn, wanted, control).await?;
            let count = needed.clauses_added;
            let clauses = if count == 1 { "clause" } else { "clauses" };
            let imported = Notice(format!(
                "{name} was imported because this file loads it: {count} {clauses}."
            ));
            needed.notices = std::iter::once(imported).chain(notice).collect();
            before.take(&name, needed);
            before.join(parts);
        }
        before.notices.extend(last.notice.clone());
        before.join(workspace.take_parts(&turn, &last, control).await?);
        let mut report = workspace.import_one(&turn, last, control).await?;
        before.told_before(&mut report);
        Ok(report)
    }

    /// Remove all that remains of a file, named as it was imported or by its path.
    pub async fn unimport(&self, filename: &str, control: &Control) -> Result<UnimportReport, Fault> {
        on_the_newest(async || self.unimport_once(filename, control).await).await
    }

    async fn unimport_once(&self, filename: &str, control: &Control) -> Result<UnimportReport, Fault> {
        let workspace = &*self.0;
        let turn = workspace.turn(control).await?;
        let mut name = filename.to_owned();
        if workspace.imported(&name).is_none()
            && let Ok(path) = workspace.roots.find(filename).await
        {
            name = path;
        }
        let Some(used) = workspace.imported(&name) else {
            return Err(Fault::new(
                FaultKind::NotImported,
                format!("File {filename} is not imported."),
            ));
        };
        let (book, pace) = (workspace.book(), workspace.pace());
        let (mut ids, mut directives) = (Vec::with_capacity(used.entries), Vec::new());
        for (id, entry) in book.entries_of(&used) {
            ids.push(id);
            if !entry.is_clause() {
                directives.push(id);
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        let tables = directives
            .iter()
            .filter_map(|id| book.get(*id))
            .any(follow::tables);
        let mut known = book.declared_by(&directives);
        let private = workspace.private_of(&ids, &pace).await;
        let unknown = private.iter().filter(|one| book.standing(one).known != Known::No);
        known.extend(unknown.map(|one| (Rc::new(one.clone()), Known::No)));
        drop(book);
        // In a rebuilt engine a predicate local to another module may become global.
        let anew = tables || workspace.gives_way(&used);
        let edit = turn.edit();
        if !anew {
            follow::take_out(&turn, &ids, Watch::short("unimport")).await?;
            if !private.is_empty() {
                turn.ask::<Done>(protocol::undeclare(&private), Watch::short("unimport"))
                    .await?;
            }
        }
        let delta = Delta {
            known,
            removed: ids,
            ..Delta::default()
        };
        edit.record(Operation::Unimport(name.clone()), delta).await?;
        // An engine cannot untable a predicate.
        let told = match anew {
            true => follow::anew(edit).1,
            false => {
                edit.keep();
                None
            }
        };
        Ok(UnimportReport {
            filename: name,
            clauses_removed: used.clauses,
            notices: turn.notices().into_iter().chain(told).collect(),
        })
    }

    /// The files with clauses in the book, oldest first.
    pub fn files(&self) -> Vec<FileInfo> {
        let book = self.0.book.borrow();
        let info = |(name, used): (&str, &SourceUse)| FileInfo {
            filename: name.to_owned(),
            clause_count: used.clauses,
            timestamp: used.source.added_ms,
        };
        book.files().map(info).collect()
    }

    /// Paths under the roots that start with `prefix`, for completing file names.
    pub async fn complete_path(&self, prefix: &str) -> Vec<String> {
        self.0.roots.complete(prefix, self.0.limits.completions).await
    }
}

impl Inner {
    /// Add the clauses of a file whose text is nested no deeper than allowed.
    async fn import_one(
        &self,
        turn: &Turn<'_>,
        wanted: Wanted,
        control: &Control,
    ) -> Result<ImportReport, Fault> {
        let module = self.module_of(&wanted, None);
        let Wanted { name, text, .. } = wanted;
        self.check_room(text.len())?;
        let sources = [text];
        let (mut added, edit) =
            adding::add(turn, AddKind::File, module.as_ref(), "import", &sources, control).await?;
        let [text] = sources;
        let mut errors = refusals(&added, &text);
        errors.append(&mut added.ran.problems);
        let told = self
            .told_of_exports(&name, module.as_ref(), &text, added.pieces())
            .await;
        let clauses_added = added.clause_count();
        if added.is_empty() {
            edit.keep();
            let nothing = Notice(format!(
                "Nothing was imported: {name} has no clause that could be added."
            ));
            let notices = turn.notices().into_iter().chain([nothing]).collect();
            return Ok(ImportReport {
                filename: name,
                clauses_added,
                errors,
                output: String::new(),
                warnings: Vec::new(),
                notices,
            });
        }
        let goals = added.initializations.clone();
        let (draft, ran, mut output) = added.into_file(&name, module.as_ref(), text);
        let looked_at = doubts::Added::of(turn, &draft, false);
        ran.enter(turn, edit, Operation::Import(name.clone()), draft)
            .await?;
        let initialized = initialize(turn, goals, control).await;
        errors.extend(initialized.errors);
        output.push_str(&initialized.output);
        let mut warnings = told;
        if let Some(added) = looked_at {
            warnings.extend(added.warnings(turn).await);
        }
        let notices = turn.notices();
        Ok(ImportReport {
            filename: name,
            clauses_added,
            errors,
            output,
            warnings,
            notices,
        })
    }

    fn imported(&self, name: &str) -> Option<SourceUse> {
        self.book.borrow().file(name).cloned()
    }

    fn check_not_imported(&self, name: &str) -> Result<(), Fault> {
        match self.imported(name) {
            None => Ok(()),
            Some(_) => {
                let message = format!("File {name} is already imported. Unimport it first to reload it.");
                Err(Fault::new(FaultKind::AlreadyImported, message))
            }
        }
    }

    pub(super) async fn check_file(&self, name: &str, text: &str) -> Result<(), Fault> {
        if name.trim().is_empty() {
            return Err(Fault::new(FaultKind::FileError, "A file name is required."));
        }
        let limits = &self.limits;
        if text.len() > limits.file_bytes {
            let message = format!("File {name} is too large: {} bytes", text.len());
            return Err(Fault::limit(message, "file_bytes", limits.file_bytes));
        }
        let tokens = Lexer::of_file(text);
        if let Some(line) = line_nested_deeper_in_slices(text, tokens, limits.nesting, &self.pace()).await {
            let message = format!("File {name} is nested too deeply");
            return Err(Fault {
                line: Some(line),
                ..Fault::limit(message, "nesting", limits.nesting)
            });
        }
        Ok(())
    }
}

pub(super) fn refusals(added: &Added, text: &str) -> Vec<String> {
    let refusal = |outcome: &adding::Outcome| {
        let error = outcome.result.as_ref().err()?;
        let (line, column) = (error.line.unwrap_or(1), error.column.unwrap_or(0));
        Some(format!("{line}:{column}: {}", shown_error(error, text)))
    };
    added.outcomes.iter().filter_map(refusal).collect()
}
