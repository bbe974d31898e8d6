//! A change: what a client makes of the book as one revision, if the book stays as it was meanwhile.

use std::rc::Rc;

use futures::future::{Either, select};

use super::TRIES;
use super::branch::Branch;
use super::decide::busy;
use crate::Workspace;
use hornbook_base::{Control, Fault, FaultKind};
use hornbook_book::{Book, Operation};

impl Workspace {
    /// Begin a change in the workspace of a change, which then has the book as it is. Returns the revision of that. For
    /// `hold_ms`, or until the change is made, nobody else in this process changes the book.
    pub async fn begin_change(&self, hold_ms: u64, control: &Control) -> Result<u64, Fault> {
        let branch = self.branch()?;
        branch.forget();
        if hold_ms == 0 {
            drop(self.0.wait(control).await?);
            return Ok(branch.seen());
        }
        let (_drafted, turn) = self.both(branch, control).await?;
        let released = branch.hold_base(turn.permit.clone());
        let (clock, held) = (self.0.clock.clone(), Rc::downgrade(branch));
        (self.0.spawner)(Box::pin(async move {
            if let Either::Left(_) = select(clock.sleep(hold_ms), released).await
                && let Some(branch) = held.upgrade()
            {
                branch.take_base();
            }
        }));
        Ok(branch.seen())
    }

    /// Forget what was changed here, and let others change the book.
    pub fn abandon_change(&self) {
        if let Ok(branch) = self.branch() {
            branch.forget();
        }
    }

    /// Make what was changed here since [`Workspace::begin_change`], which returned `begun`, part of the book, as one
    /// revision. `None` if the book has changed meanwhile; then nothing is changed. If it `follows` the book, that is
    /// only so if what was changed here no longer applies to it. What was changed here is forgotten.
    ///
    /// # Errors
    /// [`FaultKind::ConstraintViolation`] if a constraint refuses it; [`FaultKind::Conflict`] if it follows the book, and
    /// other processes keep changing that.
    pub async fn commit_change(
        &self,
        begun: u64,
        follows: bool,
        control: &Control,
    ) -> Result<Option<u64>, Fault> {
        let branch = self.branch()?;
        let committed = self.committed(branch, begun, follows, control).await;
        branch.forget();
        committed
    }

    async fn committed(
        &self,
        branch: &Branch,
        begun: u64,
        follows: bool,
        control: &Control,
    ) -> Result<Option<u64>, Fault> {
        for _ in 0..TRIES {
            let turns = self.both(branch, control).await?;
            let seen = branch.seen_in(&turns);
            if (!follows && has_changed(&seen.base, begun)) || !seen.derived.dropped.is_empty() {
                return Ok(None);
            }
            if seen.steps.is_empty() {
                return Ok(Some(begun));
            }
            let accepted = self.accept_seen(branch, &turns, &seen, Operation::Change, control);
            match accepted.await {
                Ok(Some(accepted)) => return Ok(Some(accepted.revision)),
                Ok(None) => {}
                // It no longer applies.
                Err(fault) if fault.kind == FaultKind::Conflict => return Ok(None),
                Err(fault) => return Err(fault),
            }
        }
        Err(busy())
    }
}

/// Whether the book has changed since a revision.
pub(super) fn has_changed(book: &Book, since: u64) -> bool {
    let count = book.revision().saturating_sub(since) as usize;
    let mut later = book.journal().iter().rev().take(count);
    later.any(|revision| revision.operation.is_step())
}
