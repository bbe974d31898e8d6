//! Messages as texts and objects of JavaScript.

use std::iter;

use js_sys::{JsString, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::*;

/// From so many UTF-16 units on a text is encoded by the machine, since wasm-bindgen does it character by character.
const LONG: u32 = 16_384;

/// Texts of so many UTF-16 units come over in parts of as many.
pub const PART: u32 = 1 << 16;

#[wasm_bindgen]
extern "C" {
    type TextEncoder;

    #[wasm_bindgen(constructor)]
    fn new() -> TextEncoder;
    #[wasm_bindgen(method)]
    fn encode(this: &TextEncoder, text: &JsString) -> Uint8Array;
}

/// A text of any length. What is no character of Unicode becomes U+FFFD.
pub fn string(text: &JsString) -> String {
    match text.length() {
        LONG.. => {
            let bytes = TextEncoder::new().encode(text).to_vec();
            String::from_utf8(bytes).expect("an encoder gives UTF-8")
        }
        _ => text.into(),
    }
}

/// A long text, a part at a time.
pub fn parts(text: JsString) -> impl Iterator<Item = String> {
    let mut at = 0;
    iter::from_fn(move || {
        let mut end = text.length().min(at + PART);
        // A character of two units is in one part.
        if end < text.length() && (0xD800..0xDC00).contains(&(text.char_code_at(end - 1) as u32)) {
            end += 1;
        }
        let part = (at < end).then(|| string(&text.slice(at, end)));
        at = end;
        part
    })
}

/// The JSON of a value; `None` for what JSON does not have, and for what refers to itself.
pub fn text(value: &JsValue) -> Option<String> {
    stringify(value).map(|text| string(&text))
}

/// The same as a text of JavaScript.
pub fn stringify(value: &JsValue) -> Option<JsString> {
    let text = js_sys::JSON::stringify(value).ok()?;
    // Of `undefined` it makes `undefined`.
    text.is_string().then_some(text)
}

/// The value of a JSON text that this crate has written.
pub fn parse(text: &str) -> JsValue {
    js_sys::JSON::parse(text).unwrap_or_default()
}
