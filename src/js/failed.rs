//! What is thrown to JavaScript. After a panic nothing in the instance can be trusted, so every call reports
//! the panic.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::base::Fault;
use crate::service::package::Failure;

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

/// An error if the instance has panicked.
pub fn check() -> Result<(), JsError> {
    PANIC.with_borrow(|panic| match panic {
        None => Ok(()),
        Some(panic) => Err(JsError::new(&format!(
            "Hornbook has failed: {panic}. Restart the process, or load the page again."
        ))),
    })
}

/// An `Error` whose message includes what to do next, with the properties `kind`, `line` and `column`.
pub fn thrown(fault: &Fault) -> JsValue {
    let Failure {
        kind,
        message,
        line,
        column,
    } = Failure::from(fault);
    let error: JsValue = JsError::new(&message).into();
    let set = |name: &str, value: JsValue| {
        // A new object accepts any property.
        let _ = js_sys::Reflect::set(&error, &name.into(), &value);
    };
    set("kind", kind.into());
    if let (Some(line), Some(column)) = (line, column) {
        set("line", line.into());
        set("column", column.into());
    }
    error
}
