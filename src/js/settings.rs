//! The options of a workspace, as JavaScript gives them.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;

use super::host::JsHost;
use super::toolsets::{NamedToolset, toolsets};
use crate::base::Limits;
use crate::base::options::{self, unknown_option};
use crate::engine::Unknown;
use crate::memory::HalfLives;
use crate::service;
use crate::service::package::Options;
use crate::workspace;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
import type { Options } from "../generated/hornbook.js";
export type { Options };
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "Options")]
    pub type JsOptions;
}

/// The names of options that hosts handle themselves.
const OPTIONS_OF_HOSTS: [&str; 9] = [
    "path",
    "book",
    "token",
    "predicates",
    "data",
    "log",
    "workspace",
    "assets",
    "progress",
];

/// Throws a sentence if a name is not that of an option.
#[wasm_bindgen(js_name = checkOptions)]
pub fn check_options(given: Vec<String>, known: Vec<String>) -> Result<(), JsError> {
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    match unknown_option(&given, &known, &[]) {
        Some(message) => Err(JsError::new(&message)),
        None => Ok(()),
    }
}

/// The options after parsing.
#[derive(Clone)]
pub(super) struct Settings {
    pub workspace: workspace::Options,
    pub tools: Vec<&'static NamedToolset>,
    pub half_lives: HalfLives,
    /// Whether programs of `dml_run` may change the book; `None` if they may not use it at all.
    pub dml_writes: Option<bool>,
}

impl Settings {
    /// The options of a workspace for this host.
    pub fn options(&self, host: &JsHost) -> workspace::Options {
        workspace::Options {
            capabilities: vec![service::memory::CAPABILITY],
            host: host
                .predicates()
                .map_or_else(Vec::new, |predicates| predicates.list()),
            ..self.workspace.clone()
        }
    }

    /// Read the options of a workspace. The error names the option that is wrong and says what it takes.
    pub fn read(options: &JsOptions) -> Result<Settings, JsError> {
        let options = read_options(options)?;
        let mut workspace = workspace::Options {
            roots: options.roots.unwrap_or_default(),
            libraries: options.libraries.unwrap_or_default(),
            limits: limits(options.limits.unwrap_or_default())?,
            engines: options.engines.unwrap_or(2),
            ..workspace::Options::default()
        };
        if workspace.engines == 0 {
            return Err(JsError::new("`engines` must be 1 or more"));
        }
        match options.unknown.as_deref() {
            None => {}
            Some("error") => workspace.unknown = Unknown::Error,
            Some("fail") => workspace.unknown = Unknown::Fail,
            Some(other) => {
                return Err(JsError::new(&format!(
                    "`unknown` must be \"error\" or \"fail\", not \"{other}\""
                )));
            }
        }
        if let Some(timeout_ms) = options.timeout_ms {
            workspace.timeout_ms = timeout_ms;
        }
        let dml_writes = match options.dml_book.as_deref() {
            None => None,
            Some("read") => Some(false),
            Some("write") => Some(true),
            Some(other) => {
                return Err(JsError::new(&format!(
                    "`dmlBook` must be \"read\" or \"write\", not \"{other}\""
                )));
            }
        };
        let mut half_lives = HalfLives::default();
        let set = half_lives.set(&options.half_lives.unwrap_or_default());
        set.map_err(|message| JsError::new(&message))?;
        Ok(Settings {
            workspace,
            tools: toolsets(&options.tools.unwrap_or_default())?,
            half_lives,
            dml_writes,
        })
    }
}

/// The options by their names and kinds.
fn read_options(given: &JsOptions) -> Result<Options, JsError> {
    if given.is_undefined() {
        return Ok(Options::default());
    }
    let Some(given) = given.dyn_ref::<js_sys::Object>() else {
        return Err(JsError::new(
            "the options must be an object, as { timeoutMs: 5000 }",
        ));
    };
    let names = js_sys::Object::keys(given);
    let names: Vec<String> = names.iter().filter_map(|name| name.as_string()).collect();
    if let Some(message) = unknown_option(&names, options::names::<Options>(), &OPTIONS_OF_HOSTS) {
        return Err(JsError::new(&message));
    }
    let texts = "an array of strings";
    Ok(Options {
        roots: option(given, "roots", texts)?,
        libraries: option(given, "libraries", texts)?,
        tools: option(given, "tools", texts)?,
        dml_book: option(given, "dmlBook", "a string")?,
        unknown: option(given, "unknown", "a string")?,
        timeout_ms: option(given, "timeoutMs", "a whole number of milliseconds")?,
        engines: option(given, "engines", "a whole number from 1")?,
        half_lives: option(
            given,
            "halfLives",
            "numbers of days by type, as { solution: 200 }",
        )?,
        limits: option(given, "limits", "whole numbers by name, as { take: 20 }")?,
    })
}

/// The value of one option, which takes `what`.
fn option<T: DeserializeOwned>(given: &js_sys::Object, name: &str, what: &str) -> Result<Option<T>, JsError> {
    js_sys::Reflect::get(given, &name.into())
        .ok()
        .and_then(|value| serde_wasm_bindgen::from_value(value).ok())
        .ok_or_else(|| JsError::new(&format!("`{name}` must be {what}")))
}

/// The default limits, with the given ones set.
pub(super) fn limits(settings: BTreeMap<String, u64>) -> Result<Limits, JsError> {
    let mut limits = Limits::default();
    for (name, value) in settings {
        if !limits.set(&name, value) {
            let names = Limits::SETTABLE.join(", ");
            return Err(JsError::new(&format!(
                "there is no limit `{name}` to set; the limits are {names}"
            )));
        }
    }
    Ok(limits)
}
