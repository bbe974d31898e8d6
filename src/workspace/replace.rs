//! One clause in the place of another.

use super::adding;
use super::sharing::on_the_newest;
use super::types::*;
use super::{Workspace, believed, follow};
use crate::turn::Watch;
use hornbook_base::{Control, Fault, FaultKind, cut};
use hornbook_book::lexer::Lexer;
use hornbook_book::text::missing_period;
use hornbook_book::{Book, Delta, EntryId, Kind, Operation, Predicate, Run};
use hornbook_engine::protocol::{self, AddKind};
use hornbook_engine::reply::{Done, Retracted};

/// Clauses that are told where none matches, and those that are compared.
const NEAR: usize = 3;
const COMPARED: usize = 5_000;
/// Characters of one of them.
const CLAUSE_CHARS: usize = 80;

impl Workspace {
    /// Put the clause `new` in the place of the first one that unifies with `old`, within its file. A fault means that
    /// the book is as it was.
    pub async fn replace_clause(
        &self,
        old: &str,
        new: &str,
        control: &Control,
    ) -> Result<ClausesReport, Fault> {
        on_the_newest(async || self.replace(old, new, control).await).await
    }

    async fn replace(&self, old: &str, new: &str, control: &Control) -> Result<ClausesReport, Fault> {
        let workspace = &*self.0;
        let old = old.trim_start_matches('\u{feff}').trim();
        let mut code = new.trim_start_matches('\u{feff}').trim().to_owned();
        if let Some((at, period)) = missing_period(&code) {
            code.insert_str(at, period.trim_end());
        }
        let sources = [code];
        workspace.check_clauses(&sources)?;
        workspace.check_clauses(&[old.to_owned()])?;
        let turn = workspace.turn(control).await?;
        workspace.check_room(sources[0].len())?;
        // It is added at the end to see that it can be, and taken out again.
        let first = turn.next_ids().last;
        let (added, edit) = adding::add(&turn, AddKind::Inline, "replace", &sources, control).await?;
        let [code] = &sources;
        let (kind, predicate) = match added.only_clause(code) {
            Ok(found) => found,
            Err(fault) => {
                if added.is_empty() {
                    edit.keep();
                }
                return Err(fault);
            }
        };
        let code = added.only_text(code).to_owned();
        let temporary = [Run { first, count: 1 }];
        let retract = protocol::retract(old);
        let believe = |reply: Retracted| {
            let book = workspace.book.borrow();
            match reply.removed {
                Some(id) if id == first.0 => Ok(None),
                removed => removed.map(|id| believed::removed_clause(&book, id)).transpose(),
            }
        };
        // Whatever fails from here on has the engine built again from the book, but for a new clause of a predicate that
        // is known: that is taken out.
        let was_known = workspace.book.borrow().standing(&predicate).known != hornbook_book::Known::No;
        let found = turn
            .ask_believing(retract, Watch::short("replace"), believe)
            .await;
        let id = match found {
            Ok(Some(id)) => id,
            other => {
                if turn.has_engine() && was_known {
                    turn.ask::<Done>(protocol::remove(&temporary), Watch::short("replace"))
                        .await?;
                    edit.keep();
                }
                other?;
                return Err(no_match(&workspace.book.borrow(), old));
            }
        };
        let (removed, draft) = {
            let book = workspace.book.borrow();
            let entry = book.get(id).expect("it was believed");
            if !entry.source().restores.is_empty() {
                let message =
                    "Its file changes operators or flags, and is read as a whole: nothing was replaced.";
                let fault = Fault::new(FaultKind::PermissionError, message);
                return Err(fault.with_next("Unimport the file, correct it and import it again."));
            }
            let removed = entry.code().to_owned();
            (removed, book.rewritten(id, &code, kind, predicate.clone().into()))
        };
        turn.ask::<Done>(protocol::remove(&temporary), Watch::short("replace"))
            .await?;
        let added = workspace.drafted(draft.expect("its source is used")).await;
        let delta = Delta {
            removed: added.iter().map(|(id, _)| *id).collect(),
            added,
            ..Delta::default()
        };
        edit.record(Operation::Replace, delta).await?;
        let predicates = [predicate];
        let batches = workspace
            .book()
            .batches_of(
                &predicates,
                usize::MAX,
                workspace.limits.load_bytes,
                &workspace.pace(),
            )
            .await;
        if let Some(batches) = batches
            && follow::reload(&turn, &predicates, &batches, Watch::short("replace")).await?
        {
            edit.keep();
        }
        Ok(ClausesReport {
            outcomes: vec![ClauseOutcome {
                clause: code,
                result: OutcomeResult::Success,
            }],
            removed: vec![removed],
            warnings: Vec::new(),
            notices: turn.notices(),
        })
    }
}

/// Nothing unifies with a clause; which ones are like it.
pub(super) fn no_match(book: &Book, clause: &str) -> Fault {
    let fault = Fault::new(FaultKind::ExistenceError, "No clause matches.");
    match near(book, clause).as_slice() {
        [] => fault,
        near => fault.with_next(format!("These are like it: {}", near.join("  "))),
    }
}

/// The clauses of a predicate with the name of this one that have the most tokens in common with it.
fn near(book: &Book, clause: &str) -> Vec<String> {
    let tokens = |text: &str| -> Vec<String> {
        let of = Lexer::new(text).map(|token| text[token.start..token.end].to_owned());
        of.filter(|token| !matches!(&**token, "." | "," | "(" | ")"))
            .collect()
    };
    let wanted = tokens(clause);
    let Some(name) = wanted.first() else {
        return Vec::new();
    };
    let named = |predicate: &Predicate| {
        let quoted = name.trim_matches('\'');
        predicate.name == *name || predicate.name == quoted
    };
    let clauses = book
        .entries()
        .filter(|(_, entry)| entry.is_clause() && named(entry.predicate()))
        .take(COMPARED);
    let mut found: Vec<(usize, EntryId, &str)> = clauses
        .map(|(id, entry)| {
            let mut left = tokens(entry.code());
            let missing = wanted.iter().filter(|token| {
                let at = left.iter().position(|other| other == *token);
                at.map(|at| left.swap_remove(at)).is_none()
            });
            (missing.count() + left.len(), id, entry.code())
        })
        .collect();
    found.sort_unstable_by_key(|(distance, id, _)| (*distance, *id));
    let told = |(_, _, code): &(usize, EntryId, &str)| cut(code, CLAUSE_CHARS);
    found.iter().take(NEAR).map(told).collect()
}

impl adding::Added {
    /// What the only clause of a text is.
    fn only_clause(&self, text: &str) -> Result<(Kind, Predicate), Fault> {
        if let [outcome] = &self.outcomes[..]
            && let Err(error) = &outcome.result
        {
            let fault = Fault::new(error.kind, super::mark::shown_error(error, text));
            return Err(Fault {
                line: error.line,
                column: error.column,
                ..fault
            });
        }
        match (self.pieces(), self.outcomes.len()) {
            ([piece], 1) if piece.kind != Kind::Directive && !self.ran.any() => {
                Ok((piece.kind, (*piece.predicate).clone()))
            }
            _ => {
                let message = "The text in 'clauses' is not one clause; nothing was replaced.";
                let fault = Fault::new(FaultKind::DomainError, message);
                Err(fault.with_next("Give one fact or rule."))
            }
        }
    }
}
