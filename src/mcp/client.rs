//! What the server knows of a client: who it is, what runs for it, and what it is asked.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use futures::channel::oneshot;
use hornbook_base::{Limits, is_unseen};
use serde_json::{Value, json};

use super::about::About;
use super::changes::{Change, Filter};
use super::era::{LEGACY, LogLevel};
use super::flow::Flow;
use super::jsonrpc::{self, INVALID_REQUEST, Object, RpcError};
use super::rights::Rights;

/// What the server knows of a client.
pub struct Client {
    /// What the server says of itself.
    pub about: Rc<About>,
    /// Clients are numbered from 1; those that the host tells apart, from `OF_HOST`.
    number: Cell<u64>,
    /// Whether it uses only the queries that it started itself.
    is_alone: Cell<bool>,
    send: Rc<dyn Fn(String) -> bool>,
    pub flow: Rc<Flow>,
    closed: Cell<bool>,
    /// The revision `initialize` agreed on; `None` before it, and for modern clients.
    pub revision: Cell<Option<&'static str>>,
    /// What the client declared in `initialize`.
    pub capabilities: RefCell<Object>,
    /// The name the client gives itself.
    pub name: RefCell<Option<Rc<str>>>,
    pub log_level: Cell<LogLevel>,
    /// The most tokens a reply may have, if the host set a limit for this client.
    pub reply_tokens: Cell<Option<usize>>,
    /// URIs from `resources/subscribe`.
    pub subscriptions: RefCell<BTreeSet<String>>,
    /// By the request's id, as JSON.
    running: RefCell<BTreeMap<String, Running>>,
    /// Requests this client has yet to answer, by id.
    questions: RefCell<BTreeMap<String, Asked>>,
    next_question: Cell<u64>,
}

/// What runs for a request.
pub enum Running {
    /// A call, by what cancels it.
    Call(Box<dyn FnOnce()>),
    Listen(Value, Filter),
}

/// A question to the client.
struct Asked {
    answer: oneshot::Sender<Result<Value, RpcError>>,
    /// What the call that asks may do.
    rights: Rights,
}

/// The first number of the clients that the host tells apart.
const OF_HOST: u64 = 1 << 32;

const ANSWERED_BY_OTHERS: &str =
    "The question was answered by a request that may not change what the call that asks may change";

/// A client's name is cut to this many characters.
const NAME: usize = 100;

impl Client {
    pub fn new(
        about: Rc<About>,
        limits: &Limits,
        number: u64,
        send: Rc<dyn Fn(String) -> bool>,
    ) -> Rc<Client> {
        Rc::new(Client {
            about,
            number: Cell::new(number),
            is_alone: Cell::new(false),
            send,
            flow: Flow::new(limits.running_calls, limits.waiting_bytes),
            closed: Cell::new(false),
            revision: Cell::new(None),
            capabilities: RefCell::default(),
            name: RefCell::default(),
            log_level: Cell::new(LogLevel::Info),
            reply_tokens: Cell::new(None),
            subscriptions: RefCell::default(),
            running: RefCell::default(),
            questions: RefCell::default(),
            next_question: Cell::new(1),
        })
    }

    pub fn number(&self) -> u64 {
        self.number.get()
    }

    pub fn is_alone(&self) -> bool {
        self.is_alone.get()
    }

    /// Make it one of those that the host tells apart.
    pub fn set_number(&self, of_host: u64) {
        self.number.set(OF_HOST + of_host);
        self.is_alone.set(true);
    }

    /// Set the client's name from its `clientInfo`; `None` leaves it as it is.
    pub fn is_called(&self, about: Option<&Value>) {
        if let Some(name) = about.and_then(|about| about.get("name")).and_then(Value::as_str) {
            // It is shown in lines of the history.
            let seen = name.chars().filter(|c| !is_unseen(*c));
            let name: String = seen.take(NAME).collect();
            *self.name.borrow_mut() = Some(name.into());
        }
    }

    /// Whether it speaks the legacy revision that has tasks, and the service offers them.
    pub fn knows_tasks(&self) -> bool {
        self.revision.get() == Some(LEGACY[0]) && self.about.features.tasks
    }

    pub fn send(&self, message: &Value) {
        if !self.closed.get() {
            // Writing to bytes is faster than `Display`; a `Value` can always be written.
            if !(self.send)(serde_json::to_string(message).unwrap_or_default()) {
                self.flow.set_congested(true);
            }
        }
    }

    /// Cancel everything that runs for it, and send it nothing more.
    pub fn close(&self) {
        self.closed.set(true);
        self.subscriptions.borrow_mut().clear();
        let running = std::mem::take(&mut *self.running.borrow_mut());
        for (_, running) in running {
            if let Running::Call(cancel) = running {
                cancel();
            }
        }
        self.questions.borrow_mut().clear();
    }

    pub fn is_closed(&self) -> bool {
        self.closed.get()
    }

    /// Register what runs for the request `id`.
    pub fn keep(&self, id: &Value, running: Running) {
        self.running.borrow_mut().insert(id.to_string(), running);
    }

    pub fn forget(&self, id: &Value) {
        self.running.borrow_mut().remove(&id.to_string());
    }

    pub fn is_running(&self, id: &Value) -> bool {
        self.running.borrow().contains_key(&id.to_string())
    }

    /// Cancel the request that the parameters of `notifications/cancelled` name.
    pub fn cancel(&self, params: &Object) {
        let Some(id) = params.get("requestId") else { return };
        let running = self.running.borrow_mut().remove(&id.to_string());
        if let Some(Running::Call(cancel)) = running {
            cancel();
        }
    }

    /// Whether it wants to be told of this change by its connection.
    pub fn subscribes(&self, change: &Change) -> bool {
        match change {
            Change::Resource(uri) => self.subscriptions.borrow().contains(uri),
            _ => self.revision.get().is_some(),
        }
    }

    /// The ids of the `subscriptions/listen` requests that want to be told of this change.
    pub fn listeners(&self, change: &Change) -> Vec<Value> {
        let running = self.running.borrow();
        let ids = running.values().filter_map(|running| match running {
            Running::Listen(id, filter) if filter.wants(change) => Some(id.clone()),
            _ => None,
        });
        ids.collect()
    }

    /// Send a request of the server's own, for a call with these rights. Returns its id, and a receiver for the
    /// answer.
    pub fn ask(
        &self,
        method: &str,
        params: &Value,
        rights: Rights,
    ) -> (Value, oneshot::Receiver<Result<Value, RpcError>>) {
        let number = self.next_question.get();
        self.next_question.set(number + 1);
        let id = json!(format!("server-{number}"));
        let (sender, answer) = oneshot::channel();
        let asked = Asked {
            answer: sender,
            rights,
        };
        self.questions.borrow_mut().insert(id.to_string(), asked);
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        (id, answer)
    }

    /// The client answered one of the server's questions.
    pub fn answered(&self, id: &Value, outcome: Result<Value, RpcError>, rights: &Rights) {
        let question = self.questions.borrow_mut().remove(&id.to_string());
        if let Some(question) = question {
            let outcome = match rights.reach(&question.rights) {
                true => outcome,
                false => Err(RpcError::new(INVALID_REQUEST, ANSWERED_BY_OTHERS)),
            };
            // The asker may have stopped waiting.
            let _ = question.answer.send(outcome);
        }
    }

    /// Drop the question `id`; a late answer is ignored.
    pub fn withdraw(&self, id: &Value) {
        self.questions.borrow_mut().remove(&id.to_string());
        self.send(&jsonrpc::notification(
            "notifications/cancelled",
            json!({ "requestId": id }),
        ));
    }
}
