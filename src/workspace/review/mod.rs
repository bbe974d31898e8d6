//! Drafts: changes that a client proposes and that a person accepts or rejects. A draft is kept in cells of the
//! book, so it is in the log like everything else; its client works in a workspace of its own, which holds the
//! book with the draft's changes.

mod along;
mod asked;
mod branch;
mod change;
mod decide;
mod following;
mod noted;
mod proposal;
mod rules;
mod seen;
mod upstream;
mod violations;

use std::cell::OnceCell;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

pub(super) use branch::Branch;
pub use decide::Decided;
pub use proposal::{Proposal, ProposedCell, ProposedClause, ProposedOperation};
pub(super) use upstream::{News, Upstream, effect_of};

use crate::Inner;
use hornbook_base::{Fault, FaultKind, cut, visible};
use hornbook_book::{Book, Cell, Operation, Revision};

pub(super) use hornbook_book::DRAFTS as ROOM;
/// How much of a clause is kept to name it once it may be gone.
const SHOWN_CHARS: usize = 200;
const SHOWN: usize = 3;
/// How much of a name and of a reason its client reads, in characters.
const NAME_CHARS: usize = 100;
const REASON_CHARS: usize = 1_000;
/// How often a decision is tried again because the book has moved meanwhile.
const TRIES: usize = 20;
/// After so many tries, the writers of this process wait.
const TRIES_WITHOUT_TURN: usize = 3;
/// The predicate by which the book's rules accept operations: `accepts_proposal(Change, Client)`.
const RULES: (&str, u32) = ("accepts_proposal", 2);

/// One operation of a draft.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Step {
    /// Its key among the cells: the draft's name, and the revision of the book that made it part of the draft.
    #[serde(skip)]
    pub key: String,
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// The name of the client.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The revision (`hornbook_store::to_text`).
    pub change: String,
    /// The step that it undoes or redoes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<String>,
    /// The numbers of the sources of which it removes entries.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<u32>,
    /// The first clauses that it removes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removes: Vec<String>,
    /// Its revision, once it was read, if that is the same for every book: it removes nothing.
    #[serde(skip)]
    pub read: OnceCell<Rc<Revision>>,
}

/// What a person said of a draft, until its client has read it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Verdict {
    pub accepted: bool,
    /// Who said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How many operations it is about.
    pub operations: usize,
}

impl Step {
    /// The number by which people know it.
    pub fn number(&self) -> u64 {
        let digits = self.key.rsplit('/').next().unwrap_or_default();
        digits.parse().unwrap_or_default()
    }
}

impl Verdict {
    /// It, for the client that made the draft.
    fn sentence(&self) -> String {
        let done = if self.accepted { "accepted" } else { "rejected" };
        let shown = |text: &str, most| cut(visible(text).trim(), most);
        let by = self.by.as_deref().map(|by| shown(by, NAME_CHARS));
        let by = by.filter(|by| !by.is_empty());
        let by = by.as_deref().unwrap_or("A person");
        let changes = match self.operations {
            1 => "your change".to_owned(),
            count => format!("{count} of your changes"),
        };
        let reason = self.reason.as_deref().map(|reason| shown(reason, REASON_CHARS));
        match reason.filter(|reason| !reason.is_empty()) {
            Some(reason) => format!("{by} {done} {changes}: {}.", reason.trim_end_matches('.')),
            None => format!("{by} {done} {changes}."),
        }
    }
}

fn steps_prefix(draft: &str) -> String {
    format!("{draft}/")
}

fn asked_prefix(draft: &str) -> String {
    format!("{draft}?")
}

fn verdicts_prefix(draft: &str) -> String {
    format!("{draft}!")
}

/// The key of what the revision with this number adds, which sorts in their order.
fn key(prefix: &str, revision: u64) -> String {
    format!("{prefix}{revision:016}")
}

/// The operations of a draft, in order, of which some are known: what one of them is never changes. A cell that cannot
/// be read is left out: only a newer version writes one.
fn steps(book: &Book, draft: &str, known: &[Step]) -> Vec<Step> {
    let prefix = steps_prefix(draft);
    let cells = book.cells_from(ROOM, &prefix);
    let read = cells.filter_map(|(key, value)| {
        if let Ok(at) = known.binary_search_by(|step| (*step.key).cmp(key)) {
            return Some(known[at].clone());
        }
        let step: Step = serde_json::from_str(value).ok()?;
        Some(Step {
            key: key.to_owned(),
            ..step
        })
    });
    read.collect()
}

/// The names of the drafts that propose something, sorted.
fn names(book: &Book) -> Vec<String> {
    let keys = book.cells_of(ROOM).map(|(key, _)| key);
    let mut names: Vec<String> = keys
        .filter_map(|key| key.split_once('/'))
        .map(|(name, _)| name.to_owned())
        .collect();
    names.dedup();
    names
}

/// A cell of a draft.
fn cell(key: String, value: Option<String>) -> Cell {
    Cell {
        room: ROOM.into(),
        key: key.into(),
        value: value.map(Into::into),
    }
}

/// How much these take.
fn bytes_of(cells: &[Cell]) -> usize {
    let size = |cell: &Cell| {
        cell.value
            .as_ref()
            .map_or(0, |value| cell.key.len() + value.len())
    };
    cells.iter().map(size).sum()
}

/// Drafts have this part of the bytes that a book may have, and leave the rest to the book.
const SHARE: usize = 4;

/// Check that there is room for so many more bytes of drafts.
fn check_room(workspace: &Inner, added: usize) -> Result<(), Fault> {
    let held = workspace.book.borrow().bytes_of_room(ROOM);
    let most = workspace.limits.bytes / SHARE;
    if held + added > most {
        let message = "The drafts of this book hold too much that nobody has decided about";
        let fault = Fault::limit(message, "bytes", format!("{} / {SHARE}", workspace.limits.bytes));
        return Err(fault.with_next("Ask a person to review them."));
    }
    Ok(())
}

/// Whether a draft may be called so: letters, digits, `.`, `_` and `-`, at most 64 of them.
fn check_name(name: &str) -> Result<(), Fault> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    match (1..=64).contains(&name.len()) && name.chars().all(fits) {
        true => Ok(()),
        false => {
            let message = format!("`{}` cannot be the name of a draft.", cut(name, 80));
            let next = "Use up to 64 letters, digits, dots, underscores and hyphens.";
            Err(Fault::new(FaultKind::DomainError, message).with_next(next))
        }
    }
}

/// Whether an operation replaces or removes whole files: then it applies only while they are as they were.
fn is_of_files(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Replace
            | Operation::Import(_)
            | Operation::Unimport(_)
            | Operation::Undo(_)
            | Operation::Redo(_)
    )
}

/// What a revision is about, as far as it is needed once the book has moved.
fn removed_by(revision: &Revision) -> (Vec<u32>, Vec<String>) {
    let mut sources: Vec<u32> = revision
        .removed
        .iter()
        .map(|(_, entry)| entry.source().number)
        .collect();
    sources.sort_unstable();
    sources.dedup();
    let first = revision.removed.iter().take(SHOWN);
    let shown = first.map(|(_, entry)| cut(entry.code(), SHOWN_CHARS));
    (sources, shown.collect())
}
