//! Export and import of a book's memory.

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

use super::facade::Hornbook;
use super::failed;
use super::json;
use crate::base::Control;

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
