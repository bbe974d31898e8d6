//! What JavaScript is thrown. After a panic nothing in the instance can be trusted: it says so, whatever it is asked.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::base::{Fault, FaultKind};
use crate::service::next_step;

thread_local! {
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|panic| {
        PANIC.set(Some(panic.to_string()));
        console_error_panic_hook::hook(panic);
    }));
}

/// An error when the instance has panicked.
pub fn check() -> Result<(), JsError> {
    PANIC.with_borrow(|panic| match panic {
        None => Ok(()),
        Some(panic) => Err(JsError::new(&format!("Hornbook has failed: {panic}"))),
    })
}

/// What went wrong, and what to do next.
pub fn sentence(fault: &Fault) -> String {
    let next = next_step(fault);
    let stop = match fault.message.ends_with(['.', '!', '?']) || next.is_empty() {
        true => "",
        false => ".",
    };
    format!("{}{stop} {next}", fault.message).trim_end().to_owned()
}

/// An `Error` with that sentence; `kind`, `line` and `column` are properties of it.
pub fn thrown(fault: &Fault) -> JsValue {
    let error: JsValue = JsError::new(&sentence(fault)).into();
    let set = |name: &str, value: JsValue| {
        // An object that is new takes any property.
        let _ = js_sys::Reflect::set(&error, &name.into(), &value);
    };
    set("kind", kind_name(fault.kind).into());
    if let (Some(line), Some(column)) = (fault.line, fault.column) {
        set("line", line.into());
        set("column", column.into());
    }
    error
}

/// As in the replies of tools: `syntax_error`.
pub fn kind_name(kind: FaultKind) -> String {
    serde_json::to_value(kind)
        .ok()
        .and_then(|name| name.as_str().map(str::to_owned))
        .unwrap_or_default()
}
