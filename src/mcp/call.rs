//! A running request: where its answer goes, and what the code that serves it may use.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use futures::future::{Either, select};
use serde_json::{Value, json};

use super::connection::{Batch, Client};
use super::era::{Era, LogLevel, SERVER_KEY};
use super::flow::{Flow, Slot};
use super::jsonrpc::{self, Object, RpcError};
use super::rights::{Acting, Rights};
use super::tasks::Task;
use hornbook_base::{CancelToken, Control, Priority, Progress, Who};

/// The context of one request, for the code that serves it. Clones refer to the same call.
#[derive(Clone)]
pub struct Call {
    pub(super) state: Rc<CallState>,
    pub(super) progress: ToWhom,
    /// Those whose work it carries on.
    pub(super) with: Rc<[Who]>,
}

/// Who gets the progress of a call.
#[derive(Clone)]
pub(super) enum ToWhom {
    Client,
    Nobody,
    Caller(Rc<dyn Fn(Progress)>),
}

impl Call {
    /// Cancellation, and progress if the client asked for it.
    pub fn control(&self) -> Control {
        let route = self.state.route();
        let heard = route.is_some_and(|route| route.progress_token.is_some()) || self.state.task().is_some();
        let progress: Rc<dyn Fn(Progress)> = match &self.progress {
            ToWhom::Client => {
                let state = self.state.clone();
                Rc::new(move |progress| state.progress(&progress))
            }
            ToWhom::Nobody => Rc::new(|_| {}),
            ToWhom::Caller(tell) => tell.clone(),
        };
        let wanted = heard && !matches!(self.progress, ToWhom::Nobody);
        Control {
            cancel: self.state.cancel.clone(),
            progress: wanted.then_some(progress),
            client: self.state.client,
            priority: Priority::Normal,
            own_queries_only: self.state.is_alone,
            client_name: self.state.client_name.clone(),
            read_only: self.state.rights.read_only,
            who: Who::carrying_on(self.state.who().as_deref(), &self.with),
            person: None,
        }
    }

    /// The same call without progress, for a part of the work whose progress is not that of the whole.
    pub fn without_progress(&self) -> Call {
        Call {
            progress: ToWhom::Nobody,
            ..self.clone()
        }
    }

    /// The same call, whose progress, if the client wants any, goes to whoever carries on the whole.
    pub fn telling(&self, tell: Rc<dyn Fn(Progress)>) -> Call {
        Call {
            progress: ToWhom::Caller(tell),
            ..self.clone()
        }
    }

    /// The same call for work that others have begun: it may do what they may, too, and nothing else.
    pub fn carrying_on(&self, others: &[Who]) -> Call {
        Call {
            with: others.into(),
            ..self.clone()
        }
    }

    /// The most tokens a reply to this client may have, if its host set a limit.
    pub fn reply_tokens(&self) -> Option<usize> {
        self.state.reply_tokens
    }

    /// Send a message to the client's log, if it wants messages of this level.
    pub fn log(&self, level: LogLevel, data: Value) {
        let Some(route) = self.state.route() else { return };
        if route.log_level().is_some_and(|least| level >= least) {
            let message = json!({ "level": level, "data": data });
            route
                .client
                .send(&jsonrpc::notification("notifications/message", message));
        }
    }

    /// Wait until the client has read what it was sent.
    pub async fn read(&self) {
        if let Some(route) = self.state.route() {
            route.client.flow.read().await;
        }
    }

    /// What the client declared for a capability.
    pub fn client_capability(&self, capability: &str) -> Option<Value> {
        self.state.route()?.declared(capability)
    }

    /// Whether the client declared a capability: `elicitation` (with forms), `sampling` or `roots`.
    pub fn client_can(&self, capability: &str) -> bool {
        self.state
            .route()
            .is_some_and(|route| route.client_can(capability))
    }
}

pub(super) struct CallState {
    pub cancel: CancelToken,
    /// The number of the client that started it, and whether it uses only its own queries.
    client: u64,
    is_alone: bool,
    client_name: Option<Rc<str>>,
    pub rights: Rights,
    reply_tokens: Option<usize>,
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
            client: route.client.number.get(),
            is_alone: route.client.is_alone.get(),
            rights: route.rights.clone(),
            client_name,
            reply_tokens,
            route: RefCell::new(Some(route)),
            task: OnceCell::new(),
            slot: RefCell::default(),
        })
    }

    /// Whom the rules of the book take the client for; `None` if they do not bind it.
    fn who(&self) -> Option<Rc<Who>> {
        match &self.rights.acting {
            Acting::Host => None,
            Acting::As(who) => Some(who.clone()),
            Acting::Itself => Some(Rc::new(Who {
                name: self.client_name.clone().unwrap_or_default(),
                ..Who::default()
            })),
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
    /// Capabilities that a modern request declared. For a legacy request, see the connection.
    pub modern_capabilities: Object,
    /// The lowest level of log messages that a modern request wants.
    pub modern_log_level: Option<LogLevel>,
    /// The parameters as received.
    pub params: Object,
    /// A modern client's answers to earlier questions.
    pub input: Object,
    pub progress_token: Option<Value>,
    pub last_progress: Cell<Option<u64>>,
    /// Size of the message, in bytes.
    pub bytes: usize,
    pub rights: Rights,
}

impl Route {
    /// Send the one answer to this request.
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
            // A client may declare modes without forms; an empty declaration means forms.
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

    /// Add the fields that every result of the modern era has.
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

/// For how many milliseconds a client may cache a result, and whether users may share it. Lists change with
/// the server's version or with a notification; resources change at any time.
fn caching(method: &str) -> Option<(u64, &'static str)> {
    match method {
        "server/discover" | "tools/list" | "prompts/list" | "resources/list" | "resources/templates/list" => {
            Some((300_000, "public"))
        }
        "resources/read" => Some((0, "private")),
        _ => None,
    }
}
