//! Messages as JavaScript texts and objects.

use std::iter;

use js_sys::{JsString, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::*;

use crate::base::Pace;

/// Texts of at least this many UTF-16 units are encoded by JavaScript itself, as wasm-bindgen goes character
/// by character.
const LONG: u32 = 16_384;

/// Longer texts cross in parts of this many UTF-16 units.
pub const PART: u32 = 1 << 16;

#[wasm_bindgen]
extern "C" {
    type TextEncoder;

    #[wasm_bindgen(constructor)]
    fn new() -> TextEncoder;
    #[wasm_bindgen(method)]
    fn encode(this: &TextEncoder, text: &JsString) -> Uint8Array;
}

/// A text of any length. Unpaired surrogates become U+FFFD.
pub fn string(text: &JsString) -> String {
    match text.length() {
        LONG.. => {
            let bytes = TextEncoder::new().encode(text).to_vec();
            String::from_utf8(bytes).expect("an encoder gives UTF-8")
        }
        _ => text.into(),
    }
}

/// A long text, one part at a time.
pub fn parts(text: JsString) -> impl Iterator<Item = String> {
    let mut at = 0;
    iter::from_fn(move || {
        let mut end = text.length().min(at + PART);
        // Keep the two units of a character in the same part.
        if end < text.length() && (0xD800..0xDC00).contains(&(text.char_code_at(end - 1) as u32)) {
            end += 1;
        }
        let part = (at < end).then(|| string(&text.slice(at, end)));
        at = end;
        part
    })
}

/// A text of any length, in slices.
pub async fn string_in_slices(text: JsString, pace: &Pace) -> String {
    let mut all = String::with_capacity(text.length() as usize);
    for part in parts(text) {
        all.push_str(&part);
        if pace.is_over(part.len() / 64) {
            pace.rest().await;
        }
    }
    all
}

/// A text as one of JavaScript, in slices.
pub async fn text_in_slices(text: &str, pace: &Pace) -> JsString {
    let mut all = JsString::from("");
    let mut rest = text;
    while !rest.is_empty() {
        let mut end = rest.len().min(PART as usize);
        while !rest.is_char_boundary(end) {
            end += 1;
        }
        let (part, after) = rest.split_at(end);
        all = all.concat(&part.into());
        rest = after;
        if pace.is_over(part.len() / 64) {
            pace.rest().await;
        }
    }
    all
}

/// The JSON of a value; `None` if it has none or is cyclic.
pub fn text(value: &JsValue) -> Option<String> {
    stringify(value).map(|text| string(&text))
}

/// The same, as a JavaScript text.
pub fn stringify(value: &JsValue) -> Option<JsString> {
    let text = js_sys::JSON::stringify(value).ok()?;
    // It returns `undefined` for `undefined`.
    text.is_string().then_some(text)
}

/// The value of a JSON text that this crate wrote.
pub fn parse(text: &str) -> JsValue {
    js_sys::JSON::parse(text).unwrap_or_default()
}
