//! What JavaScript answers and throws.

use wasm_bindgen::prelude::*;

use crate::base::FileFault;

/// The real path as returned by a host or a folder.
pub fn real_path(real: &JsValue) -> Result<String, FileFault> {
    real.as_string()
        .ok_or_else(|| FileFault::Unreadable("its path is not Unicode".to_owned()))
}

/// The names in a directory.
pub fn file_names(names: JsValue) -> Result<Vec<String>, FileFault> {
    serde_wasm_bindgen::from_value(names).map_err(|error| FileFault::Unreadable(error.to_string()))
}

pub fn fault(error: &JsValue) -> FileFault {
    match field(error, "fault").as_deref() {
        Some("not_found") => FileFault::NotFound,
        Some("not_a_file") => FileFault::NotAFile,
        Some("too_large") => FileFault::TooLarge,
        Some("not_supported") => FileFault::NotSupported,
        _ => FileFault::Unreadable(message(error)),
    }
}

/// The message of an `Error`, or of whatever else was thrown.
pub fn message(error: &JsValue) -> String {
    let said = field(error, "message").or_else(|| error.as_string());
    let said = said.filter(|said| !said.trim().is_empty());
    said.unwrap_or_else(|| "it did not say why".into())
}

pub fn field(value: &JsValue, name: &str) -> Option<String> {
    js_sys::Reflect::get(value, &name.into()).ok()?.as_string()
}
