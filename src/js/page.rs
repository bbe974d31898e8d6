//! What a page that edits a book needs besides MCP: problems while the user types, files as they are, proofs.

use serde::Serialize;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

use super::book::Cancel;
use super::facade::Hornbook;
use super::failed;
use crate::base::{Control, Fault};
use crate::service::package::Saved;
use crate::workspace::Around;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
import type { OutlineItem, OutlineMark, Problem, Proof, ProofClause, ProofNode, Port, Replay, Saved } from "../generated/hornbook.js";
export type { OutlineItem, OutlineMark, Problem, Proof, ProofClause, ProofNode, Port, Replay, Saved };
"#;

#[wasm_bindgen]
impl Hornbook {
    /// The problems a text would have if it were imported; nothing is added. `home` is the module whose file
    /// includes it, `modules` are the modules of files that the book need not have, `file` is the file whose new text it is.
    #[wasm_bindgen(unchecked_return_type = "Promise<Problem[]>")]
    pub fn check(
        &self,
        text: String,
        home: Option<String>,
        modules: Option<Vec<String>>,
        file: Option<String>,
    ) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        let around = Around {
            home,
            modules: modules.unwrap_or_default(),
            file,
        };
        future_to_promise(async move {
            failed::check()?;
            to_js(workspace.check(&text, &around, &Control::default()).await)
        })
    }

    /// An outline of a text, clause by clause; nothing is added.
    #[wasm_bindgen(unchecked_return_type = "Promise<OutlineItem[]>")]
    pub fn outline(&self, text: String) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        future_to_promise(async move {
            failed::check()?;
            to_js(workspace.outline(&text, &Control::default()).await)
        })
    }

    /// The proof of a query's answer number `answer`, from 1. The query's changes are undone.
    #[wasm_bindgen(unchecked_return_type = "Promise<Proof>")]
    pub fn prove(&self, query: String, answer: usize) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        future_to_promise(async move {
            failed::check()?;
            to_js(workspace.prove(&query, answer, None, &Control::default()).await)
        })
    }

    /// Why a goal holds (the proof of its first answer), or why it fails. The goal's changes are undone.
    #[wasm_bindgen(unchecked_return_type = "Promise<Proof>")]
    pub fn why(&self, goal: String) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        future_to_promise(async move {
            failed::check()?;
            to_js(workspace.why(&goal, None, &Control::default()).await)
        })
    }

    /// A run of a query with all its answers, port by port. The query's changes are undone.
    #[wasm_bindgen(unchecked_return_type = "Promise<Replay>")]
    pub fn replay(&self, query: String) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        future_to_promise(async move {
            failed::check()?;
            to_js(workspace.replay(&query, &Control::default()).await)
        })
    }

    /// Whether the book has this file as a document, or would have it if it were saved.
    #[wasm_bindgen(js_name = isDocument)]
    pub fn is_document(&self, filename: &str) -> bool {
        self.workspace.is_document(filename)
    }

    /// The text of an imported file, without what was removed from it since; or of a document.
    pub fn source(&self, filename: &str) -> Option<String> {
        self.workspace.source(filename)
    }

    /// The clauses that are in no file, as text.
    pub fn loose(&self) -> String {
        self.workspace.loose()
    }

    /// `name/arity` of user and built-in predicates whose names begin with `prefix`; those of the engine only
    /// once it is ready.
    pub fn complete(&self, prefix: &str) -> Vec<String> {
        self.workspace.complete_predicate(prefix)
    }

    /// The names of the columns of a table; empty if the book has none of this name.
    pub fn columns(&self, table: &str) -> Vec<String> {
        self.workspace.columns(table)
    }

    /// `name/arity` of all built-in predicates; empty until an engine is ready.
    pub fn builtins(&self) -> Vec<String> {
        self.workspace.builtins()
    }

    /// The libraries whose predicates can be called; empty until an engine is ready.
    pub fn libraries(&self) -> Vec<String> {
        self.workspace.libraries()
    }

    /// The inferences that a query has taken so far, by its id, if known.
    pub fn inferences(&self, query: &str) -> Option<f64> {
        self.workspace
            .inferences(query)
            .map(|inferences| inferences as f64)
    }

    /// Replace the contents of a file, as one operation. `over` is the text that it is meant to replace, empty if
    /// there is none yet: if the book has another by now, it rejects with the kind `conflict` and changes nothing.
    /// Cancelled while a goal of `initialization/1` runs, it is saved and says so; before that, nothing is.
    #[wasm_bindgen(unchecked_return_type = "Promise<Saved>")]
    pub fn save(
        &self,
        filename: String,
        text: String,
        cancel: &Cancel,
        over: Option<String>,
    ) -> js_sys::Promise {
        let (workspace, control) = (self.workspace.clone(), cancel.control());
        future_to_promise(async move {
            failed::check()?;
            let saved = workspace.save(&filename, text, over.as_deref(), &control).await;
            to_js(saved.map(Saved::from))
        })
    }

    /// Put this text, a new file, in the place of the clauses that are in no file, as one operation. `over` is what
    /// they are (`loose`): if they are others by now, it rejects with the kind `conflict` and changes nothing.
    #[wasm_bindgen(js_name = saveLoose, unchecked_return_type = "Promise<Saved>")]
    pub fn save_loose(
        &self,
        filename: String,
        text: String,
        cancel: &Cancel,
        over: String,
    ) -> js_sys::Promise {
        let (workspace, control) = (self.workspace.clone(), cancel.control());
        future_to_promise(async move {
            failed::check()?;
            let saved = workspace.save_loose(&filename, text, &over, &control).await;
            to_js(saved.map(Saved::from))
        })
    }
}

/// A JavaScript value, or an `Error` whose message includes what to do next.
pub(super) fn to_js<T: Serialize>(result: Result<T, Fault>) -> Result<JsValue, JsValue> {
    match result {
        Ok(value) => {
            let serializer = serde_wasm_bindgen::Serializer::json_compatible();
            Ok(value.serialize(&serializer).map_err(JsError::from)?)
        }
        Err(fault) => Err(failed::thrown(&fault)),
    }
}
