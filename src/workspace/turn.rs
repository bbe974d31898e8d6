//! A turn: the engine and the book for one operation, alone.

use std::cell::{Cell, RefCell};
use std::pin::pin;
use std::rc::Rc;

use futures::future::{Either, select};

use super::beside::{Lane, Ordered};
use super::edit::Edit;
use super::keeping::{Kept, Lead};
use super::types::Notice;
use super::{Inner, faults};
use crate::open::Orphans;
use hornbook_base::{CancelToken, Control, Fault, FaultKind, Progress};
use hornbook_book::{Author, Book, Delta, Draft, Effect, Entry, EntryId, Numbers, Operation};
use hornbook_engine::protocol::{self, NextIds};
use hornbook_engine::reply::{self, BadReply, Refusal, Reply};
use hornbook_engine::{DeathKind, EngineDeath, EngineProcess, Lost, Permit};

/// While it lives nobody else uses the engine or changes the book. When it is dropped, the listeners hear what
/// changed. What changes the engine or the book does it under an [`Edit`](super::edit::Edit).
pub(super) struct Turn<'a> {
    pub workspace: &'a Inner,
    pub lane: Rc<Lane>,
    /// What the engine holds, where it is beside the first.
    seen: Option<Book>,
    _order: Option<Ordered>,
    engine: RefCell<Option<Rc<dyn EngineProcess>>>,
    effect: Cell<Effect>,
    /// Shared with what must come to its end when the turn is dropped.
    permit: Rc<Permit>,
    author: Option<Author>,
    read_only: bool,
    /// What the book had given when the turn, or what it now does, was begun.
    pub(super) begun: Cell<Numbers>,
}

/// How a request is watched.
#[derive(Clone, Copy)]
pub(super) struct Watch<'a> {
    /// What is done, for messages: `query`, `import`.
    pub what: &'static str,
    /// The limit that the engine keeps itself, in milliseconds.
    pub soft_ms: Option<u64>,
    /// A cancelled request ends the engine. Without a token the request is short, or must not be cut off.
    pub cancel: Option<&'a CancelToken>,
    /// The id of the query that is asked; where the engine is lost, its client hears it at once.
    pub query: Option<&'a str>,
}

impl<'a> Watch<'a> {
    /// A request that is short by its nature.
    pub fn short(what: &'static str) -> Self {
        Watch {
            what,
            soft_ms: None,
            cancel: None,
            query: None,
        }
    }

    /// A request that runs the user's goals.
    pub fn goal(what: &'static str, soft_ms: u64, control: &'a Control) -> Self {
        Watch {
            what,
            soft_ms: Some(soft_ms),
            cancel: Some(&control.cancel),
            query: None,
        }
    }

    /// A request that runs the goal of the query with this id.
    pub fn query(id: &'a str, soft_ms: u64, control: &'a Control) -> Self {
        Watch {
            query: Some(id),
            ..Watch::goal("query", soft_ms, control)
        }
    }
}

impl Inner {
    /// Wait for the turn, without an engine; the book is then what all processes have made of it. A cancelled request
    /// leaves the queue.
    pub(super) async fn wait(&self, control: &Control) -> Result<Turn<'_>, Fault> {
        let order = Ordered::new(&self.order, control.client);
        self.wait_in_order(Some(order), control).await
    }

    /// The same for a query: those that its client asks for later need not wait for it.
    pub(super) async fn wait_as_query(&self, control: &Control) -> Result<Turn<'_>, Fault> {
        self.wait_in_order(None, control).await
    }

    async fn wait_in_order(&self, order: Option<Ordered>, control: &Control) -> Result<Turn<'_>, Fault> {
        let waiting = Box::pin(self.supervisor.turn());
        let permit = match select(waiting, Box::pin(control.cancel.cancelled())).await {
            Either::Left((permit, _)) => permit,
            Either::Right(_) => return Err(cancelled_before()),
        };
        self.begin_turn(permit, order, control).await
    }

    /// The turn of the book, whose permit is there.
    pub(super) async fn begin_turn(
        &self,
        permit: Permit,
        order: Option<Ordered>,
        control: &Control,
    ) -> Result<Turn<'_>, Fault> {
        let permit = Rc::new(permit);
        let (effect, read) = self.take_news(permit.clone()).await;
        let engine = self.supervisor.current();
        if engine.is_none() {
            self.orphan_queries(0);
        }
        let turn = Turn {
            workspace: self,
            lane: self.lanes[0].clone(),
            seen: None,
            _order: order,
            engine: RefCell::new(engine),
            effect: Cell::new(effect),
            permit,
            author: self.author(control),
            read_only: control.read_only,
            begun: Cell::default(),
        };
        turn.catch_up().await;
        if turn.has_engine() {
            turn.close_ended().await;
        }
        turn.begin();
        read.map(|()| turn)
    }

    /// The entries of a draft, with what the book gives them, within a turn.
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
    /// The turn of an engine beside the first, which holds the book as it was `seen`.
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
            _order: None,
            engine: RefCell::new(Some(engine)),
            effect: Cell::default(),
            permit: Rc::new(permit),
            author: workspace.author(control),
            read_only: true,
            begun: Cell::default(),
        }
    }

    /// Whether the engine is one beside the first, which changes nothing.
    pub fn is_beside(&self) -> bool {
        self.seen.is_some()
    }

    /// A request of a query as the engine of this turn is to take it.
    pub fn for_its_engine(&self, request: String) -> String {
        match self.is_beside() {
            true => protocol::beside(&request),
            false => request,
        }
    }

    /// What the engine is to hold.
    pub fn book(&self) -> Book {
        self.seen.clone().unwrap_or_else(|| self.workspace.book())
    }
}

impl Turn<'_> {
    /// Wait for an engine that holds the book.
    pub async fn await_engine(&self, control: &Control) -> Result<(), Fault> {
        let process = self.lane.supervisor.ready().await.map_err(|reason| {
            let reason = reason.trim_end_matches('.');
            let message = format!("No Prolog engine could be started: {reason}. The workspace is whole.");
            Fault::new(FaultKind::EngineUnavailable, message)
        })?;
        if control.cancel.is_cancelled() {
            return Err(cancelled_before());
        }
        *self.engine.borrow_mut() = Some(process.clone());
        self.tell_facts(&process).await
    }

    /// Whether there is an engine to ask.
    pub fn has_engine(&self) -> bool {
        self.engine.borrow().is_some()
    }

    /// One request. A fault is the engine's refusal, or says that the engine is gone and what that means.
    pub async fn ask<T: Reply>(&self, request: String, watch: Watch<'_>) -> Result<T, Fault> {
        self.ask_believing(request, watch, Ok).await
    }

    /// One request, whose reply is looked at by `believe` before anything is done with it. An engine that says what
    /// cannot be is ended.
    pub async fn ask_believing<T: Reply, U>(
        &self,
        request: String,
        watch: Watch<'_>,
        believe: impl FnOnce(T) -> Result<U, BadReply>,
    ) -> Result<U, Fault> {
        let supervisor = &self.lane.supervisor;
        let limits = &self.workspace.limits;
        let Some(process) = self.engine.borrow().clone() else {
            return Err(Fault::new(
                FaultKind::EngineDied,
                "The engine is being restarted.",
            ));
        };
        let limit_ms = watch
            .soft_ms
            .map_or(limits.step_ms, |soft| soft + limits.grace_ms);
        let never = CancelToken::default();
        let cancelled = watch.cancel.unwrap_or(&never).cancelled();
        let text = match supervisor.request(&process, request, limit_ms, cancelled).await {
            Ok(text) => text,
            Err(lost) => return Err(self.lost(lost, watch)),
        };
        let believed = match reply::decode(&text) {
            Ok(Ok(reply)) => believe(reply),
            Ok(Err(Refusal::Refused(error))) => return Err(self.fault_of(error)),
            Ok(Err(Refusal::Died(reason))) => return Err(self.dead(DeathKind::Failed, reason, watch)),
            Err(bad) => Err(bad),
        };
        believed.map_err(|BadReply(reason)| self.dead(DeathKind::BadReply, reason, watch))
    }

    /// The engine answers, and must not be asked any more.
    fn dead(&self, kind: DeathKind, reason: String, watch: Watch<'_>) -> Fault {
        self.lane.supervisor.discard();
        self.lost(Lost::Died(EngineDeath { kind, reason }), watch)
    }

    /// What waits for the host is not wanted any more.
    pub fn cancelled(&self, watch: Watch<'_>) -> Fault {
        self.lane.supervisor.discard();
        self.lost(Lost::Cancelled, watch)
    }

    /// One request that runs the user's goals, and the edit that the changes it tells belong to. An engine that
    /// refuses it has changed nothing.
    pub async fn step<T: Reply, U>(
        &self,
        request: String,
        watch: Watch<'_>,
        believe: impl FnOnce(T) -> Result<U, BadReply>,
    ) -> Result<(U, Edit<'_>), Fault> {
        let edit = self.edit();
        match self.ask_believing(request, watch, believe).await {
            Ok(step) => Ok((step, edit)),
            Err(fault) => {
                edit.keep();
                Err(fault)
            }
        }
    }

    /// One step of a query. Its client hears once in a while for how long it has run.
    pub async fn step_of_query<T: Reply, U>(
        &self,
        request: String,
        watch: Watch<'_>,
        control: &Control,
        believe: impl FnOnce(T) -> Result<U, BadReply>,
    ) -> Result<(U, Edit<'_>), Fault> {
        let mut reply = pin!(self.step(request, watch, believe));
        let Some(progress) = &control.progress else {
            return reply.await;
        };
        let Inner { clock, limits, .. } = self.workspace;
        let soft_ms = self.stopped_after(watch);
        let begun = clock.now_ms();
        loop {
            match select(reply, clock.sleep(limits.progress_ms)).await {
                Either::Left((reply, _)) => return reply,
                Either::Right((_, waiting)) => reply = waiting,
            }
            progress(Progress {
                done: clock.now_ms().saturating_sub(begun).min(soft_ms),
                total: Some(soft_ms),
                message: "ms of the time limit".into(),
            });
        }
    }

    pub fn fault_of(&self, error: reply::EngineError) -> Fault {
        let boot = self.workspace.supervisor.boot();
        let builtins = boot.as_ref().map_or(&[][..], |boot| &boot.builtins);
        faults::from_engine(error, &self.workspace.book.borrow(), builtins)
    }

    /// The fault that the error of a goal is, which ran for so long at most.
    pub fn goal_fault(&self, error: reply::EngineError, soft_ms: u64) -> Fault {
        match error.kind {
            FaultKind::Timeout => {
                let message = format!("The query was stopped after {soft_ms} ms.");
                Fault::new(FaultKind::Timeout, faults::with(message, &error.detail))
            }
            _ => self.fault_of(error),
        }
    }

    /// That a predicate, `name/arity`, is not defined, and what is near to it.
    pub fn undefined(&self, indicator: &str) -> String {
        let boot = self.workspace.supervisor.boot();
        let builtins = boot.as_ref().map_or(&[][..], |boot| &boot.builtins);
        faults::undefined(indicator, &self.workspace.book.borrow(), builtins)
    }

    fn lost(&self, lost: Lost, watch: Watch<'_>) -> Fault {
        self.engine.take();
        let event = faults::event(&lost, watch.what, self.stopped_after(watch));
        if let Some(asked) = watch.query {
            let mut queries = self.workspace.queries.borrow_mut();
            // What ended from outside can be asked again.
            let innocent = matches!(&lost, Lost::Died(death) if death.kind == DeathKind::Ended);
            if !(innocent && queries.is_open(asked)) {
                queries.end(asked, self.workspace.stopped(&event), &self.workspace.limits);
            }
        }
        let Orphans { closed, kept } = self.workspace.orphan_queries(self.lane.number);
        let closed = match closed {
            0 => String::new(),
            1 => "; 1 open query was closed".to_owned(),
            n => format!("; {n} open queries were closed"),
        };
        let kept = match kept {
            0 => String::new(),
            1 => "; 1 open query goes on when it is asked for more".to_owned(),
            n => format!("; {n} open queries go on when they are asked for more"),
        };
        Fault::new(
            faults::kind_of(&lost),
            format!("{event}. The engine is restarted and the workspace is whole{closed}{kept}."),
        )
    }

    fn stopped_after(&self, watch: Watch<'_>) -> u64 {
        watch.soft_ms.unwrap_or(self.workspace.limits.step_ms)
    }

    /// What is drafted and recorded from here on belongs to one change.
    pub(super) fn begin(&self) {
        self.begun.set(self.workspace.book.borrow().numbers());
    }

    /// Write a revision into the book, when it is kept, unless another process was faster; `None` where nothing would
    /// change. On a fault the book has not got it. Should the turn be dropped meanwhile, the book has it all the same: what
    /// an engine has, too, is recorded under an [`Edit`].
    pub(super) async fn record_once(
        &self,
        operation: Operation,
        delta: Delta,
        lead: Lead,
    ) -> Result<Option<Kept>, Fault> {
        let workspace = self.workspace;
        let now = workspace.clock.now_ms();
        let (book, pace) = (workspace.book(), workspace.pace());
        let revision = book.plan_in_slices(operation, now, delta, &pace).await;
        drop(book);
        let Some(mut revision) = revision else {
            return Ok(None);
        };
        if self.read_only {
            let message = "This client may only read the book; nothing was changed.";
            return Err(Fault::new(FaultKind::ReadOnly, message));
        }
        revision.stamp.by = self.author.clone();
        let kept = workspace.keep(revision, lead, self.permit.clone()).await?;
        let (Kept::Done(effect) | Kept::Conflict(effect, _)) = &kept;
        self.effect.set(self.effect.get() | *effect);
        Ok(Some(kept))
    }

    /// End the engine, for another to be built from the book; how many open queries are closed by that.
    pub fn renew(&self) -> usize {
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
        self.workspace
            .supervisor
            .take_remarks()
            .into_iter()
            .map(Notice)
            .collect()
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let supervisor = &self.lane.supervisor;
        if supervisor.current().is_none() {
            self.workspace.orphan_queries(self.lane.number);
        } else if !self.workspace.queries.borrow().are_in(self.lane.number) {
            supervisor.relieve();
        }
        if !self.is_beside() {
            self.workspace.end_idle();
        }
        self.workspace.keep_questions();
        let effect = self.effect.get();
        if effect.clauses || effect.symbols {
            supervisor.book_changed();
        }
        if effect != Effect::default() {
            self.workspace.announce(effect.into());
        }
    }
}
