//! The decision about what a draft proposes.

use std::rc::Rc;

use serde::Serialize;

use super::branch::{Branch, Derived};
use super::proposal::{Proposal, ProposedOperation, clauses, moved, proposed, without};
use super::seen::{Seen, nothing, proposer};
use super::upstream::Upstream;
use super::violations::{New, new_among};
use super::{Step, TRIES, TRIES_WITHOUT_TURN, names};
use crate::history::lead;
use crate::keeping::Kept;
use crate::touched::Touched;
use crate::turn::Turn;
use crate::types::Notice;
use crate::{Inner, Workspace};
use hornbook_base::{Control, Fault, FaultKind};
use hornbook_book::{BRANCH, Cell, Clash, Delta, EMPTIED, Operation, Revision};

/// How many reasons a message gives.
const SHOWN: usize = 5;

/// What was decided about a draft.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Decided {
    /// The revision of the book that has the decision.
    pub revision: u64,
    /// How many operations it was about.
    pub operations: usize,
    /// How many clauses and directives the book has got and lost.
    pub added: usize,
    pub removed: usize,
    pub notices: Vec<Notice>,
}

impl Workspace {
    /// The names of the drafts that propose something, sorted.
    pub async fn drafts(&self) -> Vec<String> {
        self.freshen().await;
        names(&self.0.book.borrow())
    }

    /// What the draft of this workspace proposes.
    ///
    /// # Errors
    /// [`FaultKind::ExistenceError`] if this is no draft; whatever keeps constraints from being asked.
    pub async fn proposal(&self, control: &Control) -> Result<Proposal, Fault> {
        let branch = self.branch()?;
        let seen = self.seen(branch).await?;
        let New {
            violations,
            mut warnings,
            unchecked,
        } = self.new_violations(branch, &seen, control).await?;
        warnings.extend(unchecked);
        let change = self.0.change_of(branch, &seen).await;
        let Seen { base, derived, steps } = seen;
        let Derived { book, dropped, .. } = derived;
        let operation = |step: &Step| {
            let dropped = dropped.iter().find(|(key, _)| *key == step.key);
            ProposedOperation {
                key: step.key.clone(),
                number: step.number(),
                operation: step.operation(),
                at: step.at_ms,
                by: step.by.clone(),
                dropped: dropped.map(|(_, why)| why.clone()),
            }
        };
        // What a file that is read anew has as before is no change.
        let (added, removed) = (clauses(&change.added), clauses(&change.removed));
        // Which file is empty then follows from what is removed.
        let shown = change.cells.iter().filter(|cell| &*cell.room != EMPTIED);
        Ok(Proposal {
            draft: branch.name.to_string(),
            revision: base.revision(),
            operations: steps.iter().map(operation).collect(),
            added: without(&added, &removed),
            removed: without(&removed, &added),
            moved: moved(&base, &book, &change),
            cells: shown.map(proposed).collect(),
            violations,
            warnings,
            asked: branch.noted.all(&base, &branch.name),
        })
    }

    /// Make what this draft proposes part of its book, as one revision, with the name of who accepts it
    /// (`control.client_name`). Its client is told, with the reason.
    ///
    /// `only` are the keys of the operations that it is about.
    ///
    /// # Errors
    /// [`FaultKind::Conflict`] if the draft has other operations by now, or some that no longer apply,
    /// [`FaultKind::ConstraintViolation`] if a constraint would be violated that is not now: then nothing is changed.
    pub async fn accept(
        &self,
        only: Option<&[String]>,
        reason: Option<&str>,
        control: &Control,
    ) -> Result<Decided, Fault> {
        let branch = self.branch()?;
        for tried in 0..TRIES {
            if tried >= TRIES_WITHOUT_TURN {
                let operation = |seen: &Seen| Operation::Accept {
                    draft: branch.name.to_string(),
                    by: proposer(&seen.steps),
                };
                let accepted = self.accept_in_turn(branch, only, operation, control).await?;
                let Some((seen, accepted)) = accepted else {
                    continue;
                };
                self.tell(branch, &seen, true, reason, control).await;
                return Ok(accepted);
            }
            let seen = self.seen(branch).await?;
            seen.check(branch, only)?;
            if !seen.derived.dropped.is_empty() {
                return Err(no_longer(&seen.derived.dropped));
            }
            let New {
                violations, warnings, ..
            } = self.new_violations(branch, &seen, control).await?;
            if !violations.is_empty() {
                return Err(violated(&violations));
            }
            let operation = Operation::Accept {
                draft: branch.name.to_string(),
                by: proposer(&seen.steps),
            };
            let change = self.0.change_of(branch, &seen).await;
            let accepted = self.accept_once(branch, &seen, change, operation, control);
            let Some(mut accepted) = accepted.await? else {
                continue;
            };
            accepted.warn(warnings);
            self.tell(branch, &seen, true, reason, control).await;
            return Ok(accepted);
        }
        Err(busy())
    }

    /// Accept it within the turn of the book, so that nobody in this process changes the book while constraints are
    /// asked. `None` if another process was faster.
    async fn accept_in_turn(
        &self,
        branch: &Branch,
        only: Option<&[String]>,
        operation: impl Fn(&Seen) -> Operation,
        control: &Control,
    ) -> Result<Option<(Seen, Decided)>, Fault> {
        let turns = self.both(branch, control).await?;
        let seen = branch.seen_in(&turns);
        if seen.steps.is_empty() {
            return Err(nothing(branch));
        }
        seen.check(branch, only)?;
        if !seen.derived.dropped.is_empty() {
            return Err(no_longer(&seen.derived.dropped));
        }
        let accepted = self
            .accept_seen(branch, &turns, &seen, operation(&seen), control)
            .await?;
        Ok(accepted.map(|accepted| (seen, accepted)))
    }

    /// Accept what was seen in these turns, unless constraints refuse it. `None` if another process was faster.
    pub(super) async fn accept_seen(
        &self,
        branch: &Branch,
        (drafted, turn): &(Turn<'_>, Turn<'_>),
        seen: &Seen,
        operation: Operation,
        control: &Control,
    ) -> Result<Option<Decided>, Fault> {
        let after = drafted.constraints(control).await?;
        let New {
            violations, warnings, ..
        } = new_among(&after, &turn.constraints(control).await?);
        if !violations.is_empty() {
            return Err(violated(&violations));
        }
        let change = self.0.change_of(branch, seen).await;
        let accepted = accept_in(turn, branch, seen, change, operation, control).await?;
        Ok(accepted.map(|mut accepted| {
            accepted.warn(warnings);
            accepted
        }))
    }

    /// The turns of the draft and of its book, which then does not change but by other processes. The draft has what
    /// the book has.
    pub(super) async fn both<'a>(
        &'a self,
        branch: &'a Branch,
        control: &Control,
    ) -> Result<(Turn<'a>, Turn<'a>), Fault> {
        // In this order, as operations of the draft take them, and with an engine before others wait for the book.
        let drafted = self.0.wait(control).await?;
        if branch.base.0.book.borrow().constraints().next().is_some() {
            drafted.await_engine(control).await?;
        }
        // A change may have held the book from its beginning.
        let turn = match branch.take_base() {
            Some(held) => branch.base.0.begin_turn(held, None, control).await?,
            None => branch.turn_of_base(&drafted, control).await?,
        };
        let (now, pace) = (drafted.book(), self.0.pace());
        if let Some(news) = branch.followed(&now, Vec::new(), &pace).await {
            drafted.take_upstream(news).await;
        }
        Ok((drafted, turn))
    }

    /// Drop this draft from its book. Its client is told, with the reason. `only` as for [`Workspace::accept`].
    ///
    /// # Errors
    /// [`FaultKind::Conflict`] if the draft has other operations by now.
    pub async fn reject(
        &self,
        only: Option<&[String]>,
        reason: Option<&str>,
        control: &Control,
    ) -> Result<Decided, Fault> {
        let branch = self.branch()?;
        for _ in 0..TRIES {
            let turn = branch.base.0.wait(control).await?;
            let seen = branch.seen_at(turn.book(), &self.0.pace()).await?;
            seen.check(branch, only)?;
            let number = seen.base.revision() + 1;
            let mut cells = seen.without_steps(branch);
            cells.push(seen.told(branch, false, reason, control));
            if turn.write_draft(branch, cells).await? {
                return Ok(Decided {
                    revision: number,
                    operations: seen.steps.len(),
                    added: 0,
                    removed: 0,
                    notices: turn.notices(),
                });
            }
        }
        Err(busy())
    }

    /// Tell the client of the draft, apart from the change, which can be undone once this was read. If it fails, the
    /// change counts all the same.
    pub(super) async fn tell(
        &self,
        branch: &Branch,
        seen: &Seen,
        accepted: bool,
        reason: Option<&str>,
        control: &Control,
    ) {
        let verdict = seen.told(branch, accepted, reason, control);
        if let Ok(turn) = branch.base.0.wait(control).await {
            let _ = turn.write_draft(branch, vec![verdict]).await;
        }
    }

    pub(super) fn branch(&self) -> Result<&Rc<Branch>, Fault> {
        self.0.draft.as_ref().ok_or_else(no_branch)
    }

    /// The draft and its book, at one moment. It takes no turn of the draft: a new one has yet to build its engine in it.
    async fn seen(&self, branch: &Branch) -> Result<Seen, Fault> {
        branch.base.freshen().await;
        branch.seen_at(branch.base.0.book(), &self.0.pace()).await
    }

    /// What violates constraints with the draft, and not without it; and what violates those that the draft brings. If
    /// the book has not moved since it was `seen`, that is what they say of it as it was seen.
    async fn new_violations(&self, branch: &Branch, seen: &Seen, control: &Control) -> Result<New, Fault> {
        // The workspace may have yet to follow what was seen, and have no constraints until then.
        if seen.derived.book.constraints().next().is_none() {
            return Ok(New::default());
        }
        let after = self.0.wait(control).await?.constraints(control).await?;
        let before = branch.base.constraints(control).await?;
        Ok(new_among(&after, &before))
    }

    /// `None` if the book has moved.
    async fn accept_once(
        &self,
        branch: &Branch,
        seen: &Seen,
        change: Revision,
        operation: Operation,
        control: &Control,
    ) -> Result<Option<Decided>, Fault> {
        let workspace = &*branch.base.0;
        let turn = workspace.wait(control).await?;
        if turn.book().revision() != seen.base.revision() {
            return Ok(None);
        }
        accept_in(&turn, branch, seen, change, operation, control).await
    }
}

impl Decided {
    fn warn(&mut self, warnings: Vec<String>) {
        let warnings = warnings.into_iter();
        self.notices
            .extend(warnings.map(|warning| Notice(format!("Warning: {warning}"))));
    }
}

/// `None` if another process was faster.
pub(super) async fn accept_in(
    turn: &Turn<'_>,
    branch: &Branch,
    seen: &Seen,
    change: Revision,
    operation: Operation,
    control: &Control,
) -> Result<Option<Decided>, Fault> {
    let workspace = turn.workspace;
    let (added, removed) = (change.added.len(), change.removed.len());
    let mut delta = turn.placed(change).await?;
    if branch.is_kept() {
        delta.cells.extend(seen.without_steps(branch));
    }
    let (mut touched, pace) = (Touched::default(), workspace.pace());
    touched.note(&workspace.book(), &delta, &pace).await;
    let before = workspace.rooms.constraints.states();
    let edit = turn.edit();
    let number = seen.base.revision() + 1;
    let recorded = turn.record_once(operation, delta).await;
    // What other processes have done before or since is in the book by now: the engine follows all of it.
    if let Some(behind) = turn.take_behind() {
        touched.then(behind.touched);
    }
    let turned = touched.turned(&workspace.book(), &pace).await;
    let (_, told) = lead(turn, edit, &turned).await;
    let revision = match recorded? {
        Some(Kept::Done(_)) => number,
        // All of it was undone again.
        None => seen.base.revision(),
        Some(Kept::Conflict(..)) => return Ok(None),
    };
    let touch = workspace.touch_of(number);
    turn.tell_violations(&touch, before, control).await;
    Ok(Some(Decided {
        revision,
        operations: seen.steps.len(),
        added,
        removed,
        notices: turn.notices().into_iter().chain(told).collect(),
    }))
}

impl Inner {
    /// What leads from the book to the book with the draft.
    async fn change_of(&self, branch: &Branch, seen: &Seen) -> Revision {
        let operation = Operation::Draft(branch.name.to_string());
        let now_ms = self.clock.now_ms();
        seen.derived
            .change(&seen.base, operation, now_ms, &self.pace())
            .await
    }
}

impl Turn<'_> {
    /// Change cells of a draft. Returns whether it was done: others may have been faster.
    pub(super) async fn write_draft(&self, branch: &Branch, cells: Vec<Cell>) -> Result<bool, Fault> {
        let delta = Delta {
            cells,
            ..Delta::default()
        };
        let operation = Operation::Draft(branch.name.to_string());
        let kept = self.record_once(operation, delta).await?;
        Ok(matches!(kept, Some(Kept::Done(_))))
    }

    /// A change of a branch, with places and sources of the book.
    async fn placed(&self, change: Revision) -> Result<Delta, Fault> {
        let mut next = self.workspace.book();
        let moved = next.rebase(change, BRANCH, &self.workspace.pace()).await;
        let delta = moved.map_err(|Clash(why)| no_longer(&[(String::new(), why)]))?;
        *self.workspace.book.borrow_mut() = next;
        Ok(delta)
    }
}

pub(super) fn no_branch() -> Fault {
    Fault::new(FaultKind::ExistenceError, "This is a book, and no draft.")
}

fn shown(reasons: &[String]) -> String {
    let first: Vec<&str> = reasons.iter().take(SHOWN).map(String::as_str).collect();
    match reasons.len().saturating_sub(SHOWN) {
        0 => first.join("; "),
        more => format!("{}; … and {more} more", first.join("; ")),
    }
}

fn violated(violations: &[String]) -> Fault {
    let violations = shown(violations);
    let message = format!("A constraint refuses this, and nothing was changed: {violations}");
    Fault::new(FaultKind::ConstraintViolation, message)
}

fn no_longer(dropped: &[(String, String)]) -> Fault {
    let reasons: Vec<String> = dropped.iter().map(|(_, why)| why.clone()).collect();
    let message = format!(
        "The book has changed, and not all of the draft applies to it: {}. Nothing was changed.",
        shown(&reasons)
    );
    let next = "Accept only the operations that apply, or reject it.";
    Fault::new(FaultKind::Conflict, message).with_next(next)
}

pub(super) fn busy() -> Fault {
    let message = "Other processes keep changing the book. Nothing was changed.";
    Fault::new(FaultKind::Conflict, message).with_next("Try again.")
}
