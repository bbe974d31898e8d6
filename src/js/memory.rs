//! The memory of a book, out of it and into it.

use std::rc::Rc;

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

use super::facade::Hornbook;
use super::failed;
use super::host::{JsClock, new_id};
use crate::base::Control;
use crate::memory::Desk;
use crate::service;
use crate::workspace::Workspace;

pub fn desk(workspace: &Workspace) -> Rc<Desk> {
    service::memory::open(workspace, Rc::new(JsClock), new_id)
}

#[wasm_bindgen]
impl Hornbook {
    /// All that the memory holds, a record a line, as JSON.
    #[wasm_bindgen(js_name = exportMemory)]
    pub fn export_memory(&self) -> Result<String, JsError> {
        failed::check()?;
        Ok(self.desk().export())
    }

    /// Take lines over into the memory, as one revision: those of an export, and those of server-memory. Resolves with
    /// what was made of them, a JSON text: how many records were `added`, `replaced`, `unchanged`, `not_taken`, and the
    /// `problems`, each with its `line` and `why`.
    #[wasm_bindgen(js_name = importMemory, unchecked_return_type = "Promise<string>")]
    pub fn import_memory(&self, text: String) -> js_sys::Promise {
        let desk = self.desk();
        future_to_promise(async move {
            failed::check()?;
            match desk.import(text, Control::default()).await {
                Ok(report) => Ok(report.to_string().into()),
                Err(message) => Err(JsError::new(&message).into()),
            }
        })
    }
}

impl Hornbook {
    /// One that follows the book: each that is made reads all of the memory.
    fn desk(&self) -> Rc<Desk> {
        self.memory.get_or_init(|| desk(&self.workspace)).clone()
    }
}
