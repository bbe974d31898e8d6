//! Runs against a scripted engine.

mod ends;
mod tasks;
mod watching;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use futures::FutureExt;
use futures::future::{LocalBoxFuture, pending, ready};
use serde_json::{Value, json};

use super::*;
use hornbook_agent::*;
use hornbook_base::{Clock, Limits};
use hornbook_engine::scripted::written;
use hornbook_engine::{Capacity, EngineDeath, EngineHost, EngineProcess, Pool};

/// Replies in order, and the requests they answered. After the last reply, it never replies again.
#[derive(Clone, Default)]
struct Script {
    replies: Rc<RefCell<VecDeque<Value>>>,
    requests: Rc<RefCell<Vec<String>>>,
    ended: Rc<RefCell<bool>>,
}

impl EngineHost for Script {
    fn spawn(&self, _: bool) -> LocalBoxFuture<'static, Result<Rc<dyn EngineProcess>, String>> {
        ready(Ok(Rc::new(self.clone()) as Rc<dyn EngineProcess>)).boxed_local()
    }
}

impl EngineProcess for Script {
    fn request(&self, text: String) -> LocalBoxFuture<'static, Result<String, EngineDeath>> {
        self.requests.borrow_mut().push(text);
        match self.replies.borrow_mut().pop_front() {
            Some(mut reply) => {
                if let Some(Value::Object(request)) = reply.get_mut("request") {
                    // Fill in the number where the script has none.
                    let number = self.requests.borrow().len();
                    request.entry("id").or_insert(json!(number));
                }
                ready(Ok(written(reply))).boxed_local()
            }
            None => pending().boxed_local(),
        }
    }

    fn is_dead(&self) -> bool {
        *self.ended.borrow()
    }

    fn bytes(&self) -> usize {
        0
    }

    fn end(&self) {
        *self.ended.borrow_mut() = true;
    }
}

/// Time stands still; only short sleeps end.
struct Still;

impl Clock for Still {
    fn now_ms(&self) -> u64 {
        0
    }

    fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()> {
        if ms < 10_000 {
            ready(()).boxed_local()
        } else {
            pending().boxed_local()
        }
    }
}

/// A scripted model that remembers what it was asked.
#[derive(Default)]
struct Model {
    turns: RefCell<VecDeque<Result<Turn, ModelFailure>>>,
    requests: RefCell<Vec<ModelRequest>>,
}

impl LanguageModel for Model {
    fn turn(
        &self,
        request: &ModelRequest,
        _: Rc<dyn Fn(String)>,
    ) -> LocalBoxFuture<'static, Result<Turn, ModelFailure>> {
        self.requests.borrow_mut().push(request.clone());
        let turn = self.turns.borrow_mut().pop_front();
        ready(turn.expect("the script has a turn")).boxed_local()
    }
}

struct Nobody;

impl ToolHost for Nobody {
    fn call(&self, tool: &str, _: Value) -> LocalBoxFuture<'static, Result<Value, String>> {
        ready(Ok(json!(format!("{tool} was called")))).boxed_local()
    }
}

impl User for Nobody {
    fn can_answer(&self) -> bool {
        false
    }

    fn ask(&self, _: &str) -> LocalBoxFuture<'static, Result<Option<String>, String>> {
        ready(Ok(None)).boxed_local()
    }
}

struct Bench {
    script: Script,
    model: Rc<Model>,
    dml: Dml,
}

fn booted() -> Value {
    json!({ "version": "0.0.0", "libraries": [], "refused": [], "builtins": [] })
}

/// The engine boots, loads a program with `agent_main` and the tool `sq/2`, and then gives `replies`.
fn bench(replies: impl IntoIterator<Item = Value>, turns: impl IntoIterator<Item = Value>) -> Bench {
    let script = Script::default();
    let loaded = json!({
        "errors": [], "mains": [[]], "declared": [],
        "tools": [{ "name": "sq", "arity": 2, "description": "", "source": "tool(sq(X,Y)) :- Y = X." }],
    });
    let begin = [booted(), loaded];
    *script.replies.borrow_mut() = begin.into_iter().chain(replies).collect();
    let model = Rc::new(Model::default());
    *model.turns.borrow_mut() = turns
        .into_iter()
        .map(|turn| match turn.get("message") {
            Some(_) => Err(serde_json::from_value(turn).unwrap()),
            None => Ok(serde_json::from_value(turn).unwrap()),
        })
        .collect();
    let pool = Pool::new(
        Rc::new(script.clone()),
        Rc::new(Still),
        Rc::new(drop),
        Capacity::default(),
    );
    let dml = Dml::new(pool, Limits::default());
    Bench { script, model, dml }
}

impl Bench {
    fn start(&self, budgets: Budgets, trace: bool) -> Run {
        let ports = Ports {
            model: self.model.clone(),
            tools: Rc::new(Nobody),
            user: Rc::new(Nobody),
            folder: None,
            book: None,
        };
        let options = RunOptions {
            budgets,
            trace,
            ..RunOptions::default()
        };
        self.dml.run("…".into(), options, ports)
    }

    /// All events of a run, as JSON.
    fn run(&self, budgets: Budgets) -> Vec<Value> {
        events_of(&self.start(budgets, false))
    }

    /// What a watched run reports, one line per event.
    fn watch(&self) -> Vec<String> {
        let events = events_of(&self.start(Budgets::default(), true));
        let traced = events.iter().filter(|event| event["type"] == "trace");
        traced.map(shortly).collect()
    }
}

/// `STEP ID in UNDER: what it is about`.
fn shortly(event: &Value) -> String {
    let step = event["step"].as_str().expect("a step");
    let about = match step {
        "task" => &event["text"],
        "turn" => &event["calls"][0]["tool"],
        "call" => &event["tool"],
        "undone" => return format!("undone {}", event["ids"]),
        "ended" => {
            return match event.get("result") {
                Some(result) => format!("ended {}: {result}", event["id"]),
                None => format!("ended {} without: {}", event["id"], event["failure"]),
            };
        }
        _ => &event["content"],
    };
    format!("{step} {} in {}: {about}", event["id"], event["under"]).replace('"', "")
}

fn events_of(run: &Run) -> Vec<Value> {
    let mut events = Vec::new();
    while let Some(event) = run.next().now_or_never().expect("nothing to wait for") {
        events.push(serde_json::to_value(event).unwrap());
    }
    events
}

fn step(request: Value) -> Value {
    json!({ "told": [], "output": "", "used": 10, "request": request })
}

fn truth(value: Value) -> Value {
    json!({ "told": [], "output": "", "end": true, "value": value })
}

/// The main goal is true, and its request `after` was not undone.
fn ended_after(after: u64) -> Value {
    json!({ "told": [], "output": "", "end": true, "value": true, "after": after })
}

fn task(outputs: Value) -> Value {
    step(
        json!({ "kind": "task", "text": "do", "outputs": outputs, "memory": [], "scope": [], "running": [] }),
    )
}

fn call(tool: &str, args: Value) -> Value {
    json!({ "calls": [{ "tool": tool, "args": args }] })
}

fn types(events: &[Value]) -> Vec<&str> {
    events.iter().filter_map(|event| event["type"].as_str()).collect()
}
