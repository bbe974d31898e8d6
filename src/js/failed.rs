//! After a panic nothing in the instance can be trusted: it says so, whatever it is asked.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

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
