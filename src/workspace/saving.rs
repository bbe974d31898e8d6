//! Files as an editor sees them: their text, and saving new contents.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::adding::{self, Added};
use super::changes::{give_back, initialize};
use super::edit::Edit;
use super::needs::Wanted;
use super::request::Watch;
use super::retracted::Had;
use super::sharing::on_the_newest;
use super::tables::only_whole;
use super::touched::keep_declared;
use super::turn::Turn;
use super::types::*;
use super::{Inner, Workspace, follow};
use hornbook_base::{Control, Fault, FaultKind};
use hornbook_book::{
    Book, Delta, Draft, Emptied, Entry, EntryId, Header, Known, Operation, Predicate, Put, TextModule, runs,
};
use hornbook_engine::protocol::{self, AddKind};
use hornbook_engine::reply::Done;

impl Workspace {
    /// The text of an imported file without the clauses removed since, as far back as the journal is kept; or of a
    /// document.
    pub fn source(&self, filename: &str) -> Option<String> {
        let text = self.0.book.borrow().file_text(filename);
        text.or_else(|| self.document(filename))
    }

    /// The text with which a file was imported, or which it has since a clause of it was replaced: with the clauses
    /// removed since.
    pub fn imported_text(&self, filename: &str) -> Option<String> {
        let book = self.0.book.borrow();
        let used = book.file(filename).map(|used| used.source.text.to_string());
        used.or_else(|| Some(book.emptied(filename)?.text.into_owned()))
    }

    /// Replace the contents of a file as one operation; what remained of the old contents is removed.
    /// Predicates of which nothing remains are forgotten, as if they had never been written. A file that is
    /// not in the book yet is imported.
    ///
    /// `over` is the text that it is meant to replace, empty for a file that is not in the book; without it,
    /// whatever is there is replaced.
    ///
    /// # Errors
    /// [`FaultKind::Conflict`] if the book has another text than `over` by now: then nothing is changed.
    pub async fn save(
        &self,
        filename: &str,
        text: String,
        over: Option<&str>,
        control: &Control,
    ) -> Result<ImportReport, Fault> {
        on_the_newest(async || self.save_once(filename, text.clone(), over, control).await).await
    }

    async fn save_once(
        &self,
        filename: &str,
        text: String,
        over: Option<&str>,
        control: &Control,
    ) -> Result<ImportReport, Fault> {
        let workspace = &*self.0;
        let turn = workspace.turn(control).await?;
        if over.is_some_and(|over| over != self.source(filename).unwrap_or_default()) {
            let message = format!("{filename} has been changed meanwhile, and was not saved.");
            let next = "Read it again, and save over what it is now.";
            return Err(Fault::new(FaultKind::Conflict, message).with_next(next));
        }
        if self.is_document(filename) {
            return workspace
                .import_document(&turn, filename.to_owned(), Some(text))
                .await;
        }
        workspace.check_file(filename, &text).await?;
        let wanted = Wanted::alone(filename.to_owned(), workspace.plain_own(text).await.0, None);
        let (wanted, warnings) = workspace.at_home(wanted).await;
        let put = workspace.place_of_emptied(&wanted).await;
        let out = Out {
            put: put.as_ref(),
            ..Out::default()
        };
        let mut report = workspace
            .replace_contents(&turn, wanted, out, Had::default(), control)
            .await?;
        report.warnings.splice(..0, warnings);
        Ok(report)
    }
}

impl Inner {
    /// Replace the contents of a file in one revision.
    pub(super) async fn replace_contents(
        &self,
        turn: &Turn<'_>,
        wanted: Wanted,
        out: Out<'_>,
        had: Had,
        control: &Control,
    ) -> Result<ImportReport, Fault> {
        // A new header, or another module, changes the names of the predicates that the file defines: remove
        // the old contents first.
        let before = self.headers_of(&wanted.name);
        let other_header = !before.is_empty() && before.first() != Header::of_text(&wanted.text).as_ref();
        // Nor may names clash with those of files that leave.
        let other_names = other_header || self.changes_module(&wanted) || !out.with.is_empty();
        turn.need_engine(control).await?;
        let ahead = other_names.then(|| turn.edit());
        if other_names {
            for name in out.with {
                self.take_out(turn, name).await?;
            }
            self.take_out(turn, &wanted.name).await?;
        }
        let mut parts = self.take_parts(turn, &wanted, control).await?;
        if parts.any() && !other_names {
            self.take_out(turn, &wanted.name).await?;
        }
        let out = Out {
            engine: other_names || parts.any(),
            ..out
        };
        let mut report = self.read_again(turn, wanted, None, out, had, control).await?;
        // The engine that these edits guarded is gone.
        ahead
            .into_iter()
            .chain(parts.edits.drain(..))
            .for_each(Edit::keep);
        parts.told_before(&mut report);
        Ok(report)
    }

    /// Remove from the engine what it has of a file that will be read again.
    pub(super) async fn take_out(&self, turn: &Turn<'_>, filename: &str) -> Result<(), Fault> {
        let old = entries_of(&self.book.borrow(), filename);
        take_out(turn, &old).await
    }

    /// Give a file new contents and a module; `whole` is as in [`Inner::module_of`], and `had` says which of its clauses
    /// were retracted or replaced.
    pub(super) async fn read_again(
        &self,
        turn: &Turn<'_>,
        wanted: Wanted,
        whole: Option<&str>,
        out: Out<'_>,
        mut had: Had,
        control: &Control,
    ) -> Result<ImportReport, Fault> {
        let module = self.module_of(&wanted, whole);
        let Wanted {
            name: filename,
            text,
            notice,
            is_needed,
            ..
        } = wanted;
        self.check_room(text.len())?;
        let old = entries_of(&self.book.borrow(), &filename);
        let sources = [text];
        let (mut added, edit) =
            adding::add(turn, AddKind::File, module.as_ref(), "import", &sources, control).await?;
        let [text] = sources;
        let mut errors = added.refusals(&text);
        let is_refused = !errors.is_empty();
        only_whole(&filename, &text, &errors)?;
        errors.append(&mut added.ran.problems);
        let mut gone = Vec::new();
        let left_out = added.leave_out(|piece| {
            let is_left_out = had.leaves_out(piece, &text);
            gone.extend(is_left_out.then_some((piece.start as u32, piece.end as u32)));
            is_left_out
        });
        let is_whole = left_out.is_empty();
        if !is_whole {
            let left_out = protocol::remove(&runs(&left_out));
            turn.ask::<Done>(left_out, Watch::short("import")).await?;
        }
        let warnings = self
            .told_of_exports(&filename, module.as_ref(), &text, added.pieces())
            .await;
        let (clauses_added, is_empty) = (added.clause_count(), added.is_empty());
        // Directives alone are nothing to have instead of clauses.
        let had_clauses = old.iter().any(|(_, entry)| entry.is_clause());
        let has_less = is_refused && clauses_added == 0 && had_clauses;
        if out.stays && (has_less || is_empty && !errors.is_empty()) {
            // An engine that has lost the old contents, or has directives of the new ones, is rebuilt from the book.
            if is_empty && !out.engine {
                edit.keep();
            }
            return Ok(ImportReport {
                clauses_added,
                replaced: Some(Replaced {
                    kept: old.iter().filter(|(_, entry)| entry.is_clause()).count(),
                    removed: 0,
                }),
                errors,
                warnings,
                notices: notice.into_iter().chain(turn.notices()).collect(),
                ..ImportReport::of(filename)
            });
        }
        let goals = added.initializations.clone();
        let leaving = { out.with.iter() }.flat_map(|name| entries_of(&self.book.borrow(), name));
        let old: Vec<_> = old.into_iter().chain(leaving).collect();
        let again = Again {
            filename: &filename,
            module: module.as_ref(),
            old: &old,
            gone,
            is_part: whole.is_some(),
            is_out: out.engine,
            is_needed,
            put: out.put,
            leave: out.with,
        };
        let mut output = again.record(turn, edit, added, text).await?;
        if !goals.is_empty() {
            turn.await_engine(control).await?;
        }
        let initialized = initialize(turn, goals, control).await;
        errors.extend(initialized.errors);
        output.push_str(&initialized.output);
        let notices = notice.into_iter().chain(turn.notices()).collect();
        let mut report = ImportReport {
            clauses_added,
            errors,
            output,
            warnings,
            notices,
            ..ImportReport::of(filename)
        };
        had.tell(&mut report);
        Ok(report)
    }
}

/// A file that was read again, whose new contents take the place of the old ones.
struct Again<'a> {
    filename: &'a str,
    module: Option<&'a TextModule>,
    /// With those of the files that leave.
    old: &'a Entries,
    /// Where clauses were that are left out since they were retracted: without these, a file without clauses is gone.
    gone: Vec<(u32, u32)>,
    /// Of another file, after which the engine is rebuilt.
    is_part: bool,
    /// The engine has already lost the old contents.
    is_out: bool,
    /// It is in the book only because another file loads it.
    is_needed: bool,
    /// Where the new contents come, if their place counts even where nothing else has clauses of their predicates.
    put: Option<&'a Put>,
    /// Files that leave the book with the old contents.
    leave: &'a [String],
}

impl Again<'_> {
    /// Record it, and make the engine follow. Returns what its directives wrote.
    async fn record(
        self,
        turn: &Turn<'_>,
        edit: Edit<'_>,
        added: Added,
        text: String,
    ) -> Result<String, Fault> {
        if !self.is_out {
            take_out(turn, self.old).await?;
        }
        let operation = match added.is_empty() && self.gone.is_empty() {
            true => Operation::Unimport(self.filename.to_owned()),
            false => Operation::Import(self.filename.to_owned()),
        };
        let (mut delta, output, mixed) = match added.is_empty() {
            true => {
                let mut delta = Delta::default();
                if !self.gone.is_empty() {
                    let emptied = Emptied {
                        added_ms: turn.workspace.clock.now_ms(),
                        text: text.into(),
                        gone: self.gone.clone(),
                        is_needed: self.is_needed,
                        replaced: Vec::new(),
                    };
                    delta.cells.push(emptied.cell(self.filename));
                }
                (delta, String::new(), Vec::new())
            }
            false => {
                let (mut draft, ran, output) =
                    added.into_file(self.filename, self.module, self.is_needed, text);
                let mut mixed = ran.mixed(&draft);
                mixed.extend(self.put_in_place(&turn.workspace.book.borrow(), &mut draft));
                (ran.delta(turn, draft).await, output, mixed)
            }
        };
        let had_namesake = {
            let book = turn.workspace.book.borrow();
            self.old
                .iter()
                .any(|(_, entry)| entry.is_clause() && book.has_namesake(entry.predicate()))
        };
        if had_namesake {
            turn.workspace.book.borrow_mut().name_as_recorded();
        }
        let pace = turn.workspace.pace();
        let ids: Vec<EntryId> = self.old.iter().map(|(id, _)| *id).collect();
        let mut forgotten = turn.workspace.only_in(&ids, &pace).await;
        let clauses = delta.added.iter().filter(|(_, entry)| entry.is_clause());
        let again: BTreeSet<&Predicate> = clauses.map(|(_, entry)| &**entry.predicate()).collect();
        forgotten.retain(|predicate| !again.contains(predicate));
        let declares = declarations(self.old) != declarations(&delta.added);
        delta.removed.extend(ids);
        // The directives may already have removed some of the old entries.
        delta.removed.sort_unstable();
        delta.removed.dedup();
        let unknown = forgotten.iter().map(|one| (Rc::new(one.clone()), Known::No));
        delta.known.extend(unknown);
        {
            let book = turn.workspace.book.borrow();
            let emptied = self.leave.iter().filter(|name| book.emptied(name).is_some());
            delta.cells.extend(emptied.map(|name| Emptied::forgotten(name)));
        }
        // Rules of CHR are tried in the order of the book, and belong to no predicate that could be loaded again.
        let of_chr = mixed.iter().any(Predicate::is_of_chr_rules);
        let follows = !(self.is_part || had_namesake || self.is_out || declares || of_chr);
        // Before the change is recorded: others may have clauses of these predicates by the time that it is.
        let forgot = follows && {
            // What the file declares it declares as before.
            keep_declared(&turn.workspace.book(), &BTreeSet::new(), &mut forgotten, &pace).await;
            follow::forget(turn, &forgotten, Watch::short("import")).await
        };
        let last = delta.added.iter().map(|(id, _)| *id).max();
        edit.record(operation, delta).await?;
        if let Some(last) = last {
            // Ids of clauses that were left out are between.
            let mut book = turn.workspace.book.borrow_mut();
            let mut used = book.numbers();
            used.last = used.last.max(turn.workspace.ids.number(last));
            book.reserve(used);
        }
        if self.is_part {
            edit.keep();
        } else if had_namesake {
            follow::anew(edit);
        } else if forgot && give_back(turn, &mixed).await? {
            edit.keep();
        } else {
            drop(edit);
        }
        Ok(output)
    }

    /// Put the new contents where they belong, if that counts: it does if other sources have clauses of their predicates,
    /// too. Returns these predicates.
    fn put_in_place(&self, book: &Book, draft: &mut Draft) -> Vec<Predicate> {
        let used = book.file(self.filename);
        let mut own: BTreeMap<&Predicate, usize> = BTreeMap::new();
        for (_, entry) in self.old.iter().filter(|(_, entry)| entry.is_clause()) {
            *own.entry(entry.predicate()).or_default() += 1;
        }
        let is_own = |entry: &Entry| used.is_some_and(|used| used.source.number == entry.source().number);
        let has_other_rules = || {
            let mut entries = book.entries();
            entries.any(|(_, entry)| entry.is_chr_rule() && !is_own(entry))
        };
        let of: BTreeSet<&Predicate> = draft.pieces.iter().map(|piece| &*piece.predicate).collect();
        let elsewhere = |predicate: &&&Predicate| {
            let count = own.get(**predicate).copied().unwrap_or_default();
            book.standing(predicate).clauses > count || predicate.is_of_chr_rules() && has_other_rules()
        };
        let shared: Vec<Predicate> = of.iter().filter(elsewhere).map(|one| (*one).clone()).collect();
        let is_last = || {
            let last = used.map(|used| used.span().1.clone());
            book.spots_after(last.as_ref()).next().is_none()
        };
        match self.put {
            // At the end it is in any case.
            Some(Put::InPlace) if shared.is_empty() && is_last() => {}
            Some(put) => book.put(self.filename, put, &mut draft.pieces),
            None if shared.is_empty() => {}
            None => book.put(self.filename, &Put::InPlace, &mut draft.pieces),
        }
        shared
    }
}

async fn take_out(turn: &Turn<'_>, old: &Entries) -> Result<(), Fault> {
    if old.is_empty() {
        return Ok(());
    }
    let ids: Vec<EntryId> = old.iter().map(|(id, _)| *id).collect();
    follow::take_out(turn, &ids, Watch::short("import")).await
}

/// What happens to the old contents of a file that is read again.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Out<'a> {
    /// The engine has already lost them, and is rebuilt before the goals of `initialization/1` run, or, for a
    /// part of another file, after that has been read.
    pub engine: bool,
    /// They stay in the book if nothing of the new text can be added, or no clause of it.
    pub stays: bool,
    /// Where the new contents come, if their place counts in any case: other files load them, or they others.
    pub put: Option<&'a Put>,
    /// Files that leave the book with them.
    pub with: &'a [String],
}

type Entries = [(EntryId, Entry)];

fn entries_of(book: &Book, filename: &str) -> Vec<(EntryId, Entry)> {
    let Some(used) = book.file(filename) else {
        return Vec::new();
    };
    book.entries_of(used)
        .map(|(id, entry)| (id, entry.clone()))
        .collect()
}

/// Declarations by directives that outlast their source in the engine.
fn declarations(entries: &Entries) -> BTreeSet<String> {
    let declaring = entries.iter().filter(|(_, entry)| entry.makes_known());
    declaring.map(|(_, entry)| entry.code().to_owned()).collect()
}
