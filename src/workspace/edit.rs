//! A change that engine and book make one after the other.

use super::turn::Turn;
use hornbook_base::Fault;
use hornbook_book::{Delta, Operation};

/// From here on engine and book may differ. Where it is dropped before [`Edit::commit`] or [`Edit::keep`], for
/// whatever reason, the engine is ended, and built again from the book.
#[must_use = "an edit that is dropped ends the engine"]
pub(super) struct Edit<'t> {
    turn: &'t Turn<'t>,
    open: bool,
}

impl<'a> Turn<'a> {
    /// The engine is going to be changed, and then the book, or the book and then the engine.
    pub fn edit(&self) -> Edit<'_> {
        Edit {
            turn: self,
            open: true,
        }
    }
}

impl Edit<'_> {
    /// Write into the book, when it is kept, what the engine has done or is to follow. On a fault the book is as it
    /// was.
    pub async fn record(&self, operation: Operation, delta: Delta) -> Result<(), Fault> {
        self.turn.record(operation, delta).await
    }

    /// The last thing that the book has to be told: then both agree.
    pub async fn commit(self, operation: Operation, delta: Delta) -> Result<(), Fault> {
        self.record(operation, delta).await?;
        self.keep();
        Ok(())
    }

    /// Engine and book agree, or the engine is gone.
    pub fn keep(mut self) {
        self.open = false;
    }

    /// The engine cannot follow: another is built from the book. How many open queries are closed by that.
    pub fn renew(mut self) -> usize {
        self.open = false;
        self.turn.renew()
    }
}

impl Drop for Edit<'_> {
    fn drop(&mut self) {
        if self.open {
            self.turn.renew();
        }
    }
}
