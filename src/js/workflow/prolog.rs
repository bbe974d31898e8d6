//! The Prolog of nodes on its own, for JavaScript.

use std::rc::Rc;

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

use super::super::failed;
use super::super::host::{JsHost, pool};
use super::super::value::{object_from_js, object_to_js};
use super::fault_to_js;
use crate::base::Limits;
use crate::workflow::detect;
use crate::workflow::fault::WorkflowFault;
use crate::workflow::json::{Json, Object};
use crate::workflow::prolog::{Block, End, Executed, Prolog, Solutions};

/// Runs the Prolog of nodes, in engines of its own.
#[wasm_bindgen]
pub struct NodeProlog(pub(super) Prolog);

#[wasm_bindgen]
impl NodeProlog {
    /// Use at most `engines` engine workers.
    #[wasm_bindgen(constructor)]
    pub fn new(host: JsHost, engines: usize) -> Result<NodeProlog, JsError> {
        failed::check()?;
        let pool = pool(Rc::new(host));
        Ok(NodeProlog(Prolog::new(pool, Limits::default(), engines)))
    }

    /// Resolves to `output`, and `solutions` or `failed`.
    #[wasm_bindgen(js_name = runBlock, unchecked_return_type = "Promise<any>")]
    pub fn run_block(&self, code: String, state: JsValue, all: bool, timeout_ms: f64) -> js_sys::Promise {
        let prolog = self.0.clone();
        future_to_promise(async move {
            failed::check()?;
            let state = object_from_js(&state, "the state").map_err(|why| JsError::new(&why))?;
            let solutions = if all { Solutions::All } else { Solutions::First };
            let block = Block {
                code: &code,
                state: &state,
                answers: &[],
                timeout_ms: timeout_ms as u64,
            };
            let executed = match prolog.run_block(block, solutions).await {
                Ok(executed) if matches!(executed.end, End::Asks(_)) => Err(WorkflowFault::asks_outside()),
                executed => executed,
            };
            executed
                .map(|executed| executed_to_js(&executed))
                .map_err(|fault| fault_to_js(&fault))
        })
    }

    /// Resolves to the text of `Result`, or `true`, or `undefined` if the goal fails.
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

fn executed_to_js(executed: &Executed) -> JsValue {
    let mut out = Object::new();
    out.insert("output".into(), Json::Text(executed.output.clone()));
    match &executed.end {
        End::Solutions(solutions) => {
            let solutions = solutions.iter().cloned().map(Json::Object).collect();
            out.insert("solutions".into(), Json::Array(solutions));
        }
        // Only a run asks.
        End::Asks(_) => {}
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
