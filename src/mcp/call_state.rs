//! The state of a running call: where its answer goes, and what ends it.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use futures::future::{Either, select};
use hornbook_base::{CancelToken, Progress, Who};
use serde_json::{Value, json};

use super::client::Running;
use super::era::Era;
use super::flow::{Flow, Slot};
use super::jsonrpc::{self, Object, RpcError};
use super::rights::{Acting, Rights};
use super::route::Route;
use super::task::Task;

pub struct CallState {
    pub cancel: CancelToken,
    /// The number of the client that started it, and whether it uses only its own queries.
    pub client: u64,
    pub is_alone: bool,
    pub client_name: Option<Rc<str>>,
    pub rights: Rights,
    pub reply_tokens: Option<usize>,
    /// `None` when nobody waits for an answer: the request was cancelled, or a modern client was asked
    /// something and has not come back yet.
    pub route: RefCell<Option<Rc<Route>>>,
    /// The task it continues as, if any; the outcome then goes to the task instead of the route.
    task: OnceCell<Rc<Task>>,
    /// Held while the call runs; released while it waits for its client.
    slot: RefCell<Option<Slot>>,
}

impl CallState {
    pub fn new(route: Rc<Route>) -> Rc<CallState> {
        let client_name = route.client.name.borrow().clone();
        let reply_tokens = route.client.reply_tokens.get();
        Rc::new(CallState {
            cancel: CancelToken::default(),
            client: route.client.number(),
            is_alone: route.client.is_alone(),
            rights: route.rights.clone(),
            client_name,
            reply_tokens,
            route: RefCell::new(Some(route)),
            task: OnceCell::new(),
            slot: RefCell::default(),
        })
    }

    /// Register it as what runs for a request.
    pub fn runs_for(self: &Rc<Self>, route: &Route) {
        let call = self.clone();
        let running = Running::Call(Box::new(move || call.cancel()));
        route.client.keep(&route.id, running);
    }

    /// Whom the rules of the book take the client for; `None` if they do not bind it.
    pub fn who(&self) -> Option<Rc<Who>> {
        match &self.rights.acting {
            Acting::Host(_) => None,
            Acting::As(who) => Some(who.clone()),
            Acting::Itself => Some(Rc::new(Who {
                name: self.client_name.clone().unwrap_or_default(),
                ..Who::default()
            })),
        }
    }

    /// Who it is in what is recorded: whom the host knows it to be, whatever it calls itself.
    pub fn author(&self) -> Option<Rc<str>> {
        let known = match &self.rights.acting {
            Acting::As(who) => Some(&who.name),
            Acting::Host(name) => name.as_ref(),
            Acting::Itself => None,
        };
        match (known, &self.client_name) {
            (None, named) => named.clone(),
            (Some(known), Some(named)) if named != known && !named.is_empty() => {
                Some(format!("{known}, calling itself {named}").into())
            }
            (Some(known), _) => Some(known.clone()),
        }
    }

    /// Wait for a slot; false if the call is cancelled first.
    pub async fn enter(&self, flow: &Rc<Flow>, bytes: usize) -> bool {
        let slot = Box::pin(flow.slot(bytes));
        match select(slot, Box::pin(self.cancel.cancelled())).await {
            Either::Left((slot, _)) => {
                self.slot.replace(Some(slot));
                true
            }
            Either::Right(_) => false,
        }
    }

    /// Give up the slot, so that other calls can run.
    pub fn leave(&self) {
        drop(self.slot.take());
    }

    /// Continue as this task; the request itself has been answered.
    pub fn become_task(&self, task: Rc<Task>) {
        let _ = self.task.set(task);
    }

    pub fn task(&self) -> Option<&Rc<Task>> {
        self.task.get()
    }

    pub fn route(&self) -> Option<Rc<Route>> {
        self.route.borrow().clone()
    }

    pub fn finish(&self, outcome: Result<Object, RpcError>) {
        let route = self.route.borrow_mut().take();
        if let Some(task) = self.task() {
            task.end(outcome);
        } else if let Some(route) = route {
            route.client.forget(&route.id);
            route.answer(outcome);
        }
    }

    /// Stop the work; no answer will be sent.
    pub fn cancel(&self) {
        let route = self.route.borrow_mut().take();
        if let Some(batch) = route.as_ref().and_then(|route| route.batch.as_ref()) {
            batch.settle(None);
        }
        self.cancel.cancel();
    }

    /// Send progress; dropped unless it is beyond the last progress sent.
    pub fn progress(&self, progress: &Progress) {
        let Some(route) = self.route() else { return };
        if let Some(task) = self.task() {
            task.tell(&progress.message);
            if route.era == Era::Modern {
                return;
            }
        }
        let Some(token) = &route.progress_token else {
            return;
        };
        if route
            .last_progress
            .get()
            .is_some_and(|last| progress.done <= last)
        {
            return;
        }
        route.last_progress.set(Some(progress.done));
        let mut params = jsonrpc::object(json!({ "progressToken": token, "progress": progress.done }));
        if let Some(total) = progress.total {
            params.insert("total".into(), json!(total));
        }
        if !progress.message.is_empty() {
            params.insert("message".into(), json!(progress.message));
        }
        route.client.send(&jsonrpc::notification(
            "notifications/progress",
            Value::Object(params),
        ));
    }
}
