//! What is done to the book, kept before it is done; and what other processes have done to it.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use futures::channel::oneshot;
use futures::future::LocalBoxFuture;

use super::cells::Rooms;
use super::follow::Touched;
use super::{Inner, announce};
use hornbook_base::{Clock, Fault, FaultKind, Pace};
use hornbook_book::{Book, Effect, Revision};
use hornbook_engine::{EngineProcess, Permit, Supervisor};
use hornbook_store::{Appended, Journal, StoreFault};

/// The book, where it is kept, and all who follow it. Cheap to clone.
#[derive(Clone)]
pub(super) struct Shelf {
    pub book: Rc<RefCell<Book>>,
    /// `None` where the book lives in memory only.
    pub journal: Option<Rc<Journal>>,
    pub rooms: Rooms,
    pub behind: Rc<RefCell<Option<Behind>>>,
    pub supervisor: Supervisor,
    pub clock: Rc<dyn Clock>,
}

/// What an engine has to follow.
pub(super) struct Behind {
    engine: Weak<dyn EngineProcess>,
    pub touched: Touched,
}

/// Whose change it was first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lead {
    /// The engine has done it, and the book follows.
    Engine,
    /// The book does it, and who asks for it has the engine follow.
    Book,
}

/// What became of a revision.
pub(super) enum Kept {
    Done(Effect),
    /// Another process was faster: the book has what it did, and not the revision.
    Conflict(Effect, Rc<Revision>),
}

impl Shelf {
    fn pace(&self) -> Pace {
        Pace::new(self.clock.clone())
    }

    /// Write a revision into the journal, and then into the book.
    async fn keep(&self, revision: Rc<Revision>, lead: Lead) -> Result<Kept, StoreFault> {
        let pace = self.pace();
        if let Some(journal) = &self.journal {
            let number = self.book.borrow().revision() + 1;
            if journal.append(number, &revision, &pace).await? == Appended::Conflict {
                return self.settle(journal, revision, lead).await;
            }
        }
        let effect = self.apply_own(revision, lead).await;
        if let Some(journal) = &self.journal {
            journal.compact(&self.book, &pace).await;
        }
        Ok(Kept::Done(effect))
    }

    /// Somebody has written behind what the book has: others, or this process by an append whose reply was lost with
    /// the process or the connection that carried it out.
    async fn settle(
        &self,
        journal: &Journal,
        revision: Rc<Revision>,
        lead: Lead,
    ) -> Result<Kept, StoreFault> {
        let (mut news, read) = self.read_news(journal).await;
        // It is this very operation: one before it, that was given up since nobody answered, may have come late.
        let is_own = |first: &Rc<Revision>| first.stamp.by.is_some() && first.stamp == revision.stamp;
        if news.first().is_some_and(is_own) {
            let own = self.apply_own(news.remove(0), lead).await;
            // What could not be read of others is read with the next turn.
            return Ok(Kept::Done(own | self.take(news).await));
        }
        if lead == Lead::Engine {
            self.note_ahead(&revision, &self.pace()).await;
        }
        let effect = self.take(news).await;
        read.map(|()| Kept::Conflict(effect, revision))
    }

    async fn apply_own(&self, revision: Rc<Revision>, lead: Lead) -> Effect {
        let pace = self.pace();
        // An engine that has done it before others were faster is to take that back, and to follow.
        if lead == Lead::Engine {
            let behind = self.behind.take();
            if let Some(mut behind) = behind {
                behind.touched.note_revision(&revision, &pace).await;
                *self.behind.borrow_mut() = Some(behind);
            }
        }
        self.rooms.apply(&self.book, revision, &pace).await
    }

    /// What other processes have done. Where not all of it can be read it is what comes before.
    async fn read_news(&self, journal: &Journal) -> (Vec<Rc<Revision>>, Result<(), StoreFault>) {
        let (pace, mut news) = (self.pace(), Vec::new());
        let book = self.book.borrow().clone();
        let read = journal.news(&book, &mut news, &pace).await;
        (news, read)
    }

    /// The book gets what others have done; what of that changed.
    async fn take(&self, news: Vec<Rc<Revision>>) -> Effect {
        let (pace, mut effect) = (self.pace(), Effect::default());
        for revision in news {
            if let Some(mut behind) = self.behind() {
                behind.touched.note_revision(&revision, &pace).await;
                *self.behind.borrow_mut() = Some(behind);
            }
            effect = effect | self.rooms.apply(&self.book, revision, &pace).await;
        }
        effect
    }

    async fn note_ahead(&self, revision: &Revision, pace: &Pace) {
        if let Some(mut behind) = self.behind() {
            behind.touched.note_ahead(revision, pace).await;
            *self.behind.borrow_mut() = Some(behind);
        }
    }

    /// What the engine in use has to follow so far, to be put back; `None` where there is no engine: the next one is built
    /// from the book.
    pub fn behind(&self) -> Option<Behind> {
        let engine = self.supervisor.current()?;
        let behind = self.behind.take();
        let own = behind.filter(|behind| behind.engine.upgrade().is_some_and(|of| Rc::ptr_eq(&of, &engine)));
        Some(own.unwrap_or_else(|| Behind {
            engine: Rc::downgrade(&engine),
            touched: Touched::default(),
        }))
    }
}

/// That the store has not taken an operation, or has not said.
pub(super) fn not_kept(StoreFault { why, unanswered }: StoreFault) -> Fault {
    let message = match unanswered {
        false => format!("This could not be saved, and was not carried out: {why}."),
        true => format!(
            "It is not known whether this was saved: {why}. It was not carried out so far, and may be in the book later: look \
             before you do it again."
        ),
    };
    Fault::new(FaultKind::StorageError, message)
}

impl Inner {
    /// Write a revision into the journal, and then into the book. Once begun it comes to its end, whether the caller
    /// waits for it or not, and nobody else has the turn until then. A fault means that the book has not got it.
    pub(super) async fn keep(
        &self,
        revision: Revision,
        lead: Lead,
        permit: Rc<Permit>,
    ) -> Result<Kept, Fault> {
        let (shelf, revision) = (self.shelf.clone(), Rc::new(revision));
        if shelf.journal.is_none() {
            let kept = shelf.keep(revision, lead).await;
            return kept.map_err(not_kept);
        }
        let effect = |kept: &Result<Kept, StoreFault>| match kept {
            Ok(Kept::Done(effect) | Kept::Conflict(effect, _)) => *effect,
            Err(_) => Effect::default(),
        };
        let work = async move { shelf.keep(revision, lead).await };
        match self.to_its_end(Box::pin(work), effect, permit).await {
            Some(kept) => kept.map_err(not_kept),
            None => Err(not_kept(StoreFault::new("the workspace was closed"))),
        }
    }

    /// Have the book be what all processes have made of it, where it is shared; what of it changed.
    pub(super) async fn take_news(&self, permit: Rc<Permit>) -> (Effect, Result<(), Fault>) {
        if self.shared().is_none() {
            return (Effect::default(), Ok(()));
        }
        let shelf = self.shelf.clone();
        let work = async move {
            let Some(journal) = &shelf.journal else {
                return (Effect::default(), Ok(()));
            };
            let (news, read) = shelf.read_news(journal).await;
            (shelf.take(news).await, read)
        };
        let taken = self
            .to_its_end(Box::pin(work), |(effect, _)| *effect, permit)
            .await;
        let (effect, read) = taken.unwrap_or((Effect::default(), Ok(())));
        let unread = |fault: StoreFault| {
            let message = format!(
                "The book is shared with other processes, and what they did cannot be read: {fault}. Nothing was done."
            );
            Fault::new(FaultKind::StorageError, message)
        };
        (effect, read.map_err(unread))
    }

    /// Do what must come to its end, whether the caller waits for it or not: then the listeners hear its effect. `None` when
    /// the workspace was closed meanwhile.
    async fn to_its_end<T: 'static>(
        &self,
        work: LocalBoxFuture<'static, T>,
        effect: impl Fn(&T) -> Effect + 'static,
        permit: Rc<Permit>,
    ) -> Option<T> {
        let listeners = self.listeners.clone();
        let (done, awaited) = oneshot::channel();
        (self.spawner)(Box::pin(async move {
            let result = work.await;
            drop(permit);
            if let Err(result) = done.send(result)
                && effect(&result) != Effect::default()
            {
                announce(&listeners, effect(&result).into());
            }
        }));
        awaited.await.ok()
    }
}
