//! Values of a workflow's state, to JavaScript and back. Integers that a number cannot represent exactly
//! become BigInts.

use wasm_bindgen::prelude::*;

use crate::workflow::json::{Json, MOST_LEVELS, Object};

/// 2^53 - 1.
const LARGEST: i64 = 9_007_199_254_740_991;

pub fn to_js(value: &Json) -> JsValue {
    match value {
        Json::Null => JsValue::NULL,
        Json::Bool(truth) => JsValue::from_bool(*truth),
        Json::Int(number) if (-LARGEST..=LARGEST).contains(number) => JsValue::from_f64(*number as f64),
        Json::Int(number) => JsValue::from(*number),
        Json::Big(digits) => js_sys::BigInt::new(&JsValue::from_str(digits))
            .map_or_else(|_| JsValue::from_str(digits), JsValue::from),
        Json::Float(number) => JsValue::from_f64(*number),
        Json::Text(text) => JsValue::from_str(text),
        Json::Array(items) => items.iter().map(to_js).collect::<js_sys::Array>().into(),
        Json::Object(members) => object_to_js(members),
    }
}

/// `__proto__` is a member like any other.
pub fn object_to_js(members: &Object) -> JsValue {
    let entries: js_sys::Array = members
        .iter()
        .map(|(key, value)| js_sys::Array::of2(&JsValue::from_str(key), &to_js(value)))
        .collect();
    js_sys::Object::from_entries(&entries).map_or(JsValue::NULL, JsValue::from)
}

/// The error says which part of `what` is not JSON.
pub fn from_js(value: &JsValue, what: &str) -> Result<Json, String> {
    read(value, what, MOST_LEVELS)
}

/// The same for an object; `undefined` or null is an empty one.
pub fn object_from_js(value: &JsValue, what: &str) -> Result<Object, String> {
    match from_js(value, what)? {
        Json::Object(members) => Ok(members),
        Json::Null => Ok(Object::new()),
        other => Err(format!("{what} must be an object, not {}", other.kind())),
    }
}

fn read(value: &JsValue, path: &str, levels: usize) -> Result<Json, String> {
    if value.is_null() || value.is_undefined() {
        return Ok(Json::Null);
    }
    if let Some(truth) = value.as_bool() {
        return Ok(Json::Bool(truth));
    }
    if let Some(number) = value.as_f64() {
        return match number {
            number if !number.is_finite() => Err(format!("{path} is {number}, which JSON cannot hold")),
            number if number.fract() == 0.0 && number.abs() <= LARGEST as f64 => Ok(Json::Int(number as i64)),
            number => Ok(Json::Float(number)),
        };
    }
    if let Some(text) = value.dyn_ref::<js_sys::JsString>() {
        return Ok(Json::Text(text.into()));
    }
    if let Some(big) = value.dyn_ref::<js_sys::BigInt>() {
        let digits = big
            .to_string(10)
            .map_err(|_| format!("{path} is a BigInt that cannot be written"))?;
        return Json::integer(&String::from(digits)).ok_or_else(|| format!("{path} is no integer"));
    }
    if value.is_function() || value.is_symbol() {
        return Err(format!(
            "{path} is a function or a symbol, which JSON cannot hold"
        ));
    }
    if levels == 0 {
        return Err(format!(
            "{path} nests deeper than {MOST_LEVELS} levels, or contains itself"
        ));
    }
    if js_sys::Array::is_array(value) {
        let items = js_sys::Array::from(value);
        let read = |(index, item): (usize, JsValue)| read(&item, &format!("{path}[{index}]"), levels - 1);
        return items
            .iter()
            .enumerate()
            .map(read)
            .collect::<Result<_, _>>()
            .map(Json::Array);
    }
    if value.has_type::<js_sys::Map>() || value.has_type::<js_sys::Set>() {
        return Err(format!("{path} is a Map or a Set: give an object or an array"));
    }
    if let Ok(to_json) = js_sys::Reflect::get(value, &"toJSON".into())
        && let Some(to_json) = to_json.dyn_ref::<js_sys::Function>()
    {
        let plain = to_json
            .call0(value)
            .map_err(|_| format!("{path} cannot be made JSON"))?;
        return read(&plain, path, levels - 1);
    }
    let mut members = Object::new();
    for entry in js_sys::Object::entries(value.unchecked_ref()) {
        let entry = js_sys::Array::from(&entry);
        let (key, member) = (entry.get(0), entry.get(1));
        if !member.is_undefined() {
            let key = key.as_string().unwrap_or_default();
            let member = read(&member, &format!("{path}.{key}"), levels - 1)?;
            members.insert(key, member);
        }
    }
    Ok(Json::Object(members))
}
