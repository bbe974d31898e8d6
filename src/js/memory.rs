//! Export and import of a book's memory.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use serde::Deserialize;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, future_to_promise};

use super::facade::Hornbook;
use super::failed;
use super::host::{JsClock, JsHost, message, new_id};
use super::json;
use crate::base::{Control, Limits, Pace};
use crate::memory::{Desk, Embed, HalfLives, Memory, Other, Others};
use crate::service;
use crate::store::read_book;
use crate::workspace::Workspace;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
import type { MemoryImport, MemoryImportProblem } from "../generated/memory.js";
export type { MemoryImport, MemoryImportProblem };

/** The other books that `kn_intel crossref` searches, read-only. */
export interface OtherBooks {
  /** The current books, each with a mark that changes whenever the book does. */
  list(): Promise<{ name: string; mark: string }[]>;
  /** The bytes of a book. */
  read(name: string): Promise<Uint8Array>;
}

/**
 * Makes vectors of texts, in order, all of the same length: the more similar two vectors, the nearer the texts in
 * meaning. With them, recall and context find what is worded differently.
 */
export type Embed = (texts: string[]) => Promise<(Float32Array | number[])[]>;
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "OtherBooks")]
    #[derive(Clone)]
    pub type JsOtherBooks;

    #[wasm_bindgen(method, catch)]
    async fn list(this: &JsOtherBooks) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    async fn read(this: &JsOtherBooks, name: &str) -> Result<JsValue, JsValue>;
}

/// Vectors from a function of the host.
struct Embedder(js_sys::Function);

impl Embed for Embedder {
    fn embed(&self, texts: Vec<String>) -> LocalBoxFuture<'_, Result<Vec<Vec<f32>>, String>> {
        async move {
            let texts: js_sys::Array = texts.into_iter().map(JsValue::from).collect();
            let told = self.0.call1(&JsValue::UNDEFINED, &texts);
            let told = told.map_err(|error| message(&error))?;
            let vectors = JsFuture::from(js_sys::Promise::resolve(&told)).await;
            let vectors = vectors.map_err(|error| message(&error))?;
            if !js_sys::Array::is_array(&vectors) {
                return Err("What came for the texts is no array of vectors".into());
            }
            let vectors = js_sys::Array::from(&vectors);
            Ok(vectors
                .iter()
                .map(|one| js_sys::Float32Array::new(&one).to_vec())
                .collect())
        }
        .boxed_local()
    }
}

/// The memory of a book, created on first use because that reads all of it.
pub struct LazyDesk {
    desk: OnceCell<Rc<Desk>>,
    workspace: Workspace,
    half_lives: HalfLives,
    others: Option<JsOtherBooks>,
    embed: Option<js_sys::Function>,
}

impl LazyDesk {
    pub fn new(workspace: &Workspace, host: &JsHost, half_lives: HalfLives) -> LazyDesk {
        LazyDesk {
            desk: OnceCell::new(),
            workspace: workspace.clone(),
            half_lives,
            others: host.other_books(),
            embed: host.embed(),
        }
    }

    pub fn desk(&self) -> Rc<Desk> {
        let made = self.desk.get_or_init(|| {
            let read = |books: &JsOtherBooks| {
                let known = RefCell::default();
                let (books, half_lives) = (books.clone(), self.half_lives);
                Rc::new(Read {
                    books,
                    half_lives,
                    known,
                }) as Rc<dyn Others>
            };
            let others = self.others.as_ref().map(read);
            let embed = self
                .embed
                .clone()
                .map(|embed| Rc::new(Embedder(embed)) as Rc<dyn Embed>);
            let clock = Rc::new(JsClock);
            service::memory::open(&self.workspace, clock, new_id, self.half_lives, others, embed)
        });
        made.clone()
    }
}

/// The most other books that are searched.
const BOOKS: usize = 50;

/// The memories of other books. A book is read again only if it has changed.
struct Read {
    books: JsOtherBooks,
    half_lives: HalfLives,
    known: RefCell<BTreeMap<String, (String, Rc<Memory>)>>,
}

#[derive(Deserialize)]
struct Listed {
    name: String,
    mark: String,
}

impl Others for Read {
    fn memories(&self) -> LocalBoxFuture<'_, Vec<Other>> {
        async move {
            let listed = self.books.list().await.map_err(|error| message(&error));
            let listed = listed.and_then(|listed| {
                serde_wasm_bindgen::from_value::<Vec<Listed>>(listed).map_err(|error| error.to_string())
            });
            let mut listed = match listed {
                Ok(listed) => listed,
                Err(why) => {
                    let name = "other books".to_owned();
                    return vec![Other {
                        name,
                        memory: Err(why),
                    }];
                }
            };
            listed.sort_by(|one, other| one.name.cmp(&other.name));
            self.known
                .borrow_mut()
                .retain(|name, _| listed.iter().any(|book| book.name == *name));
            let mut memories = Vec::new();
            for (at, Listed { name, mark }) in listed.into_iter().enumerate() {
                let memory = match at < BOOKS {
                    true => self.memory(&name, mark).await,
                    false => Err(format!("only the first {BOOKS} books are looked in")),
                };
                memories.push(Other { name, memory });
            }
            memories
        }
        .boxed_local()
    }
}

impl Read {
    async fn memory(&self, name: &str, mark: String) -> Result<Rc<Memory>, String> {
        if let Some((known, memory)) = self.known.borrow().get(name)
            && *known == mark
        {
            return Ok(memory.clone());
        }
        let bytes = self.books.read(name).await.map_err(|error| message(&error))?;
        let bytes = js_sys::Uint8Array::from(bytes).to_vec();
        let pace = Pace::new(Rc::new(JsClock));
        let book = read_book(name.to_owned(), bytes, &Limits::default(), &pace).await;
        let book = book.map_err(|fault| fault.to_string())?;
        let memory = Rc::new(service::memory::of_book(&book, self.half_lives, &pace).await);
        let read = (mark, memory.clone());
        self.known.borrow_mut().insert(name.to_owned(), read);
        Ok(memory)
    }
}

#[wasm_bindgen]
impl Hornbook {
    /// The whole memory as JSON, one record per line.
    #[wasm_bindgen(js_name = exportMemory)]
    pub fn export_memory(&self) -> Result<String, JsError> {
        failed::check()?;
        Ok(self.memory.desk().export())
    }

    /// Import lines into the memory as one revision: those of an export, and those of server-memory. Resolves
    /// to a report.
    #[wasm_bindgen(js_name = importMemory, unchecked_return_type = "Promise<MemoryImport>")]
    pub fn import_memory(&self, text: String) -> js_sys::Promise {
        let desk = self.memory.desk();
        future_to_promise(async move {
            failed::check()?;
            match desk.import(text, Control::default()).await {
                Ok(report) => Ok(json::parse(
                    &serde_json::to_string(&report).map_err(JsError::from)?,
                )),
                Err(message) => Err(JsError::new(&message).into()),
            }
        })
    }
}
