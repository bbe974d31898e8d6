//! A change that engine and book make one after the other.

use std::cell::Cell;

use super::turn::Turn;
use hornbook_base::Fault;
use hornbook_book::{Delta, Operation};

/// Guards a span in which engine and book may differ. If it is dropped before [`Edit::commit`] or
/// [`Edit::keep`], for whatever reason, the engine is ended and rebuilt from the book.
#[must_use = "an edit that is dropped ends the engine"]
pub(super) struct Edit<'t> {
    pub(super) turn: &'t Turn<'t>,
    open: Cell<bool>,
}

impl<'a> Turn<'a> {
    /// Begin a change of the engine and the book, in either order.
    pub fn edit(&self) -> Edit<'_> {
        Edit {
            turn: self,
            open: Cell::new(true),
        }
    }
}

impl Edit<'_> {
    /// Record the last change of the book: then both agree.
    pub async fn commit(self, operation: Operation, delta: Delta) -> Result<(), Fault> {
        self.record(operation, delta).await?;
        self.keep();
        Ok(())
    }

    /// Engine and book agree, or the engine is gone.
    pub fn keep(self) {
        self.settled();
    }

    /// Like `keep`, but the edit continues. An engine that asks to be built anew is so at the end of the turn.
    pub(super) fn settled(&self) {
        self.open.set(false);
    }

    /// The engine cannot follow: rebuild it from the book. Returns how many open queries that closes.
    pub fn renew(self) -> usize {
        self.open.set(false);
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
