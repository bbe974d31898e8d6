//! The server: one service, any number of clients.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use futures::channel::oneshot;
use hornbook_base::{Clock, Limits, Spawner};

use super::call::{CallState, Route};
use super::changes;
use super::connection::{Client, Connection};
use super::jsonrpc::{Object, RpcError};
use super::rights::Rights;
use super::service::{Change, Service, Subscription};
use super::tasks::Tasks;

/// A service and its clients. All clients of a server are one principal: they share the service's state, and
/// one may resume a call that another began.
pub struct Server {
    pub(super) service: Rc<dyn Service>,
    pub(super) spawner: Spawner,
    pub(super) clock: Rc<dyn Clock>,
    pub(super) limits: Limits,
    clients: RefCell<Vec<Weak<Client>>>,
    connected: Cell<u64>,
    waiting: RefCell<VecDeque<Waiting>>,
    pub(super) tasks: Tasks,
    next_state: Cell<u64>,
}

impl Server {
    pub fn new(
        service: Rc<dyn Service>,
        spawner: Spawner,
        clock: Rc<dyn Clock>,
        limits: Limits,
    ) -> Rc<Server> {
        let server = Rc::new(Server {
            service,
            spawner,
            clock,
            limits,
            clients: RefCell::default(),
            connected: Cell::new(0),
            waiting: RefCell::default(),
            tasks: Tasks::default(),
            next_state: Cell::new(1),
        });
        let weak = Rc::downgrade(&server);
        server.service.on_change(Rc::new(move |change| {
            if let Some(server) = weak.upgrade() {
                changes::tell(&server.clients(), &change);
            }
        }));
        server
    }

    /// Add a client. `send` takes each message for it, one JSON text, and returns whether the client keeps up
    /// with reading: if not, none of its calls starts until [`Connection::resume`].
    pub fn connect(self: &Rc<Server>, send: Rc<dyn Fn(String) -> bool>) -> Connection {
        self.connected.set(self.connected.get() + 1);
        let client = Client::new(self.clone(), self.connected.get(), send);
        let mut clients = self.clients.borrow_mut();
        clients.retain(|client| client.strong_count() > 0);
        clients.push(Rc::downgrade(&client));
        Connection { client }
    }

    /// The number of tasks that run, or whose results clients may still fetch.
    pub fn tasks(&self) -> usize {
        self.tasks.count(self.clock.now_ms())
    }

    /// Whether the task with this id still runs.
    pub fn task_runs(&self, id: &str) -> bool {
        self.tasks.runs(id)
    }

    /// The subscription of all clients to a resource.
    pub(super) fn subscription(self: &Rc<Server>, uri: &str) -> Subscription {
        let (weak, change) = (Rc::downgrade(self), Change::Resource(uri.to_owned()));
        let (of, wanted) = (weak.clone(), change.clone());
        Subscription {
            uri: uri.to_owned(),
            tell: Rc::new(move || {
                if let Some(server) = weak.upgrade() {
                    changes::tell(&server.clients(), &change);
                }
            }),
            is_wanted: Rc::new(move || {
                let clients = of.upgrade().map(|server| server.clients());
                changes::is_wanted(&clients.unwrap_or_default(), &wanted)
            }),
        }
    }

    fn clients(&self) -> Vec<Rc<Client>> {
        self.clients.borrow().iter().filter_map(Weak::upgrade).collect()
    }

    /// Keep a call until its client comes back with the returned `requestState`. The oldest calls are dropped
    /// for it if there are too many or their requests too long.
    pub(super) fn park(
        &self,
        call: Rc<CallState>,
        origin: Origin,
        bytes: usize,
    ) -> (String, oneshot::Receiver<()>) {
        let (wake, woken) = oneshot::channel();
        let number = self.next_state.get();
        self.next_state.set(number + 1);
        let state = format!("{}-{number}", origin.method);
        let mut waiting = self.waiting.borrow_mut();
        waiting.push_back(Waiting {
            state: state.clone(),
            call,
            origin,
            bytes,
            wake,
        });
        let mut total: usize = waiting.iter().map(|one| one.bytes).sum();
        let mut dropped = Vec::new();
        while waiting.len() > self.limits.waiting_calls.max(1) || (total > PARKED_BYTES && waiting.len() > 1)
        {
            let oldest = waiting.pop_front();
            total -= oldest.as_ref().map_or(0, |one| one.bytes);
            dropped.extend(oldest);
        }
        drop(waiting);
        for one in dropped {
            one.call.cancel();
        }
        (state, woken)
    }

    /// Resume the call that `state` stands for; it answers on `route`. A state is good for one retry of the
    /// request it was given for.
    pub(super) fn resume(
        &self,
        state: &str,
        origin: &Origin,
        route: Rc<Route>,
    ) -> Result<Rc<CallState>, RpcError> {
        let mut waiting = self.waiting.borrow_mut();
        let position = waiting
            .iter()
            .position(|one| one.state == state && one.origin == *origin);
        let Some(found) = position.and_then(|position| waiting.remove(position)) else {
            return Err(RpcError::invalid_params(
                "\"requestState\" is not one that this request was given, or was used before; \
                 send the request without it to begin again",
            ));
        };
        drop(waiting);
        *found.call.route.borrow_mut() = Some(route);
        // If nobody listens, the call has ended, and its route stays unanswered.
        match found.wake.send(()) {
            Ok(()) => Ok(found.call),
            Err(()) => Err(RpcError::cancelled()),
        }
    }
}

/// The requests of parked calls may have this many bytes in all, unless there is only one.
const PARKED_BYTES: usize = 32 << 20;

/// A parked call, whose client was asked something.
struct Waiting {
    state: String,
    call: Rc<CallState>,
    origin: Origin,
    /// The size of the request, in bytes.
    bytes: usize,
    wake: oneshot::Sender<()>,
}

/// A request's method and parameters, without the metadata and answers that a retry adds. What the request may
/// do is part of it: a call that may change the book is not continued by a client that may not.
#[derive(Clone, PartialEq)]
pub(super) struct Origin {
    pub method: String,
    pub params: Object,
    pub rights: Rights,
}

impl Origin {
    pub fn of(route: &Route) -> Origin {
        let mut params = route.params.clone();
        for field in ["_meta", "inputResponses", "requestState"] {
            params.remove(field);
        }
        Origin {
            method: route.method.clone(),
            params,
            rights: route.rights.clone(),
        }
    }
}
