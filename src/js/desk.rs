//! The memory of a book, for JavaScript.

use std::cell::OnceCell;
use std::rc::Rc;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use js_sys::JsString;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use super::clock::{JsClock, new_id};
use super::host::JsHost;
use super::other_books::{JsOtherBooks, Read};
use super::told::message;
use crate::memory::{Desk, Embed, HalfLives, Others};
use crate::service;
use crate::workspace::Workspace;

/// Vectors from a function of the host.
struct Embedder(js_sys::Function);

impl Embed for Embedder {
    fn embed(&self, texts: Vec<String>) -> LocalBoxFuture<'_, Result<Vec<Vec<f32>>, String>> {
        async move {
            // The same letters in other code points mean the same.
            let normal = |text: String| JsString::from(text).normalize("NFC");
            let texts: js_sys::Array = texts.into_iter().map(normal).collect();
            let told = self.0.call1(&JsValue::UNDEFINED, &texts);
            let told = told.map_err(|error| message(&error))?;
            let vectors = JsFuture::from(js_sys::Promise::resolve(&told)).await;
            let vectors = vectors.map_err(|error| message(&error))?;
            if !js_sys::Array::is_array(&vectors) {
                return Err("What came for the texts is not an array of vectors".into());
            }
            let vectors = js_sys::Array::from(&vectors);
            Ok(vectors.iter().map(numbers).collect())
        }
        .boxed_local()
    }
}

/// The numbers of a vector; none if it is no vector.
fn numbers(vector: JsValue) -> Vec<f32> {
    match vector.is_instance_of::<js_sys::Float32Array>() || js_sys::Array::is_array(&vector) {
        true => js_sys::Float32Array::new(&vector).to_vec(),
        false => Vec::new(),
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
            let read =
                |books: &JsOtherBooks| Rc::new(Read::new(books.clone(), self.half_lives)) as Rc<dyn Others>;
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
