//! Replacing a clause by others.

use std::collections::BTreeSet;

use super::adding;
use super::edit::Edit;
use super::sharing::on_the_newest;
use super::types::*;
use super::{Workspace, believed, follow};
use crate::request::Watch;
use hornbook_base::{Control, Fault, FaultKind, cut};
use hornbook_book::lexer::Lexer;
use hornbook_book::text::clause_ranges;
use hornbook_book::{Book, Delta, Kind, Known, Operation, Origin, Predicate, Run};
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
        let temporary = [Run { first, count }];
        // On any failure from here on, the engine is rebuilt from the book, unless all that must be undone is
        // new clauses of known predicates: those are removed.
        let take_back = async |edit: Edit<'_>| {
            let are_known = {
                let book = workspace.book.borrow();
                let is_known = |predicate| book.standing(predicate).known != Known::No;
                predicates.iter().all(is_known) && !ran.any()
            };
            if turn.has_engine() && are_known {
                if count > 0 {
                    turn.ask::<Done>(protocol::remove(&temporary), Watch::short("replace"))
                        .await?;
                }
                edit.keep();
            }
            Ok::<(), Fault>(())
        };
        if let Some(fault) = refused {
            take_back(edit).await?;
            return Err(fault);
        }
        let retract = protocol::retract(old);
        let believe = |reply: Retracted| {
            let book = workspace.book.borrow();
            match reply.removed {
                Some(id) if (first.0..first.0 + count as i64).contains(&id) => Ok(None),
                removed => removed.map(|id| believed::removed_clause(&book, id)).transpose(),
            }
        };
        let found = turn
            .ask_believing(retract, Watch::short("replace"), believe)
            .await;
        let id = match found {
            Ok(Some(id)) => id,
            other => {
                take_back(edit).await?;
                other.map_err(|fault| super::mark::shown_fault(fault, old, &[]))?;
                return Err(no_match(&workspace.book.borrow(), old));
            }
        };
        let of = {
            let book = workspace.book.borrow();
            let entry = book.get(id).expect("it was believed");
            book.module_at(&entry.spot(id), entry)
        };
        if of.as_ref() != module.as_ref().map(|module| &module.name) {
            // The engine has already removed the old clause.
            let message =
                "The clause belongs to a different module from the one in the text; nothing was replaced.";
            let fault = Fault::new(FaultKind::PermissionError, message);
            return Err(
                fault.with_next("Give the clause as it stands in its file, or with its module: m:p(1).")
            );
        }
        let (removed, removed_is_rule, draft) = {
            let book = workspace.book.borrow();
            let entry = book.get(id).expect("it was believed");
            let is_inline_rule = entry.is_chr_rule() && entry.source().origin == Origin::Inline;
            if entry.source().changes_reading() && !is_inline_rule {
                let message =
                    "Its file changes operators or flags, and is read as a whole: nothing was replaced.";
                let fault = Fault::new(FaultKind::PermissionError, message);
                return Err(fault.with_next("Unimport the file, correct it and import it again."));
            }
            let removed = entry.code().to_owned();
            (removed, entry.is_chr_rule(), book.rewritten(id, code, new))
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
        let removed_there = turn.ask::<Done>(protocol::remove(&temporary), Watch::short("replace"));
        if of_chr || removed_there.await.is_err() {
            // Rules are tried in the order of the book, and belong to no predicate that could be loaded again.
            edit.renew();
            return Ok(ClausesReport {
                outcomes,
                removed: vec![removed],
                warnings: Vec::new(),
                notices: turn.notices(),
            });
        }
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
            outcomes,
            removed: vec![removed],
            warnings: Vec::new(),
            notices: turn.notices(),
        })
    }
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
