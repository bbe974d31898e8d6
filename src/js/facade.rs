//! The classes that JavaScript gets.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use futures::channel::oneshot;
use futures::future::LocalBoxFuture;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{future_to_promise, spawn_local};

use super::clock::JsClock;
#[cfg(feature = "full")]
use super::desk::LazyDesk;
use super::host::{Answering, JsHost, pool};
use super::settings::{JsOptions, Settings};
use super::store::JsStore;
use super::toolsets::Ground;
use super::{failed, json};
use crate::base::{Fault, Pace, Who};
use crate::engine::Pool;
use crate::mcp::{self, Acting, Server};
use crate::service;
use crate::store::{Admitted, Journal, Opened};
#[cfg(feature = "full")]
use crate::workflow;
use crate::workspace::{OpenPast, Workspace};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "(message: string) => boolean | void")]
    pub type Send;
    #[wasm_bindgen(typescript_type = "(message: object) => void")]
    pub type Post;
}

/// A workspace, and any number of clients that share it.
#[wasm_bindgen]
pub struct Hornbook {
    pub(super) workspace: Workspace,
    #[cfg_attr(not(feature = "full"), expect(dead_code))]
    pub(super) surroundings: Surroundings,
    server: Rc<Server>,
    running: Rc<Running>,
    #[cfg(feature = "full")]
    pub(super) runs: workflow::runs::Runs,
    #[cfg(feature = "full")]
    pub(super) memory: LazyDesk,
    notice: Option<String>,
}

#[wasm_bindgen]
impl Hornbook {
    /// Create it with a book in memory only. Throws if an option is unknown or invalid.
    #[wasm_bindgen(constructor)]
    pub fn new(host: JsHost, options: JsOptions) -> Result<Hornbook, JsError> {
        let settings = Settings::read(&options)?;
        Hornbook::with(host, settings, None)
    }

    /// Create it with the book in a store. Rejects where the constructor throws, and if the store cannot be
    /// read, is in use, or contains something else; the message is a sentence.
    pub async fn open(host: JsHost, store: JsStore, options: JsOptions) -> Result<Hornbook, JsError> {
        let settings = Settings::read(&options)?;
        let limits = &settings.workspace.limits;
        let opened = Journal::open(Rc::new(store), limits, &Pace::new(Rc::new(JsClock))).await?;
        Hornbook::with(host, settings, Some(opened))
    }

    /// What had to be cut off the book when it was opened, or why it is read-only: a sentence. Clients are
    /// told, too.
    #[wasm_bindgen(getter)]
    pub fn notice(&self) -> Option<String> {
        self.notice.clone()
    }

    /// What a `Hornbook` takes over that is opened in the place of this one, by its store; `undefined` if the book is
    /// not shared.
    #[wasm_bindgen(getter, unchecked_return_type = "Heritage | undefined")]
    pub fn heritage(&self) -> JsValue {
        let Some(heritage) = self.workspace.heritage() else {
            return JsValue::UNDEFINED;
        };
        let connections: js_sys::Array = heritage
            .connections
            .iter()
            .map(|one| JsValue::from(&**one))
            .collect();
        let given = js_sys::Object::new();
        let set = |name: &str, value: JsValue| js_sys::Reflect::set(&given, &name.into(), &value);
        // They are members of an object of its own.
        let _ = set("revision", (heritage.revision as f64).into());
        let _ = set("connections", connections.into());
        given.into()
    }

    /// Add an MCP client. `send` takes each message for it, a JSON text. If it returns `false`, the client is
    /// behind in reading, and none of its calls starts until `resume`.
    pub fn connect(&self, send: Send) -> Result<Connection, JsError> {
        failed::check()?;
        let send: js_sys::Function = send.unchecked_into();
        let send = move |message: String| {
            // A client that cannot be reached is closed by whoever carries its messages.
            send.call1(&JsValue::NULL, &message.into()) != Ok(JsValue::FALSE)
        };
        Ok(Connection(self.server.connect(Rc::new(send))))
    }

    /// Add an MCP client on a pipe of objects that others may share: a `MessagePort`, a `Worker`. `post`
    /// takes each message for it.
    #[wasm_bindgen(js_name = connectObjects)]
    pub fn connect_objects(&self, post: Post) -> Result<Connection, JsError> {
        failed::check()?;
        let post: js_sys::Function = post.unchecked_into();
        let send = move |message: String| {
            // A client that cannot be reached is closed by whoever carries its messages.
            let _ = post.call1(&JsValue::NULL, &json::parse(&message));
            // There is no telling how much the other end has read.
            true
        };
        Ok(Connection(self.server.connect(Rc::new(send))))
    }

    /// Write a record that another process has made to the journal, unchanged, if it can come next. `at` is
    /// how far that process has read, in bytes. Resolves to true if it was written, to `false` if others have
    /// written since, to the reason why the record cannot come next, as part of a sentence, or to `forbidden`, why the
    /// rules of the book refuse it. `name` and `scope` are those of [`Connection::acts_as`]; without a name, the host
    /// itself writes it.
    #[wasm_bindgen(unchecked_return_type = "Promise<boolean | string | { forbidden: string }>")]
    pub fn admit(
        &self,
        at: f64,
        record: Vec<u8>,
        name: Option<String>,
        scope: Option<String>,
    ) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        let who = name.map(|name| Who {
            name: name.into(),
            scope: scope.map(Into::into),
            ..Who::default()
        });
        future_to_promise(async move {
            failed::check()?;
            match workspace.admit(at as u64, record, who.as_ref()).await {
                Ok(Admitted::Done) => Ok(true.into()),
                Ok(Admitted::Conflict) => Ok(false.into()),
                Ok(Admitted::Refused(why)) => Ok(why.into()),
                Ok(Admitted::Forbidden(why)) => {
                    let forbidden = js_sys::Object::new();
                    js_sys::Reflect::set(&forbidden, &"forbidden".into(), &why.into())?;
                    Ok(forbidden.into())
                }
                Err(fault) => Err(JsError::new(&fault.message).into()),
            }
        })
    }

    /// Resolves when every request has been answered.
    #[wasm_bindgen(unchecked_return_type = "Promise<void>")]
    pub fn idle(&self) -> js_sys::Promise {
        let running = self.running.clone();
        future_to_promise(async move {
            failed::check()?;
            running.idle().await;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// Whether the task with this id still runs.
    #[wasm_bindgen(js_name = taskRuns)]
    pub fn task_runs(&self, id: &str) -> bool {
        self.server.task_runs(id)
    }

    /// How many tasks run, or are kept for their clients; closing loses them.
    #[wasm_bindgen(getter)]
    pub fn tasks(&self) -> usize {
        self.server.tasks()
    }

    /// The differences between the book and its engines, one sentence each: for tests and tools. It waits its
    /// turn.
    #[wasm_bindgen(unchecked_return_type = "Promise<string[]>")]
    pub fn differences(&self) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        future_to_promise(async move {
            failed::check()?;
            match workspace.differences().await {
                Ok(differences) => Ok(serde_wasm_bindgen::to_value(&differences)?),
                Err(fault) => Err(JsError::new(&fault.message).into()),
            }
        })
    }

    /// The libraries in the options that are not allowed or unknown. Resolves when an engine is ready.
    #[wasm_bindgen(js_name = refusedLibraries, unchecked_return_type = "Promise<string[]>")]
    pub fn refused_libraries(&self) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        future_to_promise(async move {
            failed::check()?;
            Ok(serde_wasm_bindgen::to_value(
                &workspace.refused_libraries().await,
            )?)
        })
    }

    /// End the engines and abandon what is running.
    pub fn close(self) {}
}

impl Hornbook {
    pub(super) fn server(&self) -> Rc<Server> {
        self.server.clone()
    }

    fn with(host: JsHost, settings: Settings, opened: Option<Opened>) -> Result<Hornbook, JsError> {
        failed::check()?;
        let notice = opened.as_ref().and_then(|opened| opened.notice.clone());
        let host = Rc::new(host);
        let pool = pool(host.clone());
        let options = settings.options(&host);
        let workspace = Workspace::open(pool.clone(), host.clone(), options, opened);
        let surroundings = Surroundings {
            answering: host.predicates().map(Answering::new),
            host,
            pool,
            settings,
        };
        Ok(Hornbook::of(workspace, surroundings, notice))
    }

    /// The server of a workspace.
    pub(super) fn of(workspace: Workspace, surroundings: Surroundings, notice: Option<String>) -> Hornbook {
        let again = surroundings.clone();
        let Surroundings {
            host,
            pool,
            settings,
            answering,
        } = surroundings;
        let Settings {
            workspace: options,
            tools,
            half_lives,
            dml_writes,
        } = settings;
        let limits = options.limits;
        let running = Rc::new(Running::default());
        #[cfg(feature = "full")]
        workspace.read_tables_by(Rc::new(super::tables::reader()));
        #[cfg(not(feature = "full"))]
        workspace.read_tables_by(Rc::new(super::tables::Asking((*host).clone())));
        if let Some(answering) = answering {
            workspace.answer_by(answering.for_workspace());
        }
        workspace.open_past_by(Rc::new(again.clone()));
        #[cfg(feature = "full")]
        if let Some(data) = host.data() {
            workspace.link_data(Rc::new(data));
        }
        // A book's rules can use its memory, whether its tools are served or not.
        service::memory::facts(&workspace, Rc::new(JsClock), half_lives);
        let ground = Ground {
            #[cfg(feature = "full")]
            runs: service::workflow::open(&workspace),
            #[cfg(feature = "full")]
            memory: LazyDesk::new(&workspace, &host, half_lives),
            dml_writes,
            workspace,
            host,
            pool,
            limits: limits.clone(),
        };
        let mut sets = Vec::with_capacity(tools.len());
        for set in tools {
            sets.push((set.serve)(&ground, &sets));
        }
        let service = service::Hornbook::new(sets, Some(ground.workspace.clone()), limits.reply_tokens);
        let server = Server::new(service, running.spawner(), Rc::new(JsClock), limits);
        Hornbook {
            workspace: ground.workspace,
            surroundings: again,
            server,
            running,
            #[cfg(feature = "full")]
            runs: ground.runs,
            #[cfg(feature = "full")]
            memory: ground.memory,
            notice,
        }
    }
}

impl Hornbook {
    /// A book as it was after a revision.
    pub(super) async fn open_past(
        book: &Workspace,
        revision: u64,
        surroundings: Surroundings,
    ) -> Result<Hornbook, Fault> {
        let options = surroundings.settings.options(&surroundings.host);
        let (pool, files) = (surroundings.pool.clone(), surroundings.host.clone());
        let then = book.as_of(revision, pool, files, options).await?;
        Ok(Hornbook::of(then, surroundings, None))
    }
}

impl OpenPast for Surroundings {
    fn open(&self, book: Workspace, revision: u64) -> LocalBoxFuture<'_, Result<Workspace, Fault>> {
        Box::pin(async move {
            Ok(Hornbook::open_past(&book, revision, self.clone())
                .await?
                .workspace)
        })
    }
}

/// What a book is opened in.
#[derive(Clone)]
pub(super) struct Surroundings {
    pub host: Rc<JsHost>,
    pub pool: Pool,
    pub settings: Settings,
    answering: Option<Rc<Answering>>,
}

/// The connection of one client.
#[wasm_bindgen]
pub struct Connection(mcp::Connection);

#[wasm_bindgen]
impl Connection {
    /// Take one message from the client, a JSON text. Replies come through `send`, now or later.
    pub fn receive(&self, message: &js_sys::JsString) -> Result<(), JsError> {
        failed::check()?;
        self.take(message);
        Ok(())
    }

    /// The most tokens that replies to this client may have, instead of the limit `reply_tokens`: for a
    /// client that is not a model.
    #[wasm_bindgen(setter, js_name = replyTokens)]
    pub fn set_reply_tokens(&self, tokens: f64) {
        self.0.set_reply_tokens(tokens as usize);
    }

    /// The most bytes a message may have (the limit `line_bytes`): longer ones need not be kept, and are
    /// reported with `refuseLine`.
    #[wasm_bindgen(getter, js_name = lineBytes)]
    pub fn line_bytes(&self) -> f64 {
        self.0.line_bytes() as f64
    }

    /// Report a message longer than `lineBytes` that was not kept.
    #[wasm_bindgen(js_name = refuseLine)]
    pub fn refuse_line(&self) {
        self.0.refuse_line();
    }

    /// Whether so many calls are waiting that the host should stop reading from the client.
    #[wasm_bindgen(getter)]
    pub fn full(&self) -> bool {
        self.0.is_full()
    }

    /// The client has read what it was sent: resume what waited for that.
    pub fn resume(&self) -> Result<(), JsError> {
        failed::check()?;
        self.0.resume();
        Ok(())
    }

    /// Take an object from the pipe. Anything but a JSON-RPC message belongs to someone else, and is ignored.
    #[wasm_bindgen(js_name = receiveObject)]
    pub fn receive_object(&self, data: &JsValue) -> Result<(), JsError> {
        failed::check()?;
        // What JSON cannot express is not a message, either.
        let Some(text) = json::stringify(data) else {
            return Ok(());
        };
        match js_sys::Reflect::get(data, &"jsonrpc".into()) {
            Ok(version) if version == "2.0" => self.take(&text),
            _ => self.0.receive_if_rpc(&json::string(&text)),
        }
        Ok(())
    }

    /// Whether messages received from now on may only read the book: their calls that would change it fail
    /// with the error `read_only`.
    #[wasm_bindgen(setter, js_name = readOnly)]
    pub fn set_read_only(&self, read_only: bool) {
        self.0.set_read_only(read_only);
    }

    /// Whom the book's clauses of `may_change/2` take the client for, for messages received from now on: the client
    /// of this name, whom the host lets do what the scope says. Without it they take it for whoever it says that it is.
    #[wasm_bindgen(js_name = actsAs)]
    pub fn acts_as(&self, name: String, scope: Option<String>) {
        self.0.set_acting(Acting::As(Rc::new(Who {
            name: name.into(),
            scope: scope.map(Into::into),
            ..Who::default()
        })));
    }

    /// The client is the host itself, for messages received from now on: those clauses do not bind it. What it does is
    /// recorded under this name.
    #[wasm_bindgen(js_name = actsAsHost)]
    pub fn acts_as_host(&self, name: Option<String>) {
        self.0.set_acting(Acting::Host(name.map(Into::into)));
    }

    /// Say which client this connection belongs to, by a number of the host's own: all its connections are one
    /// client, and each client uses only the queries that it started itself.
    #[wasm_bindgen(js_name = belongsTo)]
    pub fn belongs_to(&self, client: f64) {
        self.0.belongs_to(client as u64);
    }

    /// Cancel everything that runs for this client, and send it nothing more.
    pub fn close(self) {
        self.0.close();
    }

    fn take(&self, message: &js_sys::JsString) {
        match message.length() {
            json::PART.. => self
                .0
                .receive_parts(message.length() as usize, json::parts(message.clone())),
            _ => self.0.receive(&json::string(message)),
        }
    }
}

/// Counts running requests.
#[derive(Default)]
struct Running {
    count: Cell<usize>,
    waiting: RefCell<Vec<oneshot::Sender<()>>>,
}

impl Running {
    fn spawner(self: &Rc<Self>) -> Rc<dyn Fn(LocalBoxFuture<'static, ()>)> {
        let running = self.clone();
        Rc::new(move |future| {
            let running = running.clone();
            running.count.set(running.count.get() + 1);
            spawn_local(async move {
                future.await;
                running.count.set(running.count.get() - 1);
                if running.count.get() == 0 {
                    for waiting in running.waiting.take() {
                        // The waiter may be gone.
                        let _ = waiting.send(());
                    }
                }
            });
        })
    }

    async fn idle(&self) {
        while self.count.get() > 0 {
            let (done, idle) = oneshot::channel();
            self.waiting.borrow_mut().push(done);
            // The sender is dropped only with the instance.
            let _ = idle.await;
        }
    }
}
