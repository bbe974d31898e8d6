//! Workflows for JavaScript: the Prolog of nodes, and runs whose actions and other languages JavaScript
//! provides.

mod follow;
mod host;
mod prolog;
mod runs;

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::Serialize;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

use super::clock::JsClock;
use super::failed;
use super::value::{from_js, object_from_js, to_js};
use crate::base::Clock;
use crate::workflow::drawing::Drawing;
use crate::workflow::explain::Explained;
use crate::workflow::fault::{LoadFault, WorkflowFault};
use crate::workflow::json::{Json, Object};
use crate::workflow::language::Language;
use crate::workflow::load::{Installed, load, uses};
use crate::workflow::run::{Means, Run};
use crate::workflow::runs::Ledger;
use crate::workflow::state::{Begin, Refused, RefusedKind, Thread};
use crate::workflow::{mermaid, model, runs as kept};
use crate::workspace::{Proof, ProofClause};
use host::{Host, JsWorkflowPorts};
use prolog::NodeProlog;
use runs::Runs;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
import type { Drawing, KeptCheckpoint, KeptRun, NodeCode, RunStatus, WorkflowEvent, WorkflowInterrupt } from "../generated/workflow.js";

/** A name in the text of a workflow, and its position: the line from 1, the column from 0. */
export interface NameUse {
  name: string;
  line: number;
  column: number;
}

/** What the text of a workflow refers to. */
export interface GraphUses {
  actions: NameUse[];
  /** DML programs. */
  files: NameUse[];
  /** Workflows. */
  graphs: NameUse[];
  /** Whether it has DML programs, named or inline. */
  programs: boolean;
}
"#;

/// Books by the names that nodes use.
#[wasm_bindgen]
#[derive(Default, Clone)]
pub struct Books(Rc<BTreeMap<String, kept::Runs>>);

#[wasm_bindgen]
impl Books {
    /// No books yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Books {
        Books::default()
    }

    /// Add the book that stores these runs, under the name that nodes use.
    pub fn add(&mut self, name: String, runs: &Runs) {
        Rc::make_mut(&mut self.0).insert(name, runs.0.clone());
    }
}

/// A loaded workflow.
#[wasm_bindgen]
pub struct Graph {
    workflow: Rc<model::Workflow>,
    text: String,
    books: Books,
}

#[wasm_bindgen]
impl Graph {
    /// `installed` has `languages` and `actions` (lists of names), `files` (texts by name), `secrets` and
    /// `env`. What it throws has a `line` (from 1) and a `column` (from 0). `books` are those that nodes can
    /// name; without it there is only the run's own.
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

    /// What a text refers to, before it is loaded: actions, files with DML programs and with workflows, and whether
    /// there are DML programs at all. Throws like {@link load}.
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
            ("graphs".to_owned(), listed(used.graphs)),
            ("programs".to_owned(), Json::Bool(used.programs)),
        ];
        Ok(to_js(&Json::from_iter(uses)))
    }

    #[wasm_bindgen(getter)]
    pub fn name(&self) -> Option<String> {
        self.workflow.name.clone()
    }

    /// The graph as a Mermaid diagram.
    pub fn mermaid(&self) -> String {
        mermaid::diagram(&Drawing::of(&self.workflow))
    }

    /// The picture of the graph: `nodes` and `edges`.
    #[wasm_bindgen(unchecked_return_type = "Drawing")]
    pub fn drawing(&self) -> Result<JsValue, JsError> {
        Ok(plain(&Drawing::of(&self.workflow))?)
    }

    /// The code of nodes and steps, where it stands in the text.
    #[wasm_bindgen(unchecked_return_type = "NodeCode[]")]
    pub fn codes(&self) -> Result<JsValue, JsError> {
        Ok(plain(&self.workflow.codes())?)
    }

    /// The goal whose answers begin runs, if the text names one.
    #[wasm_bindgen(getter)]
    pub fn goal(&self) -> Option<String> {
        self.workflow.follows.as_ref().map(|follows| follows.goal.clone())
    }

    /// The name of the run for an answer of that goal: the names of its variables, and the texts of their values.
    #[wasm_bindgen(js_name = runOf)]
    pub fn run_of(&self, names: Vec<String>, texts: Vec<String>) -> Option<String> {
        self.workflow.run_of(names.into_iter().zip(texts).collect())
    }

    /// The runs that it began by itself and that failed or were cut off, and those that were cut off after they had gone on
    /// by themselves, earliest first.
    pub fn unfinished(&self, runs: &Runs) -> Result<Vec<String>, JsError> {
        failed::check()?;
        Ok(runs.0.unfinished(&self.workflow))
    }

    /// How long a node's Prolog may run, in milliseconds, if the text says so.
    #[wasm_bindgen(getter, js_name = timeoutMs)]
    pub fn timeout_ms(&self) -> Option<f64> {
        self.workflow.timeout_ms.map(|ms| ms as f64)
    }

    /// How the Prolog of a node, or of a step `NODE.STEP`, decides with `state`, or why it fails. It runs
    /// again in isolation, without consequences. What it throws has a `kind`.
    #[wasm_bindgen(unchecked_return_type = "Promise<Proof>")]
    pub fn explain(
        &self,
        prolog: &NodeProlog,
        node: String,
        state: JsValue,
        timeout_ms: f64,
    ) -> js_sys::Promise {
        let (workflow, prolog) = (self.workflow.clone(), prolog.0.clone());
        future_to_promise(async move {
            failed::check()?;
            let state = object_from_js(&state, "the state").map_err(|why| JsError::new(&why))?;
            let explain = async {
                prolog
                    .explain(workflow.decision(&node)?, &state, timeout_ms as u64)
                    .await
            };
            let explained = explain.await.map_err(|fault| fault_to_js(&fault))?;
            Ok(plain(&proof(explained)).map_err(JsError::from)?)
        })
    }

    /// Check that a node can take what a signal of this name brings.
    #[wasm_bindgen(js_name = checkSignal)]
    pub fn check_signal(&self, name: &str, data: &JsValue) -> Result<(), JsError> {
        failed::check()?;
        let checked = from_js(data, "the data").and_then(|data| self.workflow.check_signal(name, &data));
        checked.map_err(|why| JsError::new(&why))
    }

    /// Start with `state`. `id` identifies the run to actions, and in the book of `runs` if given.
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
        let means = self.means(prolog, ports, timeout_ms);
        Ok(self.running(means, id, ledger, Begin::Start(state)))
    }

    /// Resume from the `checkpoint` of an interrupt event, with `updates` to its state: they answer the one named
    /// `interrupt`, or the only one.
    #[allow(clippy::too_many_arguments)]
    pub fn resume(
        &self,
        prolog: &NodeProlog,
        ports: JsWorkflowPorts,
        checkpoint: &JsValue,
        updates: &JsValue,
        timeout_ms: f64,
        id: String,
        interrupt: Option<String>,
    ) -> Result<GraphRun, JsValue> {
        failed::check()?;
        let begin = resumed(checkpoint, updates, interrupt.as_deref()).map_err(refused_to_js)?;
        Ok(self.running(self.means(prolog, ports, timeout_ms), id, None, begin))
    }

    /// Resume the run `id` of a book from where it is, with `updates` to its state: they answer the one named
    /// `interrupt`, or the only one. Without `updates` it goes on only if what it waits for has come by itself. What it
    /// throws says where this text departs from what the run has done.
    #[allow(clippy::too_many_arguments)]
    #[wasm_bindgen(js_name = resumeKept)]
    pub fn resume_kept(
        &self,
        prolog: &NodeProlog,
        ports: JsWorkflowPorts,
        updates: &JsValue,
        timeout_ms: f64,
        id: String,
        runs: &Runs,
        interrupt: Option<String>,
    ) -> Result<GraphRun, JsValue> {
        failed::check()?;
        let begun = || -> Result<_, Refused> {
            let kept = runs
                .0
                .load(&id, None)
                .map_err(|why| RefusedKind::NoSuchRun.because(why))?;
            let agrees = kept.check_agrees(&self.workflow);
            agrees.map_err(|why| RefusedKind::ChangedText.because(why))?;
            let resumed = match updates.is_undefined() {
                true => None,
                false => {
                    let updates = object_from_js(updates, "the updates");
                    let updates = updates.map_err(|why| RefusedKind::Invalid.because(why))?;
                    Some(kept.resumed(interrupt.as_deref(), &updates, &self.workflow)?)
                }
            };
            let running = |why| RefusedKind::Running.because(why);
            let ledger = runs.0.resume(&id, &kept, &self.workflow, &self.text);
            let ledger = ledger.map_err(running)?;
            let shapers = runs.0.shaped_by(&id).map_err(running)?;
            let thread = Box::new(kept.thread);
            let begin = match resumed {
                Some((path, did)) => Begin::Resume { thread, path, did },
                None => Begin::Wake { thread },
            };
            Ok((ledger, begin, shapers))
        };
        let (ledger, begin, shapers) = begun().map_err(refused_to_js)?;
        let mut means = self.means(prolog, ports, timeout_ms);
        let bound = |(name, runs): (&String, &kept::Runs)| (name.clone(), runs.bound_by(&shapers));
        means.books = Rc::new(means.books.iter().map(bound).collect());
        Ok(self.running(means, id, Some(ledger), begin))
    }
}

impl Graph {
    fn means(&self, prolog: &NodeProlog, ports: JsWorkflowPorts, timeout_ms: f64) -> Means {
        Means {
            prolog: Rc::new(prolog.0.clone()),
            timeout_ms: timeout_ms as u64,
            host: Rc::new(Host(ports)),
            books: self.books.0.clone(),
            clock: Rc::new(JsClock),
        }
    }

    fn running(&self, means: Means, id: String, ledger: Option<Ledger>, begin: Begin) -> GraphRun {
        GraphRun(Rc::new(Run::new(self.workflow.clone(), means, id, ledger, begin)))
    }
}

/// For values without integers that exceed a JavaScript number.
fn plain(value: &impl Serialize) -> Result<JsValue, serde_wasm_bindgen::Error> {
    value.serialize(&serde_wasm_bindgen::Serializer::json_compatible())
}

/// A proof in the form used for queries.
fn proof(explained: Explained) -> Proof {
    let clauses = explained.clauses.into_iter().map(|clause| {
        let own = ProofClause {
            text: clause.text,
            origin: "node",
            filename: None,
            line: Some(clause.line),
        };
        (clause.id.to_string(), own)
    });
    Proof::new(
        (explained.holds, false),
        explained.nodes,
        clauses.collect(),
        explained.cut,
    )
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
        only_prolog: false,
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

fn resumed(checkpoint: &JsValue, updates: &JsValue, interrupt: Option<&str>) -> Result<Begin, Refused> {
    let invalid = |why: String| RefusedKind::Invalid.because(why);
    let updates = object_from_js(updates, "the updates").map_err(invalid)?;
    let checkpoint = from_js(checkpoint, "the checkpoint").map_err(invalid)?;
    let text = serde_json::to_string(&checkpoint).map_err(|error| invalid(error.to_string()))?;
    let thread = serde_json::from_str::<Box<Thread>>(&text);
    let thread =
        thread.map_err(|_| invalid("the checkpoint is not that of an interrupt event".to_owned()))?;
    let (path, did) = thread.resumed(interrupt, &updates, true)?;
    Ok(Begin::Resume { thread, path, did })
}

/// A run. It only makes progress while someone awaits its next event, until `stop`.
#[wasm_bindgen]
pub struct GraphRun(Rc<Run>);

#[wasm_bindgen]
impl GraphRun {
    /// The next event, `undefined` after the last.
    #[wasm_bindgen(unchecked_return_type = "Promise<WorkflowEvent | undefined>")]
    pub fn next(&self) -> js_sys::Promise {
        let run = self.0.clone();
        future_to_promise(async move {
            failed::check()?;
            let event = run.next().await;
            Ok(event.map_or(JsValue::UNDEFINED, |event| to_js(&Json::of(&event))))
        })
    }

    /// Abandon the run; whoever awaits the next event gets none.
    pub fn stop(&self) {
        self.0.stop();
    }
}

fn load_fault_to_js(fault: LoadFault) -> JsValue {
    let error = js_sys::Error::new(&fault.to_string());
    set(&error, "line", (fault.line as f64).into());
    set(&error, "column", (fault.column as f64).into());
    error.into()
}

pub(super) fn fault_to_js(fault: &WorkflowFault) -> JsValue {
    let error = js_sys::Error::new(&fault.message);
    set(&error, "kind", fault.kind.word().into());
    if let Some(line) = fault.line {
        set(&error, "line", line.into());
    }
    error.into()
}

fn refused_to_js(refused: Refused) -> JsValue {
    let error = js_sys::Error::new(&refused.message);
    set(&error, "kind", refused.kind.word().into());
    error.into()
}

fn set(error: &js_sys::Error, name: &str, value: JsValue) {
    // An error is an object that accepts properties.
    let _ = js_sys::Reflect::set(error, &name.into(), &value);
}
