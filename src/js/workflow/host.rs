//! Runs the nodes of a workflow that are not Prolog, with the actions and languages that JavaScript provides.

use std::rc::Rc;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use wasm_bindgen::prelude::*;

use super::super::told::{field, message};
use super::super::value::{from_js, object_to_js, to_js};
use crate::workflow::fault::{WorkflowFault, WorkflowFaultKind};
use crate::workflow::json::{Json, Object};
use crate::workflow::language::Language;
use crate::workflow::run::{Code, CodeFailure, NodeHost};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** What a workflow needs of its host. */
export interface WorkflowPorts {
  /**
   * Run a node's code; `given` is JSON: `state`, `variables`, `parallel_results`. Resolves to JSON: `result`, an object
   * of values for the state, or `error` and the `state` as the code left it. Rejects with a `kind` of "timeout" if it
   * runs longer than `timeoutMs`.
   */
  runCode(language: string, code: string, given: string, timeoutMs: number): Promise<string>;
  /**
   * Call an action; `key` identifies the run, the node and the attempt. `tell` takes what it says meanwhile. `signal` is
   * aborted when nobody waits any more.
   */
  callAction(
    name: string,
    params: any,
    state: any,
    key: string,
    tell: (event: unknown) => void,
    signal: AbortSignal,
  ): Promise<unknown>;
  /**
   * Run a DML program; `params` is JSON. Resolves to `answer` and `output`; also rejects if it was false. `tell` takes
   * its events. `signal` is aborted when nobody waits any more.
   */
  runProgram(code: string, params: string, tell: (event: unknown) => void, signal: AbortSignal): Promise<unknown>;
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
        timeout_ms: f64,
    ) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = callAction)]
    async fn call_action(
        this: &JsWorkflowPorts,
        name: &str,
        params: &JsValue,
        state: &JsValue,
        key: &str,
        tell: &JsValue,
        signal: &JsValue,
    ) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = runProgram)]
    async fn run_program(
        this: &JsWorkflowPorts,
        code: &str,
        params: &str,
        tell: &JsValue,
        signal: &JsValue,
    ) -> Result<JsValue, JsValue>;

    type AbortController;
    #[wasm_bindgen(constructor)]
    fn new() -> AbortController;
    #[wasm_bindgen(method, getter)]
    fn signal(this: &AbortController) -> JsValue;
    #[wasm_bindgen(method)]
    fn abort(this: &AbortController);
}

/// Aborts its signal when it is dropped: a call that nobody waits for any more ends.
struct Awaited(AbortController);

impl Drop for Awaited {
    fn drop(&mut self) {
        self.0.abort();
    }
}

pub(super) struct Host(pub(super) JsWorkflowPorts);

impl NodeHost for Host {
    fn code<'a>(&'a self, code: Code<'a>) -> LocalBoxFuture<'a, Result<Json, CodeFailure>> {
        async move {
            let mut given = Object::new();
            given.insert("state".into(), Json::Object(code.state.clone()));
            given.insert("variables".into(), Json::Object(code.variables.clone()));
            given.insert(
                "parallel_results".into(),
                code.parallel_results.cloned().unwrap_or_default(),
            );
            let given = Json::Object(given).to_string();
            let (language, timeout_ms) = (code.language.word(), code.timeout_ms as f64);
            let result = self.0.run_code(language, code.code, &given, timeout_ms).await;
            coded(result, code.language)
        }
        .boxed_local()
    }

    fn action<'a>(
        &'a self,
        name: &'a str,
        with: &'a Json,
        state: &'a Object,
        key: &'a str,
        tell: Rc<dyn Fn(Json)>,
    ) -> LocalBoxFuture<'a, Result<Json, WorkflowFault>> {
        async move {
            let awaited = Awaited(AbortController::new());
            let signal = awaited.0.signal();
            let (params, state) = (to_js(with), object_to_js(state));
            let tell = telling(tell);
            let called = self
                .0
                .call_action(name, &params, &state, key, tell.as_ref(), &signal);
            let result = called.await;
            let result = result.map_err(|error| {
                WorkflowFault::new(
                    WorkflowFaultKind::Action,
                    format!("The action {name} failed: {}", message(&error)),
                )
            })?;
            from_js(&result, &format!("the result of {name}"))
                .map_err(|why| WorkflowFault::new(WorkflowFaultKind::Action, why))
        }
        .boxed_local()
    }

    fn program<'a>(
        &'a self,
        code: &'a str,
        params: &'a Json,
        tell: Rc<dyn Fn(Json)>,
    ) -> LocalBoxFuture<'a, Result<Json, WorkflowFault>> {
        async move {
            let failed = |why: String| WorkflowFault::new(WorkflowFaultKind::Program, why);
            let awaited = Awaited(AbortController::new());
            let tell = telling(tell);
            let (params, signal) = (params.to_string(), awaited.0.signal());
            let ran = self.0.run_program(code, &params, tell.as_ref(), &signal);
            let result = ran.await;
            let result = result.map_err(|error| failed(message(&error)))?;
            from_js(&result, "what the program gave").map_err(failed)
        }
        .boxed_local()
    }
}

/// Takes an event; throws if it is not JSON.
fn telling(tell: Rc<dyn Fn(Json)>) -> Closure<dyn Fn(JsValue) -> Result<(), JsError>> {
    Closure::new(move |event| {
        tell(from_js(&event, "the event").map_err(|why| JsError::new(&why))?);
        Ok(())
    })
}

fn coded(result: Result<JsValue, JsValue>, language: Language) -> Result<Json, CodeFailure> {
    let failed = |kind, why: String, state| {
        let fault = WorkflowFault::new(kind, why);
        Err(CodeFailure { fault, state })
    };
    let text = match result {
        Ok(text) => text.as_string().unwrap_or_default(),
        Err(error) => {
            let late = field(&error, "kind").as_deref() == Some("timeout");
            let kind = if late {
                WorkflowFaultKind::Timeout
            } else {
                WorkflowFaultKind::Code(language)
            };
            return failed(kind, message(&error), None);
        }
    };
    let Ok(Json::Object(mut result)) = serde_json::from_str::<Json>(&text) else {
        let why = format!("What the code in {} gave cannot be read.", language.name());
        return failed(WorkflowFaultKind::Code(language), why, None);
    };
    let state = match result.remove("state") {
        Some(Json::Object(state)) => Some(state),
        _ => None,
    };
    match result.remove("error") {
        Some(Json::Text(error)) => failed(WorkflowFaultKind::Code(language), error, state),
        _ => Ok(result.remove("result").unwrap_or_default()),
    }
}
