//! What `openBook` of the package is made of: the operations on a book, their values as JavaScript has them.

use serde::Serialize;
use serde_json::Value;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

use super::facade::Hornbook;
use super::failed::{self, kind_name, thrown};
use super::json;
use crate::base::{CancelToken, Control, Fault};
use crate::workspace::{Answers, ClauseOutcome, Notice, OutcomeResult, QueryNext, QueryStart};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** What was thrown, or ended the answers. */
export interface Failure {
  kind: string;
  /** With what to do next. */
  message: string;
  /** From 1, for errors of syntax. */
  line?: number;
  /** From 0. */
  column?: number;
}

/** Answers of a query, as the engine gives them: values are JSON as in docs/engine-protocol.md. */
export interface Step {
  id: string;
  answers: { bindings: [name: string, text: string, json: unknown][]; residual: string[]; output: string }[];
  /** Whether more may follow. */
  more: boolean;
  /** Written after the last answer. */
  output: string;
  failure?: Failure;
  notices: string[];
}

/** What became of clauses, in their order. */
export interface Outcomes {
  clauses: { clause: string; failure?: Failure }[];
  notices: string[];
}

/** What an undo or a redo did. */
export interface Reversal {
  /** How many operations were taken back, or done again. */
  steps: number;
  /** Clauses that came back, and that went. */
  added: number;
  removed: number;
  /** How many operations can still be taken back, and done again. */
  undoable: number;
  redoable: number;
  notices: string[];
}
"#;

/// Ends what runs for one caller.
#[wasm_bindgen]
#[derive(Default)]
pub struct Cancel(CancelToken);

#[wasm_bindgen]
impl Cancel {
    #[wasm_bindgen(constructor)]
    pub fn new() -> Cancel {
        Cancel::default()
    }

    pub fn cancel(&self) {
        self.0.cancel();
    }
}

impl Cancel {
    fn control(&self) -> Control {
        Control {
            cancel: self.0.clone(),
            ..Control::default()
        }
    }
}

#[wasm_bindgen]
impl Hornbook {
    /// Open a query and take up to so many answers.
    #[wasm_bindgen(js_name = queryStart, unchecked_return_type = "Promise<Step>")]
    pub fn query_start(
        &self,
        query: String,
        take: usize,
        timeout_ms: Option<u32>,
        cancel: &Cancel,
    ) -> js_sys::Promise {
        let (workspace, control) = (self.workspace.clone(), cancel.control());
        promise(async move {
            let start = QueryStart {
                query,
                take: Some(take),
                timeout_ms: timeout_ms.map(u64::from),
                ..QueryStart::default()
            };
            let started = workspace.query_start(start, &control).await?;
            let notices = started.notices;
            let answers = started.answers.expect("answers were asked for");
            Ok(Step::new(answers, notices))
        })
    }

    /// Up to so many more answers.
    #[wasm_bindgen(js_name = queryNext, unchecked_return_type = "Promise<Step>")]
    pub fn query_next(
        &self,
        id: String,
        take: usize,
        timeout_ms: Option<u32>,
        cancel: &Cancel,
    ) -> js_sys::Promise {
        let (workspace, control) = (self.workspace.clone(), cancel.control());
        promise(async move {
            let next = QueryNext {
                query_id: Some(id),
                take: Some(take),
                timeout_ms: timeout_ms.map(u64::from),
            };
            let answers = workspace.query_next(next, &control).await?;
            Ok(Step::new(answers, Vec::new()))
        })
    }

    /// Resolves with whether it was open.
    #[wasm_bindgen(js_name = queryClose, unchecked_return_type = "Promise<boolean>")]
    pub fn query_close(&self, id: String) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        promise(async move {
            let closed = workspace.query_close(Some(&id), &Control::default()).await?;
            Ok(closed.was_open)
        })
    }

    /// Add clauses at the end of the book.
    #[wasm_bindgen(unchecked_return_type = "Promise<Outcomes>")]
    pub fn assert(&self, texts: Vec<String>) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        promise(async move {
            let report = workspace.assert_clauses(texts, &Control::default()).await?;
            Ok(Outcomes::new(report.outcomes, report.notices))
        })
    }

    /// Take out the first clause that unifies with each of these.
    #[wasm_bindgen(unchecked_return_type = "Promise<Outcomes>")]
    pub fn retract(&self, texts: Vec<String>) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        promise(async move {
            let report = workspace.retract_clauses(texts, &Control::default()).await?;
            Ok(Outcomes::new(report.outcomes, report.notices))
        })
    }

    /// Add the clauses of a file; with `text`, its contents, `filename` is only a name.
    #[wasm_bindgen(js_name = importFile, unchecked_return_type = "Promise<Saved & { filename: string }>")]
    pub fn import_file(&self, filename: String, text: Option<String>) -> js_sys::Promise {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Imported {
            filename: String,
            clauses_added: usize,
            errors: Vec<String>,
            output: String,
            notices: Vec<String>,
        }
        let workspace = self.workspace.clone();
        promise(async move {
            let report = workspace.import(&filename, text, &Control::default()).await?;
            Ok(Imported {
                filename: report.filename,
                clauses_added: report.clauses_added,
                errors: report.errors,
                output: report.output,
                notices: texts(report.notices),
            })
        })
    }

    /// Take back operations, the last first.
    #[wasm_bindgen(unchecked_return_type = "Promise<Reversal>")]
    pub fn undo(&self, steps: usize) -> js_sys::Promise {
        self.reverse(steps, Way::Undo)
    }

    /// Do again what was taken back.
    #[wasm_bindgen(unchecked_return_type = "Promise<Reversal>")]
    pub fn redo(&self, steps: usize) -> js_sys::Promise {
        self.reverse(steps, Way::Redo)
    }

    /// All of the book as Prolog text.
    #[wasm_bindgen(unchecked_return_type = "Promise<string>")]
    pub fn snapshot(&self) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        promise(async move { Ok(workspace.snapshot().await.text) })
    }
}

enum Way {
    Undo,
    Redo,
}

impl Hornbook {
    fn reverse(&self, steps: usize, way: Way) -> js_sys::Promise {
        #[derive(Serialize)]
        struct Reversal {
            steps: usize,
            added: usize,
            removed: usize,
            undoable: usize,
            redoable: usize,
            notices: Vec<String>,
        }
        let workspace = self.workspace.clone();
        promise(async move {
            let control = Control::default();
            let done = match way {
                Way::Undo => workspace.undo(steps, &control).await?,
                Way::Redo => workspace.redo(steps, &control).await?,
            };
            Ok(Reversal {
                steps: done.steps,
                added: done.added,
                removed: done.removed,
                undoable: done.undoable,
                redoable: done.redoable,
                notices: texts(done.notices),
            })
        })
    }
}

#[derive(Serialize)]
struct Step {
    id: String,
    answers: Vec<Answer>,
    more: bool,
    output: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<Failure>,
    notices: Vec<String>,
}

#[derive(Serialize)]
struct Answer {
    bindings: Vec<(String, String, Value)>,
    residual: Vec<String>,
    output: String,
}

impl Step {
    fn new(answers: Answers, mut notices: Vec<Notice>) -> Step {
        notices.extend(answers.notices);
        let told = answers.answers.into_iter().map(|answer| Answer {
            bindings: answer
                .bindings
                .into_iter()
                .map(|binding| (binding.name, binding.text, binding.json))
                .collect(),
            residual: answer.residual,
            output: answer.output,
        });
        Step {
            id: answers.query_id,
            answers: told.collect(),
            more: answers.more,
            output: answers.output,
            failure: answers.fault.as_ref().map(Failure::new),
            notices: texts(notices),
        }
    }
}

#[derive(Serialize)]
struct Outcomes {
    clauses: Vec<Outcome>,
    notices: Vec<String>,
}

#[derive(Serialize)]
struct Outcome {
    clause: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<Failure>,
}

impl Outcomes {
    fn new(outcomes: Vec<ClauseOutcome>, notices: Vec<Notice>) -> Outcomes {
        let told = outcomes.into_iter().map(|outcome| Outcome {
            clause: outcome.clause,
            failure: match outcome.result {
                OutcomeResult::Success => None,
                OutcomeResult::Error {
                    message,
                    kind,
                    line,
                    column,
                } => Some(Failure {
                    kind: kind_name(kind),
                    message,
                    line,
                    column,
                }),
            },
        });
        Outcomes {
            clauses: told.collect(),
            notices: texts(notices),
        }
    }
}

/// A fault as JavaScript is told of it.
#[derive(Serialize)]
pub struct Failure {
    kind: String,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
}

impl Failure {
    pub fn new(fault: &Fault) -> Failure {
        Failure {
            kind: kind_name(fault.kind),
            message: failed::sentence(fault),
            line: fault.line,
            column: fault.column,
        }
    }
}

fn texts(notices: Vec<Notice>) -> Vec<String> {
    notices.into_iter().map(|notice| notice.0).collect()
}

/// A promise of a value; it rejects with an `Error` as [`thrown`] makes it.
fn promise<T: Serialize>(work: impl Future<Output = Result<T, Fault>> + 'static) -> js_sys::Promise {
    future_to_promise(async move {
        failed::check()?;
        match work.await {
            // By way of its text, in which a key `__proto__` is one like any other.
            Ok(value) => Ok(json::parse(
                &serde_json::to_string(&value).map_err(JsError::from)?,
            )),
            Err(fault) => Err(thrown(&fault)),
        }
    })
}
