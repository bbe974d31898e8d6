//! What is done to the book, kept before it is done.

use std::rc::Rc;

use futures::channel::oneshot;

use super::{Inner, announce};
use hornbook_base::{Fault, FaultKind};
use hornbook_book::{Effect, Revision};
use hornbook_engine::Permit;

impl Inner {
    /// Write a revision into the journal, and then into the book. Once begun it comes to its end, whether the caller
    /// waits for it or not, and nobody else has the turn until then. A fault means that the book is as it was.
    pub(super) async fn keep(&self, revision: Revision, permit: Rc<Permit>) -> Result<Effect, Fault> {
        let Some(journal) = self.journal.clone() else {
            return Ok(self.rooms.apply(&self.book, revision.into(), &self.pace()).await);
        };
        let (book, rooms, listeners) = (self.book.clone(), self.rooms.clone(), self.listeners.clone());
        let (revision, pace) = (Rc::new(revision), self.pace());
        let (done, kept) = oneshot::channel();
        (self.spawner)(Box::pin(async move {
            let number = book.borrow().revision() + 1;
            let result = match journal.append(number, &revision, &pace).await {
                Err(fault) => Err(fault),
                Ok(()) => {
                    let effect = rooms.apply(&book, revision, &pace).await;
                    journal.compact(&book, &pace).await;
                    Ok(effect)
                }
            };
            drop(permit);
            if let Err(Ok(effect)) = done.send(result) {
                announce(&listeners, effect.into());
            }
        }));
        let not_kept = |why: String| {
            let message = format!("This could not be saved, and was not carried out: {why}.");
            Fault::new(FaultKind::StorageError, message)
        };
        match kept.await {
            Ok(result) => result.map_err(|fault| not_kept(fault.to_string())),
            Err(oneshot::Canceled) => Err(not_kept("the workspace was closed".to_owned())),
        }
    }
}
