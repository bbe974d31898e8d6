//! Files of clauses: import, unimport, list.

use std::rc::Rc;

use super::adding;
use super::changes::initialize;
use super::formats::{FileFormat, ImportOptions};
use super::loads::{Held, reached};
use super::needs::Wanted;
use super::parts::Before;
use super::paths::{FileText, Finds};
use super::request::Watch;
use super::sharing::on_the_newest;
use super::tables::{Contents, only_whole, told};
use super::turn::Turn;
use super::types::*;
use super::unloaded::has_left;
use super::{Inner, Workspace, doubts, follow};
use hornbook_base::{Control, Fault, FaultKind};
use hornbook_book::lexer::Lexer;
use hornbook_book::text::unreadable_in_slices;
use hornbook_book::{Delta, Emptied, Known, Operation, SourceUse};
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
        self.import_as(filename, text, &ImportOptions::default(), control)
            .await
    }

    /// As [`Workspace::import`]; `options` say what the file is, and how to read it.
    pub async fn import_as(
        &self,
        filename: &str,
        text: Option<String>,
        options: &ImportOptions,
        control: &Control,
    ) -> Result<ImportReport, Fault> {
        // A large text is there once, unless it may be needed again.
        if !self.0.has_others() {
            return self.import_once(filename, text, options, control).await;
        }
        on_the_newest(async || self.import_once(filename, text.clone(), options, control).await).await
    }

    async fn import_once(
        &self,
        filename: &str,
        text: Option<String>,
        options: &ImportOptions,
        control: &Control,
    ) -> Result<ImportReport, Fault> {
        let workspace = &*self.0;
        // Take the turn before reading: a request sent later then finds the file imported.
        let turn = workspace.turn(control).await?;
        let name = match &text {
            Some(_) => filename.to_owned(),
            None => workspace.roots.find(filename).await?,
        };
        let format = options.format_of(&name)?;
        let is_needed = format == FileFormat::Prolog && workspace.is_needed(&name);
        if !is_needed {
            workspace.check_not_imported(&name)?;
        }
        if format == FileFormat::Document {
            return workspace.import_document(&turn, name, text).await;
        }
        let contents = workspace.contents(&name, text, options, control).await?;
        if is_needed {
            return workspace.import_held(&turn, name, contents, control).await;
        }
        let Contents { file, tables } = contents;
        let report = workspace.import_new(&turn, name, file, control).await?;
        Ok(told(report, tables))
    }

    /// Remove all that remains of a file, named as it was imported or by its path, and of the files that came only because it
    /// loads them, directly or not.
    pub async fn unimport(&self, filename: &str, control: &Control) -> Result<UnimportReport, Fault> {
        on_the_newest(async || self.unimport_once(filename, control).await).await
    }

    async fn unimport_once(&self, filename: &str, control: &Control) -> Result<UnimportReport, Fault> {
        let workspace = &*self.0;
        let turn = workspace.turn(control).await?;
        let mut name = filename.to_owned();
        if !workspace.has(&name)
            && let Ok(path) = workspace.roots.find(filename).await
        {
            name = path;
        }
        if workspace.is_document(&name) {
            return workspace.unimport_document(&turn, name).await;
        }
        if !workspace.has(&name) {
            let message = format!("File {filename} is not imported.");
            return Err(Fault::new(FaultKind::NotImported, message));
        }
        let finds = Finds::default();
        let loads = workspace.loads(&finds).await;
        let mut files = reached([name.clone()], &loads);
        files.remove(&name);
        let left = workspace.unloaded(files, (&name, None), None, &finds).await;
        let (book, pace) = (workspace.book(), workspace.pace());
        let all = || std::iter::once(&name).chain(&left);
        let used: Vec<&SourceUse> = all().filter_map(|name| book.file(name)).collect();
        let cells = all().filter(|name| book.emptied(name).is_some());
        let cells = cells.map(|name| Emptied::forgotten(name)).collect();
        let clauses_removed = used.iter().map(|used| used.clauses).sum();
        let (mut ids, mut directives) = (Vec::new(), Vec::new());
        let mut had_namesake = false;
        for (id, entry) in used.iter().flat_map(|used| book.entries_of(used)) {
            ids.push(id);
            had_namesake |= entry.is_clause() && book.has_namesake(entry.predicate());
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
        if had_namesake {
            workspace.book.borrow_mut().name_as_recorded();
        }
        let gone = workspace.only_in(&ids, &pace).await;
        let known = gone.iter().filter(|one| book.standing(one).known != Known::No);
        let known = known.map(|one| (Rc::new(one.clone()), Known::No)).collect();
        // In a rebuilt engine a predicate local to another module may become global.
        let anew = tables || used.iter().any(|used| workspace.gives_way(used)) || had_namesake;
        drop(book);
        let edit = turn.edit();
        // Of a file of which nothing is left the engine has nothing.
        if !ids.is_empty() {
            follow::take_out(&turn, &ids, Watch::short("unimport")).await?;
        }
        if !anew && !gone.is_empty() {
            turn.ask::<Done>(protocol::undeclare(&gone), Watch::short("unimport"))
                .await?;
        }
        let delta = Delta {
            known,
            removed: ids,
            cells,
            ..Delta::default()
        };
        edit.record(Operation::Unimport(name.clone()), delta).await?;
        // An engine cannot untable a predicate.
        let told = follow::end(edit, anew);
        Ok(UnimportReport {
            filename: name,
            clauses_removed,
            is_document: false,
            notices: { left.iter().map(|file| has_left(file)) }
                .chain(turn.notices())
                .chain(told)
                .collect(),
        })
    }

    /// The files with clauses in the book, oldest first, after them those of which nothing is left, and its documents.
    pub fn files(&self) -> Vec<FileInfo> {
        let book = self.0.book.borrow();
        let info = |(name, used): (&str, &SourceUse)| FileInfo {
            filename: name.to_owned(),
            clause_count: used.clauses,
            characters: None,
            timestamp: used.source.added_ms,
        };
        let emptied = |(name, emptied): (&str, Emptied<'_>)| FileInfo {
            filename: name.to_owned(),
            clause_count: 0,
            characters: None,
            timestamp: emptied.added_ms,
        };
        let files = book.files().map(info).chain(book.all_emptied().map(emptied));
        files.chain(self.0.documents()).collect()
    }

    /// Paths under the roots that start with `prefix`, for completing file names.
    pub async fn complete_path(&self, prefix: &str) -> Vec<String> {
        self.0.roots.complete(prefix, self.0.limits.completions).await
    }
}

impl Inner {
    /// Import a file that is not in the book, after those that it loads.
    async fn import_new(
        &self,
        turn: &Turn<'_>,
        name: String,
        file: FileText,
        control: &Control,
    ) -> Result<ImportReport, Fault> {
        let FileText { text, notice } = file;
        let (first, warnings) = self.at_home(Wanted::alone(name, text, notice)).await;
        let (mut files, errors) = self.with_needs(first, Held::Stay, &Finds::default()).await?;
        let last = files.pop().expect("the file itself is wanted").wanted;
        let mut before = Before::default();
        (before.errors, before.warnings) = (errors, warnings);
        for file in files {
            self.check_file(&file.wanted.name, &file.wanted.text).await?;
            self.import_needed(turn, file.wanted, &mut before, control)
                .await?;
        }
        before.notices.extend(last.notice.clone());
        before.join(self.take_parts(turn, &last, control).await?);
        let mut report = self.import_one(turn, last, control).await?;
        before.told_before(&mut report);
        Ok(report)
    }

    /// Import a file that the book has only because another loads it: it is there by itself from then on.
    async fn import_held(
        &self,
        turn: &Turn<'_>,
        name: String,
        contents: Contents,
        control: &Control,
    ) -> Result<ImportReport, Fault> {
        let has_text = |held: (String, bool)| held.0 == contents.file.text;
        if !self.held(&name).is_some_and(has_text) {
            self.check_not_imported(&name)?;
        }
        let from_now_on = Notice(format!(
            "{name} was in the book because another file loads it. From now on it stays without that."
        ));
        let mut report = self.reload_clauses(turn, name, contents, true, control).await?;
        report.notices.insert(0, from_now_on);
        Ok(report)
    }

    /// Import a file that another loads, at the end of the book.
    pub(super) async fn import_needed<'t>(
        &self,
        turn: &'t Turn<'_>,
        wanted: Wanted,
        told: &mut Before<'t>,
        control: &Control,
    ) -> Result<(), Fault> {
        let (name, notice) = (wanted.name.clone(), wanted.notice.clone());
        let parts = self.take_parts(turn, &wanted, control).await?;
        let needed = self.import_one(turn, wanted, control).await?;
        told.take_needed(&name, needed, notice);
        told.join(parts);
        Ok(())
    }

    /// Add the clauses of a file whose text is nested no deeper than allowed.
    pub(super) async fn import_one(
        &self,
        turn: &Turn<'_>,
        wanted: Wanted,
        control: &Control,
    ) -> Result<ImportReport, Fault> {
        let module = self.module_of(&wanted, None);
        let Wanted {
            name,
            text,
            is_needed,
            ..
        } = wanted;
        self.check_room(text.len())?;
        let sources = [text];
        let (mut added, edit) =
            adding::add(turn, AddKind::File, module.as_ref(), "import", &sources, control).await?;
        let [text] = sources;
        let mut errors = added.refusals(&text);
        only_whole(&name, &text, &errors)?;
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
                clauses_added,
                errors,
                notices,
                ..ImportReport::of(name)
            });
        }
        let goals = added.initializations.clone();
        let (draft, ran, mut output) = added.into_file(&name, module.as_ref(), is_needed, text);
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
            clauses_added,
            errors,
            output,
            warnings,
            notices,
            ..ImportReport::of(name)
        })
    }

    /// Whether this file is imported, or a document of the book.
    pub(super) fn has(&self, name: &str) -> bool {
        let book = self.book.borrow();
        book.file(name).is_some() || book.emptied(name).is_some() || self.is_document(name)
    }

    fn check_not_imported(&self, name: &str) -> Result<(), Fault> {
        match self.has(name) {
            false => Ok(()),
            true => {
                let how = match self.is_document(name) {
                    true => "in the book, as a document",
                    false => "already imported",
                };
                let message = format!("File {name} is {how}. Reload it, or unimport it first.");
                Err(Fault::new(FaultKind::AlreadyImported, message))
            }
        }
    }

    pub(super) fn check_name_and_size(&self, name: &str, text: &str) -> Result<(), Fault> {
        if name.trim().is_empty() {
            return Err(Fault::new(FaultKind::FileError, "A file name is required."));
        }
        if name.contains('\0') {
            let message = "A file name cannot contain a NUL character.";
            return Err(Fault::new(FaultKind::FileError, message));
        }
        let most = self.limits.file_bytes;
        if text.len() > most {
            let message = format!("File {name} is too large: {} bytes", text.len());
            return Err(Fault::limit(message, "file_bytes", most));
        }
        Ok(())
    }

    pub(super) async fn check_file(&self, name: &str, text: &str) -> Result<(), Fault> {
        self.check_name_and_size(name, text)?;
        let what = format!("File {name}");
        let tokens = Lexer::of_file(text);
        match unreadable_in_slices(&what, text, tokens, &self.limits, &self.pace()).await {
            Some(fault) => Err(fault),
            None => Ok(()),
        }
    }
}
