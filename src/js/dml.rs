//! DML for JavaScript: programs, and the model, tools and user provided for them. Values cross as JSON text.

use std::cell::Cell;
use std::rc::Rc;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use serde::Deserialize;
use serde_json::Value;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

use super::facade::Hornbook;
use super::folder::{JsFolder, shared};
use super::host::{JsHost, pool};
use super::told::message;
use super::{failed, settings};
use crate::agent::{
    LanguageModel, ModelFailure, ModelRequest, PlainRequest, Policy, Ports, Sink, Tool, ToolHost, Turn, User,
};
use crate::base::Limits;
use crate::dml::{Run, RunSettings};
use crate::service::dml::{BookAccess, BookOfProgram};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** What a run needs of its host. JSON values are passed as text. */
export interface DmlPorts {
  /**
   * Take one turn of the model; `onText` receives its text in pieces. Rejects if there is no turn. `call` is the
   * number of the call.
   */
  turn(request: string, onText: (text: string) => void, call: number): Promise<string>;
  /** Whether models' turns are cached. */
  readonly caches: boolean;
  /** The cached turn for this request, as JSON, if there is one. */
  kept(request: string): Promise<string | undefined>;
  /** Cache the turn for this request. */
  keep(request: string, turn: string): Promise<void>;
  /** Call a tool; resolves to the result as JSON. `call` is the number of the call. */
  callTool(tool: string, args: string, call: number): Promise<string>;
  /** Nobody waits for the result of this model or tool call any more. */
  cancel(call: number): void;
  /** Whether a model may ask the user. */
  readonly userCanAnswer: boolean;
  askUser(prompt: string): Promise<string | undefined>;
  /** Whether the run is recorded. */
  readonly records: boolean;
  /** Store an entry of the recording. Throws if that fails. */
  record(entry: string): void;
  /** The files that the program may use; its functions reject with a `FileFault`. */
  readonly folder?: Folder;
}
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "DmlPorts")]
    #[derive(Clone)]
    pub type JsPorts;

    #[wasm_bindgen(method, catch)]
    async fn turn(this: &JsPorts, request: &str, on_text: &JsValue, call: u32) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter)]
    fn caches(this: &JsPorts) -> bool;
    #[wasm_bindgen(method, catch)]
    async fn kept(this: &JsPorts, request: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    async fn keep(this: &JsPorts, request: &str, turn: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = callTool)]
    async fn call_tool(this: &JsPorts, tool: &str, args: &str, call: u32) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn cancel(this: &JsPorts, call: u32) -> Result<(), JsValue>;
    #[wasm_bindgen(method, getter, js_name = userCanAnswer)]
    fn user_can_answer(this: &JsPorts) -> bool;
    #[wasm_bindgen(method, catch, js_name = askUser)]
    async fn ask_user(this: &JsPorts, prompt: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter)]
    fn folder(this: &JsPorts) -> Option<JsFolder>;
    #[wasm_bindgen(method, getter)]
    fn records(this: &JsPorts) -> bool;
    #[wasm_bindgen(method, catch)]
    fn record(this: &JsPorts, entry: &str) -> Result<(), JsValue>;
}

/// Runs DML programs.
#[wasm_bindgen]
pub struct Dml(Rc<crate::dml::Dml>);

#[wasm_bindgen]
impl Dml {
    /// `limits` is JSON: the limits to set, by name.
    #[wasm_bindgen(constructor)]
    pub fn new(host: JsHost, limits: &str) -> Result<Dml, JsError> {
        failed::check()?;
        let limits = settings::limits(read("the limits", limits)?)?;
        let pool = pool(Rc::new(host));
        Ok(Dml(Rc::new(crate::dml::Dml::new(pool, limits))))
    }

    /// `definition` is JSON: `description`, `parameters` (a JSON Schema), `names` (of the parameters, in
    /// order).
    #[wasm_bindgen(js_name = registerTool)]
    pub fn register_tool(&self, name: &str, definition: &str) -> Result<(), JsError> {
        failed::check()?;
        let tool: Tool = read("the definition of a tool", definition)?;
        self.0.register_tool(name, tool);
        Ok(())
    }

    /// `policy` is JSON: `mode` and `tools`, or null.
    #[wasm_bindgen(js_name = setToolPolicy)]
    pub fn set_tool_policy(&self, policy: &str) -> Result<(), JsError> {
        failed::check()?;
        let policy: Option<Policy> = read("a tool policy", policy)?;
        self.0.set_tool_policy(policy);
        Ok(())
    }

    /// Find errors in a program without running it. Resolves to the findings and the program's parameters, as
    /// JSON.
    #[wasm_bindgen(unchecked_return_type = "Promise<string>")]
    pub fn inspect(&self, code: String) -> js_sys::Promise {
        let dml = self.0.clone();
        future_to_promise(async move {
            failed::check()?;
            let inspected = dml
                .inspect(&code)
                .await
                .map_err(|message| JsError::new(&message))?;
            Ok(JsValue::from_str(&write(&inspected)?))
        })
    }

    /// Start a run; `options` is JSON. `book` comes from a workspace's `programBook`, if the program may use
    /// the book.
    pub fn run(
        &self,
        code: String,
        options: &str,
        ports: JsPorts,
        book: Option<ProgramBook>,
    ) -> Result<DmlRun, JsError> {
        failed::check()?;
        let settings: RunSettings = read("the options of a run", options)?;
        settings
            .check()
            .map_err(|wrong| JsError::new(&format!("the options of a run: {wrong}")))?;
        let seed = (js_sys::Math::random() * f64::from(u32::MAX)) as u32;
        let record = ports.records().then(|| sink(ports.clone()));
        let options = settings.options(self.0.limits(), seed, record);
        let folder = ports.folder().map(shared);
        let ports = Rc::new(Host {
            ports,
            calls: Cell::new(0),
        });
        let ports = Ports {
            model: ports.clone(),
            tools: ports.clone(),
            user: ports,
            folder,
            book: book.map(|book| Rc::new(book.0) as Rc<dyn crate::agent::ProgramBook>),
        };
        Ok(DmlRun(Rc::new(self.0.run(code, options, ports))))
    }

    /// End the standby engine.
    pub fn close(&self) {
        self.0.close();
    }
}

/// A book, for the program of one run.
#[wasm_bindgen]
pub struct ProgramBook(BookOfProgram);

#[wasm_bindgen]
impl Hornbook {
    /// The book, for a run of the program with this name in the history. The program may change it.
    #[wasm_bindgen(js_name = programBook)]
    pub fn program_book(&self, program: &str) -> ProgramBook {
        ProgramBook(BookOfProgram::new(
            self.workspace.clone(),
            program,
            BookAccess::Write,
            None,
        ))
    }
}

/// The input of a model without tool support, for a request; both are JSON.
#[wasm_bindgen(js_name = plainRequest)]
pub fn plain_request(request: &str) -> Result<String, JsError> {
    write(&PlainRequest::new(&read("a request", request)?))
}

/// The turn in the reply of such a model, as JSON.
#[wasm_bindgen(js_name = plainTurn)]
pub fn plain_turn(reply: &str) -> Result<String, JsError> {
    write(&crate::agent::plain_turn(reply))
}

/// A run. It only makes progress while someone awaits its next event; freeing it ends it.
#[wasm_bindgen]
pub struct DmlRun(Rc<Run>);

#[wasm_bindgen]
impl DmlRun {
    /// The next event as JSON, `undefined` after the last.
    #[wasm_bindgen(unchecked_return_type = "Promise<string | undefined>")]
    pub fn next(&self) -> js_sys::Promise {
        let run = self.0.clone();
        future_to_promise(async move {
            failed::check()?;
            Ok(match run.next().await {
                Some(event) => JsValue::from_str(&write(&event)?),
                None => JsValue::UNDEFINED,
            })
        })
    }

    /// Abort the run; its last event says so.
    pub fn abort(&self) {
        self.0.abort();
    }
}

fn sink(ports: JsPorts) -> Sink {
    Rc::new(move |entry| {
        let entry = serde_json::to_string(entry).map_err(|error| error.to_string())?;
        ports.record(&entry).map_err(|error| message(&error))
    })
}

struct Host {
    ports: JsPorts,
    calls: Cell<u32>,
}

impl Host {
    /// Start a call of a model or a tool.
    fn begin(&self) -> Pending {
        self.calls.set(self.calls.get().wrapping_add(1));
        Pending {
            ports: self.ports.clone(),
            call: self.calls.get(),
            ended: false,
        }
    }
}

/// A call of a model or a tool. Dropped before it ends, it tells the host that nobody waits for it any more.
struct Pending {
    ports: JsPorts,
    call: u32,
    ended: bool,
}

impl Pending {
    fn end(&mut self) {
        self.ended = true;
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if !self.ended {
            // How the host handles it is up to the host.
            let _ = self.ports.cancel(self.call);
        }
    }
}

impl LanguageModel for Host {
    fn turn(
        &self,
        request: &ModelRequest,
        on_text: Rc<dyn Fn(String)>,
    ) -> LocalBoxFuture<'static, Result<Turn, ModelFailure>> {
        let mut pending = self.begin();
        let request = serde_json::to_string(request);
        async move {
            let plain = |message: String| ModelFailure {
                message,
                ..ModelFailure::default()
            };
            let request = request.map_err(|error| plain(error.to_string()))?;
            let on_text = Closure::<dyn Fn(String)>::new(move |text| on_text(text));
            let turn = pending.ports.turn(&request, on_text.as_ref(), pending.call).await;
            pending.end();
            let turn = turn.map_err(|error| model_failure(&error))?;
            let text = text(&turn).map_err(plain)?;
            serde_json::from_str(&text).map_err(|error| {
                plain(format!(
                    "the callback returned an invalid turn: {}",
                    without_place(&error)
                ))
            })
        }
        .boxed_local()
    }

    fn kept(&self, request: &ModelRequest) -> LocalBoxFuture<'static, Result<Option<Turn>, String>> {
        let (ports, request) = (self.ports.clone(), serde_json::to_string(request));
        async move {
            if !ports.caches() {
                return Ok(None);
            }
            let request = request.map_err(|error| error.to_string())?;
            let kept = ports.kept(&request).await.map_err(|error| message(&error))?;
            match kept.as_string() {
                None => Ok(None),
                Some(text) => serde_json::from_str(&text)
                    .map(Some)
                    .map_err(|error| without_place(&error)),
            }
        }
        .boxed_local()
    }

    fn keep(&self, request: &ModelRequest, turn: &Turn) -> LocalBoxFuture<'static, Result<(), String>> {
        let ports = self.ports.clone();
        let texts =
            serde_json::to_string(request).and_then(|request| Ok((request, serde_json::to_string(turn)?)));
        async move {
            if !ports.caches() {
                return Ok(());
            }
            let (request, turn) = texts.map_err(|error| error.to_string())?;
            let kept = ports.keep(&request, &turn).await;
            kept.map(|_| ()).map_err(|error| message(&error))
        }
        .boxed_local()
    }
}

impl ToolHost for Host {
    fn call(&self, tool: &str, args: Value) -> LocalBoxFuture<'static, Result<Value, String>> {
        let (mut pending, tool) = (self.begin(), tool.to_owned());
        async move {
            let args = args.to_string();
            let result = pending.ports.call_tool(&tool, &args, pending.call).await;
            pending.end();
            let result = result.map_err(|error| message(&error))?;
            let text = text(&result)?;
            serde_json::from_str(&text)
                .map_err(|error| format!("its result cannot be used: {}", without_place(&error)))
        }
        .boxed_local()
    }
}

impl User for Host {
    fn can_answer(&self) -> bool {
        self.ports.user_can_answer()
    }

    fn ask(&self, prompt: &str) -> LocalBoxFuture<'static, Result<Option<String>, String>> {
        let (ports, prompt) = (self.ports.clone(), prompt.to_owned());
        async move {
            let answer = ports.ask_user(&prompt).await;
            answer
                .map(|answer| answer.as_string())
                .map_err(|error| message(&error))
        }
        .boxed_local()
    }
}

/// The host's reply, if it is not too long.
fn text(given: &JsValue) -> Result<String, String> {
    let text: &js_sys::JsString = given.dyn_ref().ok_or("it gave nothing")?;
    let most = Limits::DEFAULT.result_chars;
    if text.length() as usize > most {
        return Err(format!("what it gave has more than {most} characters"));
    }
    Ok(String::from(text))
}

/// The message without its position, which refers to a text nobody has seen.
fn without_place(error: &serde_json::Error) -> String {
    let said = error.to_string();
    match said.rsplit_once(" at line ") {
        Some(("recursion limit exceeded", _)) => "it is nested too deeply".into(),
        Some((said, _)) => said.into(),
        None => said,
    }
}

/// The names of errors about a reply that cannot be read, or their ends.
const MALFORMED: [&str; 5] = [
    "SyntaxError",
    "JSONParseError",
    "TypeValidationError",
    "InvalidResponseDataError",
    "EmptyResponseBodyError",
];

/// Classify a provider's error: the AI SDK says whether it is retryable; others have an HTTP status. Without
/// a key or a connection, the model is unreachable.
fn model_failure(error: &JsValue) -> ModelFailure {
    let get = |of: &JsValue, name: &str| js_sys::Reflect::get(of, &name.into()).ok();
    let flag = |name: &str| get(error, name).and_then(|value| value.as_bool());
    let code = |of: &JsValue| get(of, "code").and_then(|code| code.as_string());
    let status = ["status", "statusCode"]
        .iter()
        .find_map(|name| get(error, name)?.as_f64());
    let no_connection = code(error)
        .or_else(|| code(&get(error, "cause")?))
        .is_some_and(|code| code.starts_with('E') || code.starts_with("UND_ERR"));
    let name = get(error, "name")
        .and_then(|name| name.as_string())
        .unwrap_or_default();
    let no_key = name.ends_with("LoadAPIKeyError");
    // The reply is not JSON or not the expected one, as that of a gateway, or its stream ended early.
    let malformed = MALFORMED.iter().any(|end| name.ends_with(end))
        || status.is_some_and(|status| (200.0..300.0).contains(&status));
    let after = get(error, "retryAfterMs").and_then(|ms| ms.as_f64());
    let refused = status.is_some_and(|status| [401.0, 403.0, 404.0, 407.0].contains(&status));
    ModelFailure {
        message: message(error),
        transient: malformed
            || flag("isRetryable").unwrap_or(status.is_some_and(|status| status == 429.0 || status >= 500.0)),
        unreachable: flag("unreachable").unwrap_or(no_connection || no_key || refused),
        retry_after_ms: after.filter(|ms| *ms >= 0.0).map(|ms| ms as u64),
        ..ModelFailure::default()
    }
}

fn read<'a, T: Deserialize<'a>>(what: &str, text: &'a str) -> Result<T, JsError> {
    serde_json::from_str(text).map_err(|error| JsError::new(&format!("{what}: {error}")))
}

fn write(value: &impl serde::Serialize) -> Result<String, JsError> {
    serde_json::to_string(value).map_err(|error| JsError::new(&error.to_string()))
}
