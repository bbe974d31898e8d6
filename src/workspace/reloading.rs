//! Reloading: what a file has now, and the files that it loads, comes in the place of what the book has of them.
//!
//! After it the book has what one would have into which the files were imported afresh, in the order in which they load each
//! other, without the clauses that were retracted meanwhile. A file that has not changed, and stands where it would, is
//! left as it is.

use std::collections::BTreeSet;

use super::formats::{FileFormat, ImportOptions};
use super::held::{Imported, compared};
use super::loads::{Loaded, Loads, reached};
use super::needs::Wanted;
use super::parts::Before;
use super::paths::Finds;
use super::saving::Out;
use super::sharing::on_the_newest;
use super::tables::{Contents, changed_rows, told as told_of};
use super::turn::Turn;
use super::types::*;
use super::unloaded::has_left;
use super::{Inner, Workspace};
use hornbook_base::{Control, Fault, FaultKind};
use hornbook_book::{Put, Spot};

impl Workspace {
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
        let contents = workspace.contents(&name, text, options, control).await?;
        workspace
            .reload_clauses(&turn, name, contents, keeps, control)
            .await
    }
}

impl Inner {
    /// Read a file again, and those that hang together with it, if they have changed or stand elsewhere than they would if
    /// they were imported afresh.
    pub(super) async fn reload_clauses(
        &self,
        turn: &Turn<'_>,
        name: String,
        Contents { file, mut tables }: Contents,
        keeps: bool,
        control: &Control,
    ) -> Result<ImportReport, Fault> {
        let finds = Finds::default();
        let loads = self.loads(&finds).await;
        let first = Wanted::alone(name.clone(), file.text, file.notice);
        let (order, errors) = self.together_with(first, &loads, &finds).await?;
        let steps = self.steps(&name, order, keeps).await;
        let names: BTreeSet<&str> = steps.iter().map(Step::name).collect();
        let mut loaded_before = reached(names.iter().map(|file| (*file).to_owned()), &loads);
        loaded_before.retain(|file| !names.contains(file.as_str()));
        let own = steps.iter().find(|step| step.name() == name);
        let was = own.and_then(|step| step.was.as_ref());
        let was = was.map(|was| (was.clauses, was.retracted));
        let mut told = Before::default();
        told.errors = errors;
        let mut reload = Reload {
            name: &name,
            keeps,
            has_others: steps.len() > 1,
            last: steps.iter().rposition(|step| step.action != Action::Stays),
            loads,
            finds,
            loaded_before,
            told,
            own: None,
            removed: 0,
            behind: None,
        };
        let kept: Vec<Option<Spot>> = { steps.iter() }
            .map(|step| Some(step.was.as_ref()?.span.as_ref()?.0.clone()))
            .collect();
        for (at, step) in steps.into_iter().enumerate() {
            let file = step.name().to_owned();
            if step.action != Action::Stays {
                let next = kept[at + 1..].iter().flatten().next();
                let is_last = reload.last == Some(at);
                self.read_step(turn, &mut reload, step, (is_last, next), control)
                    .await?;
            }
            let span = self.span_of(&file);
            reload.behind = reload.behind.take().max(span.map(|(_, last)| last));
        }
        let Reload {
            told,
            own,
            removed: elsewhere,
            ..
        } = reload;
        let (mut report, rows) = own.unwrap_or_else(|| {
            let (clauses_added, retracted) = was.unwrap_or_default();
            let report = ImportReport {
                clauses_added,
                retracted,
                replaced: Some(Replaced {
                    kept: clauses_added,
                    removed: 0,
                }),
                notices: turn.notices(),
                ..ImportReport::of(name)
            };
            (report, None)
        });
        if elsewhere > 0 {
            report.replaced.get_or_insert_default().removed += elsewhere;
        }
        told.told_before(&mut report);
        if let (Some(first), Some(rows)) = (tables.first_mut(), rows) {
            first.notes.push(rows);
        }
        Ok(told_of(report, tables))
    }

    /// What is to be done with each of these files, which are in the order in which they load each other.
    async fn steps(&self, name: &str, order: Vec<Loaded>, keeps: bool) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::with_capacity(order.len());
        let mut comes = BTreeSet::new();
        let mut behind: Option<Spot> = None;
        for loaded in order {
            let file = loaded.wanted.name.clone();
            let was = self.imported(&file, &loaded.wanted.text);
            let (first, last) = was.as_ref().and_then(|was| was.span.clone()).unzip();
            let stands_before = first.is_some() && first < behind;
            let action = match &was {
                None => {
                    comes.insert(file);
                    Action::Comes
                }
                Some(_) if stands_before => Action::Moves,
                Some(was) if self.is_read_again(name, &loaded, was, &comes, keeps).await => Action::IsRead,
                Some(_) => Action::Stays,
            };
            if !stands_before {
                behind = behind.max(last);
            }
            steps.push(Step { loaded, was, action });
        }
        steps
    }

    /// Whether a file of the book that stands where it should is read again: it has changed, or something that it loads
    /// comes only now, or the book lacks some of it. With `keeps` what was retracted is not lacking.
    async fn is_read_again(
        &self,
        name: &str,
        loaded: &Loaded,
        was: &Imported,
        comes: &BTreeSet<String>,
        keeps: bool,
    ) -> bool {
        if !loaded.is_read {
            return false;
        }
        // What is reloaded by its name is in the book by itself from now on.
        let is_own = loaded.wanted.name == name;
        let is_forced = is_own && (was.is_needed || !keeps && !loaded.loads.is_empty());
        let loads_new = loaded.loads.iter().any(|file| comes.contains(file));
        was.has_changed || is_forced || loads_new || !self.has_all(was, &loaded.wanted.text, keeps).await
    }

    /// Carry out a step. `next` is where the files begin that come after it.
    async fn read_step<'t>(
        &self,
        turn: &'t Turn<'_>,
        reload: &mut Reload<'_, 't>,
        Step { loaded, was, action }: Step,
        (is_last, next): (bool, Option<&Spot>),
        control: &Control,
    ) -> Result<(), Fault> {
        let Loaded {
            wanted,
            by,
            loads,
            is_read,
        } = loaded;
        let file = wanted.name.clone();
        let is_own = file == reload.name;
        if !is_own && is_read {
            self.check_file(&file, &wanted.text).await?;
        }
        let (wanted, warnings) = match action {
            // It has its module from the file that loads it.
            Action::Comes if !is_own => (wanted, Vec::new()),
            _ => self.at_home(wanted).await,
        };
        let has_place = was.as_ref().is_some_and(|was| was.span.is_some()) && action != Action::Moves;
        let put = match has_place {
            true => Some(Put::InPlace),
            false => self.put_between(reload.behind.as_ref(), next),
        };
        let leaves = match is_last {
            true => {
                let files = std::mem::take(&mut reload.loaded_before);
                self.unloaded(
                    files,
                    (&file, Some(&wanted.text)),
                    Some(reload.name),
                    &reload.finds,
                )
                .await
            }
            false => Vec::new(),
        };
        if action == Action::Comes && put.is_none() && leaves.is_empty() {
            return self.read_at_end(turn, reload, wanted, warnings, control).await;
        }
        let notice = wanted.notice.clone();
        let before = self.clauses_of(&file).await;
        let leave = { leaves.iter() }
            .map(|file| self.book.borrow().file(file).map_or(0, |used| used.clauses))
            .sum::<usize>();
        // What was retracted from a file that only moves stays so.
        let had = self.had(&file, reload.keeps || !is_read, &self.pace()).await;
        let out = Out {
            stays: true,
            put: put.as_ref().filter(|_| reload.has_others),
            with: &leaves,
            ..Out::default()
        };
        let mut report = self.replace_contents(turn, wanted, out, had, control).await?;
        let is_kept = report.replaced.is_some();
        let after = self.clauses_of(&file).await;
        let mut notices = Vec::new();
        if !is_kept {
            reload.removed += leave;
            notices.extend(leaves.iter().map(|file| has_left(file)));
            notices.extend(
                self.told_of_unneeded(&file, &reload.loads, &loads, &reload.finds)
                    .await,
            );
            report.clauses_added = after.values().sum();
        }
        if is_own {
            report.notices.extend(notices);
            reload.told.warnings.extend(warnings);
            let rows = changed_rows(&before, &after).filter(|_| !is_kept);
            if was.is_some() && !is_kept {
                report.replaced = Some(compared(&before, &after));
            }
            reload.own = Some((report, rows));
            return Ok(());
        }
        if !is_kept {
            reload.removed += compared(&before, &after).removed;
        }
        if action == Action::Comes {
            reload.told.take_needed(&file, report, notice);
        } else {
            let by = by.as_deref().unwrap_or(reload.name);
            report.notices.splice(
                ..0,
                was.and_then(|was| was.read_again(&file, by, action, is_kept)),
            );
            reload.told.take(&file, report);
        }
        reload.told.notices.extend(notices);
        Ok(())
    }

    /// Import a file that comes at the end of the book.
    async fn read_at_end<'t>(
        &self,
        turn: &'t Turn<'_>,
        reload: &mut Reload<'_, 't>,
        wanted: Wanted,
        warnings: Vec<String>,
        control: &Control,
    ) -> Result<(), Fault> {
        if wanted.name != reload.name {
            return self.import_needed(turn, wanted, &mut reload.told, control).await;
        }
        reload.told.warnings.extend(warnings);
        reload.told.notices.extend(wanted.notice.clone());
        let parts = self.take_parts(turn, &wanted, control).await?;
        reload.told.join(parts);
        reload.own = Some((self.import_one(turn, wanted, control).await?, None));
        Ok(())
    }

    /// Where new contents come behind one entry and before another; `None` if that is the end of the book.
    fn put_between(&self, behind: Option<&Spot>, next: Option<&Spot>) -> Option<Put> {
        let Some(spot) = behind else {
            return next.cloned().map(Put::Before);
        };
        let is_end = self.book.borrow().spots_after(Some(spot)).next().is_none();
        (!is_end).then(|| Put::Behind(spot.clone()))
    }

    /// Where a file of which nothing is left had its place among those that hang together with it.
    pub(super) async fn place_of_emptied(&self, wanted: &Wanted) -> Option<Put> {
        self.book.borrow().emptied(&wanted.name)?;
        let finds = Finds::default();
        let loads = self.loads(&finds).await;
        // What cannot be read is told when it is loaded.
        let (order, _) = { self.together_with(wanted.clone(), &loads, &finds).await }.ok()?;
        let at = order.iter().position(|one| one.wanted.name == wanted.name)?;
        let span = |one: &Loaded| self.span_of(&one.wanted.name);
        let behind = { order[..at].iter() }
            .filter_map(span)
            .map(|(_, last)| last)
            .max();
        let next = order[at + 1..].iter().find_map(span).map(|(first, _)| first);
        self.put_between(behind.as_ref(), next.as_ref())
    }

    /// Where a file of the book begins and ends.
    fn span_of(&self, name: &str) -> Option<(Spot, Spot)> {
        let book = self.book.borrow();
        book.file(name).map(|used| used.span().clone())
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
}

/// A reload, as far as it has come.
struct Reload<'a, 't> {
    /// The file that is reloaded.
    name: &'a str,
    keeps: bool,
    /// Other files load it, or it loads others.
    has_others: bool,
    /// The last step that reads a file.
    last: Option<usize>,
    /// What the files of the book loaded before.
    loads: Loads,
    finds: Finds,
    /// Files that may leave, as nothing that is reloaded loads them any more.
    loaded_before: BTreeSet<String>,
    told: Before<'t>,
    /// The report of the file itself, and which rows of it have changed.
    own: Option<(ImportReport, Option<String>)>,
    /// How many clauses of other files have left the book.
    removed: usize,
    /// The last entry of the files before.
    behind: Option<Spot>,
}

/// What is done with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Comes,
    IsRead,
    /// It is read again, and comes to stand behind the files before it.
    Moves,
    Stays,
}

struct Step {
    loaded: Loaded,
    was: Option<Imported>,
    action: Action,
}

impl Step {
    fn name(&self) -> &str {
        &self.loaded.wanted.name
    }
}

impl Imported {
    /// Why a file was read again that `by` loads.
    fn read_again(&self, file: &str, by: &str, action: Action, is_kept: bool) -> Option<Notice> {
        let why = match (self.has_changed, is_kept) {
            (true, true) => format!(
                "{file} has changed, and the book keeps what it had of it: none of its clauses can be read. Correct it."
            ),
            (true, false) => format!("{file} has changed, and was read again because {by} loads it."),
            (false, false) if action == Action::Moves => {
                format!(
                    "{file} was read again: its clauses now come after those of the files that are loaded before it."
                )
            }
            (false, _) => return None,
        };
        Some(Notice(why))
    }
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
