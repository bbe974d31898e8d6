//! Workflows from their text to the end of a run, with a scripted host; and the Prolog of nodes, with
//! scripted engines.

mod follow;
mod graphs;
mod interrupts;
mod kept;
mod limits;
mod loading;
mod prolog;
mod reducing;
mod running;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use futures::FutureExt;
use futures::executor::block_on;
use futures::future::{LocalBoxFuture, pending, ready};

use hornbook_base::Clock;

use crate::fault::{WorkflowFault, WorkflowFaultKind};
use crate::json::{Json, Object};
use crate::language::Language;
use crate::load::{Installed, load};
use crate::prolog::{Block, End, Executed, Place};
use crate::run::{Code, CodeFailure, Event, Kind, Means, NodeHost, NodeProlog, Run};
use crate::runs::Runs;
use crate::state::{Begin, Thread};

/// Its "Prolog" is one word and its arguments: `set K V`, `add K N`, `see K` (returns the state's value as
/// `saw`), `ask Q`, `number Q` (returns the answer as `said`), `fail`, `throw`; a condition is `K=V`.
#[derive(Default)]
struct Scripted {
    now_ms: Cell<u64>,
    slept: RefCell<Vec<u64>>,
    throws_left: Cell<u64>,
    keys: RefCell<Vec<String>>,
    books: RefCell<BTreeMap<String, Runs>>,
    /// How long each block might run.
    limits: RefCell<Vec<u64>>,
}

impl NodeProlog for Scripted {
    fn block<'a>(&'a self, block: Block<'a>) -> LocalBoxFuture<'a, Result<Executed, WorkflowFault>> {
        let Block {
            code,
            state,
            answers,
            timeout_ms,
        } = block;
        self.limits.borrow_mut().push(timeout_ms);
        let words: Vec<&str> = code.split_whitespace().collect();
        let given =
            |key: &str, value: Json| Ok(End::Solutions(vec![Object::from([(key.to_owned(), value)])]));
        let end = match words[..] {
            ["set", key, value] => given(key, Json::integer(value).unwrap_or(Json::Text(value.into()))),
            ["add", key, by] => match (state.get(key), by.parse::<i64>()) {
                (Some(Json::Int(number)), Ok(by)) => given(key, Json::Int(number + by)),
                _ => given(key, Json::Int(1)),
            },
            ["see", key] => given("saw", state.get(key).cloned().unwrap_or_default()),
            ["flaky"] if self.throws_left.get() == 0 => given("ok", Json::Bool(true)),
            ["flaky"] => {
                self.throws_left.set(self.throws_left.get() - 1);
                Err(WorkflowFault::new(WorkflowFaultKind::Prolog, "flaky"))
            }
            // A goal that reduces gives both.
            ["state(old,", ..] => given(
                "result",
                Json::Array(vec![state["old"].clone(), state["new"].clone()]),
            ),
            // Its answer is `said`; `ask Q twice` asks again.
            ["ask", question, ..] if answers.len() < words.len() - 1 => {
                Ok(End::Asks(Json::Text(question.to_owned())))
            }
            ["ask", ..] => given(
                "said",
                Json::Array(answers.iter().map(|(_, answer)| answer.clone()).collect()),
            ),
            ["number", question] => match answers {
                [] => Ok(End::Asks(Json::Text(question.to_owned()))),
                [(_, answer), ..] => given("said", answer.clone()),
            },
            ["fail"] => Ok(End::Failed(Place {
                file_line: None,
                line: 1,
                goal: "fail".into(),
            })),
            _ => Err(WorkflowFault::new(
                WorkflowFaultKind::Prolog,
                format!("threw {code}"),
            )),
        };
        let executed = end.map(|end| Executed {
            output: String::new(),
            end,
        });
        ready(executed).boxed_local()
    }

    fn condition<'a>(
        &'a self,
        goal: &'a str,
        state: &'a Object,
        _: u64,
    ) -> LocalBoxFuture<'a, Result<Option<String>, WorkflowFault>> {
        let held = goal.split_once('=').filter(|(key, value)| {
            state
                .get(*key)
                .is_some_and(|found| found.to_string().trim_matches('"') == *value)
        });
        ready(Ok(held.map(|_| "true".to_owned()))).boxed_local()
    }
}

impl NodeHost for Scripted {
    fn code<'a>(&'a self, code: Code<'a>) -> LocalBoxFuture<'a, Result<Json, CodeFailure>> {
        if code.code.starts_with("SyntaxError") {
            let fault = WorkflowFault::new(WorkflowFaultKind::Code(code.language), code.code);
            return ready(Err(fault.into())).boxed_local();
        }
        let result = [("code".to_owned(), Json::Text(code.code.to_owned()))];
        let results = code
            .parallel_results
            .cloned()
            .map(|results| ("results".to_owned(), results));
        ready(Ok(result.into_iter().chain(results).collect())).boxed_local()
    }

    fn action<'a>(
        &'a self,
        name: &'a str,
        with: &'a Json,
        _: &'a Object,
        key: &'a str,
        tell: Rc<dyn Fn(Json)>,
    ) -> LocalBoxFuture<'a, Result<Json, WorkflowFault>> {
        self.keys.borrow_mut().push(key.to_owned());
        if name == "speak" {
            tell(Json::Text("half".into()));
        }
        if name == "hang" {
            return pending().boxed_local();
        }
        let given = [
            ("name".to_owned(), Json::Text(name.into())),
            ("with".to_owned(), with.clone()),
        ];
        ready(Ok(given.into_iter().collect())).boxed_local()
    }

    fn program<'a>(
        &'a self,
        code: &'a str,
        params: &'a Json,
        tell: Rc<dyn Fn(Json)>,
    ) -> LocalBoxFuture<'a, Result<Json, WorkflowFault>> {
        tell(Json::Text("begun".into()));
        let said = match code {
            "false." => Err(WorkflowFault::new(WorkflowFaultKind::Program, "it was false")),
            code => Ok([
                ("answer".to_owned(), Json::Text(format!("{code} {params}"))),
                ("output".to_owned(), Json::Array(Vec::new())),
            ]
            .into_iter()
            .collect()),
        };
        ready(said).boxed_local()
    }
}

impl Clock for Scripted {
    fn now_ms(&self) -> u64 {
        self.now_ms.get()
    }

    fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()> {
        self.slept.borrow_mut().push(ms);
        ready(()).boxed_local()
    }
}

/// A single script is everything a run works with.
fn means(script: &Rc<Scripted>) -> Means {
    Means {
        prolog: script.clone(),
        timeout_ms: 30_000,
        host: script.clone(),
        books: Rc::new(script.books.borrow().clone()),
        clock: script.clone(),
    }
}

/// Resuming a run that waits.
fn resumed(thread: Thread, id: Option<&str>, updates: Object) -> Begin {
    let (path, did) = thread.resumed(id, &updates, true).unwrap();
    let thread = Box::new(thread);
    Begin::Resume { thread, path, did }
}

fn installed() -> Installed {
    Installed {
        languages: vec![Language::Python],
        actions: vec!["notify".into(), "hang".into(), "speak".into()],
        programs: true,
        ..Installed::default()
    }
}

fn events_of(script: Rc<Scripted>, text: &str, begin: Begin) -> Vec<Event> {
    let workflow = load(text, &installed()).unwrap_or_else(|fault| panic!("{fault}"));
    let run = Run::new(Rc::new(workflow), means(&script), "run".into(), None, begin);
    let mut events = Vec::new();
    while let Some(event) = block_on(run.next()) {
        events.push(event);
    }
    events
}

/// The last event, as JSON.
fn last(text: &str, state: &str) -> String {
    let Json::Object(state) = serde_json::from_str(state).unwrap() else {
        panic!("no object")
    };
    let events = events_of(Rc::default(), text, Begin::Start(state));
    Json::of(events.last().unwrap()).to_string()
}

fn final_state(text: &str, state: &str) -> String {
    let last = last(text, state);
    let state = last
        .strip_prefix(r#"{"state":"#)
        .and_then(|rest| rest.strip_suffix(r#","type":"final"}"#));
    state.unwrap_or_else(|| panic!("{last}")).to_owned()
}

fn fault(text: &str) -> String {
    load(text, &installed()).expect_err("it is wrong").to_string()
}

const ROUTES: &str = "
language: prolog
nodes:
- {name: a, run: add x 1}
- {name: b, run: set out b}
- {name: c, run: set out c}
edges:
- {from: __start__, to: a}
- {from: a, to: __end__, when: 'state.x == 2'}
- {from: a, to: b, when: x=3, language: prolog}
- {from: a, to: c, condition: {type: expression, value: state.x}, when: 4}
- {from: b, to: __end__}
- {from: c, to: __end__}
";

const BRANCHES: &str = "
language: prolog
nodes:
- {name: s, run: set v 1}
- {name: a, run: add v 10}
- {name: b, run: BRANCH}
- {name: join, language: python, run: join}
edges:
- {from: s, to: a, type: parallel, fan_in: join}
- {from: s, to: b, type: parallel, fan_in: join}
- {from: a, to: join}
- {from: b, to: join}
";
