//! A book as it was: what a page shows of the past.

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

use super::book::promise;
use super::facade::Hornbook;
use super::failed;
use super::page::to_js;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
import type { Past, PastEntry } from "../generated/hornbook.js";
export type { Past, PastEntry };
"#;

#[wasm_bindgen]
impl Hornbook {
    /// The book as it was after a revision, or as it is now: at most `most` of its clauses, those that were added last.
    #[wasm_bindgen(unchecked_return_type = "Promise<Past>")]
    pub fn past(&self, revision: Option<f64>, most: usize) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        future_to_promise(async move {
            failed::check()?;
            to_js(workspace.past(revision.map(|number| number as u64), most).await)
        })
    }

    /// The files and documents whose text after a revision was another than it is now.
    #[wasm_bindgen(js_name = filesSince, unchecked_return_type = "Promise<string[]>")]
    pub fn files_since(&self, revision: f64) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        promise(async move { workspace.files_since(revision as u64).await })
    }

    /// The text of a file or document after a revision; `null` if the book did not have it.
    #[wasm_bindgen(js_name = sourceAfter, unchecked_return_type = "Promise<string | null>")]
    pub fn source_after(&self, filename: String, revision: f64) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        promise(async move { workspace.source_after(&filename, revision as u64).await })
    }
}
