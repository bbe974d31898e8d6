//! A change that engine and book make one after the other.

use std::cell::Cell;

use super::turn::Turn;
use hornbook_base::Fault;
use hornbook_book::{Delta, Operation};

/// From here on engine and book may differ. Where it is dropped before [`Edit::commit`] or [`Edit::keep`], for
/// whatever reason, the engine is ended, and built again from the book.
#[must_use = "an edit that is dropped ends the engine"]
pub(super) struct Edit<'t> {
    pub(super) turn: &'t Turn<'t>,
    open: Cell<bool>,
}

impl<'a> Turn<'a> {
    /// The engine is going to be changed, and then the book, or the book and then the engine.
    pub fn edit(&self) -> Edit<'_> {
        Edit {
            turn: self,
            open: Cell::new(true),
        }
    }
}

impl Edit<'_> {
    /// The last thing that the book has to be told: then both agree.
    pub async fn commit(self, operation: Operation, delta: Delta) -> Result<(), Fault> {
        self.record(operation, delta).await?;
        self.keep();
        Ok(())
    }

    /// Engine and book agree, or the engine is gone.
    pub fn keep(self) {
        self.settled();
    }

    /// Engine and book agree, or the engine is gone, and the edit goes on.
    pub(super) fn settled(&self) {
        self.open.set(false);
    }

    /// The engine cannot follow: another is built from the book. How many open queries are closed by that.
    pub fn renew(self) -> usize {
        self.settled();
        self.turn.renew()
    }
}

impl Drop for Edit<'_> {
    fn drop(&mut self) {
        if self.open.get() {
            self.turn.renew();
        }
    }
}
