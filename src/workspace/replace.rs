//! Replacing a clause by others.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::adding;
use super::edit::Edit;
use super::sharing::on_the_newest;
use super::turn::Turn;
use super::types::*;
use super::{Workspace, believed, follow};
use crate::request::Watch;
use hornbook_base::{Control, Fault, FaultKind, cut};
use hornbook_book::lexer::Lexer;
use hornbook_book::text::clause_ranges;
use hornbook_book::{Book, Delta, EntryId, Kind, Known, Operation, Origin, Predicate, Run};
use hornbook_engine::protocol::{self, AddKind};
use hornbook_engine::reply::{Done, Retracted};

/// How many clauses the fault shows if none matches, and how many are compared.
const NEAR: usize = 3;
const COMPARED: usize = 5_000;
/// How many characters of each are shown.
const CLAUSE_CHARS: usize = 80;

impl Workspace {
    /// Replace the first clause that unifies with `old` by the clauses of `new`, in the same place of its
    /// file. On a fault the book is unchanged.
    pub async fn replace_clause(
        &self,
        old: &str,
        new: &[String],
        control: &Control,
    ) -> Result<ClausesReport, Fault> {
        on_the_newest(async || self.replace(old, new, control).await).await
    }

    async fn replace(&self, old: &str, new: &[String], control: &Control) -> Result<ClausesReport, Fault> {
        let workspace = &*self.0;
        let old = old.trim_start_matches('\u{feff}').trim();
        let texts = new.iter().map(|text| text.trim_start_matches('\u{feff}').trim());
        let sources: Vec<String> = texts.filter(|text| !text.is_empty()).map(str::to_owned).collect();
        workspace.check_clauses(&sources)?;
        workspace.check_clauses(&[old.to_owned()])?;
        let turn = workspace.turn(control).await?;
        let sources = workspace.all_plain(sources).await?;
        let old = &*workspace.plain(old).await?;
        workspace.check_room(sources.iter().map(String::len).sum())?;
        // The new clauses are first added at the end, to see that they can be, and removed again.
        let first = turn.next_ids().last;
        let module = workspace.module_with(old).await;
        let (added, edit) = adding::add(
            &turn,
            AddKind::Inline,
            module.as_ref(),
            "replace",
            &sources,
            control,
        )
        .await?;
        let (refused, outcomes) = (added.only_clauses(&sources).err(), added.accepted(&sources));
        let (new, ran) = added.into_inline(&sources, &workspace.pace()).await;
        let (code, new) = (new.text.trim_end(), &new.pieces[..]);
        let predicates: BTreeSet<&Predicate> = new.iter().map(|piece| &*piece.predicate).collect();
        let predicates: Vec<Predicate> = predicates.into_iter().cloned().collect();
        let count = new.len();
        let tried = Tried {
            turn: &turn,
            predicates: &predicates,
            clauses: Run { first, count },
            ran: ran.any(),
        };
        if let Some(fault) = refused {
            tried.take_back(edit).await?;
            return Err(fault);
        }
        let id = match tried.retract(old).await {
            Ok(Some(id)) => id,
            other => {
                tried.take_back(edit).await?;
                other.map_err(|fault| super::mark::shown_fault(fault, old, &[]))?;
                return Err(no_match(&workspace.book.borrow(), old));
            }
        };
        // The engine has already removed the old clause: a fault from here on rebuilds it.
        can_replace(
            &workspace.book.borrow(),
            id,
            module.as_ref().map(|module| &module.name),
        )?;
        let (removed, removed_is_rule, draft) = {
            let book = workspace.book.borrow();
            let entry = book.get(id).expect("it was believed");
            (
                entry.code().to_owned(),
                entry.is_chr_rule(),
                book.rewritten(id, code, new),
            )
        };
        let draft = draft.expect("its source is used");
        let of = draft.pieces.iter().map(|piece| piece.id);
        let delta = Delta {
            removed: of
                .filter(|of| !new.iter().any(|piece| piece.id == *of))
                .chain([id])
                .collect(),
            added: workspace.drafted(draft).await,
            ..Delta::default()
        };
        let of_chr = removed_is_rule || predicates.iter().any(Predicate::is_of_chr_rules);
        // The engine has the new clauses, if not yet in their place.
        edit.record(Operation::Replace, delta).await?;
        // Rules are tried in the order of the book, and belong to no predicate that could be loaded again.
        if of_chr || tried.remove().await.is_err() {
            edit.renew();
        } else if tried.put_in_place().await? {
            edit.keep();
        }
        Ok(ClausesReport {
            outcomes,
            removed: vec![removed],
            warnings: Vec::new(),
            notices: turn.notices(),
        })
    }
}

/// New clauses that were added at the end, to see that they can be.
struct Tried<'a> {
    turn: &'a Turn<'a>,
    predicates: &'a [Predicate],
    clauses: Run,
    /// Directives among them ran.
    ran: bool,
}

impl Tried<'_> {
    /// Remove them from the engine.
    async fn remove(&self) -> Result<Done, Fault> {
        let remove = protocol::remove(&[self.clauses]);
        self.turn.ask(remove, Watch::short("replace")).await
    }

    /// Leave the engine as it was: by removing them if their predicates are known anyway, or else by building
    /// it anew from the book.
    async fn take_back(&self, edit: Edit<'_>) -> Result<(), Fault> {
        let are_known = {
            let book = self.turn.workspace.book.borrow();
            let is_known = |predicate| book.standing(predicate).known != Known::No;
            self.predicates.iter().all(is_known) && !self.ran
        };
        if self.turn.has_engine() && are_known {
            if self.clauses.count > 0 {
                self.remove().await?;
            }
            edit.keep();
        }
        Ok(())
    }

    /// Retract the clause that `old` unifies with in the engine. `None` if only these do.
    async fn retract(&self, old: &str) -> Result<Option<EntryId>, Fault> {
        let Run { first, count } = self.clauses;
        let believe = |reply: Retracted| {
            let book = self.turn.workspace.book.borrow();
            match reply.removed {
                Some(id) if (first.0..first.0 + count as i64).contains(&id) => Ok(None),
                removed => removed.map(|id| believed::removed_clause(&book, id)).transpose(),
            }
        };
        let retract = protocol::retract(old);
        let asked = self.turn.ask_believing(retract, Watch::short("replace"), believe);
        asked.await
    }

    /// Load their predicates again, in the order of the book. Whether the engine has them all.
    async fn put_in_place(&self) -> Result<bool, Fault> {
        let (turn, workspace) = (self.turn, self.turn.workspace);
        let (most, pace) = (workspace.limits.load_bytes, workspace.pace());
        let batches = workspace
            .book()
            .batches_of(self.predicates, usize::MAX, most, &pace)
            .await;
        match batches {
            Some(batches) => follow::reload(turn, self.predicates, &batches, Watch::short("replace")).await,
            None => Ok(false),
        }
    }
}

/// Whether the clause may be replaced by clauses of the module.
fn can_replace(book: &Book, id: EntryId, module: Option<&Rc<str>>) -> Result<(), Fault> {
    let entry = book.get(id).expect("it was believed");
    let refuse =
        |message: &str, next: &str| Err(Fault::new(FaultKind::PermissionError, message).with_next(next));
    if book.module_at(&entry.spot(id), entry).as_ref() != module {
        return refuse(
            "The clause belongs to a different module from the one in the text; nothing was replaced.",
            "Give the clause as it stands in its file, or with its module: m:p(1).",
        );
    }
    let is_inline_rule = entry.is_chr_rule() && entry.source().origin == Origin::Inline;
    if entry.source().changes_reading() && !is_inline_rule {
        return refuse(
            "Its file changes operators or flags, and is read as a whole: nothing was replaced.",
            "Unimport the file, correct it and import it again.",
        );
    }
    Ok(())
}

/// The fault for a clause that nothing unifies with, showing similar clauses.
pub(super) fn no_match(book: &Book, clause: &str) -> Fault {
    let fault = Fault::new(FaultKind::ExistenceError, "No clause matches.");
    match similar_clauses(book, clause).as_slice() {
        [] => fault,
        near => fault.with_next(format!("Similar clauses: {}", near.join("  "))),
    }
}

/// The clauses of predicates with the same name that share the most tokens with this one.
fn similar_clauses(book: &Book, clause: &str) -> Vec<String> {
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
    let mut found: Vec<(usize, &str)> = clauses
        .map(|(_, entry)| {
            let mut left = tokens(entry.code());
            let missing = wanted.iter().filter(|token| {
                let at = left.iter().position(|other| other == *token);
                at.map(|at| left.swap_remove(at)).is_none()
            });
            (missing.count() + left.len(), entry.code())
        })
        .collect();
    found.sort_by_key(|(distance, _)| *distance);
    let shortened = |(_, code): &(usize, &str)| cut(code, CLAUSE_CHARS);
    found.iter().take(NEAR).map(shortened).collect()
}

impl adding::Added {
    /// Check that the texts are clauses only, and that all of them were added.
    fn only_clauses(&self, texts: &[String]) -> Result<(), Fault> {
        for outcome in &self.outcomes {
            if let Err(error) = &outcome.result {
                let message = super::mark::shown_error(error, &texts[outcome.source]);
                return Err(Fault {
                    line: error.line,
                    column: error.column,
                    ..Fault::new(error.kind, message)
                });
            }
        }
        let pieces = self.pieces();
        let clauses = pieces
            .iter()
            .all(|piece| piece.kind != Kind::Directive || piece.predicate.is_of_chr_rules());
        // `end_of_file` ends the reading, and would end that of the file, too.
        let written: usize = texts.iter().map(|text| clause_ranges(text).len()).sum();
        let is_whole = pieces.len() == self.outcomes.len() && pieces.len() >= written;
        if clauses && !pieces.is_empty() && is_whole && !self.ran.any() {
            return Ok(());
        }
        let message = "The text in 'clauses' must be clauses and nothing else; nothing was replaced.";
        let fault = Fault::new(FaultKind::DomainError, message);
        Err(fault.with_next("Give facts and rules."))
    }

    /// The outcome of each clause, all of which were added.
    fn accepted(&self, texts: &[String]) -> Vec<ClauseOutcome> {
        let outcomes = self.outcomes.iter().map(|outcome| ClauseOutcome {
            clause: texts[outcome.source][outcome.start..outcome.end]
                .trim()
                .to_owned(),
            result: OutcomeResult::Success,
        });
        outcomes.collect()
    }
}
