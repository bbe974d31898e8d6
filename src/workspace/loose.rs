//! The clauses that belong to no file: those asserted by calls, and those that running code added.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::adding;
use super::follow;
use super::request::Watch;
use super::sharing::on_the_newest;
use super::types::*;
use super::{Inner, Workspace};
use hornbook_base::{Control, Fault, FaultKind, cut};
use hornbook_book::lexer::Lexer;
use hornbook_book::{Book, Entry, EntryId, Operation, Origin, Piece, Predicate};
use hornbook_engine::protocol::AddKind;

/// How much of a clause a refusal shows, in characters.
const SHOWN: usize = 80;
const BY_HAND: &str = "Write what should be in a file into one by hand, and retract the clauses here.";

impl Workspace {
    /// The clauses that belong to no file, as text.
    pub fn loose(&self) -> String {
        let book = self.0.book.borrow();
        let texts: Vec<&str> = loose(&book).map(|(_, entry)| entry.text().trim()).collect();
        texts.join("\n")
    }

    /// Why the clauses that belong to no file could mean something else as one, with the next step.
    pub fn loose_stays(&self) -> Option<String> {
        stay(&self.0.book.borrow()).map(|(why, next)| format!("{why} {next}"))
    }

    /// Make the clauses that belong to no file a new one, as one operation. `over` is what they are
    /// ([`Workspace::loose`]).
    ///
    /// # Errors
    /// [`FaultKind::Conflict`] if they are others by now, or the book has a file of this name;
    /// [`FaultKind::RepresentationError`] if they could mean something else as a file. Then nothing is changed.
    pub async fn save_loose(
        &self,
        filename: &str,
        over: &str,
        control: &Control,
    ) -> Result<ImportReport, Fault> {
        on_the_newest(async || self.save_loose_once(filename, over, control).await).await
    }

    async fn save_loose_once(
        &self,
        filename: &str,
        over: &str,
        control: &Control,
    ) -> Result<ImportReport, Fault> {
        let workspace = &*self.0;
        let turn = workspace.turn(control).await?;
        let refused = |kind, (why, next): (String, &str)| {
            Fault::new(kind, format!("{filename} was not made: {why}")).with_next(next)
        };
        let in_the_way = if self.source(filename).is_some() {
            Some(("the book has a file of this name.", "Give another one."))
        } else if over != self.loose() {
            Some(("the clauses have been changed meanwhile.", "Read them again."))
        } else {
            None
        };
        if let Some((why, next)) = in_the_way {
            return Err(refused(FaultKind::Conflict, (why.to_owned(), next)));
        }
        let stay = stay(&workspace.book.borrow());
        if let Some(told) = stay {
            return Err(refused(FaultKind::RepresentationError, told));
        }
        let text = format!("{over}\n");
        workspace.check_file(filename, &text).await?;
        workspace.check_room(text.len())?;
        let old: Vec<(EntryId, Entry)> = {
            let book = workspace.book.borrow();
            loose(&book).map(|(id, entry)| (id, entry.clone())).collect()
        };
        let sources = [text];
        let (added, edit) = adding::add(&turn, AddKind::File, None, "import", &sources, control).await?;
        let [text] = sources;
        if let Some(changed) = workspace.first_changed(&old, added.pieces(), &text).await {
            // The edit is dropped, so the engine is rebuilt from the book.
            let why = format!("{} is read differently in a file.", shown(changed));
            return Err(refused(FaultKind::RepresentationError, (why, BY_HAND)));
        }
        let ids: Vec<EntryId> = old.iter().map(|(id, _)| *id).collect();
        follow::take_out(&turn, &ids, Watch::short("import")).await?;
        let clauses_added = added.clause_count();
        let (draft, ran, _) = added.into_file(filename, None, false, text);
        let mut delta = ran.delta(&turn, draft).await;
        delta.removed.extend(ids);
        delta.removed.sort_unstable();
        let has_namesake = {
            let book = workspace.book.borrow();
            old.iter().any(|(_, entry)| book.has_namesake(entry.predicate()))
        };
        edit.record(Operation::Import(filename.to_owned()), delta).await?;
        let told = follow::end(edit, has_namesake);
        Ok(ImportReport {
            clauses_added,
            notices: told.into_iter().chain(turn.notices()).collect(),
            ..ImportReport::of(filename.to_owned())
        })
    }
}

impl Inner {
    /// The first of the clauses that the pieces of a text do not repeat, or the first piece that is none of them.
    pub(super) async fn first_changed<'a>(
        &self,
        clauses: &'a [(EntryId, Entry)],
        pieces: &'a [Piece],
        text: &'a str,
    ) -> Option<&'a str> {
        let pace = self.pace();
        let text_of = |piece: &Piece| {
            let text = &text[piece.start..piece.end];
            match piece.start {
                0 => code(text, Lexer::of_file(text)),
                _ => code(text, Lexer::new(text)),
            }
        };
        for (at, (_, entry)) in clauses.iter().enumerate() {
            let before = code(entry.text(), entry.tokens());
            let is_same = pieces.get(at).is_some_and(|piece| {
                piece.kind == entry.kind()
                    && piece.predicate == *entry.predicate()
                    && text_of(piece) == before
            });
            if !is_same {
                return Some(before);
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        pieces.get(clauses.len()).map(text_of)
    }
}

/// The entries that belong to no file.
pub(super) fn loose(book: &Book) -> impl Iterator<Item = (EntryId, &Entry)> {
    book.entries().filter(|(_, entry)| !is_of_file(entry))
}

fn is_of_file(entry: &Entry) -> bool {
    matches!(entry.source().origin, Origin::File(_))
}

/// Why they stay what they are, and what to do instead.
fn stay(book: &Book) -> Option<(String, &'static str)> {
    let mut counts: BTreeMap<&Rc<Predicate>, usize> = BTreeMap::new();
    for (_, entry) in loose(book) {
        let why = if !entry.is_clause() {
            "is a directive, which would run again, and hold for all that follows."
        } else if entry.source().changes_reading() {
            "was added together with a directive that changes how clauses are read."
        } else {
            *counts.entry(entry.predicate()).or_default() += 1;
            continue;
        };
        return Some((format!("{} {why}", shown(entry.code())), BY_HAND));
    }
    let also = |(_, entry): &(EntryId, &Entry)| {
        is_of_file(entry) && entry.is_clause() && counts.contains_key(entry.predicate())
    };
    let is_mixed = |(predicate, count): (&&Rc<Predicate>, &usize)| book.standing(predicate).clauses > *count;
    let (_, entry) = counts
        .iter()
        .any(is_mixed)
        .then(|| book.entries().find(also))
        .flatten()?;
    let Origin::File(file) = &entry.source().origin else {
        return None;
    };
    let why = format!(
        "{file} has clauses of {}, too, and their order could become another.",
        entry.predicate()
    );
    Some((why, "Write them into that file by hand, and retract them here."))
}

/// A clause without the comments around it.
fn code<'a>(text: &'a str, mut tokens: Lexer<'_>) -> &'a str {
    let Some(first) = tokens.next() else {
        return "";
    };
    let end = tokens.last().map_or(first.end, |last| last.end);
    &text[first.start..end]
}

fn shown(code: &str) -> String {
    format!("`{}`", cut(code.lines().next().unwrap_or_default(), SHOWN))
}
