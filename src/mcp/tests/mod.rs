//! The protocol, message by message, against a small service.

mod asking;
mod calls;
mod frames;
mod legacy;
mod long;
mod modern;
mod property;
mod tasks;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use futures::FutureExt;
use futures::executor::LocalPool;
use futures::future::LocalBoxFuture;
use futures::task::LocalSpawnExt;
use serde_json::{Value, json};

use super::era::{CAPABILITIES_KEY, VERSION_KEY};
use super::jsonrpc::object;
use super::testing::{connect, request, text};
use super::{
    About, Call, Change, ChangeListener, Connection, Features, LogLevel, Object, Question, Reply, RpcError,
    Server, Service,
};
use hornbook_base::{CancelToken, Clock, Limits, Progress};

/// A service with one of everything.
#[derive(Default)]
struct Sample {
    listener: RefCell<Option<ChangeListener>>,
    /// From the last call of `wait`.
    cancel: RefCell<Option<CancelToken>>,
    tasks: Cell<usize>,
}

impl Sample {
    fn change(&self, change: Change) {
        let listener = self.listener.borrow().clone().expect("the server listens");
        listener(change);
    }
}

fn said(text: &str) -> Object {
    object(json!({ "content": [{ "type": "text", "text": text }] }))
}

impl Service for Sample {
    fn about(&self) -> About {
        About {
            name: "sample".into(),
            title: "Sample".into(),
            version: "1.2.3".into(),
            instructions: "Be kind.".into(),
            features: Features {
                logging: true,
                subscriptions: true,
                tools_change: true,
                resources_change: false,
                prompts_change: true,
                tasks: true,
            },
        }
    }

    fn tools(&self) -> Vec<Value> {
        let tool = |name| json!({ "name": name, "inputSchema": { "type": "object" } });
        vec![tool("echo"), tool("wait")]
    }

    fn task_id(&self, tool: &str) -> Option<String> {
        let number = self.tasks.replace(self.tasks.get() + 1);
        ["wait", "work", "greet"]
            .contains(&tool)
            .then(|| format!("task-{number}"))
    }

    fn call_tool(&self, name: String, arguments: Object, call: Call) -> Reply {
        if name == "wait" {
            *self.cancel.borrow_mut() = Some(call.control().cancel);
        }
        async move {
            match name.as_str() {
                "echo" => Ok(said(&Value::Object(arguments).to_string())),
                "wait" => {
                    call.control().cancel.cancelled().await;
                    Ok(said("stopped"))
                }
                "work" => {
                    if let Some(tell) = call.control().progress {
                        for done in [1, 2, 2, 1, 3] {
                            tell(Progress {
                                done,
                                total: Some(3),
                                message: "steps".into(),
                            });
                        }
                    }
                    call.log(LogLevel::Debug, json!("small"));
                    call.log(LogLevel::Warning, json!("large"));
                    Ok(said("done"))
                }
                "greet" => {
                    let schema = json!({ "type": "object", "properties": { "name": { "type": "string" } } });
                    let name = call
                        .ask(vec![Question::elicitation("name", "Your name?", schema.clone())])
                        .await?;
                    let both = call
                        .ask(vec![
                            Question::elicitation("mood", "How are you?", schema),
                            Question::roots("where"),
                        ])
                        .await?;
                    let roots = both[1]["roots"].as_array().map_or(0, Vec::len);
                    Ok(said(&format!(
                        "{}, {}, {roots}",
                        name[0]["content"]["name"], both[0]["action"]
                    )))
                }
                _ => Err(RpcError::invalid_params("Unknown tool")),
            }
        }
        .boxed_local()
    }

    fn resources(&self) -> Vec<Value> {
        vec![json!({ "uri": "sample://one", "name": "One" })]
    }

    fn resource_templates(&self) -> Vec<Value> {
        vec![]
    }

    fn read_resource(&self, uri: String, _: Call) -> Reply {
        async move {
            match uri.as_str() {
                "sample://one" => Ok(object(json!({ "contents": [{ "uri": uri, "text": "1" }] }))),
                _ => Err(RpcError::resource_not_found(&uri)),
            }
        }
        .boxed_local()
    }

    fn prompts(&self) -> Vec<Value> {
        vec![json!({ "name": "poem" })]
    }

    fn get_prompt(&self, _: String, _: Object, _: Call) -> Reply {
        async move { Ok(object(json!({ "messages": [] }))) }.boxed_local()
    }

    fn complete(&self, _: &Object, _: &str, value: &str) -> Result<Vec<String>, RpcError> {
        Ok((0..150).map(|number| format!("{value}{number}")).collect())
    }

    fn on_change(&self, listener: ChangeListener) {
        *self.listener.borrow_mut() = Some(listener);
    }
}

/// A clock that advances by 20 ms whenever it is read.
#[derive(Default)]
struct Hasty {
    now: Cell<u64>,
    rests: Cell<usize>,
}

impl Clock for Hasty {
    fn now_ms(&self) -> u64 {
        self.now.set(self.now.get() + 20);
        self.now.get()
    }

    fn sleep(&self, _: u64) -> LocalBoxFuture<'static, ()> {
        self.rests.set(self.rests.get() + 1);
        async {}.boxed_local()
    }
}

/// A server with one client.
struct Bench {
    clock: Rc<Hasty>,
    pool: RefCell<LocalPool>,
    service: Rc<Sample>,
    server: Rc<Server>,
    connection: Connection,
    sent: Rc<RefCell<Vec<Value>>>,
}

impl Bench {
    fn new() -> Bench {
        Bench::with(Limits::default())
    }

    fn with(limits: Limits) -> Bench {
        let pool = LocalPool::new();
        let spawner = pool.spawner();
        let service = Rc::new(Sample::default());
        let spawn = Rc::new(move |future| spawner.spawn_local(future).expect("the pool is there"));
        let clock = Rc::new(Hasty::default());
        let server = Server::new(service.clone(), spawn, clock.clone(), limits);
        let (connection, sent) = connect(&server);
        Bench {
            clock,
            pool: RefCell::new(pool),
            service,
            server,
            connection,
            sent,
        }
    }

    /// A connection initialized with `revision`.
    fn initialized(revision: &str, capabilities: Value) -> Bench {
        let bench = Bench::new();
        let params = json!({
            "protocolVersion": revision,
            "capabilities": capabilities,
            "clientInfo": { "name": "test", "version": "0" },
        });
        let reply = bench.request(0, "initialize", params);
        assert_eq!(reply["result"]["protocolVersion"], revision);
        bench.receive(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        bench
    }

    /// What the server sends in reply to `text`, until it is idle.
    fn receive_text(&self, text: &str) -> Vec<Value> {
        self.connection.receive(text);
        self.settle()
    }

    fn receive(&self, message: &Value) -> Vec<Value> {
        self.receive_text(&message.to_string())
    }

    fn settle(&self) -> Vec<Value> {
        self.pool.borrow_mut().run_until_stalled();
        std::mem::take(&mut *self.sent.borrow_mut())
    }

    /// The single message that answers the request.
    fn request(&self, id: i64, method: &str, params: Value) -> Value {
        let mut sent = self.receive(&request(id, method, params));
        assert_eq!(sent.len(), 1, "{sent:?}");
        sent.remove(0)
    }

    /// The same in the modern era; the client declares every capability.
    fn modern(&self, id: i64, method: &str, params: Value) -> Value {
        self.request(id, method, with_meta(params, json!({})))
    }
}

/// `params` with the metadata of a modern request, including `more`.
fn with_meta(mut params: Value, more: Value) -> Value {
    let mut meta = object(json!({
        VERSION_KEY: "2026-07-28",
        CAPABILITIES_KEY: { "elicitation": {}, "sampling": {}, "roots": {} },
    }));
    meta.extend(object(more));
    params["_meta"] = Value::Object(meta);
    params
}
