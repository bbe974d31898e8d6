//! Messages as objects of JavaScript.

use wasm_bindgen::JsValue;

/// The JSON of a value; `None` for what JSON does not have, and for what refers to itself.
pub fn text(value: &JsValue) -> Option<String> {
    js_sys::JSON::stringify(value).ok()?.as_string()
}

/// The value of a JSON text that this crate has written.
pub fn parse(text: &str) -> JsValue {
    js_sys::JSON::parse(text).unwrap_or_default()
}
