//! A request while it runs: where its answer goes, and what the code that serves it may use.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use futures::future::{Either, select};
use serde_json::{Value, json};

use super::connection::{Batch, Client};
use super::era::{Era, LogLevel, SERVER_KEY};
use super::flow::{Flow, Slot};
use super::jsonrpc::{self, Object, RpcError};
use super::tasks::Task;
use hornbook_base::{CancelToken, Control, Progress};

/// What the code that serves one request may use. Clones are the same call.
#[derive(Clone)]
pub struct Call {
    pub(super) state: Rc<CallState>,
    /// Whether it tells no progress.
    pub(super) silent: bool,
}

impl Call {
    /// Cancellation, and progress where the client asked to hear of it.
    pub fn control(&self) -> Control {
        let route = self.state.route();
        let heard = route.is_some_and(|route| route.progress_token.is_some()) || self.state.task().is_some();
        let wanted = !self.silent && heard;
        let state = self.state.clone();
        let progress: Rc<dyn Fn(Progress)> = Rc::new(move |progress| state.progress(&progress));
        Control {
            cancel: self.state.cancel.clone(),
            progress: wanted.then_some(progress),
            client: self.state.client,
            client_name: self.state.client_name.clone(),
            read_only: self.state.read_only,
            person: None,
        }
    }

    /// The same call for a part of its work, whose progress is not that of the whole.
    pub fn without_progress(&self) -> Call {
        Call {
            silent: true,
            ..self.clone()
        }
    }

    /// Tokens that replies to this client have at most, where its host has set them.
    pub fn reply_tokens(&self) -> Option<usize> {
        self.state.reply_tokens
    }

    /// Tell the client's log, if it wants messages of this level.
    pub fn log(&self, level: LogLevel, data: Value) {
        let Some(route) = self.state.route() else { return };
        if route.log_level().is_some_and(|least| level >= least) {
            let message = json!({ "level": level, "data": data });
            route
                .client
                .send(&jsonrpc::notification("notifications/message", message));
        }
    }

    /// Wait until the client has read what it was sent, before it is told more.
    pub async fn read(&self) {
        if let Some(route) = self.state.route() {
            route.client.flow.read().await;
        }
    }

    /// What the client has declared of a capability.
    pub fn client_capability(&self, capability: &str) -> Option<Value> {
        self.state.route()?.declared(capability)
    }

    /// Whether the client has declared a capability: `elicitation` (by forms), `sampling`, `roots`.
    pub fn client_can(&self, capability: &str) -> bool {
        self.state
            .route()
            .is_some_and(|route| route.client_can(capability))
    }
}

pub(super) struct CallState {
    pub cancel: CancelToken,
    /// The number of the client that began it.
    client: u64,
    client_name: Option<Rc<str>>,
    read_only: bool,
    reply_tokens: Option<usize>,
    /// `None` when nobody waits for an answer: the request was cancelled, or a modern client has been asked
    /// something and has not come back yet.
    pub route: RefCell<Option<Rc<Route>>>,
    /// Where it goes on as a task, whose outcome is its answer.
    task: OnceCell<Rc<Task>>,
    /// While it runs, and does not wait for its client.
    slot: RefCell<Option<Slot>>,
}

impl CallState {
    pub fn new(route: Rc<Route>) -> Rc<CallState> {
        let client_name = route.client.name.borrow().clone();
        let reply_tokens = route.client.reply_tokens.get();
        Rc::new(CallState {
            cancel: CancelToken::default(),
            client: route.client.number,
            read_only: route.client.read_only.get(),
            client_name,
            reply_tokens,
            route: RefCell::new(Some(route)),
            task: OnceCell::new(),
            slot: RefCell::default(),
        })
    }

    /// Wait until it may run; false when it was cancelled before.
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

    /// Let others run.
    pub fn leave(&self) {
        drop(self.slot.take());
    }

    /// From now on it is this task: what it was asked by was answered.
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

    /// Progress that is not beyond what was told before is not told.
    fn progress(&self, progress: &Progress) {
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

/// The way back to the client for one request.
pub(super) struct Route {
    pub client: Rc<Client>,
    pub id: Value,
    pub method: String,
    pub era: Era,
    pub batch: Option<Rc<Batch>>,
    /// What a modern request has declared; the connection knows it for a legacy one.
    pub modern_capabilities: Object,
    /// The least level that a modern request wants to hear.
    pub modern_log_level: Option<LogLevel>,
    /// The parameters as they came.
    pub params: Object,
    /// A modern client's answers to what it was asked.
    pub input: Object,
    pub progress_token: Option<Value>,
    pub last_progress: Cell<Option<u64>>,
    /// Bytes of the text that it came in.
    pub bytes: usize,
}

impl Route {
    /// The one answer of this request.
    pub fn answer(&self, outcome: Result<Object, RpcError>) {
        let outcome = match self.era {
            Era::Legacy => outcome,
            Era::Modern => outcome.map(|result| self.modern_result(result)),
        };
        let message = jsonrpc::response(&self.id, outcome.map_err(|error| self.era.error(error)));
        match &self.batch {
            Some(batch) => batch.settle(Some(message)),
            None => self.client.send(&message),
        }
    }

    pub fn declared(&self, capability: &str) -> Option<Value> {
        match self.era {
            Era::Legacy => self.client.capabilities.borrow().get(capability).cloned(),
            Era::Modern => self.modern_capabilities.get(capability).cloned(),
        }
    }

    pub fn client_can(&self, capability: &str) -> bool {
        match (capability, self.declared(capability)) {
            // A client may declare other ways of asking only; none means forms.
            ("elicitation", Some(Value::Object(modes))) => modes.is_empty() || modes.contains_key("form"),
            (_, declared) => declared.is_some(),
        }
    }

    fn log_level(&self) -> Option<LogLevel> {
        match self.era {
            Era::Legacy => Some(self.client.log_level.get()),
            Era::Modern => self.modern_log_level,
        }
    }

    /// What every result of the modern era has beside its own fields.
    fn modern_result(&self, mut result: Object) -> Object {
        let complete = !result.contains_key("resultType");
        if complete {
            result.insert("resultType".into(), json!("complete"));
            if let Some((ttl_ms, scope)) = caching(&self.method) {
                result.insert("ttlMs".into(), json!(ttl_ms));
                result.insert("cacheScope".into(), json!(scope));
            }
        }
        let about = self.client.server.service.about();
        let meta = result.entry("_meta").or_insert_with(|| json!({}));
        meta[SERVER_KEY] = json!({ "name": about.name, "title": about.title, "version": about.version });
        result
    }
}

/// For how many milliseconds a client may keep a result, and whether it may be shared between users.
/// Lists change with the server's version, or are told to have changed; resources change at any time.
fn caching(method: &str) -> Option<(u64, &'static str)> {
    match method {
        "server/discover" | "tools/list" | "prompts/list" | "resources/list" | "resources/templates/list" => {
            Some((300_000, "public"))
        }
        "resources/read" => Some((0, "private")),
        _ => None,
    }
}
