//! What a client sends, taken in order.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;
use std::rc::Rc;

use hornbook_base::Pace;
use serde_json::Value;

use super::client::Client;
use super::dispatch::{self, Arrived};
use super::era::BATCHES;
use super::jsonrpc::{self, INVALID_REQUEST, Message, PARSE_ERROR, RpcError};
use super::long;
use super::rights::Rights;
use super::route::Batch;
use super::server::Server;

/// The messages of a client.
pub struct Inbox {
    server: Rc<Server>,
    pub client: Rc<Client>,
    /// What a message that arrives now may do.
    pub rights: RefCell<Rights>,
    /// Messages that arrived while a long one is being read, to be taken in order; `None` if none is.
    later: RefCell<Option<VecDeque<Came>>>,
}

/// A message not read yet, in parts of at least `bytes` bytes in total.
pub struct Came {
    pub bytes: usize,
    pub parts: Box<dyn Iterator<Item = String>>,
    pub rights: Rights,
}

impl Inbox {
    pub fn new(server: Rc<Server>, client: Rc<Client>) -> Rc<Inbox> {
        Rc::new(Inbox {
            server,
            client,
            rights: RefCell::default(),
            later: RefCell::default(),
        })
    }

    /// The most bytes a message may have.
    pub fn line_bytes(&self) -> usize {
        self.server.limits.line_bytes
    }

    /// Whether a long message is being read.
    pub fn is_reading(&self) -> bool {
        self.later.borrow().is_some()
    }

    /// Whether so much waits behind a long message that nothing more should be read.
    pub fn is_full(&self) -> bool {
        let later = self.later.borrow();
        let bytes: usize = later.iter().flatten().map(|came| came.bytes).sum();
        bytes >= self.server.limits.waiting_bytes
    }

    fn too_long(&self) -> RpcError {
        let most = self.line_bytes();
        RpcError::new(
            INVALID_REQUEST,
            format!("The message is too long (limit: line_bytes = {most}). Send its parts one by one."),
        )
    }

    /// Read a long message in slices; messages that arrive meanwhile are queued after it.
    pub fn take_later(self: &Rc<Inbox>, came: Came) {
        if let Some(later) = &mut *self.later.borrow_mut() {
            later.push_back(came);
            return;
        }
        *self.later.borrow_mut() = Some(VecDeque::new());
        let inbox = self.clone();
        (self.server.spawner)(Box::pin(async move {
            let mut next = Some(came);
            while let Some(came) = next {
                inbox.take_came(came).await;
                let mut later = inbox.later.borrow_mut();
                next = later.as_mut().and_then(VecDeque::pop_front);
                if next.is_none() {
                    *later = None;
                }
            }
        }));
    }

    async fn take_came(self: &Rc<Inbox>, came: Came) {
        let pace = Pace::new(self.server.clock.clone());
        let mut text = String::with_capacity(came.bytes);
        for part in came.parts {
            text.push_str(&part);
            if pace.is_over(1 + part.len() / 64) {
                pace.rest().await;
            }
        }
        if text.len() > self.line_bytes() {
            return self.refuse(&text);
        }
        let message = long::read(&text, &pace).await;
        self.take(&text, message, &came.rights);
    }

    pub fn refuse(&self, text: &str) {
        let id = jsonrpc::request_id(text);
        self.client.send(&jsonrpc::response(&id, Err(self.too_long())));
    }

    /// Handle a message, or report why the text is not one.
    pub fn take(self: &Rc<Inbox>, text: &str, message: Result<Value, impl fmt::Display>, rights: &Rights) {
        match message {
            Ok(message) => self.take_value(message, text.len(), rights),
            Err(error) => {
                let error = RpcError::new(PARSE_ERROR, format!("Parse error: {error}"));
                match jsonrpc::response_id(text) {
                    Value::Null => self
                        .client
                        .send(&jsonrpc::response(&jsonrpc::request_id(text), Err(error))),
                    id => self.client.answered(&id, Err(error), rights),
                }
            }
        }
    }

    pub fn take_value(self: &Rc<Inbox>, message: Value, bytes: usize, rights: &Rights) {
        if self.client.is_closed() {
            return;
        }
        match message {
            Value::Array(messages) => self.receive_batch(messages, bytes, rights),
            message => self.receive_one(message, None, bytes, rights),
        }
    }

    fn receive_batch(self: &Rc<Inbox>, messages: Vec<Value>, bytes: usize, rights: &Rights) {
        if self.client.revision.get() != Some(BATCHES) || messages.is_empty() {
            let error = if messages.is_empty() {
                RpcError::new(INVALID_REQUEST, "An empty batch is not a message")
            } else {
                RpcError::new(
                    INVALID_REQUEST,
                    format!("Batches are part of revision {BATCHES} only"),
                )
            };
            self.client.send(&jsonrpc::response(&Value::Null, Err(error)));
            return;
        }
        let batch = Batch::new(self.client.clone());
        let bytes = bytes / messages.len();
        for message in messages {
            self.receive_one(message, Some(&batch), bytes, rights);
        }
        batch.settle(None);
    }

    fn receive_one(
        self: &Rc<Inbox>,
        message: Value,
        batch: Option<&Rc<Batch>>,
        bytes: usize,
        rights: &Rights,
    ) {
        match jsonrpc::classify(message) {
            Ok(Message::Request { id, method, params }) => {
                let batch = batch.inspect(|batch| batch.await_one()).cloned();
                let arrived = Arrived {
                    batch,
                    bytes,
                    rights: rights.clone(),
                };
                dispatch::request(&self.server, &self.client, id, method, params, arrived);
            }
            Ok(Message::Notification { method, params }) => {
                if method == "notifications/cancelled" {
                    self.client.cancel(&params);
                }
            }
            Ok(Message::Response { id, outcome }) => self.client.answered(&id, outcome, rights),
            Err((id, error)) => {
                let reply = jsonrpc::response(&id, Err(error));
                match batch {
                    Some(batch) => {
                        batch.await_one();
                        batch.settle(Some(reply));
                    }
                    None => self.client.send(&reply),
                }
            }
        }
    }
}
