//! Files of clauses: import, unimport, list.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use futures::FutureExt;
use futures::future::LocalBoxFuture;

use super::adding;
use super::changes::initialize;
use super::formats::{FileFormat, ImportOptions};
use super::needs::{Need, Wanted, is_named, needs};
use super::parts::Before;
use super::paths::FileText;
use super::request::Watch;
use super::saving::Out;
use super::sharing::on_the_newest;
use super::tables::{Contents, changed_rows, only_whole, told};
use super::turn::Turn;
use super::types::*;
use super::{Inner, Workspace, doubts, follow};
use hornbook_base::paths::is_absolute;
use hornbook_base::{Control, Fault, FaultKind};
use hornbook_book::lexer::{Lexer, TokenKind};
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
        workspace.check_not_imported(&name)?;
        if options.format_of(&name)? == FileFormat::Document {
            return workspace.import_document(&turn, name, text).await;
        }
        let Contents { file, tables } = workspace.contents(&name, text, options, control).await?;
        let report = workspace.import_new(&turn, name, file, control).await?;
        Ok(told(report, tables))
    }

    /// As [`Workspace::import`], but if the file is in the book already, its new contents replace the old ones in one
    /// revision. If nothing has changed, nothing happens; if none of the new text can be read, the old
    /// contents stay.
    pub async fn reload(
        &self,
        filename: &str,
        text: Option<String>,
        control: &Control,
    ) -> Result<ImportReport, Fault> {
        self.reload_as(filename, text, &ImportOptions::default(), control)
            .await
    }

    /// As [`Workspace::reload`]; `options` say what the file is, and how to read it. A table is read as before unless
    /// they say otherwise.
    pub async fn reload_as(
        &self,
        filename: &str,
        text: Option<String>,
        options: &ImportOptions,
        control: &Control,
    ) -> Result<ImportReport, Fault> {
        if !self.0.has_others() {
            return self.reload_once(filename, text, options, control).await;
        }
        on_the_newest(async || self.reload_once(filename, text.clone(), options, control).await).await
    }

    async fn reload_once(
        &self,
        filename: &str,
        text: Option<String>,
        options: &ImportOptions,
        control: &Control,
    ) -> Result<ImportReport, Fault> {
        let workspace = &*self.0;
        let turn = workspace.turn(control).await?;
        let name = match &text {
            Some(_) => filename.to_owned(),
            None => workspace.roots.find(filename).await?,
        };
        let keeps = options.keeps_retracted;
        if workspace.is_reloaded_as_document(&name, options)? {
            let stays = (workspace.is_document(&name) && options.format.is_none())
                .then(|| stays_a_document(&name))
                .flatten();
            let mut report = workspace.import_document(&turn, name, text).await?;
            report.notices.extend(stays);
            return Ok(report);
        }
        let Contents { file, tables } = workspace.contents(&name, text, options, control).await?;
        let mut changed = Before::default();
        let mut seen = BTreeSet::from([name.clone()]);
        workspace
            .reload_needed(
                &turn,
                (&name, &file.text),
                keeps,
                (&mut seen, &mut changed),
                control,
            )
            .await?;
        // Errors of the file itself have no name before their place.
        let own = format!("{name}:");
        for error in &mut changed.errors {
            *error = error.strip_prefix(&own).unwrap_or(error).to_owned();
        }
        let Some(was) = workspace.imported(&name) else {
            let mut report = workspace.import_new(&turn, name, file, control).await?;
            changed.told_before(&mut report);
            return Ok(told(report, tables));
        };
        let before = workspace.clauses_of(&name).await;
        if workspace.is_as_imported(&was, &file.text, keeps).await {
            let mut report = ImportReport {
                clauses_added: was.clauses,
                retracted: was.retracted,
                replaced: Some(Replaced {
                    kept: was.clauses,
                    removed: 0,
                }),
                notices: turn.notices(),
                tables,
                ..ImportReport::of(name)
            };
            changed.told_before(&mut report);
            return Ok(report);
        }
        let mut report = workspace
            .read_anew(&turn, (name.clone(), file), keeps, false, control)
            .await?;
        changed.told_before(&mut report);
        if report.replaced.is_some() {
            // Nothing of the new text could be added.
            return Ok(told(report, tables));
        }
        let after = workspace.clauses_of(&name).await;
        report.clauses_added = after.values().sum();
        report.replaced = Some(compared(&before, &after));
        let mut tables = tables;
        if let Some(first) = tables.first_mut() {
            first.notes.extend(changed_rows(&before, &after));
        }
        Ok(told(report, tables))
    }

    /// Remove all that remains of a file, named as it was imported or by its path.
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
        let (book, pace) = (workspace.book(), workspace.pace());
        let Some(used) = book.file(&name).cloned() else {
            if book.emptied(&name).is_none() {
                let message = format!("File {filename} is not imported.");
                return Err(Fault::new(FaultKind::NotImported, message));
            }
            drop(book);
            return workspace.unimport_emptied(&turn, name).await;
        };
        let (mut ids, mut directives) = (Vec::with_capacity(used.entries), Vec::new());
        let mut had_namesake = false;
        for (id, entry) in book.entries_of(&used) {
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
        drop(book);
        // In a rebuilt engine a predicate local to another module may become global, and a name of the system's means
        // that again.
        let anew = tables
            || workspace.gives_way(&used)
            || gone.iter().any(|one| turn.is_builtin(&one.to_string()))
            || had_namesake;
        let edit = turn.edit();
        follow::take_out(&turn, &ids, Watch::short("unimport")).await?;
        if !anew && !gone.is_empty() {
            turn.ask::<Done>(protocol::undeclare(&gone), Watch::short("unimport"))
                .await?;
        }
        let delta = Delta {
            known,
            removed: ids,
            ..Delta::default()
        };
        edit.record(Operation::Unimport(name.clone()), delta).await?;
        // An engine cannot untable a predicate.
        let told = follow::end(edit, anew);
        Ok(UnimportReport {
            filename: name,
            clauses_removed: used.clauses,
            is_document: false,
            notices: turn.notices().into_iter().chain(told).collect(),
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
        let (last, mut before) = self.with_needed(turn, name, file, control).await?;
        before.join(self.take_parts(turn, &last, control).await?);
        let mut report = self.import_one(turn, last, control).await?;
        before.told_before(&mut report);
        Ok(report)
    }

    /// Give a file of the book a new text; `is_needed` says that it is there only because another loads it. Files that
    /// none loads any more leave with the old one.
    async fn read_anew(
        &self,
        turn: &Turn<'_>,
        (name, file): (String, FileText),
        keeps: bool,
        is_needed: bool,
        control: &Control,
    ) -> Result<ImportReport, Fault> {
        let had = self.had(&name, keeps, &self.pace()).await;
        let (last, needed) = self.with_needed(turn, name.clone(), file, control).await?;
        let last = Wanted { is_needed, ..last };
        let unloaded = self.unloaded_by(&name, &last.text).await;
        let out = Out {
            stays: true,
            moves: needed.has_imported,
            with: &unloaded.leave,
            ..Out::default()
        };
        let mut report = self.replace_contents(turn, last, out, had, control).await?;
        if report.replaced.is_none() {
            report.notices.extend(unloaded.notices(&name));
        }
        needed.told_before(&mut report);
        Ok(report)
    }

    /// Reload the files of the book that a file loads, and those that they load, if they have changed since, or not all of
    /// their text could be read.
    fn reload_needed<'a, 't>(
        &'a self,
        turn: &'a Turn<'t>,
        (by, text): (&'a str, &'a str),
        keeps: bool,
        (seen, told): (&'a mut BTreeSet<String>, &'a mut Before<'t>),
        control: &'a Control,
    ) -> LocalBoxFuture<'a, Result<(), Fault>> {
        async move {
            for need in needs(text, &self.pace()).await {
                let path = match self.found(by, &need.name).await {
                    Ok(path) => path,
                    Err(_) => {
                        told.errors.extend(self.gone_from_disk(by, &need).await);
                        continue;
                    }
                };
                let is_prolog = FileFormat::of(&path) == FileFormat::Prolog;
                let Some(was) = self.imported(&path).filter(|_| is_prolog) else {
                    continue;
                };
                if !seen.insert(path.clone()) {
                    continue;
                }
                let FileText { text, notice } = self.roots.read(&path, self.limits.file_bytes).await?;
                let (text, _) = self.plain_own(text).await;
                self.reload_needed(turn, (&path, &text), keeps, (&mut *seen, &mut *told), control)
                    .await?;
                let has_changed = *was.text != *text;
                let needs = needs(&text, &self.pace()).await;
                // What it loads could not be read when it was.
                let lacks_some = needs.iter().any(|need| !self.imported_as(&need.name));
                if !has_changed && !lacks_some && self.has_all(&was, &text, keeps).await {
                    continue;
                }
                self.check_file(&path, &text).await?;
                let file = (path.clone(), FileText { text, notice });
                let is_needed = was.is_needed;
                let mut report = self.read_anew(turn, file, keeps, is_needed, control).await?;
                if has_changed {
                    let again = match report.replaced {
                        None => format!("{path} has changed, and was read again because {by} loads it."),
                        Some(_) => format!(
                            "{path} has changed, and the book keeps what it had of it: none of its clauses can be read. Correct it."
                        ),
                    };
                    report.notices.insert(0, Notice(again));
                }
                told.take(&path, report);
            }
            Ok(())
        }
        .boxed_local()
    }

    /// What to tell if a file that was read from the disk is not there any more.
    async fn gone_from_disk(&self, by: &str, need: &Need) -> Option<String> {
        let book = self.book();
        let mut files = book.files().map(|(name, _)| name);
        let name = files.find(|name| is_absolute(name) && is_named(name, &need.name))?;
        let fault = self.roots.find(name).await.err()?;
        let line = need.line;
        (fault.kind == FaultKind::FileError).then(|| {
            format!("{by}:{line}:0: {name} is not there any more. The book keeps what it had of it: restore the file, or unimport it.")
        })
    }

    /// Import the files that a file loads and the book lacks. Returns the file itself, and what to tell before
    /// its report.
    async fn with_needed<'t>(
        &self,
        turn: &'t Turn<'_>,
        name: String,
        FileText { text, notice }: FileText,
        control: &Control,
    ) -> Result<(Wanted, Before<'t>), Fault> {
        let (first, warnings) = self.at_home(Wanted::alone(name, text, notice)).await;
        let (mut wanted, errors) = self.with_needs(first).await?;
        let last = wanted.pop().expect("the file itself is wanted");
        let mut before = Before::default();
        (before.errors, before.warnings) = (errors, warnings);
        for wanted in wanted {
            self.check_file(&wanted.name, &wanted.text).await?;
            let (name, notice) = (wanted.name.clone(), wanted.notice.clone());
            let parts = self.take_parts(turn, &wanted, control).await?;
            let mut needed = self.import_one(turn, wanted, control).await?;
            let count = needed.clauses_added;
            let clauses = if count == 1 { "clause" } else { "clauses" };
            let imported = Notice(format!(
                "{name} was imported because this file loads it: {count} {clauses}."
            ));
            needed.notices = std::iter::once(imported).chain(notice).collect();
            before.take(&name, needed);
            before.join(parts);
            before.has_imported = true;
        }
        before.notices.extend(last.notice.clone());
        Ok((last, before))
    }

    /// The clauses of a file that are in the book, and how often each is there.
    async fn clauses_of(&self, name: &str) -> BTreeMap<Box<str>, usize> {
        let (book, pace) = (self.book(), self.pace());
        let mut clauses = BTreeMap::new();
        for (_, entry) in book.file(name).into_iter().flat_map(|used| book.entries_of(used)) {
            if entry.is_clause() {
                *clauses.entry(entry.code().into()).or_default() += 1;
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        clauses
    }

    /// Whether the book has all of a file that was imported with this text, except, with `keeps`, what was retracted
    /// since, and the text loads no file that the book lacks, or without `keeps` none at all.
    async fn is_as_imported(&self, was: &Imported, text: &str, keeps: bool) -> bool {
        if *was.text != *text {
            return false;
        }
        let needs = needs(text, &self.pace()).await;
        let lacks_some = needs.iter().any(|need| !keeps || !self.imported_as(&need.name));
        !lacks_some && self.has_all(was, text, keeps).await
    }

    /// Whether the book has all of a file with this text, except, with `keeps`, what was retracted since.
    async fn has_all(&self, was: &Imported, text: &str, keeps: bool) -> bool {
        let pace = self.pace();
        let retracted = if keeps { was.retracted } else { 0 };
        let mut read = 0;
        for token in Lexer::of_file(text) {
            read += usize::from(token.kind == TokenKind::End);
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        read == was.entries + retracted
    }

    /// Add the clauses of a file whose text is nested no deeper than allowed.
    async fn import_one(
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

    fn imported(&self, name: &str) -> Option<Imported> {
        let book = self.book.borrow();
        if let Some(emptied) = book.emptied(name) {
            return Some(Imported {
                retracted: emptied.gone.len(),
                text: emptied.text.into(),
                clauses: 0,
                entries: 0,
                is_needed: false,
            });
        }
        let used = book.file(name)?;
        Some(Imported {
            text: Rc::from(&*used.source.text),
            clauses: used.clauses,
            entries: used.entries,
            retracted: book.gone_code(used).count(),
            is_needed: used.source.is_needed,
        })
    }

    /// Forget a file of which nothing is left.
    async fn unimport_emptied(&self, turn: &Turn<'_>, name: String) -> Result<UnimportReport, Fault> {
        let edit = turn.edit();
        edit.record(Operation::Unimport(name.clone()), Delta::default())
            .await?;
        // The engine has nothing of it.
        edit.keep();
        Ok(UnimportReport {
            filename: name,
            clauses_removed: 0,
            is_document: false,
            notices: turn.notices(),
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

    /// Whether a file that is reloaded is a document: as it is in the book, or else as it would be imported.
    fn is_reloaded_as_document(&self, name: &str, options: &ImportOptions) -> Result<bool, Fault> {
        let is_asked_for = options.format_of(name)? == FileFormat::Document;
        if !self.has(name) {
            return Ok(is_asked_for);
        }
        let is_document = self.is_document(name);
        if options.format.is_some() && is_asked_for != is_document {
            let now = if is_document { "a document" } else { "clauses" };
            let message = format!("The book has {name} as {now}.");
            let next = "Unimport it first to import it in another format, or reload it without a format.";
            return Err(Fault::new(FaultKind::InvalidArgument, message).with_next(next));
        }
        Ok(is_document)
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

/// What the book has of a file that is imported.
struct Imported {
    text: Rc<str>,
    clauses: usize,
    entries: usize,
    /// How many of its entries were retracted.
    retracted: usize,
    /// It came only because another file loads it.
    is_needed: bool,
}

/// What to tell of a document that a file of this name would not be if it were imported now.
fn stays_a_document(name: &str) -> Option<Notice> {
    let what = match FileFormat::of(name) {
        FileFormat::Document => return None,
        FileFormat::Prolog => "clauses",
        FileFormat::Table(_) => "facts",
    };
    Some(Notice(format!(
        "{name} stays a document of the book. To have it as {what}, unimport it and import it again."
    )))
}

/// What became of clauses that a file had before.
fn compared(before: &BTreeMap<Box<str>, usize>, after: &BTreeMap<Box<str>, usize>) -> Replaced {
    let kept = |(clause, count): (&_, &usize)| after.get(clause).map_or(0, |now| *now.min(count));
    let kept: usize = before.iter().map(kept).sum();
    Replaced {
        kept,
        removed: before.values().sum::<usize>() - kept,
    }
}
