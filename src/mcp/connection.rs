//! One client of the server: its messages and its running requests.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::iter;
use std::rc::Rc;

use futures::channel::oneshot;
use hornbook_base::{Pace, is_unseen};
use serde_json::{Value, json};

use super::call::CallState;
use super::changes::Filter;
use super::dispatch;
use super::era::{BATCHES, LEGACY, LogLevel};
use super::flow::Flow;
use super::jsonrpc::{self, INVALID_REQUEST, Message, Object, PARSE_ERROR, RpcError};
use super::long;
use super::rights::{Acting, Rights};
use super::server::Server;

/// A client's connection to the server. Dropping it closes it.
pub struct Connection {
    pub(super) client: Rc<Client>,
}

impl Connection {
    /// Take one message from the client, a JSON text. Returns at once; every request is answered exactly
    /// once, now or later, unless the client cancels it. A long message is read in slices, and messages that
    /// arrive meanwhile are handled after it.
    pub fn receive(&self, text: &str) {
        if self.client.closed.get() {
            return;
        }
        if text.len() > self.client.server.limits.line_bytes {
            self.client.refuse(text);
        } else if text.len() >= long::AT_ONCE || self.client.later.borrow().is_some() {
            self.client.take_later(Came {
                bytes: text.len(),
                parts: Box::new(iter::once(text.to_owned())),
                rights: self.client.rights.borrow().clone(),
            });
        } else {
            let rights = self.client.rights.borrow().clone();
            self.client.take(text, serde_json::from_str(text), &rights);
        }
    }

    /// Like [`Connection::receive`], for a long message of at least `bytes` bytes that the host hands over in
    /// parts, so that the transfer does not block its thread either.
    pub fn receive_parts(&self, bytes: usize, parts: impl Iterator<Item = String> + 'static) {
        if bytes > self.line_bytes() {
            self.refuse_line();
        } else if !self.client.closed.get() {
            self.client.take_later(Came {
                bytes,
                parts: Box::new(parts),
                rights: self.client.rights.borrow().clone(),
            });
        }
    }

    /// Like [`Connection::receive`], for a message already parsed from a text of `bytes` bytes.
    pub fn receive_value(&self, message: Value, bytes: usize) {
        let rights = self.client.rights.borrow().clone();
        self.client.take_value(message, bytes, &rights);
    }

    /// Whether the messages received from now on may only read the book. It is decided for each message when
    /// it arrives: what a call begun earlier may do stays as it was.
    pub fn set_read_only(&self, read_only: bool) {
        self.client.rights.borrow_mut().read_only = read_only;
    }

    /// Whom the book's clauses of `may_change/2` take the client for. It is decided for each message when it arrives.
    pub fn set_acting(&self, acting: Acting) {
        self.client.rights.borrow_mut().acting = acting;
    }

    /// All connections with this number are one client, and each client uses only the queries that it started
    /// itself. The number must not be that of another client.
    pub fn belongs_to(&self, client: u64) {
        self.client.number.set(OF_HOST + client);
        self.client.is_alone.set(true);
    }

    /// The most bytes a message may have (the limit `line_bytes`). A host that reads lines need not keep
    /// longer ones.
    pub fn line_bytes(&self) -> usize {
        self.client.server.limits.line_bytes
    }

    /// Report a message longer than [`Connection::line_bytes`] that the host did not keep.
    pub fn refuse_line(&self) {
        let error = Err(self.client.too_long());
        self.client.send(&jsonrpc::response(&Value::Null, error));
    }

    /// Whether so many calls are waiting that the host should stop reading from the client.
    pub fn is_full(&self) -> bool {
        let later = self.client.later.borrow();
        let bytes: usize = later.iter().flatten().map(|came| came.bytes).sum();
        bytes >= self.client.server.limits.waiting_bytes || self.client.flow.is_full()
    }

    /// The client has read what it was sent: resume what waited for that.
    pub fn resume(&self) {
        self.client.flow.set_congested(false);
    }

    /// Take a JSON text from a pipe that others share; anything that is not a JSON-RPC message is ignored.
    pub fn receive_if_rpc(&self, text: &str) {
        if jsonrpc::is_rpc(text) {
            self.receive(text);
        }
    }

    /// Limit replies to this client to `tokens` tokens, whatever the service's own limit is.
    pub fn set_reply_tokens(&self, tokens: usize) {
        self.client.reply_tokens.set(Some(tokens));
    }

    /// Cancel everything that runs for this client, and send it nothing more.
    pub fn close(&self) {
        self.client.closed.set(true);
        self.client.subscriptions.borrow_mut().clear();
        let running = std::mem::take(&mut *self.client.running.borrow_mut());
        for (_, running) in running {
            if let Running::Call(call) = running {
                call.cancel();
            }
        }
        self.client.questions.borrow_mut().clear();
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.close();
    }
}

/// What the server knows of a client.
pub(super) struct Client {
    pub server: Rc<Server>,
    /// Clients are numbered from 1; those that the host tells apart, from `OF_HOST`.
    pub number: Cell<u64>,
    /// Whether it uses only the queries that it started itself.
    pub is_alone: Cell<bool>,
    send: Rc<dyn Fn(String) -> bool>,
    pub flow: Rc<Flow>,
    closed: Cell<bool>,
    /// Messages that arrived while a long one is being read, to be taken in order; `None` if none is.
    later: RefCell<Option<VecDeque<Came>>>,
    /// What a message that arrives now may do.
    rights: RefCell<Rights>,
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

/// A message not read yet, in parts of at least `bytes` bytes in total.
struct Came {
    bytes: usize,
    parts: Box<dyn Iterator<Item = String>>,
    rights: Rights,
}

/// A question to the client.
struct Asked {
    answer: oneshot::Sender<Result<Value, RpcError>>,
    /// What the call that asks may do.
    rights: Rights,
}

pub(super) enum Running {
    Call(Rc<CallState>),
    Listen(Value, Filter),
}

/// The first number of the clients that the host tells apart.
const OF_HOST: u64 = 1 << 32;

/// How a request arrived.
pub(super) struct Arrived {
    pub batch: Option<Rc<Batch>>,
    /// The size of its message.
    pub bytes: usize,
    pub rights: Rights,
}

const ANSWERED_BY_OTHERS: &str =
    "The question was answered by a request that may not change what the call that asks may change";

/// A client's name is cut to this many characters.
const NAME: usize = 100;

impl Client {
    /// Set the client's name from its `clientInfo`; `None` leaves it as it is.
    pub fn is_called(&self, about: Option<&Value>) {
        if let Some(name) = about.and_then(|about| about.get("name")).and_then(Value::as_str) {
            // It is shown in lines of the history.
            let seen = name.chars().filter(|c| !is_unseen(*c));
            let name: String = seen.take(NAME).collect();
            *self.name.borrow_mut() = Some(name.into());
        }
    }

    pub fn new(server: Rc<Server>, number: u64, send: Rc<dyn Fn(String) -> bool>) -> Rc<Client> {
        let flow = Flow::new(server.limits.running_calls, server.limits.waiting_bytes);
        Rc::new(Client {
            server,
            number: Cell::new(number),
            is_alone: Cell::new(false),
            send,
            flow,
            closed: Cell::new(false),
            later: RefCell::default(),
            rights: RefCell::default(),
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

    /// Whether it speaks the legacy revision that has tasks, and the service offers them.
    pub fn knows_tasks(&self) -> bool {
        self.revision.get() == Some(LEGACY[0]) && self.server.service.about().features.tasks
    }

    pub fn send(&self, message: &Value) {
        if !self.closed.get() {
            // Writing to bytes is faster than `Display`; a `Value` can always be written.
            if !(self.send)(serde_json::to_string(message).unwrap_or_default()) {
                self.flow.set_congested(true);
            }
        }
    }

    fn too_long(&self) -> RpcError {
        let most = self.server.limits.line_bytes;
        RpcError::new(
            INVALID_REQUEST,
            format!("The message is too long (limit: line_bytes = {most}). Send its parts one by one."),
        )
    }

    /// Read a long message in slices; messages that arrive meanwhile are queued after it.
    fn take_later(self: &Rc<Client>, came: Came) {
        if let Some(later) = &mut *self.later.borrow_mut() {
            later.push_back(came);
            return;
        }
        *self.later.borrow_mut() = Some(VecDeque::new());
        let client = self.clone();
        (self.server.spawner)(Box::pin(async move {
            let mut next = Some(came);
            while let Some(came) = next {
                client.take_came(came).await;
                let mut later = client.later.borrow_mut();
                next = later.as_mut().and_then(VecDeque::pop_front);
                if next.is_none() {
                    *later = None;
                }
            }
        }));
    }

    async fn take_came(self: &Rc<Client>, came: Came) {
        let pace = Pace::new(self.server.clock.clone());
        let mut text = String::with_capacity(came.bytes);
        for part in came.parts {
            text.push_str(&part);
            if pace.is_over(1 + part.len() / 64) {
                pace.rest().await;
            }
        }
        if text.len() > self.server.limits.line_bytes {
            return self.refuse(&text);
        }
        let message = long::read(&text, &pace).await;
        self.take(&text, message, &came.rights);
    }

    fn refuse(&self, text: &str) {
        let id = jsonrpc::request_id(text);
        self.send(&jsonrpc::response(&id, Err(self.too_long())));
    }

    /// Handle a message, or report why the text is not one.
    fn take(self: &Rc<Client>, text: &str, message: Result<Value, impl fmt::Display>, rights: &Rights) {
        match message {
            Ok(message) => self.take_value(message, text.len(), rights),
            Err(error) => {
                let error = RpcError::new(PARSE_ERROR, format!("Parse error: {error}"));
                match jsonrpc::response_id(text) {
                    Value::Null => self.send(&jsonrpc::response(&jsonrpc::request_id(text), Err(error))),
                    id => self.answered(&id, Err(error), rights),
                }
            }
        }
    }

    fn take_value(self: &Rc<Client>, message: Value, bytes: usize, rights: &Rights) {
        if self.closed.get() {
            return;
        }
        match message {
            Value::Array(messages) => self.receive_batch(messages, bytes, rights),
            message => self.receive_one(message, None, bytes, rights),
        }
    }

    fn receive_batch(self: &Rc<Client>, messages: Vec<Value>, bytes: usize, rights: &Rights) {
        if self.revision.get() != Some(BATCHES) || messages.is_empty() {
            let error = if messages.is_empty() {
                RpcError::new(INVALID_REQUEST, "An empty batch is not a message")
            } else {
                RpcError::new(
                    INVALID_REQUEST,
                    format!("Batches are part of revision {BATCHES} only"),
                )
            };
            self.send(&jsonrpc::response(&Value::Null, Err(error)));
            return;
        }
        // Counts one more than the requests until all of them have started.
        let batch = Rc::new(Batch {
            client: self.clone(),
            open: Cell::new(1),
            replies: RefCell::default(),
        });
        let bytes = bytes / messages.len();
        for message in messages {
            self.receive_one(message, Some(&batch), bytes, rights);
        }
        batch.settle(None);
    }

    fn receive_one(
        self: &Rc<Client>,
        message: Value,
        batch: Option<&Rc<Batch>>,
        bytes: usize,
        rights: &Rights,
    ) {
        match jsonrpc::classify(message) {
            Ok(Message::Request { id, method, params }) => {
                let batch = batch
                    .inspect(|batch| batch.open.set(batch.open.get() + 1))
                    .cloned();
                let arrived = Arrived {
                    batch,
                    bytes,
                    rights: rights.clone(),
                };
                dispatch::request(self, id, method, params, arrived);
            }
            Ok(Message::Notification { method, params }) => {
                if method == "notifications/cancelled" {
                    self.cancel(&params);
                }
            }
            Ok(Message::Response { id, outcome }) => self.answered(&id, outcome, rights),
            Err((id, error)) => {
                let reply = jsonrpc::response(&id, Err(error));
                match batch {
                    Some(batch) => {
                        batch.open.set(batch.open.get() + 1);
                        batch.settle(Some(reply));
                    }
                    None => self.send(&reply),
                }
            }
        }
    }

    /// The client answered one of the server's questions.
    fn answered(&self, id: &Value, outcome: Result<Value, RpcError>, rights: &Rights) {
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

    fn cancel(&self, params: &Object) {
        let Some(id) = params.get("requestId") else { return };
        let running = self.running.borrow_mut().remove(&id.to_string());
        if let Some(Running::Call(call)) = running {
            call.cancel();
        }
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

    /// The ids of the `subscriptions/listen` requests whose filters match.
    pub fn listeners(&self, wants: impl Fn(&Filter) -> bool) -> Vec<Value> {
        let running = self.running.borrow();
        let ids = running.values().filter_map(|running| match running {
            Running::Listen(id, filter) if wants(filter) => Some(id.clone()),
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

    /// Drop the question `id`; a late answer is ignored.
    pub fn withdraw(&self, id: &Value) {
        self.questions.borrow_mut().remove(&id.to_string());
        self.send(&jsonrpc::notification(
            "notifications/cancelled",
            json!({ "requestId": id }),
        ));
    }
}

/// The replies of a batch, sent together.
pub(super) struct Batch {
    client: Rc<Client>,
    open: Cell<usize>,
    replies: RefCell<Vec<Value>>,
}

impl Batch {
    /// One request of the batch is done; a cancelled one has no reply.
    pub fn settle(&self, reply: Option<Value>) {
        self.replies.borrow_mut().extend(reply);
        self.open.set(self.open.get() - 1);
        if self.open.get() == 0 {
            let replies = std::mem::take(&mut *self.replies.borrow_mut());
            if !replies.is_empty() {
                self.client.send(&Value::Array(replies));
            }
        }
    }
}
