//! Keeps each change of the book in the store before making it, and takes over the changes of other
//! processes.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use futures::channel::oneshot;
use futures::future::LocalBoxFuture;

use super::review::{News, Upstream, effect_of};
use super::rooms::Rooms;
use super::touched::Touched;
use super::{Inner, announce};
use hornbook_base::{Clock, Fault, FaultKind, Pace, Who};
use hornbook_book::{Book, Effect, Revision};
use hornbook_engine::{EngineProcess, Permit, Supervisor};
use hornbook_store::{Appended, Journal, StoreFault};

/// The book, its journal, and everything that follows the book. Cheap to clone.
#[derive(Clone)]
pub(super) struct Shelf {
    pub book: Rc<RefCell<Book>>,
    /// `None` where the book lives in memory only.
    pub journal: Option<Rc<Journal>>,
    /// The draft that the book is, if it is one.
    pub upstream: Option<Rc<dyn Upstream>>,
    pub rooms: Rooms,
    pub behind: Rc<RefCell<Option<Behind>>>,
    pub supervisor: Supervisor,
    pub clock: Rc<dyn Clock>,
}

/// The changes that an engine has yet to follow.
pub(super) struct Behind {
    engine: Weak<dyn EngineProcess>,
    pub touched: Touched,
}

/// Which of engine and book changes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lead {
    /// The engine has changed, and the book follows.
    Engine,
    /// The book changes, and the caller makes the engine follow.
    Book,
}

/// The outcome of keeping a revision.
pub(super) enum Kept {
    Done(Effect),
    /// Another process was faster: the book now has its changes, but not this revision.
    Conflict(Effect, Rc<Revision>),
}

impl Shelf {
    fn pace(&self) -> Pace {
        Pace::new(self.clock.clone())
    }

    /// Write a revision, which `who` makes in the turn of this permit, to the journal, then apply it to the book.
    async fn keep(
        &self,
        revision: Rc<Revision>,
        lead: Lead,
        who: Option<Rc<Who>>,
        permit: &Permit,
    ) -> Result<Kept, StoreFault> {
        let pace = self.pace();
        if let Some(branch) = &self.upstream {
            let number = self.book.borrow().revision() + 1;
            let appended = branch.append(number, &revision, who, permit, &pace).await;
            if appended.is_err() {
                // It may be proposed all the same, and accepted before this workspace reads that.
                self.book.borrow_mut().reserve_for(&revision);
            }
            if appended? == Appended::Conflict {
                if lead == Lead::Engine {
                    self.note_ahead(&revision, &pace).await;
                }
                return Ok(Kept::Conflict(
                    self.take_base(&**branch, Some(permit)).await,
                    revision,
                ));
            }
        }
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

    /// The log has records that the book lacks: from other processes, or from this one if the reply to an
    /// append was lost with the connection or the process that carried it out.
    async fn settle(
        &self,
        journal: &Journal,
        revision: Rc<Revision>,
        lead: Lead,
    ) -> Result<Kept, StoreFault> {
        let (mut news, read) = self.read_news(journal).await;
        // This very operation: an earlier attempt, given up for lack of a reply, may have been written after
        // all.
        let is_own = |first: &Rc<Revision>| first.stamp.by.is_some() && first.stamp == revision.stamp;
        if news.first().is_some_and(is_own) {
            let own = self.apply_own(news.remove(0), lead).await;
            // If not all news of others could be read, the next turn reads the rest.
            return Ok(Kept::Done(own | self.take(news).await));
        }
        if lead == Lead::Engine {
            self.note_ahead(&revision, &self.pace()).await;
        }
        // If nothing could be read, this very operation may be what is in the way.
        let is_unknown = news.is_empty();
        let effect = self.take(news).await;
        read.map(|()| Kept::Conflict(effect, revision))
            .map_err(|fault| StoreFault {
                unanswered: is_unknown,
                ..fault
            })
    }

    /// Take over what has changed in the book that a draft belongs to. Returns what that changed. `again` is the permit
    /// of a change that may have been tried before.
    async fn take_base(&self, branch: &dyn Upstream, again: Option<&Permit>) -> Effect {
        let now = self.book.borrow().clone();
        match branch.news(&now, again, &self.pace()).await {
            Some(news) => self.take_upstream(news).await,
            None => Effect::default(),
        }
    }

    /// Take over news of the book that a draft belongs to. Returns what that changed.
    pub async fn take_upstream(&self, news: News) -> Effect {
        let News {
            mut book,
            change,
            told,
        } = news;
        let pace = self.pace();
        for remark in told {
            self.supervisor.remark(remark);
        }
        if let Some(mut behind) = self.behind() {
            behind.touched.note_revision(&change, &pace).await;
            *self.behind.borrow_mut() = Some(behind);
        }
        let effect = effect_of(&change);
        // What the engine of the book refused, that of the draft may have.
        book.keep_aside(&self.book.borrow());
        self.rooms.replace(&self.book, book, Rc::new(change));
        effect
    }

    async fn apply_own(&self, revision: Rc<Revision>, lead: Lead) -> Effect {
        let pace = self.pace();
        // An engine that made this change before the changes of others must undo it, and follow in order.
        if lead == Lead::Engine {
            let behind = self.behind.take();
            if let Some(mut behind) = behind {
                behind.touched.note_revision(&revision, &pace).await;
                *self.behind.borrow_mut() = Some(behind);
            }
        }
        self.rooms.apply(&self.book, revision, &pace).await
    }

    /// The revisions of other processes. If not all can be read, those before the failure.
    async fn read_news(&self, journal: &Journal) -> (Vec<Rc<Revision>>, Result<(), StoreFault>) {
        let (pace, mut news) = (self.pace(), Vec::new());
        let book = self.book.borrow().clone();
        let read = journal.news(&book, &mut news, &pace).await;
        (news, read)
    }

    /// Apply the revisions of others to the book. Returns what they changed.
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

    /// Note a revision of the book that the engine has undone: it is to follow.
    pub async fn note_kept(&self, revision: &Revision) {
        if let Some(mut behind) = self.behind() {
            behind.touched.note_revision(revision, &self.pace()).await;
            *self.behind.borrow_mut() = Some(behind);
        }
    }

    /// Note a revision that the engine has made, and that is not in the book.
    pub async fn note_ahead(&self, revision: &Revision, pace: &Pace) {
        if let Some(mut behind) = self.behind() {
            behind.touched.note_ahead(revision, pace).await;
            *self.behind.borrow_mut() = Some(behind);
        }
    }

    /// The changes that the current engine has yet to follow, to be put back; `None` without an engine, since
    /// the next one is built from the book.
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

/// The fault for an operation that the store refused or did not confirm.
pub(super) fn not_kept(StoreFault { why, unanswered }: StoreFault) -> Fault {
    let message = match unanswered {
        false => format!("This could not be saved, and was not carried out: {why}."),
        true => format!(
            "It is not known whether this was saved: {why}. It has not been carried out yet, but may still reach the book: \
             check before repeating it."
        ),
    };
    Fault::new(FaultKind::StorageError, message)
}

impl Inner {
    /// Write a revision, which `who` makes, to the journal, then apply it to the book. Once begun it runs to completion even if
    /// the caller is dropped, and nothing else gets the turn until then. On a fault the book does not have
    /// it.
    pub(super) async fn keep(
        &self,
        revision: Revision,
        lead: Lead,
        who: Option<Rc<Who>>,
        permit: Rc<Permit>,
    ) -> Result<Kept, Fault> {
        let (shelf, revision) = (self.shelf.clone(), Rc::new(revision));
        if shelf.journal.is_none() && shelf.upstream.is_none() {
            let kept = shelf.keep(revision, lead, who, &permit).await;
            return kept.map_err(not_kept);
        }
        let effect = |kept: &Result<Kept, StoreFault>| match kept {
            Ok(Kept::Done(effect) | Kept::Conflict(effect, _)) => *effect,
            Err(_) => Effect::default(),
        };
        let own = permit.clone();
        let work = async move { shelf.keep(revision, lead, who, &own).await };
        match self.to_its_end(Box::pin(work), effect, permit).await {
            Some(kept) => kept.map_err(not_kept),
            None => Err(not_kept(StoreFault::new("the workspace was closed"))),
        }
    }

    /// Bring a shared book up to date with all processes, in the turn of this permit, which may be that of a change.
    /// Returns what changed.
    pub(super) async fn take_news(&self, permit: Rc<Permit>, is_change: bool) -> (Effect, Result<(), Fault>) {
        if !self.has_others() {
            return (Effect::default(), Ok(()));
        }
        let (shelf, again) = (self.shelf.clone(), is_change.then(|| permit.clone()));
        let work = async move {
            if let Some(branch) = &shelf.upstream {
                return (shelf.take_base(&**branch, again.as_deref()).await, Ok(()));
            }
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

    /// Run work to completion even if the caller is dropped; then its effect is announced to the listeners
    /// here. `None` if the workspace was closed meanwhile.
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
