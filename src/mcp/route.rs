//! Requests, and the way back to the client for each.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use serde_json::{Value, json};

use super::client::Client;
use super::era::{Era, LogLevel, SERVER_KEY};
use super::jsonrpc::{self, Object, RpcError};
use super::rights::Rights;

/// The way back to the client for one request.
pub struct Route {
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

    pub fn log_level(&self) -> Option<LogLevel> {
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
        let about = &self.client.about;
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

/// The replies of a batch, sent together.
pub struct Batch {
    client: Rc<Client>,
    /// One more than the requests until all of them have started.
    open: Cell<usize>,
    replies: RefCell<Vec<Value>>,
}

impl Batch {
    pub fn new(client: Rc<Client>) -> Rc<Batch> {
        Rc::new(Batch {
            client,
            open: Cell::new(1),
            replies: RefCell::default(),
        })
    }

    /// One more request has begun, or was refused.
    pub fn await_one(&self) {
        self.open.set(self.open.get() + 1);
    }

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
