//! One tool call that runs as a task, and the tasks of a server.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, UNIX_EPOCH};

use futures::channel::oneshot;
use hornbook_base::{CancelToken, Clock};
use serde_json::{Value, json};

use super::era::Era;
use super::jsonrpc::{self, Object, RpcError};
use super::rights::Rights;
use super::route::Route;

/// The key in `_meta` of messages that belong to a task, up to 2025-11-25.
const RELATED_KEY: &str = "io.modelcontextprotocol/related-task";
/// How long a task is kept, in milliseconds from its creation: by default, and at most.
const TTL_MS: u64 = 3_600_000;
const MOST_TTL_MS: u64 = 86_400_000;
/// How often a client should poll, in milliseconds.
const POLL_MS: u64 = 500;
/// Finished tasks that are kept; beyond that, the oldest are forgotten.
const KEPT: usize = 100;
/// A task's status message is cut to this many characters.
const MESSAGE_CHARS: usize = 500;

/// One tool call that runs as a task.
pub struct Task {
    pub id: String,
    /// The number of the client that started it.
    client: u64,
    /// What the request that began it may do.
    pub rights: Rights,
    era: Era,
    clock: Rc<dyn Clock>,
    cancel: CancelToken,
    created_ms: u64,
    ttl_ms: u64,
    updated_ms: Cell<u64>,
    status: RefCell<Status>,
    message: RefCell<Option<String>>,
    /// Those waiting for its end.
    waiting: RefCell<Vec<oneshot::Sender<()>>>,
    /// How often the client has been asked something.
    asked: Cell<usize>,
}

enum Status {
    Working,
    /// The client is being asked: by a request of the server (`None`), or by the reply to `tasks/get`.
    InputRequired(Option<Asked>),
    Over(Result<Object, RpcError>),
    Cancelled,
}

/// The requests to a client by key, and its answers so far.
struct Asked {
    requests: Object,
    answers: Object,
    answered: oneshot::Sender<Object>,
}

impl Task {
    /// A task for a request, which `cancel` ends; it is kept for `ttl_ms` from now.
    pub fn new(
        id: String,
        route: &Route,
        cancel: CancelToken,
        ttl_ms: Option<u64>,
        clock: Rc<dyn Clock>,
    ) -> Rc<Task> {
        let now_ms = clock.now_ms();
        Rc::new(Task {
            id,
            client: route.client.number(),
            rights: route.rights.clone(),
            era: route.era,
            clock,
            cancel,
            created_ms: now_ms,
            ttl_ms: ttl_ms.unwrap_or(TTL_MS).min(MOST_TTL_MS),
            updated_ms: Cell::new(now_ms),
            status: RefCell::new(Status::Working),
            message: RefCell::default(),
            waiting: RefCell::default(),
            asked: Cell::new(0),
        })
    }

    /// Set the status message.
    pub fn tell(&self, message: &str) {
        *self.message.borrow_mut() = Some(message.chars().take(MESSAGE_CHARS).collect());
        self.updated_ms.set(self.clock.now_ms());
    }

    /// Record the outcome of the call.
    pub fn end(&self, outcome: Result<Object, RpcError>) {
        if self.is_over() {
            return;
        }
        match &outcome {
            Ok(result) if is_error(result) => {
                self.tell(result["content"][0]["text"].as_str().unwrap_or_default())
            }
            Ok(_) => *self.message.borrow_mut() = None,
            Err(error) => self.tell(&error.message),
        }
        self.turn(Status::Over(outcome));
    }

    fn turn(&self, status: Status) {
        *self.status.borrow_mut() = status;
        self.updated_ms.set(self.clock.now_ms());
        if self.is_over() {
            // Waiters may have left.
            for one in self.waiting.take() {
                let _ = one.send(());
            }
        }
    }

    pub fn is_over(&self) -> bool {
        matches!(&*self.status.borrow(), Status::Over(_) | Status::Cancelled)
    }

    pub fn cancel(&self) {
        if !self.is_over() {
            self.turn(Status::Cancelled);
            self.cancel.cancel();
        }
    }

    /// The client is being asked by a request; returns its parameters, marked as belonging to this task.
    pub fn asks(&self, params: &Value) -> Value {
        let mut params = params.clone();
        params["_meta"] = self.related();
        self.turn(Status::InputRequired(None));
        params
    }

    /// The client has answered.
    pub fn goes_on(&self) {
        if !self.is_over() {
            self.turn(Status::Working);
        }
    }

    /// Ask the client through the reply to `tasks/get`. The keys of `requests` are made unique within the
    /// task; the answers come back under the original keys.
    pub async fn ask(&self, requests: Object) -> Result<Object, RpcError> {
        let number = self.asked.get() + 1;
        self.asked.set(number);
        let prefix = format!("{number}_");
        let (answered, answers) = oneshot::channel();
        let requests = requests
            .into_iter()
            .map(|(key, request)| (format!("{prefix}{key}"), request));
        self.turn(Status::InputRequired(Some(Asked {
            requests: requests.collect(),
            answers: Object::new(),
            answered,
        })));
        // A dropped sender means that the task was cancelled.
        let answers = answers.await.map_err(|oneshot::Canceled| RpcError::cancelled())?;
        let answers = answers.into_iter();
        Ok(answers
            .filter_map(|(key, answer)| Some((key.strip_prefix(&prefix)?.to_owned(), answer)))
            .collect())
    }

    /// Take answers; answers to anything not being asked are ignored.
    pub fn answer(&self, given: &Object) {
        let mut status = self.status.borrow_mut();
        let Status::InputRequired(Some(asked)) = &mut *status else {
            return;
        };
        for (key, answer) in given {
            if asked.requests.remove(key).is_some() {
                asked.answers.insert(key.clone(), answer.clone());
            }
        }
        if !asked.requests.is_empty() {
            return;
        }
        if let Status::InputRequired(Some(asked)) = std::mem::replace(&mut *status, Status::Working) {
            // The call may have ended.
            let _ = asked.answered.send(asked.answers);
        }
        self.updated_ms.set(self.clock.now_ms());
    }

    fn related(&self) -> Value {
        json!({ RELATED_KEY: { "taskId": self.id } })
    }

    /// The task as `tasks/get` returns it.
    pub fn state(&self) -> Object {
        let modern = self.era == Era::Modern;
        let status = self.status.borrow();
        let (word, more) = match &*status {
            Status::Working => ("working", None),
            Status::InputRequired(asked) => {
                let requests = asked.as_ref().map(|asked| json!(asked.requests));
                (
                    "input_required",
                    requests.map(|requests| ("inputRequests", requests)),
                )
            }
            // Up to 2025-11-25, a tool error counts as a failed task.
            Status::Over(Ok(result)) if !modern && is_error(result) => ("failed", None),
            Status::Over(Ok(result)) => {
                let mut result = json!(result);
                result["resultType"] = json!("complete");
                ("completed", Some(("result", result)))
            }
            Status::Over(Err(error)) => ("failed", Some(("error", json!(error)))),
            Status::Cancelled => ("cancelled", None),
        };
        let (ttl, poll) = match modern {
            true => ("ttlMs", "pollIntervalMs"),
            false => ("ttl", "pollInterval"),
        };
        let mut told = jsonrpc::object(json!({
            "taskId": self.id,
            "status": word,
            "createdAt": time(self.created_ms),
            "lastUpdatedAt": time(self.updated_ms.get()),
            ttl: self.ttl_ms,
            poll: POLL_MS,
        }));
        if let Some(message) = &*self.message.borrow() {
            told.insert("statusMessage".into(), json!(message));
        }
        if let Some((key, value)) = more.filter(|_| modern) {
            told.insert(key.into(), value);
        }
        told
    }

    /// The answer to the request that created the task.
    pub fn created(&self) -> Object {
        let mut told = self.state();
        match self.era {
            Era::Legacy => jsonrpc::object(json!({ "task": told })),
            Era::Modern => {
                told.insert("resultType".into(), json!("task"));
                told
            }
        }
    }

    /// The outcome of a finished task.
    pub fn result(&self) -> Result<Object, RpcError> {
        let Status::Over(outcome) = &*self.status.borrow() else {
            return Err(RpcError::cancelled());
        };
        let mut result = outcome.clone()?;
        let meta = result.entry("_meta").or_insert_with(|| json!({}));
        meta[RELATED_KEY] = self.related()[RELATED_KEY].clone();
        Ok(result)
    }

    /// Wait for its end.
    pub async fn over(&self) {
        let (over, ended) = oneshot::channel();
        if self.is_over() {
            return;
        }
        self.waiting.borrow_mut().push(over);
        let _ = ended.await;
    }
}

fn is_error(result: &Object) -> bool {
    result.get("isError") == Some(&Value::Bool(true))
}

/// The tasks of all clients, oldest first.
#[derive(Default)]
pub struct Tasks(RefCell<Vec<Rc<Task>>>);

impl Tasks {
    pub fn add(&self, task: &Rc<Task>) {
        self.tidy(task.created_ms);
        self.0.borrow_mut().push(task.clone());
    }

    pub fn find(&self, id: &str, era: Era, now_ms: u64) -> Option<Rc<Task>> {
        self.tidy(now_ms);
        let tasks = self.0.borrow();
        tasks
            .iter()
            .find(|task| task.id == id && task.era == era)
            .cloned()
    }

    /// The states of the tasks that a client of the legacy era has begun.
    pub fn list(&self, client: u64, now_ms: u64) -> Vec<Object> {
        self.tidy(now_ms);
        let tasks = self.0.borrow();
        let own = tasks
            .iter()
            .filter(|task| task.client == client && task.era == Era::Legacy);
        own.map(|task| task.state()).collect()
    }

    /// Whether the task with this id still runs.
    pub fn runs(&self, id: &str) -> bool {
        let tasks = self.0.borrow();
        tasks.iter().any(|task| task.id == id && !task.is_over())
    }

    /// The number of tasks not forgotten yet.
    pub fn count(&self, now_ms: u64) -> usize {
        self.tidy(now_ms);
        self.0.borrow().len()
    }

    /// Forget finished tasks that have expired or are too many.
    fn tidy(&self, now_ms: u64) {
        let mut tasks = self.0.borrow_mut();
        let over = tasks.iter().filter(|task| task.is_over()).count();
        let mut beyond = over.saturating_sub(KEPT);
        tasks.retain(|task| {
            let kept = !task.is_over() || (beyond == 0 && now_ms < task.created_ms + task.ttl_ms);
            beyond = beyond.saturating_sub(usize::from(task.is_over()));
            kept
        });
    }
}

fn time(ms: u64) -> String {
    humantime::format_rfc3339_millis(UNIX_EPOCH + Duration::from_millis(ms)).to_string()
}
