//! Runs against an engine that says what a script tells it to.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use futures::FutureExt;
use futures::future::{LocalBoxFuture, pending, ready};
use serde_json::{Value, json};

use super::*;
use hornbook_base::Clock;
use hornbook_engine::scripted::written;
use hornbook_engine::{EngineDeath, EngineHost, EngineProcess};

/// Replies in order, and the requests they were replies to. After the last it never replies.
#[derive(Clone, Default)]
struct Script {
    replies: Rc<RefCell<VecDeque<Value>>>,
    requests: Rc<RefCell<Vec<String>>>,
    ended: Rc<RefCell<bool>>,
}

impl EngineHost for Script {
    fn spawn(&self) -> LocalBoxFuture<'static, Result<Rc<dyn EngineProcess>, String>> {
        ready(Ok(Rc::new(self.clone()) as Rc<dyn EngineProcess>)).boxed_local()
    }
}

impl EngineProcess for Script {
    fn request(&self, text: String) -> LocalBoxFuture<'static, Result<String, EngineDeath>> {
        self.requests.borrow_mut().push(text);
        match self.replies.borrow_mut().pop_front() {
            Some(mut reply) => {
                if let Some(Value::Object(request)) = reply.get_mut("request") {
                    // Those of the script that have no number of their own.
                    let number = self.requests.borrow().len();
                    request.entry("id").or_insert(json!(number));
                }
                ready(Ok(written(reply))).boxed_local()
            }
            None => pending().boxed_local(),
        }
    }

    fn gone(&self) -> bool {
        *self.ended.borrow()
    }

    fn bytes(&self) -> usize {
        0
    }

    fn end(&self) {
        *self.ended.borrow_mut() = true;
    }
}

/// Its time stands still, and its sleeps never end but short ones.
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

/// A model with a script, which remembers what it was asked.
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

/// The engine boots and loads a program with `agent_main` and the tool `sq/2`, then it says `replies`.
fn bench(replies: impl IntoIterator<Item = Value>, turns: impl IntoIterator<Item = Value>) -> Bench {
    let script = Script::default();
    let loaded = json!({
        "errors": [], "mains": [[]], "defaults": [],
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
    let dml = Dml::new(Rc::new(script.clone()), Rc::new(Still), Rc::new(drop));
    Bench { script, model, dml }
}

impl Bench {
    fn start(&self, budgets: Budgets, trace: bool) -> Run {
        let ports = Ports {
            model: self.model.clone(),
            tools: Rc::new(Nobody),
            user: Rc::new(Nobody),
            folder: None,
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

    /// What a run tells who watches it, one line each.
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

#[test]
fn a_task_gives_its_results_to_the_engine_and_tells_what_it_took() {
    let said = json!({ "text": "hm", "calls": [], "usage": { "inputTokens": 5, "outputTokens": 2 } });
    let result = call("set_result", json!({ "variable": "N", "value": 41 }));
    let bench = bench(
        [
            task(json!([{ "name": "N", "type": "integer" }])),
            truth(json!(true)),
        ],
        [said, result, call("finish", json!({ "success": true }))],
    );
    let events = bench.run(Budgets::default());
    assert_eq!(types(&events), ["usage", "output", "finished"]);
    assert_eq!(events[2]["usage"]["inputTokens"], 5);
    let requests = bench.script.requests.borrow();
    assert_eq!(
        requests[3],
        r#"dml_next(1,done([41],"Task completed. Results: N: 41"),60.000)"#
    );
    assert!(*bench.script.ended.borrow());
}

#[test]
fn a_tool_of_the_program_runs_in_an_engine_of_its_own() {
    let bench = bench(
        [task(json!([])), truth(json!("49")), truth(json!(true))],
        [call("sq", json!({ "arg1": 7 })), call("finish", json!({}))],
    );
    assert_eq!(types(&bench.run(Budgets::default())), ["finished"]);
    let requests = bench.script.requests.borrow();
    assert_eq!(requests[3], r#"dml_tool(2,'sq',["7"],["sq"],none,60.000)"#);
    let asked = bench.model.requests.borrow();
    assert_eq!(asked[1].messages.last().unwrap().content, r#"{"result":"49"}"#);
}

/// A request of the program, with its place on the program's branch.
fn asked(id: u64, after: u64, request: Value) -> Value {
    let mut step = step(request);
    step["request"]["id"] = id.into();
    step["request"]["after"] = after.into();
    step
}

fn asked_task(id: u64, after: u64, text: &str) -> Value {
    asked(
        id,
        after,
        json!({ "kind": "task", "text": text, "outputs": [], "memory": [], "scope": [], "running": [] }),
    )
}

#[test]
fn who_watches_a_run_sees_what_was_undone() {
    // a, (b, fail ; c, d fails) ; e
    let replies = [
        asked_task(1, 0, "a"),
        asked_task(2, 1, "b"),
        asked_task(3, 1, "c"),
        asked_task(4, 3, "d"),
        asked_task(5, 0, "e"),
        ended_after(5),
    ];
    let good = || call("finish", json!({}));
    let turns = [
        good(),
        good(),
        good(),
        call("finish", json!({ "success": false })),
        good(),
    ];
    let told = bench(replies, turns).watch();
    let tasks: Vec<&str> = told
        .iter()
        .map(String::as_str)
        .filter(|line| line.starts_with("task") || line.starts_with("undone") || line.contains("without"))
        .collect();
    assert_eq!(
        tasks,
        [
            "task 1 in 0: a",
            "task 3 in 0: b",
            "undone [3]",
            "task 5 in 0: c",
            "task 7 in 0: d",
            r#"ended 7 without: "The model gave the task up.""#,
            "undone [1,5]",
            "task 9 in 0: e",
        ]
    );
}

#[test]
fn what_a_tool_of_the_program_does_is_told_under_its_call() {
    let log = asked(2, 0, json!({ "kind": "log", "text": "squaring" }));
    let replies = [asked_task(1, 0, "a"), log, truth(json!("49")), ended_after(1)];
    let turns = [call("sq", json!({ "arg1": 7 })), call("finish", json!({}))];
    assert_eq!(
        bench(replies, turns).watch(),
        [
            "task 1 in 0: a",
            "turn null in 1: sq",
            "call 2 in 1: sq",
            "log null in 2: squaring",
            r#"ended 2: "49""#,
            "turn null in 1: finish",
            "call 3 in 1: finish",
            "ended 3: null",
            "ended 1: {}",
        ]
    );
}

#[test]
fn what_a_model_does_wrong_is_told_to_it() {
    let finish = call("finish", json!({ "success": true }));
    let turns = [
        call("nope", json!({})),
        call("set_result", json!({ "variable": "N", "value": "7" })),
        finish,
        call("finish", json!({ "success": false })),
    ];
    let bench = bench(
        [
            task(json!([{ "name": "N", "type": "integer" }])),
            truth(json!(true)),
        ],
        turns,
    );
    bench.run(Budgets::default());
    let asked = bench.model.requests.borrow();
    let told: Vec<&str> = asked[1..]
        .iter()
        .map(|request| request.messages.last().unwrap().content.as_str())
        .collect();
    assert!(
        told[0].contains("There is no tool nope; the tools are: finish, set_result, sq."),
        "{told:?}"
    );
    assert!(told[1].contains("integer"), "{told:?}");
    assert!(told[2].contains("store N with set_result"), "{told:?}");
    assert_eq!(bench.script.requests.borrow()[3], "dml_next(1,failed,60.000)");
}

#[test]
fn transient_failures_are_tried_again_and_others_fail_the_task() {
    let busy = json!({ "message": "busy", "transient": true });
    let bench = bench(
        [task(json!([])), task(json!([])), truth(json!(true))],
        [busy, call("finish", json!({})), json!({ "message": "bad key" })],
    );
    let events = bench.run(Budgets::default());
    assert_eq!(types(&events), ["log", "log", "finished"]);
    assert!(events[1]["content"].as_str().unwrap().contains("bad key"));
    assert_eq!(bench.script.requests.borrow()[4], "dml_next(1,failed,60.000)");
}

#[test]
fn a_model_that_repeats_itself_is_stopped() {
    let turn = json!({ "text": "again" });
    let bench = bench([task(json!([])), truth(json!(true))], vec![turn; 50]);
    bench.run(Budgets::default());
    assert_eq!(bench.model.requests.borrow().len(), 3);
}

#[test]
fn spent_budgets_end_the_run_with_a_sentence() {
    let exec = || step(json!({ "kind": "exec", "tool": "t", "arguments": [] }));
    let ended = |replies: Vec<Value>, budgets: Budgets| {
        let turn = json!({ "text": "x", "usage": { "inputTokens": 9, "outputTokens": 1 } });
        let bench = bench(replies, vec![turn; 3]);
        let tool = serde_json::from_value(json!({})).unwrap();
        bench.dml.register_tool("t", tool);
        bench.run(budgets).pop().unwrap()["content"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let all = Budgets::default;
    let calls = ended(
        vec![task(json!([]))],
        Budgets {
            model_calls: Some(1),
            ..all()
        },
    );
    assert_eq!(calls, "The run has made its 1 calls of the model.");
    let tokens = ended(
        vec![task(json!([]))],
        Budgets {
            tokens: Some(15),
            ..all()
        },
    );
    assert_eq!(tokens, "The run has used its 15 tokens (20 in all).");
    let tools = ended(
        vec![exec(), exec()],
        Budgets {
            tool_calls: Some(1),
            ..all()
        },
    );
    assert_eq!(tools, "The run has made its 1 calls of tools.");
    let gas = ended(
        vec![exec()],
        Budgets {
            inferences: Some(10),
            ..all()
        },
    );
    assert_eq!(
        gas,
        "Gas exhausted: the program took more than its 10 inferences."
    );
}

#[test]
fn an_aborted_run_says_so_and_ends_its_engine() {
    let bench = bench([], []);
    let run = bench.start(Budgets::default(), false);
    assert!(run.next().now_or_never().is_none());
    run.abort();
    let event = run.next().now_or_never().flatten();
    assert_eq!(event, Some(Event::error("Execution aborted.")));
    assert!(*bench.script.ended.borrow());
    assert_eq!(run.next().now_or_never(), Some(None));
}

#[test]
fn errors_of_a_program_have_a_place() {
    let bench = bench([], []);
    let error = json!({ "kind": "syntax_error", "message": "oops", "line": 3, "column": 4, "offset": 9 });
    let loaded = json!({ "errors": [error], "mains": [], "tools": [], "defaults": [] });
    bench.script.replies.borrow_mut()[1] = loaded;
    let events = bench.run(Budgets::default());
    assert_eq!(
        events,
        [
            json!({ "type": "error", "content": "line 3, column 4: Syntax error: oops", "line": 3, "column": 4 })
        ]
    );
}
