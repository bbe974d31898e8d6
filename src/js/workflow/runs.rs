//! The workflow runs that a book stores, for JavaScript.

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

use super::super::clock::JsClock;
use super::super::facade::Hornbook;
use super::super::failed;
use super::super::value::{from_js, object_to_js, to_js};
use super::plain;
use crate::base::Clock;
use crate::workflow::json::Json;
use crate::workflow::runs::{self, Filter, Whose};

#[wasm_bindgen]
impl Hornbook {
    /// The workflow runs that the book stores.
    pub fn runs(&self) -> Runs {
        Runs(self.runs.clone())
    }
}

/// The workflow runs that a book stores.
#[wasm_bindgen]
#[derive(Clone)]
pub struct Runs(pub(in super::super) runs::Runs);

#[wasm_bindgen]
impl Runs {
    /// All runs, latest first, or those with this status.
    #[wasm_bindgen(unchecked_return_type = "KeptRun[]")]
    pub fn list(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "RunStatus | \"interrupted\"")] status: JsValue,
    ) -> Result<JsValue, JsError> {
        failed::check()?;
        let mut runs = self.0.list();
        if !status.is_undefined() {
            let wanted =
                Filter::of_word(&text_of(&status, "The status")?).map_err(|why| JsError::new(&why))?;
            runs.retain(|run| wanted.takes(run));
        }
        Ok(plain(&runs)?)
    }

    /// The runs, of whatever workflow, that waited for a time that has come or for a signal that was sent, and when the
    /// next one can go on: of those that a server with no other toolsets than these began or resumed last.
    #[wasm_bindgen(unchecked_return_type = "DueRuns")]
    pub fn due(&self, tools: Vec<String>) -> Result<JsValue, JsError> {
        failed::check()?;
        Ok(plain(&self.0.due(Whose::Server(&tools), JsClock.now_ms()))?)
    }

    /// What a run waits for.
    #[wasm_bindgen(unchecked_return_type = "WorkflowInterrupt[]")]
    pub fn interrupts(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] run: &JsValue,
    ) -> Result<JsValue, JsError> {
        failed::check()?;
        let kept = self
            .0
            .load(&run_of(run)?, None)
            .map_err(|why| JsError::new(&why))?;
        Ok(to_js(&Json::of(&kept.interrupts())))
    }

    /// Send a signal to a run: the node that waits for this name gets `data`, once. Resolves when it is kept.
    #[wasm_bindgen(unchecked_return_type = "Promise<void>")]
    pub fn signal(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] run: JsValue,
        #[wasm_bindgen(unchecked_param_type = "string")] name: JsValue,
        data: JsValue,
    ) -> js_sys::Promise {
        let runs = self.0.clone();
        future_to_promise(async move {
            failed::check()?;
            let data = match data.is_undefined() {
                true => Json::Null,
                false => from_js(&data, "the data").map_err(|why| JsError::new(&why))?,
            };
            let sent = runs
                .signal(&run_of(&run)?, &text_of(&name, "The name of the signal")?, &data)
                .await;
            sent.map_err(|why| JsError::new(&why))?;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// Give a run up, so that it does not go on.
    #[wasm_bindgen(unchecked_return_type = "Promise<void>")]
    pub fn cancel(&self, #[wasm_bindgen(unchecked_param_type = "string")] run: JsValue) -> js_sys::Promise {
        let runs = self.0.clone();
        future_to_promise(async move {
            failed::check()?;
            let cancelled = runs.cancel(&run_of(&run)?, JsClock.now_ms()).await;
            cancelled.map_err(|why| JsError::new(&why))?;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// Drop the runs that have ended or were cancelled, and that began before this time, in milliseconds since 1970.
    /// Resolves to how many were dropped.
    #[wasm_bindgen(js_name = forgetBefore, unchecked_return_type = "Promise<number>")]
    pub fn forget_before(&self, ms: f64) -> js_sys::Promise {
        let runs = self.0.clone();
        future_to_promise(async move {
            failed::check()?;
            let gone = runs.forget_before(ms as u64).await;
            Ok(JsValue::from_f64(gone.map_err(|why| JsError::new(&why))? as f64))
        })
    }

    /// What a run did, in order.
    #[wasm_bindgen(unchecked_return_type = "KeptCheckpoint[]")]
    pub fn checkpoints(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] run: &JsValue,
    ) -> Result<JsValue, JsError> {
        failed::check()?;
        let checkpoints = self
            .0
            .checkpoints(&run_of(run)?)
            .map_err(|why| JsError::new(&why))?;
        Ok(plain(&checkpoints)?)
    }

    /// The state of a run, at its last checkpoint or at the given one.
    #[wasm_bindgen(unchecked_return_type = "any")]
    pub fn state(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] run: &JsValue,
        checkpoint: Option<f64>,
    ) -> Result<JsValue, JsError> {
        failed::check()?;
        let kept = self.0.load(&run_of(run)?, checkpoint.map(|number| number as u64));
        let kept = kept.map_err(|why| JsError::new(&why))?;
        Ok(object_to_js(&kept.thread.state))
    }

    /// The state that a node saw, where `checkpoint` is the node's end: the input of {@link
    /// Workflow.explain}.
    #[wasm_bindgen(unchecked_return_type = "any")]
    pub fn met(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] run: &JsValue,
        checkpoint: f64,
    ) -> Result<JsValue, JsError> {
        failed::check()?;
        let met = self.0.met(&run_of(run)?, checkpoint as u64);
        Ok(object_to_js(&met.map_err(|why| JsError::new(&why))?))
    }

    /// The text that a run was started with, or last resumed with.
    pub fn text(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] run: &JsValue,
    ) -> Result<String, JsError> {
        failed::check()?;
        self.0.text(&run_of(run)?).map_err(|why| JsError::new(&why))
    }

    /// The files that a run's text names, by name.
    #[wasm_bindgen(unchecked_return_type = "Record<string, string>")]
    pub fn files(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] run: &JsValue,
    ) -> Result<JsValue, JsError> {
        failed::check()?;
        let files = self.0.files(&run_of(run)?).map_err(|why| JsError::new(&why))?;
        let files = files.into_iter().map(|(name, text)| (name, Json::Text(text)));
        Ok(to_js(&files.collect::<Json>()))
    }

    /// Create a run `id` that begins at a checkpoint of another; resolves when it exists.
    #[wasm_bindgen(unchecked_return_type = "Promise<void>")]
    pub fn fork(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] run: JsValue,
        checkpoint: f64,
        #[wasm_bindgen(unchecked_param_type = "string")] id: JsValue,
    ) -> js_sys::Promise {
        let runs = self.0.clone();
        future_to_promise(async move {
            failed::check()?;
            let forked = runs
                .fork(&run_of(&run)?, checkpoint as u64, run_of(&id)?, JsClock.now_ms())
                .await;
            forked.map_err(|why| JsError::new(&why))?;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// Drop the records before the last `keep`. Resolves to how many were dropped.
    #[wasm_bindgen(unchecked_return_type = "Promise<number>")]
    pub fn prune(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] run: JsValue,
        keep: f64,
    ) -> js_sys::Promise {
        let runs = self.0.clone();
        future_to_promise(async move {
            failed::check()?;
            let gone = runs.prune(&run_of(&run)?, keep as u64).await;
            Ok(JsValue::from_f64(gone.map_err(|why| JsError::new(&why))? as f64))
        })
    }

    /// Drop a run with all its records.
    #[wasm_bindgen(unchecked_return_type = "Promise<void>")]
    pub fn forget(&self, #[wasm_bindgen(unchecked_param_type = "string")] run: JsValue) -> js_sys::Promise {
        let runs = self.0.clone();
        future_to_promise(async move {
            failed::check()?;
            runs.forget(&run_of(&run)?)
                .await
                .map_err(|why| JsError::new(&why))?;
            Ok(JsValue::UNDEFINED)
        })
    }
}

/// Programs without types pass anything.
fn text_of(value: &JsValue, what: &str) -> Result<String, JsError> {
    let text = value.as_string();
    text.ok_or_else(|| JsError::new(&format!("{what} must be a string.")))
}

fn run_of(value: &JsValue) -> Result<String, JsError> {
    text_of(value, "The name of the run")
}
