//! Calls whose modern clients were asked something: they wait until the request is sent again with the answers.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use futures::channel::oneshot;

use super::call_state::CallState;
use super::jsonrpc::{Object, RpcError};
use super::rights::Rights;
use super::route::Route;

/// The parked calls of a server, oldest first.
pub struct Parked {
    /// The most calls.
    most: usize,
    waiting: RefCell<VecDeque<Waiting>>,
    next_state: Cell<u64>,
}

impl Parked {
    pub fn new(most: usize) -> Rc<Parked> {
        Rc::new(Parked {
            most,
            waiting: RefCell::default(),
            next_state: Cell::new(1),
        })
    }

    /// Keep a call until its client comes back with the returned `requestState`. The oldest calls are dropped
    /// for it if there are too many or their requests too long.
    pub fn park(&self, call: Rc<CallState>, origin: Origin, bytes: usize) -> (String, oneshot::Receiver<()>) {
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
        while waiting.len() > self.most.max(1) || (total > PARKED_BYTES && waiting.len() > 1) {
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
    pub fn resume(&self, state: &str, origin: &Origin, route: Rc<Route>) -> Result<Rc<CallState>, RpcError> {
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
pub struct Origin {
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
