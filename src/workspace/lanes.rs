//! The engines of a workspace, and who waits for the first.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use super::Inner;
use crate::open::Queries;
use hornbook_base::Clock;
use hornbook_book::Revision;
use hornbook_engine::{Beside, Supervisor};

/// An engine of the workspace, and its user.
pub(super) struct Lane {
    /// 0 for the first, which changes the book.
    pub number: usize,
    pub supervisor: Supervisor,
    pub(super) starting: Cell<bool>,
    pub(super) failures: Cell<u32>,
    /// The revisions of the book since its last turn.
    pub(super) behind: RefCell<Vec<Rc<Revision>>>,
    /// The numbers of queries that ended while another request was using their engine. Its next turn closes
    /// them.
    pub(super) closing: RefCell<Vec<u64>>,
    pub(super) used_ms: Cell<u64>,
    /// When a query last found it in use.
    pub(super) contended_ms: Cell<Option<u64>>,
    /// The queries of the workspace.
    queries: Rc<RefCell<Queries>>,
    clock: Rc<dyn Clock>,
}

/// The lanes of a workspace; the first always exists.
pub(super) fn lanes(
    first: &Supervisor,
    engines: usize,
    queries: &Rc<RefCell<Queries>>,
    clock: &Rc<dyn Clock>,
) -> Rc<[Rc<Lane>]> {
    // So many queries may be long at a time, while one engine is left to what is short.
    let beside = if engines > 1 { engines } else { 0 };
    first.capacity().hold(beside);
    let lane = |number| {
        let supervisor = match number {
            0 => first.clone(),
            _ => first.beside(),
        };
        Rc::new(Lane {
            number,
            supervisor,
            starting: Cell::default(),
            failures: Cell::default(),
            behind: RefCell::default(),
            closing: RefCell::default(),
            used_ms: Cell::default(),
            contended_ms: Cell::default(),
            queries: queries.clone(),
            clock: clock.clone(),
        })
    };
    (0..=beside).map(lane).collect()
}

impl Lane {
    /// The book has just reached this revision.
    pub fn follows(&self, revision: &Rc<Revision>) {
        // Whoever changes the book updates the first engine.
        if self.number == 0 {
            return;
        }
        if !(self.starting.get() || self.is_alive()) {
            self.behind.borrow_mut().clear();
        } else if !(revision.added.is_empty() && revision.removed.is_empty() && revision.known.is_empty()) {
            self.behind.borrow_mut().push(revision.clone());
        }
    }

    /// A query of this engine has ended.
    pub fn close_later(&self, query: u64) {
        self.closing.borrow_mut().push(query);
    }

    pub(super) fn is_alive(&self) -> bool {
        self.supervisor.current().is_some()
    }

    /// Start its engine in the background if one more may run, holding the lane's turn until then.
    pub(super) fn start(self: &Rc<Self>, workspace: &Inner) {
        let Some(permit) = self.supervisor.turn_now() else {
            return;
        };
        let beside: Rc<dyn Beside> = self.clone();
        if !self.supervisor.capacity().admit(&beside) {
            return;
        }
        let lane = self.clone();
        self.starting.set(true);
        self.used_ms.set(self.clock.now_ms());
        (workspace.spawner)(Box::pin(async move {
            // From here on `behind` collects what comes after the book that the engine is given.
            lane.behind.borrow_mut().clear();
            lane.closing.borrow_mut().clear();
            let started = lane.supervisor.start_beside().await;
            lane.starting.set(false);
            let failures = lane.failures.get() + 1;
            lane.failures.set(started.map_or(failures, |()| 0));
            drop(permit);
        }));
    }
}

impl Beside for Lane {
    fn is_there(&self) -> bool {
        self.starting.get() || self.is_alive()
    }

    fn end_if_idle(&self, idle_ms: u64) {
        let is_idle = self.clock.now_ms().saturating_sub(self.used_ms.get()) > idle_ms;
        let is_used = || self.queries.borrow().are_in(self.number);
        if is_idle && self.is_alive() && !is_used() && self.supervisor.turn_now().is_some() {
            self.supervisor.end();
        }
    }
}

/// How many requests other than queries have, or wait for, the turn of the book, by client.
pub(super) type Order = Rc<RefCell<BTreeMap<u64, usize>>>;

/// One request in the [`Order`].
pub(super) struct Ordered {
    order: Order,
    client: u64,
}

impl Ordered {
    pub fn new(order: &Order, client: u64) -> Ordered {
        *order.borrow_mut().entry(client).or_default() += 1;
        let order = order.clone();
        Ordered { order, client }
    }
}

impl Drop for Ordered {
    fn drop(&mut self) {
        let mut order = self.order.borrow_mut();
        if let Some(count) = order.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                order.remove(&self.client);
            }
        }
    }
}
