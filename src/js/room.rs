//! Rooms of a book: texts by key, which a host keeps beside the clauses. A change is a revision like any
//! other: durable, and part of the history.

use std::rc::Rc;

use serde::Deserialize;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

use super::facade::Hornbook;
use super::failed::{self, thrown};
use crate::base::Control;
use crate::workspace::{CellEdit, Workspace};

/// Rooms whose texts only their own operations may change.
const TAKEN: [&str; 2] = ["memory", "workflow"];

#[wasm_bindgen]
impl Hornbook {
    /// The room with this name. Those of the memory and of workflows are off limits.
    pub fn room(&self, name: &str) -> Result<Room, JsError> {
        failed::check()?;
        if TAKEN.contains(&name) {
            let message = format!("The room '{name}' belongs to the book's own tools: take another name.");
            return Err(JsError::new(&message));
        }
        Ok(Room {
            workspace: self.workspace.clone(),
            name: name.into(),
        })
    }
}

/// A room of a book.
#[wasm_bindgen]
pub struct Room {
    workspace: Workspace,
    name: Rc<str>,
}

/// Keys with their new texts; `null` removes a key.
#[derive(Deserialize)]
struct Texts(Vec<(String, Option<String>)>);

#[wasm_bindgen]
impl Room {
    /// The text of a key.
    pub fn get(&self, key: &str) -> Result<Option<String>, JsError> {
        failed::check()?;
        Ok(self.workspace.cell(&self.name, key))
    }

    /// The keys that begin with `prefix`, in order, each with its text.
    #[wasm_bindgen(unchecked_return_type = "[string, string][]")]
    pub fn from(&self, prefix: &str) -> Result<JsValue, JsError> {
        failed::check()?;
        let texts = self.workspace.cells_from(&self.name, prefix);
        Ok(serde_wasm_bindgen::to_value(&texts)?)
    }

    /// Store all of `texts` as one revision, and resolve when that is done; `action` describes it in the
    /// history.
    #[wasm_bindgen(unchecked_return_type = "Promise<void>")]
    pub fn edit(
        &self,
        action: String,
        #[wasm_bindgen(unchecked_param_type = "[string, string | null][]")] texts: JsValue,
    ) -> js_sys::Promise {
        let (workspace, name) = (self.workspace.clone(), self.name.clone());
        future_to_promise(async move {
            failed::check()?;
            let Texts(cells) = serde_wasm_bindgen::from_value(texts)?;
            let edit = CellEdit { action, cells };
            let plan = || (edit.clone(), ());
            let edited = workspace.edit_cells(&name, &Control::default(), plan).await;
            edited.map_err(|fault| thrown(&fault))?;
            Ok(JsValue::UNDEFINED)
        })
    }
}
