//! Engines beside the first. While one request has the turn of the book, queries of other requests run in
//! them. Each holds the book as it is when its turn begins, and changes nothing.

use std::future::pending;
use std::pin::pin;
use std::rc::Rc;

use futures::future::{Either, FutureExt, select, select_all};

use super::Inner;
use super::lanes::Lane;
use super::request::Watch;
use super::touched::Touched;
use super::turn::{Turn, cancelled_before};
use crate::open::Place;
use hornbook_base::{Control, Fault, Priority};
use hornbook_book::Revision;
use hornbook_engine::protocol;
use hornbook_engine::reply::Closed;
use hornbook_engine::{Beside, Permit};

/// Milliseconds that a query waits for the turn of the book before it looks for another engine. Most requests
/// end sooner, so an agent that asks one thing at a time uses one engine.
const BESIDE_AFTER_MS: u64 = 20;
/// An engine beside the first that has been idle for this many milliseconds is ended. For as long after requests waited
/// for each other, long queries leave the first engine to changes and short ones.
const IDLE_MS: u64 = 60_000;
/// Milliseconds before looking again for a free engine, while other books use all that may run beside a first
/// one.
const AGAIN_MS: u64 = 250;
/// The number of failed starts in a row after which an engine is not started again.
const FAILURES: u32 = 3;

impl Inner {
    /// Wait for the turn of the book, or of an engine beside the first. While requests wait for each other, the turn of
    /// the book is for a moment only.
    pub(super) async fn turn_of_query(&self, control: &Control) -> Result<Turn<'_>, Fault> {
        let is_contended = self.is_contended();
        if self.may_be_beside(control.client).await {
            if control.priority == Priority::Low {
                return self.turn_of_long(control).await;
            }
            if is_contended
                && let Some((lane, permit)) = self.free_beside()
                && let Some(mut turn) = self.turn_beside(lane, permit, control).await
            {
                turn.bound();
                return Ok(turn);
            }
        }
        let priority = self.priority_of(control);
        // Whichever turn comes first, stop waiting for the other.
        let got = {
            let first = pin!(self.supervisor.turn(priority));
            let beside = pin!(async {
                if !is_contended {
                    self.clock.sleep(BESIDE_AFTER_MS).await;
                }
                self.idle_beside(priority, control.client).await
            });
            let cancelled = pin!(control.cancel.cancelled());
            match select(first, select(beside, cancelled)).await {
                Either::Left((permit, _)) => Either::Left(permit),
                Either::Right((Either::Left((found, _)), _)) => Either::Right(found),
                Either::Right((Either::Right(_), _)) => return Err(cancelled_before()),
            }
        };
        match got {
            Either::Left(permit) => {
                let mut turn = self.begin_turn(Rc::new(permit), None, control).await?;
                turn.await_engine(control).await?;
                if self.lanes.len() > 1 {
                    turn.bound();
                }
                Ok(turn)
            }
            Either::Right((lane, permit)) => match self.turn_beside(lane, permit, control).await {
                Some(mut turn) => {
                    turn.bound();
                    Ok(turn)
                }
                None => self.turn_of_first(control).await,
            },
        }
    }

    /// Wait for the turn of an engine beside the first, for a query that is long; that of the first, if there is no other.
    pub(super) async fn turn_of_long(&self, control: &Control) -> Result<Turn<'_>, Fault> {
        let found = {
            let waiting = pin!(async {
                let long = self.long.acquire(control.priority).await;
                (long, self.beside(control.priority).await)
            });
            match select(waiting, pin!(control.cancel.cancelled())).await {
                Either::Left((found, _)) => found,
                Either::Right(_) => return Err(cancelled_before()),
            }
        };
        if let (long, Some((lane, permit))) = found
            && let Some(mut turn) = self.turn_beside(lane, permit, control).await
        {
            turn.long = Some(long);
            return Ok(turn);
        }
        self.turn_of_first(control).await
    }

    /// The priority of a request. None goes before an earlier change of its client, which it must see.
    pub(super) fn priority_of(&self, control: &Control) -> Priority {
        match self.order.borrow().contains_key(&control.client) {
            true => control.priority.min(Priority::Normal),
            false => control.priority,
        }
    }

    /// Wait for the turn of the book, with an engine that holds it, for a query that must run in the first
    /// engine.
    pub(super) async fn turn_of_first(&self, control: &Control) -> Result<Turn<'_>, Fault> {
        let turn = self.wait_as_query(control).await?;
        turn.await_engine(control).await?;
        Ok(turn)
    }

    /// Wait for the turn of an engine beside the first; `None` if it is gone, and its queries with it.
    pub(super) async fn turn_of_lane(
        &self,
        number: usize,
        control: &Control,
    ) -> Result<Option<Turn<'_>>, Fault> {
        let lane = self.lanes[number].clone();
        let waiting = pin!(lane.supervisor.turn(self.priority_of(control)));
        let permit = match select(waiting, pin!(control.cancel.cancelled())).await {
            Either::Left((permit, _)) => permit,
            Either::Right(_) => return Err(cancelled_before()),
        };
        Ok(self.turn_beside(lane.clone(), permit, control).await)
    }

    /// Whether requests wait for each other, or did of late, and there is an engine beside the first, or soon.
    fn is_contended(&self) -> bool {
        let first = &self.lanes[0];
        if first.supervisor.turn_now().is_none() {
            first.contended_ms.set(Some(self.clock.now_ms()));
        }
        self.was_contended()
    }

    /// The same, as it was when it was last asked.
    pub(super) fn was_contended(&self) -> bool {
        let (then, now) = (self.lanes[0].contended_ms.get(), self.clock.now_ms());
        let of_late = then.is_some_and(|then| now.saturating_sub(then) < IDLE_MS);
        of_late && self.lanes[1..].iter().any(|lane| lane.is_there())
    }

    /// Whether a query of this client may run beside the first engine.
    async fn may_be_beside(&self, client: u64) -> bool {
        // A query that a client sends after a change must see that change. The first engine must be there, for the
        // others are built from what it has told.
        if self.lanes.len() < 2 || self.order.borrow().contains_key(&client) || !self.lanes[0].is_alive() {
            return false;
        }
        // Nor may the book lack revisions of other processes.
        let revision = self.book.borrow().revision();
        let is_behind = match self.shelf.journal.clone() {
            Some(journal) if journal.shared().is_some() => journal.is_behind(revision).await,
            _ => self
                .shelf
                .upstream
                .as_ref()
                .is_some_and(|branch| branch.is_behind()),
        };
        !is_behind
    }

    /// An engine beside the first, once one is idle and this client may use it; a book with one engine never has one.
    async fn idle_beside(&self, priority: Priority, client: u64) -> (Rc<Lane>, Permit) {
        if self.lanes.len() < 2 {
            return pending().await;
        }
        loop {
            // The first engine may be starting, and a change of the client come to its end.
            if self.may_be_beside(client).await
                && let Some(found) = self.beside(priority).await
            {
                return found;
            }
            self.clock.sleep(AGAIN_MS).await;
        }
    }

    /// An engine beside the first that is idle now.
    fn free_beside(&self) -> Option<(Rc<Lane>, Permit)> {
        let alive = self.lanes[1..].iter().filter(|lane| lane.is_alive());
        let mut idle = alive.filter_map(|lane| Some((lane.clone(), lane.supervisor.turn_now()?)));
        idle.next()
    }

    /// An engine beside the first, once one is idle. `None` if there is none now, and none can be started.
    async fn beside(&self, priority: Priority) -> Option<(Rc<Lane>, Permit)> {
        loop {
            if let Some(found) = self.free_beside() {
                return Some(found);
            }
            let beside = &self.lanes[1..];
            // Only if all others may be taken for long is there one more for what is short.
            let is_last = |lane: &Lane| lane.number == beside.len();
            let can_start = |lane: &&Rc<Lane>| !lane.is_alive() && lane.failures.get() < FAILURES;
            let is_wanted = |lane: &&Rc<Lane>| !is_last(lane) || self.long.acquire_now().is_none();
            let next = beside.iter().filter(is_wanted).find(can_start);
            if let Some(lane) = next
                && self.lanes[0].is_alive()
                && !beside.iter().any(|lane| lane.starting.get())
            {
                lane.start(self);
            }
            let there = beside.iter().filter(|lane| lane.is_there());
            let turns = there.map(|lane| {
                async { Some((lane.clone(), lane.supervisor.turn(priority).await)) }.boxed_local()
            });
            let mut waiting: Vec<_> = turns.collect();
            if waiting.is_empty() {
                return None;
            }
            // Whoever waits looks again whether one more may start.
            if beside.iter().any(|lane| can_start(&lane) && !lane.is_there()) {
                let again = async {
                    self.clock.sleep(AGAIN_MS).await;
                    None
                };
                waiting.push(again.boxed_local());
            }
            let (found, _, others) = select_all(waiting).await;
            drop(others);
            if let Some(found) = found
                && found.0.is_alive()
            {
                return Some(found);
            }
        }
    }

    /// The turn of an engine beside the first, brought up to date with the book. `None` if the engine is
    /// gone.
    async fn turn_beside(&self, lane: Rc<Lane>, permit: Permit, control: &Control) -> Option<Turn<'_>> {
        lane.used_ms.set(self.clock.now_ms());
        let (seen, behind) = (self.book(), lane.behind.take());
        if !lane.supervisor.agrees_with_first() {
            lane.supervisor.end();
        }
        let Some(engine) = lane.supervisor.current() else {
            self.orphan_queries(lane.number);
            return None;
        };
        let turn = Turn::beside(self, lane, permit, engine.clone(), seen, control);
        turn.close_ended().await;
        if turn.has_engine() {
            turn.follow_all(behind).await;
        }
        // An engine that does not accept the facts is ended.
        let _ = match turn.has_engine() {
            true => turn.tell_facts(&engine).await,
            false => Ok(()),
        };
        turn.has_engine().then_some(turn)
    }

    /// Close all queries, and return how many were open.
    pub(super) fn close_all(&self) -> usize {
        let mut queries = self.queries.borrow_mut();
        for query in queries.open() {
            if let Place::Engine(number @ 1..) = query.place {
                self.lanes[number].close_later(query.number);
            }
        }
        queries.clear()
    }

    /// End engines beside the first that have long been idle.
    pub(super) fn end_idle(&self) {
        for lane in &self.lanes[1..] {
            lane.end_if_idle(IDLE_MS);
        }
    }
}

impl Turn<'_> {
    /// Close the queries that have ended meanwhile in the engine.
    pub(super) async fn close_ended(&self) {
        for number in self.lane.closing.take() {
            let closed = self.ask::<Closed>(protocol::close(number), Watch::short("close"));
            if closed.await.is_err() && !self.has_engine() {
                return;
            }
        }
    }

    /// Make the engine follow these revisions of the book. It is ended if it cannot.
    async fn follow_all(&self, revisions: Vec<Rc<Revision>>) {
        if revisions.is_empty() {
            return;
        }
        let (edit, pace) = (self.edit(), self.workspace.pace());
        let mut touched = Touched::default();
        for revision in &revisions {
            touched.note_revision(revision, &pace).await;
        }
        let turned = touched.turned(&self.book(), &pace).await;
        match self.follow_others(turned).await {
            Ok(true) => edit.keep(),
            _ => drop(edit.renew()),
        }
    }
}
