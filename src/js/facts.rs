//! The facts and predicates of a book for programs: bringing facts up to date, and what predicates there are.

use wasm_bindgen::prelude::*;

use super::book::{Cancel, promise};
use super::facade::Hornbook;
use crate::service::package::{PredicateInfo, UpsertCounts};
use crate::workspace::Upsert;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
import type { PredicateInfo, UpsertCounts } from "../generated/hornbook.js";
export type { PredicateInfo, UpsertCounts };
"#;

#[wasm_bindgen]
impl Hornbook {
    /// Bring the facts of a predicate up to date. `values` are the texts of the rows' values, `arity` for each row; `key`
    /// are the places that tell facts apart, from 0.
    #[wasm_bindgen(unchecked_return_type = "Promise<UpsertCounts>")]
    pub fn upsert(
        &self,
        predicate: String,
        arity: usize,
        values: Vec<String>,
        key: Vec<usize>,
        cancel: &Cancel,
    ) -> js_sys::Promise {
        let (workspace, control) = (self.workspace.clone(), cancel.control());
        promise(async move {
            let facts = Upsert {
                predicate,
                arity,
                values,
                key,
            };
            Ok(UpsertCounts::from(workspace.upsert(facts, &control).await?))
        })
    }

    /// The predicates of the book, sorted.
    #[wasm_bindgen(unchecked_return_type = "Promise<PredicateInfo[]>")]
    pub fn predicates(&self) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        promise(async move {
            workspace.freshen().await;
            let symbols = workspace.symbols().await;
            Ok(symbols.into_iter().map(PredicateInfo::from).collect::<Vec<_>>())
        })
    }
}
