//! Clauses given as texts: assert and retract.

use std::collections::BTreeSet;

use super::adding;
use super::changes::initialize;
use super::mark::{shown_error, shown_fault};
use super::replace::no_match;
use super::request::Watch;
use super::sharing::on_the_newest;
use super::types::*;
use super::{Inner, Workspace, believed, doubts, follow, twice};
use hornbook_base::{Control, Fault, FaultKind, Limits, Pace, Progress};
use hornbook_book::lexer::Lexer;
use hornbook_book::text::{clause_ranges_in_slices, unreadable};
use hornbook_book::{Book, Delta, EntryId, Operation};
use hornbook_engine::protocol::{self, AddKind};
use hornbook_engine::reply::{BadReply, Retracted};

impl Workspace {
    /// Add clauses at the end of the book. A text may hold several clauses and span lines, and its last
    /// period may be missing. The outcomes are in the order of the clauses; a clause that cannot be added
    /// does not stop the others. On a fault nothing was added.
    pub async fn assert_clauses(
        &self,
        texts: Vec<String>,
        control: &Control,
    ) -> Result<ClausesReport, Fault> {
        self.0.check_texts(&texts)?;
        let texts = without_marks(texts);
        on_the_newest(async || self.assert_once(texts.clone(), control).await).await
    }

    async fn assert_once(&self, texts: Vec<String>, control: &Control) -> Result<ClausesReport, Fault> {
        let workspace = &*self.0;
        let (sources, unread) = workspace.split_unreadable(texts).await;
        let turn = workspace.turn(control).await?;
        let sources = workspace.all_plain(sources).await?;
        workspace.check_room(sources.iter().map(String::len).sum())?;
        let (added, edit) = adding::add(&turn, AddKind::Inline, None, "assert", &sources, control).await?;
        let pace = workspace.pace();
        let outcomes = merge(&sources, &added.outcomes, unread, &pace).await;
        let goals = added.initializations.clone();
        let (draft, mut ran) = added.into_inline(&sources, &pace).await;
        let looked_at = doubts::Added::of(&turn, &draft, true);
        let mut warnings: Vec<String> = twice::there_already(&workspace.book.borrow(), &draft)
            .into_iter()
            .collect();
        let problems = std::mem::take(&mut ran.problems);
        let mut output = std::mem::take(&mut ran.output);
        ran.enter(&turn, edit, Operation::Assert, draft).await?;
        let initialized = initialize(&turn, goals, control).await;
        output.push_str(&initialized.output);
        if let Some(added) = looked_at {
            warnings.extend(added.warnings(&turn).await);
        }
        let mut notices = turn.notices();
        notices.extend(problems.into_iter().chain(initialized.errors).map(Notice));
        if !output.is_empty() {
            notices.push(Notice(format!("The directives wrote: {output}")));
        }
        Ok(ClausesReport {
            outcomes,
            removed: Vec::new(),
            warnings,
            notices,
        })
    }

    /// For each clause given, remove the first one that unifies with it, as `retract/1` does. On a fault the
    /// book is unchanged.
    pub async fn retract_clauses(
        &self,
        texts: Vec<String>,
        control: &Control,
    ) -> Result<ClausesReport, Fault> {
        self.0.check_texts(&texts)?;
        let texts = without_marks(texts);
        on_the_newest(async || self.0.retract(&texts, control).await).await
    }
}

impl Inner {
    async fn retract(&self, texts: &[String], control: &Control) -> Result<ClausesReport, Fault> {
        let workspace = self;
        let turn = workspace.turn(control).await?;
        let texts = workspace.all_plain(texts.to_vec()).await?;
        let clauses = split(&workspace.book(), &texts, &workspace.pace()).await;
        let mut gone = BTreeSet::new();
        let mut outcomes = Vec::with_capacity(clauses.len());
        let edit = turn.edit();
        for (position, clause) in clauses.iter().enumerate() {
            let constraint = workspace.constraint_by_text(clause, &gone);
            let mut result = match not_to_read(clause, &workspace.limits) {
                Some(refused) => refused,
                None if constraint.is_some() => {
                    let ids: Vec<EntryId> = constraint.into_iter().collect();
                    follow::take_out(&turn, &ids, Watch::short("retract")).await?;
                    gone.extend(ids);
                    OutcomeResult::Success
                }
                None => match turn
                    .ask_believing(protocol::retract(clause), Watch::short("retract"), |reply| {
                        retracted(&workspace.book.borrow(), &gone, reply)
                    })
                    .await
                {
                    Ok(Some(id)) => {
                        gone.insert(id);
                        OutcomeResult::Success
                    }
                    Ok(None) => {
                        let Fault {
                            kind, message, next, ..
                        } = no_match(&workspace.book.borrow(), clause);
                        refused(
                            kind,
                            format!("{message} {next}").trim_end().to_owned(),
                            None,
                            None,
                        )
                    }
                    Err(fault) if !turn.has_engine() => return Err(fault),
                    Err(fault) => {
                        let fault = shown_fault(fault, clause, &[]);
                        refused(fault.kind, fault.message, fault.line, fault.column)
                    }
                },
            };
            // The engine does not know entries that are set aside.
            let aside = workspace.book.borrow().aside_by_text(clause, &gone);
            if let Some(id) = aside.filter(|_| result != OutcomeResult::Success) {
                gone.insert(id);
                result = OutcomeResult::Success;
            }
            outcomes.push(ClauseOutcome {
                clause: clause.clone(),
                result,
            });
            if control.cancel.is_cancelled() {
                let message = "The retract was cancelled; nothing was removed.";
                return Err(Fault::new(FaultKind::Cancelled, message));
            }
            let step = workspace.limits.step_items;
            if let Some(progress) = control.progress.as_ref().filter(|_| (position + 1) % step == 0) {
                let (done, total) = (position as u64 + 1, Some(clauses.len() as u64));
                progress(Progress {
                    done,
                    total,
                    message: "clauses".to_owned(),
                });
            }
        }
        let removed = {
            let book = workspace.book.borrow();
            let written = |id: &EntryId| book.get(*id).map(|entry| entry.code().to_owned());
            gone.iter().filter_map(written).collect()
        };
        edit.commit(
            Operation::Retract,
            Delta {
                removed: gone.into_iter().collect(),
                ..Delta::default()
            },
        )
        .await?;
        Ok(ClausesReport {
            outcomes,
            removed,
            warnings: Vec::new(),
            notices: turn.notices(),
        })
    }
}

/// The clause that was removed; an earlier text of the call must not have removed it already.
fn retracted(book: &Book, gone: &BTreeSet<EntryId>, reply: Retracted) -> Result<Option<EntryId>, BadReply> {
    match reply
        .removed
        .map(|id| believed::removed_clause(book, id))
        .transpose()?
    {
        Some(id) if gone.contains(&id) => Err(BadReply::new("it removes a clause twice")),
        removed => Ok(removed),
    }
}

impl Inner {
    /// Check that each text is one clause, nested no deeper than allowed.
    pub(super) fn check_clauses(&self, texts: &[String]) -> Result<(), Fault> {
        self.check_texts(texts)?;
        let fault = |text: &String| unreadable("The text", text, Lexer::new(text), &self.limits);
        texts.iter().find_map(fault).map_or(Ok(()), Err)
    }

    fn check_texts(&self, texts: &[String]) -> Result<(), Fault> {
        if texts.is_empty() {
            let fault = Fault::new(FaultKind::DomainError, "At least one clause is required.");
            return Err(fault.with_next("Give the clauses as Prolog text."));
        }
        let bytes: usize = texts.iter().map(String::len).sum();
        if bytes > self.limits.file_bytes {
            let message = format!("The texts have {bytes} bytes, more than one call may contain");
            return Err(Fault::limit(message, "file_bytes", self.limits.file_bytes));
        }
        Ok(())
    }

    /// Check that the book has room for this many more bytes.
    pub(super) fn check_room(&self, bytes: usize) -> Result<(), Fault> {
        let held = self.used_bytes();
        if held + bytes > self.limits.bytes {
            let message = format!(
                "Nothing was added: the book holds {held} bytes of text, and there is no room for {bytes} more"
            );
            return Err(Fault::limit(message, "bytes", self.limits.bytes));
        }
        Ok(())
    }

    /// Texts that an engine must not read are not sent; an empty text takes their place, to keep the order.
    async fn split_unreadable(&self, mut texts: Vec<String>) -> (Vec<String>, Vec<(usize, ClauseOutcome)>) {
        let mut unread = Vec::new();
        let pace = self.pace();
        for (index, text) in texts.iter_mut().enumerate() {
            if pace.is_over(1 + text.len() / 16) {
                pace.rest().await;
            }
            if let Some(result) = not_to_read(text, &self.limits) {
                let clause = std::mem::take(text).trim().to_owned();
                unread.push((index, ClauseOutcome { clause, result }));
            }
        }
        (texts, unread)
    }
}

/// A byte order mark is layout only at the start of a text, and these texts are joined.
fn without_marks(mut texts: Vec<String>) -> Vec<String> {
    for text in &mut texts {
        let marks = text.len() - text.trim_start_matches('\u{feff}').len();
        text.drain(..marks);
    }
    texts
}

fn not_to_read(text: &str, limits: &Limits) -> Option<OutcomeResult> {
    let fault = unreadable("The text", text, Lexer::new(text), limits)?;
    let message = format!("{} {}", fault.message, fault.next).trim_end().to_owned();
    Some(refused(fault.kind, message, fault.line, None))
}

fn refused(kind: FaultKind, message: String, line: Option<u32>, column: Option<u32>) -> OutcomeResult {
    OutcomeResult::Error {
        message,
        kind,
        line,
        column,
    }
}

/// The outcomes of all texts in their order. A text without a clause has an outcome, too.
async fn merge(
    sources: &[String],
    added: &[adding::Outcome],
    unread: Vec<(usize, ClauseOutcome)>,
    pace: &Pace,
) -> Vec<ClauseOutcome> {
    let mut outcomes = Vec::with_capacity(added.len());
    let mut added = added.iter().peekable();
    let mut unread = unread.into_iter().peekable();
    for (index, source) in sources.iter().enumerate() {
        let before = outcomes.len();
        outcomes.extend(unread.next_if(|(of, _)| *of == index).map(|(_, outcome)| outcome));
        while let Some(outcome) = added.next_if(|outcome| outcome.source == index) {
            let result = match &outcome.result {
                Ok(()) => OutcomeResult::Success,
                Err(error) => refused(error.kind, shown_error(error, source), error.line, error.column),
            };
            let clause = source[outcome.start..outcome.end].trim().to_owned();
            outcomes.push(ClauseOutcome { clause, result });
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        if outcomes.len() == before {
            let result = refused(
                FaultKind::SyntaxError,
                "There is no clause in the text.".into(),
                None,
                None,
            );
            outcomes.push(ClauseOutcome {
                clause: source.trim().to_owned(),
                result,
            });
        }
    }
    outcomes
}

/// One text per clause, without the surrounding layout. An entry that is set aside may have any text.
async fn split(book: &Book, texts: &[String], pace: &Pace) -> Vec<String> {
    let mut clauses = Vec::new();
    for text in texts {
        if book.aside_by_text(text, &BTreeSet::new()).is_some() {
            clauses.push(text.trim().to_owned());
            continue;
        }
        let ranges = clause_ranges_in_slices(text, pace).await;
        if ranges.is_empty() {
            clauses.push(text.trim().to_owned());
        }
        for range in ranges {
            clauses.push(text[range].trim().to_owned());
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
    }
    clauses
}
