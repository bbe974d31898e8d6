//! The host provided by JavaScript: engines and files behind the traits of [`crate::engine`].

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::clock::JsClock;
#[cfg(feature = "full")]
use super::folder::JsFolder;
use super::json;
#[cfg(feature = "full")]
use super::other_books::JsOtherBooks;
use super::told::{fault, field, file_names, message, real_path};
use crate::base::{FileFault, Files};
use crate::book::Predicate;
use crate::engine::{Capacity, DeathKind, EngineDeath, EngineHost, EngineProcess, Numbered, Pool};
use crate::workspace::{DataHost, HostPredicates};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** An engine worker. It handles its requests in order, one string in, one string out. */
export interface Engine {
  /**
   * Rejects if the worker is gone, with an `Error` whose message is the reason in plain words, and whose `kind` is
   * "memory", "depth" (nesting too deep for its stacks), "halt", "ended" (from outside) or "failed".
   */
  request(text: string): Promise<string>;
  /** End it at once. Ending it again has no effect. */
  end(): void;
  /** Whether it died or was ended. */
  readonly isDead: boolean;
  /** The size of its memory at its last reply, in bytes. */
  readonly bytes: number;
}

/** Why a host cannot provide a file; `message` gives details of an unreadable one. */
export interface FileFault {
  fault: "not_found" | "not_a_file" | "too_large" | "unreadable" | "not_supported";
  message?: string;
}

/** Predicates that the host answers (docs/package.md). */
export interface HostPredicates {
  /** Their indicators, `name/arity`. */
  readonly indicators: string[];
  /** The answer to a question of the query with this number, as the text of a term (docs/engine-protocol.md). */
  answer(query: number, question: string): Promise<string>;
  /** Only these queries are open; anything kept for others can be dropped. */
  keep(queries: number[]): void;
}

/**
 * Data that goals may ask where it is (docs/data.md). Requests and results are JSON (`src/workspace/linked.rs`,
 * `src/data/links.rs`). What rejects does so with an `Error` whose message is for people, without secrets.
 */
export interface DataHost {
  /** The table of a source and its columns. */
  describe(request: string): Promise<string>;
  /** Run a statement, whose rows `cursor` reads. */
  open(cursor: number, request: string): Promise<void>;
  /** The next rows, at most this many and of at most so many bytes of JSON, and whether there are more. */
  fetch(cursor: number, most: number, bytes: number): Promise<string>;
  /**
   * Begin a session: a connection to an engine that reads these sources, with temporary tables of its own. `open` may
   * name it. Resolves to false if there is no such engine here.
   */
  begin(session: number, request: string): Promise<boolean>;
  /** Run a statement of a session that changes its tables; resolves to the number of rows that it added. */
  change(session: number, request: string): Promise<number>;
  /** What a relation that is asked answers to what is known, with the time and the hash of the answer. */
  ask(number: number, request: string): Promise<string>;
  /** Stop a statement, a session or a question at once; there may be none of this number. */
  close(number: number): void;
}

/** What Hornbook needs of its environment. The file functions reject with a {@link FileFault}. */
export interface Host {
  /**
   * Start an engine; resolves when it accepts requests. `first` tells whether it is the first engine of a book, for which
   * changes wait; the host may prefer it to the others.
   */
  spawn(first: boolean): Promise<Engine>;
  /** The real path, with symbolic links resolved. */
  resolvePath(path: string): Promise<string>;
  /** The contents of the file at a real path, if it has at most `most` bytes. Must not follow symbolic links. */
  readFile(path: string, most: number): Promise<Uint8Array>;
  /** The names in the directory at a real path; those of directories end in `/`. */
  listDirectory(path: string): Promise<string[]>;
  /** The folder that the tool `dml_run` gives to programs. Without it, they cannot use files. */
  readonly folder?: Folder;
  /** The other books that `kn_intel crossref` searches. Default: none. */
  readonly otherBooks?: OtherBooks;
  /** Vectors of texts for the memory. Without it, recall finds by words only. */
  readonly embed?: Embed;
  /** Predicates that queries may call and that the host answers. */
  readonly predicates?: HostPredicates;
  /** The data that goals may ask. */
  readonly data?: DataHost;
  /**
   * The machine's cores: they limit how many engines start at a time, and how many run besides the first of each
   * book. Default: 2.
   */
  readonly cores?: number;
  /** Load the parts of the crate that programs and workflows need, if it is loaded in parts. */
  loadFull?(): Promise<void>;
  /** Have `readTable` of the whole crate read a table. The core calls it, and the page for its preview. */
  readTable?(request: string, text: string): Promise<[tables: string, text: string]>;
}
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "Host")]
    #[derive(Clone)]
    pub type JsHost;

    #[wasm_bindgen(method, catch)]
    async fn spawn(this: &JsHost, first: bool) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = resolvePath)]
    async fn resolve_path(this: &JsHost, path: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = readFile)]
    async fn read_file(this: &JsHost, path: &str, most: f64) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = listDirectory)]
    async fn list_directory(this: &JsHost, path: &str) -> Result<JsValue, JsValue>;

    #[cfg(not(feature = "full"))]
    #[wasm_bindgen(method, catch, js_name = readTable)]
    pub async fn read_table(
        this: &JsHost,
        request: &str,
        text: &js_sys::JsString,
    ) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, getter)]
    fn cores(this: &JsHost) -> Option<u32>;
    #[wasm_bindgen(method, getter)]
    pub fn predicates(this: &JsHost) -> Option<JsPredicates>;

    #[derive(Clone)]
    pub type JsPredicates;

    #[wasm_bindgen(method, getter)]
    fn indicators(this: &JsPredicates) -> Vec<String>;
    #[wasm_bindgen(method, catch)]
    async fn answer(this: &JsPredicates, query: f64, question: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn keep(this: &JsPredicates, queries: Vec<f64>) -> Result<(), JsValue>;

    #[wasm_bindgen(method, getter)]
    pub fn data(this: &JsHost) -> Option<JsDataHost>;

    #[derive(Clone)]
    pub type JsDataHost;

    #[wasm_bindgen(method, catch)]
    async fn describe(this: &JsDataHost, request: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    async fn open(this: &JsDataHost, cursor: f64, request: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    async fn fetch(this: &JsDataHost, cursor: f64, most: f64, bytes: f64) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    async fn begin(this: &JsDataHost, session: f64, request: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    async fn change(this: &JsDataHost, session: f64, request: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    async fn ask(this: &JsDataHost, number: f64, request: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn close(this: &JsDataHost, number: f64) -> Result<(), JsValue>;

    #[cfg(feature = "full")]
    #[wasm_bindgen(method, getter)]
    pub fn folder(this: &JsHost) -> Option<JsFolder>;
    #[cfg(feature = "full")]
    #[wasm_bindgen(method, getter, js_name = otherBooks)]
    pub fn other_books(this: &JsHost) -> Option<JsOtherBooks>;
    #[cfg(feature = "full")]
    #[wasm_bindgen(method, getter)]
    pub fn embed(this: &JsHost) -> Option<js_sys::Function>;

    #[derive(Clone)]
    type JsEngine;

    #[wasm_bindgen(method, catch)]
    async fn request(this: &JsEngine, text: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn end(this: &JsEngine) -> Result<(), JsValue>;
    #[wasm_bindgen(method, getter, js_name = isDead)]
    fn is_dead(this: &JsEngine) -> bool;
    #[wasm_bindgen(method, getter)]
    fn bytes(this: &JsEngine) -> f64;
}

/// Used if a host does not report its number of cores.
const CORES: u32 = 2;

thread_local! {
    static CAPACITY: OnceCell<Capacity> = const { OnceCell::new() };
}

/// A pool of this host's engines. All pools of the process share one capacity, sized by the first host that
/// asks.
pub fn pool(host: Rc<JsHost>) -> Pool {
    let cores = || host.cores().unwrap_or(CORES) as usize;
    let capacity = CAPACITY.with(|capacity| capacity.get_or_init(|| Capacity::of(cores())).clone());
    Pool::new(host, Rc::new(JsClock), Rc::new(spawn_local), capacity)
}

impl EngineHost for JsHost {
    fn spawn(&self, first: bool) -> LocalBoxFuture<'static, Result<Rc<dyn EngineProcess>, String>> {
        let host = self.clone();
        async move {
            let engine = JsHost::spawn(&host, first)
                .await
                .map_err(|error| message(&error))?;
            let process = Numbered::new(JsProcess(engine.unchecked_into()));
            Ok(Rc::new(process) as Rc<dyn EngineProcess>)
        }
        .boxed_local()
    }
}

impl JsPredicates {
    /// The predicates that it answers.
    pub fn list(&self) -> Vec<Predicate> {
        let predicate = |text: &String| {
            let (name, arity) = text.rsplit_once('/')?;
            Some(Predicate {
                name: name.to_owned(),
                arity: arity.parse().ok()?,
            })
        };
        self.indicators().iter().filter_map(predicate).collect()
    }
}

/// The host's predicates for all workspaces that use them: a book, its drafts, and the book as it was.
pub struct Answering {
    predicates: JsPredicates,
    /// The open queries of each workspace, by its number.
    open: RefCell<BTreeMap<u64, Vec<u64>>>,
    workspaces: Cell<u64>,
}

impl Answering {
    pub fn new(predicates: JsPredicates) -> Rc<Answering> {
        Rc::new(Answering {
            predicates,
            open: RefCell::default(),
            workspaces: Cell::default(),
        })
    }

    /// The predicates for one more workspace.
    pub fn for_workspace(self: &Rc<Self>) -> Rc<dyn HostPredicates> {
        let number = self.workspaces.get();
        self.workspaces.set(number + 1);
        let all = self.clone();
        Rc::new(OfWorkspace { all, number })
    }

    fn keep(&self) {
        let open = self.open.borrow();
        let queries = open.values().flatten().map(|query| *query as f64).collect();
        // A query that cannot be released is the host's own problem.
        let _ = JsPredicates::keep(&self.predicates, queries);
    }
}

/// The host's predicates for one workspace, whose queries have numbers of their own.
struct OfWorkspace {
    all: Rc<Answering>,
    number: u64,
}

/// More than the queries of a workspace.
const QUERIES: u64 = 1 << 32;

impl Drop for OfWorkspace {
    fn drop(&mut self) {
        self.all.open.borrow_mut().remove(&self.number);
        self.all.keep();
    }
}

impl HostPredicates for OfWorkspace {
    fn answer(&self, query: u64, question: String) -> LocalBoxFuture<'static, String> {
        let predicates = self.all.predicates.clone();
        let query = self.number * QUERIES + query;
        // It may not be open yet, and what another workspace keeps must not end its generators.
        let mut open = self.all.open.borrow_mut();
        let own = open.entry(self.number).or_default();
        if !own.contains(&query) {
            own.push(query);
        }
        drop(open);
        async move {
            let answer = JsPredicates::answer(&predicates, query as f64, &question).await;
            let text = answer.ok().and_then(|answer| answer.as_string());
            text.unwrap_or_else(|| "failed(\"the host has failed\")".to_owned())
        }
        .boxed_local()
    }

    fn keep(&self, queries: &[u64]) {
        let own = queries.iter().map(|query| self.number * QUERIES + query);
        self.all.open.borrow_mut().insert(self.number, own.collect());
        self.all.keep();
    }
}

impl DataHost for JsDataHost {
    fn describe(&self, request: String) -> LocalBoxFuture<'static, Result<String, String>> {
        let host = self.clone();
        async move { json_of(JsDataHost::describe(&host, &request).await) }.boxed_local()
    }

    fn open(&self, cursor: u64, request: String) -> LocalBoxFuture<'static, Result<(), String>> {
        let host = self.clone();
        async move {
            let opened = JsDataHost::open(&host, cursor as f64, &request).await;
            opened.map(|_| ()).map_err(|error| message(&error))
        }
        .boxed_local()
    }

    fn fetch(
        &self,
        cursor: u64,
        most: usize,
        bytes: usize,
    ) -> LocalBoxFuture<'static, Result<String, String>> {
        let host = self.clone();
        async move { json_of(JsDataHost::fetch(&host, cursor as f64, most as f64, bytes as f64).await) }
            .boxed_local()
    }

    fn begin(&self, session: u64, request: String) -> LocalBoxFuture<'static, Result<bool, String>> {
        let host = self.clone();
        async move {
            let begun = JsDataHost::begin(&host, session as f64, &request).await;
            begun
                .map(|begun| begun.is_truthy())
                .map_err(|error| message(&error))
        }
        .boxed_local()
    }

    fn change(&self, session: u64, request: String) -> LocalBoxFuture<'static, Result<u64, String>> {
        let host = self.clone();
        async move {
            let added = JsDataHost::change(&host, session as f64, &request).await;
            let added = added.map_err(|error| message(&error))?;
            Ok(added.as_f64().unwrap_or(0.0) as u64)
        }
        .boxed_local()
    }

    fn ask(&self, number: u64, request: String) -> LocalBoxFuture<'static, Result<String, String>> {
        let host = self.clone();
        async move { json_of(JsDataHost::ask(&host, number as f64, &request).await) }.boxed_local()
    }

    fn close(&self, number: u64) {
        // A statement that cannot be stopped is the host's own problem.
        let _ = JsDataHost::close(self, number as f64);
    }
}

/// A JSON text from the host, or why there is none.
fn json_of(given: Result<JsValue, JsValue>) -> Result<String, String> {
    let given = given.map_err(|error| message(&error))?;
    let text: Option<&js_sys::JsString> = given.dyn_ref();
    text.map(json::string)
        .ok_or_else(|| "the host has failed".to_owned())
}

struct JsProcess(JsEngine);

impl EngineProcess for JsProcess {
    fn request(&self, text: String) -> LocalBoxFuture<'static, Result<String, EngineDeath>> {
        let engine = self.0.clone();
        async move {
            let reply = engine.request(&text).await.map_err(|error| death(&error))?;
            let reply: Option<&js_sys::JsString> = reply.dyn_ref();
            reply.map(json::string).ok_or_else(|| EngineDeath {
                kind: DeathKind::BadReply,
                reason: "its reply was no string".into(),
            })
        }
        .boxed_local()
    }

    fn end(&self) {
        // An engine that cannot even be ended is useless, and left to the host.
        let _ = self.0.end();
    }

    fn is_dead(&self) -> bool {
        self.0.is_dead()
    }

    fn bytes(&self) -> usize {
        self.0.bytes() as usize
    }
}

fn death(error: &JsValue) -> EngineDeath {
    let kind = match field(error, "kind").as_deref() {
        Some("memory") => DeathKind::Memory,
        Some("depth") => DeathKind::Depth,
        Some("halt") => DeathKind::Halt,
        Some("ended") => DeathKind::Ended,
        _ => DeathKind::Failed,
    };
    EngineDeath {
        kind,
        reason: message(error),
    }
}

impl Files for JsHost {
    fn resolve(&self, path: String) -> LocalBoxFuture<'static, Result<String, FileFault>> {
        let host = self.clone();
        async move {
            let real = host.resolve_path(&path).await.map_err(|error| fault(&error))?;
            real_path(&real)
        }
        .boxed_local()
    }

    fn read(&self, path: String, most: usize) -> LocalBoxFuture<'static, Result<Vec<u8>, FileFault>> {
        let host = self.clone();
        async move {
            let read = host.read_file(&path, most as f64).await;
            let bytes = read.map_err(|error| fault(&error))?;
            Ok(js_sys::Uint8Array::from(bytes).to_vec())
        }
        .boxed_local()
    }

    fn list(&self, directory: String) -> LocalBoxFuture<'static, Result<Vec<String>, FileFault>> {
        let host = self.clone();
        async move {
            let names = host
                .list_directory(&directory)
                .await
                .map_err(|error| fault(&error))?;
            file_names(names)
        }
        .boxed_local()
    }
}
