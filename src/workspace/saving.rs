//! Files as an editor sees them: their text, and new contents in the place of the old.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::adding;
use super::changes::{give_back, initialize};
use super::edit::Edit;
use super::files::refusals;
use super::modules::header_of;
use super::request::Watch;
use super::sharing::on_the_newest;
use super::turn::Turn;
use super::types::*;
use super::{Workspace, follow};
use hornbook_base::{Control, Fault};
use hornbook_book::{Book, Delta, Entry, EntryId, Known, Operation, Origin, Predicate, TextModule};
use hornbook_engine::protocol::{self, AddKind};
use hornbook_engine::reply::Done;

impl Workspace {
    /// The text of an imported file, without the clauses that were taken out since, as far back as the journal is kept.
    pub fn source(&self, filename: &str) -> Option<String> {
        self.0.book.borrow().file_text(filename)
    }

    /// The clauses that are in no file: those of single calls, and those that running code has added.
    pub fn loose(&self) -> String {
        let book = self.0.book.borrow();
        let in_file = |entry: &Entry| matches!(entry.source().origin, Origin::File(_));
        let loose = book.entries().filter(|(_, entry)| !in_file(entry));
        let texts: Vec<&str> = loose.map(|(_, entry)| entry.text().trim()).collect();
        texts.join("\n")
    }

    /// Give a file new contents, as one operation: what is left of the old ones goes. Predicates of which nothing
    /// remains are forgotten, as if they had never been written. A name that is not imported yet is imported.
    pub async fn save(&self, filename: &str, text: String, control: &Control) -> Result<ImportReport, Fault> {
        on_the_newest(async || self.save_once(filename, text.clone(), control).await).await
    }

    async fn save_once(
        &self,
        filename: &str,
        text: String,
        control: &Control,
    ) -> Result<ImportReport, Fault> {
        let workspace = &*self.0;
        let turn = workspace.turn(control).await?;
        workspace.check_file(filename, &text).await?;
        workspace.check_room(text.len())?;
        let old = entries_of(&workspace.book.borrow(), filename);
        // Another header names what the file defines in another way: the old one must not hold any more.
        let before = workspace.headers_of(filename);
        let other_names = !before.is_empty() && before.first() != header_of(&text).as_ref();
        let ahead = match other_names {
            true => {
                let ahead = turn.edit();
                let ids: Vec<EntryId> = old.iter().map(|(id, _)| *id).collect();
                follow::take_out(&turn, &ids, Watch::short("import")).await?;
                Some(ahead)
            }
            false => None,
        };
        let module = match header_of(&text) {
            Some(_) => None,
            None => module_of(&workspace.book.borrow(), filename),
        };
        let sources = [text];
        let (mut added, edit) =
            adding::add(&turn, AddKind::File, module.as_ref(), "import", &sources, control).await?;
        let [text] = sources;
        let mut errors = refusals(&added, &text);
        errors.append(&mut added.ran.problems);
        let warnings = workspace
            .told_of_exports(filename, module.as_ref(), &text, added.pieces())
            .await;
        let (clauses_added, is_empty) = (added.clause_count(), added.is_empty());
        let goals = added.initializations.clone();
        if !old.is_empty() && ahead.is_none() {
            let ids: Vec<EntryId> = old.iter().map(|(id, _)| *id).collect();
            follow::take_out(&turn, &ids, Watch::short("import")).await?;
        }
        let operation = match is_empty {
            true => Operation::Unimport(filename.to_owned()),
            false => Operation::Import(filename.to_owned()),
        };
        let (mut delta, mut output, mixed) = match is_empty {
            true => (Delta::default(), String::new(), Vec::new()),
            false => {
                let (draft, ran, output) = added.into_file(filename, module.as_ref(), text);
                let mixed = ran.mixed(&draft);
                (ran.delta(&turn, draft).await, output, mixed)
            }
        };
        let forgotten = forgotten(&workspace.book.borrow(), &old, &delta.added);
        let declares = declarations(&old) != declarations(&delta.added);
        delta.removed.extend(old.iter().map(|(id, _)| *id));
        // Its directives may have removed some of the old ones.
        delta.removed.sort_unstable();
        delta.removed.dedup();
        let unknown = forgotten.iter().map(|predicate| (predicate.clone(), Known::No));
        delta.known.extend(unknown);
        edit.record(operation, delta).await?;
        match ahead.is_none() && give_back(&turn, &mixed).await? {
            true => forget(&turn, edit, &forgotten, declares).await,
            false => drop(edit),
        }
        let mut notices = Vec::new();
        if !goals.is_empty() {
            turn.await_engine(control).await?;
        }
        let initialized = initialize(&turn, goals, control).await;
        errors.extend(initialized.errors);
        output.push_str(&initialized.output);
        notices.extend(turn.notices());
        Ok(ImportReport {
            filename: filename.to_owned(),
            clauses_added,
            errors,
            output,
            warnings,
            notices,
        })
    }
}

/// The module that a file was loaded into.
fn module_of(book: &Book, filename: &str) -> Option<TextModule> {
    let module = book.file(filename)?.source.module.as_deref()?;
    Some(book.text_module(module.into()))
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

/// The predicates that only the old entries had clauses of.
fn forgotten(book: &Book, old: &Entries, added: &Entries) -> Vec<Rc<Predicate>> {
    let counts = |entries: &Entries| {
        let mut counts: BTreeMap<Rc<Predicate>, usize> = BTreeMap::new();
        for (_, entry) in entries.iter().filter(|(_, entry)| entry.is_clause()) {
            *counts.entry(entry.predicate().clone()).or_default() += 1;
        }
        counts
    };
    let after = counts(added);
    let goes = |(predicate, count): &(Rc<Predicate>, usize)| {
        let standing = book.standing(predicate);
        !after.contains_key(predicate) && standing.known == Known::Written && standing.clauses == *count
    };
    let before = counts(old).into_iter();
    before.filter(goes).map(|(predicate, _)| predicate).collect()
}

/// What the directives declare that the engine does not forget with their source.
fn declarations(entries: &Entries) -> BTreeSet<String> {
    let declaring = entries.iter().filter(|(_, entry)| follow::declares(entry));
    declaring.map(|(_, entry)| entry.code().to_owned()).collect()
}

/// Make the engine forget; where it cannot, another is built from the book.
async fn forget(turn: &Turn<'_>, edit: Edit<'_>, forgotten: &[Rc<Predicate>], declares: bool) {
    if declares {
        return;
    }
    if forgotten.is_empty() {
        edit.keep();
        return;
    }
    let predicates: Vec<Predicate> = forgotten.iter().map(|predicate| (**predicate).clone()).collect();
    let asked = turn
        .ask::<Done>(protocol::undeclare(&predicates), Watch::short("import"))
        .await;
    if asked.is_ok() {
        edit.keep();
    }
}
