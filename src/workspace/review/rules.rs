//! What the book's own rules accept of a draft without a person: its clauses of `accepts_proposal/2`.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::branch::{Branch, derive};
use super::change::has_changed;
use super::decide::{accept_in, no_branch};
use super::seen::{Seen, is_undone};
use super::violations::new_among;
use super::{ROOM, Step, TRIES};
use crate::Workspace;
use hornbook_base::{Control, Fault, Who};
use hornbook_book::lexer::Lexer;
use hornbook_book::{EMPTIED, Entry, EntryId, Operation, Revision};
use hornbook_engine::protocol::quote;

/// Who decides then, in the history and for the client.
const BY: &str = "The book's rules";
/// The most changes of an operation that rules decide about.
const MOST: usize = 1_000;

impl Workspace {
    /// Let the rules of the book decide about each operation that comes into this draft from now on.
    pub(crate) fn decide_by_rules(&self) {
        let weak = Rc::downgrade(&self.0);
        self.on_change(move |_| {
            let Some(inner) = weak.upgrade() else {
                return;
            };
            let spawner = inner.spawner.clone();
            let weak = Rc::downgrade(&inner);
            drop(inner);
            spawner(Box::pin(async move {
                if let Some(inner) = weak.upgrade() {
                    // What the rules cannot decide, a person does.
                    let _ = Workspace(inner, None).ask_rules().await;
                }
            }));
        });
    }

    async fn ask_rules(&self) -> Result<(), Fault> {
        let branch = self.0.draft.clone().ok_or_else(no_branch)?;
        while let Some((step, who, revision)) = branch.next_unasked(&self.0.book()) {
            if let Some(goal) = goal_of(&step, &revision) {
                self.accept_by_rules(&branch, step, &goal, who.as_deref()).await?;
            }
        }
        Ok(())
    }

    /// Whether the rules of the book, without the draft, accept a change.
    async fn accepts(&self, branch: &Branch, goal: &str) -> Result<bool, Fault> {
        let answers = branch.base.answers_of(goal, &Control::default()).await?;
        Ok(answers.fault.is_none() && answers.answers.iter().any(|answer| !answer.undefined))
    }

    /// Accept a step if the rules answer this goal, in the book as it is then.
    async fn accept_by_rules(
        &self,
        branch: &Branch,
        step: Step,
        goal: &str,
        who: Option<&Who>,
    ) -> Result<(), Fault> {
        let control = Control {
            client_name: Some(BY.into()),
            ..Control::default()
        };
        let (steps, pace) = (vec![step], self.0.pace());
        for _ in 0..TRIES {
            let asked = branch.base.revision();
            if !self.accepts(branch, goal).await? {
                return Ok(());
            }
            let (drafted, turn) = self.both(branch, &control).await?;
            let base = turn.book();
            // Another process was faster, or its client has taken it back.
            if base.cell(ROOM, &steps[0].key).is_none() || is_undone(&steps, &branch.contents().0) {
                return Ok(());
            }
            if has_changed(&base, asked) {
                // The rules may be others by now.
                continue;
            }
            let derived = derive(&base, &steps, &pace).await;
            if !derived.dropped.is_empty() {
                return Ok(());
            }
            let operation = Operation::Accept {
                draft: branch.name.to_string(),
                by: steps[0].by.clone(),
            };
            let change = derived.change(&base, operation.clone(), self.0.clock.now_ms(), &pace);
            let change = change.await;
            // What its client may not change itself, a person decides about.
            if branch.base.0.permit(who, &change).await.is_err() {
                return Ok(());
            }
            let before = turn.constraints(&control).await?;
            let is_refused = match branch.contents().0.len() {
                1 => !new_among(&drafted.constraints(&control).await?, &before)
                    .violations
                    .is_empty(),
                // The engine of the draft has more than this operation.
                _ => turn.is_constrained(&change),
            };
            if is_refused {
                return Ok(());
            }
            let seen = Seen {
                base,
                derived,
                steps: steps.clone(),
            };
            let accepted = accept_in(&turn, branch, &seen, change, operation, &control).await?;
            drop((turn, drafted));
            if accepted.is_some() {
                self.tell(branch, &seen, true, None, &control).await;
                return Ok(());
            }
        }
        Ok(())
    }
}

/// The goal that asks the rules about all that an operation changes; `None` for what they do not decide about:
/// directives, which may change how other text is read, and what would be too much.
fn goal_of(step: &Step, revision: &Revision) -> Option<String> {
    let Revision {
        operation,
        removed,
        added,
        cells,
        ..
    } = revision;
    if matches!(
        operation,
        Operation::Undo(_) | Operation::Redo(_) | Operation::Reset
    ) {
        return None;
    }
    if removed.len() + added.len() + cells.len() > MOST {
        return None;
    }
    let mut changes = Vec::new();
    let ids: BTreeSet<(EntryId, &str)> = added.iter().map(|(id, entry)| (*id, entry.code())).collect();
    let stays = |one: &&(EntryId, Entry)| ids.contains(&(one.0, one.1.code()));
    let kept: BTreeSet<EntryId> = removed.iter().filter(stays).map(|(id, _)| *id).collect();
    for (what, entries) in [("removed", removed), ("added", added)] {
        for (_, entry) in entries.iter().filter(|(id, _)| !kept.contains(id)) {
            if !entry.is_clause() {
                return None;
            }
            let code = entry.code();
            let last = Lexer::new(code).last()?;
            // The line end closes a comment.
            let term = code[last.start..].starts_with('.').then(|| &code[..last.start])?;
            changes.push(format!("{what}(({term}\n))"));
        }
    }
    // That a file is empty then says no more than that its clauses are removed.
    for change in cells.iter().filter(|change| &*change.room != EMPTIED) {
        let mut text = String::from("changed(");
        quote(&mut text, &change.room, '\'');
        text.push_str(", ");
        quote(&mut text, &change.key, '\'');
        text.push(')');
        changes.push(text);
    }
    if changes.is_empty() {
        return None;
    }
    let mut client = String::new();
    quote(&mut client, step.by.as_deref().unwrap_or_default(), '\'');
    let changes = changes.join(", ");
    Some(format!(
        "\\+ (member(Change, [{changes}]), \\+ accepts_proposal(Change, {client}))"
    ))
}
