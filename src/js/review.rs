//! Drafts of a book: what agents propose, and what a person says to it.

use std::rc::Rc;

use serde::Serialize;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

use super::facade::Hornbook;
use super::failed::{self, thrown};
use super::json;
use crate::base::{Control, Fault};
use crate::book::DRAFTS;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
import type { Proposal, ProposedCell, ProposedClause, ProposedOperation } from "../generated/hornbook.js";
export type { Proposal, ProposedCell, ProposedClause, ProposedOperation };

/** What was decided about a draft. */
export interface Decided {
  /** The revision of the book that has the decision. */
  revision: number;
  /** How many operations it was about. */
  operations: number;
  /** How many clauses and directives the book has got and lost. */
  added: number;
  removed: number;
  /** Warnings and what else a person should know, a sentence each. */
  notices: string[];
}
"#;

#[wasm_bindgen]
impl Hornbook {
    /// The book with the changes of the draft of this name, or only with these of its operations, by their keys.
    /// Whoever is connected to it changes the draft, and not the book.
    #[wasm_bindgen(unchecked_return_type = "Promise<Hornbook>")]
    pub fn draft(&self, name: String, only: Option<Vec<String>>) -> js_sys::Promise {
        let (book, surroundings) = (self.workspace.clone(), self.surroundings.clone());
        let notice = self.notice();
        future_to_promise(async move {
            failed::check()?;
            let options = surroundings.settings.options(&surroundings.host);
            let (pool, files) = (surroundings.pool.clone(), surroundings.host.clone());
            let draft = book.draft(&name, only, pool, files, options).await;
            let draft = draft.map_err(|fault| thrown(&fault))?;
            Ok(Hornbook::of(draft, surroundings, notice).into())
        })
    }

    /// The book as it was after a revision, which cannot be changed. Rejects if that is not known any more.
    #[wasm_bindgen(js_name = asOf, unchecked_return_type = "Promise<Hornbook>")]
    pub fn as_of(&self, revision: f64) -> js_sys::Promise {
        let (book, surroundings) = (self.workspace.clone(), self.surroundings.clone());
        future_to_promise(async move {
            failed::check()?;
            let then = Hornbook::open_past(&book, revision as u64, surroundings).await;
            Ok(then.map_err(|fault| thrown(&fault))?.into())
        })
    }

    /// A workspace in which changes are made, each as one revision of this book.
    #[wasm_bindgen(js_name = forChanges)]
    pub fn for_changes(&self) -> Result<Hornbook, JsValue> {
        failed::check()?;
        let surroundings = self.surroundings.clone();
        let options = surroundings.settings.options(&surroundings.host);
        let (pool, files) = (surroundings.pool.clone(), surroundings.host.clone());
        let workspace = self.workspace.for_changes(pool, files, options);
        let workspace = workspace.map_err(|fault| thrown(&fault))?;
        Ok(Hornbook::of(workspace, surroundings, None))
    }

    /// Begin a change in such a workspace, which then has the book as it is: of the revision that this resolves to. For
    /// `hold_ms`, or until the change is made, nobody else in this process changes the book.
    #[wasm_bindgen(js_name = beginChange, unchecked_return_type = "Promise<number>")]
    pub fn begin_change(&self, hold_ms: u32) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        decided(async move { workspace.begin_change(hold_ms.into(), &Control::default()).await })
    }

    /// Forget what was changed in such a workspace, and let others change the book.
    #[wasm_bindgen(js_name = abandonChange)]
    pub fn abandon_change(&self) {
        self.workspace.abandon_change();
    }

    /// Make what was changed since then part of the book. Resolves to its revision, or to `null` if the book has
    /// changed meanwhile; if it `follows` the book, only if the changes no longer apply to it.
    #[wasm_bindgen(js_name = commitChange, unchecked_return_type = "Promise<number | null>")]
    pub fn commit_change(&self, begun: f64, follows: bool) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        decided(async move {
            workspace
                .commit_change(begun as u64, follows, &Control::default())
                .await
        })
    }

    /// Write the goals that the client of this draft has asked and that are not in the log yet. Call before closing it.
    #[wasm_bindgen(js_name = keepAsked, unchecked_return_type = "Promise<void>")]
    pub fn keep_asked(&self) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        future_to_promise(async move {
            failed::check()?;
            workspace.keep_asked().await;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// The names of the drafts that propose something.
    #[wasm_bindgen(unchecked_return_type = "Promise<string[]>")]
    pub fn drafts(&self) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        future_to_promise(async move {
            failed::check()?;
            Ok(serde_wasm_bindgen::to_value(&workspace.drafts().await)?)
        })
    }

    /// Call a function after each change of what drafts propose, by whomever.
    #[wasm_bindgen(js_name = onDrafts)]
    pub fn on_drafts(&self, changed: js_sys::Function) {
        self.workspace.on_cells(
            DRAFTS,
            Rc::new(move |_| {
                // What it throws is its own affair.
                let _ = changed.call0(&JsValue::NULL);
            }),
        );
    }

    /// What this draft proposes. Rejects if it proposes nothing.
    #[wasm_bindgen(unchecked_return_type = "Promise<Proposal>")]
    pub fn proposal(&self) -> js_sys::Promise {
        let workspace = self.workspace.clone();
        decided(async move { workspace.proposal(&Control::default()).await })
    }

    /// Make what this draft proposes part of its book, as one revision, in the name of a person. Rejects if
    /// it no longer applies, if it has other operations than `only`, by their keys, or if a constraint refuses it.
    #[wasm_bindgen(unchecked_return_type = "Promise<Decided>")]
    pub fn accept(
        &self,
        only: Option<Vec<String>>,
        by: Option<String>,
        reason: Option<String>,
    ) -> js_sys::Promise {
        let (workspace, control) = (self.workspace.clone(), named(by));
        decided(async move {
            workspace
                .accept(only.as_deref(), reason.as_deref(), &control)
                .await
        })
    }

    /// Drop this draft from its book.
    #[wasm_bindgen(unchecked_return_type = "Promise<Decided>")]
    pub fn reject(
        &self,
        only: Option<Vec<String>>,
        by: Option<String>,
        reason: Option<String>,
    ) -> js_sys::Promise {
        let (workspace, control) = (self.workspace.clone(), named(by));
        decided(async move {
            workspace
                .reject(only.as_deref(), reason.as_deref(), &control)
                .await
        })
    }
}

fn named(by: Option<String>) -> Control {
    Control {
        client_name: by.map(Into::into),
        ..Control::default()
    }
}

fn decided<T: Serialize>(work: impl Future<Output = Result<T, Fault>> + 'static) -> js_sys::Promise {
    future_to_promise(async move {
        failed::check()?;
        let done = work.await.map_err(|fault| thrown(&fault))?;
        let text = serde_json::to_string(&done).map_err(|error| JsError::new(&error.to_string()))?;
        Ok(json::parse(&text))
    })
}
