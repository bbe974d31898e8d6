//! Workflows for JavaScript: the Prolog of nodes, and runs whose actions and other languages JavaScript has.

use std::collections::BTreeMap;
use std::rc::Rc;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use serde::Serialize;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{future_to_promise, spawn_local};

use super::facade::Hornbook;
use super::failed;
use super::host::{JsClock, JsHost, field, message};
use super::value::{from_js, object_from_js, object_to_js, to_js};
use crate::base::{Clock, Limits};
use crate::engine::Pool;
use crate::workflow::drawing::Drawing;
use crate::workflow::fault::{Fault, FaultKind, LoadFault};
use crate::workflow::json::{Json, Object};
use crate::workflow::load::{Installed, load, uses};
use crate::workflow::model::Language;
use crate::workflow::prolog::{End, Executed, Prolog, Solutions};
use crate::workflow::run::{Begin, Code, Coded, Hands, Run};
use crate::workflow::runs::{self, Ledger};
use crate::workflow::{detect, mermaid, model};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A name in the text of a workflow, and its place, from 1. */
export interface NameUse {
  name: string;
  line: number;
  column: number;
}

/** What the text of a workflow names. */
export interface GraphUses {
  actions: NameUse[];
  /** Programs in DML. */
  files: NameUse[];
  /** Whether it has programs in DML, named or not. */
  programs: boolean;
}

/** What a workflow asks of its host. */
export interface WorkflowPorts {
  /**
   * Run code of a node; `given` is JSON: `state`, `variables`, `parallel_results`. Resolves with JSON: `result`, an object
   * of values for the state, or `error` and the `state` as the code left it. Rejects with a `kind` of "timeout" where it
   * ran too long.
   */
  runCode(language: string, code: string, given: string): Promise<string>;
  /** Call an action; `key` names the run, the node and the attempt. */
  callAction(name: string, params: any, state: any, key: string): Promise<unknown>;
  /** Run a program in DML; `params` is JSON. Resolves with `answer` and `output`; rejects where it was false, too. */
  runProgram(code: string, params: string): Promise<unknown>;
}
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "WorkflowPorts")]
    #[derive(Clone)]
    pub type JsWorkflowPorts;

    #[wasm_bindgen(method, catch, js_name = runCode)]
    async fn run_code(
        this: &JsWorkflowPorts,
        language: &str,
        code: &str,
        given: &str,
    ) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = callAction)]
    async fn call_action(
        this: &JsWorkflowPorts,
        name: &str,
        params: &JsValue,
        state: &JsValue,
        key: &str,
    ) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = runProgram)]
    async fn run_program(this: &JsWorkflowPorts, code: &str, params: &str) -> Result<JsValue, JsValue>;
}

#[wasm_bindgen]
impl Hornbook {
    /// The runs of workflows that the book keeps.
    pub fn runs(&self) -> Runs {
        Runs(self.runs.clone())
    }
}

/// Runs the Prolog of nodes, in engines of its own.
#[wasm_bindgen]
pub struct NodeProlog(Prolog);

#[wasm_bindgen]
impl NodeProlog {
    /// With at most so many engine workers.
    #[wasm_bindgen(constructor)]
    pub fn new(host: JsHost, engines: usize) -> Result<NodeProlog, JsError> {
        failed::check()?;
        let pool = Pool::new(Rc::new(host), Rc::new(JsClock), Rc::new(spawn_local));
        Ok(NodeProlog(Prolog::new(pool, Limits::default(), engines)))
    }

    /// Resolves with `output` and `solutions` or `failed`.
    #[wasm_bindgen(js_name = runBlock, unchecked_return_type = "Promise<any>")]
    pub fn run_block(&self, code: String, state: JsValue, all: bool, timeout_ms: f64) -> js_sys::Promise {
        let prolog = self.0.clone();
        future_to_promise(async move {
            failed::check()?;
            let state = object_from_js(&state, "the state").map_err(|why| JsError::new(&why))?;
            let solutions = if all { Solutions::All } else { Solutions::First };
            let executed = prolog
                .run_block(&code, &state, solutions, timeout_ms as u64)
                .await;
            executed
                .map(|executed| executed_to_js(&executed))
                .map_err(|fault| fault_to_js(&fault))
        })
    }

    /// Resolves with the text of `Result`, or `true`, or nothing where the goal fails.
    #[wasm_bindgen(unchecked_return_type = "Promise<string | undefined>")]
    pub fn condition(&self, goal: String, state: JsValue, timeout_ms: f64) -> js_sys::Promise {
        let prolog = self.0.clone();
        future_to_promise(async move {
            failed::check()?;
            let state = object_from_js(&state, "the state").map_err(|why| JsError::new(&why))?;
            let decided = prolog.condition(&goal, &state, timeout_ms as u64).await;
            decided
                .map(|text| text.map_or(JsValue::UNDEFINED, |text| JsValue::from_str(&text)))
                .map_err(|fault| fault_to_js(&fault))
        })
    }

    /// End the engines.
    pub fn close(&self) {
        self.0.close();
    }
}

/// Whether a text looks like Prolog.
#[wasm_bindgen(js_name = detectProlog)]
pub fn detect_prolog(code: &str) -> bool {
    detect::is_prolog(code)
}

/// Books by the names that nodes have for them.
#[wasm_bindgen]
#[derive(Default, Clone)]
pub struct Books(Rc<BTreeMap<String, runs::Runs>>);

#[wasm_bindgen]
impl Books {
    /// None yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Books {
        Books::default()
    }

    /// The book that keeps these runs, by the name that nodes have for it.
    pub fn add(&mut self, name: String, runs: &Runs) {
        Rc::make_mut(&mut self.0).insert(name, runs.0.clone());
    }
}

/// A workflow that was loaded.
#[wasm_bindgen]
pub struct Graph {
    workflow: Rc<model::Workflow>,
    text: String,
    books: Books,
}

#[wasm_bindgen]
impl Graph {
    /// `installed` has `languages` and `actions`, lists of names, `files`, texts by their names, and `secrets` and `env`. What it throws has a `line` and a
    /// `column`, from 1. `books` are those that nodes can name; without them there is that of the run.
    pub fn load(yaml: &str, installed: &JsValue, books: Option<Books>) -> Result<Graph, JsValue> {
        failed::check()?;
        let installed = installed_of(installed, books.as_ref()).map_err(|why| JsError::new(&why))?;
        let workflow = load(yaml, &installed).map_err(load_fault_to_js)?;
        Ok(Graph {
            workflow: Rc::new(workflow),
            text: yaml.to_owned(),
            books: books.unwrap_or_default(),
        })
    }

    /// What a text names, before it is loaded: actions, and files with programs in DML; whether there are programs. Throws
    /// as {@link load} does.
    #[wasm_bindgen(unchecked_return_type = "GraphUses")]
    pub fn uses(yaml: &str) -> Result<JsValue, JsValue> {
        failed::check()?;
        let used = uses(yaml).map_err(load_fault_to_js)?;
        let listed = |names: Vec<(String, (u64, u64))>| {
            let listed = names.into_iter().map(|(name, (line, column))| {
                let members = [
                    ("name".to_owned(), Json::Text(name)),
                    ("line".to_owned(), Json::Int(line as i64)),
                    ("column".to_owned(), Json::Int(column as i64)),
                ];
                Json::from_iter(members)
            });
            Json::Array(listed.collect())
        };
        let uses = [
            ("actions".to_owned(), listed(used.actions)),
            ("files".to_owned(), listed(used.files)),
            ("programs".to_owned(), Json::Bool(used.programs)),
        ];
        Ok(to_js(&Json::from_iter(uses)))
    }

    #[wasm_bindgen(getter)]
    pub fn name(&self) -> Option<String> {
        self.workflow.name.clone()
    }

    /// The graph as a diagram of Mermaid.
    pub fn mermaid(&self) -> String {
        mermaid::diagram(&Drawing::of(&self.workflow))
    }

    /// What a picture of the graph shows: `nodes` and `edges`.
    #[wasm_bindgen(unchecked_return_type = "any")]
    pub fn drawing(&self) -> Result<JsValue, JsError> {
        let serializer = serde_wasm_bindgen::Serializer::json_compatible();
        Ok(Drawing::of(&self.workflow).serialize(&serializer)?)
    }

    /// Seconds that the Prolog of a node may run, where the text says it.
    #[wasm_bindgen(getter, js_name = timeoutMs)]
    pub fn timeout_ms(&self) -> Option<f64> {
        self.workflow.timeout_ms.map(|ms| ms as f64)
    }

    /// Begin with `state`. `id` names the run for actions, and in the book of `runs`, where they are given.
    pub fn run(
        &self,
        prolog: &NodeProlog,
        ports: JsWorkflowPorts,
        state: &JsValue,
        timeout_ms: f64,
        id: String,
        runs: Option<Runs>,
    ) -> Result<GraphRun, JsError> {
        failed::check()?;
        let state = object_from_js(state, "the state").map_err(|why| JsError::new(&why))?;
        let ledger = match runs {
            Some(Runs(runs)) => {
                let ledger = runs.begin(&id, &self.workflow, &self.text, JsClock.now_ms());
                Some(ledger.map_err(|why| JsError::new(&why))?)
            }
            None => None,
        };
        let hands = self.host(prolog, ports, timeout_ms);
        Ok(self.running(hands, id, ledger, Begin::Start(state)))
    }

    /// Go on from the `checkpoint` of an interrupt event, with what `updates` changes in its state.
    pub fn resume(
        &self,
        prolog: &NodeProlog,
        ports: JsWorkflowPorts,
        checkpoint: &JsValue,
        updates: &JsValue,
        timeout_ms: f64,
        id: String,
    ) -> Result<GraphRun, JsError> {
        failed::check()?;
        let begin = resumed(checkpoint, updates).map_err(|why| JsError::new(&why))?;
        Ok(self.running(self.host(prolog, ports, timeout_ms), id, None, begin))
    }

    /// Go on with the run `id` of a book where it is, with what `updates` changes in its state. What it throws says where
    /// this text departs from what the run has done.
    #[wasm_bindgen(js_name = resumeKept)]
    pub fn resume_kept(
        &self,
        prolog: &NodeProlog,
        ports: JsWorkflowPorts,
        updates: &JsValue,
        timeout_ms: f64,
        id: String,
        runs: &Runs,
    ) -> Result<GraphRun, JsError> {
        failed::check()?;
        let begun = || {
            let updates = object_from_js(updates, "the updates")?;
            let kept = runs.0.load(&id, None)?;
            kept.check_agrees(&self.workflow)?;
            let ledger = runs.0.resume(&id, &kept, &self.workflow, &self.text)?;
            let thread = Box::new(kept.thread);
            Ok((ledger, Begin::Resume { thread, updates }))
        };
        let (ledger, begin) = begun().map_err(|why: String| JsError::new(&why))?;
        Ok(self.running(self.host(prolog, ports, timeout_ms), id, Some(ledger), begin))
    }
}

impl Graph {
    fn host(&self, prolog: &NodeProlog, ports: JsWorkflowPorts, timeout_ms: f64) -> Rc<Host> {
        Rc::new(Host {
            prolog: prolog.0.clone(),
            ports,
            timeout_ms: timeout_ms as u64,
            books: self.books.clone(),
        })
    }

    fn running(&self, hands: Rc<Host>, id: String, ledger: Option<Ledger>, begin: Begin) -> GraphRun {
        GraphRun(Rc::new(Run::new(self.workflow.clone(), hands, id, ledger, begin)))
    }
}

fn installed_of(given: &JsValue, books: Option<&Books>) -> Result<Installed, String> {
    let Json::Object(mut given) = from_js(given, "what is installed")? else {
        return Ok(Installed::default());
    };
    let mut texts = |key: &str| match given.remove(key) {
        Some(Json::Array(items)) => items
            .into_iter()
            .filter_map(|item| match item {
                Json::Text(text) => Some(text),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    };
    let languages = texts("languages");
    let actions = texts("actions");
    let mut object = |key: &str| match given.remove(key) {
        Some(Json::Object(members)) => members,
        _ => Object::new(),
    };
    Ok(Installed {
        languages: Language::ALL
            .into_iter()
            .filter(|language| languages.iter().any(|word| word == language.word()))
            .collect(),
        actions,
        books: books.map(|books| books.0.keys().cloned().collect()),
        programs: true,
        files: object("files")
            .into_iter()
            .filter_map(|(name, file)| match file {
                Json::Text(text) => Some((name, text)),
                _ => None,
            })
            .collect(),
        secrets: object("secrets"),
        env: object("env"),
    })
}

fn resumed(checkpoint: &JsValue, updates: &JsValue) -> Result<Begin, String> {
    let updates = object_from_js(updates, "the updates")?;
    let checkpoint = from_js(checkpoint, "the checkpoint")?;
    let text = serde_json::to_string(&checkpoint).map_err(|error| error.to_string())?;
    let thread = serde_json::from_str(&text);
    let thread = thread.map_err(|_| "the checkpoint is not that of an interrupt event".to_owned())?;
    Ok(Begin::Resume { thread, updates })
}

/// The runs of workflows that a book keeps.
#[wasm_bindgen]
#[derive(Clone)]
pub struct Runs(pub(super) runs::Runs);

#[wasm_bindgen]
impl Runs {
    /// All of them, the latest first: `run`, `workflow`, `status`, `interrupted`, `node`, `begun_ms`, `from`.
    #[wasm_bindgen(unchecked_return_type = "any[]")]
    pub fn list(&self) -> JsValue {
        let runs = self.0.list().into_iter().map(|listed| {
            let mut out = Object::new();
            out.insert("run".into(), Json::Text(listed.run));
            out.insert("status".into(), Json::Text(listed.status.word().into()));
            out.insert("interrupted".into(), Json::Bool(listed.interrupted));
            out.insert("begun_ms".into(), Json::Int(listed.begun_ms as i64));
            if let Some(workflow) = listed.workflow {
                out.insert("workflow".into(), Json::Text(workflow));
            }
            if let Some(node) = listed.node {
                out.insert("node".into(), Json::Text(node));
            }
            if let Some((run, number)) = listed.from {
                let from = [
                    ("run".to_owned(), Json::Text(run)),
                    ("checkpoint".to_owned(), Json::Int(number as i64)),
                ];
                out.insert("from".into(), Json::from_iter(from));
            }
            Json::Object(out)
        });
        to_js(&Json::Array(runs.collect()))
    }

    /// What a run did, in order: `number`, `at_ms`, `what`, `node`, `branch`.
    #[wasm_bindgen(unchecked_return_type = "any[]")]
    pub fn checkpoints(&self, run: &str) -> Result<JsValue, JsError> {
        failed::check()?;
        let checkpoints = self.0.checkpoints(run).map_err(|why| JsError::new(&why))?;
        let checkpoints = checkpoints.into_iter().map(|checkpoint| {
            let mut out = Object::new();
            out.insert("number".into(), Json::Int(checkpoint.number as i64));
            out.insert("at_ms".into(), Json::Int(checkpoint.at_ms as i64));
            out.insert("what".into(), Json::Text(checkpoint.what.into()));
            out.insert("branch".into(), Json::Bool(checkpoint.in_branch));
            if let Some(node) = checkpoint.node {
                out.insert("node".into(), Json::Text(node));
            }
            Json::Object(out)
        });
        Ok(to_js(&Json::Array(checkpoints.collect())))
    }

    /// The state of a run, at its last checkpoint or at this one.
    #[wasm_bindgen(unchecked_return_type = "any")]
    pub fn state(&self, run: &str, checkpoint: Option<f64>) -> Result<JsValue, JsError> {
        failed::check()?;
        let kept = self.0.load(run, checkpoint.map(|number| number as u64));
        let kept = kept.map_err(|why| JsError::new(&why))?;
        Ok(object_to_js(&kept.thread.state))
    }

    /// The text that a run was begun with, or resumed with last.
    pub fn text(&self, run: &str) -> Result<String, JsError> {
        failed::check()?;
        self.0.text(run).map_err(|why| JsError::new(&why))
    }

    /// The files that the text of a run names, by their names.
    #[wasm_bindgen(unchecked_return_type = "Record<string, string>")]
    pub fn files(&self, run: &str) -> Result<JsValue, JsError> {
        failed::check()?;
        let files = self.0.files(run).map_err(|why| JsError::new(&why))?;
        let files = files.into_iter().map(|(name, text)| (name, Json::Text(text)));
        Ok(to_js(&files.collect::<Json>()))
    }

    /// Resolves when there is a run `id` that begins where another was at a checkpoint.
    #[wasm_bindgen(unchecked_return_type = "Promise<void>")]
    pub fn fork(&self, run: String, checkpoint: f64, id: String) -> js_sys::Promise {
        let runs = self.0.clone();
        future_to_promise(async move {
            failed::check()?;
            let forked = runs.fork(&run, checkpoint as u64, id, JsClock.now_ms()).await;
            forked.map_err(|why| JsError::new(&why))?;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// Drop the records before the last `keep`. Resolves with how many went.
    #[wasm_bindgen(unchecked_return_type = "Promise<number>")]
    pub fn prune(&self, run: String, keep: f64) -> js_sys::Promise {
        let runs = self.0.clone();
        future_to_promise(async move {
            failed::check()?;
            let gone = runs.prune(&run, keep as u64).await;
            Ok(JsValue::from_f64(gone.map_err(|why| JsError::new(&why))? as f64))
        })
    }

    /// Drop a run with all its records.
    #[wasm_bindgen(unchecked_return_type = "Promise<void>")]
    pub fn forget(&self, run: String) -> js_sys::Promise {
        let runs = self.0.clone();
        future_to_promise(async move {
            failed::check()?;
            runs.forget(&run).await.map_err(|why| JsError::new(&why))?;
            Ok(JsValue::UNDEFINED)
        })
    }
}

/// A run. It goes on while its next event is waited for, until `stop`.
#[wasm_bindgen]
pub struct GraphRun(Rc<Run>);

#[wasm_bindgen]
impl GraphRun {
    /// The next event, `undefined` after the last.
    #[wasm_bindgen(unchecked_return_type = "Promise<any>")]
    pub fn next(&self) -> js_sys::Promise {
        let run = self.0.clone();
        future_to_promise(async move {
            failed::check()?;
            let event = run.next().await;
            Ok(event.map_or(JsValue::UNDEFINED, |event| to_js(&event.to_json())))
        })
    }

    /// Give up what runs; whoever waits for the next event gets none.
    pub fn stop(&self) {
        self.0.stop();
    }
}

struct Host {
    prolog: Prolog,
    ports: JsWorkflowPorts,
    timeout_ms: u64,
    books: Books,
}

impl Hands for Host {
    fn prolog<'a>(&'a self, code: &'a str, state: &'a Object) -> LocalBoxFuture<'a, Result<Executed, Fault>> {
        self.prolog
            .run_block(code, state, Solutions::First, self.timeout_ms)
            .boxed_local()
    }

    fn timeout_ms(&self) -> u64 {
        self.timeout_ms
    }

    fn condition<'a>(
        &'a self,
        goal: &'a str,
        state: &'a Object,
    ) -> LocalBoxFuture<'a, Result<Option<String>, Fault>> {
        self.prolog.condition(goal, state, self.timeout_ms).boxed_local()
    }

    fn code<'a>(&'a self, code: Code<'a>) -> LocalBoxFuture<'a, Coded> {
        async move {
            let mut given = Object::new();
            given.insert("state".into(), Json::Object(code.state.clone()));
            given.insert("variables".into(), Json::Object(code.variables.clone()));
            given.insert(
                "parallel_results".into(),
                code.parallel_results.cloned().unwrap_or_default(),
            );
            let given = Json::Object(given).to_string();
            let said = self.ports.run_code(code.language.word(), code.code, &given).await;
            coded(said, code.language)
        }
        .boxed_local()
    }

    fn action<'a>(
        &'a self,
        name: &'a str,
        with: &'a Json,
        state: &'a Object,
        key: &'a str,
    ) -> LocalBoxFuture<'a, Result<Json, Fault>> {
        async move {
            let result = self
                .ports
                .call_action(name, &to_js(with), &object_to_js(state), key)
                .await;
            let result = result.map_err(|error| {
                Fault::new(
                    FaultKind::Action,
                    format!("The action {name} failed: {}", message(&error)),
                )
            })?;
            from_js(&result, &format!("the result of {name}"))
                .map_err(|why| Fault::new(FaultKind::Action, why))
        }
        .boxed_local()
    }

    fn book(&self, name: &str) -> Option<runs::Runs> {
        self.books.0.get(name).cloned()
    }

    fn program<'a>(&'a self, code: &'a str, params: &'a Json) -> LocalBoxFuture<'a, Result<Json, Fault>> {
        async move {
            let failed = |why: String| Fault::new(FaultKind::Program, why);
            let result = self.ports.run_program(code, &params.to_string()).await;
            let result = result.map_err(|error| failed(message(&error)))?;
            from_js(&result, "what the program gave").map_err(failed)
        }
        .boxed_local()
    }

    fn now_ms(&self) -> u64 {
        JsClock.now_ms()
    }

    fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()> {
        JsClock.sleep(ms)
    }
}

fn coded(said: Result<JsValue, JsValue>, language: Language) -> Coded {
    let failed = |kind, why: String, state| Coded {
        result: Err(Fault::new(kind, why)),
        state,
    };
    let text = match said {
        Ok(text) => text.as_string().unwrap_or_default(),
        Err(error) => {
            let late = field(&error, "kind").as_deref() == Some("timeout");
            let kind = if late {
                FaultKind::Timeout
            } else {
                FaultKind::Code(language)
            };
            return failed(kind, message(&error), None);
        }
    };
    let Ok(Json::Object(mut said)) = serde_json::from_str::<Json>(&text) else {
        let why = format!("What the code in {} gave cannot be read.", language.name());
        return failed(FaultKind::Code(language), why, None);
    };
    let state = match said.remove("state") {
        Some(Json::Object(state)) => Some(state),
        _ => None,
    };
    match said.remove("error") {
        Some(Json::Text(error)) => failed(FaultKind::Code(language), error, state),
        _ => Coded {
            result: Ok(said.remove("result").unwrap_or_default()),
            state,
        },
    }
}

fn executed_to_js(executed: &Executed) -> JsValue {
    let mut out = Object::new();
    out.insert("output".into(), Json::Text(executed.output.clone()));
    match &executed.end {
        End::Solutions(solutions) => {
            let solutions = solutions.iter().cloned().map(Json::Object).collect();
            out.insert("solutions".into(), Json::Array(solutions));
        }
        End::Failed(place) => {
            let failed = [
                ("line".to_owned(), Json::Int(place.line.into())),
                ("goal".to_owned(), Json::Text(place.goal.clone())),
            ];
            out.insert("failed".into(), Json::from_iter(failed));
        }
    }
    object_to_js(&out)
}

fn load_fault_to_js(fault: LoadFault) -> JsValue {
    let error = js_sys::Error::new(&fault.to_string());
    set(&error, "line", (fault.line as f64).into());
    set(&error, "column", (fault.column as f64).into());
    error.into()
}

fn fault_to_js(fault: &Fault) -> JsValue {
    let error = js_sys::Error::new(&fault.message);
    set(&error, "kind", fault.kind.word().into());
    if let Some(line) = fault.line {
        set(&error, "line", line.into());
    }
    error.into()
}

fn set(error: &js_sys::Error, name: &str, value: JsValue) {
    // An error is an object that takes members.
    let _ = js_sys::Reflect::set(error, &name.into(), &value);
}
