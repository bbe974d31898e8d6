//! Operations on the file of a book: reading it without changing it, and rewriting it.

use std::cell::RefCell;
use std::rc::Rc;

use serde::Serialize;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

use super::clock::JsClock;
use super::failed;
use super::host::{JsHost, pool};
use super::store::JsStore;
use crate::base::{Limits, Pace, Priority};
use crate::book::Book;
use crate::engine::{Profile, Supervisor, Unknown};
use crate::service::memory;
use crate::store::{Journal, Opened, Reading, Rewritten, Store, StoreFault, read_store};

/// How often a book is rewritten anew because others have written meanwhile. After the first time, they wait.
const TRIES: usize = 5;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** An entry of a book that an engine cannot load: what it is and where it is from, and why. */
export interface SetAside {
  entry: string;
  why: string;
}

/** How a book was rewritten. */
export interface Compacted {
  /** Its length, in bytes. */
  before: number;
  after: number;
  /** How many revisions the book has had. */
  revisions: number;
  /** How many of the last operations can be undone. */
  kept: number;
  /** How many could be undone before, and no longer can. */
  lost: number;
  /** What had to be cut off when it was opened, a sentence. */
  notice?: string;
}
"#;

/// A book that was read without changing where it is kept.
#[wasm_bindgen(js_name = ReadBook)]
pub struct ReadBook {
    book: Book,
    length: u64,
    head: Option<String>,
    torn: usize,
}

#[wasm_bindgen(js_class = ReadBook)]
impl ReadBook {
    /// Read all records of a store, which must not change meanwhile: it is opened and read, nothing else.
    /// Rejects if it holds anything but whole records and perhaps a torn last one; the message is a sentence
    /// that begins with its name.
    #[wasm_bindgen(js_name = "from")]
    pub async fn from_store(store: JsStore) -> Result<ReadBook, JsError> {
        failed::check()?;
        let reading = read_store(Rc::new(store), &Pace::new(Rc::new(JsClock))).await?;
        let Reading {
            book,
            length,
            head,
            torn,
        } = reading;
        Ok(ReadBook {
            book,
            length,
            head,
            torn,
        })
    }

    /// How many revisions it has had.
    #[wasm_bindgen(getter)]
    pub fn revisions(&self) -> f64 {
        self.book.revision() as f64
    }

    #[wasm_bindgen(getter)]
    pub fn clauses(&self) -> usize {
        self.book.clause_count()
    }

    /// The length of its whole records, with the first line, in bytes.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> f64 {
        self.length as f64
    }

    /// The first line that marks all of them as acknowledged; `undefined` for a book without a mark.
    #[wasm_bindgen(getter)]
    pub fn head(&self) -> Option<String> {
        self.head.clone()
    }

    /// How many bytes of a torn record follow them.
    #[wasm_bindgen(getter)]
    pub fn torn(&self) -> usize {
        self.torn
    }

    /// Load the book into an engine of the host, with these libraries. Resolves to the entries that the engine
    /// cannot load; rejects if there is no engine.
    #[wasm_bindgen(js_name = setAside, unchecked_return_type = "Promise<SetAside[]>")]
    pub fn set_aside(&self, host: JsHost, libraries: Vec<String>) -> js_sys::Promise {
        let book = Rc::new(RefCell::new(self.book.clone()));
        future_to_promise(async move {
            failed::check()?;
            let capabilities = vec![memory::CAPABILITY];
            let profile = Profile::book(Unknown::Error, libraries, capabilities, Limits::default());
            let supervisor = Supervisor::new(pool(Rc::new(host)), profile, book.clone());
            let _turn = supervisor.turn(Priority::Normal).await;
            supervisor.ready().await.map_err(|why| JsError::new(&why))?;
            let book = book.borrow();
            let aside: Vec<SetAside> = book
                .aside()
                .iter()
                .map(|(id, why)| SetAside {
                    entry: book.described(*id),
                    why: why.to_string(),
                })
                .collect();
            Ok(serde_wasm_bindgen::to_value(&aside)?)
        })
    }
}

#[derive(Serialize)]
struct SetAside {
    entry: String,
    why: String,
}

#[derive(Serialize)]
struct Compacted {
    before: f64,
    after: f64,
    revisions: f64,
    kept: usize,
    lost: usize,
    notice: Option<String>,
}

/// Rewrite a book with its last `keep` operations (default: as many as when it is rewritten by itself) and those of drafts
/// among them, through the process that has it open if there is one. Rejects with a sentence.
#[wasm_bindgen(js_name = compactBook, unchecked_return_type = "Promise<Compacted>")]
pub fn compact_book(store: JsStore, keep: Option<u32>) -> js_sys::Promise {
    future_to_promise(async move {
        failed::check()?;
        let (limits, pace) = (Limits::default(), Pace::new(Rc::new(JsClock)));
        let store = Rc::new(store);
        let name = Store::name(&*store);
        let opened = Journal::open(store, &limits, &pace).await;
        let Opened {
            journal,
            book,
            notice,
        } = opened.map_err(JsError::from)?;
        let keep = keep.map_or(limits.history, |keep| keep as usize);
        let most = 2 * keep.max(limits.history);
        let rewritten = rewrite(&journal, book, (keep, most), &pace).await;
        let mut compacted = rewritten.map_err(|fault| JsError::new(&format!("{name}: {fault}.")))?;
        compacted.notice = notice;
        Ok(serde_wasm_bindgen::to_value(&compacted)?)
    })
}

/// `keep` operations are kept, in at most `most` revisions.
async fn rewrite(
    journal: &Journal,
    book: Book,
    (keep, most): (usize, usize),
    pace: &Pace,
) -> Result<Compacted, StoreFault> {
    let undoable = |book: &Book| book.reversible(|_, _| true).0;
    let book = RefCell::new(book);
    for _ in 0..TRIES {
        let could = undoable(&book.borrow());
        let history = book.borrow().revisions_with(keep, most);
        if let Rewritten::Done { before, after } = journal.rewrite(&book, history, pace).await? {
            let book = book.borrow();
            let kept = undoable(&book);
            return Ok(Compacted {
                before: before as f64,
                after: after as f64,
                revisions: book.revision() as f64,
                kept,
                lost: could.saturating_sub(kept),
                notice: None,
            });
        }
        let mut news = Vec::new();
        let now = book.borrow().clone();
        let read = journal.news(&now, &mut news, pace).await;
        for revision in news {
            book.borrow_mut().apply(revision);
        }
        read?;
    }
    Err(StoreFault::new(
        "others change it all the time; try again when it is less busy",
    ))
}
