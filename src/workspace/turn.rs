//! A turn: exclusive use of the engine and the book for one operation. Its requests to the engine are in
//! `request.rs`.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use futures::future::{Either, select};

use super::Inner;
use super::keeping::{Kept, Lead};
use super::lanes::{Lane, Ordered};
use super::review::News;
use super::types::Notice;
use super::waited::Ran;
use hornbook_base::{Control, Fault, FaultKind, Priority, Who, cut};
use hornbook_book::{
    Author, Book, Delta, Draft, Effect, Entry, EntryId, Numbers, Operation, Revision, doubtful_right,
};
use hornbook_engine::protocol::{self, NextIds};
use hornbook_engine::{EngineProcess, Permit};

/// Milliseconds that a query may have the engine that is left to what is short: the first, once requests have waited for
/// each other, or else the last that is free. Nobody knows beforehand how long it takes; one that takes longer is stopped and
/// begins again in another. So what is short waits for moments, not for what is long, and what is long loses a moment.
const BRIEF_MS: u64 = 20;

/// While it lives, nothing else uses the engine or changes the book. When it is dropped, the listeners are
/// told what changed. Changes of the engine or the book happen under an [`Edit`](super::edit::Edit).
pub(super) struct Turn<'a> {
    pub workspace: &'a Inner,
    pub lane: Rc<Lane>,
    /// The book that the engine holds, if it is beside the first.
    seen: Option<Book>,
    /// A query has this turn for a moment only.
    pub brief: bool,
    /// The permit to take long.
    pub long: Option<Permit>,
    _order: Option<Ordered>,
    pub(super) engine: RefCell<Option<Rc<dyn EngineProcess>>>,
    effect: Cell<Effect>,
    /// Shared with work that must complete even if the turn is dropped.
    pub(super) permit: Rc<Permit>,
    author: Option<Author>,
    pub(super) read_only: bool,
    /// Whom the rules of the book take the client for.
    who: Option<Rc<Who>>,
    /// What the client should know of the time before the turn.
    waited: Cell<Option<Notice>>,
    /// What constraints of the book said of the changes of this turn.
    pub(super) told: RefCell<Vec<Notice>>,
    /// The numbers that the book had assigned when the turn, or its current change, began.
    pub(super) begun: Cell<Numbers>,
    /// What goals have read from the roots, for the book to keep.
    pub(super) read: RefCell<Vec<Read>>,
    /// The engine asks to be rebuilt from the book, because what it holds may mean something else now.
    pub(super) anew: Cell<bool>,
}

/// A file that was read for a running goal, and is not in the book yet.
pub(super) struct Read {
    pub name: String,
    pub text: Rc<str>,
}

impl Inner {
    /// Wait for the turn, without an engine, and bring the book up to date with all processes. A cancelled
    /// request leaves the queue.
    pub(super) async fn wait(&self, control: &Control) -> Result<Turn<'_>, Fault> {
        let priority = self.priority_of(control);
        let order = Ordered::new(&self.order, control.client);
        self.wait_in_order(Some(order), priority, control).await
    }

    /// Like `wait`, for a query: later queries of the same client need not wait for it.
    pub(super) async fn wait_as_query(&self, control: &Control) -> Result<Turn<'_>, Fault> {
        self.wait_in_order(None, self.priority_of(control), control).await
    }

    async fn wait_in_order(
        &self,
        order: Option<Ordered>,
        priority: Priority,
        control: &Control,
    ) -> Result<Turn<'_>, Fault> {
        let begun_ms = self.clock.now_ms();
        let waiting = Box::pin(self.supervisor.turn(priority));
        let permit = match select(waiting, Box::pin(control.cancel.cancelled())).await {
            Either::Left((permit, _)) => permit,
            Either::Right(_) => return Err(cancelled_before()),
        };
        let granted_ms = self.clock.now_ms();
        let (before, is_change) = (self.ran.take(), order.is_some());
        let turn = self.begin_turn(Rc::new(permit), order, control).await?;
        if let Some(ran) = before.filter(|_| is_change) {
            turn.waited.set(ran.waited_for(begun_ms, granted_ms));
        }
        Ok(turn)
    }

    /// Begin the turn of the book whose permit was granted.
    pub(super) async fn begin_turn(
        &self,
        permit: Rc<Permit>,
        order: Option<Ordered>,
        control: &Control,
    ) -> Result<Turn<'_>, Fault> {
        self.ran.take();
        let (effect, read) = self.take_news(permit.clone(), order.is_some()).await;
        let engine = self.supervisor.current();
        if engine.is_none() {
            self.orphan_queries(0);
        }
        let turn = Turn {
            workspace: self,
            lane: self.lanes[0].clone(),
            seen: None,
            brief: false,
            long: None,
            _order: order,
            engine: RefCell::new(engine),
            effect: Cell::new(effect),
            permit,
            author: self.author(control),
            read_only: control.read_only,
            who: control.who.clone(),
            waited: Cell::default(),
            told: RefCell::default(),
            begun: Cell::default(),
            read: RefCell::default(),
            anew: Cell::default(),
        };
        turn.catch_up().await;
        if turn.has_engine() {
            turn.close_ended().await;
        }
        turn.begin();
        read.map(|()| turn)
    }

    /// Check that the rules of the book let a client make this change; `None` is the host.
    pub(super) async fn permit(&self, who: Option<&Who>, revision: &Revision) -> Result<(), Fault> {
        let Some(who) = who else {
            return Ok(());
        };
        let book = self.ruling();
        if book.rights().next().is_none() {
            return Ok(());
        }
        for who in who.each() {
            if let Some(why) = Box::pin(book.forbids(&who, revision, &self.pace())).await {
                let fault = Fault::new(FaultKind::PermissionError, why);
                return Err(fault.with_next("Change what you may, or ask a person for the rest."));
            }
        }
        Ok(())
    }

    /// The book whose rules say who may change what: a draft is bound by those of its book, whatever it says itself.
    pub(super) fn ruling(&self) -> Book {
        match &self.shelf.upstream {
            Some(branch) => branch.base().0.book(),
            None => self.book(),
        }
    }

    /// The entries of a draft, numbered by the book. Call within a turn.
    pub(super) async fn drafted(&self, draft: Draft) -> Vec<(EntryId, Entry)> {
        let mut next = self.book();
        let now = self.clock.now_ms();
        let entries = next.draft_in_slices(draft, now, &self.pace()).await;
        *self.book.borrow_mut() = next;
        entries
    }

    /// Wait for the turn, with an engine that holds the book.
    pub(super) async fn turn(&self, control: &Control) -> Result<Turn<'_>, Fault> {
        let turn = self.wait(control).await?;
        turn.await_engine(control).await?;
        Ok(turn)
    }
}

pub(super) fn cancelled_before() -> Fault {
    Fault::new(
        FaultKind::Cancelled,
        "The request was cancelled before it started; nothing was changed.",
    )
}

impl<'a> Turn<'a> {
    /// The turn of an engine beside the first, which holds the book `seen`.
    pub fn beside(
        workspace: &'a Inner,
        lane: Rc<Lane>,
        permit: Permit,
        engine: Rc<dyn EngineProcess>,
        seen: Book,
        control: &Control,
    ) -> Turn<'a> {
        Turn {
            workspace,
            lane,
            seen: Some(seen),
            brief: false,
            long: None,
            _order: None,
            engine: RefCell::new(Some(engine)),
            effect: Cell::default(),
            permit: Rc::new(permit),
            author: workspace.author(control),
            read_only: true,
            who: control.who.clone(),
            waited: Cell::default(),
            told: RefCell::default(),
            begun: Cell::default(),
            read: RefCell::default(),
            anew: Cell::default(),
        }
    }

    /// Whether this is an engine beside the first, which changes nothing.
    pub fn is_beside(&self) -> bool {
        self.seen.is_some()
    }

    /// Whether a query must not change anything here: it leaves if it comes to that.
    pub fn may_be_left(&self) -> bool {
        self.is_beside() || self.brief
    }

    /// Bound the turn of a query that begins: it is for a moment only if as many queries as may be long have engines, or if
    /// others want the first engine.
    pub fn bound(&mut self) {
        self.long = match !self.is_beside() && self.workspace.was_contended() {
            true => None,
            false => self.workspace.long.acquire_now(),
        };
        self.brief = self.long.is_none();
    }

    /// The time limit of a step of a query that may take `soft_ms` in all.
    pub fn brief_ms(&self, soft_ms: u64) -> u64 {
        match self.brief {
            true => soft_ms.min(BRIEF_MS),
            false => soft_ms,
        }
    }

    /// The request of a query in the form for this turn's engine.
    pub fn for_its_engine(&self, request: String) -> String {
        match self.may_be_left() {
            true => protocol::beside(&request),
            false => request,
        }
    }

    /// The book that the engine should hold.
    pub fn book(&self) -> Book {
        self.seen.clone().unwrap_or_else(|| self.workspace.book())
    }
}

impl Turn<'_> {
    /// Wait for an engine that holds the book.
    pub async fn await_engine(&self, control: &Control) -> Result<(), Fault> {
        let process = self.lane.supervisor.ready().await.map_err(|reason| {
            let reason = reason.trim_end_matches('.');
            let message = format!("No Prolog engine could be started: {reason}. The workspace is intact.");
            Fault::new(FaultKind::EngineUnavailable, message)
        })?;
        if control.cancel.is_cancelled() {
            return Err(cancelled_before());
        }
        *self.engine.borrow_mut() = Some(process.clone());
        self.tell_facts(&process).await
    }

    /// Wait for an engine, if this turn has none since what it did before ended it.
    pub(super) async fn need_engine(&self, control: &Control) -> Result<(), Fault> {
        match self.has_engine() {
            true => Ok(()),
            false => self.await_engine(control).await,
        }
    }

    /// Take over what has come into the book that this draft belongs to.
    pub(super) async fn take_upstream(&self, news: News) {
        let effect = self.workspace.shelf.take_upstream(news).await;
        self.effect.set(self.effect.get() | effect);
        self.catch_up().await;
    }

    /// The query with this id runs in this turn.
    pub fn runs(&self, query: &str) {
        if !self.is_beside() {
            *self.workspace.ran.borrow_mut() = Some(Ran::new(query));
        }
    }

    /// The query that runs in this turn has been answered, and the turn does what follows from it.
    pub(super) fn has_run(&self) {
        if !self.is_beside()
            && let Some(ran) = &mut *self.workspace.ran.borrow_mut()
        {
            ran.ended_ms = Some(self.workspace.clock.now_ms());
        }
    }

    /// Whether there is an engine to ask.
    pub fn has_engine(&self) -> bool {
        self.engine.borrow().is_some()
    }

    /// What is drafted and recorded from here on belongs to one change.
    pub(super) fn begin(&self) {
        self.begun.set(self.workspace.book.borrow().numbers());
    }

    /// Write a revision to the journal and the book, unless another process was faster; `None` if it would
    /// change nothing. On a fault the book does not have it. If the turn is dropped meanwhile, the book still
    /// gets it: a change that the engine also has is recorded by an [`Edit`](super::edit::Edit) instead.
    pub(super) async fn record_once(
        &self,
        operation: Operation,
        delta: Delta,
    ) -> Result<Option<Kept>, Fault> {
        match self.planned(operation, delta).await? {
            Some(revision) => {
                self.permit(&revision).await?;
                self.keep_once(revision, Lead::Book).await.map(Some)
            }
            None => Ok(None),
        }
    }

    /// Check that the rules of the book, as it is without this change, let the client make it.
    pub(super) async fn permit(&self, revision: &Revision) -> Result<(), Fault> {
        self.workspace.permit(self.who.as_deref(), revision).await
    }

    /// The revision that this change would be; `None` if it would change nothing.
    pub(super) async fn planned(
        &self,
        operation: Operation,
        delta: Delta,
    ) -> Result<Option<Revision>, Fault> {
        let workspace = self.workspace;
        let now = workspace.clock.now_ms();
        let (book, pace) = (workspace.book(), workspace.pace());
        let revision = book.plan_in_slices(operation, now, delta, &pace).await;
        drop(book);
        let Some(mut revision) = revision else {
            return Ok(None);
        };
        if let Some(revision) = workspace.past {
            let message = format!("This is the book as of revision {revision}; nothing was changed.");
            let fault = Fault::new(FaultKind::ReadOnly, message);
            return Err(fault.with_next("Change the book itself."));
        }
        if workspace
            .shelf
            .upstream
            .as_ref()
            .is_some_and(|branch| branch.is_chosen())
        {
            let message = "These are chosen operations of a draft; nothing was changed.";
            let fault = Fault::new(FaultKind::ReadOnly, message);
            return Err(fault.with_next("Change the whole draft."));
        }
        if self.read_only {
            let message = "This client may only read the book; nothing was changed.";
            return Err(Fault::new(FaultKind::ReadOnly, message));
        }
        revision.stamp.by = self.author.clone();
        Ok(Some(revision))
    }

    pub(super) async fn keep_once(&self, revision: Revision, lead: Lead) -> Result<Kept, Fault> {
        let rights = revision.added.iter().filter(|(_, entry)| entry.is_right());
        let doubts: Vec<Notice> = rights
            .filter_map(|(_, entry)| Some((entry.code(), doubtful_right(entry.code())?)))
            .map(|(code, doubt)| Notice(format!("Warning: `{}`: {doubt}", cut(code, 80))))
            .collect();
        let (who, permit) = (self.who.clone(), self.permit.clone());
        let kept = self.workspace.keep(revision, lead, who, permit).await?;
        if let Kept::Done(_) = &kept {
            self.told.borrow_mut().extend(doubts);
        }
        let (Kept::Done(effect) | Kept::Conflict(effect, _)) = &kept;
        self.effect.set(self.effect.get() | *effect);
        Ok(kept)
    }

    /// End the engine so that another is built from the book. Returns how many open queries that closes.
    pub fn renew(&self) -> usize {
        self.anew.set(false);
        self.engine.take();
        self.lane.supervisor.discard();
        self.workspace.orphan_queries(self.lane.number).closed
    }

    pub fn next_ids(&self) -> NextIds {
        let (book, ids) = (self.workspace.book.borrow(), self.workspace.ids);
        NextIds {
            last: ids.id(book.next_last()),
            first: ids.id(book.next_first()),
        }
    }

    /// What users should know beside the result.
    pub fn notices(&self) -> Vec<Notice> {
        let remarks = self.workspace.supervisor.take_remarks();
        let waited = self.waited.take();
        waited
            .into_iter()
            .chain(self.told.take())
            .chain(remarks.into_iter().map(Notice))
            .collect()
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let supervisor = &self.lane.supervisor;
        if self.anew.get() {
            self.renew();
        }
        if supervisor.current().is_none() {
            self.workspace.orphan_queries(self.lane.number);
        } else if !self.workspace.queries.borrow().are_in(self.lane.number) {
            supervisor.relieve();
        }
        if !self.is_beside() {
            if let Some(ran) = &mut *self.workspace.ran.borrow_mut() {
                ran.over_ms = Some(self.workspace.clock.now_ms());
            }
            self.workspace.end_idle();
            // Only queries of the first engine ask, and none of them runs now.
            self.workspace.keep_questions();
        }
        let effect = self.effect.get();
        if effect.clauses || effect.symbols {
            supervisor.book_changed();
        }
        if effect != Effect::default() {
            self.workspace.announce(effect.into());
        }
    }
}
