//! The operations on a book that the package's `openBook` is built on, with values as JavaScript has them.

use std::rc::Rc;

use serde::Serialize;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

use super::facade::Hornbook;
use super::failed::{self, thrown};
use super::json;
use crate::base::{CancelToken, Control, Fault, Priority, Progress};
use crate::service::package::{Imported, Outcomes, Reversed, Revisions, Step, Unimported, WatchedStep};
use crate::workspace::{
    FileFormat, ImportOptions, Leaves, QueryNext, QueryStart, Watched, Watching, Whose, Wishes,
};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
import type { Changes, Failed, Failure, FileInfo, Imported, ImportedColumn, ImportedTable, Outcomes, Reversed, Revisions, Step, StepAnswer, Unimported, WatchedStep } from "../generated/hornbook.js";
export type { Changes, Failed, Failure, FileInfo, Imported, ImportedColumn, ImportedTable, Outcomes, Reversed, Revisions, Step, StepAnswer, Unimported, WatchedStep };
"#;

/// Cancels what runs for one caller, with the caller's priority.
#[wasm_bindgen]
#[derive(Default)]
pub struct Cancel(CancelToken, Priority);

#[wasm_bindgen]
impl Cancel {
    pub fn cancel(&self) {
        self.0.cancel();
    }
}

impl Cancel {
    pub(super) fn control(&self) -> Control {
        Control {
            cancel: self.0.clone(),
            priority: self.1,
            ..Control::default()
        }
    }

    /// As [`Cancel::control`], and what is done calls `told` with how much, and with how much there is to do.
    fn reporting(&self, told: Option<js_sys::Function>) -> Control {
        let report = told.map(|told| {
            Rc::new(move |Progress { done, total, .. }: Progress| {
                let total = total.map_or(JsValue::UNDEFINED, |total| JsValue::from_f64(total as f64));
                // What it throws is its own affair.
                let _ = told.call2(&JsValue::NULL, &JsValue::from_f64(done as f64), &total);
            }) as Rc<dyn Fn(Progress)>
        });
        Control {
            progress: report,
            ..self.control()
        }
    }
}

/// A goal that is watched until this is freed, or collected because nobody holds it.
#[wasm_bindgen]
pub struct Watch {
    _watching: Watching,
}

#[wasm_bindgen]
impl Hornbook {
    /// Call a function with what a goal answers, as a [`WatchedStep`], now and each time that this has changed. `asking`
    /// is called with `true` when the goal begins to be asked, and with `false` when that has ended.
    pub fn watch(&self, goal: String, changed: js_sys::Function, asking: Option<js_sys::Function>) -> Watch {
        let listener = move |watched: &Watched| {
            let step = serde_json::to_string(&WatchedStep::from(watched.clone()));
            // What it throws is its own affair.
            let _ = changed.call1(&JsValue::NULL, &json::parse(&step.unwrap_or_default()));
        };
        let asking = move |is: bool| {
            if let Some(asking) = &asking {
                let _ = asking.call1(&JsValue::NULL, &is.into());
            }
        };
        Watch {
            _watching: self.workspace.watch_counted(goal, listener, asking),
        }
    }

    /// A cancellation for the calls of one caller, whose priority is `high`, `normal` or `low`.
    pub fn cancellation(&self, priority: Option<String>) -> Cancel {
        let priority = match priority.as_deref() {
            Some("high") => Priority::High,
            Some("low") => Priority::Low,
            _ => Priority::Normal,
        };
        Cancel(CancelToken::default(), priority)
    }

    /// Open a query and take up to `take` answers. One that is asked `again`, as somebody else has asked it, calls no
    /// predicates that the host answers, and leaves no global variables or flags. Answers that are `exact` tell atoms
    /// from strings. `value_chars` of its text are of values.
    #[wasm_bindgen(js_name = queryStart, unchecked_return_type = "Promise<Step>")]
    #[allow(clippy::too_many_arguments)]
    pub fn query_start(
        &self,
        query: String,
        assume: Option<Vec<String>>,
        take: usize,
        timeout_ms: Option<u32>,
        cancel: &Cancel,
        again: Option<bool>,
        exact: Option<bool>,
        value_chars: usize,
    ) -> js_sys::Promise {
        let (workspace, control) = (self.workspace.clone(), cancel.control());
        promise(async move {
            let start = QueryStart {
                query,
                assume,
                take: Some(take),
                timeout_ms: timeout_ms.map(u64::from),
                awaited: true,
                leaves: match again {
                    Some(true) => Leaves::NothingAnywhere,
                    _ => Leaves::All,
                },
                exact: exact.unwrap_or_default(),
                value_chars,
                ..QueryStart::default()
            };
            Ok(Step::from(workspace.query_start(start, &control).await?))
        })
    }

    /// Take up to `take` more answers.
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
            Ok(Step::from(workspace.query_next(next, &control).await?))
        })
    }

    /// Resolves to whether it was open.
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
            Ok(Outcomes::from(report))
        })
    }

    /// Remove the first clause that unifies with each of these.
    #[wasm_bindgen(unchecked_return_type = "Promise<Outcomes>")]
    pub fn retract(&self, texts: Vec<String>) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        promise(async move {
            let report = workspace.retract_clauses(texts, &Control::default()).await?;
            Ok(Outcomes::from(report))
        })
    }

    /// Replace the first clause that unifies with `old` by those of `texts`, in the same place of its file.
    #[wasm_bindgen(js_name = replaceClause, unchecked_return_type = "Promise<Outcomes>")]
    pub fn replace_clause(&self, old: String, texts: Vec<String>) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        promise(async move {
            let report = workspace
                .replace_clause(&old, &texts, &Control::default())
                .await?;
            Ok(Outcomes::from(report))
        })
    }

    /// Add the clauses of a file, or replace those that the book has of it. If `text` is given, it is the
    /// contents, and `filename` is only a name. `format` is the name of a format, if the extension does not say it. Of a
    /// table, `columns` and `header` say how to read it. `progress` is called with how much of it is in the engine, and
    /// with how much there is; what is cancelled adds nothing.
    #[wasm_bindgen(js_name = importFile, unchecked_return_type = "Promise<Imported>")]
    #[allow(clippy::too_many_arguments)]
    pub fn import_file(
        &self,
        filename: String,
        text: Option<String>,
        columns: Option<String>,
        header: Option<bool>,
        format: Option<String>,
        cancel: &Cancel,
        progress: Option<js_sys::Function>,
    ) -> js_sys::Promise {
        let (workspace, control) = (self.workspace.clone(), cancel.reporting(progress));
        promise(async move {
            let options = ImportOptions {
                format: format.as_deref().map(FileFormat::named).transpose()?,
                table: Wishes {
                    columns,
                    header,
                    ..Wishes::default()
                },
                keeps_retracted: true,
            };
            let report = workspace.reload_as(&filename, text, &options, &control).await?;
            Ok(Imported::from(report))
        })
    }

    /// The text of a file of the book, with the clauses retracted since it was imported.
    #[wasm_bindgen(js_name = importedText)]
    pub fn imported_text(&self, filename: &str) -> Option<String> {
        self.workspace.imported_text(filename)
    }

    /// Remove all that remains of an imported file.
    #[wasm_bindgen(unchecked_return_type = "Promise<Unimported>")]
    pub fn unimport(&self, filename: String) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        promise(async move {
            let report = workspace.unimport(&filename, &Control::default()).await?;
            Ok(Unimported::from(report))
        })
    }

    /// The imported files, oldest first.
    #[wasm_bindgen(unchecked_return_type = "Promise<FileInfo[]>")]
    pub fn files(&self) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        promise(async move {
            workspace.freshen().await;
            Ok(workspace.files())
        })
    }

    /// Undo operations, the last first: those of this process or, with `all`, of any.
    #[wasm_bindgen(unchecked_return_type = "Promise<Reversed>")]
    pub fn undo(&self, steps: usize, all: Option<bool>) -> js_sys::Promise {
        self.reverse(steps, Way::Undo, all)
    }

    /// Undo what was done since a savepoint.
    #[wasm_bindgen(js_name = undoTo, unchecked_return_type = "Promise<Reversed>")]
    pub fn undo_to(&self, savepoint: String, all: Option<bool>) -> js_sys::Promise {
        self.reverse(0, Way::UndoTo(savepoint), all)
    }

    /// Give the book as it is now a name.
    #[wasm_bindgen(unchecked_return_type = "Promise<{ revision: number; movedFrom?: number }>")]
    pub fn savepoint(&self, name: String) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        promise(async move { workspace.savepoint(&name, &Control::default()).await })
    }

    /// Redo what was undone.
    #[wasm_bindgen(unchecked_return_type = "Promise<Reversed>")]
    pub fn redo(&self, steps: usize, all: Option<bool>) -> js_sys::Promise {
        self.reverse(steps, Way::Redo, all)
    }

    /// The last `steps` revisions up to `to`, or to the last one.
    #[wasm_bindgen(unchecked_return_type = "Promise<Revisions>")]
    pub fn history(&self, steps: usize, to: Option<f64>) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        promise(async move {
            workspace.freshen().await;
            let history = workspace.history(steps, to.map(|to| to as u64))?;
            Ok(Revisions::from(history))
        })
    }

    /// The differences between two revisions: from the one before `to`, and to the last one, unless given.
    #[wasm_bindgen(unchecked_return_type = "Promise<Changes>")]
    pub fn diff(&self, from: Option<f64>, to: Option<f64>) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        promise(async move {
            workspace.freshen().await;
            workspace
                .diff(from.map(|from| from as u64), to.map(|to| to as u64))
                .await
        })
    }

    /// Why a goal holds, or why it fails; with `answer`, the proof of the answer with this number, from 1. Its
    /// changes are undone.
    #[wasm_bindgen(unchecked_return_type = "Promise<Proof>")]
    pub fn explain(
        &self,
        goal: String,
        answer: Option<usize>,
        timeout_ms: Option<u32>,
        cancel: &Cancel,
    ) -> js_sys::Promise {
        let (workspace, control) = (self.workspace.clone(), cancel.control());
        let timeout_ms = timeout_ms.map(u64::from);
        promise(async move {
            match answer {
                None => workspace.why(&goal, timeout_ms, &control).await,
                Some(answer) => workspace.prove(&goal, answer, timeout_ms, &control).await,
            }
        })
    }

    /// Call a function after each change of the clauses, by whomever.
    #[wasm_bindgen(js_name = onChange)]
    pub fn on_change(&self, changed: js_sys::Function) {
        self.workspace.on_change(move |what| {
            if what.clauses {
                // What it throws is its own affair.
                let _ = changed.call0(&JsValue::NULL);
            }
        });
    }

    /// Call a function after each change of documents, or of what else the book keeps beside clauses, by whomever.
    #[wasm_bindgen(js_name = onCells)]
    pub fn on_cells(&self, changed: js_sys::Function) {
        self.workspace.on_change(move |what| {
            if what.cells {
                // What it throws is its own affair.
                let _ = changed.call0(&JsValue::NULL);
            }
        });
    }

    /// The whole book as Prolog text.
    #[wasm_bindgen(unchecked_return_type = "Promise<string>")]
    pub fn snapshot(&self) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        promise(async move {
            workspace.freshen().await;
            Ok(workspace.snapshot().await.text)
        })
    }
}

enum Way {
    Undo,
    UndoTo(String),
    Redo,
}

impl Hornbook {
    fn reverse(&self, steps: usize, way: Way, all: Option<bool>) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        let whose = match all {
            Some(true) => Whose::All,
            _ => Whose::Own,
        };
        promise(async move {
            let control = Control::default();
            let done = match way {
                Way::Undo => workspace.undo(steps, whose, None, &control).await?,
                Way::UndoTo(savepoint) => workspace.undo_to(&savepoint, whose, None, &control).await?,
                Way::Redo => workspace.redo(steps, whose, None, &control).await?,
            };
            Ok(Reversed::from(done))
        })
    }
}

/// A promise of a value; it rejects with an `Error` made by [`thrown`].
pub(super) fn promise<T: Serialize>(
    work: impl Future<Output = Result<T, Fault>> + 'static,
) -> js_sys::Promise {
    future_to_promise(async move {
        failed::check()?;
        match work.await {
            // Converted through text, where `__proto__` is a key like any other.
            Ok(value) => Ok(json::parse(
                &serde_json::to_string(&value).map_err(JsError::from)?,
            )),
            Err(fault) => Err(thrown(&fault)),
        }
    })
}
