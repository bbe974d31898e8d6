//! What a program that follows a workflow asks and tells, for JavaScript.

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

use super::runs::Runs;
use super::{Graph, plain};
use crate::base::Clock;
use crate::js::clock::JsClock;
use crate::js::failed;
use crate::js::value::object_to_js;
use crate::workflow::runs::Whose;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** The runs that can go on by themselves, and when the next one can. */
export interface DueRuns {
  runs: string[];
  next_ms?: number;
}

/** The time of a schedule that has come, with its run, and the next time. */
export interface ScheduleTick {
  due?: { ms: number; run: string };
  next_ms?: number;
}
"#;

#[wasm_bindgen]
impl Graph {
    /// Whether a node waits for a time or a signal.
    #[wasm_bindgen(getter)]
    pub fn awaits(&self) -> bool {
        self.workflow.awaits()
    }

    /// The cron expression whose times begin runs, if the text has one.
    #[wasm_bindgen(getter)]
    pub fn cron(&self) -> Option<String> {
        let schedule = self.workflow.schedule.as_ref();
        schedule.map(|schedule| schedule.cron.text.clone())
    }

    /// The state that these runs begin with.
    #[wasm_bindgen(getter, unchecked_return_type = "any")]
    pub fn start(&self) -> JsValue {
        let start = self
            .workflow
            .schedule
            .as_ref()
            .map(|schedule| schedule.start.clone());
        object_to_js(&start.unwrap_or_default())
    }

    /// Follow the workflow in the book of these runs from now on. Resolves to the number by which this follower is known.
    #[wasm_bindgen(unchecked_return_type = "Promise<number>")]
    pub fn follow(&self, runs: &Runs) -> js_sys::Promise {
        let (workflow, runs) = (self.workflow.clone(), runs.0.clone());
        future_to_promise(async move {
            failed::check()?;
            let own = runs.follow(&workflow).await;
            Ok(JsValue::from_f64(own.map_err(|why| JsError::new(&why))? as f64))
        })
    }

    /// Whether another has begun to follow the workflow after the follower of this number.
    #[wasm_bindgen(js_name = isFollowedAfter)]
    pub fn is_followed_after(&self, runs: &Runs, own: f64) -> Result<bool, JsError> {
        failed::check()?;
        Ok(runs.0.is_followed_after(&self.workflow, own as u64))
    }

    /// The runs that waited for a time that has come, or for a signal that was sent.
    #[wasm_bindgen(unchecked_return_type = "DueRuns")]
    pub fn due(&self, runs: &Runs) -> Result<JsValue, JsError> {
        failed::check()?;
        Ok(plain(
            &runs.0.due(Whose::Workflow(&self.workflow), JsClock.now_ms()),
        )?)
    }

    /// Where the schedule stands.
    #[wasm_bindgen(unchecked_return_type = "Promise<ScheduleTick>")]
    pub fn tick(&self, runs: &Runs) -> js_sys::Promise {
        let (workflow, runs) = (self.workflow.clone(), runs.0.clone());
        future_to_promise(async move {
            failed::check()?;
            let tick = runs.tick(&workflow, JsClock.now_ms()).await;
            let tick = tick.map_err(|why| JsError::new(&why))?;
            Ok(plain(&tick).map_err(JsError::from)?)
        })
    }

    /// The run of this time is kept, so that the time is over.
    #[wasm_bindgen(unchecked_return_type = "Promise<void>")]
    pub fn ticked(&self, runs: &Runs, ms: f64) -> js_sys::Promise {
        let (workflow, runs) = (self.workflow.clone(), runs.0.clone());
        future_to_promise(async move {
            failed::check()?;
            let ticked = runs.ticked(&workflow, ms as u64).await;
            ticked.map_err(|why| JsError::new(&why))?;
            Ok(JsValue::UNDEFINED)
        })
    }
}
