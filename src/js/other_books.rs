//! Other books that the memory searches, read-only.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use serde::Deserialize;
use wasm_bindgen::prelude::*;

use super::clock::JsClock;
use super::told::message;
use crate::base::{Limits, Pace};
use crate::memory::{HalfLives, Memory, Other, Others};
use crate::service;
use crate::store::read_book;

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

/// The most other books that are searched.
const BOOKS: usize = 50;

/// The memories of other books. A book is read again only if it has changed.
pub struct Read {
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
    pub fn new(books: JsOtherBooks, half_lives: HalfLives) -> Read {
        Read {
            books,
            half_lives,
            known: RefCell::default(),
        }
    }

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
